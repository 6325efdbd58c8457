//! Puts the records of files into a collection: as a stream, on every core, batch by batch.
//!
//! In: paths of files and folders. Out: games in the collection; a report of what went in and what did not, each with
//! its file, game, line and reason. Never: a bad record that stops the rest, nor memory that grows with the input.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use ashta_position::CompiledRules;
use rayon::prelude::*;

use crate::collection::{CollectionError, CollectionWriter};
use crate::import_batch::{Batch, NewGame};
use crate::index::states::{StateSpace, index_game};
pub use crate::limits::Limits;
use crate::notation::{Format, MoveReader, RawGame, RecordError, parse};
pub use crate::record_file::RecordFile;

/// Positions of a batch: what a kill may lose, and about 200 MB of memory.
const BATCH_POSITIONS: usize = 1 << 22;

/// Bytes of text of a batch, and of records of which more is known now.
pub(crate) const BATCH_TEXT_BYTES: usize = 1 << 27;

/// Texts that are parsed at a time, and their bytes: a game that is parsed takes several times the memory of its text.
const CHUNK_GAMES: usize = 4096;
const CHUNK_BYTES: usize = 1 << 24;

/// Why a record or a file did not go in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    /// The file.
    pub path: PathBuf,
    /// Which game of the file, from 1; none if the file itself cannot be read.
    pub game: Option<usize>,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// What an import did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ImportReport {
    /// Files that were read.
    pub n_files: usize,
    /// Games that went in.
    pub n_added: usize,
    /// Positions of these.
    pub n_positions: usize,
    /// Games that were in the collection already: the same moves from the same position, and players and dates that
    /// agree as far as both say them.
    pub n_known: usize,
    /// Of these, games of which the new copy knew more: tags, comments, glyphs, times or variations, which were added.
    pub n_merged: usize,
    /// Of the games that went in, those whose date is none; it is kept as text.
    pub n_not_dates: usize,
    /// Records that begin from a position that is none of a game, because a side has no royal piece, or several, or could
    /// be captured at once: they went in as diagrams.
    pub n_diagrams: usize,
    /// The place of the first of these, and why it is one.
    pub first_diagram: Option<String>,
    /// Records that did not go in.
    pub n_refused: usize,
    /// Files that pass the limits of what a packed file may hold: what was read before that stays.
    pub n_too_large: usize,
}

/// Whoever watches an import.
pub trait ImportObserver {
    /// A record or a file did not go in.
    fn rejected(&mut self, refusal: &Rejection);
    /// So far so much; bytes are those of files as they lie on disk.
    fn progress(&mut self, report: &ImportReport, bytes_read: u64);
    /// Whether to stop: what is parsed is committed, and nothing more is read.
    fn wants_stop(&mut self) -> bool;
}

/// How an import goes.
#[derive(Clone, Copy, Debug)]
pub struct ImportPlan {
    /// The format of all files; guessed from each if it is not said.
    pub format: Option<Format>,
    /// Positions after which games are committed.
    pub batch_positions: usize,
    /// Most that one file may ask of the machine.
    pub limits: Limits,
    /// What becomes of a game that is there already.
    pub duplicates: DuplicatePolicy,
}

/// What becomes of a record whose game is in the collection already.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DuplicatePolicy {
    /// What it knows more is added to the record that is there.
    #[default]
    Merge,
    /// It goes in too, unless it says exactly the same.
    KeepBoth,
}

impl Default for ImportPlan {
    fn default() -> ImportPlan {
        ImportPlan {
            format: None,
            batch_positions: BATCH_POSITIONS,
            limits: Limits::default(),
            duplicates: DuplicatePolicy::default(),
        }
    }
}

/// The files below paths, in order of their names; a file that is named is taken whatever its ending. A folder that cannot be
/// read is among them too, so that an import tells of it and goes on.
pub fn files_below(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut seen) = (Vec::new(), HashSet::new());
    for path in paths {
        if std::fs::metadata(path)?.is_dir() {
            add_files_in(path, &mut files, &mut seen)
        } else {
            files.push(path.clone())
        }
    }
    Ok(files)
}

/// Adds the files of a folder, unless a link has led here before.
fn add_files_in(folder: &Path, files: &mut Vec<PathBuf>, seen: &mut HashSet<PathBuf>) {
    let is_new = std::fs::canonicalize(folder).map_or(true, |place| seen.insert(place));
    if !is_new {
        return;
    }
    let entries = std::fs::read_dir(folder).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let Ok(entries) = entries else { return files.push(folder.to_path_buf()) };
    let mut inside: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).collect();
    inside.sort();
    for path in inside {
        if path.is_dir() {
            add_files_in(&path, files, seen);
        } else if Format::of_path(&path).is_some() {
            files.push(path);
        }
    }
}

/// Puts the records of files into a collection.
pub fn import(
    writer: &mut CollectionWriter,
    files: &[PathBuf],
    plan: ImportPlan,
    observer: &mut dyn ImportObserver,
) -> Result<ImportReport, CollectionError> {
    let batch = Batch::new(writer, plan)?;
    let (rules, space) = (writer.rules().clone(), writer.space().clone());
    let mut import_run = Import {
        rules,
        space,
        batch,
        writer,
        plan,
        report: ImportReport::default(),
        bytes_read: 0,
        observer,
    };
    for path in files {
        if import_run.file(path)? == ImportFlow::Stop {
            break;
        }
    }
    import_run.batch.commit(import_run.writer)?;
    import_run.batch.commit_changed(import_run.writer)?;
    Ok(import_run.report)
}

