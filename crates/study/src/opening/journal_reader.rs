//! Parses a book file: its header and its edit history.
//!
//! In: bytes. Out: the game, where it starts, the history as far as the file is intact. Never: a damaged line skipped
//! silently; an illegal move.

use std::io;
use std::path::{Path, PathBuf};

use ashta_messages::{Message, Tell, message};
use ashta_position::{CompiledRules, Game, Move};
use ashta_records::notation::MoveReader;

use super::book::{Book, Edit, EditError, Import, MoveStats, Step};
use super::checksummed_lines::{FirstLineError, Line, Version, lines, version_of};
use super::edit_history::{History, HistoryEntry};
use super::mark::Mark;

#[derive(Debug, Tell)]
pub enum JournalError {
    #[code("study.file")]
    File { path: PathBuf, error: io::Error },
    #[code("study.not-a-book")]
    NotABook { path: PathBuf },
    /// A later format.
    #[code("study.book-format")]
    Format { path: PathBuf, found: u32 },
    #[code("study.book-line")]
    Line {
        path: PathBuf,
        /// From 1.
        line: usize,
        what: Message,
    },
    #[code(transparent)]
    Edit(#[from] EditError),
    #[code("study.nothing-to-undo")]
    NothingToUndo,
    #[code("study.nothing-to-redo")]
    NothingToRedo,
}

#[derive(Debug)]
pub enum OnDamage {
    /// Reject the file.
    Refuse,
    /// Collect the line and the reason, and continue.
    Note(Vec<(usize, Message)>),
}

pub enum JournalEntry {
    Edit(Edit),
    Undo,
    Redo,
    /// An empty line.
    Nothing,
}

pub struct JournalReader<'t> {
    path: &'t Path,
    pub version: Version,
    lines: Vec<Line<'t>>,
    /// Lines read so far.
    at: usize,
    reader: MoveReader,
    root: Game,
    pub on_damage: OnDamage,
    /// Bytes up to the end of the last intact entry.
    pub whole: usize,
}

