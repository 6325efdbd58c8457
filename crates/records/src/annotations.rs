//! What a record says beside its moves: comments, glyphs, times, and lines that were not played.
//!
//! In: what readers found. Out: notes by ply; for writers, the record as a tree of written moves. Never: an illegal move,
//! a note that says nothing, or lines within lines without end.

use std::collections::BTreeMap;

use ashta_position::{Game, Move};

/// Lines within lines; what is nested deeper is kept as the text of a comment.
pub const MAX_NESTING: usize = 32;

/// Notes on a line of moves, each after so many of its plies; what is said before the first move is after none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations(BTreeMap<usize, Note>);

/// What is said in one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Words; lines have no space at their ends.
    pub comment: String,
    /// What is thought of the move that led here, as PGN numbers it: 1 is `!`, 14 is `+=`.
    pub glyphs: Vec<u8>,
    /// Time that the move took.
    pub spent_ms: Option<u64>,
    /// Lines that could have been played from here instead of what was.
    pub variations: Vec<Variation>,
}

/// A line that was not played. From its first position it has no variations: those are its sisters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// Its moves, legal one after another.
    pub moves: Vec<Move>,
    /// What is said of it.
    pub notes: Annotations,
}

impl Note {
    fn is_empty(&self) -> bool {
        self.comment.is_empty()
            && self.glyphs.is_empty()
            && self.spent_ms.is_none()
            && self.variations.is_empty()
    }
}

impl Annotations {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many plies have notes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All notes, by rising plies.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Note)> {
        self.0.iter().map(|(ply, note)| (*ply, note))
    }

    /// What is said after so many plies.
    pub fn at(&self, ply: usize) -> Option<&Note> {
        self.0.get(&ply)
    }

    /// The words said after so many plies.
    pub fn comment(&self, ply: usize) -> &str {
        self.at(ply).map_or("", |note| &note.comment)
    }

    fn entry(&mut self, ply: usize) -> &mut Note {
        self.0.entry(ply).or_default()
    }

    /// Puts a note in its place; one that says nothing leaves what is there.
    pub fn put(&mut self, ply: usize, note: Note) {
        if !note.is_empty() {
            *self.entry(ply) = note;
        }
    }

    /// Adds words to what is said after so many plies.
    pub fn say(&mut self, ply: usize, text: &str) {
        let text = settled(text);
        if text.is_empty() {
            return;
        }
        let comment = &mut self.entry(ply).comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(&text);
    }

    /// Says this, and nothing else, after so many plies.
    pub fn say_only(&mut self, ply: usize, text: &str) {
        self.entry(ply).comment = settled(text);
        self.0.retain(|_, note| !note.is_empty());
    }

    /// Adds a glyph.
    pub fn mark(&mut self, ply: usize, glyph: u8) {
        let glyphs = &mut self.entry(ply).glyphs;
        if !glyphs.contains(&glyph) {
            glyphs.push(glyph);
        }
    }

    /// Notes the time that a move took.
    pub fn spend(&mut self, ply: usize, spent_ms: u64) {
        self.entry(ply).spent_ms = Some(spent_ms);
    }

    /// Adds a line that could have been played.
    pub fn vary(&mut self, ply: usize, variation: Variation) {
        self.entry(ply).variations.push(variation);
    }

    /// Forgets what is said after more plies than these.
    pub fn cut(&mut self, ply: usize) {
        self.0.retain(|known, _| *known <= ply);
    }

    /// Clocks that never ran are none: many programs write a time of zero after every move.
    pub fn drop_idle_clock(&mut self) {
        if self.0.values().all(|note| note.spent_ms.is_none_or(|spent| spent == 0)) {
            self.0.values_mut().for_each(|note| note.spent_ms = None);
            self.0.retain(|_, note| !note.is_empty());
        }
    }
}

