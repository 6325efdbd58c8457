//! Builds a record while it is parsed: the game, its annotations, and a stack of open variations.
//!
//! In: legal moves, comments, the beginnings and ends of variations. Out: a record. Never: a variation that is nested
//! too deep, nor moves replayed for each variation.

use ashta_messages::{Tell, message};
use ashta_position::notation::MoveTextError;
use ashta_position::{CompiledRules, Game, Move, SetupUse};

use super::glyphs::take_prefix;
use super::usi::RULES_BROKEN;
use super::{Format, RecordError};
use crate::annotations::{Annotations, MAX_NESTING, Variation};
use crate::record::{GameRecord, GameResult, MAX_PLIES, tag};
use crate::termination::Termination;

pub struct RecordBuilder {
    /// Its moves are those of the main line.
    pub record: GameRecord,
    /// The game at the end of the line being read.
    pub game: Game,
    /// Open variations, the innermost last.
    open: Vec<OpenLine>,
    /// Lines of the comment being read.
    lines: String,
    /// What the first position is for.
    start_use: SetupUse,
    /// The unplayable move that ended the main line.
    stop: Option<Stop>,
}

/// Why the main line ended.
struct Stop {
    /// The error if more moves follow.
    error: RecordError,
    reason: StopReason,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StopReason {
    /// The last move is illegal, which loses.
    Foul,
    /// The first position is not that of a game: moves of a problem, study or diagram that cannot be played are kept as
    /// text.
    NoGame,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    Played,
    /// Illegal, which ends the game, or nothing to play it in: kept as text.
    Kept,
    /// An unparsable move of a variation: the parser decides about the rest.
    Unreadable,
}

struct OpenLine {
    /// Plies from the start of the game.
    from: usize,
    variation: Variation,
    /// Alternatives to its first move; they become siblings in the parent line.
    siblings: Vec<Variation>,
    /// Moves of the parent line that were undone, and are replayed when it is closed.
    taken: Vec<Move>,
}

impl OpenLine {
    fn new(from: usize, taken: Vec<Move>) -> OpenLine {
        OpenLine { from, variation: Variation::default(), siblings: Vec::new(), taken }
    }
}

impl RecordBuilder {
    pub fn from_start(rules: &CompiledRules) -> RecordBuilder {
        let (open, lines) = (Vec::new(), String::new());
        let (record, game) = (GameRecord::default(), Game::start(rules));
        RecordBuilder { record, game, open, lines, start_use: SetupUse::Game, stop: None }
    }

    /// Restarts from another position; the tags stay.
    pub fn set_start(&mut self, (game, start_use): (Game, SetupUse)) {
        self.record.set_start(&game);
        (self.game, self.start_use) = (game, start_use);
    }

    /// Whether the first position is neither that of a game nor that of a problem.
    pub fn is_diagram(&self) -> bool {
        self.start_use > SetupUse::Problem
    }