impl<'t> JournalReader<'t> {
    /// Begins after the header; `book` is empty, and starts where the header says.
    pub fn new(
        path: &'t Path,
        head: JournalHeader<'t>,
        book: &Book,
        on_damage: OnDamage,
    ) -> JournalReader<'t> {
        let JournalHeader { version, lines, n_lines, .. } = head;
        let whole = lines.get(n_lines.saturating_sub(1)).map_or(0, |line| line.end);
        let (reader, root) = (MoveReader::new(book.rules().rules()), book.root());
        JournalReader { path, version, lines, at: n_lines, reader, root, on_damage, whole }
    }

    pub fn history(&mut self) -> Result<History, JournalError> {
        let mut history = History::default();
        loop {
            let line = self.at + 1;
            let could = match self.entry()? {
                None => return Ok(history),
                Some(JournalEntry::Edit(edit)) => {
                    history.push(HistoryEntry { line, edit });
                    Ok(())
                }
                Some(JournalEntry::Undo) => {
                    history.undo().then_some(()).ok_or_else(|| message!("study.nothing-to-undo"))
                }
                Some(JournalEntry::Redo) => {
                    history.redo().then_some(()).ok_or_else(|| message!("study.nothing-to-redo"))
                }
                Some(JournalEntry::Nothing) => Ok(()),
            };
            could.or_else(|what| self.damaged(line, what))?;
        }
    }

    fn damaged(&mut self, line: usize, what: Message) -> Result<(), JournalError> {
        match &mut self.on_damage {
            OnDamage::Refuse => Err(JournalError::Line { path: self.path.into(), line, what }),
            OnDamage::Note(lost) => {
                lost.push((line, what));
                Ok(())
            }
        }
    }

    /// Notes that an import lacks its first line, unless that line has just been noted as damaged.
    fn note_headless_import(&mut self) {
        let line = self.at + 1;
        if let OnDamage::Note(lost) = &mut self.on_damage
            && lost.last().is_none_or(|(before, _)| before + 1 != line)
        {
            lost.push((line, message!("study.book-import-begin")));
        }
    }

    fn is_tolerant(&self) -> bool {
        matches!(self.on_damage, OnDamage::Note(_))
    }

    /// The next line, or why it is damaged.
    fn line(&self) -> Option<Result<&'t str, Message>> {
        let line = self.lines.get(self.at)?;
        Some(line.text.ok_or_else(|| match self.version {
            Version::Plain => message!("study.book-not-utf8"),
            Version::Checksummed => message!("study.book-checksum"),
        }))
    }

    /// Reads an entry; `None` at the end, or before an import that was cut off. Where damage is collected, a damaged
    /// entry becomes an empty import, so that a later `undo` still undoes the same edit.
    fn entry(&mut self) -> Result<Option<JournalEntry>, JournalError> {
        let Some(line) = self.line() else { return Ok(None) };
        let begin = self.at;
        let read = match line {
            Ok(line) => self.entry_of(line)?,
            Err(what) => Some(Err(what)),
        };
        let Some(read) = read else { return Ok(None) };
        let entry = match read {
            Ok(entry) => entry,
            Err(what) => {
                self.damaged(begin + 1, what)?;
                JournalEntry::Edit(Edit::Import(Import {
                    source: format!("line {} was lost", begin + 1),
                    steps: Vec::new(),
                }))
            }
        };
        self.at += 1;
        self.whole = self.lines.get(self.at - 1).map_or(self.whole, |line| line.end);
        Ok(Some(entry))
    }

    fn entry_of(&mut self, line: &str) -> Result<Option<Result<JournalEntry, Message>>, JournalError> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        Ok(Some(match word {
            "" => Ok(JournalEntry::Nothing),
            "undo" => Ok(JournalEntry::Undo),
            "redo" => Ok(JournalEntry::Redo),
            "import" => {
                self.at += 1;
                let source = rest.split_once(' ').map_or("", |(_, source)| source);
                return Ok(self.import(source)?.map(|import| Ok(JournalEntry::Edit(Edit::Import(import)))));
            }
            // The line that began the import was lost.
            _ if self.is_tolerant() && word.parse::<usize>().is_ok() => {
                self.note_headless_import();
                return Ok(self.import("")?.map(|import| Ok(JournalEntry::Edit(Edit::Import(import)))));
            }
            _ => self.edit(word, rest).map(JournalEntry::Edit),
        }))
    }

    fn edit(&mut self, word: &str, rest: &str) -> Result<Edit, Message> {
        let (line, text) = match rest.split_once('|') {
            Some((line, text)) => (line.trim(), text.trim()),
            None => (rest, ""),
        };
        let (moves, mut game) = self.moves(line)?;
        Ok(match word {
            "add" => Edit::Add(moves),
            "remove" => Edit::Remove(moves),
            "name" => Edit::Name(moves, text.to_string()),
            "comment" => Edit::Comment(moves, text.to_string()),
            "mark" if text.is_empty() => Edit::Mark(moves, None),
            "mark" => {
                Edit::Mark(moves, Some(Mark::read(text).ok_or_else(|| message!("study.not-a-mark", text))?))
            }
            "correct" => {
                game.take_back();
                let mv = self.reader.coordinates(&game, text).map_err(|error| error.message())?;
                Edit::Correct(moves, mv)
            }
            _ => return Err(message!("study.not-an-edit", word)),
        })
    }

    fn moves(&mut self, line: &str) -> Result<(Vec<Move>, Game), Message> {
        let mut game = self.root.clone();
        let mut moves = Vec::new();
        for word in line.split_whitespace() {
            let mv = self.reader.coordinates(&game, word).map_err(|error| error.message())?;
            game.play_unchecked(mv);
            moves.push(mv);
        }
        Ok((moves, game))
    }

    /// The lines up to `end`; `None` if the file ends before it, interrupted by a kill.
    fn import(&mut self, source: &str) -> Result<Option<Import>, JournalError> {
        let mut import = Import { source: source.to_string(), steps: Vec::new() };
        let mut place = ImportCursor { game: self.root.clone(), depth: 0, is_lost: false };
        let mut is_damaged = false;
        loop {
            let Some(line) = self.line() else {
                // The `end` can only be missing through damage.
                return Ok(is_damaged.then_some(import));
            };
            let step = match line {
                Ok("end") => return Ok(Some(import)),
                // The `end` was lost, and this is the next entry.
                Ok(line) if is_damaged && !line.starts_with(|c: char| c.is_ascii_digit()) => {
                    self.at -= 1;
                    return Ok(Some(import));
                }
                Ok(line) => self.step(line, &mut place),
                Err(what) => Err(what),
            };
            match step {
                Ok(step) => import.steps.extend(step),
                Err(what) => {
                    self.damaged(self.at + 1, what)?;
                    (is_damaged, place.is_lost) = (true, true);
                }
            }
            self.at += 1;
        }
    }

    /// A step of an import; `None` if its parent was lost.
    fn step(&mut self, line: &str, place: &mut ImportCursor) -> Result<Option<Step>, Message> {
        let (numbers, comment) = match line.split_once(" | ") {
            Some((numbers, comment)) => (numbers, Some(comment.to_string())),
            None => (line, None),
        };
        let words: Vec<&str> = numbers.split(' ').collect();
        let [depth, mv, counts @ ..] = words.as_slice() else { return Err(message!("study.book-no-move")) };
        let number = |text: &str| text.parse::<u64>().ok();
        let counts: Option<Vec<u64>> = counts.iter().map(|text| number(text)).collect();
        let (Some(depth), Some([n, first, draws, second])) = (number(depth), counts.as_deref()) else {
            return Err(message!("study.book-step"));
        };
        let depth = depth as usize;
        if place.is_lost && depth > 0 {
            return Ok(None);
        }
        if depth > place.depth {
            return Err(message!("study.book-depth"));
        }
        place.back_to(depth);
        let mv = self.reader.coordinates(&place.game, mv).map_err(|error| error.message())?;
        place.game.play_unchecked(mv);
        place.depth += 1;
        let stats = MoveStats { n: *n, first: *first, draws: *draws, second: *second };
        Ok(Some(Step { depth, mv, stats, comment }))
    }
}