/// Words as notes keep them: no space at the ends of lines, no empty line first or last.
fn settled(text: &str) -> String {
    let text = text.trim();
    let is_settled = !text.contains('\r') && text.split('\n').all(|line| line.trim_end() == line);
    if is_settled {
        return text.to_string();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// A line of a record with its moves written, for whoever makes text or JSON of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotatedLine<'r, T> {
    /// What is said before the first move.
    pub before: Option<&'r Note>,
    /// The moves.
    pub moves: Vec<NotatedMove<'r, T>>,
    /// Lines that go on where this one ends.
    pub onward: Vec<NotatedLine<'r, T>>,
}

impl<'r, T> NotatedLine<'r, T> {
    /// The plies of the line at which something is said or could have been played, with both.
    pub fn notes(&self) -> impl Iterator<Item = (usize, Option<&'r Note>, &[NotatedLine<'r, T>])> {
        let note = |ply: usize| match ply {
            0 => self.before,
            _ => self.moves[ply - 1].note,
        };
        let beside = |ply: usize| self.moves.get(ply).map_or(&self.onward, |mv| &mv.instead).as_slice();
        (0..=self.moves.len())
            .map(move |ply| (ply, note(ply), beside(ply)))
            .filter(|(_, note, beside)| note.is_some() || !beside.is_empty())
    }
}

/// A move of a [`NotatedLine`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotatedMove<'r, T> {
    /// The move as it is written.
    pub text: T,
    /// What is said after it.
    pub note: Option<&'r Note>,
    /// Lines that could have been played instead of it.
    pub instead: Vec<NotatedLine<'r, T>>,
}

/// Writes every move of a line and of its variations; each is written before it is played. The game stands where the
/// line begins, and afterwards where it ends.
pub fn write_line<'r, T, E>(
    game: &mut Game,
    moves: &[Move],
    notes: &'r Annotations,
    write: &mut dyn FnMut(&Game, Move) -> Result<T, E>,
) -> Result<NotatedLine<'r, T>, E> {
    let mut written =
        NotatedLine { before: notes.at(0), moves: Vec::with_capacity(moves.len()), onward: Vec::new() };
    for (n, mv) in moves.iter().enumerate() {
        let text = write(game, *mv)?;
        written.moves.push(NotatedMove { text, note: notes.at(n + 1), instead: Vec::new() });
        game.play_unchecked(*mv);
    }
    let mut at = moves.len();
    // The last first: then moves are only ever taken back.
    for (ply, note) in
        notes.iter().rev().filter(|(ply, note)| *ply <= moves.len() && !note.variations.is_empty())
    {
        while at > ply {
            game.take_back();
            at -= 1;
        }
        let mut lines = Vec::with_capacity(note.variations.len());
        for variation in &note.variations {
            lines.push(write_line(game, &variation.moves, &variation.notes, write)?);
            variation.moves.iter().for_each(|_| _ = game.take_back());
        }
        match written.moves.get_mut(ply) {
            Some(instead_of) => instead_of.instead = lines,
            None => written.onward = lines,
        }
    }
    moves[at..].iter().for_each(|mv| game.play_unchecked(*mv));
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::{Annotations, settled};

    #[test]
    fn notes_say_something() {
        let mut notes = Annotations::default();
        notes.say(3, "  \n");
        notes.say_only(2, " ");
        assert!(notes.is_empty());
        notes.say(3, "a ");
        notes.mark(1, 1);
        notes.say(3, "\nb");
        assert_eq!((notes.len(), notes.comment(3)), (2, "a\nb"));
        notes.say_only(3, "");
        assert_eq!(notes.iter().map(|(ply, _)| ply).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn clocks_that_never_ran_are_none() {
        let mut notes = Annotations::default();
        (1..4).for_each(|ply| notes.spend(ply, 0));
        notes.say(2, "here");
        let mut running = notes.clone();
        notes.drop_idle_clock();
        assert_eq!(notes.iter().map(|(ply, _)| ply).collect::<Vec<_>>(), [2]);
        running.spend(3, 1000);
        running.drop_idle_clock();
        assert_eq!(running.len(), 3);
    }

    #[test]
    fn words_are_settled() {
        for (text, kept) in
            [(" a ", "a"), ("a  \r\n  b\n\n", "a\n  b"), ("a\rb", "a\nb"), ("a\n \nb", "a\n\nb")]
        {
            assert_eq!(settled(text), kept, "{text:?}");
        }
    }
}
