//! Whether one move is legal, without listing the others.
//!
//! In: a move, moves in bulk. Out: whether it is among them. Never: moves of other pieces, which are not generated.

use ashta_rules::{KindId, Square};

use crate::moves::Move;
use crate::promotion_choices::PromotionChoices;
use crate::sink::Sink;
use crate::tables::RuleTables;
use crate::word::{Word, start_of};

/// A receiver that waits for one move.
pub struct LegalityQuery<W> {
    mv: Move,
    movers: W,
    slots: u32,
    /// Whether it came.
    pub found: bool,
}

impl<W: Word> Default for LegalityQuery<W> {
    fn default() -> LegalityQuery<W> {
        LegalityQuery { mv: Move::PASS, movers: W::ZERO, slots: 0, found: false }
    }
}

impl<W: Word> LegalityQuery<W> {
    /// Waits for a move.
    #[inline(always)]
    pub fn new(mv: Move, tables: &RuleTables<W>) -> LegalityQuery<W> {
        let (from, kind) = (mv.raw_from(), mv.raw_kind());
        // Bytes from elsewhere may name squares that the board has not.
        let is_on_board = [from, mv.raw_to()].iter().all(|square| square.index() < W::SQUARES);
        let (mut movers, mut slots) = (W::ZERO, 0);
        match kind {
            _ if !is_on_board => {}
            Some(kind) if mv.is_drop() => slots = 1 << (tables.kinds[kind.index() & 63].slot & 31),
            _ => movers = W::bit(from),
        }
        LegalityQuery { mv, movers, slots, found: false }
    }

    /// Whether it goes from one square to another, as a piece of the board does.
    #[inline(always)]
    fn goes(&self, from: Square, targets: W) -> bool {
        self.mv.is_plain() && self.mv.raw_from() == from && targets.has(self.mv.raw_to())
    }

    #[inline(always)]
    fn promotes(&self, from: Square, targets: W, view: &PromotionChoices<W>) -> bool {
        match self.mv.raw_kind() {
            None => self.mv == Move::go(from, self.mv.raw_to()) && self.goes(from, targets & view.stay),
            Some(kind) => {
                let to = self.mv.raw_to();
                self.mv == Move::promoting(from, to, kind)
                    && self.goes(from, targets & view.become_other)
                    && view.kinds(to).any(|other| other == kind)
            }
        }
    }
}

impl<W: Word> Sink<W> for LegalityQuery<W> {
    const ONLY_SOME_MOVERS: bool = true;
    #[inline(always)]
    fn movers(&self) -> W {
        self.movers
    }
    #[inline(always)]
    fn slots(&self) -> u32 {
        self.slots
    }
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: W) {
        self.found |= self.mv == Move::go(from, self.mv.raw_to()) && self.goes(from, targets);
    }
    #[inline(always)]
    fn promoting(&mut self, from: Square, targets: W, view: &PromotionChoices<W>) {
        self.found |= self.promotes(from, targets, view);
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, targets: W) {
        Sink::<W>::moves(self, start_of(self.mv.raw_to(), by), targets);
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, targets: W, view: &PromotionChoices<W>) {
        self.found |= self.promotes(start_of(self.mv.raw_to(), by), targets, view);
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, kinds: &[KindId], targets: W) {
        let slot = slots.trailing_zeros() as usize;
        let Some(kind) = kinds.get(slot).filter(|_| slots != 0) else { return };
        let to = self.mv.raw_to();
        self.found |= self.mv == Move::drop(*kind, to) && targets.has(to);
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.found |= self.mv == mv;
    }
    #[inline(always)]
    fn is_done(&self) -> bool {
        self.found
    }
}
