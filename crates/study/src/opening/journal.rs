//! A book on disk: a text of edits, one on a line, to which lines are only ever added.
//!
//! In: a path, edits, undo and redo. Out: the book after all of them. Never: a half-written edit: what a kill cut off is
//! no line yet and is left out, and the next edit is written in its place.
//!
//! ```text
//! ashta opening book 1
//! game chess
//! add e2e4 e7e5 g1f3
//! name e2e4 e7e5 | Open game
//! mark e2e4 e7e5 g1f3 | !
//! undo
//! import 120 games.pgn
//! 0 e2e4 120 50 40 30
//! end
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game, Move};
use ashta_records::notation::MoveReader;

use super::book::{Book, Edit, EditError, Import, Step, Tally};
use super::mark::Mark;

/// A book and its file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    book: Book,
    /// Edits that hold, oldest first.
    done: Vec<Edit>,
    /// Edits taken back, the next to be made again last.
    undone: Vec<Edit>,
    /// Bytes of the file that are whole.
    length: u64,
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line of it.
    #[error("{}, line {line}: {what}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The edit.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// Nothing to take back or make again.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
}

const FIRST_LINE: &str = "ashta opening book 1";

/// The game that a book's file names, with its changes.
pub fn game_of(path: &Path) -> Result<String, JournalError> {
    let bytes = fs::read(path).map_err(|error| JournalError::File { path: path.into(), error })?;
    let text = whole_text(path, &bytes)?;
    let mut lines = text.lines();
    let wrong = |line: usize, what: &str| JournalError::Line { path: path.into(), line, what: what.into() };
    if lines.next() != Some(FIRST_LINE) {
        return Err(wrong(1, "this is not an opening book"));
    }
    let game = lines.next().and_then(|line| line.strip_prefix("game "));
    game.map(str::to_string).ok_or_else(|| wrong(2, "the game is not named"))
}

impl Journal {
    /// Makes a new book; the file must not be there. `game` is how the game is named, as [`game_of`] will say it.
    pub fn create(
        path: &Path,
        rules: &CompiledRules,
        game: &str,
        start: Option<&str>,
    ) -> Result<Journal, JournalError> {
        let failed = |error| JournalError::File { path: path.into(), error };
        let book = Book::new(rules, start).map_err(|error| JournalError::Line {
            path: path.into(),
            line: 3,
            what: error.to_string(),
        })?;
        let mut text = format!("{FIRST_LINE}\ngame {game}\n");
        if let Some(start) = start {
            text.push_str(&format!("start {start}\n"));
        }
        // Under another name first: a file of this name is always whole. Linking refuses to replace one that is there.
        let temporary = path.with_extension(format!("part{}", std::process::id()));
        let written = File::create(&temporary)
            .and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
            .and_then(|()| fs::hard_link(&temporary, path));
        _ = fs::remove_file(&temporary);
        written.map_err(failed)?;
        let length = text.len() as u64;
        Ok(Journal { path: path.into(), book, done: Vec::new(), undone: Vec::new(), length })
    }

    /// Opens a book of these rules.
    pub fn open(path: &Path, rules: &CompiledRules) -> Result<Journal, JournalError> {
        let bytes = fs::read(path).map_err(|error| JournalError::File { path: path.into(), error })?;
        let mut reading = Reading::new(path, rules, whole_text(path, &bytes)?)?;
        while reading.next_entry()? {}
        let Reading { book, done, undone, whole, .. } = reading;
        let mut journal = Journal { path: path.into(), book, done, undone, length: whole as u64 };
        journal.rebuild()?;
        Ok(journal)
    }

