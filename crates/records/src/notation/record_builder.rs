//! A record as it grows: the game that is played, what is said of it, and the lines beside it that are open.
//!
//! In: moves that a reader found legal, words, the beginnings and ends of variations. Out: a record. Never: a variation
//! that is nested too deep, nor the same moves played again for each of many variations.

use ashta_position::notation::MoveTextError;
use ashta_position::{CompiledRules, Game, Move, SetupUse};

use super::glyphs::take_prefix;
use super::usi::{ILLEGAL_MOVE, RULES_BROKEN};
use super::{Format, RecordError};
use crate::annotations::{Annotations, MAX_NESTING, Variation};
use crate::record::{GameRecord, GameResult, MAX_PLIES, tag};

/// A record as it grows, and the playing of it.
pub struct RecordBuilder {
    /// The record; its moves are those of the game itself.
    pub record: GameRecord,
    /// The line that is being read.
    pub game: Game,
    /// Variations that are being read, the innermost last.
    open: Vec<OpenLine>,
    /// Lines of a comment that is being read.
    lines: String,
    /// What the first position is.
    start_use: SetupUse,
    /// The move that cannot be played, after which the game has none.
    stop: Option<Stop>,
}

/// Why the moves of a game itself are not read on.
struct Stop {
    /// What to say if the game has more moves.
    error: RecordError,
    reason: StopReason,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StopReason {
    /// The last move is illegal, which loses.
    Foul,
    /// The first position is none of a game: what cannot be played of a problem, a study or a diagram is kept as text.
    NoGame,
}

/// What became of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// It was played.
    Played,
    /// It is not legal, which ends the game, or there is nothing to play it in: it is kept as text.
    Kept,
    /// It belongs to a variation, and cannot be read: what becomes of the rest is the reader's business.
    Unreadable,
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

impl RecordBuilder {
    /// A game from its start.
    pub fn from_start(rules: &CompiledRules) -> RecordBuilder {
        let (open, lines) = (Vec::new(), String::new());
        let (record, game) = (GameRecord::default(), Game::start(rules));
        RecordBuilder { record, game, open, lines, start_use: SetupUse::Game, stop: None }
    }

    /// Begins anew from another position; what is known of the game stays.
    pub fn set_start(&mut self, (game, start_use): (Game, SetupUse)) {
        self.record.set_start(&game);
        (self.game, self.start_use) = (game, start_use);
    }

    /// Whether the first position is neither that of a game nor that of a problem.
    pub fn is_diagram(&self) -> bool {
        self.start_use > SetupUse::Problem
    }

    /// Whether the last move was an illegal one.
    pub fn is_foul(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::Foul)
    }

    /// Takes a move of the line being read. One of the game itself that is not legal must be the last.
    pub fn take_move(
        &mut self,
        line: usize,
        text: &str,
        read: impl FnOnce(&Game) -> Result<Move, MoveTextError>,
    ) -> Result<Taken, RecordError> {
        if let Some(stop) = self.stop.as_ref().filter(|_| self.is_stopped() && self.is_foul()) {
            return Err(stop.error.clone());
        }
        if self.start_use == SetupUse::Diagram || self.is_stopped() {
            self.keep(text);
            return Ok(Taken::Kept);
        }
        match read(&self.game) {
            Ok(mv) => self.play(line, mv).map(|()| Taken::Played),
            Err(_) if self.in_variation() => Ok(Taken::Unreadable),
            Err(error) if self.start_use != SetupUse::Game => {
                self.stop(line, text, &error, StopReason::NoGame)
            }
            Err(error @ MoveTextError::Illegal { .. }) => self.stop(line, text, &error, StopReason::Foul),
            Err(error) => Err(self.at_move(line, error)),
        }
    }

    fn stop(
        &mut self,
        line: usize,
        text: &str,
        error: &MoveTextError,
        reason: StopReason,
    ) -> Result<Taken, RecordError> {
        self.stop = Some(Stop { error: self.at_move(line, error), reason });
        self.keep(text);
        Ok(Taken::Kept)
    }

    /// Settles a game that ended with an illegal move: whoever made it has lost. Refuses it if the record says otherwise, and
    /// a mistake of whoever wrote it is likelier. PGN says who won, or `*`, so there it must say so.
    pub fn settle_foul(&mut self, format: Format) -> Result<(), RecordError> {
        let Some(stop) = self.stop.take_if(|stop| stop.reason == StopReason::Foul) else { return Ok(()) };
        let winner = GameRecord::opponent(self.game.rules(), self.game.turn());
        let result = winner.map_or(GameResult::Unknown, GameResult::Won);
        let why = self.record.tags.get(tag::TERMINATION);
        let is_unsaid = self.record.result == GameResult::Unknown
            && (format != Format::Pgn || why == Some(ILLEGAL_MOVE) || why == Some(RULES_BROKEN));
        if self.record.result != result && !is_unsaid {
            return Err(stop.error);
        }
        if why.is_none() {
            self.record.tags.set(tag::TERMINATION, ILLEGAL_MOVE);
        }
        self.record.result = result;
        Ok(())
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
        let marks = take_prefix(text.trim_start());
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

    /// Whether the game itself is being read, and a move of it could not be played.
    fn is_stopped(&self) -> bool {
        self.stop.is_some() && !self.in_variation()
    }

    /// Adds a glyph to the last move.
    pub fn mark(&mut self, glyph: u8) {
        if self.is_stopped() {
            return self.keep(&format!("${glyph}"));
        }
        let (notes, ply) = self.notes();
        notes.mark(ply, glyph);
    }

    /// Notes the time that the last move took.
    pub fn spend(&mut self, spent_ms: u64) {
        // A move that was not played took none.
        let is_stopped = self.is_stopped();
        let (notes, ply) = self.notes();
        if ply > 0 && !is_stopped {
            notes.spend(ply, spent_ms);
        }
    }

    /// Whether a variation can begin where so many plies are played: on the line being read, and not too deep.
    pub fn can_open(&self, from: usize) -> bool {
        (self.line_from()..=self.ply()).contains(&from) && self.open.len() < MAX_NESTING
    }

    /// Begins a variation where so many plies are played; [`RecordBuilder::can_open`] says whether it can.
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
        if from > kept_end || n_kept >= MAX_NESTING {
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
