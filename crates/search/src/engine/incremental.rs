//! The incrementally updated part of the evaluation: material, piece-square tables, hands.
//!
//! In: a position and a move of it. Out: the score after it, from the first side. Never: terms that depend on several
//! pieces.

use ashta_position::{Action, Move, Position, Word};
use ashta_rules::{Hand, KindId, Rules, Side, Square};

use super::piece_square::{TaperedScore, is_pawn_like, piece_square_values};
use super::piece_values::EngineValues;
use crate::values::Values;

/// Material and piece-square score of the first side minus the second, and the game phase.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct IncrementalScore {
    pub tapered: TaperedScore,
    /// Value of the non-pawn material of both sides.
    pub phase: i32,
}

/// Scores of pieces by side, kind and square.
#[derive(Clone, Debug)]
pub struct MaterialTables {
    /// By side, kind and square; negative for the second side.
    on_board: Vec<TaperedScore>,
    /// By side and kind.
    in_hand: Vec<TaperedScore>,
    /// By kind.
    phase: Vec<i32>,
    n_kinds: usize,
    n_squares: usize,
    captures_to_hand: bool,
}

/// A piece in hand can be anywhere soon.
const HAND_BONUS_PERCENT: i32 = 8;

impl MaterialTables {
    /// Tables of a game of two sides.
    pub fn new(rules: &Rules, values: &EngineValues, learned: Option<&Values>) -> MaterialTables {
        let (n_kinds, n_squares) = (rules.kinds().len(), rules.grid().n_squares());
        let squares = piece_square_values(rules, values, learned);
        let (mut on_board, mut in_hand) = (Vec::new(), Vec::new());
        for (n, side) in rules.sides().iter().enumerate() {
            let signed = |pair: TaperedScore| if n == 0 { pair } else { TaperedScore::default() - pair };
            for kind in rules.kind_ids() {
                for square in rules.grid().squares() {
                    let seen = rules.grid().turned(square, (4 - side.quarters % 4) % 4);
                    let on_square = squares[kind.index() * n_squares + usize::from(seen.0)];
                    on_board.push(signed(TaperedScore::both(values.on_board(kind.index())) + on_square));
                }
                let held = values.in_hand(kind.index()) * (100 + HAND_BONUS_PERCENT) / 100;
                in_hand.push(signed(TaperedScore::both(held)));
            }
        }
        let counts = |kind: KindId| !rules.kind(kind).royal && !is_pawn_like(rules, values, kind);
        let phase = rules.kind_ids().map(|kind| if counts(kind) { values.on_board(kind.index()) } else { 0 });
        let captures_to_hand = rules.hand() == Hand::Captures;
        MaterialTables { on_board, in_hand, phase: phase.collect(), n_kinds, n_squares, captures_to_hand }
    }

    #[inline(always)]
    fn piece(&self, side: Side, kind: KindId, square: Square) -> TaperedScore {
        self.on_board[(side.index() * self.n_kinds + kind.index()) * self.n_squares + usize::from(square.0)]
    }

    #[inline(always)]
    fn held(&self, side: Side, kind: KindId) -> TaperedScore {
        self.in_hand[side.index() * self.n_kinds + kind.index()]
    }

    /// The score of a position from scratch.
    pub fn score<W: Word>(&self, position: &Position<W>) -> IncrementalScore {
        let mut score = IncrementalScore::default();
        for square in position.rules().grid().squares() {
            if let Some((side, kind)) = position.piece(square) {
                score.tapered += self.piece(side, kind, square);
                score.phase += self.phase[kind.index()];
            }
        }
        if position.rules().hand() != Hand::None {
            for side in [Side(0), Side(1)] {
                for kind in position.rules().kind_ids() {
                    for _ in 0..position.in_hand(side, kind) {
                        score.tapered += self.held(side, kind);
                        score.phase += self.phase[kind.index()];
                    }
                }
            }
        }
        score
    }

    /// The score after a legal move of the position.
    #[inline]
    pub fn after<W: Word>(
        &self,
        position: &Position<W>,
        mv: Move,
        mut score: IncrementalScore,
    ) -> IncrementalScore {
        let me = position.turn();
        match mv.action() {
            Action::Go { from, to, becomes } => {
                if from != to {
                    self.capture(position, to, &mut score);
                }
                self.shift(position, (from, to), becomes, &mut score);
            }
            Action::EnPassant { from, to, victim } => {
                self.capture(position, victim, &mut score);
                self.shift(position, (from, to), None, &mut score);
            }
            Action::TwoLegs { from, middle, to } => {
                self.capture(position, middle, &mut score);
                if from != to {
                    self.capture(position, to, &mut score);
                    self.shift(position, (from, to), None, &mut score);
                }
            }
            Action::Drop { kind, to } => {
                score.tapered += self.piece(me, kind, to) - self.held(me, kind);
            }
            Action::Castle { from, to } => {
                let castlings = position.rules().castlings();
                let castling = castlings.iter().find(|castling| castling.royal == (from, to));
                if let Some(castling) = castling {
                    self.shift(position, castling.partner, None, &mut score);
                }
                self.shift(position, (from, to), None, &mut score);
            }
            Action::Pass => {}
        }
        score
    }

    #[inline(always)]
    fn shift<W: Word>(
        &self,
        position: &Position<W>,
        (from, to): (Square, Square),
        becomes: Option<KindId>,
        score: &mut IncrementalScore,
    ) {
        let Some((side, kind)) = position.piece(from) else { return };
        let new = becomes.unwrap_or(kind);
        score.tapered += self.piece(side, new, to) - self.piece(side, kind, from);
        score.phase += self.phase[new.index()] - self.phase[kind.index()];
    }

    #[inline(always)]
    fn capture<W: Word>(&self, position: &Position<W>, square: Square, score: &mut IncrementalScore) {
        let Some((side, kind)) = position.piece(square) else { return };
        score.tapered = score.tapered - self.piece(side, kind, square);
        score.phase -= self.phase[kind.index()];
        if self.captures_to_hand {
            let demoted = position.rules().kind(kind).demoted;
            let drops = position.rules().kind(demoted).drop.is_some();
            if drops {
                score.tapered += self.held(position.turn(), demoted);
                score.phase += self.phase[demoted.index()];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ashta_position::{CompiledRules, Game, Line, with_line};
    use ashta_rules::{game_names, load};

    fn check<W: Word>(tables: &MaterialTables, line: &Line<W>) {
        let before = tables.score(line.position());
        for mv in line.position().legal_moves() {
            let mut position = line.position().clone();
            let after = tables.after(&position, mv, before);
            position.play_unchecked(mv);
            assert_eq!(after, tables.score(&position), "{} {mv:?}", line.position().text());
        }
    }

    #[test]
    fn incremental_updates_equal_the_score_from_scratch() {
        for name in game_names() {
            let rules = load(name).expect(name);
            if !rules.is_two_sided() {
                continue;
            }
            let tables = MaterialTables::new(&rules, &EngineValues::new(&rules, None), None);
            let compiled = CompiledRules::new(rules);
            let (mut game, mut seed) = (Game::start(&compiled), 9u64);
            for _ in 0..150 {
                with_line!(game.line(), line => check(&tables, line));
                let moves = game.legal_moves();
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                match moves.get((seed >> 33) as usize % moves.len().max(1)) {
                    Some(mv) if game.outcome().is_none() => game.play_unchecked(*mv),
                    _ => game = Game::start(&compiled),
                }
            }
        }
    }
}