    /// Whether the last move was illegal.
    pub fn is_foul(&self) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.reason == StopReason::Foul)
    }

    /// Adds a move to the current line. An illegal move of the main line must be the last.
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

    /// Adjudicates a game that ended with an illegal move: its side has lost. Rejects it if the record has another
    /// result, since an error of the writer is then more likely. PGN always has a result, so there it must agree.
    pub fn settle_foul(&mut self, format: Format) -> Result<(), RecordError> {
        let Some(stop) = self.stop.take_if(|stop| stop.reason == StopReason::Foul) else { return Ok(()) };
        let winner = GameRecord::opponent(self.game.rules(), self.game.turn());
        let result = winner.map_or(GameResult::Unknown, GameResult::Won);
        let why = self.record.tags.get(tag::TERMINATION);
        let illegal_move = Termination::IllegalMove.to_string();
        let is_unsaid = self.record.result == GameResult::Unknown
            && (format != Format::Pgn || why == Some(illegal_move.as_str()) || why == Some(RULES_BROKEN));
        if self.record.result != result && !is_unsaid {
            return Err(stop.error);
        }
        if why.is_none() {
            self.record.tags.set(tag::TERMINATION, illegal_move);
        }
        self.record.result = result;
        Ok(())
    }

    pub fn in_variation(&self) -> bool {
        !self.open.is_empty()
    }

    /// Plies from the start of the game to the end of the current line.
    pub fn ply(&self) -> usize {
        self.open.last().map_or(self.record.moves.len(), |line| line.from + line.variation.moves.len())
    }

    /// Plies from the start of the game to the beginning of the current line.
    fn line_from(&self) -> usize {
        self.open.last().map_or(0, |line| line.from)
    }

    /// Plays a move of the current line.
    pub fn play(&mut self, line: usize, mv: Move) -> Result<(), RecordError> {
        self.end_comment();
        if self.ply() >= MAX_PLIES {
            return Err(RecordError::new(line, message!("records.too-many-plies", max = MAX_PLIES)));
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

    /// Adds a comment; glyphs and time at its start belong to the last move.
    pub fn add_comment(&mut self, text: &str) {
        self.end_comment();
        self.add_whole_comment(text);
    }

    fn add_whole_comment(&mut self, text: &str) {
        let (notes, ply) = self.notes();
        if !notes.comment(ply).is_empty() {
            return notes.add_comment(ply, text);
        }
        let marks = take_prefix(text.trim_start());
        marks.glyphs.iter().for_each(|glyph| notes.add_glyph(ply, *glyph));
        if let Some(spent_ms) = marks.spent_ms {
            notes.set_time(ply, spent_ms);
        }
        notes.add_comment(ply, marks.words);
    }

    /// Adds a line to a multi-line comment, which ends at anything else.
    pub fn add_comment_line(&mut self, line: &str) {
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    fn end_comment(&mut self) {
        if !self.lines.is_empty() {
            let lines = std::mem::take(&mut self.lines);
            self.add_whole_comment(&lines);
        }
    }

    /// Keeps a text verbatim.
    pub fn keep(&mut self, text: &str) {
        self.end_comment();
        let (notes, ply) = self.notes();
        notes.add_comment(ply, text);
    }

    /// Whether the main line is being read and has ended with an unplayable move.
    fn is_stopped(&self) -> bool {
        self.stop.is_some() && !self.in_variation()
    }

    pub fn add_glyph(&mut self, glyph: u8) {
        if self.is_stopped() {
            return self.keep(&format!("${glyph}"));
        }
        let (notes, ply) = self.notes();
        notes.add_glyph(ply, glyph);
    }

    pub fn set_time(&mut self, spent_ms: u64) {
        // An unplayed move took no time.
        let is_stopped = self.is_stopped();
        let (notes, ply) = self.notes();
        if ply > 0 && !is_stopped {
            notes.set_time(ply, spent_ms);
        }
    }

    /// Whether a variation can begin at this ply of the current line without being nested too deep.
    pub fn can_open(&self, from: usize) -> bool {
        (self.line_from()..=self.ply()).contains(&from) && self.open.len() < MAX_NESTING
    }

    /// Begins a variation at this ply; requires [`RecordBuilder::can_open`].
    pub fn open(&mut self, from: usize) {
        self.end_comment();
        let line_from = self.line_from();
        let moves = self.open.last().map_or(&self.record.moves, |line| &line.variation.moves);
        let taken = moves[from - line_from..].to_vec();
        taken.iter().for_each(|_| _ = self.game.take_back());
        self.open.push(OpenLine::new(from, taken));
    }

    /// Closes the innermost variation and returns to its parent line.
    pub fn close(&mut self) {
        self.end_comment();
        let Some(line) = self.open.pop() else { return };
        line.variation.moves.iter().for_each(|_| _ = self.game.take_back());
        line.taken.iter().for_each(|mv| self.game.play_unchecked(*mv));
        match self.open.last_mut().filter(|outer| outer.from == line.from) {
            Some(parent) => {
                parent.siblings.push(line.variation);
                parent.siblings.extend(line.siblings);
            }
            None => {
                let lines = std::iter::once(line.variation).chain(line.siblings);
                lines.for_each(|variation| self.attach(line.from, variation));
            }
        }
    }

    /// Closes variations until one began before this ply, and begins a variation there: KIF lists variations in this
    /// order. Returns whether it could.
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
            // Moves of the line beyond the variation were undone when it began.
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

    /// Attaches a variation to its parent line.
    fn attach(&mut self, from: usize, mut variation: Variation) {
        variation.notes.drop_idle_clock();
        let (notes, line_from, n_moves) = match self.open.last_mut() {
            None => (&mut self.record.annotations, 0, self.record.moves.len()),
            Some(line) => (&mut line.variation.notes, line.from, line.variation.moves.len()),
        };
        if variation.moves.is_empty() {
            // Nothing of it could be parsed: only its comment is kept.
            let words = variation.notes.comment(0);
            if !words.is_empty() {
                notes.add_comment(n_moves.min(from - line_from + 1), &format!("({words})"));
            }
            return;
        }
        notes.add_variation(from - line_from, variation);
    }

    /// Closes all variations and returns to the end of the main line.
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

    /// An error with its place in the game.
    pub fn at_move(&self, line: usize, what: impl Tell) -> RecordError {
        RecordError::new(line, message!("records.at-move", number = self.ply() + 1, what = what.message()))
    }
}
