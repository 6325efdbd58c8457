//! Moves without the rule of check: of some move classes, on a board that may differ from the state's.
//!
//! In: move classes and the squares they see. Out: their moves. Never: whether a royal piece is left to be captured.

use ashta_rules::{Side, Square};

use super::{Bond, Generator, PromotionFilter};
use crate::attack::AttackView;
use crate::sink::{AnyMove, Sink};
use crate::state::State;
use crate::tables::{MoveClasses, RuleTables};
use crate::word::Word;

/// A board as moving pieces see it.
#[derive(Clone, Copy)]
pub struct PseudoLegalBoard<'a, W> {
    pub tables: &'a RuleTables<W>,
    /// Where the pieces that move are looked up.
    pub state: &'a State<W>,
    /// Squares that block.
    pub occupied: W,
    /// Pieces that may not be captured.
    pub spared: W,
}

impl<W: Word> PseudoLegalBoard<'_, W> {
    /// Emits the moves of a set of pieces.
    #[inline(always)]
    pub fn emit<S: Sink<W>, const F: u8, const PEXT: bool>(
        &self,
        classes: &MoveClasses<W>,
        movers: W,
        sink: &mut S,
    ) {
        self.generator::<F, PEXT>().class_moves(classes, movers, sink);
    }

    /// Where a piece with these move classes gets to from a square, wherever it is in the state.
    #[inline(always)]
    pub fn targets<const F: u8, const PEXT: bool>(&self, classes: &MoveClasses<W>, from: Square) -> W {
        self.generator::<F, PEXT>().piece_targets(classes, from)
    }

    #[inline(always)]
    fn generator<const F: u8, const PEXT: bool>(&self) -> Generator<'_, W, F, PEXT> {
        let (empty, captured) = (self.tables.board & !self.occupied, self.occupied & !self.spared);
        Generator {
            view: AttackView {
                tables: self.tables,
                state: self.state,
                occupied: self.occupied,
                attackers: W::ZERO,
            },
            me: Side::FIRST,
            us: &self.tables.sides[0],
            them: &self.tables.sides[0],
            own: W::ZERO,
            targets: [empty | captured, empty, captured],
            guard: None,
            hoppers_aim: false,
            bond: Bond::NONE,
            protected: W::ZERO,
            promotions: PromotionFilter::All,
            any_move: no_drops,
        }
    }
}

/// Moves of the board alone never ask whether a drop mates.
fn no_drops<W: Word>(_: &RuleTables<W>, _: &State<W>, _: &mut AnyMove) {}
