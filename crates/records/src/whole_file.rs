//! Files that are there whole or not at all, and leave nothing behind when they are not.
//!
//! In: a path and its bytes. Out: the file, once all of it is on the disk. Never: half a file of that name; a leftover of a
//! process that was killed, once anybody writes there again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file so that there is never half of it, after a power cut neither.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// The same, for nobody but its owner to read.
pub fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = WholeFile::begin(path, Readers::Owner)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// A file that takes its place when it is finished. A link stays one: what it leads to is written. Devices and pipes have no
/// place to take and are written as they are.
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    half: Option<Half>,
}

/// A file under another name; it goes away unless it takes its place.
#[derive(Debug)]
struct Half {
    name: PathBuf,
    place: PathBuf,
}

impl Drop for Half {
    fn drop(&mut self) {
        // It is not there any more if it took its place.
        _ = fs::remove_file(&self.name);
    }
}

#[derive(Clone, Copy)]
enum Readers {
    /// Whoever may read new files of this process.
    Usual,
    Owner,
}

impl WholeFile {
    /// Begins a file; what is at its place stays there until this one is whole.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            return Ok(WholeFile { out, half: None });
        }
        WholeFile::begin(path, Readers::Usual)
    }

    fn begin(path: &Path, readers: Readers) -> io::Result<WholeFile> {
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        place.parent().map(sweep);
        let name = half_of(&place);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if matches!(readers, Readers::Owner) {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = readers;
        let out = BufWriter::new(options.open(&name)?);
        Ok(WholeFile { out, half: Some(Half { name, place }) })
    }

    /// Waits until it is on the disk and puts it in its place.
    pub fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(|error| error.into_error())?;
        let Some(half) = self.half else { return Ok(()) };
        file.sync_all()?;
        fs::rename(&half.name, &half.place)?;
        // The name is on the disk when the folder is; not every system can say so.
        _ = half.place.parent().map(|folder| File::open(folder).and_then(|folder| folder.sync_all()));
        Ok(())
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

const ENDING: &str = ".half";

/// What a file is called while it is written: its whole name, the process and a number, so that nobody else's is taken.
fn half_of(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_os_string();
    name.push(format!(".{}-{number}{ENDING}", std::process::id()));
    name.into()
}

/// Removes what processes that are gone left half-written in a folder.
pub fn sweep(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if writer_of(&entry.file_name().to_string_lossy()).is_some_and(|process| !is_running(process)) {
            // One that stays is removed next time.
            _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that writes a file of this name.
fn writer_of(name: &str) -> Option<u32> {
    let (_, process_and_number) = name.strip_suffix(ENDING)?.rsplit_once('.')?;
    let (process, number) = process_and_number.split_once('-')?;
    number.parse::<u64>().ok()?;
    process.parse().ok()
}

/// Whether a process is there; where that cannot be told, it may be.
fn is_running(process: u32) -> bool {
    !cfg!(target_os = "linux") || Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n_files(folder: &Path) -> usize {
        fs::read_dir(folder).expect("read").count()
    }

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
        assert_eq!(n_files(folder.path()), 1);
    }

    #[test]
    fn nothing_is_left_of_what_was_given_up_or_killed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut given_up = WholeFile::create(&path).expect("created");
        given_up.write_all(b"half").expect("written");
        drop(given_up);
        assert_eq!(n_files(folder.path()), 0);
        // No process has the highest number there is; ours is running.
        fs::write(folder.path().join(format!("file.{}-0.half", u32::MAX)), "killed").expect("written");
        let ours = folder.path().join(format!("other.{}-99.half", std::process::id()));
        fs::write(&ours, "being written").expect("written");
        fs::write(folder.path().join("a.b-c.half"), "somebody's own").expect("written");
        write_whole(&path, "new").expect("written");
        assert_eq!(n_files(folder.path()), if cfg!(target_os = "linux") { 3 } else { 4 });
        assert!(ours.exists());
    }

    #[test]
    fn two_may_write_one_file_at_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut first = WholeFile::create(&path).expect("created");
        let mut second = WholeFile::create(&path).expect("created");
        first.write_all(b"first").expect("written");
        second.write_all(b"second").expect("written");
        first.finish().expect("finished");
        second.finish().expect("finished");
        assert_eq!(fs::read_to_string(&path).expect("read"), "second");
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