#[derive(PartialEq, Eq)]
enum ImportFlow {
    Continue,
    Stop,
}

struct Import<'a> {
    rules: CompiledRules,
    space: StateSpace,
    batch: Batch,
    writer: &'a mut CollectionWriter,
    plan: ImportPlan,
    report: ImportReport,
    bytes_read: u64,
    observer: &'a mut dyn ImportObserver,
}

type Parsed = Result<NewGame, RecordError>;

impl Import<'_> {
    fn reject(&mut self, path: &Path, game: Option<usize>, error: RecordError) {
        self.report.n_refused += 1;
        let path = path.to_path_buf();
        self.observer.rejected(&Rejection { path, game, line: error.line, what: error.what });
    }

    fn reject_file(&mut self, path: &Path, line: usize, what: &str, error: &io::Error) {
        self.report.n_too_large += usize::from(error.kind() == io::ErrorKind::FileTooLarge);
        self.reject(path, None, RecordError { line, what: what.to_string() });
    }

    fn file(&mut self, path: &Path) -> Result<ImportFlow, CollectionError> {
        self.report.n_files += 1;
        let opened = RecordFile::open(path, self.plan.format, self.plan.limits);
        let mut file = match opened {
            Ok(Some(file)) => file,
            Ok(None) => {
                let names: Vec<&str> = Format::names().collect();
                let what = format!("nobody can tell what kind of record it is; we read {}", names.join(", "));
                self.reject(path, None, RecordError { line: 1, what });
                return Ok(ImportFlow::Continue);
            }
            Err(error) => {
                self.reject_file(path, 1, &format!("it cannot be read: {error}"), &error);
                return Ok(ImportFlow::Continue);
            }
        };
        let mut n_games = 0;
        loop {
            let RawChunk { raws, end } = next_chunk(&mut file);
            self.chunk(path, file.format, n_games, &raws)?;
            if let Some(Err(error)) = &end {
                let line = raws.last().map_or(1, |raw| raw.line);
                self.reject_file(path, line, &format!("it cannot be read on: {error}"), error);
            }
            n_games += raws.len();
            if self.observer.wants_stop() {
                return Ok(ImportFlow::Stop);
            }
            if end.is_some() {
                break;
            }
        }
        self.bytes_read += std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        self.observer.progress(&self.report, self.bytes_read);
        Ok(ImportFlow::Continue)
    }

    fn chunk(
        &mut self,
        path: &Path,
        format: Format,
        n_before: usize,
        raws: &[RawGame],
    ) -> Result<(), CollectionError> {
        let (rules, space) = (&self.rules, &self.space);
        let parsed: Vec<Parsed> = raws
            .par_iter()
            .map_init(
                || MoveReader::new(rules.rules()),
                |reader, raw| read_one(format, raw, rules, space, reader),
            )
            .collect();
        for (n, one) in parsed.into_iter().enumerate() {
            match one {
                Err(error) => self.reject(path, Some(n_before + n + 1), error),
                Ok(game) => {
                    if let Some(why) = &game.lack {
                        let (path, number) = (path.display(), n_before + n + 1);
                        self.report.n_diagrams += 1;
                        let first = || format!("{path}:{}: game {number}: {why}", raws[n].line);
                        self.report.first_diagram.get_or_insert_with(first);
                    }
                    self.batch.take(game, self.writer, &mut self.report)?;
                }
            }
        }
        self.observer.progress(&self.report, self.bytes_read);
        Ok(())
    }
}

/// Some texts of games; the end of the file, or why it cannot be read on, if they are the last.
struct RawChunk {
    raws: Vec<RawGame>,
    end: Option<io::Result<()>>,
}

fn next_chunk(file: &mut RecordFile) -> RawChunk {
    let (mut raws, mut n_bytes) = (Vec::new(), 0);
    while raws.len() < CHUNK_GAMES && n_bytes < CHUNK_BYTES {
        match file.games.next() {
            Some(Ok(raw)) => {
                n_bytes += raw.text.len();
                raws.push(raw);
            }
            Some(Err(error)) => return RawChunk { raws, end: Some(Err(error)) },
            None => return RawChunk { raws, end: Some(Ok(())) },
        }
    }
    RawChunk { raws, end: None }
}

fn read_one(
    format: Format,
    raw: &RawGame,
    rules: &CompiledRules,
    space: &StateSpace,
    reader: &mut MoveReader,
) -> Parsed {
    let record = parse(format, raw, rules, reader)?;
    let begun = record.begin(rules);
    let game = begun.map_err(|error| RecordError { line: raw.line, what: error.to_string() })?;
    let indexed = index_game(space, &game, &record.moves);
    let lack = record.lack(rules).map(|error| error.to_string());
    Ok(NewGame { record, indexed, lack, n_bytes: raw.text.len() })
}
