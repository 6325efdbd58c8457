//! A move in four bytes.
//!
//! In: squares and kinds. Out: [`Move`]. Never: whether it is legal.
//!
//! Layout: from, to, a middle square (where en passant captures), and a tag of two bits
//! for the type of move and six for a kind (what it promotes to, or what is dropped).

use ashta_rules::{KindId, Square};

/// A move of one ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u32);

/// The sort of a move, with what it needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A piece goes from one square to another, captures what stands there, and may promote.
    Go {
        from: Square,
        /// To here; the same square when a piece promotes where it stands.
        to: Square,
        /// What it becomes.
        becomes: Option<KindId>,
    },
    /// A piece comes from the hand.
    Drop { kind: KindId, to: Square },
    /// The royal piece castles.
    Castle { from: Square, to: Square },
    /// A piece goes to an empty square and captures the one that has just passed over it.
    EnPassant {
        from: Square,
        to: Square,
        /// The piece that is captured stands here.
        victim: Square,
    },
    /// Nothing moves.
    Pass,
}

const NO_KIND: u32 = 63;
const GO: u32 = 0;
const DROP: u32 = 1;
const CASTLE: u32 = 2;
const EN_PASSANT: u32 = 3;

impl Move {
    /// Nothing moves.
    pub const PASS: Move = Move::new(0, 0, 0, GO, NO_KIND);

    const fn new(from: u8, to: u8, middle: u8, sort: u32, kind: u32) -> Move {
        Move(from as u32 | (to as u32) << 8 | (middle as u32) << 16 | kind << 24 | sort << 30)
    }

    #[inline(always)]
    pub(crate) fn go(from: u8, to: u8) -> Move {
        Move::new(from, to, 0, GO, NO_KIND)
    }

    #[inline(always)]
    pub(crate) fn promoting(from: u8, to: u8, kind: KindId) -> Move {
        Move::new(from, to, 0, GO, u32::from(kind.0))
    }

    #[inline(always)]
    pub(crate) fn drop(kind: KindId, to: u8) -> Move {
        Move::new(0, to, 0, DROP, u32::from(kind.0))
    }

    #[inline(always)]
    pub(crate) fn castle(from: u8, to: u8, index: u8) -> Move {
        Move::new(from, to, index, CASTLE, NO_KIND)
    }

    #[inline(always)]
    pub(crate) fn en_passant(from: u8, to: u8, victim: u8) -> Move {
        Move::new(from, to, victim, EN_PASSANT, NO_KIND)
    }

    /// The four bytes.
    #[inline(always)]
    pub(crate) fn raw(self) -> u32 {
        self.0
    }

    /// From four bytes of [`Move::raw`].
    #[inline(always)]
    pub(crate) fn from_raw(raw: u32) -> Move {
        Move(raw)
    }

    /// The four bytes, for files of records; the layout is described at the top of this file and is frozen.
    #[inline]
    pub fn to_bits(self) -> u32 {
        self.0
    }

    /// From the bytes of [`Move::to_bits`]. Others make a move that means nothing and is never legal.
    #[inline]
    pub fn from_bits(bits: u32) -> Move {
        Move(bits)
    }

    #[inline(always)]
    pub(crate) fn raw_from(self) -> u8 {
        self.0 as u8
    }

    #[inline(always)]
    pub(crate) fn raw_to(self) -> u8 {
        (self.0 >> 8) as u8
    }

    #[inline(always)]
    pub(crate) fn raw_middle(self) -> u8 {
        (self.0 >> 16) as u8
    }

    #[inline(always)]
    pub(crate) fn raw_kind(self) -> Option<KindId> {
        let kind = self.0 >> 24 & 63;
        (kind != NO_KIND).then_some(KindId(kind as u8))
    }

    /// Whether it is neither a drop nor castling nor en passant.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        self.0 >> 30 == GO
    }

    #[inline(always)]
    pub(crate) fn is_drop(self) -> bool {
        self.0 >> 30 == DROP
    }

    #[inline(always)]
    pub(crate) fn is_castle(self) -> bool {
        self.0 >> 30 == CASTLE
    }

    /// What the move does.
    pub fn action(self) -> Action {
        let (from, to, middle) = (Square(self.raw_from()), Square(self.raw_to()), Square(self.raw_middle()));
        let kind = self.raw_kind();
        match (self.0 >> 30, kind) {
            (DROP, Some(kind)) => Action::Drop { kind, to },
            (CASTLE, _) => Action::Castle { from, to },
            (EN_PASSANT, _) => Action::EnPassant { from, to, victim: middle },
            (_, None) if from == to => Action::Pass,
            (_, becomes) => Action::Go { from, to, becomes },
        }
    }

    /// What the moving piece becomes, if it promotes.
    #[inline(always)]
    pub fn becomes(self) -> Option<KindId> {
        if self.is_drop() { None } else { self.raw_kind() }
    }

    /// Its target, if anything moves.
    #[inline]
    pub fn to(self) -> Option<Square> {
        (self != Move::PASS).then(|| Square(self.raw_to()))
    }

    /// Where it starts, unless it is a drop or a pass.
    #[inline]
    pub fn from(self) -> Option<Square> {
        (self != Move::PASS && !self.is_drop()).then(|| Square(self.raw_from()))
    }
}
