//! Receivers of generated moves, chosen at compile time: counting and choosing need no list.
//!
//! In: moves in bulk: one start with all its ends, one shift with all its ends, kinds in hand with all their squares.
//! Out: a number, whether there is any, a list, or the nth. Never: which moves are legal.

use crate::moves::Move;
use crate::tables::View;
use crate::word::Word;

/// A receiver of moves. Its default is empty and costs nothing to make.
pub trait Sink<W: Word>: Default {
    /// Moves of one piece.
    fn moves(&mut self, from: u8, ends: W);
    /// Moves of one piece that may promote.
    fn promoting(&mut self, from: u8, ends: W, view: &View<W>);
    /// Moves of several pieces, all by the same number of squares.
    fn shifted(&mut self, by: i32, ends: W);
    /// Moves of several pieces, all by the same number of squares, that may promote.
    fn shifted_promoting(&mut self, by: i32, ends: W, view: &View<W>);
    /// Drops of each kind of `slots` on each of `ends`.
    fn drops(&mut self, slots: u32, kinds: &[u8], ends: W);
    /// One move of another sort.
    fn single(&mut self, mv: Move);
    /// Whether no more moves are wanted.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// How many moves there are.
#[derive(Default)]
pub struct Count(pub u64);

impl<W: Word> Sink<W> for Count {
    #[inline(always)]
    fn moves(&mut self, _from: u8, ends: W) {
        self.0 += u64::from(ends.count());
    }
    #[inline(always)]
    fn promoting(&mut self, _from: u8, ends: W, view: &View<W>) {
        self.0 += u64::from(promoting_count(ends, view));
    }
    #[inline(always)]
    fn shifted(&mut self, _by: i32, ends: W) {
        self.0 += u64::from(ends.count());
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, _by: i32, ends: W, view: &View<W>) {
        self.0 += u64::from(promoting_count(ends, view));
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, _kinds: &[u8], ends: W) {
        self.0 += u64::from(slots.count_ones() * ends.count());
    }
    #[inline(always)]
    fn single(&mut self, _mv: Move) {
        self.0 += 1;
    }
}

#[inline(always)]
fn promoting_count<W: Word>(ends: W, view: &View<W>) -> u32 {
    (ends & view.stay).count() + view.n_targets * (ends & view.become_other).count()
}

/// Whether there is any move.
#[derive(Default)]
pub struct Any(pub bool);

impl<W: Word> Sink<W> for Any {
    #[inline(always)]
    fn moves(&mut self, _from: u8, ends: W) {
        self.0 |= ends.any();
    }
    #[inline(always)]
    fn promoting(&mut self, _from: u8, ends: W, view: &View<W>) {
        self.0 |= (ends & (view.stay | view.become_other)).any();
    }
    #[inline(always)]
    fn shifted(&mut self, _by: i32, ends: W) {
        self.0 |= ends.any();
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, _by: i32, ends: W, view: &View<W>) {
        self.0 |= (ends & (view.stay | view.become_other)).any();
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, _kinds: &[u8], ends: W) {
        self.0 |= slots != 0 && ends.any();
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
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
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
    fn extend<W: Word>(&mut self, ends: W, make: impl Fn(u8) -> Move) {
        for (room, to) in self.room(ends.count()).iter_mut().zip(ends.squares()) {
            *room = make(to);
        }
    }

    #[inline(always)]
    fn extend_promoted<W: Word>(&mut self, ends: W, view: &View<W>, make: impl Fn(u8, u8) -> Move) {
        for to in (ends & view.become_other).squares() {
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
    fn moves(&mut self, from: u8, ends: W) {
        self.extend(ends, |to| Move::go(from, to));
    }
    #[inline(always)]
    fn promoting(&mut self, from: u8, ends: W, view: &View<W>) {
        self.extend(ends & view.stay, |to| Move::go(from, to));
        self.extend_promoted(ends, view, |to, kind| Move::promoting(from, to, kind));
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, ends: W) {
        self.extend(ends, |to| Move::go(start_of(to, by), to));
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, ends: W, view: &View<W>) {
        self.extend(ends & view.stay, |to| Move::go(start_of(to, by), to));
        self.extend_promoted(ends, view, |to, kind| Move::promoting(start_of(to, by), to, kind));
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, kinds: &[u8], ends: W) {
        let mut slots = slots;
        while slots != 0 {
            let kind = kinds.get(slots.trailing_zeros() as usize).copied().unwrap_or(0);
            self.extend(ends, |to| Move::drop(kind, to));
            slots &= slots - 1;
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.room(1)[0] = mv;
    }
}

#[inline(always)]
fn start_of(to: u8, by: i32) -> u8 {
    (i32::from(to) - by) as u8
}

/// Moves in groups, enough to count them and to pick the nth in the order of [`MoveList`].
pub struct Groups<W> {
    /// Longer than the list: room for the next groups.
    groups: Vec<Group<W>>,
    length: usize,
    total: u32,
}

/// Moves that differ in their end only.
#[derive(Clone, Copy)]
struct Group<W> {
    /// Number of moves in this group and all before it.
    until: u32,
    ends: W,
    sort: Sort,
}

#[derive(Clone, Copy)]
enum Sort {
    From(u8),
    Shifted(i32),
    FromTo { from: u8, kind: u8 },
    ShiftedTo { by: i32, kind: u8 },
    Drop(u8),
    Single(Move),
}

impl<W: Word> Groups<W> {
    /// No moves.
    pub fn new() -> Groups<W> {
        Groups { groups: Vec::new(), length: 0, total: 0 }
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
        self.total = 0;
    }

    /// How many moves there are.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.total
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The nth move, counted from 0.
    #[inline(always)]
    pub fn pick(&self, n: u32) -> Move {
        let groups = &self.groups[..self.length];
        let at = groups.iter().position(|group| n < group.until).unwrap_or(0);
        let Some(group) = groups.get(at) else { return Move::PASS };
        let before = if at == 0 { 0 } else { groups[at - 1].until };
        let mut ends = group.ends;
        for _ in before..n {
            ends = ends.without_lowest();
        }
        let to = ends.lowest();
        match group.sort {
            Sort::From(from) => Move::go(from, to),
            Sort::Shifted(by) => Move::go(start_of(to, by), to),
            Sort::FromTo { from, kind } => Move::promoting(from, to, kind),
            Sort::ShiftedTo { by, kind } => Move::promoting(start_of(to, by), to, kind),
            Sort::Drop(kind) => Move::drop(kind, to),
            Sort::Single(mv) => mv,
        }
    }

    #[inline(always)]
    fn add(&mut self, ends: W, sort: Sort) {
        self.total += ends.count();
        self.push(Group { until: self.total, ends, sort });
    }

    /// An empty group is pushed too: `pick` passes over it, and whether a piece can move is a hard branch to predict.
    #[inline(always)]
    fn push(&mut self, group: Group<W>) {
        if self.length == self.groups.len() {
            self.grow();
        }
        self.groups[self.length] = group;
        self.length += 1;
    }

    #[cold]
    fn grow(&mut self) {
        let none = Group { until: 0, ends: W::ZERO, sort: Sort::Single(Move::PASS) };
        self.groups.resize((self.groups.len() * 2).max(256), none);
    }

    #[inline(always)]
    fn add_promoted(&mut self, ends: W, view: &View<W>, sort: impl Fn(u8) -> Sort) {
        // Kinds may depend on the square, so each square is a group of its own; promotions are few.
        for to in (ends & view.become_other).squares() {
            for kind in view.kinds(to) {
                self.add(W::bit(to), sort(kind));
            }
        }
    }
}

impl<W: Word> Default for Groups<W> {
    fn default() -> Groups<W> {
        Groups::new()
    }
}

impl<W: Word> Sink<W> for Groups<W> {
    #[inline(always)]
    fn moves(&mut self, from: u8, ends: W) {
        self.add(ends, Sort::From(from));
    }
    #[inline(always)]
    fn promoting(&mut self, from: u8, ends: W, view: &View<W>) {
        self.add(ends & view.stay, Sort::From(from));
        self.add_promoted(ends, view, |kind| Sort::FromTo { from, kind });
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, ends: W) {
        self.add(ends, Sort::Shifted(by));
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, ends: W, view: &View<W>) {
        self.add(ends & view.stay, Sort::Shifted(by));
        self.add_promoted(ends, view, |kind| Sort::ShiftedTo { by, kind });
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, kinds: &[u8], ends: W) {
        let mut slots = slots;
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize;
            self.add(ends, Sort::Drop(kinds.get(slot).copied().unwrap_or(0)));
            slots &= slots - 1;
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.total += 1;
        self.push(Group { until: self.total, ends: W::bit(0), sort: Sort::Single(mv) });
    }
}
