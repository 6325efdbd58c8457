//! What was found out of positions, shared by threads without locks.
//!
//! In: keys and findings. Out: the same, unless something else has taken their place. Never: positions.
//!
//! An entry is two words, the first xor-ed with the second: words of different writers do not fit together and are seen
//! as nothing. Whoever uses a move from here asks whether it is legal.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ashta_position::Move;

use super::limits::DECIDED;
use crate::table::Bound;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Best or refuting move.
    pub best: Option<Move>,
    /// For the side to move; wins are counted from this position.
    pub value: i32,
    /// Plies.
    pub depth: u8,
    /// What the value says.
    pub bound: Bound,
}

/// Entries next to each other among which the least useful is replaced: one line of the processor's cache.
const CLUSTER: usize = 4;
const AGES: u64 = 64;

/// The memory.
#[derive(Debug)]
pub struct Memory {
    slots: Vec<[AtomicU64; 2]>,
    age: AtomicU64,
}

impl Memory {
    /// Of about so many megabytes.
    pub fn new(megabytes: usize) -> Memory {
        let n_slots = (megabytes.max(1) << 20) / 16;
        let n_slots = (n_slots / CLUSTER).max(1) * CLUSTER;
        let empty = || [AtomicU64::new(0), AtomicU64::new(0)];
        Memory { slots: (0..n_slots).map(|_| empty()).collect(), age: AtomicU64::new(0) }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in &self.slots {
            slot.iter().for_each(|word| word.store(0, Relaxed));
        }
    }

    /// A new search begins: what older ones left may be replaced.
    pub fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn cluster(&self, key: u64) -> &[[AtomicU64; 2]] {
        let n_clusters = (self.slots.len() / CLUSTER) as u128;
        let at = ((u128::from(key) * n_clusters) >> 64) as usize * CLUSTER;
        &self.slots[at..at + CLUSTER]
    }

    /// What is known of a position; `height` plies from the root.
    #[inline]
    pub fn get(&self, key: u64, height: usize) -> Option<Known> {
        self.cluster(key).iter().find_map(|[check, word]| {
            let word = word.load(Relaxed);
            (check.load(Relaxed) ^ word == key && word != 0).then(|| unpack(word, height))
        })
    }

    /// Remembers.
    pub fn set(&self, key: u64, height: usize, known: &Known) {
        let age = self.age.load(Relaxed);
        let cluster = self.cluster(key);
        let mut place = (&cluster[0], i64::MAX);
        for slot in cluster {
            let word = slot[1].load(Relaxed);
            if word == 0 || slot[0].load(Relaxed) ^ word == key {
                place.0 = slot;
                break;
            }
            let use_of = (word >> 48 & 0xFF) as i64 - 8 * ((AGES + age - (word >> 58)) % AGES) as i64;
            if use_of < place.1 {
                place = (slot, use_of);
            }
        }
        let old = place.0[1].load(Relaxed);
        let is_same = old != 0 && place.0[0].load(Relaxed) ^ old == key;
        // A bound of a much shallower search does not replace what is known better, unless that is old.
        let keeps = is_same
            && known.bound != Bound::Exact
            && (old >> 48 & 0xFF) > u64::from(known.depth) + 3
            && old >> 58 == age;
        if !keeps {
            let best =
                known.best.map_or(if is_same { old & 0xFFFF_FFFF } else { 0 }, |mv| mv.to_bits().into());
            let word = pack(known, best, height) | age << 58;
            place.0[0].store(key ^ word, Relaxed);
            place.0[1].store(word, Relaxed);
        }
    }

    /// How much this search has filled, in thousandths, by the first thousand entries.
    pub fn filled(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.slots[..self.slots.len().min(1000)];
        let is_new = |slot: &&[AtomicU64; 2]| {
            let word = slot[1].load(Relaxed);
            word != 0 && word >> 58 == age
        };
        (sample.iter().filter(is_new).count() * 1000 / sample.len().max(1)) as u32
    }
}

/// Move, value, depth, bound and age; never 0, as a bound is never 0.
fn pack(known: &Known, best: u64, height: usize) -> u64 {
    let value = match known.value {
        value if value >= DECIDED => value + height as i32,
        value if value <= -DECIDED => value - height as i32,
        value => value,
    };
    let bound = match known.bound {
        Bound::Exact => 1,
        Bound::AtLeast => 2,
        Bound::AtMost => 3,
    };
    best | u64::from(value as i16 as u16) << 32 | u64::from(known.depth) << 48 | bound << 56
}

fn unpack(word: u64, height: usize) -> Known {
    let stored = i32::from((word >> 32) as u16 as i16);
    let value = match stored {
        value if value >= DECIDED => value - height as i32,
        value if value <= -DECIDED => value + height as i32,
        value => value,
    };
    let bound = match word >> 56 & 3 {
        1 => Bound::Exact,
        2 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    let bits = word as u32;
    Known { best: (bits != 0).then(|| Move::from_bits(bits)), value, depth: (word >> 48) as u8, bound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::limits::MATE;

    #[test]
    fn what_is_put_in_comes_out_and_wins_are_counted_from_the_position() {
        let memory = Memory::new(1);
        for (n, value) in [0, 57, -1234, 20_000, MATE - 7, -MATE + 9].into_iter().enumerate() {
            for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
                let known = Known { best: Some(Move::from_bits(0x1234_5678)), value, depth: 9, bound };
                memory.clear();
                memory.set(n as u64 + 1, 4, &known);
                assert_eq!(memory.get(n as u64 + 1, 4), Some(known));
                let nearer = memory.get(n as u64 + 1, 2).map(|known| known.value);
                let moved = if value >= DECIDED {
                    2
                } else if value <= -DECIDED {
                    -2
                } else {
                    0
                };
                assert_eq!(nearer, Some(value + moved));
            }
        }
        assert_eq!(memory.get(77, 0), None);
    }

    #[test]
    fn deep_entries_survive_shallow_ones_until_they_are_old() {
        let memory = Memory::new(1);
        let known = |depth| Known { best: None, value: 1, depth, bound: Bound::AtLeast };
        memory.set(1, 0, &known(20));
        (2..40).for_each(|key| memory.set(key, 0, &known(1)));
        assert_eq!(memory.get(1, 0).map(|known| known.depth), Some(20));
        (0..10).for_each(|_| memory.next_age());
        (2..40).for_each(|key| memory.set(key, 0, &known(1)));
        assert_eq!(memory.get(1, 0), None);
    }
}
