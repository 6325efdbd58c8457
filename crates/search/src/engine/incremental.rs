//! The incrementally updated part of the evaluation: material, piece-square tables, hands.
//!
//! In: a position and a move of it. Out: the score after it, from the first side. Never: terms that depend on several
//! pieces.

use ashta_position::{Move, Position, Word};
use ashta_rules::{Hand, KindId, Rules, Side};

use super::piece_square::{TaperedScore, is_pawn_like, piece_square_values};
use super::piece_values::EngineValues;
use crate::exchange::{PieceChange, SquareTable, changes};
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
    /// Negative for the second side.
    on_board: SquareTable<TaperedScore>,
    /// By side and kind.
    in_hand: Vec<TaperedScore>,
    /// By kind.
    phase: Vec<i32>,
    n_kinds: usize,
    captures_to_hand: bool,
}

/// A piece in hand can be anywhere soon.
const HAND_BONUS_PERCENT: i32 = 8;

impl MaterialTables {
    /// Tables of a game of two sides.
    pub fn new(rules: &Rules, values: &EngineValues, learned: Option<&Values>) -> MaterialTables {
        let (n_kinds, n_squares) = (rules.kinds().len(), rules.grid().n_squares());
        let squares = piece_square_values(rules, values, learned);
        let signed = |side: Side, score: TaperedScore| {
            if side == Side::FIRST { score } else { TaperedScore::default() - score }
        };
        let on_board = SquareTable::new(rules, |side, kind, square| {
            let on_square = squares[kind.index() * n_squares + usize::from(square.0)];
            signed(side, TaperedScore::both(values.on_board(kind.index())) + on_square)
        });
        let held = |kind: KindId| values.in_hand(kind.index()) * (100 + HAND_BONUS_PERCENT) / 100;
        let in_hand = [Side::FIRST, Side::SECOND]
            .into_iter()
            .flat_map(|side| rules.kind_ids().map(move |kind| (side, kind)))
            .map(|(side, kind)| signed(side, TaperedScore::both(held(kind))))
            .collect();
        let counts = |kind: KindId| !rules.kind(kind).royal && !is_pawn_like(rules, values, kind);
        let phase = rules.kind_ids().map(|kind| if counts(kind) { values.on_board(kind.index()) } else { 0 });
        let captures_to_hand = rules.hand() == Hand::Captures;
        MaterialTables { on_board, in_hand, phase: phase.collect(), n_kinds, captures_to_hand }
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
                score.tapered += self.on_board.of(side, kind, square);
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
        changes(position, mv, |change| match change {
            PieceChange::Go { side, kind, from, to, becomes } => {
                score.tapered += self.on_board.of(side, becomes, to) - self.on_board.of(side, kind, from);
                score.phase += self.phase[becomes.index()] - self.phase[kind.index()];
            }
            PieceChange::Taken { side, kind, square } => {
                score.tapered = score.tapered - self.on_board.of(side, kind, square);
                score.phase -= self.phase[kind.index()];
                let demoted = position.rules().kind(kind).demoted;
                if self.captures_to_hand && position.rules().kind(demoted).drop.is_some() {
                    score.tapered += self.held(position.turn(), demoted);
                    score.phase += self.phase[demoted.index()];
                }
            }
            PieceChange::Exploded { side, kind, square } => {
                score.tapered = score.tapered - self.on_board.of(side, kind, square);
                score.phase -= self.phase[kind.index()];
            }
            PieceChange::Dropped { kind, to } => {
                let (me, in_hand) = (position.turn(), position.rules().kind(kind).demoted);
                score.tapered += self.on_board.of(me, kind, to) - self.held(me, in_hand);
                score.phase += self.phase[kind.index()] - self.phase[in_hand.index()];
            }
        });
        score
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
