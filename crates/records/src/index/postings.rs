//! Posting lists: the intervals of plies in which a piece state held, in about two bytes each, accessible by game
//! without unpacking.
//!
//! In: postings sorted by game and ply. Out: bytes; a view that yields the games, and for a game its intervals. Never:
//! a result that depends on which encoding was chosen.
//!
//! ```text
//! flags u8 | games | pairs | extra intervals | positions (varints) | game set | span starts | span lengths | multi | extras
//! ```
//!
//! A *pair* is a state and a game in which it held at least once. Its *span* reaches from its first ply to its last;
//! most pairs are one interval, and the span is all there is. The others have a bit set in `multi`, and the ends and
//! starts in between follow as deltas. The game set is a bitmap where many games have the state, an Elias-Fano list
//! where few do; either way a search intersects games before it reads any ply.

use super::bits::{
    Cursor, Ones, Packed, RankBitmap, RankCursor, SelectCursor, pack, put_rank_bitmap, put_varint, u32_at,
    width_of,
};
use super::elias_fano::{EliasFano, Finder, put_elias_fano};
use super::pdep::Pdep;

/// A posting: an interval of plies of one game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Posting {
    /// The game's number within the segment.
    pub game: u32,
    /// The first ply; 0 is before the first move.
    pub from: u16,
    /// The ply after the last.
    pub to: u16,
}

/// The game set is a bitmap if more than one game in so many has the state. A list is smaller below one in five, but a
/// bitmap is faster: it costs 0.15 bytes per ply more than with one in ten, and saves unpacking.
const DENSE_ONE_IN: usize = 24;
const DENSE: u8 = 1;

/// Encodes the postings of one state: sorted by game and ply, neither touching nor overlapping.
pub fn encode(postings: &[Posting], n_games: usize) -> Vec<u8> {
    let pairs: Vec<&[Posting]> = postings.chunk_by(|a, b| a.game == b.game).collect();
    let is_dense = pairs.len() * DENSE_ONE_IN > n_games;
    let n_extra = postings.len() - pairs.len();
    let mut out = vec![u8::from(is_dense)];
    let n_positions: usize = postings.iter().map(|posting| usize::from(posting.to - posting.from)).sum();
    for number in [n_games, pairs.len(), n_extra, n_positions] {
        put_varint(&mut out, number as u64);
    }
    let games: Vec<u32> = pairs.iter().map(|pair| pair[0].game).collect();
    if is_dense {
        put_rank_bitmap(&mut out, n_games, games.iter().map(|game| *game as usize))
    } else {
        put_elias_fano(&mut out, n_games, &games)
    }
    let starts: Vec<u32> = pairs.iter().map(|pair| u32::from(pair[0].from)).collect();
    let length = |pair: &&[Posting]| u32::from(pair[pair.len() - 1].to - pair[0].from) - 1;
    let lengths: Vec<u32> = pairs.iter().map(length).collect();
    put_patched(&mut out, &starts);
    put_patched(&mut out, &lengths);
    if n_extra > 0 {
        put_extras(&mut out, &pairs, n_extra);
    }
    out
}

/// Which pairs have several intervals; for each of these how many more, in unary; and the plies between.
fn put_extras(out: &mut Vec<u8>, pairs: &[&[Posting]], n_extra: usize) {
    let multi = || pairs.iter().enumerate().filter(|(_, pair)| pair.len() > 1);
    put_rank_bitmap(out, pairs.len(), multi().map(|(n, _)| n));
    let firsts = multi().scan(0, |next, (_, pair)| {
        let first = *next;
        *next += pair.len() - 1;
        Some(first)
    });
    put_rank_bitmap(out, n_extra, firsts);
    let mut between = Vec::with_capacity(2 * n_extra);
    for (_, pair) in multi() {
        let mut last = pair[0].from;
        for two in pair.windows(2) {
            between.push(u32::from(two[0].to - last) - 1);
            between.push(u32::from(two[1].from - two[0].to) - 1);
            last = two[1].from;
        }
    }
    put_patched(out, &between);
}

/// Cost of an exception in bits: 48 for an index and a value, and as many again for the time to look it up.
const EXCEPTION_BITS: usize = 96;

