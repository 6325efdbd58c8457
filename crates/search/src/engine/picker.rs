//! Move picker of the engine: the legal moves of a node in stages, most promising first, quiet moves listed only when needed.
//!
//! In: a position, hash move, killers, history. Out: its legal moves one by one, each once. Never: values of positions.

use ashta_position::{Move, Position, Word};

use super::evaluation::Evaluation;
use super::history::{History, PieceTo};
use super::see::See;
use crate::candidates::{Candidates, Scored};

/// The move picker of one ply; its buffers are reused.
pub struct Picker<W> {
    candidates: Candidates<W>,
    /// Captures that lose material by SEE.
    bad_captures: Vec<Move>,
    hints: PickerHints,
    stage: Stage,
    /// The next killer or bad capture.
    next: usize,
}

/// Moves to try early.
#[derive(Clone, Copy, Default, Debug)]
pub struct PickerHints {
    pub hash_move: Option<Move>,
    /// Two killers and the countermove.
    pub killers: [Option<Move>; 3],
    /// Piece-to index of the previous move.
    pub previous: Option<PieceTo>,
}

/// The stages of the picker, in order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Stage {
    #[default]
    HashMove,
    /// Captures and promotions with SEE of at least 0.
    GoodCaptures,
    /// Killers and the countermove.
    Killers,
    GenerateQuiets,
    Quiets,
    /// Captures with negative SEE.
    BadCaptures,
}

/// A picked move.
#[derive(Clone, Copy, Debug)]
pub struct Picked {
    pub mv: Move,
    pub stage: Stage,
    /// History score; 0 unless the move comes from [`Stage::Quiets`].
    pub history: i32,
}

impl<W: Word> Default for Picker<W> {
    fn default() -> Picker<W> {
        Picker {
            candidates: Candidates::default(),
            bad_captures: Vec::new(),
            hints: PickerHints::default(),
            stage: Stage::HashMove,
            next: 0,
        }
    }
}

impl<W: Word> Picker<W> {
    /// Generates the legal moves; returns whether there are any.
    #[inline]
    pub fn generate(&mut self, position: &Position<W>) -> bool {
        self.candidates.generate(position)
    }

    /// Starts over with the generated moves.
    pub fn begin(&mut self, position: &Position<W>, evaluation: &Evaluation, hints: PickerHints) {
        (self.hints, self.stage, self.next) = (hints, Stage::HashMove, 0);
        self.bad_captures.clear();
        self.candidates.list_captures(position, evaluation.values(), |_, exchanged| exchanged);
    }

    /// Generates captures and good promotions alone and starts with them (quiescence).
    pub fn begin_captures(
        &mut self,
        position: &Position<W>,
        evaluation: &Evaluation,
        hash_move: Option<Move>,
    ) {
        let hints = PickerHints { hash_move, ..PickerHints::default() };
        (self.hints, self.stage, self.next) = (hints, Stage::GoodCaptures, 0);
        self.candidates.generate_captures(position, evaluation.values(), |_, exchanged| exchanged);
        if let Some(mv) = hash_move {
            self.candidates.prefer_capture(mv);
        }
    }

    /// The next capture or promotion, best first.
    pub fn next_capture(&mut self) -> Option<Move> {
        self.candidates.next_capture().map(|scored| scored.mv)
    }

    /// The next move.
    pub fn next_move(
        &mut self,
        position: &Position<W>,
        evaluation: &Evaluation,
        history: &History,
    ) -> Option<Picked> {
        loop {
            let stage = self.stage;
            let found = match stage {
                Stage::HashMove => {
                    self.stage = Stage::GoodCaptures;
                    self.hints.hash_move.filter(|mv| self.candidates.contains(*mv)).map(|mv| (0, mv))
                }
                Stage::GoodCaptures => self.next_good_capture(position, evaluation),
                Stage::Killers => self.next_killer(position),
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, history);
                    self.stage = Stage::Quiets;
                    None
                }
                Stage::Quiets => self.next_quiet(),
                Stage::BadCaptures => {
                    let mv = self.bad_captures.get(self.next).copied()?;
                    self.next += 1;
                    Some((0, mv))
                }
            };
            if let Some((history, mv)) = found {
                return Some(Picked { mv, stage, history });
            }
        }
    }

    fn next_good_capture(&mut self, position: &Position<W>, evaluation: &Evaluation) -> Option<(i32, Move)> {
        while let Some(mv) = self.next_capture() {
            if Some(mv) == self.hints.hash_move {
                continue;
            }
            if See(evaluation.values()).ge(position, mv, 0) {
                return Some((0, mv));
            }
            self.bad_captures.push(mv);
        }
        (self.stage, self.next) = (Stage::Killers, 0);
        None
    }

    fn next_killer(&mut self, position: &Position<W>) -> Option<(i32, Move)> {
        while let Some(killer) = self.hints.killers.get(self.next).copied() {
            self.next += 1;
            let was_picked = |mv: Move| {
                Some(mv) == self.hints.hash_move || self.hints.killers[..self.next - 1].contains(&Some(mv))
            };
            let usable =
                |mv: &Move| is_quiet(position, *mv) && !was_picked(*mv) && self.candidates.contains(*mv);
            if let Some(mv) = killer.filter(usable) {
                return Some((0, mv));
            }
        }
        self.stage = Stage::GenerateQuiets;
        None
    }

    fn next_quiet(&mut self) -> Option<(i32, Move)> {
        while let Some(Scored { score, mv, .. }) = self.candidates.next_best_quiet() {
            let was_picked = Some(mv) == self.hints.hash_move || self.hints.killers.contains(&Some(mv));
            if !was_picked {
                return Some((score, mv));
            }
        }
        (self.stage, self.next) = (Stage::BadCaptures, 0);
        None
    }

    fn generate_quiets(&mut self, position: &Position<W>, history: &History) {
        let (previous, side) = (self.hints.previous, position.turn().0);
        self.candidates.list_quiets(position, |_| 0);
        for Scored { score, mv, .. } in &mut self.candidates.quiets {
            *score = history.score(side, history.piece_to(position.mover(*mv), *mv), previous);
        }
        // A killer that captures here was skipped as a killer and is not among the quiet moves.
        self.hints.killers = self.hints.killers.map(|killer| killer.filter(|mv| is_quiet(position, *mv)));
    }
}

/// Whether a move neither captures nor promotes.
#[inline(always)]
pub fn is_quiet<W: Word>(position: &Position<W>, mv: Move) -> bool {
    position.victim(mv).is_none() && mv.becomes().is_none()
}
