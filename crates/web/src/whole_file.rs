//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that there is never half of it, after a power cut neither.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let half = half_of(path);
    let mut file = File::create(&half)?;
    file.write_all(bytes.as_ref())?;
    file.sync_all()?;
    fs::rename(&half, path)
}

/// What a file is called while it is written: its whole name and more, so that nobody else's is taken.
pub fn half_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".half");
    name.into()
}
