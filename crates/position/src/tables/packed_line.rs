//! A line of a ride on a board that is too large for packed tables: its squares are gathered with PEXT into a few bits, the
//! reach is found among these by obstruction difference, and spread again with PDEP.
//!
//! In: the squares of a line below and above a square. Out: reach. Never: processors without these instructions.

use super::pext_table::pext;
use crate::word::Word;

/// The squares of one line from one square, but for the square itself.
#[derive(Clone, Copy, Debug)]
pub struct PackedLine<W> {
    squares: W,
    /// The packed bits of those below the square.
    lower: u32,
}

impl<W: Word> PackedLine<W> {
    pub fn new(lower: W, upper: W) -> PackedLine<W> {
        PackedLine { squares: lower | upper, lower: (1 << lower.count().min(31)) - 1 }
    }

    /// Subtracting the nearest lower blocker from the upper ones flips all between.
    #[inline(always)]
    pub fn reach(&self, occupied: W) -> W {
        let blockers = occupied.pext(self.squares, 0, pext()) as u64;
        let below = blockers & u64::from(self.lower);
        let nearest_below = (1 << 63) >> (below | 1).leading_zeros();
        let above = blockers & !u64::from(self.lower);
        W::pdep(above ^ above.wrapping_sub(nearest_below), self.squares, 0, pext())
    }
}
