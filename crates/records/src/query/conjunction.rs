//! Conjunctions: the intervals in which several states hold at once.
//!
//! In: posting lists; optionally games to restrict to. Out: intervals, listed or counted. Never: intervals read before
//! spans overlap.
//!
//! If all states are frequent, rows of games are compared at once (`batched_intersection`). If one is rare, its games
//! are looked up in the other lists, the shortest first (`sparse_intersection`).

use std::ops::Range;

use rayon::prelude::*;

use super::batched_intersection::intersect_batched;
use super::sparse_intersection::{Spans, bits_of};
use super::tally::{Sink, Tally};
use crate::index::pdep::{Pdep, PortablePdep};
use crate::index::postings::{Posting, StateList};
use crate::index::span_rows::ROW;

/// Work per thread: spans unpacked in about ten times the time it takes to wake a thread.
const SPANS_PER_PART: usize = 1 << 18;
/// Single lookups pay when fewer than one game in so many is asked for.
const FEW_ONE_IN: usize = 12;

pub struct Conjunction<'a> {
    lists: Vec<StateList<'a>>,
    n_games: usize,
}

impl<'a> Conjunction<'a> {
    pub fn new(mut lists: Vec<StateList<'a>>, n_games: usize) -> Conjunction<'a> {
        // Rare states first; then those that hold briefly, which leave the fewest games to the others.
        lists.sort_by_key(|list| match list.bits() {
            None => (0, list.n_pairs()),
            Some(_) => (1, list.n_positions()),
        });
        Conjunction { lists, n_games }
    }

    /// The intervals in which all states hold, restricted to the sorted games `within` if given.
    pub fn list(&self, within: Option<&[u32]>) -> Vec<Posting> {
        let mut out = Vec::new();
        self.emit(within, &mut out);
        out
    }

    /// Counts, and the first intervals.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.emit(None, &mut tally);
        tally
    }

    fn emit<R: Sink>(&self, within: Option<&[u32]>, out: &mut R) {
        let Some(rarest) = self.lists.first() else { return };
        match within {
            Some(games) if games.len() * FEW_ONE_IN < self.n_games.min(rarest.n_pairs() * FEW_ONE_IN) => {
                self.run_algorithm(Algorithm::Lookup(games), out);
            }
            _ if rarest.bits().is_none() => self.run_algorithm(Algorithm::Sparse(within), out),
            _ => {
                let bits = within.map(|games| bits_of(games, self.n_games));
                self.run_batched(bits.as_deref(), out);
            }
        }
    }

    /// Uses as many threads as there is work for.
    fn run_batched<R: Sink>(&self, within: Option<&[u64]>, out: &mut R) {
        let n_parts = self.lists.len() * self.n_games / SPANS_PER_PART;
        match n_parts.min(rayon::current_num_threads()) {
            0 | 1 => self.run_algorithm(Algorithm::Batched(within, 0..self.n_games), out),
            n_parts => self.run_in_parts(within, n_parts, out),
        }
    }

    fn run_in_parts<R: Sink>(&self, within: Option<&[u64]>, n_parts: usize, out: &mut R) {
        let games_a_part = (self.n_games / n_parts + 1).next_multiple_of(ROW);
        let firsts: Vec<usize> = (0..self.n_games).step_by(games_a_part).collect();
        let run_algorithm = |first: &usize| {
            let mut found = R::default();
            let games = *first..self.n_games.min(first + games_a_part);
            self.run_algorithm(Algorithm::Batched(within, games), &mut found);
            found
        };
        let found: Vec<R> = firsts.par_iter().map(run_algorithm).collect();
        found.into_iter().for_each(|later| out.append(later));
    }

    fn run_algorithm(&self, algorithm: Algorithm, out: &mut impl Sink) {
        #[cfg(target_arch = "x86_64")]
        if let Some(pdep) = crate::index::pdep::Bmi2Pdep::detect()
            && std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("avx2")
        {
            // SAFETY: the features that the function is compiled for were detected. POPCNT, PDEP and AVX2 make searches
            // five times as fast.
            #[expect(unsafe_code, reason = "calls a function compiled for detected features")]
            unsafe {
                run_avx2(self, algorithm, out, pdep);
            }
            return;
        }
        run_portable(self, algorithm, out, PortablePdep);
    }
}

