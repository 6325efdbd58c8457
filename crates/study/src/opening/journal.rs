//! A book on disk: an append-only text of edits, one per line.
//!
//! In: a path, edits, undo and redo. Out: the book after them. Never: a lost edit of another process: a writer locks
//! the file and reads what has changed before it writes. Never a partial edit: a line cut off by a kill is ignored, and
//! overwritten by the next edit.
//!
//! ```text
//! ashta opening book 2
//! 9f86d081884c7d65 game chess
//! 1b2a3c4d5e6f7081 add e2e4 e7e5 g1f3
//! 0d1c2b3a49586776 name e2e4 e7e5 | Open game
//! 2f7c1d9e8b6a5043 mark e2e4 e7e5 g1f3 | !
//! 5a4b3c2d1e0f9687 undo
//! c3b2a1908f7e6d5c import 120 games.pgn
//! 7e6d5c4b3a291807 0 e2e4 120 50 40 30
//! 81726354a5b6c7d8 end
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ashta_messages::{Message, Tell, message};
use ashta_position::CompiledRules;
use ashta_records::write_atomic;

use super::book::{Book, Edit, EditError};
use super::checksummed_lines::{Version, first_line, lines, with_checksums};
use super::edit_history::{History, HistoryEntry, entry_text, head_text};
use super::journal_reader::{JournalError, JournalHeader, JournalReader, OnDamage};

#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// As in the file.
    game: String,
    book: Book,
    history: History,
    version: Version,
    /// The intact length of the file, and its lines.
    length: u64,
    n_lines: usize,
    stamp: Option<Stamp>,
}

/// Detects changes by other processes: length, modification time, and on Unix the inode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    identity: u64,
}

impl Stamp {
    fn of(about: &fs::Metadata) -> Stamp {
        Stamp { length: about.len(), modified: about.modified().ok(), identity: identity(about) }
    }
}

#[cfg(unix)]
fn identity(about: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(about)
}

#[cfg(not(unix))]
fn identity(_: &fs::Metadata) -> u64 {
    0
}

/// Maximum bytes of the header.
const HEAD_BYTES: u64 = 1 << 16;

/// The game named in a book file.
pub fn game_of(path: &Path) -> Result<String, JournalError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut bytes));
    read.map_err(|error| JournalError::File { path: path.into(), error })?;
    let head = JournalHeader::read(path, &bytes)?;
    head.game(path).map(str::to_string)
}

