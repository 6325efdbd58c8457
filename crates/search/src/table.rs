//! What a search has found out before, by position key.
//!
//! In: keys, values with their bounds and depths. Out: the same, if nothing else has taken the place. Never: positions.

use ashta_position::Move;

/// What a stored value says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is this or more.
    AtLeast,
    /// The value is this or less.
    AtMost,
}

/// What was found out of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its value for the side to move.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// How deep was looked; a value of another depth is another question.
    pub depth: u8,
    /// The move that was best or refuted, if one was.
    pub best: Option<Move>,
}

/// A table of fixed size in which newer entries take the place of older ones.
#[derive(Debug)]
pub struct TranspositionTable {
    slots: Vec<Option<(u64, Entry)>>,
    /// Mixed into the keys; another one makes strangers of all entries, which is quicker than wiping them.
    era: u64,
}

/// Steps between eras: odd, and far from any pattern of keys.
const ERA: u64 = 0x9E37_79B9_7F4A_7C15;

impl TranspositionTable {
    /// With room for two to the power of `bits` positions.
    pub fn new(bits: u32) -> TranspositionTable {
        TranspositionTable { slots: vec![None; 1 << bits], era: 0 }
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }

    /// What is known of a position.
    #[inline]
    pub fn get(&self, key: u64) -> Option<&Entry> {
        let wanted = key ^ self.era;
        self.slots[self.slot(key)].as_ref().filter(|(known, _)| *known == wanted).map(|(_, entry)| entry)
    }

    /// Remembers.
    #[inline]
    pub fn set(&mut self, key: u64, entry: Entry) {
        let slot = self.slot(key);
        self.slots[slot] = Some((key ^ self.era, entry));
    }

    /// Forgets everything, so that a game does not depend on the one before it.
    pub fn clear(&mut self) {
        self.era = self.era.wrapping_add(ERA);
    }
}

impl Entry {
    /// The value that a search with this window may return at once, if the entry answers its question.
    pub fn answers(&self, depth: u8, alpha: i32, beta: i32) -> Option<i32> {
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
    fn an_entry_answers_only_its_own_question() {
        let entry = |bound| Entry { value: 10, bound, depth: 3, best: None };
        for (bound, window, answer) in [
            (Bound::Exact, (0, 5), Some(10)),
            (Bound::AtLeast, (0, 10), Some(10)),
            (Bound::AtLeast, (0, 11), None),
            (Bound::AtMost, (10, 20), Some(10)),
            (Bound::AtMost, (9, 20), None),
        ] {
            assert_eq!(entry(bound).answers(3, window.0, window.1), answer, "{bound:?} {window:?}");
            assert_eq!(entry(bound).answers(2, window.0, window.1), None);
        }
    }

    #[test]
    fn newer_entries_take_the_place_of_older_ones() {
        let mut table = TranspositionTable::new(2);
        let entry = |value| Entry { value, bound: Bound::Exact, depth: 1, best: None };
        table.set(1, entry(1));
        table.set(5, entry(5));
        assert_eq!((table.get(1), table.get(5).map(|e| e.value)), (None, Some(5)));
        table.clear();
        assert_eq!(table.get(5), None);
    }
}
