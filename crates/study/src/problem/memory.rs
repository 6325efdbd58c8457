//! What is known of positions: within how many moves the side to move wins, and within how many it does not.
//!
//! In: keys. Out: both bounds and the move that won. Never: a bound that was not proved for that key.

/// What is known of a position.
#[derive(Clone, Copy, Default, Debug)]
pub struct Known {
    key: u64,
    /// The winning move, as bits; 0 if there is none.
    pub best: u32,
    /// It wins within so many; 0 if that is not known.
    pub within: u16,
    /// It does not win within so many.
    pub not_within: u16,
}

/// Of any number.
pub const NEVER: u16 = u16::MAX;

const WAYS: usize = 4;

/// A table that grows up to a limit: small ones stay in the processor's cache, and most problems are small. Of four
/// positions that share a place the least searched gives way.
#[derive(Debug)]
pub struct Memory {
    slots: Vec<Known>,
    mask: usize,
    /// Mixed into the keys; another one makes strangers of all entries, which is quicker than wiping them.
    era: u64,
    n_kept: usize,
    most_bits: u32,
}

/// Steps between eras: odd, and far from any pattern of keys.
const ERA: u64 = 0x9E37_79B9_7F4A_7C15;

impl Memory {
    /// With room for two to the power of `bits` positions, later of `most_bits`.
    pub fn new(bits: u32, most_bits: u32) -> Memory {
        let n = 1 << bits.max(4);
        Memory { slots: vec![Known::default(); n], mask: n - WAYS, era: 0, n_kept: 0, most_bits }
    }

    #[cold]
    fn grow(&mut self) {
        let n = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![Known::default(); n]);
        (self.mask, self.n_kept) = (n - WAYS, 0);
        old.into_iter().filter(|known| known.key != 0).for_each(|known| self.set(known));
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        (key >> 20) as usize & self.mask
    }

    /// What is known; nothing, if nothing is.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Known {
        let key = key ^ self.era;
        let place = self.place(key);
        let found = self.slots[place..place + WAYS].iter().find(|slot| slot.key == key);
        found.copied().unwrap_or(Known { key, ..Known::default() })
    }

    /// Keeps what was found.
    pub fn set(&mut self, known: Known) {
        let place = self.place(known.key);
        let ways = &mut self.slots[place..place + WAYS];
        let worth = |slot: &Known| {
            let settled = if slot.within != 0 && slot.not_within == slot.within - 1 { 2 } else { 0 };
            slot.within.max(slot.not_within) * 2 + settled
        };
        if let Some(slot) = ways.iter_mut().find(|slot| slot.key == known.key) {
            *slot = known;
        } else if let Some(slot) = ways.iter_mut().min_by_key(|slot| worth(slot)) {
            *slot = known;
            self.n_kept += 1;
            if self.n_kept > self.slots.len() / 2 && self.slots.len() < 1 << self.most_bits {
                self.grow();
            }
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.era = self.era.wrapping_add(ERA);
        self.n_kept = 0;
    }
}

impl Known {
    /// Whether the side to move wins within `n`, if that is known.
    #[inline(always)]
    pub fn answers(&self, n: u16) -> Option<bool> {
        match self {
            known if known.within != 0 && known.within <= n => Some(true),
            known if known.not_within >= n => Some(false),
            _ => None,
        }
    }

    /// With an answer added.
    pub fn with(mut self, n: u16, wins: bool) -> Known {
        match wins {
            true if self.within == 0 || n < self.within => self.within = n,
            false if n > self.not_within => self.not_within = n,
            _ => {}
        }
        self
    }
}
