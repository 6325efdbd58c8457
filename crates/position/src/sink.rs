//! Receivers of generated moves, chosen at compile time: counting and choosing need no list.
//!
//! In: moves in bulk: one origin with all its targets, one shift with all its targets, kinds in hand with all their squares.
//! Out: a number, whether there is any, or a list. Never: which moves are legal.

use ashta_rules::{KindId, Square};

use crate::moves::Move;
use crate::promotion_choices::PromotionChoices;
use crate::state::State;
use crate::tables::{PromotionTable, features};
use crate::word::{Word, start_of};

/// Where pieces get to.
///
/// Not a closure: only functions can be marked `inline(always)`, and code that uses PEXT must be.
pub trait TargetsOf<W> {
    /// Where a piece on `from` may go.
    fn of(&self, from: Square) -> W;
    /// How many these are.
    fn count_of(&self, from: Square) -> u32;
}

/// A receiver of moves. Its default is empty and costs nothing to make.
pub trait Sink<W: Word>: Default {
    /// Moves of one piece.
    fn moves(&mut self, from: Square, targets: W);
    /// Moves of one piece that may promote.
    fn promoting(&mut self, from: Square, targets: W, view: &PromotionChoices<W>);
    /// Moves of each piece of a set. One call for all lets a receiver make room once and count in registers.
    #[inline(always)]
    fn moves_of_each(&mut self, pieces: W, targets: &impl TargetsOf<W>) {
        for from in pieces.squares() {
            self.moves(from, targets.of(from));
        }
    }
    /// Moves of each piece of a set, which may promote.
    #[inline(always)]
    fn promoting_of_each(
        &mut self,
        pieces: W,
        targets: &impl TargetsOf<W>,
        promotion: &PromotionTable<W>,
        state: &State<W>,
    ) {
        for from in pieces.squares() {
            self.promoting(from, targets.of(from), &promotion.view::<{ features::PLAIN }>(from, state));
        }
    }
    /// Moves of several pieces, all by the same number of squares.
    fn shifted(&mut self, by: i32, targets: W);
    /// Moves of several pieces, all by the same number of squares, that may promote.
    fn shifted_promoting(&mut self, by: i32, targets: W, view: &PromotionChoices<W>);
    /// Drops of each kind of `slots` on each of `ends`.
    fn drops(&mut self, slots: u32, kinds: &[KindId], targets: W);
    /// One move of another sort.
    fn single(&mut self, mv: Move);
    /// Moves of one piece that capture on the middle square and go on to each of `targets`.
    #[inline]
    fn two_legs(&mut self, from: Square, middle: Square, targets: W) {
        for to in targets.squares() {
            self.single(Move::two_legs(from, middle, to));
        }
    }
    /// Whether the royal piece of the side to move is in check, reported where that is known anyway.
    #[inline(always)]
    fn on_check(&mut self, _is_check: bool) {}
    /// Whether it only counts: moves may come in any order, several at once.
    const ONLY_COUNTS: bool = false;
    /// Counts moves, where it only counts.
    #[inline(always)]
    fn count(&mut self, _n_moves: u32) {}
    /// Whether it is small enough to be kept in registers while pieces move, and stored afterwards.
    const IS_SMALL: bool = false;
    /// Whether it takes only captures and promotions: who generates may leave out others.
    const ONLY_TACTICAL: bool = false;
    /// Whether it takes the moves of [`Sink::movers`] and [`Sink::slots`] only: a generator may leave out others.
    const ONLY_SOME_MOVERS: bool = false;
    /// The pieces whose moves are wanted.
    #[inline(always)]
    fn movers(&self) -> W {
        W::ALL
    }
    /// The slots in hand whose drops are wanted.
    #[inline(always)]
    fn slots(&self) -> u32 {
        u32::MAX
    }
    /// Whether no more moves are wanted.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// How many moves there are.
#[derive(Default)]
pub struct MoveCount(pub u64);

impl<W: Word> Sink<W> for MoveCount {
    const ONLY_COUNTS: bool = true;
    const IS_SMALL: bool = true;
    #[inline(always)]
    fn count(&mut self, n_moves: u32) {
        self.0 += u64::from(n_moves);
    }
    #[inline(always)]
    fn moves_of_each(&mut self, pieces: W, targets: &impl TargetsOf<W>) {
        for from in pieces.squares() {
            self.0 += u64::from(targets.count_of(from));
        }
    }
    #[inline(always)]
    fn moves(&mut self, _from: Square, targets: W) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn promoting(&mut self, _from: Square, targets: W, view: &PromotionChoices<W>) {
        self.0 += u64::from(promoting_count(targets, view));
    }
    #[inline(always)]
    fn shifted(&mut self, _by: i32, targets: W) {
        self.0 += u64::from(targets.count());
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, _by: i32, targets: W, view: &PromotionChoices<W>) {
        self.0 += u64::from(promoting_count(targets, view));
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, _kinds: &[KindId], targets: W) {
        self.0 += u64::from(slots.count_ones() * targets.count());
    }
    #[inline(always)]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

#[inline(always)]
fn promoting_count<W: Word>(targets: W, view: &PromotionChoices<W>) -> u32 {
    (targets & view.stay).count() + view.n_targets * (targets & view.become_other).count()
}

/// Whether there is any move.
#[derive(Default)]
pub struct AnyMove(pub bool);

impl<W: Word> Sink<W> for AnyMove {
    const IS_SMALL: bool = true;
    #[inline(always)]
    fn moves(&mut self, _from: Square, targets: W) {
        self.0 |= targets.any();
    }
    #[inline(always)]
    fn promoting(&mut self, _from: Square, targets: W, view: &PromotionChoices<W>) {
        self.0 |= (targets & (view.stay | view.become_other)).any();
    }
    #[inline(always)]
    fn shifted(&mut self, _by: i32, targets: W) {
        self.0 |= targets.any();
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, _by: i32, targets: W, view: &PromotionChoices<W>) {
        self.0 |= (targets & (view.stay | view.become_other)).any();
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, _kinds: &[KindId], targets: W) {
        self.0 |= slots != 0 && targets.any();
    }
    #[inline(always)]
    fn single(&mut self, _mv: Move) {
        self.0 = true;
    }
    #[inline(always)]
    fn is_done(&self) -> bool {
        self.0
    }
}

/// All moves, in the order of generation, in memory that is used again.
#[derive(Clone, Default, Debug)]
pub struct MoveList {
    /// Longer than the list: room for the next moves.
    moves: Vec<Move>,
    length: usize,
}

impl MoveList {
    /// An empty list.
    #[inline]
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
    }

