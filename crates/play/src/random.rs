//! Random numbers: one ChaCha8 stream per game.
//!
//! In: a seed, a purpose, the number of the game. Out: the same numbers on every machine, in every version. Never:
//! numbers that depend on other games, threads or the clock.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The random stream of one game.
#[derive(Clone, Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// `purpose` separates experiments with the same seed.
    ///
    /// ```
    /// use ashta_play::Random;
    ///
    /// // The same game of a seed has the same numbers, on any machine and in any order of playing.
    /// let first = |game| Random::of_game(1, 0, game).below(1_000_000);
    /// assert_eq!(first(7), first(7));
    /// assert_ne!(first(7), first(8));
    /// ```
    pub fn of_game(seed: u64, purpose: u64, game: u64) -> Random {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&purpose.to_le_bytes());
        let mut random = ChaCha8Rng::from_seed(key);
        random.set_stream(game);
        Random(random)
    }

    /// A uniform number below `n` (Lemire's method); 0 if `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let product = u64::from(self.0.next_u32()) * u64::from(n);
        if (product as u32) < n {
            return self.below_with_rejection(product, n);
        }
        (product >> 32) as u32
    }

    /// Rejects the few draws that would bias the result.
    #[cold]
    fn below_with_rejection(&mut self, mut product: u64, n: u32) -> u32 {
        let surplus = n.wrapping_neg().checked_rem(n).unwrap_or(0);
        while (product as u32) < surplus {
            product = u64::from(self.0.next_u32()) * u64::from(n);
        }
        (product >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_frozen_and_apart() {
        let draws = |seed, purpose, game| {
            let mut random = Random::of_game(seed, purpose, game);
            (0..4).map(|_| random.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draws(1, 2, 3), draws(1, 2, 3));
        let all = [draws(1, 2, 3), draws(2, 2, 3), draws(1, 3, 3), draws(1, 2, 4)];
        assert!((0..4).all(|a| (0..a).all(|b| all[a] != all[b])), "{all:?}");
    }

    #[test]
    fn every_number_is_as_likely_as_any_other() {
        let mut random = Random::of_game(7, 0, 0);
        for n in [1, 3, 10, 6] {
            let mut counts = vec![0; n as usize];
            (0..n * 10_000).for_each(|_| counts[random.below(n) as usize] += 1);
            assert!(counts.iter().all(|count| (9_600..=10_400).contains(count)), "{counts:?}");
        }
        assert_eq!(random.below(0), 0);
    }
}
