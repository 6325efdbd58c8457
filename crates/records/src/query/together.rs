//! Where several states hold together.
//!
//! In: lists of states; games to look at. Out: stretches. Never: an interval before the hulls have met.
//!
//! If all states are found in many games, rows of games are compared at once (`abreast`). If one is rare, its games are
//! looked for in the other lists, one after another, those with the fewest games first.

use super::abreast::abreast;
use super::refine::Refine;
use crate::index::bits::Bits;
use crate::index::deposit::{Anywhere, Deposit};
use crate::index::postings::{Posting, StateList};

/// Looking games up alone pays when fewer than one in so many is asked for.
const FEW_ONE_IN: usize = 12;

/// What it costs to look for a game in a list, in games of it that are unpacked meanwhile.
const LOOKUP_COST: usize = 6;

/// The stretches in which states hold together, in `within` if that is given: games, rising.
pub fn together(mut lists: Vec<StateList>, within: Option<&[u32]>, n_games: usize) -> Vec<Posting> {
    // Rare states first; then those that hold briefly, as they leave the fewest games to the others.
    lists.sort_by_key(|list| match list.bits() {
        None => (0, list.n_pairs()),
        Some(_) => (1, list.n_positions()),
    });
    let mut out = Vec::new();
    #[cfg(target_arch = "x86_64")]
    if let Some(deposit) = crate::index::deposit::WithBmi2::detect()
        && std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("avx2")
    {
        // SAFETY: the processor has what the function was compiled for. Counting bits and comparing rows of hulls are
        // single instructions there, and many without: searches take a fifth of the time.
        #[allow(unsafe_code)]
        unsafe {
            together_quickly(&lists, within, n_games, &mut out, deposit);
        }
        return out;
    }
    together_anywhere(&lists, within, n_games, &mut out, Anywhere);
    out
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,avx2")]
fn together_quickly(
    lists: &[StateList],
    within: Option<&[u32]>,
    n_games: usize,
    out: &mut Vec<Posting>,
    deposit: crate::index::deposit::WithBmi2,
) {
    together_anywhere(lists, within, n_games, out, deposit);
}

#[inline(always)]
fn together_anywhere(
    lists: &[StateList],
    within: Option<&[u32]>,
    n_games: usize,
    out: &mut Vec<Posting>,
    deposit: impl Deposit,
) {
    let Some(rarest) = lists.first() else { return };
    match within {
        Some(games) if games.len() * FEW_ONE_IN < n_games.min(rarest.n_pairs() * FEW_ONE_IN) => {
            let mut together = Together::of_games(games, lists);
            for list in lists {
                together.narrow(list, deposit);
            }
            together.finish(lists, out, deposit);
        }
        _ if rarest.bits().is_none() => {
            let mut together = Together::of_rarest(lists, within, n_games);
            for list in &lists[1..] {
                together.narrow(list, deposit);
            }
            together.finish(lists, out, deposit);
        }
        _ => {
            let bits = within.map(|games| bits_of(games, n_games));
            abreast(lists, bits.as_deref(), n_games, out, deposit);
        }
    }
}

fn bits_of(games: &[u32], n_games: usize) -> Vec<u64> {
    let mut bits = vec![0; n_games.div_ceil(64)];
    for game in games {
        bits[*game as usize / 64] |= 1 << (game % 64);
    }
    bits
}

/// Keeps the games that a test says, with their pairs.
#[inline(always)]
fn keep(games: &mut Vec<u32>, pairs: &mut Vec<u32>, is_kept: impl Fn(u32) -> bool) {
    let mut n_kept = 0;
    for at in 0..games.len().min(pairs.len()) {
        // Written always and kept by counting: the test is a coin toss to the processor.
        (games[n_kept], pairs[n_kept]) = (games[at], pairs[at]);
        n_kept += usize::from(is_kept(games[at]));
    }
    games.truncate(n_kept);
    pairs.truncate(n_kept);
}

/// Games in which some states may hold together, with the plies that their hulls share.
#[derive(Default)]
struct Together {
    games: Vec<u32>,
    from: Vec<u16>,
    to: Vec<u16>,
    /// Whether some state has several stretches.
    several: Vec<u8>,
}

impl Together {
    /// Games that every list kept as bits has.
    #[inline(always)]
    fn of_games(games: &[u32], lists: &[StateList]) -> Together {
        let sets: Vec<Bits> = lists.iter().filter_map(StateList::bits).collect();
        let in_all = |game: &u32| sets.iter().all(|set| set.has(*game as usize));
        let games: Vec<u32> = games.iter().copied().filter(in_all).collect();
        let n = games.len();
        Together { games, from: vec![0; n], to: vec![u16::MAX; n], several: vec![0; n] }
    }

    /// The games of the first and rarest list, of those to look at, that the others have too, as far as that is told by bits.
    #[inline(always)]
    fn of_rarest(lists: &[StateList], within: Option<&[u32]>, n_games: usize) -> Together {
        let Some((list, others)) = lists.split_first() else { return Together::default() };
        let mut games = Vec::new();
        list.unpack_games(&mut games);
        let mut pairs: Vec<u32> = (0..games.len() as u32).collect();
        if let Some(within) = within {
            let bits = bits_of(within, n_games);
            keep(&mut games, &mut pairs, |game| bits[game as usize / 64] >> (game % 64) & 1 == 1);
        }
        let mut own = Vec::new();
        for list in others {
            match list.bits() {
                Some(_) if list.has_every_game() => {}
                Some(bits) => keep(&mut games, &mut pairs, |game| bits.has(game as usize)),
                // Of a list that is not much longer it is cheaper to make bits than to look for each game.
                None if games.len() * LOOKUP_COST > list.n_pairs() => {
                    own.clear();
                    list.unpack_games(&mut own);
                    let bits = bits_of(&own, n_games);
                    keep(&mut games, &mut pairs, |game| bits[game as usize / 64] >> (game % 64) & 1 == 1);
                }
                None => {}
            }
        }
        let n = games.len();
        let mut together = Together { games, from: vec![0; n], to: vec![0; n], several: vec![0; n] };
        for (at, pair) in pairs.into_iter().enumerate() {
            (together.from[at], together.to[at]) = list.hull(pair as usize);
            together.several[at] = u8::from(list.is_several(pair as usize));
        }
        together
    }

    /// Leaves the games in which one more state may hold with the others.
    #[inline(always)]
    fn narrow(&mut self, list: &StateList, deposit: impl Deposit) {
        let mut pairs = list.pairs();
        let mut n_kept = 0;
        for at in 0..self.games.len() {
            let Some(pair) = pairs.of(self.games[at], deposit) else { continue };
            let (start, end) = list.hull(pair);
            let (from, to) = (start.max(self.from[at]), end.min(self.to[at]));
            self.games[n_kept] = self.games[at];
            (self.from[n_kept], self.to[n_kept]) = (from, to);
            self.several[n_kept] = self.several[at] | u8::from(list.is_several(pair));
            n_kept += usize::from(from < to);
        }
        self.games.truncate(n_kept);
        self.from.truncate(n_kept);
        self.to.truncate(n_kept);
        self.several.truncate(n_kept);
    }

    /// Appends the stretches in which all of the states held.
    #[inline(always)]
    fn finish(self, lists: &[StateList], out: &mut Vec<Posting>, deposit: impl Deposit) {
        out.reserve(self.games.len());
        if self.several.iter().all(|several| *several == 0) {
            for (at, game) in self.games.into_iter().enumerate() {
                out.push(Posting { game, from: self.from[at], to: self.to[at] });
            }
            return;
        }
        let mut refine = Refine::of(lists);
        for (at, game) in self.games.into_iter().enumerate() {
            let (from, to) = (self.from[at], self.to[at]);
            match self.several[at] {
                0 => out.push(Posting { game, from, to }),
                _ => {
                    refine.begin((from, to));
                    (0..lists.len()).for_each(|n| refine.narrow(n, game, deposit));
                    refine.finish(game, out);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::postings::encode;
    use crate::query::runs::intersect;
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

    proptest! {
        #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

        #[test]
        fn together_is_the_intersection(
            seed in any::<u64>(),
            one_ins in prop::collection::vec(prop_oneof![1u64..4, 10u64..60], 1..5),
            n_games in 1u32..9000,
            few in 1usize..40,
        ) {
            let mut seed = seed;
            let all: Vec<Vec<Posting>> = one_ins.iter().map(|one_in| postings(&mut seed, n_games, *one_in)).collect();
            let expected = all[1..].iter().fold(all[0].clone(), |sum, one| intersect(&sum, one));
            let bytes: Vec<Vec<u8>> = all.iter().map(|one| encode(one, n_games as usize)).collect();
            let lists = || bytes.iter().map(|bytes| StateList::read(bytes).expect("whole")).collect::<Vec<_>>();
            prop_assert_eq!(&together(lists(), None, n_games as usize), &expected);
            let mut anywhere = Vec::new();
            let mut sorted = lists();
            sorted.sort_by_key(StateList::n_pairs);
            together_anywhere(&sorted, None, n_games as usize, &mut anywhere, Anywhere);
            prop_assert_eq!(&anywhere, &expected);
            let within: Vec<u32> = (0..n_games).step_by(few).collect();
            let mut expected = expected;
            expected.retain(|run| (run.game as usize).is_multiple_of(few));
            prop_assert_eq!(&together(lists(), Some(&within), n_games as usize), &expected);
        }
    }
}