    /// The book.
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// How many edits can be taken back and made again.
    pub fn n_edits(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Makes a change and keeps it.
    pub fn edit(&mut self, edit: Edit) -> Result<(), JournalError> {
        self.book.apply(&edit)?;
        let text = entry_text(&self.book, &edit);
        self.append(&text)?;
        self.done.push(edit);
        self.undone.clear();
        Ok(())
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> Result<(), JournalError> {
        let edit = self.done.pop().ok_or(JournalError::Nothing("undo"))?;
        self.undone.push(edit);
        self.append("undo\n")?;
        self.rebuild()
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self) -> Result<(), JournalError> {
        let edit = self.undone.pop().ok_or(JournalError::Nothing("redo"))?;
        self.done.push(edit);
        self.append("redo\n")?;
        self.rebuild()
    }

    fn rebuild(&mut self) -> Result<(), JournalError> {
        let start = self.book.start().map(str::to_string);
        let path = &self.path;
        self.book = Book::new(&self.book.rules().clone(), start.as_deref())
            .map_err(|error| JournalError::Line { path: path.clone(), line: 3, what: error.to_string() })?;
        for edit in &self.done {
            self.book.apply(edit)?;
        }
        Ok(())
    }

    /// Adds whole lines after the last whole one, and waits until they are on the disk.
    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        let write = || -> io::Result<()> {
            let mut file = OpenOptions::new().write(true).open(&self.path)?;
            file.set_len(self.length)?;
            file.seek(SeekFrom::End(0))?;
            file.write_all(text.as_bytes())?;
            file.sync_all()
        };
        write().map_err(|error| JournalError::File { path: self.path.clone(), error })?;
        self.length += text.len() as u64;
        Ok(())
    }
}

/// The text up to what a kill may have left of a last line.
fn whole_text<'t>(path: &Path, bytes: &'t [u8]) -> Result<&'t str, JournalError> {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    std::str::from_utf8(&bytes[..end]).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
        JournalError::Line { path: path.into(), line, what: "this is not a text in UTF-8".into() }
    })
}