/// Patched packing (PFOR): numbers below 65,536 at the width of least cost, with larger ones as exceptions.
fn put_patched(out: &mut Vec<u8>, values: &[u32]) {
    let mut by_width = [0usize; 18];
    for value in values {
        // All ones is the escape value of an exception.
        by_width[width_of(u64::from(*value) + 1) as usize] += 1;
    }
    let all_zero = values.iter().all(|value| *value == 0);
    let cost = |width: usize| {
        let n_exceptions: usize = by_width[width + 1..].iter().sum();
        values.len() * width + n_exceptions * EXCEPTION_BITS
    };
    let width = if all_zero { 0 } else { (1..=17).min_by_key(|width| cost(*width)).unwrap_or(17) as u32 };
    let escape = (1u32 << width) - 1;
    let is_exception = |value: u32| width > 0 && value >= escape;
    let exceptions: Vec<(usize, u32)> =
        values.iter().copied().enumerate().filter(|(_, value)| is_exception(*value)).collect();
    out.push(width as u8);
    put_varint(out, exceptions.len() as u64);
    pack(out, width, values.iter().map(|value| (*value).min(escape)));
    for (index, _) in &exceptions {
        out.extend((*index as u32).to_le_bytes());
    }
    for (_, value) in &exceptions {
        out.extend((*value as u16).to_le_bytes());
    }
}

#[derive(Clone, Copy)]
pub(super) struct Patched<'a> {
    pub(super) packed: Packed<'a>,
    escape: u32,
    indices: &'a [u8],
    values: &'a [u8],
}

