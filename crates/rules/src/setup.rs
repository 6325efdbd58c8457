//! A position as written, not yet checked.
//!
//! In: pieces on squares, hands, counters. Out: the same. Never: text, or whether such a position can be played.

use crate::grid::{Side, Square};
use crate::rule_parts::KindId;

/// A count that runs against the side that should win by now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// After how many plies it has run out.
    pub limit: u16,
    /// Plies counted.
    pub plies: u32,
}

/// A position as written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// What stands on each square.
    pub board: Vec<Option<(Side, KindId)>>,
    /// How many pieces of each kind each side holds: `hands[side][kind]`.
    pub hands: Vec<Vec<u8>>,
    /// The side to move.
    pub turn: u8,
    /// Rights not yet lost: a bit for each castling right of the rules, then one for each first-move square.
    pub rights: u32,
    /// The square that a piece has just stepped over.
    pub en_passant: Option<Square>,
    /// The square of a capture that the rules remember for one turn.
    pub remembered_capture: Option<Square>,
    /// Plies without progress.
    pub quiet: u32,
    /// The count that runs; plies without progress are then not counted.
    pub counting: Option<Count>,
    /// Plies played before this position.
    pub ply: u32,
}
