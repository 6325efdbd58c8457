//! Squares as small numbers, and sets of them.
//!
//! In: squares. Out: sets. Never: the shape of a board.

/// One square, numbered file by file: `file * ranks + rank`.
///
/// File-major order keeps a file's squares in consecutive bits of a bitboard.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

impl Square {
    /// As an index into tables by square.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares of any board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
pub struct SquareSet([u64; 4]);

impl SquareSet {
    /// The set without squares.
    pub const EMPTY: SquareSet = SquareSet([0; 4]);

    /// Whether the square is in the set.
    #[inline]
    pub fn has(&self, square: Square) -> bool {
        self.0[square.0 as usize / 64] >> (square.0 % 64) & 1 == 1
    }

    /// Puts a square in.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        self.0[square.0 as usize / 64] |= 1 << (square.0 % 64);
    }

    /// Whether no square is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        *self == SquareSet::EMPTY
    }

    /// The squares, in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Square> {
        (0..=255).map(Square).filter(|square| self.has(*square))
    }

    /// The squares that are in both.
    #[inline]
    pub fn and(&self, other: &SquareSet) -> SquareSet {
        SquareSet(std::array::from_fn(|n| self.0[n] & other.0[n]))
    }

    /// The set as four words of 64 squares.
    #[inline]
    pub fn words(&self) -> [u64; 4] {
        self.0
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        let mut set = SquareSet::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}
