//! Elias-Fano lists: increasing numbers with their low bits packed and their high bits in unary.
//!
//! In: increasing numbers below a bound. Out: bytes, and a view that finds a number without unpacking. Never: a panic
//! on damaged bytes.

use super::bits::{Cursor, MAX_SIZE, Ones, Packed, RankBitmap, pack, put_rank_bitmap, width_of};
use super::pdep::{LANES, Pdep};

/// Appends increasing numbers below `universe`.
pub fn put_elias_fano(out: &mut Vec<u8>, universe: usize, values: &[u32]) {
    let low = low_width(universe, values.len());
    let mask = (1u32 << low) - 1;
    pack(out, low, values.iter().map(|value| value & mask));
    let highs = values.iter().enumerate().map(|(n, value)| (*value >> low) as usize + n);
    put_rank_bitmap(out, high_bits(universe, values.len()), highs);
}

fn low_width(universe: usize, n: usize) -> u32 {
    width_of((universe / n.max(1)) as u64).saturating_sub(1)
}

fn high_bits(universe: usize, n: usize) -> usize {
    n + (universe >> low_width(universe, n)) + 1
}

/// A view of an Elias-Fano list.
#[derive(Clone, Copy)]
pub struct EliasFano<'a> {
    lows: Packed<'a>,
    highs: RankBitmap<'a>,
    n: usize,
}

