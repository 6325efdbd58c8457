//! A move in four bytes.
//!
//! In: squares and kinds. Out: [`Move`]; [`MovePattern`], moves that differ in their end only. Never: whether it is legal.
//! No other file knows the layout.
//!
//! Layout: from, to, a middle square (where en passant and moves of two legs capture on the way), and a tag of two bits
//! for the type of move and six for a kind (what it promotes to, or what is dropped). En passant and moves of two legs share
//! a type: the kind bits of en passant mean no kind.

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
    /// A piece captures on the middle square and goes on: to an empty square, to another capture, or back to its start.
    TwoLegs { from: Square, middle: Square, to: Square },
    /// Nothing moves.
    Pass,
}

const NO_KIND: u32 = 63;
const GO: u32 = 0;
const DROP: u32 = 1;
const CASTLE: u32 = 2;
const ON_THE_WAY: u32 = 3;
/// The kind bits of a move of two legs, by which it differs from en passant.
const TWO_LEGS: u32 = 0;

impl Move {
    /// Nothing moves.
    pub const PASS: Move = Move::new(0, 0, 0, GO, NO_KIND);

    const fn new(from: u8, to: u8, middle: u8, sort: u32, kind: u32) -> Move {
        Move(from as u32 | (to as u32) << 8 | (middle as u32) << 16 | kind << 24 | sort << 30)
    }

    #[inline(always)]
    pub(crate) fn go(from: Square, to: Square) -> Move {
        Move::new(from.0, to.0, 0, GO, NO_KIND)
    }

    #[inline(always)]
    pub(crate) fn promoting(from: Square, to: Square, kind: KindId) -> Move {
        Move::new(from.0, to.0, 0, GO, u32::from(kind.0))
    }

    #[inline(always)]
    pub(crate) fn drop(kind: KindId, to: Square) -> Move {
        Move::new(0, to.0, 0, DROP, u32::from(kind.0))
    }

    #[inline(always)]
    pub(crate) fn castle(from: Square, to: Square, index: u8) -> Move {
        Move::new(from.0, to.0, index, CASTLE, NO_KIND)
    }

    #[inline(always)]
    pub(crate) fn en_passant(from: Square, to: Square, victim: Square) -> Move {
        Move::new(from.0, to.0, victim.0, ON_THE_WAY, NO_KIND)
    }

    #[inline(always)]
    pub(crate) fn two_legs(from: Square, middle: Square, to: Square) -> Move {
        Move::new(from.0, to.0, middle.0, ON_THE_WAY, TWO_LEGS)
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
    pub(crate) fn raw_from(self) -> Square {
        Square(self.0 as u8)
    }

    #[inline(always)]
    pub(crate) fn raw_to(self) -> Square {
        Square((self.0 >> 8) as u8)
    }

    /// Where the piece stands that is captured on the way.
    #[inline(always)]
    pub(crate) fn raw_victim(self) -> Square {
        Square((self.0 >> 16) as u8)
    }

    /// Which castling of its side it is.
    #[inline(always)]
    pub(crate) fn castling_index(self) -> usize {
        (self.0 >> 16) as u8 as usize
    }

    #[inline(always)]
    pub(crate) fn raw_kind(self) -> Option<KindId> {
        let kind = self.0 >> 24 & 63;
        (kind != NO_KIND).then_some(KindId(kind as u8))
    }

    /// Its start and its end as an index below 65536, for tables of moves.
    #[inline]
    pub fn from_to_index(self) -> usize {
        self.0 as u16 as usize
    }

    /// Whether it captures on the middle square and may capture on its end too.
    #[inline(always)]
    pub(crate) fn is_two_legs(self) -> bool {
        self.0 >> 24 == ON_THE_WAY << 6 | TWO_LEGS
    }

    /// Whether it is neither a drop nor castling nor a capture on the way.
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
    #[inline]
    pub fn action(self) -> Action {
        let (from, to, middle) = (self.raw_from(), self.raw_to(), self.raw_victim());
        let kind = self.raw_kind();
        match (self.0 >> 30, kind) {
            (DROP, Some(kind)) => Action::Drop { kind, to },
            (CASTLE, _) => Action::Castle { from, to },
            (ON_THE_WAY, None) => Action::EnPassant { from, to, victim: middle },
            (ON_THE_WAY, Some(_)) => Action::TwoLegs { from, middle, to },
            (_, None) if from == to => Action::Pass,
            (_, becomes) => Action::Go { from, to, becomes },
        }
    }

    /// What the moving piece becomes, if it promotes.
    #[inline(always)]
    pub fn becomes(self) -> Option<KindId> {
        if self.is_plain() { self.raw_kind() } else { None }
    }

    /// Its target, if anything moves.
    #[inline]
    pub fn to(self) -> Option<Square> {
        (self != Move::PASS).then(|| self.raw_to())
    }

    /// Where it starts, unless it is a drop or a pass.
    #[inline]
    pub fn from(self) -> Option<Square> {
        (self != Move::PASS && !self.is_drop()).then(|| self.raw_from())
    }
}

/// Moves that differ in their end only: of one piece, of several pieces by the same shift, or drops of one kind; or one
/// move alone.
///
/// The move to `to` is `first + to * step`, as four bytes: a move from a fixed square has its end in the second byte;
/// one by a fixed shift has its start go along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MovePattern {
    first: u32,
    step: u32,
}