struct ImportCursor {
    game: Game,
    depth: usize,
    /// A line was lost, so the parent of the next one is unknown, unless it begins at the root.
    is_lost: bool,
}

impl ImportCursor {
    fn back_to(&mut self, depth: usize) {
        while self.depth > depth {
            self.game.take_back();
            self.depth -= 1;
        }
        self.is_lost = false;
    }
}

pub struct JournalHeader<'t> {
    pub version: Version,
    pub lines: Vec<Line<'t>>,
    pub game: Option<&'t str>,
    /// Where the book starts, if not at the start of the game.
    pub start: Option<&'t str>,
    pub n_lines: usize,
}

impl<'t> JournalHeader<'t> {
    pub fn read(path: &Path, bytes: &'t [u8]) -> Result<JournalHeader<'t>, JournalError> {
        let first = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let version = version_of(first).map_err(|error| match error {
            FirstLineError::NotABook => JournalError::NotABook { path: path.into() },
            FirstLineError::Format(found) => JournalError::Format { path: path.into(), found },
        })?;
        Ok(JournalHeader::of_version(version, bytes))
    }

    /// The same, ignoring the first line.
    pub fn of_version(version: Version, bytes: &'t [u8]) -> JournalHeader<'t> {
        let lines = lines(version, bytes);
        let text = |n: usize| lines.get(n).and_then(|line| line.text);
        let game = text(1).and_then(|line| line.strip_prefix("game "));
        let start = text(2).and_then(|line| line.strip_prefix("start "));
        let n_lines = if start.is_some() { 3 } else { 2 };
        JournalHeader { version, game, start, n_lines, lines }
    }

    /// The game; an error if its line is damaged or missing.
    pub fn game(&self, path: &Path) -> Result<&'t str, JournalError> {
        let what = || match self.lines.get(1).map(|line| line.text) {
            Some(None) => message!("study.book-checksum"),
            Some(Some(_)) | None => message!("study.book-no-game"),
        };
        self.game.ok_or_else(|| JournalError::Line { path: path.into(), line: 2, what: what() })
    }

    /// An empty book that starts where the header says.
    pub fn empty_book(&self, path: &Path, rules: &CompiledRules) -> Result<Book, JournalError> {
        let wrong = |what: Message| JournalError::Line { path: path.into(), line: 3, what };
        Book::new(rules, self.start).map_err(|error| wrong(error.message()))
    }
}
