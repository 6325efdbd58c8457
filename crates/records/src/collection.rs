//! A collection on disk: a folder of segments and a manifest that says which of them count.
//!
//! In: a folder and the rules of its game. Out: segments to search, and commits. Never: a change to a file that anybody
//! may be reading; a game that is half there.
//!
//! Adding games writes a new segment under a name that no manifest knows, waits until it is on the disk, and then swaps
//! the manifest for one that names it. A kill at any moment leaves the old manifest or the new one. A file that no
//! manifest names is removed by the next writer. There is one writer at a time: it holds a lock on the file `LOCK`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use ashta_position::CompiledRules;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::index::states::StateSpace;
use crate::record::GameRecord;
use crate::segment::{MAX_POSITIONS, Segment, SegmentBuilder, SegmentError, merge_segments};

const MANIFEST: &str = "MANIFEST";
const LOCK: &str = "LOCK";
const FIRST_LINE: &str = "ashta collection 1";
const ENDING: &str = "seg";

/// Why a collection cannot be used.
#[derive(Error, Debug)]
pub enum CollectionError {
    /// A segment is wrong.
    #[error(transparent)]
    Segment(#[from] SegmentError),
    /// The system refused.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no collection.
    #[error("there is no collection in {path}")]
    None {
        /// The folder.
        path: PathBuf,
    },
    /// The folder has other files.
    #[error("{path} is a folder of other files, not a collection")]
    NotACollection {
        /// The folder.
        path: PathBuf,
    },
    /// Another process adds games.
    #[error("another process is adding games to {path}")]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// It holds games of another kind.
    #[error("{path} holds games of {found}, not of {wanted}")]
    AnotherGame {
        /// The folder.
        path: PathBuf,
        /// The game it holds.
        found: String,
        /// The game asked for.
        wanted: String,
    },
    /// The manifest has changed since it was written.
    #[error("{path} is damaged: {what}")]
    DamagedManifest {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
}

/// Which segments count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// The game, as it was called for: `shogi`, `shatranj+double-step`, a path.
    pub game: String,
    /// The digest of its rules when the collection was begun.
    pub rules_digest: u64,
    /// The segments, in the order in which their games were added.
    pub segments: Vec<SegmentEntry>,
}

/// A segment, as the manifest knows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SegmentEntry {
    /// The number in its name.
    pub number: u64,
    /// How many games it has.
    pub n_games: usize,
    /// How many positions it has.
    pub n_positions: usize,
    /// How many bytes it has.
    pub n_bytes: u64,
}

impl SegmentEntry {
    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{:08}.{ENDING}", self.number))
    }
}

impl Manifest {
    /// Reads the manifest of a folder.
    pub fn read(folder: &Path) -> Result<Manifest, CollectionError> {
        let path = folder.join(MANIFEST);
        let text = fs::read(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound if !folder.exists() => {
                CollectionError::None { path: folder.to_path_buf() }
            }
            io::ErrorKind::NotFound => match has_other_files(folder) {
                true => CollectionError::NotACollection { path: folder.to_path_buf() },
                false => CollectionError::None { path: folder.to_path_buf() },
            },
            io::ErrorKind::NotADirectory => CollectionError::NotACollection { path: folder.to_path_buf() },
            _ => CollectionError::Io { doing: "read", path: path.clone(), source },
        })?;
        let text = String::from_utf8_lossy(&text).into_owned();
        Manifest::parse(&text).map_err(|what| CollectionError::DamagedManifest { path, what })
    }

    fn parse(text: &str) -> Result<Manifest, String> {
        let first = text.lines().next().unwrap_or_default();
        if first != FIRST_LINE {
            return Err(format!("it begins with `{first}`, not with `{FIRST_LINE}`"));
        }
        let (body, checksum) = text.trim_end().rsplit_once('\n').ok_or("it has one line")?;
        let sum = format!("checksum {:016x}", xxh3_64(format!("{body}\n").as_bytes()));
        if checksum != sum {
            return Err("it fails its checksum".to_string());
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
                _ => return Err(format!("`{line}` says nothing that this program knows")),
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

    /// Puts this manifest in place of the one that is there, at once.
    fn swap_in(&self, folder: &Path) -> Result<(), CollectionError> {
        let (half, path) = (folder.join("MANIFEST.tmp"), folder.join(MANIFEST));
        let failed = |doing, path: &Path| {
            let path = path.to_path_buf();
            move |source| CollectionError::Io { doing, path, source }
        };
        fs::write(&half, self.text()).map_err(failed("write", &half))?;
        File::open(&half).and_then(|file| file.sync_all()).map_err(failed("write", &half))?;
        // The segment's name must be on the disk before a manifest that names it, and the manifest's after.
        sync_folder(folder)?;
        fs::rename(&half, &path).map_err(failed("replace", &path))?;
        sync_folder(folder)
    }
}

fn sync_folder(folder: &Path) -> Result<(), CollectionError> {
    // Folders cannot be opened as files everywhere; where they cannot, renaming is all there is.
    match File::open(folder).and_then(|file| file.sync_all()) {
        Err(source) if cfg!(unix) => {
            Err(CollectionError::Io { doing: "write", path: folder.to_path_buf(), source })
        }
        _ => Ok(()),
    }
}

fn has_other_files(folder: &Path) -> bool {
    let own =
        |name: &str| name.starts_with(MANIFEST) || name == LOCK || name.ends_with(&format!(".{ENDING}"));
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).any(|name| !own(&name.to_string_lossy()))
}

