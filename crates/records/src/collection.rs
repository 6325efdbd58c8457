//! A collection on disk: a folder of segments and a manifest that lists the live ones.
//!
//! In: a folder and the rules of its game. Out: segments to search, and commits. Never: a change to a file that may be
//! open elsewhere; a partly added game.
//!
//! A commit writes a new segment under an unused name, syncs it, and replaces the manifest atomically. A kill at any
//! moment leaves the old manifest or the new one; the next writer removes files that no manifest lists. A lock on the
//! file `LOCK` allows one writer at a time.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use ashta_position::CompiledRules;

use crate::index::states::StateSpace;
pub use crate::manifest::{CollectionError, Manifest, SegmentEntry};
use crate::manifest::{ENDING, LOCK, has_other_files, is_manifest};
use crate::record::GameRecord;
use crate::segment::{
    Changed, FileOperation, MAX_POSITIONS, Segment, SegmentBuilder, SegmentError, merge_segments,
};

/// A read-only snapshot of a collection.
#[derive(Debug)]
pub struct Collection {
    rules: CompiledRules,
    space: StateSpace,
    manifest: Manifest,
    segments: Vec<Segment>,
}

/// Retries when a merge removes a segment between reading the manifest and opening it.
const TRIES: usize = 20;

impl Collection {
    /// Opens a snapshot; games added later are not seen.
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

    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    pub fn space(&self) -> &StateSpace {
        &self.space
    }

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

    pub fn n_games(&self) -> usize {
        self.segments.iter().map(Segment::n_games).sum()
    }

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

    pub fn record(&self, game: usize) -> Result<Option<GameRecord>, CollectionError> {
        match self.locate(game) {
            Some((segment, local)) => Ok(Some(segment.record(local)?)),
            None => Ok(None),
        }
    }

    /// Verifies every checksum.
    pub fn check_all(&self) -> Result<(), CollectionError> {
        self.segments.iter().try_for_each(|segment| segment.file().check_all())?;
        Ok(())
    }
}

/// A collection opened for adding games, with an exclusive lock.
#[derive(Debug)]
pub struct CollectionWriter {
    folder: PathBuf,
    rules: CompiledRules,
    space: StateSpace,
    manifest: Manifest,
    _lock: File,
}

