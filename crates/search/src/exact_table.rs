//! The transposition table of the exact search.
//!
//! In: position keys, values with their bounds and depths. Out: the same, unless replaced. Never: positions.

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
pub struct ExactEntry {
    /// For the side to move.
    pub value: i32,
    pub bound: Bound,
    /// Entries answer only searches of the same depth, so that values stay exact.
    pub depth: u8,
    /// Best move, or the move that caused a cutoff.
    pub best: Option<Move>,
}

/// A table of fixed size that always replaces.
#[derive(Debug)]
pub struct ExactTable {
    slots: Vec<Option<(u64, ExactEntry)>>,
    /// Mixed into the keys: a new one invalidates all entries at once.
    era: u64,
}

/// Steps between eras: odd, and far from any pattern of keys.
const ERA: u64 = 0x9E37_79B9_7F4A_7C15;

impl ExactTable {
    /// With room for two to the power of `bits` positions.
    pub fn new(bits: u32) -> ExactTable {
        ExactTable { slots: vec![None; 1 << bits], era: 0 }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    #[inline]
    pub fn get(&self, key: u64) -> Option<&ExactEntry> {
        let wanted = key ^ self.era;
        self.slots[self.slot(key)].as_ref().filter(|(stored, _)| *stored == wanted).map(|(_, entry)| entry)
    }

    #[inline]
    pub fn set(&mut self, key: u64, entry: ExactEntry) {
        let slot = self.slot(key);
        self.slots[slot] = Some((key ^ self.era, entry));
    }

    /// Invalidates all entries, so that games do not depend on each other.
    pub fn clear(&mut self) {
        self.era = self.era.wrapping_add(ERA);
    }
}

impl ExactEntry {
    /// The value that ends a search of this depth and window.
    pub fn cutoff(&self, depth: u8, alpha: i32, beta: i32) -> Option<i32> {
        let usable = self.depth == depth
            && match self.bound {
                Bound::Exact => true,
                Bound::AtLeast => self.value >= beta,
                Bound::AtMost => self.value <= alpha,
            };
        usable.then_some(self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_cuts_only_searches_of_its_depth_and_bound() {
        let entry = |bound| ExactEntry { value: 10, bound, depth: 3, best: None };
        for (bound, window, answer) in [
            (Bound::Exact, (0, 5), Some(10)),
            (Bound::AtLeast, (0, 10), Some(10)),
            (Bound::AtLeast, (0, 11), None),
            (Bound::AtMost, (10, 20), Some(10)),
            (Bound::AtMost, (9, 20), None),
        ] {
            assert_eq!(entry(bound).cutoff(3, window.0, window.1), answer, "{bound:?} {window:?}");
            assert_eq!(entry(bound).cutoff(2, window.0, window.1), None);
        }
    }

    #[test]
    fn newer_entries_replace_older_ones() {
        let mut table = ExactTable::new(2);
        let entry = |value| ExactEntry { value, bound: Bound::Exact, depth: 1, best: None };
        table.set(1, entry(1));
        table.set(5, entry(5));
        assert_eq!((table.get(1), table.get(5).map(|e| e.value)), (None, Some(5)));
        table.clear();
        assert_eq!(table.get(5), None);
    }
}