fn line_text(book: &Book, line: &[Move]) -> String {
    let mut game = book.root();
    let mut words = Vec::new();
    for mv in line {
        words.push(write_coordinates(&game, *mv));
        game.play_unchecked(*mv);
    }
    words.join(" ")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn entry_text(book: &Book, edit: &Edit) -> String {
    let line = |line: &[Move]| line_text(book, line);
    match edit {
        Edit::Add(moves) => format!("add {}\n", line(moves)),
        Edit::Remove(moves) => format!("remove {}\n", line(moves)),
        Edit::Correct(moves, mv) => {
            let other: Vec<Move> = moves[..moves.len() - 1].iter().copied().chain([*mv]).collect();
            let words = line(&other);
            format!("correct {} | {}\n", line(moves), words.rsplit(' ').next().unwrap_or_default())
        }
        Edit::Name(moves, text) => format!("name {} | {}\n", line(moves), one_line(text)),
        Edit::Comment(moves, text) => format!("comment {} | {}\n", line(moves), one_line(text)),
        Edit::Mark(moves, mark) => format!("mark {} | {}\n", line(moves), mark.map_or("", Mark::symbol)),
        Edit::Import(import) => import_text(book, import),
    }
}

fn import_text(book: &Book, import: &Import) -> String {
    let mut text = format!("import {} {}\n", import.steps.len(), one_line(&import.source));
    let (mut game, mut depth) = (book.root(), 0);
    for step in &import.steps {
        while depth > step.depth {
            game.take_back();
            depth -= 1;
        }
        let Tally { n, first, draws, second } = step.tally;
        let mv = write_coordinates(&game, step.mv);
        text.push_str(&format!("{} {mv} {n} {first} {draws} {second}", step.depth));
        if let Some(comment) = &step.comment {
            text.push_str(&format!(" | {}", one_line(comment)));
        }
        text.push('\n');
        game.play_unchecked(step.mv);
        depth += 1;
    }
    text + "end\n"
}

/// A file being read.
struct Reading<'t> {
    path: &'t Path,
    lines: Vec<(usize, &'t str)>,
    at: usize,
    reader: MoveReader,
    book: Book,
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// Bytes up to the end of the last whole entry.
    whole: usize,
}

impl<'t> Reading<'t> {
    fn new(path: &'t Path, rules: &CompiledRules, text: &'t str) -> Result<Reading<'t>, JournalError> {
        // A last line without its end was cut off.
        let mut lines = Vec::new();
        let mut end = 0;
        for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
            end += line.len();
            lines.push((end, line.trim_end()));
        }
        let start = lines.get(2).and_then(|(_, line)| line.strip_prefix("start "));
        let at = if start.is_some() { 3 } else { 2 };
        let wrong = |line: usize, what: String| JournalError::Line { path: path.into(), line, what };
        if lines.first().map(|(_, line)| *line) != Some(FIRST_LINE) || lines.len() < at {
            return Err(wrong(1, "this is not an opening book".into()));
        }
        let book = Book::new(rules, start).map_err(|error| wrong(3, error.to_string()))?;
        let (reader, whole) = (MoveReader::new(rules.rules()), lines[at - 1].0);
        Ok(Reading { path, lines, at, reader, book, done: Vec::new(), undone: Vec::new(), whole })
    }

    fn wrong(&self, what: impl Into<String>) -> JournalError {
        JournalError::Line { path: self.path.into(), line: self.at + 1, what: what.into() }
    }

    /// Reads an entry; false at the end.
    fn next_entry(&mut self) -> Result<bool, JournalError> {
        let Some((_, line)) = self.lines.get(self.at).copied() else { return Ok(false) };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "undo" => match self.done.pop() {
                Some(edit) => self.undone.push(edit),
                None => return Err(self.wrong("there is nothing to undo")),
            },
            "redo" => match self.undone.pop() {
                Some(edit) => self.done.push(edit),
                None => return Err(self.wrong("there is nothing to redo")),
            },
            "import" => match self.import(rest)? {
                Some(import) => self.keep(Edit::Import(import)),
                // Cut off before its end.
                None => return Ok(false),
            },
            _ => {
                let edit = self.edit(word, rest)?;
                self.keep(edit);
            }
        }
        self.whole = self.lines[self.at].0;
        self.at += 1;
        Ok(true)
    }

    fn keep(&mut self, edit: Edit) {
        self.done.push(edit);
        self.undone.clear();
    }

    fn edit(&mut self, word: &str, rest: &str) -> Result<Edit, JournalError> {
        let (line, text) = match rest.split_once('|') {
            Some((line, text)) => (line.trim(), text.trim()),
            None => (rest, ""),
        };
        let (moves, before_last) = self.moves(line)?;
        Ok(match word {
            "add" => Edit::Add(moves),
            "remove" => Edit::Remove(moves),
            "name" => Edit::Name(moves, text.to_string()),
            "comment" => Edit::Comment(moves, text.to_string()),
            "mark" if text.is_empty() => Edit::Mark(moves, None),
            "mark" => match Mark::read(text) {
                Some(mark) => Edit::Mark(moves, Some(mark)),
                None => return Err(self.wrong(format!("`{text}` is no mark"))),
            },
            "correct" => {
                let mv =
                    self.reader.coordinates(&before_last, text).map_err(|e| self.wrong(e.to_string()))?;
                Edit::Correct(moves, mv)
            }
            _ => return Err(self.wrong(format!("`{word}` is no edit of a book"))),
        })
    }

    /// The moves of a line, and the game before the last of them.
    fn moves(&mut self, line: &str) -> Result<(Vec<Move>, Game), JournalError> {
        let mut game = self.book.root();
        let mut before_last = game.clone();
        let mut moves = Vec::new();
        for word in line.split_whitespace() {
            let mv = self.reader.coordinates(&game, word).map_err(|error| self.wrong(error.to_string()))?;
            before_last = game.clone();
            game.play_unchecked(mv);
            moves.push(mv);
        }
        Ok((moves, before_last))
    }

    /// The lines up to `end`; none if they do not get so far.
    fn import(&mut self, rest: &str) -> Result<Option<Import>, JournalError> {
        let source = rest.split_once(' ').map_or("", |(_, source)| source).to_string();
        let mut import = Import { source, steps: Vec::new() };
        let (mut game, mut depth_now) = (self.book.root(), 0);
        let begin = self.at;
        loop {
            self.at += 1;
            let Some((_, line)) = self.lines.get(self.at).copied() else {
                self.at = begin;
                return Ok(None);
            };
            if line == "end" {
                return Ok(Some(import));
            }
            let step = self.step(line, &mut game, &mut depth_now)?;
            import.steps.push(step);
        }
    }

    fn step(&mut self, line: &str, game: &mut Game, depth_now: &mut usize) -> Result<Step, JournalError> {
        let (numbers, comment) = match line.split_once(" | ") {
            Some((numbers, comment)) => (numbers, Some(comment.to_string())),
            None => (line, None),
        };
        let words: Vec<&str> = numbers.split(' ').collect();
        let [depth, mv, counts @ ..] = words.as_slice() else { return Err(self.wrong("a move is missing")) };
        let number = |text: &str| text.parse::<u64>().ok();
        let counts: Option<Vec<u64>> = counts.iter().map(|text| number(text)).collect();
        let (Some(depth), Some([n, first, draws, second])) = (number(depth), counts.as_deref()) else {
            return Err(self.wrong("a depth, a move and four counts are expected"));
        };
        let depth = depth as usize;
        if depth > *depth_now {
            return Err(self.wrong("the move is too deep for what is before it"));
        }
        while *depth_now > depth {
            game.take_back();
            *depth_now -= 1;
        }
        let mv = self.reader.coordinates(game, mv).map_err(|error| self.wrong(error.to_string()))?;
        game.play_unchecked(mv);
        *depth_now += 1;
        let tally = Tally { n: *n, first: *first, draws: *draws, second: *second };
        Ok(Step { depth, mv, tally, comment })
    }
}
