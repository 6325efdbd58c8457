//! What moves have blown up: kept beside the undo records, which have no room for it.
//!
//! In: pieces as they are removed. Out: the same, when the move is taken back. Never: games without explosions, for which it
//! stays empty.

use ashta_rules::Square;

use crate::piece::Piece;

/// The pieces that the explosions of a line have removed, the last ones last.
#[derive(Clone, Default, Debug)]
pub struct Exploded {
    pieces: Vec<(Square, Piece)>,
    /// Where those of each explosion begin.
    starts: Vec<usize>,
}

impl Exploded {
    /// Another explosion.
    pub fn begin(&mut self) {
        self.starts.push(self.pieces.len());
    }

    pub fn add(&mut self, square: Square, piece: Piece) {
        self.pieces.push((square, piece));
    }

    /// Gives the pieces of the last explosion back.
    pub fn take_back(&mut self, mut put: impl FnMut(Square, Piece)) {
        let start = self.starts.pop().unwrap_or(self.pieces.len());
        self.pieces.drain(start..).for_each(|(square, piece)| put(square, piece));
    }
}
