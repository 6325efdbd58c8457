//! The transposition table of the engine and of the exact search, shared by threads without locks.
//!
//! In: position keys, entries. Out: the same entries, unless replaced. Never: positions.
//!
//! Lockless hashing: an entry is two words, the first xor-ed with the second, so that a torn entry does not match its
//! key. A hash move may come from another position with the same key: the user checks that it is legal.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ashta_position::Move;

/// How a stored value bounds the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    Exact,
    /// Lower bound: the search failed high.
    AtLeast,
    /// Upper bound: the search failed low.
    AtMost,
}

/// An entry of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Best move, or the move that caused a cutoff.
    pub best: Option<Move>,
    /// For the side to move.
    pub value: i32,
    pub depth: u8,
    pub bound: Bound,
}

/// Depth (8 bits), bound (2) and age (6) below the low bits of the key; never 0, as a bound is never 0.
const META_BITS: u32 = 16;
const AGES: u64 = 64;

/// A table of buckets of `WAYS` entries, of which the least useful is replaced. With one way the newest entry always
/// replaces, so that a search depends on nothing but its own order: the exact search's choice.
#[derive(Debug)]
pub struct TranspositionTable<const WAYS: usize> {
    slots: Vec<[AtomicU64; 2]>,
    age: AtomicU64,
}

impl<const WAYS: usize> TranspositionTable<WAYS> {
    /// A table of about so many entries of 16 bytes.
    pub fn new(n_entries: usize) -> TranspositionTable<WAYS> {
        let n_slots = (n_entries / WAYS).max(1) * WAYS;
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

    /// The bucket of a key's highest bits; entries store the lowest 48.
    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        let n_buckets = (self.slots.len() / WAYS) as u128;
        let at = ((u128::from(key) * n_buckets) >> 64) as usize * WAYS;
        &self.slots[at..at + WAYS]
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let (tag, word) = load(slot);
            is_of(tag, key).then(|| unpack(tag, word))
        })
    }

    /// Stores an entry.
    pub fn set(&self, key: u64, entry: &Entry) {
        let age = self.age.load(Relaxed);
        let bucket = self.bucket(key);
        let mut place = (&bucket[0], i64::MAX);
        for slot in bucket {
            let (tag, _) = load(slot);
            if tag == 0 || is_of(tag, key) {
                place.0 = slot;
                break;
            }
            let usefulness = depth_of(tag) as i64 - 8 * ((AGES + age - age_of(tag)) % AGES) as i64;
            if usefulness < place.1 {
                place = (slot, usefulness);
            }
        }
        let (old, old_word) = load(place.0);
        let is_same = is_of(old, key);
        // A bound from a much shallower search does not replace an entry of the same search.
        let keeps = WAYS > 1
            && is_same
            && entry.bound != Bound::Exact
            && depth_of(old) > u64::from(entry.depth) + 3
            && age_of(old) == age;
        if !keeps {
            let best =
                entry.best.map_or(if is_same { old_word & 0xFFFF_FFFF } else { 0 }, |mv| mv.to_bits().into());
            let word = best | u64::from(entry.value as u32) << 32;
            let bound = match entry.bound {
                Bound::Exact => 1,
                Bound::AtLeast => 2,
                Bound::AtMost => 3,
            };
            let tag = key << META_BITS | u64::from(entry.depth) << 8 | bound << 6 | age;
            place.0[0].store(tag ^ word, Relaxed);
            place.0[1].store(word, Relaxed);
        }
    }

    /// Permille of the first thousand entries that this search has written.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.slots[..self.slots.len().min(1000)];
        let is_new = |slot: &&[AtomicU64; 2]| {
            let (tag, _) = load(slot);
            tag != 0 && age_of(tag) == age
        };
        (sample.iter().filter(is_new).count() * 1000 / sample.len().max(1)) as u32
    }
}

/// Key and depth, bound, age of a slot; its move and value. The first is 0 if the slot is empty.
#[inline(always)]
fn load([check, word]: &[AtomicU64; 2]) -> (u64, u64) {
    let word = word.load(Relaxed);
    (check.load(Relaxed) ^ word, word)
}

/// An empty slot is no entry of the key 0.
#[inline(always)]
fn is_of(tag: u64, key: u64) -> bool {
    (tag ^ key << META_BITS) >> META_BITS == 0 && tag != 0
}

fn depth_of(tag: u64) -> u64 {
    tag >> 8 & 0xFF
}

fn age_of(tag: u64) -> u64 {
    tag % AGES
}

#[inline(always)]
fn unpack(tag: u64, word: u64) -> Entry {
    let bound = match tag >> 6 & 3 {
        1 => Bound::Exact,
        2 => Bound::AtLeast,
        _ => Bound::AtMost,
    };
    let bits = word as u32;
    let best = (bits != 0).then(|| Move::from_bits(bits));
    Entry { best, value: (word >> 32) as i32, depth: depth_of(tag) as u8, bound }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_entries_are_found() {
        let table = TranspositionTable::<4>::new(1 << 16);
        for (n, value) in [0, 57, -1234, 20_000, i32::MAX, i32::MIN].into_iter().enumerate() {
            for bound in [Bound::Exact, Bound::AtLeast, Bound::AtMost] {
                let entry = Entry { best: Some(Move::from_bits(0x1234_5678)), value, depth: 9, bound };
                table.clear();
                table.set(n as u64, &entry);
                assert_eq!(table.get(n as u64), Some(entry));
            }
        }
        assert_eq!(table.get(77), None);
    }

    #[test]
    fn deep_entries_survive_shallow_ones_until_aged() {
        let table = TranspositionTable::<4>::new(1 << 16);
        let entry = |depth| Entry { best: None, value: 1, depth, bound: Bound::AtLeast };
        table.set(1, &entry(20));
        (2..40).for_each(|key| table.set(key, &entry(1)));
        assert_eq!(table.get(1).map(|entry| entry.depth), Some(20));
        (0..10).for_each(|_| table.next_age());
        (2..40).for_each(|key| table.set(key, &entry(1)));
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn with_one_way_newer_entries_replace_older_ones() {
        let table = TranspositionTable::<1>::new(4);
        let entry = |depth| Entry { best: None, value: 1, depth, bound: Bound::AtLeast };
        table.set(1, &entry(20));
        table.set(5, &entry(1));
        assert_eq!((table.get(1), table.get(5)), (None, Some(entry(1))));
        table.set(5, &entry(9));
        table.set(5, &entry(2));
        assert_eq!(table.get(5), Some(entry(2)));
    }
}