impl<'a> Patched<'a> {
    fn read(from: &mut Cursor<'a>, n: usize) -> Option<Patched<'a>> {
        let width = u32::from(from.byte()?);
        let n_exceptions = from.size()?;
        let packed = Packed::read(from, width, n)?;
        let indices = from.take(n_exceptions * 4)?;
        let values = from.take(n_exceptions * 2)?;
        // Without exceptions: an escape value that no number has.
        let escape = if n_exceptions == 0 { u32::MAX } else { (1u32 << width) - 1 };
        Some(Patched { packed, escape, indices, values })
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> u32 {
        let value = self.packed.get(index);
        if value == self.escape { self.exception(index) } else { value }
    }

    /// Emits every exception of a range with its index.
    #[inline(always)]
    pub(super) fn each_exception(&self, range: std::ops::Range<usize>, mut emit: impl FnMut(usize, u32)) {
        let n_exceptions = self.indices.len() / 4;
        let (mut at, mut high) = (0, n_exceptions);
        while at < high {
            let middle = (at + high) / 2;
            if (u32_at(self.indices, middle * 4) as usize) < range.start {
                at = middle + 1
            } else {
                high = middle
            }
        }
        while at < n_exceptions {
            let index = u32_at(self.indices, at * 4) as usize;
            if index >= range.end {
                break;
            }
            emit(index, u32::from(u16::from_le_bytes([self.values[at * 2], self.values[at * 2 + 1]])));
            at += 1;
        }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.packed.width() == 0
    }

    #[cold]
    fn exception(&self, index: usize) -> u32 {
        let (mut low, mut high) = (0, self.indices.len() / 4);
        while low < high {
            let middle = (low + high) / 2;
            match (u32_at(self.indices, middle * 4) as usize).cmp(&index) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => {
                    let at = middle * 2;
                    return u32::from(u16::from_le_bytes([self.values[at], self.values[at + 1]]));
                }
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        self.escape
    }
}

/// The game set of a state.
#[derive(Clone, Copy)]
pub(super) enum Games<'a> {
    Dense(RankBitmap<'a>),
    Sparse(EliasFano<'a>),
}

/// A view of the posting list of one state.
#[derive(Clone, Copy)]
pub struct StateList<'a> {
    pub(super) games: Games<'a>,
    n_games: usize,
    n_pairs: usize,
    pub(super) n_extra: usize,
    n_positions: usize,
    pub(super) starts: Patched<'a>,
    pub(super) lengths: Patched<'a>,
    pub(super) extras: Option<Extras<'a>>,
}

#[derive(Clone, Copy)]
pub(super) struct Extras<'a> {
    pub(super) multi: RankBitmap<'a>,
    pub(super) firsts: RankBitmap<'a>,
    between: Patched<'a>,
}

/// The first ply and the ply after the last.
pub type Interval = (u16, u16);

impl<'a> StateList<'a> {
    /// A view of encoded bytes; `None` if [`encode`] did not write them.
    pub fn read(bytes: &'a [u8]) -> Option<StateList<'a>> {
        let mut from = Cursor(bytes);
        let flags = from.byte()?;
        let (n_games, n_pairs, n_extra) = (from.size()?, from.size()?, from.size()?);
        let n_positions = from.size()?;
        let games = match flags & DENSE {
            DENSE => Games::Dense(RankBitmap::read(&mut from, n_games)?),
            _ => Games::Sparse(EliasFano::read(&mut from, n_games, n_pairs)?),
        };
        let starts = Patched::read(&mut from, n_pairs)?;
        let lengths = Patched::read(&mut from, n_pairs)?;
        let extras = match n_extra {
            0 => None,
            _ => Some(Extras {
                multi: RankBitmap::read(&mut from, n_pairs)?,
                firsts: RankBitmap::read(&mut from, n_extra)?,
                between: Patched::read(&mut from, 2 * n_extra)?,
            }),
        };
        Some(StateList { games, n_games, n_pairs, n_extra, n_positions, starts, lengths, extras })
    }

    /// How many games have the state.
    pub fn n_pairs(&self) -> usize {
        self.n_pairs
    }

    /// Whether every game has the state, so that pair numbers are game numbers.
    pub fn has_every_game(&self) -> bool {
        self.n_pairs == self.n_games
    }

    /// In how many positions the state holds.
    pub fn n_positions(&self) -> usize {
        self.n_positions
    }

    /// How many intervals there are.
    pub fn n_postings(&self) -> usize {
        self.n_pairs + self.n_extra
    }

    /// The games as a bitmap, if they are dense.
    pub fn bits(&self) -> Option<RankBitmap<'a>> {
        match self.games {
            Games::Dense(bits) => Some(bits),
            Games::Sparse(_) => None,
        }
    }

    #[inline(always)]
    pub fn unpack_games(&self, out: &mut Vec<u32>) {
        match self.games {
            Games::Dense(bits) => {
                out.reserve(self.n_pairs);
                for index in 0..bits.n_words() {
                    out.extend(Ones(bits.word(index)).map(|bit| (index * 64 + bit) as u32));
                }
            }
            Games::Sparse(elias_fano) => elias_fano.unpack(out),
        }
    }

    /// Emits the games that have the state.
    #[inline(always)]
    pub fn each_game(&self, pdep: impl Pdep, mut emit: impl FnMut(u32)) {
        match self.games {
            Games::Dense(bits) => {
                for index in 0..bits.n_words() {
                    Ones(bits.word(index)).for_each(|bit| emit((index * 64 + bit) as u32));
                }
            }
            Games::Sparse(elias_fano) => elias_fano.each_by(pdep, |_, game| emit(game)),
        }
    }

    /// The pair of a game, if it has the state.
    #[inline(always)]
    pub fn pair_of(&self, game: u32) -> Option<usize> {
        match self.games {
            Games::Dense(bits) => {
                let game = game as usize;
                (game < self.n_games && bits.has(game)).then(|| bits.rank(game))
            }
            Games::Sparse(elias_fano) => elias_fano.find(game),
        }
    }

    /// The span of a pair: its first ply and the ply after its last.
    #[inline(always)]
    pub fn span(&self, pair: usize) -> Interval {
        let from = self.starts.get(pair);
        (from as u16, (from + self.lengths.get(pair) + 1) as u16)
    }

    /// Whether every span begins at ply 0.
    pub fn all_from_zero(&self) -> bool {
        self.starts.is_zero()
    }

    /// The end of a span, where every span begins at ply 0.
    #[inline(always)]
    pub fn end_from_start(&self, pair: usize) -> u16 {
        (self.lengths.get(pair) + 1) as u16
    }

    /// Whether a pair has more than one interval.
    #[inline(always)]
    pub fn is_multi(&self, pair: usize) -> bool {
        self.extras.is_some_and(|extras| extras.multi.has(pair))
    }

    pub fn intervals(&self, pair: usize, out: &mut Vec<Interval>) {
        let (mut from, end) = self.span(pair);
        let Some(extras) = self.extras.filter(|extras| extras.multi.has(pair)) else {
            out.push((from, end));
            return;
        };
        let nth = extras.multi.rank(pair);
        let first = extras.firsts.select(nth).unwrap_or(0);
        let after = extras.firsts.select(nth + 1).unwrap_or(self.n_extra);
        for extra in first..after {
            let to = from + extras.between.get(2 * extra) as u16 + 1;
            out.push((from, to));
            from = to + extras.between.get(2 * extra + 1) as u16 + 1;
        }
        out.push((from, end));
    }

    /// A cursor for the pairs of increasing games.
    pub fn pairs(&self) -> Pairs<'a> {
        match self.games {
            Games::Dense(_) if self.has_every_game() => Pairs::Every,
            Games::Dense(bits) => Pairs::Dense(bits, bits.ranks()),
            Games::Sparse(elias_fano) => Pairs::Sparse(elias_fano.finder()),
        }
    }

    /// A cursor for the intervals of increasing games.
    pub fn walker(&self) -> StateWalker<'a> {
        StateWalker {
            list: *self,
            pairs: self.pairs(),
            multi: self.extras.map(|extras| (extras, extras.multi.ranks(), extras.firsts.select_cursor())),
        }
    }

