//! Where several states hold together, if each is found in many games.
//!
//! In: lists whose games are kept as bits; games to look at, as bits. Out: stretches. Never: a stretch that is looked at
//! before the hulls of all states have met.
//!
//! Games are taken in rows. The games of a row that have all states are the intersection of bits; then list after list is
//! unpacked to a byte for every game, and first and last plies are compared many at a time. Where few games of a row are
//! left each is looked up alone.

use std::ops::Range;

use super::plies::Plies;
use super::refine::Refine;
use super::tally::Receive;
use crate::index::bits::{Bits, Ones, u64_at};
use crate::index::deposit::{Deposit, LANES};
use crate::index::postings::{Posting, StateList, StateWalker, Stretch};
use crate::index::rows::{HullRow, NOT_TOLD, ROW, ROW_WORDS};

/// A row is unpacked whole when at least one in so many of its games is asked for.
const ROW_ONE_IN: usize = 16;

/// Appends the stretches in which states hold together, of a range of games that begins with a row; `within` are the games
/// to look at, all if there are none.
#[inline(always)]
pub fn abreast(
    lists: &[StateList],
    within: Option<&[u64]>,
    games: Range<usize>,
    out: &mut impl Receive,
    deposit: impl Deposit,
) {
    let mut abreast = Abreast::of(lists);
    for first in games.step_by(ROW) {
        if abreast.begin(first, within) {
            abreast.narrow(first, deposit);
            abreast.finish(first, out, deposit);
        }
    }
}

struct Abreast<'a> {
    lists: Vec<Own<'a>>,
    refine: Refine<'a>,
    /// The plies that all hulls share.
    from: [u8; ROW],
    to: [u8; ROW],
    /// Room for what is unpacked and compared.
    ends: [u8; ROW],
    meet: [u8; ROW],
    /// Games in which the states may hold together.
    alive: [u64; ROW_WORDS],
    /// Games of which some state has several stretches.
    several: [u64; ROW_WORDS],
}

/// One of the states.
struct Own<'a> {
    list: StateList<'a>,
    bits: Bits<'a>,
    walker: StateWalker<'a>,
    /// Made when a row is unpacked for the first time: most searches for rare shapes never do.
    row: Option<Box<HullRow>>,
    /// Whether this row was unpacked.
    is_unpacked: bool,
    /// Games of this row with more than one stretch; of those in which all states may hold, if it was not unpacked.
    several: [u64; ROW_WORDS],
}

