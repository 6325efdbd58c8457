//! Where several states hold together.
//!
//! In: lists of states; games to look at. Out: stretches, told or counted. Never: an interval before the hulls have met.
//!
//! If all states are found in many games, rows of games are compared at once (`abreast`). If one is rare, its games are
//! looked for in the other lists, one after another, those with the fewest games first (`rare`).

use std::ops::Range;

use rayon::prelude::*;

use super::abreast::abreast;
use super::rare::{Hulls, bits_of};
use super::tally::{Receive, Tally};
use crate::index::deposit::{Anywhere, Deposit};
use crate::index::postings::{Posting, StateList};
use crate::index::rows::ROW;

/// Hulls that a core unpacks in about the time that it takes to wake another, ten times over.
const HULLS_A_PART: usize = 1 << 18;
/// Looking games up alone pays when fewer than one in so many is asked for.
const FEW_ONE_IN: usize = 12;

/// States of a segment that are asked for together.
pub struct Together<'a> {
    lists: Vec<StateList<'a>>,
    n_games: usize,
}

impl<'a> Together<'a> {
    /// All of these states, in a segment of so many games.
    pub fn new(mut lists: Vec<StateList<'a>>, n_games: usize) -> Together<'a> {
        // Rare states first; then those that hold briefly, as they leave the fewest games to the others.
        lists.sort_by_key(|list| match list.bits() {
            None => (0, list.n_pairs()),
            Some(_) => (1, list.n_positions()),
        });
        Together { lists, n_games }
    }

    /// The stretches in which the states hold together, in `within` if that is given: games, rising.
    pub fn list(&self, within: Option<&[u32]>) -> Vec<Posting> {
        let mut out = Vec::new();
        self.tell(within, &mut out);
        out
    }

    /// How many stretches there are, and the first of them.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        self.tell(None, &mut tally);
        tally
    }

    fn tell<R: Receive>(&self, within: Option<&[u32]>, out: &mut R) {
        let Some(rarest) = self.lists.first() else { return };
        match within {
            Some(games) if games.len() * FEW_ONE_IN < self.n_games.min(rarest.n_pairs() * FEW_ONE_IN) => {
                self.look(Way::Few(games), out);
            }
            _ if rarest.bits().is_none() => self.look(Way::Rare(within), out),
            _ => {
                let bits = within.map(|games| bits_of(games, self.n_games));
                self.look_at_rows(bits.as_deref(), out);
            }
        }
    }

    /// Rows of games on every core, where there are so many that waking it pays.
    fn look_at_rows<R: Receive>(&self, within: Option<&[u64]>, out: &mut R) {
        let n_parts = self.lists.len() * self.n_games / HULLS_A_PART;
        match n_parts.min(rayon::current_num_threads()) {
            0 | 1 => self.look(Way::Rows(within, 0..self.n_games), out),
            n_parts => self.look_in_parts(within, n_parts, out),
        }
    }

    fn look_in_parts<R: Receive>(&self, within: Option<&[u64]>, n_parts: usize, out: &mut R) {
        let games_a_part = (self.n_games / n_parts + 1).next_multiple_of(ROW);
        let firsts: Vec<usize> = (0..self.n_games).step_by(games_a_part).collect();
        let look = |first: &usize| {
            let mut found = R::default();
            let games = *first..self.n_games.min(first + games_a_part);
            self.look(Way::Rows(within, games), &mut found);
            found
        };
        let found: Vec<R> = firsts.par_iter().map(look).collect();
        found.into_iter().for_each(|later| out.append(later));
    }

    fn look(&self, way: Way, out: &mut impl Receive) {
        #[cfg(target_arch = "x86_64")]
        if let Some(deposit) = crate::index::deposit::WithBmi2::detect()
            && std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("avx2")
        {
            // SAFETY: the processor has what the function was compiled for. Counting bits and comparing rows of hulls
            // are single instructions there, and many without: searches take a fifth of the time.
            #[allow(unsafe_code)]
            unsafe {
                look_quickly(self, way, out, deposit);
            }
            return;
        }
        look_anywhere(self, way, out, Anywhere);
    }
}

/// How games are looked at.
enum Way<'w> {
    /// These alone, each in all lists.
    Few(&'w [u32]),
    /// Those of the rarest list, of these if they are given.
    Rare(Option<&'w [u32]>),
    /// Row after row of these numbers; of these bits if they are given.
    Rows(Option<&'w [u64]>, Range<usize>),
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
fn look_quickly(
    together: &Together,
    way: Way,
    out: &mut impl Receive,
    deposit: crate::index::deposit::WithBmi2,
) {
    look_anywhere(together, way, out, deposit);
}

#[inline(always)]
fn look_anywhere(
    Together { lists, n_games }: &Together,
    way: Way,
    out: &mut impl Receive,
    deposit: impl Deposit,
) {
    let lists = lists.as_slice();
    match way {
        Way::Few(games) => {
            let mut hulls = Hulls::of_games(games, lists);
            lists.iter().for_each(|list| hulls.narrow(list, deposit));
            hulls.finish(lists, out, deposit);
        }
        Way::Rare(within) => {
            let mut hulls = Hulls::of_rarest(lists, within, *n_games, deposit);
            lists.iter().skip(1).for_each(|list| hulls.narrow(list, deposit));
            hulls.finish(lists, out, deposit);
        }
        Way::Rows(within, games) => abreast(lists, within, games, out, deposit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::postings::encode;
    use crate::query::runs::intersect;
    use crate::query::tally::FIRST_STRETCHES;
    use proptest::prelude::*;

    fn below(state: &mut u64, n: u64) -> u64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 33) % n
    }

    /// Stretches of one in so many games, sometimes several, sometimes late ones.
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
        let n_positions = expected.iter().map(|run| usize::from(run.to - run.from)).sum();
        let n_games = expected.chunk_by(|a, b| a.game == b.game).count();
        let counts = (tally.n_games, tally.n_positions, tally.n_stretches);
        assert_eq!(counts, (n_games, n_positions, expected.len()));
        assert_eq!(tally.first, expected[..expected.len().min(FIRST_STRETCHES)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        #[test]
        fn together_is_the_intersection(
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
            let together = Together::new(lists(), n_games as usize);
            prop_assert_eq!(&together.list(None), &expected);
            check_tally(&together.tally(), &expected);
            if together.lists[0].bits().is_some() {
                let (mut tally, mut list) = (Tally::default(), Vec::new());
                together.look_in_parts(None, n_parts, &mut tally);
                together.look_in_parts(None, n_parts, &mut list);
                check_tally(&tally, &expected);
                prop_assert_eq!(&list, &expected);
            }
            let mut anywhere = Vec::new();
            let way = match together.lists[0].bits() {
                Some(_) => Way::Rows(None, 0..n_games as usize),
                None => Way::Rare(None),
            };
            look_anywhere(&together, way, &mut anywhere, Anywhere);
            prop_assert_eq!(&anywhere, &expected);
            let within: Vec<u32> = (0..n_games).step_by(few).collect();
            let mut expected = expected;
            expected.retain(|run| (run.game as usize).is_multiple_of(few));
            prop_assert_eq!(&together.list(Some(&within)), &expected);
        }
    }
}
