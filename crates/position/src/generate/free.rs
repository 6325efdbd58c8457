//! Moves without the rule of check: of some units, on a board that may differ from the state's.
//!
//! In: units and the squares they see. Out: their moves. Never: whether a royal piece is left to be captured.

use super::{Generator, Promotions};
use crate::attack::Scene;
use crate::sink::Sink;
use crate::state::State;
use crate::tables::{Tables, Units};
use crate::word::Word;

/// A board as moving pieces see it.
#[derive(Clone, Copy)]
pub struct FreeBoard<'a, W> {
    pub tables: &'a Tables<W>,
    /// Where the pieces that move are looked up.
    pub state: &'a State<W>,
    /// Squares that block.
    pub occupied: W,
    /// Pieces that may not be captured.
    pub spared: W,
}

impl<W: Word> FreeBoard<'_, W> {
    /// Gives the moves of all men of a set.
    #[inline(always)]
    pub fn give<S: Sink<W>, const F: u8, const GATHERS: bool>(&self, units: &Units<W>, men: W, sink: &mut S) {
        self.generator::<F, GATHERS>().unit_moves(units, men, sink);
    }

    /// Where a piece with these units gets to from a square, wherever it is in the state.
    #[inline(always)]
    pub fn ends<const F: u8, const GATHERS: bool>(&self, units: &Units<W>, from: u8) -> W {
        self.generator::<F, GATHERS>().piece_ends(units, from)
    }

    #[inline(always)]
    fn generator<const F: u8, const GATHERS: bool>(&self) -> Generator<'_, W, F, GATHERS> {
        let (empty, captured) = (self.tables.board & !self.occupied, self.occupied & !self.spared);
        Generator {
            scene: Scene {
                tables: self.tables,
                state: self.state,
                occupied: self.occupied,
                attackers: W::ZERO,
            },
            me: 0,
            us: &self.tables.sides[0],
            own: W::ZERO,
            ends: [empty | captured, empty, captured],
            guard: None,
            promotions: Promotions::All,
        }
    }
}