/// A collection, opened for searching.
#[derive(Debug)]
pub struct Collection {
    rules: CompiledRules,
    space: StateSpace,
    manifest: Manifest,
    segments: Vec<Segment>,
}

/// How often opening is tried again when a merge removes a segment between reading the manifest and opening it.
const TRIES: usize = 20;

impl Collection {
    /// Opens a collection whose game has these rules. Games that others add later are not seen.
    pub fn open(folder: &Path, rules: &CompiledRules) -> Result<Collection, CollectionError> {
        let space = StateSpace::new(rules.rules());
        let mut last = None;
        for _ in 0..TRIES {
            let manifest = Manifest::read(folder)?;
            let n_sides = rules.rules().sides().len();
            let open = |entry: &SegmentEntry| Segment::open(&entry.path(folder), &space, n_sides);
            match manifest.segments.iter().map(open).collect() {
                Ok(segments) => {
                    return Ok(Collection { rules: rules.clone(), space, manifest, segments });
                }
                Err(error) => {
                    let is_gone = matches!(&error, SegmentError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound);
                    if !is_gone {
                        return Err(error.into());
                    }
                    last = Some(error);
                }
            }
        }
        Err(last.map_or(CollectionError::None { path: folder.to_path_buf() }, CollectionError::from))
    }

    /// The compiled rules of its game.
    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// The states of its game.
    pub fn space(&self) -> &StateSpace {
        &self.space
    }

    /// What the manifest says.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The segments, each with the number of its first game.
    pub fn segments(&self) -> impl Iterator<Item = (usize, &Segment)> {
        self.segments.iter().scan(0, |next, segment| {
            let first = *next;
            *next += segment.n_games();
            Some((first, segment))
        })
    }

    /// How many games there are.
    pub fn n_games(&self) -> usize {
        self.segments.iter().map(Segment::n_games).sum()
    }

    /// How many positions there are.
    pub fn n_positions(&self) -> usize {
        self.segments.iter().map(Segment::n_positions).sum()
    }

    /// The segment of a game, and the game's number within it.
    pub fn locate(&self, game: usize) -> Option<(&Segment, u32)> {
        let mut rest = game;
        for segment in &self.segments {
            match rest.checked_sub(segment.n_games()) {
                None => return Some((segment, rest as u32)),
                Some(left) => rest = left,
            }
        }
        None
    }

    /// A record, by the number of its game from 0.
    pub fn record(&self, game: usize) -> Result<Option<GameRecord>, CollectionError> {
        match self.locate(game) {
            Some((segment, local)) => Ok(Some(segment.record(local)?)),
            None => Ok(None),
        }
    }

    /// Checks every byte of every segment.
    pub fn check_all(&self) -> Result<(), CollectionError> {
        self.segments.iter().try_for_each(|segment| segment.file().check_all())?;
        Ok(())
    }
}

/// A collection, opened for adding games. Nobody else can add while it lives.
#[derive(Debug)]
pub struct CollectionWriter {
    folder: PathBuf,
    rules: CompiledRules,
    space: StateSpace,
    manifest: Manifest,
    _lock: File,
}

