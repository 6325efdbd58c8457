//! Effective number of openings (inverse Simpson index).
//!
//! In: the key of each game's opening. Out: the effective number with its interval. Never: what the moves were.
//!
//! The effective number is 1 / S, where S is the chance that two games have the same opening (the sum of the squared
//! shares). S is estimated without bias by the share of *pairs of games* that agree,
//! `S = sum c (c - 1) / (n (n - 1))`; the plain sum of squared shares would say "n openings" for n games that are all
//! different. With the same for triples, `T = sum c (c - 1) (c - 2) / (n (n - 1) (n - 2))`, `variance(S) = (2 S (1 - S) + 4 (n - 2) (T - S^2)) / (n (n - 1))`; the interval is
//! taken on the logarithm of S. Where no two games agree the number is unknown from above (infinite), and from below
//! `n (n - 1) / 2 / 3.69`, since 0 pairs are seen in 2.5% of samples when 3.69 are expected.

use std::collections::BTreeMap;

use crate::estimate::{Estimate, Z95};

/// Pairs that are expected where none is seen in one sample of forty: -ln 0.025.
const RULE_OF_NONE: f64 = 3.688_879_454_113_936;

/// The effective number of openings; games too short to have one (key 0) are left out.
pub fn effective_openings(keys: impl IntoIterator<Item = u64>) -> Estimate {
    let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
    keys.into_iter().filter(|key| *key != 0).for_each(|key| *counts.entry(key).or_default() += 1);
    let n_games: u64 = counts.values().sum();
    if n_games < 2 {
        return Estimate { n: n_games as usize, low: 1.0, ..Estimate::UNKNOWN };
    }
    let n = n_games as f64;
    let n_pairs = n * (n - 1.0) / 2.0;
    let n_equal: u64 = counts.values().map(|c| c * (c - 1) / 2).sum();
    if n_equal == 0 {
        let low = (n_pairs / RULE_OF_NONE).max(1.0);
        return Estimate { value: f64::INFINITY, low, n: n_games as usize, ..Estimate::UNKNOWN };
    }
    let same = n_equal as f64 / n_pairs;
    let n_equal_triples: f64 = counts.values().map(|c| triples(*c as f64)).sum();
    let cubes = if n_games > 2 { n_equal_triples / triples(n) } else { same * same };
    let variance =
        (2.0 * same * (1.0 - same) + 4.0 * (n - 2.0) * (cubes - same * same).max(0.0)) / (2.0 * n_pairs);
    let relative = variance.sqrt() / same;
    let (value, spread) = (1.0 / same, (Z95 * relative).exp());
    Estimate {
        value,
        low: (value / spread).max(1.0),
        high: value * spread,
        standard_error: value * relative,
        n: n_games as usize,
    }
}

fn triples(c: f64) -> f64 {
    c * (c - 1.0) * (c - 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Twice one opening, twice another: 2 of 6 pairs agree.
        assert_eq!(effective_openings([1, 1, 2, 2]).value, 3.0);
        assert_eq!(effective_openings([5; 10]).value, 1.0);
        assert_eq!(effective_openings([5; 10]).high, 1.0);
        // Games without an opening do not count.
        assert_eq!(effective_openings([0, 1, 0, 1, 2, 2, 0]).n, 4);
        let all_different = effective_openings(1..=1000);
        assert_eq!(all_different.value, f64::INFINITY);
        assert_eq!(all_different.to_string(), "> 135407");
        assert!(effective_openings([3]).value.is_nan());
    }

    #[test]
    fn the_interval_covers_the_truth() {
        // 400 openings, equally common; 300 games each time.
        let mut random = 7u64;
        let mut draw = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % 400 + 1
        };
        let covers = |estimate: Estimate| estimate.low <= 400.0 && 400.0 <= estimate.high;
        let n_covered = (0..1000).filter(|_| covers(effective_openings((0..300).map(|_| draw())))).count();
        assert!((925..=980).contains(&n_covered), "{n_covered} of 1000");
    }
}