    pub fn unpack(&self, out: &mut Vec<Posting>) {
        let (mut games, mut intervals) = (Vec::new(), Vec::new());
        self.unpack_games(&mut games);
        for (pair, game) in games.into_iter().enumerate() {
            intervals.clear();
            self.intervals(pair, &mut intervals);
            out.extend(intervals.iter().map(|(from, to)| Posting { game, from: *from, to: *to }));
        }
    }
}

/// Looks up the pairs of non-decreasing games incrementally.
pub enum Pairs<'a> {
    Every,
    Dense(RankBitmap<'a>, RankCursor<'a>),
    Sparse(Finder<'a>),
}

impl Pairs<'_> {
    /// The pair of a game, if it has the state. Games must not decrease between calls.
    #[inline(always)]
    pub fn of(&mut self, game: u32, pdep: impl Pdep) -> Option<usize> {
        match self {
            Pairs::Every => Some(game as usize),
            Pairs::Dense(bits, ranks) => bits.has(game as usize).then(|| ranks.rank(game as usize)),
            Pairs::Sparse(finder) => finder.find(game, pdep),
        }
    }
}

/// Looks up the intervals of non-decreasing games incrementally.
pub struct StateWalker<'a> {
    list: StateList<'a>,
    pairs: Pairs<'a>,
    multi: Option<(Extras<'a>, RankCursor<'a>, SelectCursor<'a>)>,
}

impl StateWalker<'_> {
    /// Emits the intervals of a game until `go_on` returns false, if it has several; returns `false`, and emits
    /// nothing, if the span is its only interval. Games must not decrease between calls.
    #[inline(always)]
    pub fn multi(&mut self, game: u32, pdep: impl Pdep, go_on: impl FnMut(u16, u16) -> bool) -> bool {
        let Some((extras, ranks, select_cursor)) = &mut self.multi else { return false };
        let Some(pair) = self.pairs.of(game, pdep).filter(|pair| extras.multi.has(*pair)) else {
            return false;
        };
        let (nth, (from, end)) = (ranks.rank(pair), self.list.span(pair));
        emit_intervals(extras, select_cursor.select_two(nth, pdep), (from, end), go_on);
        true
    }

    /// Emits the gaps between the intervals of a game. Games must not decrease between calls.
    #[inline(always)]
    pub fn gaps(&mut self, game: u32, pdep: impl Pdep, gap: impl FnMut(u16, u16)) {
        let Some((extras, ranks, select_cursor)) = &mut self.multi else { return };
        if let Some(pair) = self.pairs.of(game, pdep).filter(|pair| extras.multi.has(*pair)) {
            let (nth, (from, _)) = (ranks.rank(pair), self.list.span(pair));
            emit_gaps(extras, select_cursor.select_two(nth, pdep), from, gap);
        }
    }

    /// The same for a game whose rank among those with several intervals, and the start of whose span, are known.
    #[inline(always)]
    pub fn nth_gaps(&mut self, nth: usize, from: u16, pdep: impl Pdep, gap: impl FnMut(u16, u16)) {
        if let Some((extras, _, select_cursor)) = &mut self.multi {
            emit_gaps(extras, select_cursor.select_two(nth, pdep), from, gap);
        }
    }
}

