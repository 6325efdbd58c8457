//! Sparse intersection: conjunctions with a rare state.
//!
//! In: posting lists, the rarest first; optionally games to restrict to. Out: intervals, emitted or counted. Never:
//! plies of a game that lacks one of the states.

use super::refine::Refine;
use super::tally::Sink;
use crate::index::bits::RankBitmap;
use crate::index::pdep::Pdep;
use crate::index::postings::{Pairs, Posting, StateList};

/// Cost of a lookup in a list, in games that could be unpacked meanwhile.
const LOOKUP_COST: usize = 6;

/// A bitmap is tested before spans are compared if fewer than one game in so many has the state.
const SELECTIVE_ONE_IN: usize = 2;

pub fn bits_of(games: &[u32], n_games: usize) -> Vec<u64> {
    let mut bits = vec![0; n_games.div_ceil(64)];
    for game in games {
        bits[*game as usize / 64] |= 1 << (game % 64);
    }
    bits
}

#[inline(always)]
fn has(bits: &[u64], game: u32) -> bool {
    bits[game as usize / 64] >> (game % 64) & 1 == 1
}

/// Filters games and their pairs in place.
#[inline(always)]
fn keep(games: &mut Vec<u32>, pairs: &mut Vec<u32>, is_kept: impl Fn(u32) -> bool) {
    let mut n_kept = 0;
    for at in 0..games.len().min(pairs.len()) {
        // Branch-free: always write, then advance by the condition, which the processor cannot predict.
        (games[n_kept], pairs[n_kept]) = (games[at], pairs[at]);
        n_kept += usize::from(is_kept(games[at]));
    }
    games.truncate(n_kept);
    pairs.truncate(n_kept);
}

/// Keeps the games that the other lists have too, as far as this is cheaper than comparing spans.
#[inline(always)]
fn keep_common(
    games: &mut Vec<u32>,
    pairs: &mut Vec<u32>,
    others: &[StateList],
    n_games: usize,
    pdep: impl Pdep,
) {
    // The first one was tested while the rarest list was unpacked.
    for bits in selective(others, n_games).skip(1) {
        keep(games, pairs, |game| bits.has(game as usize));
    }
    for other in others.iter().filter(|other| other.bits().is_none()) {
        // If the list is not much longer than the games, a bitmap is cheaper than lookups.
        if games.len() * LOOKUP_COST > other.n_pairs() {
            let bits = bits_of_list(other, n_games, pdep);
            keep(games, pairs, |game| has(&bits, game));
        } else {
            keep_found(games, pairs, other.pairs(), pdep);
        }
    }
}

/// Keeps the games of a list. A loop, not a closure: a closure may be compiled without the target features, and PDEP
/// would then be a call.
#[inline(always)]
fn keep_found(games: &mut Vec<u32>, pairs: &mut Vec<u32>, mut found: Pairs, pdep: impl Pdep) {
    let mut n_kept = 0;
    for at in 0..games.len().min(pairs.len()) {
        (games[n_kept], pairs[n_kept]) = (games[at], pairs[at]);
        n_kept += usize::from(found.of(games[at], pdep).is_some());
    }
    games.truncate(n_kept);
    pairs.truncate(n_kept);
}

/// The bitmaps of dense lists that drop many games: testing a bit is cheaper than comparing spans.
#[inline(always)]
fn selective<'l, 'a>(
    lists: &'l [StateList<'a>],
    n_games: usize,
) -> impl Iterator<Item = RankBitmap<'a>> + use<'l, 'a> {
    let few = move |list: &&StateList<'a>| list.n_pairs() * SELECTIVE_ONE_IN < n_games;
    lists.iter().filter(few).filter_map(StateList::bits)
}

/// The games of a list with their pairs, tested against the first selective bitmap.
#[inline(always)]
fn games_of(list: &StateList, others: &[StateList], n_games: usize, pdep: impl Pdep) -> (Vec<u32>, Vec<u32>) {
    let (mut games, mut pairs) = (vec![0; list.n_pairs() + 1], vec![0; list.n_pairs() + 1]);
    let (mut n_kept, mut pair) = (0, 0);
    match selective(others, n_games).next() {
        // Branch-free: always write, then advance by the condition, which the processor cannot predict.
        Some(bits) => list.each_game(pdep, |game| {
            (games[n_kept], pairs[n_kept]) = (game, pair);
            n_kept += usize::from(bits.has(game as usize));
            pair += 1;
        }),
        None => list.each_game(pdep, |game| {
            (games[n_kept], pairs[n_kept]) = (game, pair);
            n_kept += 1;
            pair += 1;
        }),
    }
    games.truncate(n_kept);
    pairs.truncate(n_kept);
    (games, pairs)
}

