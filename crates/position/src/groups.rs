//! Moves in groups that differ in their end only: enough to count them, to pick the nth and to ask for captures.
//!
//! In: what the generator gives. Out: numbers of moves and single moves. Never: positions.

use crate::dispatch::{Generate, Generators};
use crate::moves::Move;
use crate::sink::{EndsOf, Sink};
use crate::state::State;
use crate::tables::{Promotion, View, features};
use crate::word::Word;

/// Moves in groups, enough to count them and to pick the nth.
pub struct Groups<W> {
    /// Longer than the list: room for the next groups.
    groups: Vec<Group<W>>,
    length: usize,
    total: u32,
    gathers: bool,
    is_check: Option<bool>,
}

/// Moves that differ in their end only: the move to `to` is `first + to * step`, as four bytes.
///
/// A move from a fixed square has its end in the second byte; one by a fixed shift has its start go along.
#[derive(Clone, Copy)]
struct Group<W> {
    ends: W,
    /// Number of moves in this group and all before it.
    until: u32,
    first: u32,
    step: u32,
}

/// Which moves of a group capture or promote.
enum Exchanging {
    All,
    OnVictims,
    None,
}

impl<W: Word> Group<W> {
    #[inline(always)]
    fn for_each(&self, ends: W, give: &mut impl FnMut(Move)) {
        for to in ends.squares() {
            give(Move::from_raw(self.first.wrapping_add(u32::from(to).wrapping_mul(self.step))));
        }
    }

    #[inline(always)]
    fn exchanges(&self) -> Exchanging {
        let mv = Move::from_raw(self.first);
        match () {
            () if mv.is_drop() || mv.is_castle() => Exchanging::None,
            () if !mv.is_plain() || mv.raw_kind().is_some() => Exchanging::All,
            // A single plain move has its end in itself, not in the set: it is judged by whoever receives it.
            () if self.step == 0 => Exchanging::All,
            () => Exchanging::OnVictims,
        }
    }
}

const FIXED_START: u32 = 1 << 8;
const SHIFTED_START: u32 = 1 << 8 | 1;

impl<W: Word> Groups<W> {
    /// No moves.
    pub fn new() -> Groups<W> {
        Groups { groups: Vec::new(), length: 0, total: 0, gathers: false, is_check: None }
    }