#[inline(always)]
fn emit_gaps(extras: &Extras, (first, after): (usize, usize), mut from: u16, mut gap: impl FnMut(u16, u16)) {
    for extra in first..after {
        let to = from + extras.between.get(2 * extra) as u16 + 1;
        from = to + extras.between.get(2 * extra + 1) as u16 + 1;
        gap(to, from);
    }
}

/// Emits the intervals of a pair until `go_on` returns false.
#[inline(always)]
pub(super) fn emit_intervals(
    extras: &Extras,
    (first, after): (usize, usize),
    (mut from, end): Interval,
    mut go_on: impl FnMut(u16, u16) -> bool,
) {
    for extra in first..after {
        let to = from + extras.between.get(2 * extra) as u16 + 1;
        if !go_on(from, to) {
            return;
        }
        from = to + extras.between.get(2 * extra + 1) as u16 + 1;
    }
    go_on(from, end);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::pdep::PortablePdep;
    use proptest::prelude::*;

    /// Postings from steps: games skipped, plies between and lengths.
    fn postings(steps: &[(u32, u16, u16)]) -> (Vec<Posting>, usize) {
        let mut list: Vec<Posting> = Vec::new();
        for (skip, gap, length) in steps {
            let last = list.last().copied().unwrap_or(Posting { game: 0, from: 0, to: 0 });
            let game = last.game + skip;
            let base = if *skip == 0 && !list.is_empty() { last.to + 1 } else { 0 };
            let from = base + gap;
            list.push(Posting { game, from, to: from + length + 1 });
        }
        let n_games = list.last().map_or(1, |last| last.game as usize + 1);
        (list, n_games)
    }

    proptest! {
        #[test]
        fn postings_read_back(
            steps in prop::collection::vec((0u32..4, 0u16..40, prop_oneof![0u16..90, 0u16..400]), 0..150),
            sparse in 1u32..40,
        ) {
            let steps: Vec<_> = steps.into_iter().map(|(skip, gap, length)| (skip * sparse, gap, length)).collect();
            let (list, n_games) = postings(&steps);
            let bytes = encode(&list, n_games);
            let view = StateList::read(&bytes).expect("whole");
            let mut unpacked = Vec::new();
            view.unpack(&mut unpacked);
            prop_assert_eq!(&unpacked, &list);
            prop_assert_eq!(view.n_postings(), list.len());
            let mut walker = view.walker();
            for game in 0..n_games as u32 {
                let mut intervals = Vec::new();
                if view.pair_of(game).is_some() {
                    let mut indexed: Vec<Interval> = Vec::new();
                    let own: Vec<Interval> = list.iter().filter(|p| p.game == game).map(|p| (p.from, p.to)).collect();
                    let emit = |from, to| {
                        indexed.push((from, to));
                        true
                    };
                    prop_assert_eq!(walker.multi(game, PortablePdep, emit), own.len() > 1);
                    prop_assert!(own.len() == 1 || indexed == own);
                }
                if let Some(pair) = view.pair_of(game) {
                    view.intervals(pair, &mut intervals);
                    let (from, to) = view.span(pair);
                    prop_assert_eq!((intervals[0].0, intervals[intervals.len() - 1].1), (from, to));
                    prop_assert_eq!(view.is_multi(pair), intervals.len() > 1);
                }
                let own = list.iter().filter(|p| p.game == game).map(|p| (p.from, p.to));
                prop_assert_eq!(intervals, own.collect::<Vec<_>>());
            }
        }

        #[test]
        fn damaged_bytes_are_no_view(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            if let Some(view) = StateList::read(&bytes) {
                let _ = view.pair_of(0);
            }
        }
    }
}
