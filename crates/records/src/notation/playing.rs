//! A record as it grows: the game that is played, what is said of it, and the lines beside it that are open.
//!
//! In: moves that a reader found legal, words, the beginnings and ends of variations. Out: a record. Never: a variation
//! that is nested too deep, nor the same moves played again for each of many variations.

use ashta_position::{CompiledRules, Game, Move};

use super::RecordError;
use super::marks::take_marks;
use crate::annotations::{Annotations, MOST_NESTED, Variation};
use crate::record::{GameRecord, MAX_PLIES};

/// A record as it grows, and the playing of it.
pub struct Playing {
    /// The record; its moves are those of the game itself.
    pub record: GameRecord,
    /// The line that is being read.
    pub game: Game,
    /// Variations that are being read, the innermost last.
    open: Vec<OpenLine>,
    /// Lines of a comment that is being read.
    lines: String,
}

struct OpenLine {
    /// Plies from the start of the game to its first position.
    from: usize,
    variation: Variation,
    /// Lines beside its first move, which come after it with the line around it.
    sisters: Vec<Variation>,
    /// Moves of the line around it that were taken back, and come again when it is closed.
    taken: Vec<Move>,
}

impl OpenLine {
    fn new(from: usize, taken: Vec<Move>) -> OpenLine {
        OpenLine { from, variation: Variation::default(), sisters: Vec::new(), taken }
    }
}

impl Playing {
    /// A game from its start.
    pub fn from_start(rules: &CompiledRules) -> Playing {
        let (open, lines) = (Vec::new(), String::new());
        Playing { record: GameRecord::default(), game: Game::start(rules), open, lines }
    }

    /// Begins anew from another position; what is known of the game stays.
    pub fn set_start(&mut self, game: Game) {
        self.record.set_start(&game);
        self.game = game;
    }

    /// Whether a variation is being read.
    pub fn in_variation(&self) -> bool {
        !self.open.is_empty()
    }

    /// Plies from the start of the game to where the line being read stands.
    pub fn ply(&self) -> usize {
        self.open.last().map_or(self.record.moves.len(), |line| line.from + line.variation.moves.len())
    }

    /// Plies from the start of the game to where the line being read begins.
    fn line_from(&self) -> usize {
        self.open.last().map_or(0, |line| line.from)
    }

    /// Plays a move of the line being read.
    pub fn play(&mut self, line: usize, mv: Move) -> Result<(), RecordError> {
        self.end_comment();
        if self.ply() >= MAX_PLIES {
            return Err(RecordError::new(line, format!("it has more than {MAX_PLIES} plies")));
        }
        match self.open.last_mut() {
            None => self.record.moves.push(mv),
            Some(open) => open.variation.moves.push(mv),
        }
        self.game.play_unchecked(mv);
        Ok(())
    }

    fn notes(&mut self) -> (&mut Annotations, usize) {
        match self.open.last_mut() {
            None => (&mut self.record.annotations, self.record.moves.len()),
            Some(open) => (&mut open.variation.notes, open.variation.moves.len()),
        }
    }

    /// Says something here. Glyphs and time that stand before the words are those of the move.
    pub fn say(&mut self, text: &str) {
        self.end_comment();
        self.say_whole(text);
    }

    fn say_whole(&mut self, text: &str) {
        let (notes, ply) = self.notes();
        if !notes.comment(ply).is_empty() {
            return notes.say(ply, text);
        }
        let marks = take_marks(text.trim_start());
        marks.glyphs.iter().for_each(|glyph| notes.mark(ply, *glyph));
        if let Some(spent_ms) = marks.spent_ms {
            notes.spend(ply, spent_ms);
        }
        notes.say(ply, marks.words);
    }