enum Algorithm<'w> {
    /// Look these games up in every list.
    Lookup(&'w [u32]),
    /// Start from the games of the rarest list, restricted to these if given.
    Sparse(Option<&'w [u32]>),
    /// Compare rows of a range of games, restricted to a bitmap if given.
    Batched(Option<&'w [u64]>, Range<usize>),
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
fn run_avx2(
    conjunction: &Conjunction,
    algorithm: Algorithm,
    out: &mut impl Sink,
    pdep: crate::index::pdep::Bmi2Pdep,
) {
    run_portable(conjunction, algorithm, out, pdep);
}

#[inline(always)]
fn run_portable(
    Conjunction { lists, n_games }: &Conjunction,
    algorithm: Algorithm,
    out: &mut impl Sink,
    pdep: impl Pdep,
) {
    let lists = lists.as_slice();
    match algorithm {
        Algorithm::Lookup(games) => {
            let mut spans = Spans::of_games(games, lists);
            lists.iter().for_each(|list| spans.narrow(list, pdep));
            spans.finish(lists, out, pdep);
        }
        Algorithm::Sparse(within) => {
            let mut spans = Spans::of_rarest(lists, within, *n_games, pdep);
            lists.iter().skip(1).for_each(|list| spans.narrow(list, pdep));
            spans.finish(lists, out, pdep);
        }
        Algorithm::Batched(within, games) => intersect_batched(lists, within, games, out, pdep),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::postings::encode;
    use crate::query::interval_set::intersect;
    use crate::query::tally::FIRST_INTERVALS;
    use proptest::prelude::*;

    fn below(state: &mut u64, n: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % n
    }

    /// Intervals of one in so many games, sometimes several, sometimes late ones.
    fn postings(seed: &mut u64, n_games: u32, one_in: u64) -> Vec<Posting> {
        let mut postings = Vec::new();
        for game in 0..n_games {
            let mut ply = [0, 0, 20, 300][below(seed, 4) as usize];
            for _ in 0..1 + below(seed, 5) / 3 {
                if below(seed, one_in) == 0 {
                    let from = ply + below(seed, 30) as u16;
                    ply = from + 1 + below(seed, if one_in.is_multiple_of(2) { 400 } else { 60 }) as u16;
                    postings.push(Posting { game, from, to: ply });
                    ply += 1;
                }
            }
        }
        postings
    }

    fn check_tally(tally: &Tally, expected: &[Posting]) {
        let n_positions = expected.iter().map(|interval| usize::from(interval.to - interval.from)).sum();
        let n_games = expected.chunk_by(|a, b| a.game == b.game).count();
        let counts = (tally.n_games, tally.n_positions, tally.n_intervals);
        assert_eq!(counts, (n_games, n_positions, expected.len()));
        assert_eq!(tally.first, expected[..expected.len().min(FIRST_INTERVALS)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        #[test]
        fn conjunction_is_the_intersection(
            seed in any::<u64>(),
            one_ins in prop::collection::vec(prop_oneof![1u64..4, 10u64..60], 1..5),
            n_games in 1u32..9000,
            few in 1usize..40,
            n_parts in 1usize..4,
        ) {
            let mut seed = seed;
            let all: Vec<Vec<Posting>> = one_ins.iter().map(|one_in| postings(&mut seed, n_games, *one_in)).collect();
            let expected = all[1..].iter().fold(all[0].clone(), |sum, one| intersect(&sum, one));
            let bytes: Vec<Vec<u8>> = all.iter().map(|one| encode(one, n_games as usize)).collect();
            let lists = || bytes.iter().map(|bytes| StateList::read(bytes).expect("whole")).collect::<Vec<_>>();
            let conjunction = Conjunction::new(lists(), n_games as usize);
            prop_assert_eq!(&conjunction.list(None), &expected);
            check_tally(&conjunction.tally(), &expected);
            if conjunction.lists[0].bits().is_some() {
                let (mut tally, mut list) = (Tally::default(), Vec::new());
                conjunction.run_in_parts(None, n_parts, &mut tally);
                conjunction.run_in_parts(None, n_parts, &mut list);
                check_tally(&tally, &expected);
                prop_assert_eq!(&list, &expected);
            }
            let mut anywhere = Vec::new();
            let algorithm = match conjunction.lists[0].bits() {
                Some(_) => Algorithm::Batched(None, 0..n_games as usize),
                None => Algorithm::Sparse(None),
            };
            run_portable(&conjunction, algorithm, &mut anywhere, PortablePdep);
            prop_assert_eq!(&anywhere, &expected);
            let within: Vec<u32> = (0..n_games).step_by(few).collect();
            let mut expected = expected;
            expected.retain(|interval| (interval.game as usize).is_multiple_of(few));
            prop_assert_eq!(&conjunction.list(Some(&within)), &expected);
        }
    }
}