impl<'a> Abreast<'a> {
    fn of(lists: &[StateList<'a>]) -> Abreast<'a> {
        let own = |list: &StateList<'a>| {
            let (walker, several) = (list.walker(), [0; ROW_WORDS]);
            list.bits().map(|bits| Own { list: *list, bits, walker, row: None, is_unpacked: false, several })
        };
        Abreast {
            lists: lists.iter().filter_map(own).collect(),
            refine: Refine::of(lists),
            from: [0; ROW],
            to: [0; ROW],
            ends: [0; ROW],
            meet: [0; ROW],
            alive: [0; ROW_WORDS],
            several: [0; ROW_WORDS],
        }
    }

    /// Finds the games of a row that have all states; gives whether there are any.
    #[inline(always)]
    fn begin(&mut self, first: usize, within: Option<&[u64]>) -> bool {
        for n in 0..ROW_WORDS {
            self.alive[n] = match within {
                Some(within) => within.get(first / 64 + n).copied().unwrap_or(0),
                None => u64::MAX,
            };
        }
        for (n, own) in self.lists.iter().enumerate() {
            // The first one tells where the games end, even if it has all of them.
            if n == 0 || !own.list.has_every_game() {
                own.bits.narrow(first / 64, &mut self.alive);
            }
        }
        if self.alive == [0; ROW_WORDS] {
            return false;
        }
        self.several = [0; ROW_WORDS];
        true
    }

    #[inline(always)]
    fn narrow(&mut self, first: usize, deposit: impl Deposit) {
        let mut n_alive = count(&self.alive);
        match n_alive * ROW_ONE_IN < ROW {
            true => self.open_hulls_left(),
            false => self.open_all_hulls(),
        }
        for n in 0..self.lists.len() {
            if n_alive == 0 {
                return;
            }
            self.lists[n].is_unpacked = n_alive * ROW_ONE_IN >= ROW;
            match self.lists[n].is_unpacked {
                true => {
                    self.unpack(n, first, deposit);
                    n_alive = count(&self.alive);
                }
                false => n_alive -= self.look_up(n, first),
            }
        }
    }

    /// Lets hulls be anything.
    #[inline(always)]
    fn open_all_hulls(&mut self) {
        self.from.fill(0);
        self.to.fill(NOT_TOLD);
    }

    /// Lets the hulls of games that are left be anything: where they are few the others are never looked at.
    #[inline(always)]
    fn open_hulls_left(&mut self) {
        for word in 0..ROW_WORDS {
            for bit in Ones(self.alive[word]) {
                (self.from[word * 64 + bit], self.to[word * 64 + bit]) = (0, NOT_TOLD);
            }
        }
    }

    /// Narrows the row by a list, unpacked.
    #[inline(always)]
    fn unpack(&mut self, n: usize, first: usize, deposit: impl Deposit) {
        let Own { list, bits, row, several, .. } = &mut self.lists[n];
        let row = row.get_or_insert_default();
        row.unpack(list, bits, first, &mut self.ends, deposit);
        let (from, to) = (&mut self.from, &mut self.to);
        // Plain loops over whole arrays: the compiler makes them compare 32 games at a time.
        if !row.all_start {
            for (from, start) in from.iter_mut().zip(&row.starts) {
                *from = (*from).max(*start);
            }
        }
        for n in 0..ROW {
            to[n] = to[n].min(self.ends[n]);
            self.meet[n] = u8::from(from[n] < to[n]);
        }
        *several = row.several;
        for (n, several) in several.iter().enumerate() {
            self.several[n] |= several;
            self.alive[n] &= low_bits(&self.meet, n * 64);
        }
    }

    /// Narrows the games that are left by a list, one after another; gives how many are left out.
    #[inline(always)]
    fn look_up(&mut self, n: usize, first: usize) -> usize {
        let list = self.lists[n].list;
        match list.all_start() {
            true => self.look_up_by(n, first, |pair| (0, list.end_from_start(pair))),
            false => self.look_up_by(n, first, |pair| list.hull(pair)),
        }
    }

    #[inline(always)]
    fn look_up_by(&mut self, n: usize, first: usize, hull: impl Fn(usize) -> Stretch) -> usize {
        let bits = self.lists[n].bits;
        let (mut pair, mut n_left_out) = (bits.rank(first), 0);
        for word in 0..ROW_WORDS {
            let (own, mut left_out) = (bits.word(first / 64 + word), 0);
            for bit in Ones(self.alive[word]) {
                let at = word * 64 + bit;
                let (start, end) = hull(pair + (own & ((1 << bit) - 1)).count_ones() as usize);
                let from = self.from[at].max(start.min(u16::from(NOT_TOLD - 1)) as u8);
                let to = self.to[at].min(end.min(u16::from(NOT_TOLD)) as u8);
                (self.from[at], self.to[at]) = (from, to);
                left_out |= u64::from(from >= to) << bit;
            }
            self.alive[word] &= !left_out;
            n_left_out += left_out.count_ones() as usize;
            pair += own.count_ones() as usize;
        }
        n_left_out
    }

    /// Tells which of the games that are left have several stretches of a state, where its list was not unpacked.
    #[inline(always)]
    fn look_up_several(&mut self, first: usize) {
        for Own { list, bits, is_unpacked, several, .. } in &mut self.lists {
            if *is_unpacked || list.n_postings() == list.n_pairs() {
                continue;
            }
            let mut pair = bits.rank(first);
            for (word, several) in several.iter_mut().enumerate() {
                let own = bits.word(first / 64 + word);
                *several = 0;
                for bit in Ones(self.alive[word]) {
                    let at = pair + (own & ((1 << bit) - 1)).count_ones() as usize;
                    *several |= u64::from(list.is_several(at)) << bit;
                }
                self.several[word] |= *several;
                pair += own.count_ones() as usize;
            }
        }
    }

    #[inline(always)]
    fn finish(&mut self, first: usize, out: &mut impl Receive, deposit: impl Deposit) {
        if self.alive == [0; ROW_WORDS] {
            return;
        }
        self.look_up_several(first);
        if !out.wants_each() {
            self.count_plain(out, deposit);
        }
        for word in 0..ROW_WORDS {
            if self.alive[word] & self.several[word] != 0 {
                self.finish_several(first, word, out, deposit);
            } else if self.alive[word] != 0 {
                self.finish_plain(first, word, out, deposit);
            }
        }
    }

    /// Appends games some of which have several stretches: from the plies that the hulls share the gaps are taken out, list
    /// after list.
    #[inline(always)]
    fn finish_several(&mut self, first: usize, word: usize, out: &mut impl Receive, deposit: impl Deposit) {
        let mut plies = [Plies::default(); 64];
        for bit in Ones(self.alive[word]) {
            let at = word * 64 + bit;
            plies[bit] = Plies::of(self.from[at].into(), self.to[at].into());
        }
        for own in &mut self.lists {
            let several = own.several[word];
            for bit in Ones(several & self.alive[word]) {
                let take_out = |from, to| plies[bit].clear(from, to);
                match own.row.as_deref().filter(|_| own.is_unpacked) {
                    Some(row) => {
                        let before = (several & ((1 << bit) - 1)).count_ones();
                        let nth = (row.n_several[word] + before) as usize;
                        own.walker.nth_gaps(nth, row.starts[word * 64 + bit].into(), deposit, take_out);
                    }
                    None => own.walker.gaps((first + word * 64 + bit) as u32, deposit, take_out),
                }
            }
        }
        for bit in Ones(self.alive[word]) {
            let at = word * 64 + bit;
            if self.to[at] == NOT_TOLD {
                self.refine.beyond_bytes((first + at) as u32, out, deposit);
            } else if out.wants_each() {
                plies[bit].tell((first + at) as u32, out);
            } else {
                plies[bit].count(out);
            }
        }
    }

    /// Counts the games that have one stretch each, and is done with them. Rows with games of which the last ply is not
    /// told are left as they are.
    #[inline(always)]
    fn count_plain(&mut self, out: &mut impl Receive, deposit: impl Deposit) {
        let (lanes, _) = self.meet.as_chunks_mut::<8>();
        let mut n_games = 0;
        for n in 0..ROW_WORDS {
            let plain = self.alive[n] & !self.several[n];
            n_games += plain.count_ones() as usize;
            for eight in 0..8 {
                let some = plain >> (eight * 8) & 0xFF;
                lanes[n * 8 + eight] = (deposit.deposit(some, LANES) * 0xFF).to_le_bytes();
            }
        }
        let (mut n_positions, mut latest) = (0u32, 0);
        for n in 0..ROW {
            let (from, to) = (self.from[n] & self.meet[n], self.to[n] & self.meet[n]);
            n_positions += u32::from(to.wrapping_sub(from));
            latest = to.max(latest);
        }
        if latest < NOT_TOLD {
            out.count(n_games, n_positions as usize, n_games);
            for n in 0..ROW_WORDS {
                self.alive[n] &= self.several[n];
            }
        }
    }

    /// Appends games that have one stretch each.
    #[inline(always)]
    fn finish_plain(&mut self, first: usize, word: usize, out: &mut impl Receive, deposit: impl Deposit) {
        let mut found = [Posting { game: 0, from: 0, to: 0 }; 64];
        let (mut n, mut is_told) = (0, true);
        for bit in Ones(self.alive[word]) {
            let at = word * 64 + bit;
            let (game, from, to) = ((first + at) as u32, self.from[at].into(), self.to[at]);
            is_told &= to != NOT_TOLD;
            found[n % 64] = Posting { game, from, to: to.into() };
            n += 1;
        }
        match is_told {
            true => out.extend(&found[..n.min(64)]),
            false => {
                for bit in Ones(self.alive[word]) {
                    self.refine.beyond_bytes((first + word * 64 + bit) as u32, out, deposit);
                }
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

/// The lowest bits of 64 bytes that are 0 or 1.
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
