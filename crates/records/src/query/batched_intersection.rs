//! Batched intersection: conjunctions of states that are all frequent.
//!
//! In: posting lists with dense game sets; optionally a bitmap of games. Out: intervals. Never: intervals read before
//! the spans of all states overlap.
//!
//! Games are processed in rows. The games of a row that have all states are the AND of bitmaps; then list after list is
//! unpacked to a byte per game, and starts and ends are compared with SIMD. Where few games of a row are left, each is
//! looked up on its own.

use std::ops::Range;

use super::ply_bitmap::PlyBitmap;
use super::refine::Refine;
use super::tally::Sink;
use crate::index::bits::{Ones, RankBitmap, u64_at};
use crate::index::pdep::{LANES, Pdep};
use crate::index::postings::{Interval, Posting, StateList, StateWalker};
use crate::index::span_rows::{ROW, ROW_WORDS, SATURATED, SpanRow};

/// A row is unpacked if at least one in so many of its games is still alive.
const UNPACK_ONE_IN: usize = 16;

/// Emits the intervals in which all states hold, for a range of games that begins with a row; `within` restricts the
/// games.
#[inline(always)]
pub fn intersect_batched(
    lists: &[StateList],
    within: Option<&[u64]>,
    games: Range<usize>,
    out: &mut impl Sink,
    pdep: impl Pdep,
) {
    let mut batch = BatchedIntersection::of(lists);
    for first in games.step_by(ROW) {
        if batch.begin(first, within) {
            batch.narrow(first, pdep);
            batch.finish(first, out, pdep);
        }
    }
}

struct BatchedIntersection<'a> {
    lists: Vec<BatchList<'a>>,
    refine: Refine<'a>,
    /// The intersection of the spans so far.
    from: [u8; ROW],
    to: [u8; ROW],
    /// Scratch space for unpacking and comparing.
    ends: [u8; ROW],
    meet: [u8; ROW],
    /// Games in which the states may still hold at once.
    alive: [u64; ROW_WORDS],
    /// Games in which some state has several intervals.
    multi: [u64; ROW_WORDS],
}

/// One of the posting lists.
struct BatchList<'a> {
    list: StateList<'a>,
    bits: RankBitmap<'a>,
    walker: StateWalker<'a>,
    /// Allocated when a row is first unpacked: most searches for rare patterns never do.
    row: Option<Box<SpanRow>>,
    is_unpacked: bool,
    /// Games of this row with more than one interval; restricted to living games if the row was not unpacked.
    multi: [u64; ROW_WORDS],
}

