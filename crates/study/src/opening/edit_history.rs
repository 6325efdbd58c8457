//! The edits of a book with undo and redo, and their text form.
//!
//! In: edits, undo and redo. Out: the book after them; text. Never: files; checksums.

use ashta_position::notation::write_coordinates;
use ashta_position::{Game, Move};

use super::book::{Book, Edit, EditError, Import, MoveStats};
use super::mark::Mark;

/// An edit and its first line in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HistoryEntry {
    pub line: usize,
    pub edit: Edit,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    /// Oldest first.
    pub done: Vec<HistoryEntry>,
    /// The next redo last.
    pub undone: Vec<HistoryEntry>,
}

impl History {
    /// Adds an edit and clears the redo stack.
    pub fn push(&mut self, kept: HistoryEntry) {
        self.done.push(kept);
        self.undone.clear();
    }

    /// Returns whether there was an edit.
    pub fn undo(&mut self) -> bool {
        let edit = self.done.pop();
        let is_some = edit.is_some();
        self.undone.extend(edit);
        is_some
    }

    /// Returns whether there was an undone edit.
    pub fn redo(&mut self) -> bool {
        let edit = self.undone.pop();
        let is_some = edit.is_some();
        self.done.extend(edit);
        is_some
    }

    /// The book after all edits, or the first edit that fails.
    pub fn book(&self, empty: Book) -> Result<Book, (usize, EditError)> {
        let mut book = empty;
        for kept in &self.done {
            book.apply(&kept.edit).map_err(|error| (kept.line, error))?;
        }
        Ok(book)
    }
}

/// An edit as lines, without checksums.
pub fn entry_text(root: &Game, edit: &Edit) -> String {
    let line = |line: &[Move]| line_text(root, line);
    match edit {
        Edit::Add(moves) => format!("add {}\n", line(moves)),
        Edit::Remove(moves) => format!("remove {}\n", line(moves)),
        Edit::Correct(moves, mv) => {
            let other: Vec<Move> =
                moves[..moves.len().saturating_sub(1)].iter().copied().chain([*mv]).collect();
            let words = line(&other);
            format!("correct {} | {}\n", line(moves), words.rsplit(' ').next().unwrap_or_default())
        }
        Edit::Name(moves, text) => format!("name {} | {}\n", line(moves), one_line(text)),
        Edit::Comment(moves, text) => format!("comment {} | {}\n", line(moves), one_line(text)),
        Edit::Mark(moves, mark) => format!("mark {} | {}\n", line(moves), mark.map_or("", Mark::symbol)),
        Edit::Import(import) => import_text(root, import),
    }
}

/// Replaces line breaks.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn line_text(root: &Game, line: &[Move]) -> String {
    let mut game = root.clone();
    let mut words = Vec::new();
    for mv in line {
        words.push(write_coordinates(&game, *mv));
        game.play_unchecked(*mv);
    }
    words.join(" ")
}

fn import_text(root: &Game, import: &Import) -> String {
    let mut text = format!("import {} {}\n", import.steps.len(), one_line(&import.source));
    let (mut game, mut depth) = (root.clone(), 0);
    for step in &import.steps {
        while depth > step.depth {
            game.take_back();
            depth -= 1;
        }
        let MoveStats { n, first, draws, second } = step.stats;
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

/// The header lines: the game, and where the book starts.
pub fn head_text(game: &str, start: Option<&str>) -> String {
    let start = start.map_or(String::new(), |start| format!("start {}\n", one_line(start)));
    format!("game {}\n{start}", one_line(game))
}