    /// Takes one line of a comment; it ends where something else comes.
    pub fn say_line(&mut self, line: &str) {
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    fn end_comment(&mut self) {
        if !self.lines.is_empty() {
            let lines = std::mem::take(&mut self.lines);
            self.say_whole(&lines);
        }
    }

    /// Keeps a text as it is.
    pub fn keep(&mut self, text: &str) {
        self.end_comment();
        let (notes, ply) = self.notes();
        notes.say(ply, text);
    }

    /// Adds a glyph to the last move.
    pub fn mark(&mut self, glyph: u8) {
        let (notes, ply) = self.notes();
        notes.mark(ply, glyph);
    }

    /// Notes the time that the last move took.
    pub fn spend(&mut self, spent_ms: u64) {
        let (notes, ply) = self.notes();
        if ply > 0 {
            notes.spend(ply, spent_ms);
        }
    }

    /// Whether a variation can begin where so many plies are played: on the line being read, and not too deep.
    pub fn can_open(&self, from: usize) -> bool {
        (self.line_from()..=self.ply()).contains(&from) && self.open.len() < MOST_NESTED
    }

    /// Begins a variation where so many plies are played; [`Playing::can_open`] says whether it can.
    pub fn open(&mut self, from: usize) {
        self.end_comment();
        let line_from = self.line_from();
        let moves = self.open.last().map_or(&self.record.moves, |line| &line.variation.moves);
        let taken = moves[from - line_from..].to_vec();
        taken.iter().for_each(|_| _ = self.game.take_back());
        self.open.push(OpenLine::new(from, taken));
    }

    /// Ends the innermost variation, if there is one, and goes on where its line stood.
    pub fn close(&mut self) {
        self.end_comment();
        let Some(line) = self.open.pop() else { return };
        line.variation.moves.iter().for_each(|_| _ = self.game.take_back());
        line.taken.iter().for_each(|mv| self.game.play_unchecked(*mv));
        match self.open.last_mut().filter(|outer| outer.from == line.from) {
            Some(elder) => {
                elder.sisters.push(line.variation);
                elder.sisters.extend(line.sisters);
            }
            None => {
                let lines = std::iter::once(line.variation).chain(line.sisters);
                lines.for_each(|variation| self.attach(line.from, variation));
            }
        }
    }

    /// Begins a variation where so many plies are played of the innermost line that has begun before, and ends those
    /// within it: records that put variations one after another mean it so. Gives whether it could.
    pub fn branch(&mut self, from: usize) -> bool {
        self.end_comment();
        let n_kept = self.open.iter().take_while(|line| line.from < from).count();
        let kept_end = match n_kept.checked_sub(1) {
            None => self.record.moves.len(),
            Some(last) => self.open[last].from + self.open[last].variation.moves.len(),
        };
        if from > kept_end || n_kept >= MOST_NESTED {
            return false;
        }
        let mut at = self.ply();
        while self.open.len() > n_kept {
            let Some(line) = self.open.pop() else { break };
            // What lay beyond the variation of its line was taken back when it began.
            at = self.take_back_to(at, line.from);
            self.attach(line.from, line.variation);
        }
        self.take_back_to(at, from);
        self.open.push(OpenLine::new(from, Vec::new()));
        true
    }

    fn take_back_to(&mut self, at: usize, ply: usize) -> usize {
        (ply..at).for_each(|_| _ = self.game.take_back());
        at.min(ply)
    }

    /// Puts a variation where it belongs: with the line around it.
    fn attach(&mut self, from: usize, mut variation: Variation) {
        variation.notes.drop_idle_clock();
        let (notes, line_from, n_moves) = match self.open.last_mut() {
            None => (&mut self.record.annotations, 0, self.record.moves.len()),
            Some(line) => (&mut line.variation.notes, line.from, line.variation.moves.len()),
        };
        if variation.moves.is_empty() {
            // Nothing of it could be read: its words are all there is.
            let words = variation.notes.comment(0);
            if !words.is_empty() {
                notes.say(n_moves.min(from - line_from + 1), &format!("({words})"));
            }
            return;
        }
        notes.vary(from - line_from, variation);
    }

    /// Ends all variations; the game stands at the end of its own moves again.
    pub fn finish(&mut self) {
        self.end_comment();
        if let Some(outermost) = self.open.first().map(|line| line.from) {
            let at = self.ply();
            self.take_back_to(at, outermost);
            while let Some(line) = self.open.pop() {
                self.attach(line.from, line.variation);
            }
            self.record.moves[outermost..].iter().for_each(|mv| self.game.play_unchecked(*mv));
        }
        self.record.annotations.drop_idle_clock();
    }

    /// Says where in the game something is wrong.
    pub fn at_move(&self, line: usize, what: impl std::fmt::Display) -> RecordError {
        RecordError::new(line, format!("move {}: {what}", self.ply() + 1))
    }
}