impl<'a> BatchedIntersection<'a> {
    fn of(lists: &[StateList<'a>]) -> BatchedIntersection<'a> {
        let own = |list: &StateList<'a>| {
            let (walker, multi) = (list.walker(), [0; ROW_WORDS]);
            list.bits().map(|bits| BatchList {
                list: *list,
                bits,
                walker,
                row: None,
                is_unpacked: false,
                multi,
            })
        };
        BatchedIntersection {
            lists: lists.iter().filter_map(own).collect(),
            refine: Refine::of(lists),
            from: [0; ROW],
            to: [0; ROW],
            ends: [0; ROW],
            meet: [0; ROW],
            alive: [0; ROW_WORDS],
            multi: [0; ROW_WORDS],
        }
    }

    /// Intersects the game sets of a row; returns whether any game is left.
    #[inline(always)]
    fn begin(&mut self, first: usize, within: Option<&[u64]>) -> bool {
        for n in 0..ROW_WORDS {
            self.alive[n] = match within {
                Some(within) => within.get(first / 64 + n).copied().unwrap_or(0),
                None => u64::MAX,
            };
        }
        for (n, own) in self.lists.iter().enumerate() {
            // The first list bounds the games, even if it has all of them.
            if n == 0 || !own.list.has_every_game() {
                own.bits.narrow(first / 64, &mut self.alive);
            }
        }
        if self.alive == [0; ROW_WORDS] {
            return false;
        }
        self.multi = [0; ROW_WORDS];
        true
    }

    #[inline(always)]
    fn narrow(&mut self, first: usize, pdep: impl Pdep) {
        let mut n_alive = count(&self.alive);
        if n_alive * UNPACK_ONE_IN < ROW {
            self.reset_remaining_spans()
        } else {
            self.reset_spans()
        }
        for n in 0..self.lists.len() {
            if n_alive == 0 {
                return;
            }
            self.lists[n].is_unpacked = n_alive * UNPACK_ONE_IN >= ROW;
            if self.lists[n].is_unpacked {
                self.unpack(n, first, pdep);
                n_alive = count(&self.alive);
            } else {
                n_alive -= self.look_up(n, first)
            }
        }
    }

    #[inline(always)]
    fn reset_spans(&mut self) {
        self.from.fill(0);
        self.to.fill(SATURATED);
    }

    /// The same for living games alone: where they are few, the others are never read.
    #[inline(always)]
    fn reset_remaining_spans(&mut self) {
        for word in 0..ROW_WORDS {
            for bit in Ones(self.alive[word]) {
                (self.from[word * 64 + bit], self.to[word * 64 + bit]) = (0, SATURATED);
            }
        }
    }

    /// Narrows the row by an unpacked list.
    #[inline(always)]
    fn unpack(&mut self, n: usize, first: usize, pdep: impl Pdep) {
        let BatchList { list, bits, row, multi, .. } = &mut self.lists[n];
        let row = row.get_or_insert_default();
        row.unpack(list, bits, first, &mut self.ends, pdep);
        let (from, to) = (&mut self.from, &mut self.to);
        // Plain loops over whole arrays: the compiler vectorises them to 32 games at a time.
        if !row.all_from_zero {
            for (from, start) in from.iter_mut().zip(&row.starts) {
                *from = (*from).max(*start);
            }
        }
        for n in 0..ROW {
            to[n] = to[n].min(self.ends[n]);
            self.meet[n] = u8::from(from[n] < to[n]);
        }
        *multi = row.multi;
        for (n, multi) in multi.iter().enumerate() {
            self.multi[n] |= multi;
            self.alive[n] &= low_bits(&self.meet, n * 64);
        }
    }

    /// Narrows the living games by a list, one by one; returns how many were dropped.
    #[inline(always)]
    fn look_up(&mut self, n: usize, first: usize) -> usize {
        let list = self.lists[n].list;
        if list.all_from_zero() {
            self.look_up_by(n, first, |pair| (0, list.end_from_start(pair)))
        } else {
            self.look_up_by(n, first, |pair| list.span(pair))
        }
    }

    #[inline(always)]
    fn look_up_by(&mut self, n: usize, first: usize, span: impl Fn(usize) -> Interval) -> usize {
        let bits = self.lists[n].bits;
        let (mut pair, mut n_left_out) = (bits.rank(first), 0);
        for word in 0..ROW_WORDS {
            let (own, mut left_out) = (bits.word(first / 64 + word), 0);
            for bit in Ones(self.alive[word]) {
                let at = word * 64 + bit;
                let (start, end) = span(pair + (own & ((1 << bit) - 1)).count_ones() as usize);
                let from = self.from[at].max(start.min(u16::from(SATURATED - 1)) as u8);
                let to = self.to[at].min(end.min(u16::from(SATURATED)) as u8);
                (self.from[at], self.to[at]) = (from, to);
                left_out |= u64::from(from >= to) << bit;
            }
            self.alive[word] &= !left_out;
            n_left_out += left_out.count_ones() as usize;
            pair += own.count_ones() as usize;
        }
        n_left_out
    }

    /// Finds which living games have several intervals, for lists that were not unpacked.
    #[inline(always)]
    fn look_up_multi(&mut self, first: usize) {
        for BatchList { list, bits, is_unpacked, multi, .. } in &mut self.lists {
            if *is_unpacked || list.n_postings() == list.n_pairs() {
                continue;
            }
            let mut pair = bits.rank(first);
            for (word, multi) in multi.iter_mut().enumerate() {
                let own = bits.word(first / 64 + word);
                *multi = 0;
                for bit in Ones(self.alive[word]) {
                    let at = pair + (own & ((1 << bit) - 1)).count_ones() as usize;
                    *multi |= u64::from(list.is_multi(at)) << bit;
                }
                self.multi[word] |= *multi;
                pair += own.count_ones() as usize;
            }
        }
    }

    #[inline(always)]
    fn finish(&mut self, first: usize, out: &mut impl Sink, pdep: impl Pdep) {
        if self.alive == [0; ROW_WORDS] {
            return;
        }
        self.look_up_multi(first);
        if !out.needs_intervals() {
            self.count_plain(out, pdep);
        }
        for word in 0..ROW_WORDS {
            if self.alive[word] & self.multi[word] != 0 {
                self.finish_multi(first, word, out, pdep);
            } else if self.alive[word] != 0 {
                self.finish_plain(first, word, out, pdep);
            }
        }
    }

    /// Emits games of which some have several intervals: the gaps are cleared from the intersection of spans, list
    /// after list.
    #[inline(always)]
    fn finish_multi(&mut self, first: usize, word: usize, out: &mut impl Sink, pdep: impl Pdep) {
        let mut ply_bitmap = [PlyBitmap::default(); 64];
        for bit in Ones(self.alive[word]) {
            let at = word * 64 + bit;
            ply_bitmap[bit] = PlyBitmap::of(self.from[at].into(), self.to[at].into());
        }
        for own in &mut self.lists {
            let multi = own.multi[word];
            for bit in Ones(multi & self.alive[word]) {
                let take_out = |from, to| ply_bitmap[bit].clear(from, to);
                match own.row.as_deref().filter(|_| own.is_unpacked) {
                    Some(row) => {
                        let before = (multi & ((1 << bit) - 1)).count_ones();
                        let nth = (row.n_multi[word] + before) as usize;
                        own.walker.nth_gaps(nth, row.starts[word * 64 + bit].into(), pdep, take_out);
                    }
                    None => own.walker.gaps((first + word * 64 + bit) as u32, pdep, take_out),
                }
            }
        }
        for bit in Ones(self.alive[word]) {
            let at = word * 64 + bit;
            if self.to[at] == SATURATED {
                self.refine.beyond_bytes((first + at) as u32, out, pdep);
            } else if out.needs_intervals() {
                ply_bitmap[bit].emit((first + at) as u32, out);
            } else {
                ply_bitmap[bit].count(out);
            }
        }
    }

    /// Counts games with one interval each and clears them. Rows with saturated ends are left as they are.
    #[inline(always)]
    fn count_plain(&mut self, out: &mut impl Sink, pdep: impl Pdep) {
        let (lanes, _) = self.meet.as_chunks_mut::<8>();
        let mut n_games = 0;
        for n in 0..ROW_WORDS {
            let plain = self.alive[n] & !self.multi[n];
            n_games += plain.count_ones() as usize;
            for eight in 0..8 {
                let some = plain >> (eight * 8) & 0xFF;
                lanes[n * 8 + eight] = (pdep.pdep(some, LANES) * 0xFF).to_le_bytes();
            }
        }
        let (mut n_positions, mut latest) = (0u32, 0);
        for n in 0..ROW {
            let (from, to) = (self.from[n] & self.meet[n], self.to[n] & self.meet[n]);
            n_positions += u32::from(to.wrapping_sub(from));
            latest = to.max(latest);
        }
        if latest < SATURATED {
            out.count(n_games, n_positions as usize, n_games);
            for n in 0..ROW_WORDS {
                self.alive[n] &= self.multi[n];
            }
        }
    }

    /// Emits games that have one interval each.
    #[inline(always)]
    fn finish_plain(&mut self, first: usize, word: usize, out: &mut impl Sink, pdep: impl Pdep) {
        let mut found = [Posting { game: 0, from: 0, to: 0 }; 64];
        let (mut n, mut is_told) = (0, true);
        for bit in Ones(self.alive[word]) {
            let at = word * 64 + bit;
            let (game, from, to) = ((first + at) as u32, self.from[at].into(), self.to[at]);
            is_told &= to != SATURATED;
            found[n % 64] = Posting { game, from, to: to.into() };
            n += 1;
        }
        if is_told {
            out.extend(&found[..n.min(64)])
        } else {
            for bit in Ones(self.alive[word]) {
                self.refine.beyond_bytes((first + word * 64 + bit) as u32, out, pdep);
            }
        }
    }
}

#[inline(always)]
fn count(games: &[u64; ROW_WORDS]) -> usize {
    let mut n_games = 0;
    for word in games {
        n_games += word.count_ones() as usize;
    }
    n_games
}

/// Gathers the lowest bits of 64 bytes that are 0 or 1.
#[inline(always)]
fn low_bits(bytes: &[u8; ROW], at: usize) -> u64 {
    let mut bits = 0;
    for n in 0..8 {
        let lanes = u64_at(bytes, at + n * 8);
        // The product has the eight bits side by side at its top.
        bits |= (lanes.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (n * 8);
    }
    bits
}