impl<'a> EliasFano<'a> {
    pub fn read(from: &mut Cursor<'a>, universe: usize, n: usize) -> Option<EliasFano<'a>> {
        if universe > MAX_SIZE || n > MAX_SIZE {
            return None;
        }
        // Low bits are masked as 32-bit numbers: what is written has fewer.
        let width = Some(low_width(universe, n)).filter(|width| *width < u32::BITS)?;
        let lows = Packed::read(from, width, n)?;
        let highs = RankBitmap::read(from, high_bits(universe, n))?;
        Some(EliasFano { lows, highs, n })
    }

    pub fn get(&self, index: usize) -> Option<u32> {
        let place = self.highs.select(index)?;
        Some(((place - index) << self.lows.width()) as u32 | self.lows.get(index))
    }

    /// The index of a number, if it is in the list.
    pub fn find(&self, value: u32) -> Option<usize> {
        let high = (value >> self.lows.width()) as usize;
        let mut index = match high {
            0 => 0,
            _ => self.highs.select_zero(high - 1)? + 1 - high,
        };
        let low = value & ((1u32 << self.lows.width()) - 1);
        while index < self.n && self.highs.has(index + high) {
            match self.lows.get(index).cmp(&low) {
                std::cmp::Ordering::Less => index += 1,
                std::cmp::Ordering::Equal => return Some(index),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }

    #[inline(always)]
    pub fn unpack(&self, out: &mut Vec<u32>) {
        let first = out.len();
        out.resize(first + self.n, 0);
        let out = &mut out[first..];
        self.each(|n, value| out[n] = value);
    }

    /// Emits every number with its index; low bits are unpacked eight at a time by PDEP.
    #[inline(always)]
    pub fn each_by(&self, pdep: impl Pdep, mut emit: impl FnMut(usize, u32)) {
        let (mut n, width) = (0, self.lows.width());
        if width > 8 {
            return self.each(emit);
        }
        let lanes = LANES * ((1u64 << width) - 1);
        for index in 0..self.highs.n_words() {
            let mut word = self.highs.word(index);
            let mut n_ones = (word.count_ones() as usize).min(self.n - n);
            while n_ones > 0 {
                let lows = pdep.pdep(self.lows.word_from(n), lanes).to_le_bytes();
                let n_some = n_ones.min(lows.len());
                for low in &lows[..n_some] {
                    let place = index * 64 + word.trailing_zeros() as usize;
                    emit(n, ((place - n) << width) as u32 | u32::from(*low));
                    word &= word - 1;
                    n += 1;
                }
                n_ones -= n_some;
            }
        }
    }

    /// Emits every number with its index.
    #[inline(always)]
    pub fn each(&self, mut emit: impl FnMut(usize, u32)) {
        let (mut n, width) = (0, self.lows.width());
        for index in 0..self.highs.n_words() {
            let mut word = self.highs.word(index);
            while word != 0 && n < self.n {
                let place = index * 64 + word.trailing_zeros() as usize;
                emit(n, ((place - n) << width) as u32 | self.lows.get(n));
                word &= word - 1;
                n += 1;
            }
        }
    }

    /// How many numbers are smaller than `value`.
    pub fn n_below(&self, value: u32) -> usize {
        let high = (value >> self.lows.width()) as usize;
        let mut index = match high {
            0 => 0,
            _ => self.highs.select_zero(high - 1).map_or(self.n, |zero| zero + 1 - high),
        };
        let low = value & ((1u32 << self.lows.width()) - 1);
        while index < self.n && self.highs.has(index + high) && self.lows.get(index) < low {
            index += 1;
        }
        index
    }

    /// Emits the numbers from `bound` on, until `go_on` returns false.
    pub fn each_from(&self, bound: u32, mut go_on: impl FnMut(u32) -> bool) {
        let mut n = self.n_below(bound);
        let Some(first) = self.highs.select(n) else { return };
        let mut mask = u64::MAX << (first % 64);
        for index in first / 64..self.highs.n_words() {
            for bit in Ones(self.highs.word(index) & mask) {
                if n == self.n
                    || !go_on(((index * 64 + bit - n) << self.lows.width()) as u32 | self.lows.get(n))
                {
                    return;
                }
                n += 1;
            }
            mask = u64::MAX;
        }
    }

    /// A cursor for lookups of increasing numbers.
    pub fn finder(&self) -> Finder<'a> {
        Finder { set: *self, word: 0, n_zeros: 0 }
    }
}

/// Looks up non-decreasing numbers incrementally.
pub struct Finder<'a> {
    set: EliasFano<'a>,
    /// The current word of high bits, and the zeros before it.
    word: usize,
    n_zeros: usize,
}

impl Finder<'_> {
    /// The index of a number, if it is in the list. It must not be smaller than in the last call.
    #[inline(always)]
    pub fn find(&mut self, value: u32, pdep: impl Pdep) -> Option<usize> {
        let EliasFano { lows, highs, n } = self.set;
        let high = (value >> lows.width()) as usize;
        let mut index = match high {
            0 => 0,
            _ => self.after_zero(high, pdep)? - high,
        };
        let low = value & ((1u32 << lows.width()) - 1);
        while index < n && highs.has(index + high) {
            match lows.get(index).cmp(&low) {
                std::cmp::Ordering::Less => index += 1,
                std::cmp::Ordering::Equal => return Some(index),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }

    /// The position after the `nth` zero of the high bits, counted from 1.
    #[inline(always)]
    fn after_zero(&mut self, nth: usize, pdep: impl Pdep) -> Option<usize> {
        let highs = self.set.highs;
        // Often it is in the same word as the last one.
        if self.n_zeros + (highs.word(self.word).count_zeros() as usize) < nth {
            (self.word, self.n_zeros) = highs.skip_zeros(self.word, self.n_zeros, nth);
            let n_words = highs.n_words();
            loop {
                let zeros = highs.word(self.word).count_zeros() as usize;
                if self.n_zeros + zeros >= nth {
                    break;
                }
                self.n_zeros += zeros;
                self.word += 1;
                if self.word >= n_words {
                    return None;
                }
            }
        }
        let bit = pdep.nth_one(!highs.word(self.word), nth - self.n_zeros - 1);
        Some(self.word * 64 + bit + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::pdep::PortablePdep;
    use proptest::prelude::*;

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        for (universe, n) in [(usize::MAX, usize::MAX), (usize::MAX, 1), (1 << 33, 1), (1, 1 << 41)] {
            assert!(EliasFano::read(&mut Cursor(&[0; 64]), universe, n).is_none(), "{universe} {n}");
        }
    }

    proptest! {
        #[test]
        fn elias_fano_lists_read_back(set in prop::collection::btree_set(0u32..5000, 0..300), extra in 1usize..5000) {
            let values: Vec<u32> = set.iter().copied().collect();
            let universe = 5000 + extra;
            let mut bytes = Vec::new();
            put_elias_fano(&mut bytes, universe, &values);
            let elias_fano = EliasFano::read(&mut Cursor(&bytes), universe, values.len()).expect("whole");
            let mut unpacked = Vec::new();
            elias_fano.unpack(&mut unpacked);
            prop_assert_eq!(&unpacked, &values);
            let mut emitted = Vec::new();
            elias_fano.each_by(PortablePdep, |n, value| {
                assert_eq!(n, emitted.len());
                emitted.push(value);
            });
            prop_assert_eq!(&emitted, &values);
            let (mut each, mut some) = (elias_fano.finder(), elias_fano.finder());
            for value in 0..5000 {
                let place = values.binary_search(&value).ok();
                prop_assert_eq!(elias_fano.find(value), place);
                prop_assert_eq!(each.find(value, PortablePdep), place);
                prop_assert_eq!(elias_fano.n_below(value), values.partition_point(|own| *own < value));
                if value % 701 == 0 {
                    let mut rest = Vec::new();
                    elias_fano.each_from(value, |own| {
                        rest.push(own);
                        true
                    });
                    prop_assert_eq!(&rest, &values[elias_fano.n_below(value)..]);
                    prop_assert_eq!(some.find(value, PortablePdep), place);
                }
            }
        }
    }
}
