//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that there is never half of it, after a power cut neither.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// The same, for nobody but its owner to read.
pub fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let half = half_of(path);
    // One that was left half-written may be readable by others.
    _ = fs::remove_file(&half);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&half)?;
    file.write_all(bytes.as_ref())?;
    file.sync_all()?;
    fs::rename(half, path)
}

/// A file that takes its place when it is finished. A link stays one: what it leads to is written. Devices and pipes have no
/// place to take and are written as they are.
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    /// What it is called meanwhile, and its place.
    place: Option<(PathBuf, PathBuf)>,
}

impl WholeFile {
    /// Begins a file; what is at its place stays there until this one is whole.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            return Ok(WholeFile { out, place: None });
        }
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let half = half_of(&path);
        Ok(WholeFile { out: BufWriter::new(File::create(&half)?), place: Some((half, path)) })
    }

    /// Waits until it is on the disk and puts it in its place.
    pub fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(|error| error.into_error())?;
        match self.place {
            None => Ok(()),
            Some((half, path)) => {
                file.sync_all()?;
                fs::rename(half, path)
            }
        }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// What a file is called while it is written: its whole name and more, so that nobody else's is taken.
fn half_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".half");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_there_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_whole(&path, "old").expect("written");
        let mut file = WholeFile::create(&path).expect("created");
        file.write_all(b"new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "old");
        file.finish().expect("finished");
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        assert_eq!(fs::read_dir(folder.path()).expect("read").count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        write_whole(&path, "old").expect("written");
        std::os::unix::fs::symlink(&path, &link).expect("linked");
        write_whole(&link, "new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        write_whole(Path::new("/dev/null"), "nothing").expect("written");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }
}