impl CollectionWriter {
    /// Opens or creates a collection and removes orphaned files.
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
        fs::create_dir_all(folder).map_err(failed(FileOperation::Create, folder.to_path_buf()))?;
        let lock = lock(folder)?;
        let manifest = match Manifest::read(folder) {
            // An empty collection may change its game.
            Ok(manifest) if manifest.game == game || !manifest.segments.is_empty() => manifest,
            Ok(_) | Err(CollectionError::None { .. }) => {
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
        remove_orphans(&writer.folder, &writer.manifest);
        Ok(writer)
    }

    pub fn space(&self) -> &StateSpace {
        &self.space
    }

    pub fn rules(&self) -> &CompiledRules {
        &self.rules
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// A snapshot of what is committed.
    pub fn collection(&self) -> Result<Collection, CollectionError> {
        Collection::open(&self.folder, &self.rules)
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

    /// Merges one range of neighbouring segments, if it pays. Returns whether it did.
    pub fn merge_step(&mut self) -> Result<bool, CollectionError> {
        let Some(run) = range_to_merge(&self.manifest.segments) else { return Ok(false) };
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
        let Some(n_bytes) = merge_segments(&parts, &Changed::new(), &self.rules, &self.space, &path)? else {
            return Ok(false);
        };
        merged.n_bytes = n_bytes;
        let mut manifest = self.manifest.clone();
        manifest.segments.splice(run, [merged]);
        manifest.swap_in(&self.folder)?;
        self.manifest = manifest;
        remove_orphans(&self.folder, &self.manifest);
        Ok(true)
    }
}

impl CollectionWriter {
    /// Replaces records by others with the same moves, all or none.
    pub fn replace_records(
        &mut self,
        mut records: BTreeMap<usize, GameRecord>,
    ) -> Result<(), CollectionError> {
        let n_sides = self.rules.rules().sides().len();
        let (mut manifest, mut number, mut first) = (self.manifest.clone(), self.next_number(), 0);
        for entry in &mut manifest.segments {
            let later = records.split_off(&(first + entry.n_games));
            let changed: Changed =
                records.into_iter().map(|(game, record)| ((game - first) as u32, record)).collect();
            (records, first) = (later, first + entry.n_games);
            if changed.is_empty() {
                continue;
            }
            let segment = Segment::open(&entry.path(&self.folder), &self.space, n_sides)?;
            entry.number = number;
            number += 1;
            let path = entry.path(&self.folder);
            if let Some(n_bytes) = merge_segments(&[&segment], &changed, &self.rules, &self.space, &path)? {
                entry.n_bytes = n_bytes;
            }
        }
        manifest.swap_in(&self.folder)?;
        self.manifest = manifest;
        remove_orphans(&self.folder, &self.manifest);
        Ok(())
    }
}

/// Removes a collection: its own files, and the folder if it is then empty. Fails while a writer is open.
pub fn remove_collection(folder: &Path) -> Result<(), CollectionError> {
    if has_other_files(folder) {
        return Err(CollectionError::NotACollection { path: folder.to_path_buf() });
    }
    if !folder.is_dir() {
        return Err(CollectionError::None { path: folder.to_path_buf() });
    }
    let failed = |path: &Path| {
        let path = path.to_path_buf();
        move |source| CollectionError::Io { doing: FileOperation::Remove, path, source }
    };
    let lock = lock(folder)?;
    // The manifest goes first: a kill in between leaves a folder without games.
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).map_err(failed(folder))?.flatten().map(|entry| entry.path()).collect();
    paths.sort_by_key(|path| (!is_manifest(path), path.clone()));
    for path in paths {
        fs::remove_file(&path).map_err(failed(&path))?;
    }
    drop(lock);
    fs::remove_dir(folder).map_err(failed(folder))
}

/// Removes what a kill left of a collection: files that no manifest lists, and a folder that was half created or half
/// removed. A collection with a writer is left alone.
pub fn clean_collection(folder: &Path) -> Result<(), CollectionError> {
    match Manifest::read(folder) {
        Err(CollectionError::None { .. }) => remove_collection(folder),
        Err(error) => Err(error),
        Ok(_) => {
            let _lock = lock(folder)?;
            remove_orphans(folder, &Manifest::read(folder)?);
            Ok(())
        }
    }
}

/// Removes files that no manifest lists: partial segments, and segments that were merged. One that cannot be removed now
/// only wastes space; the next writer tries again.
fn remove_orphans(folder: &Path, manifest: &Manifest) {
    let named: Vec<PathBuf> = manifest.segments.iter().map(|segment| segment.path(folder)).collect();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let is_segment = path.extension().is_some_and(|ending| ending == ENDING);
        let is_half = path.file_name().is_some_and(|name| name == "MANIFEST.tmp");
        if (is_segment && !named.contains(&path)) || is_half {
            let _ = fs::remove_file(&path);
        }
    }
}

fn lock(folder: &Path) -> Result<File, CollectionError> {
    let failed = |doing, path: PathBuf| move |source| CollectionError::Io { doing, path, source };
    let path = folder.join(LOCK);
    let options = OpenOptions::new().write(true).create(true).truncate(false).clone();
    let lock = options.open(&path).map_err(failed(FileOperation::Open, path.clone()))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(CollectionError::InUse { path: folder.to_path_buf() }),
        Err(TryLockError::Error(source)) => Err(failed(FileOperation::Lock, path)(source)),
    }
}

/// Neighbours that fit into one segment and of which the largest is at most four fifths of the result: a game is then
/// rewritten only when its segment has grown by a quarter.
fn range_to_merge(segments: &[SegmentEntry]) -> Option<std::ops::Range<usize>> {
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