#[inline(always)]
fn bits_of_list(list: &StateList, n_games: usize, pdep: impl Pdep) -> Vec<u64> {
    let mut bits = vec![0; n_games.div_ceil(64)];
    list.each_game(pdep, |game| bits[game as usize / 64] |= 1 << (game % 64));
    bits
}

/// Candidate games with the intersection of their spans.
#[derive(Default)]
pub struct Spans {
    games: Vec<u32>,
    from: Vec<u16>,
    to: Vec<u16>,
    /// Whether some state has several intervals.
    multi: Vec<u8>,
}

impl Spans {
    /// The given games, tested against all bitmaps.
    #[inline(always)]
    pub fn of_games(games: &[u32], lists: &[StateList]) -> Spans {
        let sets: Vec<RankBitmap> = lists.iter().filter_map(StateList::bits).collect();
        let in_all = |game: &u32| sets.iter().all(|set| set.has(*game as usize));
        let games: Vec<u32> = games.iter().copied().filter(in_all).collect();
        let n = games.len();
        Spans { games, from: vec![0; n], to: vec![u16::MAX; n], multi: vec![0; n] }
    }

    /// The games of the rarest list that the others have too.
    #[inline(always)]
    pub fn of_rarest(lists: &[StateList], within: Option<&[u32]>, n_games: usize, pdep: impl Pdep) -> Spans {
        let Some((list, others)) = lists.split_first() else { return Spans::default() };
        let (mut games, mut pairs) = games_of(list, others, n_games, pdep);
        if let Some(within) = within {
            let bits = bits_of(within, n_games);
            keep(&mut games, &mut pairs, |game| has(&bits, game));
        }
        keep_common(&mut games, &mut pairs, others, n_games, pdep);
        let n = games.len();
        let mut spans = Spans { games, from: vec![0; n], to: vec![0; n], multi: vec![0; n] };
        for (at, pair) in pairs.into_iter().enumerate() {
            (spans.from[at], spans.to[at]) = list.span(pair as usize);
            spans.multi[at] = u8::from(list.is_multi(pair as usize));
        }
        spans
    }

    /// Narrows the candidates by one more list.
    #[inline(always)]
    pub fn narrow(&mut self, list: &StateList, pdep: impl Pdep) {
        let mut pairs = list.pairs();
        let mut n_kept = 0;
        for at in 0..self.games.len() {
            let Some(pair) = pairs.of(self.games[at], pdep) else { continue };
            let (start, end) = list.span(pair);
            let (from, to) = (start.max(self.from[at]), end.min(self.to[at]));
            self.games[n_kept] = self.games[at];
            (self.from[n_kept], self.to[n_kept]) = (from, to);
            self.multi[n_kept] = self.multi[at] | u8::from(list.is_multi(pair));
            n_kept += usize::from(from < to);
        }
        self.games.truncate(n_kept);
        self.from.truncate(n_kept);
        self.to.truncate(n_kept);
        self.multi.truncate(n_kept);
    }

    /// Emits the intervals in which all states hold.
    #[inline(always)]
    pub fn finish(self, lists: &[StateList], out: &mut impl Sink, pdep: impl Pdep) {
        if self.multi.iter().all(|multi| *multi == 0) {
            for (at, game) in self.games.into_iter().enumerate() {
                out.push(Posting { game, from: self.from[at], to: self.to[at] });
            }
            return;
        }
        let mut refine = Refine::of(lists);
        for (at, game) in self.games.into_iter().enumerate() {
            let (from, to) = (self.from[at], self.to[at]);
            match self.multi[at] {
                0 => out.push(Posting { game, from, to }),
                _ => {
                    refine.begin((from, to));
                    (0..lists.len()).for_each(|n| refine.narrow(n, game, pdep));
                    refine.finish(game, out);
                }
            }
        }
    }
}