/// What moves in the moves of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PatternMover {
    /// The piece on a square; it may promote.
    Piece { from: Square, becomes: Option<KindId> },
    /// A piece of a kind in hand.
    Drop { kind: KindId },
    /// Several pieces by the same shift; they may promote.
    Shifted { becomes: Option<KindId> },
    /// Whatever makes one move of another sort.
    Single,
}

const ONE_MOVE: u32 = 0;
const FIXED_START: u32 = 1 << 8;
const SHIFTED_START: u32 = 1 << 8 | 1;

impl MovePattern {
    /// The pass alone.
    pub(crate) const PASS: MovePattern = MovePattern { first: Move::PASS.0, step: ONE_MOVE };

    /// Moves of the piece on a square.
    #[inline(always)]
    pub(crate) fn going(from: Square) -> MovePattern {
        MovePattern { first: Move::go(from, Square(0)).0, step: FIXED_START }
    }

    /// Moves of the piece on a square that becomes another kind.
    #[inline(always)]
    pub(crate) fn promoting(from: Square, kind: KindId) -> MovePattern {
        MovePattern { first: Move::promoting(from, Square(0), kind).0, step: FIXED_START }
    }

    /// Drops of a kind.
    #[inline(always)]
    pub(crate) fn dropping(kind: KindId) -> MovePattern {
        MovePattern { first: Move::drop(kind, Square(0)).0, step: FIXED_START }
    }

    /// Moves by so many squares.
    #[inline(always)]
    pub(crate) fn shifted(by: i32) -> MovePattern {
        MovePattern::by(Move::go(Square(0), Square(0)), by)
    }

    /// Moves by so many squares, of pieces that become another kind.
    #[inline(always)]
    pub(crate) fn shifted_promoting(by: i32, kind: KindId) -> MovePattern {
        MovePattern::by(Move::promoting(Square(0), Square(0), kind), by)
    }

    /// One move alone, wherever it is asked to end.
    #[inline(always)]
    pub(crate) fn single(mv: Move) -> MovePattern {
        MovePattern { first: mv.0, step: ONE_MOVE }
    }

    /// The move by a shift that would end on square 0 starts below the board and wraps.
    #[inline(always)]
    fn by(mv: Move, by: i32) -> MovePattern {
        MovePattern { first: mv.0.wrapping_sub(by as u32), step: SHIFTED_START }
    }

    /// The move that ends on a square.
    #[inline(always)]
    pub(crate) fn to(self, to: Square) -> Move {
        Move(self.first.wrapping_add(u32::from(to.0).wrapping_mul(self.step)))
    }

    /// Whether it is one move alone, which has its end in itself.
    #[inline(always)]
    pub(crate) fn is_single(self) -> bool {
        self.step == ONE_MOVE
    }

    /// A move of the same sort as all of them and with the same promotion, whose squares mean nothing.
    #[inline(always)]
    pub(crate) fn sample(self) -> Move {
        Move(self.first)
    }

    /// What moves.
    #[inline(always)]
    pub(crate) fn mover(self) -> PatternMover {
        let first = Move(self.first);
        match (self.step, first.raw_kind()) {
            (FIXED_START, Some(kind)) if first.is_drop() => PatternMover::Drop { kind },
            (FIXED_START, becomes) => PatternMover::Piece { from: first.raw_from(), becomes },
            (SHIFTED_START, becomes) => PatternMover::Shifted { becomes },
            (_, _) => PatternMover::Single,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_make_the_moves_that_they_stand_for() {
        let (from, kind) = (Square(70), KindId(5));
        for to in (0..=255).map(Square) {
            assert_eq!(MovePattern::going(from).to(to), Move::go(from, to));
            assert_eq!(MovePattern::promoting(from, kind).to(to), Move::promoting(from, to, kind));
            assert_eq!(MovePattern::dropping(kind).to(to), Move::drop(kind, to));
            for by in [-17, -1, 8, 16] {
                let Some(start) = u8::try_from(i32::from(to.0) - by).ok().map(Square) else { continue };
                assert_eq!(MovePattern::shifted(by).to(to), Move::go(start, to));
                let promoting = MovePattern::shifted_promoting(by, kind).to(to);
                assert_eq!(promoting, Move::promoting(start, to, kind));
            }
            let mv = Move::castle(from, to, 1);
            assert_eq!(MovePattern::single(mv).to(Square(0)), mv);
            assert_eq!(MovePattern::single(mv).mover(), PatternMover::Single);
        }
        assert_eq!(MovePattern::going(from).mover(), PatternMover::Piece { from, becomes: None });
        assert_eq!(MovePattern::dropping(kind).mover(), PatternMover::Drop { kind });
        assert_eq!(MovePattern::shifted(-8).mover(), PatternMover::Shifted { becomes: None });
        let promoting = MovePattern::shifted_promoting(-8, kind).mover();
        assert_eq!(promoting, PatternMover::Shifted { becomes: Some(kind) });
    }
}
