//! Atomic file writes: write to a temporary file, sync it, rename it over the target.
//!
//! In: a path and its bytes. Out: the file, once all of it is on disk. Never: a partly written file under that name; a
//! temporary file of a killed process, once anybody writes to that folder again.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces a file atomically; it is also complete after a power cut.
pub fn write_atomic(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// The same with mode 0600: readable by its owner alone.
pub fn write_private(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::begin(path, Readers::Owner)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// A file that is renamed to its path by [`AtomicFile::finish`]. A symbolic link stays one: its target is replaced. Devices and
/// pipes cannot be renamed over and are written directly.
#[derive(Debug)]
pub struct AtomicFile {
    out: BufWriter<File>,
    temporary: Option<Temporary>,
}

/// The temporary file; removed on drop unless it was renamed.
#[derive(Debug)]
struct Temporary {
    name: PathBuf,
    target: PathBuf,
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Fails where it was renamed, which is fine.
        _ = fs::remove_file(&self.name);
    }
}

#[derive(Clone, Copy)]
enum Readers {
    /// By the umask of the process.
    Default,
    Owner,
}

impl AtomicFile {
    /// Creates the temporary file; the target is untouched until `finish`.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            return Ok(AtomicFile { out, temporary: None });
        }
        AtomicFile::begin(path, Readers::Default)
    }

    fn begin(path: &Path, readers: Readers) -> io::Result<AtomicFile> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        target.parent().map(remove_stale_temporaries);
        let name = temporary_name(&target);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if matches!(readers, Readers::Owner) {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = readers;
        let out = BufWriter::new(options.open(&name)?);
        Ok(AtomicFile { out, temporary: Some(Temporary { name, target }) })
    }

    /// Syncs the file and renames it to its path.
    pub fn finish(self) -> io::Result<()> {
        let file = self.out.into_inner().map_err(|error| error.into_error())?;
        let Some(temporary) = self.temporary else { return Ok(()) };
        file.sync_all()?;
        fs::rename(&temporary.name, &temporary.target)?;
        // The rename is durable once the folder is synced; not every system can sync a folder.
        _ = temporary.target.parent().map(|folder| File::open(folder).and_then(|folder| folder.sync_all()));
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

const SUFFIX: &str = ".half";

/// The temporary name: target, process id and a counter, so that concurrent writers never share one.
fn temporary_name(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.as_os_str().to_os_string();
    name.push(format!(".{}-{number}{SUFFIX}", std::process::id()));
    name.into()
}

/// Removes the temporary files that ended processes left in a folder.
pub fn remove_stale_temporaries(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if writer_process(&entry.file_name().to_string_lossy()).is_some_and(|process| !is_running(process)) {
            // One that cannot be removed is tried again next time.
            _ = fs::remove_file(entry.path());
        }
    }
}

/// The process id in the name of a temporary file.
fn writer_process(name: &str) -> Option<u32> {
    let (_, process_and_number) = name.strip_suffix(SUFFIX)?.rsplit_once('.')?;
    let (process, number) = process_and_number.split_once('-')?;
    number.parse::<u64>().ok()?;
    process.parse().ok()
}

/// Whether a process is running; true where the system does not tell.
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
    fn the_old_file_stays_until_finish() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        write_atomic(&path, "old").expect("written");
        let mut file = AtomicFile::create(&path).expect("created");
        file.write_all(b"new").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("read"), "old");
        file.finish().expect("finished");
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        assert_eq!(n_files(folder.path()), 1);
    }

    #[test]
    fn abandoned_and_stale_temporaries_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut given_up = AtomicFile::create(&path).expect("created");
        given_up.write_all(b"half").expect("written");
        drop(given_up);
        assert_eq!(n_files(folder.path()), 0);
        // No process has the highest number there is; ours is running.
        fs::write(folder.path().join(format!("file.{}-0.half", u32::MAX)), "killed").expect("written");
        let ours = folder.path().join(format!("other.{}-99.half", std::process::id()));
        fs::write(&ours, "being written").expect("written");
        fs::write(folder.path().join("a.b-c.half"), "somebody's own").expect("written");
        write_atomic(&path, "new").expect("written");
        assert_eq!(n_files(folder.path()), if cfg!(target_os = "linux") { 3 } else { 4 });
        assert!(ours.exists());
    }

    #[test]
    fn two_writers_of_one_file_do_not_mix() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        let mut first = AtomicFile::create(&path).expect("created");
        let mut second = AtomicFile::create(&path).expect("created");
        first.write_all(b"first").expect("written");
        second.write_all(b"second").expect("written");
        first.finish().expect("finished");
        second.finish().expect("finished");
        assert_eq!(fs::read_to_string(&path).expect("read"), "second");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_are_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        write_atomic(&path, "old").expect("written");
        std::os::unix::fs::symlink(&path, &link).expect("linked");
        write_atomic(&link, "new").expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::read_to_string(&path).expect("read"), "new");
        write_atomic(Path::new("/dev/null"), "nothing").expect("written");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }
}