    /// Forgets all moves.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
        self.total = 0;
        self.is_check = None;
    }

    /// Whether the side to move is in check, if whoever generated found that out.
    #[inline(always)]
    pub fn is_check(&self) -> Option<bool> {
        self.is_check
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

    /// The nth move, counted from 0; a pass if there are not so many.
    #[inline(always)]
    pub fn pick(&self, n: u32) -> Move {
        let groups = &self.groups[..self.length];
        let at = groups.iter().position(|group| n < group.until).unwrap_or(0);
        let Some(group) = groups.get(at) else { return Move::PASS };
        let before = if at == 0 { 0 } else { groups[at - 1].until };
        let to = self.nth_end(group.ends, n - before);
        Move::from_raw(group.first.wrapping_add(u32::from(to).wrapping_mul(group.step)))
    }

    /// Whether a move is among them.
    #[inline]
    pub fn contains(&self, mv: Move) -> bool {
        let to = mv.raw_to();
        self.groups[..self.length].iter().any(|group| match group.step {
            0 => group.first == mv.raw(),
            step => {
                group.ends.has(to) && group.first.wrapping_add(u32::from(to).wrapping_mul(step)) == mv.raw()
            }
        })
    }

    /// Gives the moves that capture, where these squares are what may be captured, and those that promote.
    #[inline]
    pub fn for_each_exchange(&self, victims: W, mut give: impl FnMut(Move)) {
        for group in &self.groups[..self.length] {
            match group.exchanges() {
                Exchanging::All => group.for_each(group.ends, &mut give),
                Exchanging::OnVictims => group.for_each(group.ends & victims, &mut give),
                Exchanging::None => {}
            }
        }
    }

    /// Gives all other moves.
    #[inline]
    pub fn for_each_quiet(&self, victims: W, mut give: impl FnMut(Move)) {
        for group in &self.groups[..self.length] {
            match group.exchanges() {
                Exchanging::All => {}
                Exchanging::OnVictims => group.for_each(group.ends & !victims, &mut give),
                Exchanging::None => group.for_each(group.ends, &mut give),
            }
        }
    }

    #[inline(always)]
    fn nth_end(&self, ends: W, n: u32) -> u8 {
        #[cfg(target_arch = "x86_64")]
        if self.gathers {
            // SAFETY: `gathers` is true only if the processor has BMI2. It saves a loop whose length nobody can
            // predict: a tenth of a random game of chess.
            #[allow(unsafe_code)]
            return unsafe { nth_end_fast(ends, n) };
        }
        ends.nth::<false>(n).lowest()
    }

    #[inline(always)]
    fn add(&mut self, ends: W, first: Move, step: u32) {
        self.total += ends.count();
        self.push(Group { ends, until: self.total, first: first.raw(), step });
    }

    /// Room for `count` more groups.
    #[inline(always)]
    fn room(&mut self, count: u32) -> &mut [Group<W>] {
        let end = self.length + count as usize;
        if end > self.groups.len() {
            self.grow(end);
        }
        let room = &mut self.groups[self.length..end];
        self.length = end;
        room
    }

    /// An empty group is pushed too: `pick` passes over it, and whether a piece can move is a hard branch to predict.
    #[inline(always)]
    fn push(&mut self, group: Group<W>) {
        self.room(1)[0] = group;
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        let none = Group { ends: W::ZERO, until: 0, first: Move::PASS.raw(), step: 0 };
        self.groups.resize(end.next_power_of_two().max(256), none);
        self.gathers = crate::dispatch::gathers();
    }

    #[inline(always)]
    fn add_promoted(&mut self, ends: W, view: &View<W>, first: impl Fn(u8) -> Move, step: u32) {
        let ends = ends & view.become_other;
        if ends.is_empty() {
            return;
        }
        match view.only_kind() {
            Some(kind) => self.add(ends, first(kind), step),
            None => {
                for to in ends.squares() {
                    for kind in view.kinds(to) {
                        self.add(W::bit(to), first(kind), step);
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
fn nth_end_fast<W: Word>(ends: W, n: u32) -> u8 {
    ends.nth::<true>(n).lowest()
}

impl<W: Word> Default for Groups<W> {
    fn default() -> Groups<W> {
        Groups::new()
    }
}

/// The move by a fixed shift that would end on square 0; its start is below the board and wraps.
#[inline(always)]
fn shifted_move(mv: Move, by: i32) -> Move {
    Move::from_raw(mv.raw().wrapping_sub(by as u32))
}

impl<W: Word> Sink<W> for Groups<W> {
    #[inline(always)]
    fn generator(generators: &Generators<W>) -> Generate<W, Self> {
        generators.groups
    }
    #[inline(always)]
    fn told_of_check(&mut self, is_check: bool) {
        self.is_check = Some(is_check);
    }
    #[inline(always)]
    fn moves(&mut self, from: u8, ends: W) {
        self.add(ends, Move::go(from, 0), FIXED_START);
    }
    #[inline(always)]
    fn moves_of_each(&mut self, pieces: W, ends_of: &impl EndsOf<W>) {
        let (mut until, mut left) = (self.total, pieces);
        for group in self.room(pieces.count()) {
            let Some(from) = left.pop_counted() else { break };
            let ends = ends_of.of(from);
            until += ends.count();
            *group = Group { ends, until, first: Move::go(from, 0).raw(), step: FIXED_START };
        }
        self.total = until;
    }
    #[inline(always)]
    fn promoting_of_each(
        &mut self,
        pieces: W,
        ends_of: &impl EndsOf<W>,
        promotion: &Promotion<W>,
        state: &State<W>,
    ) {
        let Some(kind) = promotion.only_kind() else {
            for from in pieces.squares() {
                self.promoting(from, ends_of.of(from), &promotion.view::<{ features::PLAIN }>(from, state));
            }
            return;
        };
        // Two groups for each piece, though the second is often empty: no branch asks.
        let (mut until, mut left) = (self.total, pieces);
        let (room, _) = self.room(2 * pieces.count()).as_chunks_mut::<2>();
        for pair in room {
            let Some(from) = left.pop_counted() else { break };
            let (ends, view) = (ends_of.of(from), promotion.view::<{ features::PLAIN }>(from, state));
            let (stay, other) = (ends & view.stay, ends & view.become_other);
            let between = until + stay.count();
            until = between + other.count();
            let first = Move::go(from, 0).raw();
            pair[0] = Group { ends: stay, until: between, first, step: FIXED_START };
            let first = Move::promoting(from, 0, kind).raw();
            pair[1] = Group { ends: other, until, first, step: FIXED_START };
        }
        self.total = until;
    }
    #[inline(always)]
    fn promoting(&mut self, from: u8, ends: W, view: &View<W>) {
        self.add(ends & view.stay, Move::go(from, 0), FIXED_START);
        self.add_promoted(ends, view, |kind| Move::promoting(from, 0, kind), FIXED_START);
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, ends: W) {
        // Of captures by many pieces at once there are seldom any.
        if ends.is_empty() {
            return;
        }
        self.add(ends, shifted_move(Move::go(0, 0), by), SHIFTED_START);
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, ends: W, view: &View<W>) {
        if ends.is_empty() {
            return;
        }
        self.add(ends & view.stay, shifted_move(Move::go(0, 0), by), SHIFTED_START);
        let first = |kind: u8| shifted_move(Move::promoting(0, 0, kind), by);
        self.add_promoted(ends, view, first, SHIFTED_START);
    }
    #[inline(always)]
    fn drops(&mut self, slots: u32, kinds: &[u8], ends: W) {
        let mut slots = slots;
        while slots != 0 {
            let slot = slots.trailing_zeros() as usize;
            self.add(ends, Move::drop(kinds.get(slot).copied().unwrap_or(0), 0), FIXED_START);
            slots &= slots - 1;
        }
    }
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.total += 1;
        self.push(Group { ends: W::bit(0), until: self.total, first: mv.raw(), step: 0 });
    }
}

/// Captures and promotions alone, in groups.
pub struct Exchanges<W> {
    groups: Groups<W>,
    victims: W,
}

impl<W: Word> Default for Exchanges<W> {
    fn default() -> Exchanges<W> {
        Exchanges { groups: Groups::new(), victims: W::ZERO }
    }
}

impl<W: Word> Exchanges<W> {
    /// Forgets all moves; what stands on these squares may be captured.
    pub fn begin(&mut self, victims: W) {
        self.groups.clear();
        self.victims = victims;
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Gives every move. Where the processor lacks instructions some may be neither: whoever receives them judges.
    #[inline]
    pub fn for_each(&self, give: impl FnMut(Move)) {
        self.groups.for_each_exchange(self.victims, give);
    }

    #[inline(always)]
    fn add(&mut self, ends: W, first: Move, step: u32) {
        if ends.any() {
            self.groups.add(ends, first, step);
        }
    }
}

impl<W: Word> Sink<W> for Exchanges<W> {
    const ONLY_EXCHANGES: bool = true;
    #[inline(always)]
    fn generator(generators: &Generators<W>) -> Generate<W, Self> {
        generators.exchanges
    }
    #[inline(always)]
    fn moves(&mut self, from: u8, ends: W) {
        self.add(ends & self.victims, Move::go(from, 0), FIXED_START);
    }
    #[inline(always)]
    fn promoting(&mut self, from: u8, ends: W, view: &View<W>) {
        self.add(ends & self.victims & view.stay, Move::go(from, 0), FIXED_START);
        self.groups.add_promoted(ends, view, |kind| Move::promoting(from, 0, kind), FIXED_START);
    }
    #[inline(always)]
    fn shifted(&mut self, by: i32, ends: W) {
        self.add(ends & self.victims, shifted_move(Move::go(0, 0), by), SHIFTED_START);
    }
    #[inline(always)]
    fn shifted_promoting(&mut self, by: i32, ends: W, view: &View<W>) {
        if ends.is_empty() {
            return;
        }
        self.add(ends & self.victims & view.stay, shifted_move(Move::go(0, 0), by), SHIFTED_START);
        let first = |kind: u8| shifted_move(Move::promoting(0, 0, kind), by);
        self.groups.add_promoted(ends, view, first, SHIFTED_START);
    }
    #[inline(always)]
    fn drops(&mut self, _slots: u32, _kinds: &[u8], _ends: W) {}
    #[inline(always)]
    fn single(&mut self, mv: Move) {
        if !mv.is_drop() && !mv.is_castle() {
            Sink::<W>::single(&mut self.groups, mv);
        }
    }
}
