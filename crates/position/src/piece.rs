//! A piece in one byte.
//!
//! In: a side and a kind. Out: [`Piece`]; [`Occupant`], a piece or none in the same byte. Never: where it stands.
//!
//! Layout: two bits for the side, six for the kind. All bits set mean no piece: kinds are numbered below 63.

use ashta_rules::{KindId, MAX_KINDS, Side};

const _: () = assert!(MAX_KINDS < 64, "a piece and no piece must differ");

/// A piece: its side and its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece(u8);

impl Piece {
    /// How many values [`Piece::index`] may have.
    pub(crate) const COUNT: usize = 256;

    /// A piece of a side.
    #[inline(always)]
    pub fn new(side: Side, kind: KindId) -> Piece {
        Piece(side.0 << 6 | kind.0)
    }

    /// Its kind.
    #[inline(always)]
    pub fn kind(self) -> KindId {
        KindId(self.0 & 63)
    }

    /// Its side.
    #[inline(always)]
    pub fn side(self) -> Side {
        Side(self.0 >> 6)
    }

    /// A piece of the same side and another kind.
    #[inline(always)]
    pub(crate) fn promoted(self, kind: KindId) -> Piece {
        Piece::new(self.side(), kind)
    }

    /// As an index into tables by piece, below [`Piece::COUNT`].
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece or none, in one byte: what boards and undo records store. An `Option<Piece>` takes two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occupant(u8);

impl Occupant {
    /// No piece.
    pub const NONE: Occupant = Occupant(0xFF);

    /// The piece, if there is one.
    #[inline(always)]
    pub fn piece(self) -> Option<Piece> {
        (self != Occupant::NONE).then_some(Piece(self.0))
    }

    /// The piece, where there is one. Unspecified on an empty square, which saves the test.
    #[inline(always)]
    pub fn piece_unchecked(self) -> Piece {
        Piece(self.0)
    }
}

impl From<Piece> for Occupant {
    #[inline(always)]
    fn from(piece: Piece) -> Occupant {
        Occupant(piece.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_keeps_its_side_and_kind() {
        for (side, kind) in (0..4).flat_map(|side| (0..MAX_KINDS as u8).map(move |kind| (side, kind))) {
            let piece = Piece::new(Side(side), KindId(kind));
            assert_eq!((piece.side(), piece.kind()), (Side(side), KindId(kind)));
            assert_eq!(Occupant::from(piece).piece(), Some(piece));
            assert_eq!(piece.promoted(KindId(0)), Piece::new(Side(side), KindId(0)));
        }
        assert_eq!(Occupant::NONE.piece(), None);
    }
}