    /// Keeps some of the moves, in their order.
    pub(crate) fn retain(&mut self, keeps: impl Fn(Move) -> bool) {
        let mut length = 0;
        for at in 0..self.length {
            let mv = self.moves[at];
            if keeps(mv) {
                self.moves[length] = mv;
                length += 1;
            }
        }
        self.length = length;
    }

    /// Room for `count` more moves.
    #[inline(always)]
    fn room(&mut self, count: u32) -> &mut [Move] {
        let end = self.length + count as usize;
        if end > self.moves.len() {
            self.grow(end);
        }
        let room = &mut self.moves[self.length..end];
        self.length = end;
        room
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        self.moves.resize(end.next_power_of_two().max(256), Move::PASS);
    }

    #[inline(always)]
    fn extend<W: Word>(&mut self, targets: W, make: impl Fn(Square) -> Move) {
        for (room, to) in self.room(targets.count()).iter_mut().zip(targets.squares()) {
            *room = make(to);
        }
    }

    #[inline(always)]
    fn extend_promoted<W: Word>(
        &mut self,
        targets: W,
        view: &PromotionChoices<W>,
        make: impl Fn(Square, KindId) -> Move,
    ) {
        for to in (targets & view.become_other).squares() {
            for kind in view.kinds(to) {
                self.room(1)[0] = make(to, kind);
            }
        }
    }
}

impl std::ops::Deref for MoveList {
    type Target = [Move];

    #[inline(always)]
    fn deref(&self) -> &[Move] {
        &self.moves[..self.length]
    }
}

impl<W: Word> Sink<W> for MoveList {
    #[inline(always)]
    fn moves(&mut self, from: Square, targets: W) {
        self.extend(targets, |to| Move::go(from, to));
    }
    #[inline(always)]
    fn promoting(&mut self, from: Square, targets: W, view: &PromotionChoices<W>) {
        self.extend(targets & view.stay, |to| Move::go(from, to));
        self.extend_promoted(targets, view, |to, kind| Move::promoting(from, to, kind));
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, targets: W) {
        self.extend(targets, |to| Move::go(start_of(to, by), to));
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, targets: W, view: &PromotionChoices<W>) {
        self.extend(targets & view.stay, |to| Move::go(start_of(to, by), to));
        self.extend_promoted(targets, view, |to, kind| Move::promoting(start_of(to, by), to, kind));
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, kinds: &[KindId], targets: W) {
        let mut slots = slots;
        while slots != 0 {
            let kind = kinds.get(slots.trailing_zeros() as usize).copied().unwrap_or(KindId(0));
            self.extend(targets, |to| Move::drop(kind, to));
            slots &= slots - 1;
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.room(1)[0] = mv;
    }
}
