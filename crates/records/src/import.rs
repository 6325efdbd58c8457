//! Imports record files into a collection: streaming, parallel, in batches.
//!
//! In: paths of files and folders. Out: games in the collection; a report, and every rejected record with its file,
//! game, line and reason. Never: a bad record that stops the rest, nor memory that grows with the input.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use ashta_messages::{Message, Tell, message};
use ashta_position::CompiledRules;
use rayon::prelude::*;

use crate::collection::{CollectionError, CollectionWriter};
use crate::import_batch::{Batch, NewGame};
pub use crate::import_plan::{DuplicatePolicy, ImportPlan, ImportReport};
use crate::index::states::{StateSpace, index_game};
pub use crate::limits::Limits;
use crate::limits::read_error;
use crate::notation::{Format, MoveReader, RawGame, RecordError, parse_played};
pub use crate::record_file::RecordFile;

/// Games and bytes per parsing step: a parsed game takes several times the memory of its text.
const CHUNK_GAMES: usize = 4096;
const CHUNK_BYTES: usize = 1 << 24;

/// A record or a file that was not imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rejection {
    pub path: PathBuf,
    /// From 1; `None` if the file itself cannot be read.
    pub game: Option<usize>,
    /// From 1.
    pub line: usize,
    pub what: Message,
}

/// Callbacks of an import.
pub trait ImportObserver {
    fn rejected(&mut self, refusal: &Rejection);
    /// `bytes_read` counts compressed bytes.
    fn progress(&mut self, report: &ImportReport, bytes_read: u64);
    /// Whether to stop: parsed games are committed, and nothing more is read.
    fn wants_stop(&mut self) -> bool;
}

/// The files below paths, sorted by name; an explicitly named file is taken whatever its extension. A folder that
/// cannot be read is included, so that the import reports it and continues.
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

    fn reject_file(&mut self, path: &Path, line: usize, what: Message, error: &io::Error) {
        self.report.n_too_large += usize::from(error.kind() == io::ErrorKind::FileTooLarge);
        self.reject(path, None, RecordError { line, what });
    }

    fn file(&mut self, path: &Path) -> Result<ImportFlow, CollectionError> {
        self.report.n_files += 1;
        let opened = RecordFile::open(path, self.plan.format, self.plan.limits);
        let mut file = match opened {
            Ok(Some(file)) => file,
            Ok(None) => {
                let names: Vec<&str> = Format::names().collect();
                let what = message!("records.unknown-format", names);
                self.reject(path, None, RecordError { line: 1, what });
                return Ok(ImportFlow::Continue);
            }
            Err(error) => {
                self.reject_file(path, 1, message!("records.unreadable", error = read_error(&error)), &error);
                return Ok(ImportFlow::Continue);
            }
        };
        let mut n_games = 0;
        loop {
            let RawChunk { raws, end } = next_chunk(&mut file);
            self.chunk(path, file.format, n_games, &raws)?;
            if let Some(Err(error)) = &end {
                let line = raws.last().map_or(1, |raw| raw.line);
                self.reject_file(
                    path,
                    line,
                    message!("records.unreadable-rest", error = read_error(error)),
                    error,
                );
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
                        let (line, number) = (raws[n].line, n_before + n + 1);
                        self.report.n_diagrams += 1;
                        let first = || message!("records.diagram", path, line, number, why);
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

/// Texts of games; with the end of the file or a read error if they are the last.
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
    let (record, game) = parse_played(format, raw, rules, reader)?;
    // A collection begins the game from this text whenever it shows it.
    if record.start.is_some() {
        record.begin(rules).map_err(|error| RecordError { line: raw.line, what: error.message() })?;
    }
    let indexed = index_game(space, game);
    let lack = record.lack(rules).map(|error| error.message());
    Ok(NewGame { record, indexed, lack, n_bytes: raw.text.len() })
}
