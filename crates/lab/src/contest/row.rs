//! What is remembered of one contest.

/// What is remembered of one contest beside its [`GameRow`](crate::GameRow), in which plies are turns and moves are turns that
/// the dice allowed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ContestRow {
    /// Legal turns of all rolls, summed over the turns taken.
    pub n_all_rolls: u64,
    /// Twice the legal turns before the throw, summed over the turns taken.
    pub n_before_doubled: u64,
    /// Moves of pieces.
    pub n_piece_moves: u32,
    /// Turns without a move.
    pub n_passes: u32,
    /// Exchanges of royal pieces.
    pub n_exchanges: u8,
    /// Blocks filled.
    pub n_blocks: u8,
    /// How often each side took each other's last royal piece: `takes[by][of]`.
    pub takes: [[u8; 4]; 4],
}
