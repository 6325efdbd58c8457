//! The transposition table of the engine, shared by threads without locks.
//!
//! In: position keys, entries. Out: the same entries, unless replaced. Never: positions.
//!
//! Lockless hashing: an entry is two words, the first xor-ed with the second, so that a torn entry does not match its
//! key. A hash move may come from another position with the same key: the user checks that it is legal.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ashta_position::Move;

use super::limits::MATE_THRESHOLD;
use crate::exact_table::Bound;

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best move, or the move that caused a cutoff.
    pub best: Option<Move>,
    /// For the side to move; mate distances count from this position.
    pub value: i32,
    pub depth: u8,
    pub bound: Bound,
}

/// Entries of a bucket, among which the least useful is replaced: one cache line.
const BUCKET_SIZE: usize = 4;
const AGES: u64 = 64;

/// The table.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Vec<[AtomicU64; 2]>,
    age: AtomicU64,
}

impl TranspositionTable {
    /// A table of about so many megabytes.
    pub fn new(megabytes: usize) -> TranspositionTable {
        let n_slots = (megabytes.max(1) << 20) / 16;
        let n_slots = (n_slots / BUCKET_SIZE).max(1) * BUCKET_SIZE;
        let empty = || [AtomicU64::new(0), AtomicU64::new(0)];
        TranspositionTable { slots: (0..n_slots).map(|_| empty()).collect(), age: AtomicU64::new(0) }
    }

    pub fn clear(&self) {
        for slot in &self.slots {
            slot.iter().for_each(|word| word.store(0, Relaxed));
        }
    }

    /// Aging: called before each search, so that entries of older ones are replaced first.
    pub fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        let n_buckets = (self.slots.len() / BUCKET_SIZE) as u128;
        let at = ((u128::from(key) * n_buckets) >> 64) as usize * BUCKET_SIZE;
        &self.slots[at..at + BUCKET_SIZE]
    }

    /// The entry of a position that is `ply` plies from the root.
    #[inline]
    pub fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, word]| {
            let word = word.load(Relaxed);
            (check.load(Relaxed) ^ word == key && word != 0).then(|| unpack(word, ply))
        })
    }

    /// Stores an entry.
    pub fn set(&self, key: u64, ply: usize, entry: &Entry) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        let mut place = (&bucket[0], i64::MAX);
        for slot in bucket {
            let word = slot[1].load(Relaxed);
            if word == 0 || slot[0].load(Relaxed) ^ word == key {
                place.0 = slot;
                break;
            }
            let usefulness = (word >> 48 & 0xFF) as i64 - 8 * ((AGES + age - (word >> 58)) % AGES) as i64;
            if usefulness < place.1 {
                place = (slot, usefulness);
            }
        }
        let old = place.0[1].load(Relaxed);
        let is_same = old != 0 && place.0[0].load(Relaxed) ^ old == key;
        // A bound from a much shallower search does not replace an entry of the same search.
        let keeps = is_same
            && entry.bound != Bound::Exact
            && (old >> 48 & 0xFF) > u64::from(entry.depth) + 3
            && old >> 58 == age;
        if !keeps {
            let best =
                entry.best.map_or(if is_same { old & 0xFFFF_FFFF } else { 0 }, |mv| mv.to_bits().into());
            let word = pack(entry, best, ply) | age << 58;
            place.0[0].store(key ^ word, Relaxed);
            place.0[1].store(word, Relaxed);
        }
    }

    /// Permille of the first thousand entries that this search has written.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.slots[..self.slots.len().min(1000)];
        let is_new = |slot: &&[AtomicU64; 2]| {
            let word = slot[1].load(Relaxed);
            word != 0 && word >> 58 == age
        };
        (sample.iter().filter(is_new).count() * 1000 / sample.len().max(1)) as u32
    }
}

/// Move (32 bits), value (16), depth (8), bound (2) and age (6); never 0, as a bound is never 0.
fn pack(entry: &Entry, best: u64, ply: usize) -> u64 {
    let value = match entry.value {
        value if value >= MATE_THRESHOLD => value + ply as i32,
        value if value <= -MATE_THRESHOLD => value - ply as i32,
        value => value,
    };
    let bound = match entry.bound {
        Bound::Exact => 1,
        Bound::AtLeast => 2,
        Bound::AtMost => 3,
    };
    best | u64::from(value as i16 as u16) << 32 | u64::from(entry.depth) << 48 | bound << 56
}

fn unpack(word: u64, ply: usize) -> Entry {
    let stored = i32::from((word >> 32) as u16 as i16);
    let value = match stored {
        value if value >= MATE_THRESHOLD => value - ply as i32,
        value if value <= -MATE_THRESHOLD => value + ply as i32,
        value => value,
    };
    let bound = match word >> 56 & 3 {
        1 => Bound::Exact,
        2 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    let bits = word as u32;
    Entry { best: (bits != 0).then(|| Move::from_bits(bits)), value, depth: (word >> 48) as u8, bound }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::limits::MATE;

    #[test]
    fn stored_entries_are_found_and_mate_distances_count_from_the_position() {
        let table = TranspositionTable::new(1);
        for (n, value) in [0, 57, -1234, 20_000, MATE - 7, -MATE + 9].into_iter().enumerate() {
            for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
                let entry = Entry { best: Some(Move::from_bits(0x1234_5678)), value, depth: 9, bound };
                table.clear();
                table.set(n as u64 + 1, 4, &entry);
                assert_eq!(table.get(n as u64 + 1, 4), Some(entry));
                let nearer = table.get(n as u64 + 1, 2).map(|entry| entry.value);
                let moved = if value >= MATE_THRESHOLD {
                    2
                } else if value <= -MATE_THRESHOLD {
                    -2
                } else {
                    0
                };
                assert_eq!(nearer, Some(value + moved));
            }
        }
        assert_eq!(table.get(77, 0), None);
    }

    #[test]
    fn deep_entries_survive_shallow_ones_until_aged() {
        let table = TranspositionTable::new(1);
        let entry = |depth| Entry { best: None, value: 1, depth, bound: Bound::AtLeast };
        table.set(1, 0, &entry(20));
        (2..40).for_each(|key| table.set(key, 0, &entry(1)));
        assert_eq!(table.get(1, 0).map(|entry| entry.depth), Some(20));
        (0..10).for_each(|_| table.next_age());
        (2..40).for_each(|key| table.set(key, 0, &entry(1)));
        assert_eq!(table.get(1, 0), None);
    }
}