impl CollectionWriter {
    /// Opens or begins a collection of a game; what a kill left half-written is removed.
    pub fn open(
        folder: &Path,
        rules: &CompiledRules,
        game: &str,
    ) -> Result<CollectionWriter, CollectionError> {
        let failed = |doing, path: PathBuf| move |source| CollectionError::Io { doing, path, source };
        if folder.exists() && (!folder.is_dir() || has_other_files(folder)) && Manifest::read(folder).is_err()
        {
            return Err(CollectionError::NotACollection { path: folder.to_path_buf() });
        }
        fs::create_dir_all(folder).map_err(failed("create", folder.to_path_buf()))?;
        let lock_path = folder.join(LOCK);
        let options = OpenOptions::new().write(true).create(true).truncate(false).clone();
        let lock = options.open(&lock_path).map_err(failed("open", lock_path.clone()))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(CollectionError::InUse { path: folder.to_path_buf() });
            }
            Err(TryLockError::Error(source)) => return Err(failed("lock", lock_path)(source)),
        }
        let manifest = match Manifest::read(folder) {
            Ok(manifest) => manifest,
            Err(CollectionError::None { .. }) => {
                let begun = Manifest {
                    game: game.to_string(),
                    rules_digest: rules.rules().digest(),
                    segments: Vec::new(),
                };
                begun.swap_in(folder)?;
                begun
            }
            Err(error) => return Err(error),
        };
        if manifest.game != game {
            let (found, wanted) = (manifest.game, game.to_string());
            return Err(CollectionError::AnotherGame { path: folder.to_path_buf(), found, wanted });
        }
        let space = StateSpace::new(rules.rules());
        let folder = folder.to_path_buf();
        let writer = CollectionWriter { folder, rules: rules.clone(), space, manifest, _lock: lock };
        writer.remove_orphans();
        Ok(writer)
    }

    /// The states of its game.
    pub fn space(&self) -> &StateSpace {
        &self.space
    }

    /// The compiled rules of its game.
    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    /// What is committed.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The collection as it is committed.
    pub fn collection(&self) -> Result<Collection, CollectionError> {
        Collection::open(&self.folder, &self.rules)
    }

    /// Files that no manifest names: halves of segments, and segments that were merged. One that cannot be removed now
    /// is only a waste of space, and is tried again by the next writer.
    fn remove_orphans(&self) {
        let named: Vec<PathBuf> =
            self.manifest.segments.iter().map(|segment| segment.path(&self.folder)).collect();
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            let is_segment = path.extension().is_some_and(|ending| ending == ENDING);
            let is_half = path.file_name().is_some_and(|name| name == "MANIFEST.tmp");
            if (is_segment && !named.contains(&path)) || is_half {
                let _ = fs::remove_file(&path);
            }
        }
    }

    fn next_number(&self) -> u64 {
        self.manifest.segments.iter().map(|segment| segment.number).max().map_or(1, |largest| largest + 1)
    }

    /// Adds the games of a segment, all or none.
    pub fn commit(&mut self, built: SegmentBuilder) -> Result<(), CollectionError> {
        if built.n_games() == 0 {
            return Ok(());
        }
        let (number, n_games, n_positions) = (self.next_number(), built.n_games(), built.n_positions());
        let mut entry = SegmentEntry { number, n_games, n_positions, n_bytes: 0 };
        entry.n_bytes = built.write(&entry.path(&self.folder))?;
        let mut manifest = self.manifest.clone();
        manifest.segments.push(entry);
        manifest.swap_in(&self.folder)?;
        self.manifest = manifest;
        Ok(())
    }

    /// Merges one run of neighbouring segments, if it is worth it. Gives whether it did.
    pub fn merge_step(&mut self) -> Result<bool, CollectionError> {
        let Some(run) = run_to_merge(&self.manifest.segments) else { return Ok(false) };
        let n_sides = self.rules.rules().sides().len();
        let entries = &self.manifest.segments[run.clone()];
        let open = |entry: &SegmentEntry| Segment::open(&entry.path(&self.folder), &self.space, n_sides);
        let segments: Vec<Segment> = entries.iter().map(open).collect::<Result<_, _>>()?;
        let mut merged = SegmentEntry {
            number: self.next_number(),
            n_games: entries.iter().map(|entry| entry.n_games).sum(),
            n_positions: entries.iter().map(|entry| entry.n_positions).sum(),
            n_bytes: 0,
        };
        let parts: Vec<&Segment> = segments.iter().collect();
        let path = merged.path(&self.folder);
        let Some(n_bytes) = merge_segments(&parts, &self.rules, &self.space, &path)? else {
            return Ok(false);
        };
        merged.n_bytes = n_bytes;
        let mut manifest = self.manifest.clone();
        manifest.segments.splice(run, [merged]);
        manifest.swap_in(&self.folder)?;
        self.manifest = manifest;
        self.remove_orphans();
        Ok(true)
    }
}

/// Neighbours that fit into one segment and of which the largest is at most four fifths of the result: a game is then
/// written again only when what it lies in has grown by a quarter.
fn run_to_merge(segments: &[SegmentEntry]) -> Option<std::ops::Range<usize>> {
    for begin in 0..segments.len() {
        let (mut end, mut total, mut largest) = (begin, 0, 0);
        while end < segments.len() && total + segments[end].n_positions < MAX_POSITIONS {
            total += segments[end].n_positions;
            largest = largest.max(segments[end].n_positions);
            end += 1;
        }
        if end - begin >= 2 && largest * 5 <= total * 4 {
            return Some(begin..end);
        }
    }
    None
}
