//! What a contest remembers besides its pieces.

use ashta_rules::Side;

use super::Roll;

/// Everything of a contest but the pieces and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnState {
    pub(super) roll: Option<Roll>,
    /// The side that is asked whether it wants an exchange.
    pub(super) asked: Option<Side>,
    /// Sides that have agreed to an exchange, as bits.
    pub(super) agreed: u8,
    /// Sides that still play, as bits.
    pub(super) living: u8,
    /// Sides whose royal piece is to be put back, as bits.
    pub(super) returning: u8,
    /// Sides that command their partner's pieces for good, as bits.
    pub(super) commanding: u8,
    /// By side: who holds its royal piece.
    pub(super) holders: [Option<Side>; 4],
    /// By side: how often its last royal piece was taken.
    pub(super) n_taken: [u8; 4],
    /// Points for captures, by side.
    pub(super) points: [u16; 4],
    /// How often a block was filled.
    pub(super) n_blocks: u8,
    /// How often royal pieces were exchanged.
    pub(super) n_exchanges: u8,
}

impl TurnState {
    pub(super) fn new() -> TurnState {
        TurnState {
            roll: None,
            asked: None,
            agreed: 0,
            living: 0,
            returning: 0,
            commanding: 0,
            holders: [None; 4],
            n_taken: [0; 4],
            points: [0; 4],
            n_blocks: 0,
            n_exchanges: 0,
        }
    }

    /// The numbers thrown for the present turn.
    #[inline]
    pub fn roll(&self) -> Option<Roll> {
        self.roll
    }

    /// Who holds a side's royal piece.
    #[inline]
    pub fn holder(&self, side: Side) -> Option<Side> {
        self.holders.get(side.index()).copied().flatten()
    }

    /// How often a side's last royal piece was taken.
    #[inline]
    pub fn n_taken(&self, side: Side) -> u8 {
        self.n_taken.get(side.index()).copied().unwrap_or(0)
    }

    /// Whether a side still plays.
    #[inline(always)]
    pub(super) fn is_living(&self, side: Side) -> bool {
        self.living >> side.0 & 1 == 1
    }

    /// Whether a side waits to put its royal piece back on the board.
    #[inline]
    pub fn is_returning(&self, side: Side) -> bool {
        self.returning >> side.0 & 1 == 1
    }

    /// Points for captures.
    #[inline]
    pub fn points(&self, side: Side) -> u16 {
        self.points.get(side.index()).copied().unwrap_or(0)
    }

    /// How often a block was filled.
    #[inline]
    pub fn n_blocks(&self) -> u8 {
        self.n_blocks
    }

    /// How often royal pieces were exchanged.
    #[inline]
    pub fn n_exchanges(&self) -> u8 {
        self.n_exchanges
    }

    /// A key of what decides the moves to come: not the throw, and no counts.
    pub(super) fn key(&self) -> u64 {
        let mut bytes = [0u8; 16];
        for side in 0..4 {
            bytes[side] = self.holders[side].map_or(0xFF, |holder| holder.0);
            bytes[4 + side] = self.n_taken[side].min(2);
        }
        bytes[8] = self.returning;
        bytes[9] = self.commanding;
        bytes[10] = self.asked.map_or(0xFF, |side| side.0);
        bytes[11] = self.agreed;
        let nothing = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0, 0, 0, 0, 0];
        if bytes == nothing {
            return 0;
        }
        let (low, high) = bytes.split_at(8);
        let number = |half: &[u8]| half.iter().fold(0, |all, byte| all << 8 | u64::from(*byte));
        mixed(number(low) ^ number(high).rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A key of the points, for contests in which they decide.
    pub(super) fn points_key(&self) -> u64 {
        let all = self.points.iter().fold(0, |all, points| all << 16 | u64::from(*points));
        if all == 0 { 0 } else { mixed(!all) }
    }
}

/// SplitMix64's finaliser; frozen like the terms of pieces.
fn mixed(mut key: u64) -> u64 {
    key = (key ^ key >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ key >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ key >> 31
}
