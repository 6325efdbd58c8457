//! Annotations of a record: comments, glyphs (NAGs), times and variations.
//!
//! In: what parsers found. Out: notes by ply; for writers, the record as a tree of notated moves. Never: an illegal
//! move, an empty note, or unbounded nesting.

use std::collections::BTreeMap;

use ashta_position::{Game, Move};

/// The deepest nesting of variations; deeper ones are kept as comment text.
pub const MAX_NESTING: usize = 32;

/// Notes by ply; a note before the first move is at ply 0.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations(BTreeMap<usize, Note>);

/// The annotations at one ply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Note {
    /// Trimmed lines.
    pub comment: String,
    /// Numeric annotation glyphs of the move that led here: 1 is `!`, 14 is `+=`.
    pub glyphs: Vec<u8>,
    /// Time that the move took.
    pub spent_ms: Option<u64>,
    /// Alternatives to the move played from here.
    pub variations: Vec<Variation>,
}

/// A line that was not played. Alternatives to its first move are siblings, not variations of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    pub moves: Vec<Move>,
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
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (usize, &Note)> {
        self.0.iter().map(|(ply, note)| (*ply, note))
    }

    pub fn at(&self, ply: usize) -> Option<&Note> {
        self.0.get(&ply)
    }

    pub fn comment(&self, ply: usize) -> &str {
        self.at(ply).map_or("", |note| &note.comment)
    }

    fn entry(&mut self, ply: usize) -> &mut Note {
        self.0.entry(ply).or_default()
    }

    /// Replaces a note; an empty one changes nothing.
    pub fn put(&mut self, ply: usize, note: Note) {
        if !note.is_empty() {
            *self.entry(ply) = note;
        }
    }

    /// Appends to a comment.
    pub fn add_comment(&mut self, ply: usize, text: &str) {
        let text = trimmed(text);
        if text.is_empty() {
            return;
        }
        let comment = &mut self.entry(ply).comment;
        if !comment.is_empty() {
            comment.push('\n');
        }
        comment.push_str(&text);
    }

    /// Replaces a comment.
    pub fn set_comment(&mut self, ply: usize, text: &str) {
        self.entry(ply).comment = trimmed(text);
        self.0.retain(|_, note| !note.is_empty());
    }

    pub fn add_glyph(&mut self, ply: usize, glyph: u8) {
        let glyphs = &mut self.entry(ply).glyphs;
        if !glyphs.contains(&glyph) {
            glyphs.push(glyph);
        }
    }

    pub fn set_time(&mut self, ply: usize, spent_ms: u64) {
        self.entry(ply).spent_ms = Some(spent_ms);
    }

    pub fn add_variation(&mut self, ply: usize, variation: Variation) {
        self.entry(ply).variations.push(variation);
    }

    /// Removes notes after this ply.
    pub fn cut(&mut self, ply: usize) {
        self.0.retain(|known, _| *known <= ply);
    }

    /// Removes times if all are zero: many programs write a time of zero after every move.
    pub fn drop_idle_clock(&mut self) {
        if self.0.values().all(|note| note.spent_ms.is_none_or(|spent| spent == 0)) {
            self.0.values_mut().for_each(|note| note.spent_ms = None);
            self.0.retain(|_, note| !note.is_empty());
        }
    }
}

/// Trims lines and removes empty lines at both ends.
fn trimmed(text: &str) -> String {
    let text = text.trim();
    let is_settled = !text.contains('\r') && text.split('\n').all(|line| line.trim_end() == line);
    if is_settled {
        return text.to_string();
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// A line with its moves in a notation, for writers of text and JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotatedLine<'r, T> {
    /// The note before the first move.
    pub before: Option<&'r Note>,
    pub moves: Vec<NotatedMove<'r, T>>,
    /// Variations that continue after the last move.
    pub onward: Vec<NotatedLine<'r, T>>,
}

impl<'r, T> NotatedLine<'r, T> {
    /// The plies with a note or with variations.
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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotatedMove<'r, T> {
    pub text: T,
    pub note: Option<&'r Note>,
    /// Alternatives to this move.
    pub instead: Vec<NotatedLine<'r, T>>,
}

/// Writes every move of a line and of its variations, each before it is played. The game moves from the beginning of
/// the line to its end.
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
    // Backwards, so that moves are only ever undone.
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
    use super::{Annotations, trimmed};

    #[test]
    fn notes_say_something() {
        let mut notes = Annotations::default();
        notes.add_comment(3, "  \n");
        notes.set_comment(2, " ");
        assert!(notes.is_empty());
        notes.add_comment(3, "a ");
        notes.add_glyph(1, 1);
        notes.add_comment(3, "\nb");
        assert_eq!((notes.len(), notes.comment(3)), (2, "a\nb"));
        notes.set_comment(3, "");
        assert_eq!(notes.iter().map(|(ply, _)| ply).collect::<Vec<_>>(), [1]);
    }

    #[test]
    fn clocks_that_never_ran_are_none() {
        let mut notes = Annotations::default();
        (1..4).for_each(|ply| notes.set_time(ply, 0));
        notes.add_comment(2, "here");
        let mut running = notes.clone();
        notes.drop_idle_clock();
        assert_eq!(notes.iter().map(|(ply, _)| ply).collect::<Vec<_>>(), [2]);
        running.set_time(3, 1000);
        running.drop_idle_clock();
        assert_eq!(running.len(), 3);
    }

    #[test]
    fn words_are_settled() {
        for (text, kept) in
            [(" a ", "a"), ("a  \r\n  b\n\n", "a\n  b"), ("a\rb", "a\nb"), ("a\n \nb", "a\n\nb")]
        {
            assert_eq!(trimmed(text), kept, "{text:?}");
        }
    }
}
