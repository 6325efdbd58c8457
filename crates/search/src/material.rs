//! Material: the pieces of one side minus those of the others, and how a move changes it.
//!
//! In: values, a position. Out: a balance for the side to move. Never: where pieces stand.

use ashta_position::{Move, Position, Word};
use ashta_rules::{Hand, KindId, Rules, Side};

use crate::values::Values;

/// Values of a game's pieces, ready for positions: what is captured, what is gained in hand.
#[derive(Clone, Debug)]
pub struct Material {
    values: Values,
    /// By kind: what a capture of it changes.
    captured: Vec<i32>,
}

impl Material {
    /// The material of a game; pieces in hand count like pieces on the board.
    pub fn new(rules: &Rules, values: Values) -> Material {
        let gained = |kind: KindId| match rules.hand() {
            Hand::Captures if !rules.kind(kind).royal => values.of(rules.kind(kind).demoted),
            Hand::Captures | Hand::None | Hand::SetUp => 0,
        };
        let captured = rules.kind_ids().map(|kind| values.of(kind) + gained(kind)).collect();
        Material { values, captured }
    }

    /// The values.
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Own pieces minus the others', for the side to move; partners count as own.
    pub fn balance<W: Word>(&self, position: &Position<W>) -> i32 {
        let sides = position.rules().sides();
        let team = sides[position.turn().index()].team;
        let signed = |side: Side, value: i32| if sides[side.index()].team == team { value } else { -value };
        let on_board = position.rules().grid().squares().filter_map(|square| position.piece(square));
        let board: i32 = on_board.map(|(side, kind)| signed(side, self.values.of(kind))).sum();
        let mut hands = 0;
        if position.rules().hand() != Hand::None {
            for side in (0..sides.len() as u8).map(Side) {
                for kind in position.rules().kind_ids() {
                    let count = i32::from(position.in_hand(side, kind));
                    hands += signed(side, self.values.of(kind) * count);
                }
            }
        }
        board + hands
    }

    /// What a move of the side to move adds to its balance.
    #[inline(always)]
    pub fn gain<W: Word>(&self, position: &Position<W>, mv: Move) -> i32 {
        let captured = position.victim(mv).map_or(0, |kind| self.captured[kind.index()]);
        let promoted = match (mv.becomes(), position.mover(mv)) {
            (Some(new), Some(old)) => self.values.of(new) - self.values.of(old),
            _ => 0,
        };
        captured + promoted
    }
}
