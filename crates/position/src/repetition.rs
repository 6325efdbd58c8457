//! How often each position of a game has occurred.
//!
//! In: keys of positions, pushed and popped. Out: counts. Never: scans the game: a table of keys answers at once.

/// Counts of keys, in an open table.
#[derive(Clone, Debug)]
pub struct Repetitions {
    slots: Vec<Slot>,
    used: usize,
    /// Slots of another game are free: clearing is one addition.
    game: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    key: u64,
    count: u32,
    game: u32,
}

const START_SIZE: usize = 1024;

impl Default for Repetitions {
    fn default() -> Repetitions {
        Repetitions { slots: vec![Slot::default(); START_SIZE], used: 0, game: 1 }
    }
}

impl Repetitions {
    /// Forgets all positions.
    pub fn clear(&mut self) {
        self.used = 0;
        self.game = self.game.wrapping_add(1);
        if self.game == 0 {
            self.slots.fill(Slot::default());
            self.game = 1;
        }
    }

    #[inline(always)]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].game == self.game && self.slots[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Counts a position once more; says how often it has now occurred.
    #[inline(always)]
    pub fn push(&mut self, key: u64) -> u32 {
        let at = self.find(key);
        if self.slots[at].game != self.game {
            self.slots[at] = Slot { key, count: 0, game: self.game };
            self.used += 1;
            if self.used * 4 > self.slots.len() * 3 {
                self.grow();
                return self.push(key);
            }
        }
        let slot = &mut self.slots[at];
        slot.count += 1;
        slot.count
    }

    /// Takes one occurrence back.
    pub fn pop(&mut self, key: u64) {
        let at = self.find(key);
        let slot = &mut self.slots[at];
        slot.count = slot.count.saturating_sub(1);
    }

    /// How often a position has occurred.
    #[inline(always)]
    pub fn count(&self, key: u64) -> u32 {
        let slot = &self.slots[self.find(key)];
        if slot.game == self.game { slot.count } else { 0 }
    }

    #[cold]
    fn grow(&mut self) {
        let bigger = vec![Slot::default(); self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, bigger);
        self.used = 0;
        for slot in old.into_iter().filter(|slot| slot.game == self.game && slot.count > 0) {
            let at = self.find(slot.key);
            self.slots[at] = slot;
            self.used += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn counts_as_a_map_does() {
        let mut table = Repetitions::default();
        for game in 0..3u64 {
            let mut map: HashMap<u64, u32> = HashMap::new();
            let mut pushed = Vec::new();
            for n in 0..5000u64 {
                let key = (n * n + game) % 1777 * 0x1_0000_0000 + n % 3;
                let count = map.entry(key).or_insert(0);
                *count += 1;
                assert_eq!(table.push(key), *count);
                pushed.push(key);
            }
            for key in pushed.iter().rev().take(2500) {
                table.pop(*key);
                *map.get_mut(key).expect("it was pushed") -= 1;
            }
            assert!(map.iter().all(|(key, count)| table.count(*key) == *count));
            table.clear();
            assert_eq!(table.count(pushed[0]), 0);
        }
    }
}
