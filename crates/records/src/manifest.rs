//! The manifest of a collection: a checksummed text that lists the live segments, replaced atomically.
//!
//! In: a folder. Out: the manifest, or an error. Never: a manifest that lists a file not yet synced.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use ashta_messages::{Message, Tell, message};
use xxhash_rust::xxh3::xxh3_64;

use crate::segment::{FileOperation, SegmentError};

const MANIFEST: &str = "MANIFEST";
/// The file that a writer locks.
pub(crate) const LOCK: &str = "LOCK";
const FIRST_LINE: &str = "ashta collection 1";
/// The extension of segments.
pub(crate) const ENDING: &str = "seg";

#[derive(Debug, Tell)]
pub enum CollectionError {
    #[code(transparent)]
    Segment(#[from] SegmentError),
    #[code("records.file")]
    Io { doing: FileOperation, path: PathBuf, source: io::Error },
    #[code("records.no-collection")]
    None { path: PathBuf },
    #[code("records.not-a-collection")]
    NotACollection { path: PathBuf },
    #[code("records.collection-in-use")]
    InUse { path: PathBuf },
    #[code("records.collection-of-other-game")]
    AnotherGame { path: PathBuf, found: String, wanted: String },
    #[code("records.damaged")]
    DamagedManifest { path: PathBuf, what: Message },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The game as it was given: `shogi`, `shatranj+double-step`, a path.
    pub game: String,
    /// The digest of its rules when the collection was created.
    pub rules_digest: u64,
    /// In the order in which their games were added.
    pub segments: Vec<SegmentEntry>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SegmentEntry {
    /// The number in its file name.
    pub number: u64,
    pub n_games: usize,
    pub n_positions: usize,
    pub n_bytes: u64,
}

impl SegmentEntry {
    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{:08}.{ENDING}", self.number))
    }
}

impl Manifest {
    pub fn n_games(&self) -> usize {
        self.segments.iter().map(|segment| segment.n_games).sum()
    }

    pub fn n_positions(&self) -> usize {
        self.segments.iter().map(|segment| segment.n_positions).sum()
    }

    pub fn n_bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.n_bytes).sum()
    }

    pub fn read(folder: &Path) -> Result<Manifest, CollectionError> {
        let path = folder.join(MANIFEST);
        let text = fs::read(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound if !folder.exists() => {
                CollectionError::None { path: folder.to_path_buf() }
            }
            io::ErrorKind::NotFound if has_other_files(folder) => {
                CollectionError::NotACollection { path: folder.to_path_buf() }
            }
            // The first manifest is written before the first segment, so there was one.
            io::ErrorKind::NotFound if has_segments(folder) => CollectionError::DamagedManifest {
                path: path.clone(),
                what: message!("records.manifest-gone"),
            },
            io::ErrorKind::NotFound => CollectionError::None { path: folder.to_path_buf() },
            io::ErrorKind::NotADirectory => CollectionError::NotACollection { path: folder.to_path_buf() },
            _ => CollectionError::Io { doing: FileOperation::Read, path: path.clone(), source },
        })?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Manifest::parse(&text).map_err(|what| CollectionError::DamagedManifest { path, what })
    }

    fn parse(text: &str) -> Result<Manifest, Message> {
        let first = text.lines().next().unwrap_or_default();
        if first != FIRST_LINE {
            return Err(message!("records.manifest-first-line", first, expected = FIRST_LINE));
        }
        let (body, checksum) =
            text.trim_end().rsplit_once('\n').ok_or_else(|| message!("records.manifest-short"))?;
        let sum = format!("checksum {:016x}", xxh3_64(format!("{body}\n").as_bytes()));
        if checksum != sum {
            return Err(message!("records.manifest-checksum"));
        }
        let mut manifest = Manifest { game: String::new(), rules_digest: 0, segments: Vec::new() };
        for line in body.lines().skip(1) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            let numbers: Vec<u64> = rest.split(' ').filter_map(|word| word.parse().ok()).collect();
            match (word, numbers.as_slice()) {
                ("game", _) => manifest.game = rest.to_string(),
                ("rules", _) => manifest.rules_digest = u64::from_str_radix(rest, 16).unwrap_or(0),
                ("segment", [number, n_games, n_positions, n_bytes]) => {
                    manifest.segments.push(SegmentEntry {
                        number: *number,
                        n_games: *n_games as usize,
                        n_positions: *n_positions as usize,
                        n_bytes: *n_bytes,
                    });
                }
                _ => return Err(message!("records.manifest-line", line)),
            }
        }
        Ok(manifest)
    }

    fn text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\ngame {}\nrules {:016x}\n", self.game, self.rules_digest);
        for segment in &self.segments {
            let SegmentEntry { number, n_games, n_positions, n_bytes } = segment;
            text += &format!("segment {number} {n_games} {n_positions} {n_bytes}\n");
        }
        let checksum = xxh3_64(text.as_bytes());
        text + &format!("checksum {checksum:016x}\n")
    }

    /// Replaces the manifest atomically.
    pub(crate) fn swap_in(&self, folder: &Path) -> Result<(), CollectionError> {
        let (half, path) = (folder.join("MANIFEST.tmp"), folder.join(MANIFEST));
        let failed = |doing, path: &Path| {
            let path = path.to_path_buf();
            move |source| CollectionError::Io { doing, path, source }
        };
        fs::write(&half, self.text()).map_err(failed(FileOperation::Write, &half))?;
        File::open(&half).and_then(|file| file.sync_all()).map_err(failed(FileOperation::Write, &half))?;
        // The segment's directory entry must be synced before the manifest that lists it, and the manifest's after.
        sync_folder(folder)?;
        fs::rename(&half, &path).map_err(failed(FileOperation::Replace, &path))?;
        sync_folder(folder)
    }
}

fn sync_folder(folder: &Path) -> Result<(), CollectionError> {
    // Not every system can open a folder as a file; there the rename has to do.
    match File::open(folder).and_then(|file| file.sync_all()) {
        Err(source) if cfg!(unix) => {
            Err(CollectionError::Io { doing: FileOperation::Write, path: folder.to_path_buf(), source })
        }
        _ => Ok(()),
    }
}

/// Whether a file is a manifest, or a temporary one.
pub(crate) fn is_manifest(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(MANIFEST))
}

/// Whether a folder has files that do not belong to a collection.
pub(crate) fn has_other_files(folder: &Path) -> bool {
    has_any(folder, |name| !(name.starts_with(MANIFEST) || name == LOCK || is_segment(name)))
}

fn has_segments(folder: &Path) -> bool {
    has_any(folder, is_segment)
}

fn is_segment(name: &str) -> bool {
    name.ends_with(&format!(".{ENDING}"))
}

fn has_any(folder: &Path, is_one: impl Fn(&str) -> bool) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| is_one(&name.to_string_lossy()))
}