impl Journal {
    /// Creates a book; the file must not exist. `game` is the name that [`game_of`] returns.
    pub fn create(
        path: &Path,
        rules: &CompiledRules,
        game: &str,
        start: Option<&str>,
    ) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::File { path: path.into(), error };
        let book = Book::new(rules, start);
        book.map_err(|error| JournalError::Line { path: path.into(), line: 3, what: error.message() })?;
        let text = first_line() + &with_checksums(&head_text(game, start));
        let options = OpenOptions::new().write(true).create(true).truncate(false).clone();
        let file = options.open(path).and_then(|file| file.lock().map(|()| file)).map_err(failed)?;
        // A kill before the first write leaves an empty file.
        if file.metadata().map_err(failed)?.len() > 0 {
            return Err(failed(io::ErrorKind::AlreadyExists.into()));
        }
        write_atomic(path, text).map_err(failed)?;
        Journal::open(path, rules)
    }

    pub fn open(path: &Path, rules: &CompiledRules) -> Result<Journal, JournalError> {
        let opened = File::open(path).and_then(|file| file.lock_shared().map(|()| file));
        let mut file = opened.map_err(|error| JournalError::File { path: path.into(), error })?;
        Journal::read(path, &mut file, rules)
    }

    /// Reads a locked file.
    fn read(path: &Path, file: &mut File, rules: &CompiledRules) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::File { path: path.into(), error };
        let mut bytes = Vec::new();
        file.rewind().and_then(|()| file.read_to_end(&mut bytes)).map_err(failed)?;
        let stamp = Stamp::of(&file.metadata().map_err(failed)?);
        let head = JournalHeader::read(path, &bytes)?;
        let game = head.game(path)?.to_string();
        let empty = head.empty_book(path, rules)?;
        let mut reading = JournalReader::new(path, head, &empty, OnDamage::Refuse);
        let history = reading.history()?;
        let (version, length) = (reading.version, reading.whole);
        let n_lines = lines(version, &bytes[..length]).len();
        let wrong = |(line, error): (usize, EditError)| JournalError::Line {
            path: path.into(),
            line,
            what: error.message(),
        };
        let book = history.book(empty).map_err(wrong)?;
        Ok(Journal {
            path: path.into(),
            game,
            book,
            history,
            version,
            length: length as u64,
            n_lines,
            stamp: Some(stamp),
        })
    }

    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Edits that can be undone and redone.
    pub fn n_edits(&self) -> (usize, usize) {
        (self.history.done.len(), self.history.undone.len())
    }

    /// Reloads the file if another process has changed it. Returns whether it has.
    pub fn refresh(&mut self) -> Result<bool, JournalError> {
        let about = fs::metadata(&self.path).map_err(|error| self.failed(error))?;
        if self.stamp == Some(Stamp::of(&about)) {
            return Ok(false);
        }
        let rules = self.book.rules().clone();
        self.take_over(Journal::open(&self.path, &rules)?)?;
        Ok(true)
    }

    pub fn edit(&mut self, edit: Edit) -> Result<(), JournalError> {
        self.change(|journal, file| {
            journal.book.apply(&edit)?;
            let text = entry_text(&journal.book.root(), &edit);
            let line = journal.n_lines + 1;
            journal.append(file, &text)?;
            journal.history.push(HistoryEntry { line, edit });
            Ok(())
        })
    }

    pub fn undo(&mut self) -> Result<(), JournalError> {
        self.change(|journal, file| {
            if journal.history.undo() {
                journal.append(file, "undo\n").and_then(|()| journal.rebuild())
            } else {
                Err(JournalError::NothingToUndo)
            }
        })
    }

    pub fn redo(&mut self) -> Result<(), JournalError> {
        self.change(|journal, file| {
            if journal.history.redo() {
                journal.append(file, "redo\n").and_then(|()| journal.rebuild())
            } else {
                Err(JournalError::NothingToRedo)
            }
        })
    }

    /// Runs `work` with the lock held and the file reloaded.
    fn change(
        &mut self,
        work: impl FnOnce(&mut Journal, &mut File) -> Result<(), JournalError>,
    ) -> Result<(), JournalError> {
        let mut file = lock(&self.path).map_err(|error| self.failed(error))?;
        let about = file.metadata().map_err(|error| self.failed(error))?;
        let rules = self.book.rules().clone();
        if self.stamp != Some(Stamp::of(&about)) {
            self.take_over(Journal::read(&self.path, &mut file, &rules)?)?;
        }
        let done = work(self, &mut file);
        if done.is_err() {
            // It may be partly applied in memory: reload from the file.
            self.stamp = None;
            if let Ok(read) = Journal::read(&self.path, &mut file, &rules) {
                *self = read;
            }
        }
        done
    }

    fn failed(&self, error: io::Error) -> JournalError {
        JournalError::File { path: self.path.clone(), error }
    }

    /// Replaces the contents by a reload; the game must be the same.
    fn take_over(&mut self, read: Journal) -> Result<(), JournalError> {
        if read.game != self.game {
            let what = message!("study.book-game-changed", found = read.game, wanted = self.game);
            return Err(JournalError::Line { path: self.path.clone(), line: 2, what });
        }
        *self = read;
        Ok(())
    }

    fn rebuild(&mut self) -> Result<(), JournalError> {
        let start = self.book.start().map(str::to_string);
        let wrong = |line: usize, what: Message| JournalError::Line { path: self.path.clone(), line, what };
        let empty =
            Book::new(&self.book.rules().clone(), start.as_deref()).map_err(|e| wrong(3, e.message()))?;
        self.book = self.history.book(empty).map_err(|(line, error)| wrong(line, error.message()))?;
        Ok(())
    }

    /// Appends lines after the last intact one and syncs the file.
    fn append(&mut self, file: &mut File, text: &str) -> Result<(), JournalError> {
        let with_checksums = with_checksums(text);
        let (length, about) = match self.version {
            Version::Checksummed => self.append_in_place(file, &with_checksums),
            Version::Plain => self.rewrite(file, &with_checksums),
        }
        .map_err(|error| self.failed(error))?;
        self.length = length;
        self.version = Version::Checksummed;
        self.n_lines += text.lines().count();
        self.stamp = Some(Stamp::of(&about));
        Ok(())
    }

    fn append_in_place(&self, file: &mut File, with_checksums: &str) -> io::Result<(u64, fs::Metadata)> {
        let written = file
            .set_len(self.length)
            .and_then(|()| file.seek(SeekFrom::Start(self.length)))
            .and_then(|_| file.write_all(with_checksums.as_bytes()))
            .and_then(|()| file.sync_all());
        if let Err(error) = written {
            // If this fails too, an incomplete or damaged line remains, which the reader detects.
            _ = file.set_len(self.length);
            return Err(error);
        }
        Ok((self.length + with_checksums.len() as u64, file.metadata()?))
    }

    /// Rewrites a file of the old format in the new one, with more lines.
    fn rewrite(&self, file: &mut File, more: &str) -> io::Result<(u64, fs::Metadata)> {
        let mut bytes = vec![0; self.length as usize];
        file.rewind()?;
        file.read_exact(&mut bytes)?;
        let old = lines(Version::Plain, &bytes);
        let texts = old.iter().skip(1).filter_map(|line| line.text).filter(|text| !text.is_empty());
        let old: String = texts.map(with_checksums).collect();
        let text = first_line() + &old + more;
        write_atomic(&self.path, &text)?;
        Ok((text.len() as u64, fs::metadata(&self.path)?))
    }
}

/// Opens a book with an exclusive lock; waits for other writers.
pub(super) fn lock(path: &Path) -> io::Result<File> {
    loop {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        file.lock()?;
        // Another writer may have replaced the file meanwhile.
        if identity(&file.metadata()?) == identity(&fs::metadata(path)?) {
            return Ok(file);
        }
    }
}

/// Syncs the folder; not every system can open folders as files.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if cfg!(unix) => Err(error),
        _ => Ok(()),
    }
}
