//! Transposition table of the mate solvers: proved bounds on the length of a win.
//!
//! In: keys. Out: both bounds and the winning move. Never: a bound that was not proved for that key.

/// Proved bounds on the length of a win of the side to move.
#[derive(Clone, Copy, Default, Debug)]
pub struct MateBounds {
    key: u64,
    /// The winning move as bits; 0 if there is none.
    pub best: u32,
    /// It wins within this length; 0 if unknown.
    pub within: u16,
    /// It does not win within this length.
    pub not_within: u16,
}

/// No win of any length.
pub const NEVER: u16 = u16::MAX;

const WAYS: usize = 4;

/// A four-way set-associative table that grows up to a limit: small tables stay in the processor's cache, and most
/// problems are small. The entry with the shallowest bounds is replaced.
#[derive(Debug)]
pub struct MateTranspositionTable {
    slots: Vec<MateBounds>,
    mask: usize,
    /// Mixed into the keys; a new epoch invalidates all entries without clearing memory.
    epoch: u64,
    n_entries: usize,
    max_bits: u32,
}

/// Odd, and unlike any pattern of keys.
const EPOCH_STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl MateTranspositionTable {
    /// Two to the power of `bits` entries at first, of `max_bits` at most.
    pub fn new(bits: u32, max_bits: u32) -> MateTranspositionTable {
        let n = 1 << bits.max(4);
        MateTranspositionTable {
            slots: vec![MateBounds::default(); n],
            mask: n - WAYS,
            epoch: 0,
            n_entries: 0,
            max_bits,
        }
    }

    #[cold]
    fn grow(&mut self) {
        let n = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![MateBounds::default(); n]);
        (self.mask, self.n_entries) = (n - WAYS, 0);
        old.into_iter().filter(|bounds| bounds.key != 0).for_each(|bounds| self.store(bounds));
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> usize {
        (key >> 20) as usize & self.mask
    }

    /// The stored bounds, or unknown ones.
    #[inline(always)]
    pub fn get(&self, key: u64) -> MateBounds {
        let key = key ^ self.epoch;
        let bucket = self.bucket(key);
        let found = self.slots[bucket..bucket + WAYS].iter().find(|slot| slot.key == key);
        found.copied().unwrap_or(MateBounds { key, ..MateBounds::default() })
    }

    pub fn store(&mut self, bounds: MateBounds) {
        let bucket = self.bucket(bounds.key);
        let ways = &mut self.slots[bucket..bucket + WAYS];
        let replacement_value = |slot: &MateBounds| {
            let is_exact = if slot.within != 0 && slot.not_within == slot.within - 1 { 2 } else { 0 };
            u32::from(slot.within.max(slot.not_within)) * 2 + is_exact
        };
        if let Some(slot) = ways.iter_mut().find(|slot| slot.key == bounds.key) {
            *slot = bounds;
        } else if let Some(slot) = ways.iter_mut().min_by_key(|slot| replacement_value(slot)) {
            *slot = bounds;
            self.n_entries += 1;
            if self.n_entries > self.slots.len() / 2 && self.slots.len() < 1 << self.max_bits {
                self.grow();
            }
        }
    }

    pub fn clear(&mut self) {
        self.epoch = self.epoch.wrapping_add(EPOCH_STEP);
        self.n_entries = 0;
    }
}

impl MateBounds {
    /// Whether the side to move wins within `n`, if it is known.
    #[inline(always)]
    pub fn answers(&self, n: u16) -> Option<bool> {
        match self {
            bounds if bounds.within != 0 && bounds.within <= n => Some(true),
            bounds if bounds.not_within >= n => Some(false),
            _ => None,
        }
    }

    pub fn with(mut self, n: u16, wins: bool) -> MateBounds {
        match wins {
            true if self.within == 0 || n < self.within => self.within = n,
            false if n > self.not_within => self.not_within = n,
            _ => {}
        }
        self
    }
}
