//! Succinct building blocks: fixed-width packed integers, bitmaps with rank and select, varints.
//!
//! In: numbers. Out: bytes, and views that answer queries without unpacking. Never: a panic on damaged bytes: a view of
//! too few bytes is not created, and numbers out of range read as 0.

use super::pdep::Pdep;

/// Bytes after a packed array, so that an unaligned 8-byte load never runs past its end.
const PADDING: usize = 8;

/// Bits per entry of the rank directory.
const BLOCK_BITS: usize = 512;

/// The largest length or index that a file may name: products with the width of a number stay far from overflow.
pub const MAX_SIZE: usize = 1 << 40;

/// The smallest width in bits that holds a number.
pub fn width_of(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// A byte reader.
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(head)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// Reads a LEB128 varint.
    pub fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a varint as a length or an index.
    pub fn size(&mut self) -> Option<usize> {
        self.varint().and_then(|value| usize::try_from(value).ok()).filter(|value| *value <= MAX_SIZE)
    }
}

pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The little-endian number at an offset, 0 beyond the end.
#[inline(always)]
pub fn u16_at(bytes: &[u8], at: usize) -> u16 {
    match bytes.get(at..at + 2) {
        Some(two) => u16::from_le_bytes([two[0], two[1]]),
        None => 0,
    }
}

/// The little-endian number at an offset, 0 beyond the end.
#[inline(always)]
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..at + 4) {
        Some(four) => u32::from_le_bytes([four[0], four[1], four[2], four[3]]),
        None => 0,
    }
}

/// The little-endian number at an offset, 0 beyond the end.
#[inline(always)]
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => 0,
    }
}

/// Appends bit-packed numbers of a fixed width.
pub fn pack(out: &mut Vec<u8>, width: u32, values: impl Iterator<Item = u32>) {
    let (mut pending, mut n_pending) = (0u64, 0u32);
    for value in values {
        pending |= u64::from(value) << n_pending;
        n_pending += width;
        while n_pending >= 8 {
            out.push(pending as u8);
            pending >>= 8;
            n_pending -= 8;
        }
    }
    if n_pending > 0 {
        out.push(pending as u8);
    }
    out.extend([0; PADDING]);
}

/// Bit-packed numbers of a fixed width.
#[derive(Clone, Copy)]
pub struct Packed<'a> {
    bytes: &'a [u8],
    width: u32,
}

impl<'a> Packed<'a> {
    pub fn read(from: &mut Cursor<'a>, width: u32, n: usize) -> Option<Packed<'a>> {
        let bytes = from.take((n * width as usize).div_ceil(8) + PADDING)?;
        (width <= 32).then_some(Packed { bytes, width })
    }

    #[inline(always)]
    pub fn get(&self, index: usize) -> u32 {
        let bit = index * self.width as usize;
        let word = u64_at(self.bytes, bit / 8) >> (bit % 8);
        (word & ((1u64 << self.width) - 1)) as u32
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    /// 64 bits, beginning with the number at `index`: eight numbers of up to eight bits fit whole.
    #[inline(always)]
    pub fn word_from(&self, index: usize) -> u64 {
        let bit = index * self.width as usize;
        u64_at(self.bytes, bit / 8) >> (bit % 8)
    }
}

/// Appends a bitmap and its rank directory.
pub fn put_rank_bitmap(out: &mut Vec<u8>, n_bits: usize, ones: impl Iterator<Item = usize>) {
    let mut words = vec![0u64; n_bits.div_ceil(64)];
    for one in ones {
        words[one / 64] |= 1 << (one % 64);
    }
    for word in &words {
        out.extend(word.to_le_bytes());
    }
    let mut rank = 0u32;
    for block in words.chunks(BLOCK_BITS / 64) {
        out.extend(rank.to_le_bytes());
        rank += block.iter().map(|word| word.count_ones()).sum::<u32>();
    }
}

/// A bitmap with a directory of ranks, for rank and select.
#[derive(Clone, Copy)]
pub struct RankBitmap<'a> {
    words: &'a [u8],
    ranks: &'a [u8],
    n_bits: usize,
}

impl<'a> RankBitmap<'a> {
    pub fn read(from: &mut Cursor<'a>, n_bits: usize) -> Option<RankBitmap<'a>> {
        let words = from.take(n_bits.div_ceil(64) * 8)?;
        let ranks = from.take(n_bits.div_ceil(BLOCK_BITS) * 4)?;
        Some(RankBitmap { words, ranks, n_bits })
    }

    pub fn n_words(&self) -> usize {
        self.words.len() / 8
    }

    #[inline(always)]
    pub fn word(&self, index: usize) -> u64 {
        u64_at(self.words, index * 8)
    }

    /// Intersects `words` with the bitmap in place; `first` is their first word.
    #[inline(always)]
    pub fn narrow(&self, first: usize, words: &mut [u64]) {
        let (own, _) = self.words.get(first * 8..).unwrap_or(&[]).as_chunks::<8>();
        let (inside, beyond) = words.split_at_mut(own.len().min(words.len()));
        for (word, own) in inside.iter_mut().zip(own) {
            *word &= u64::from_le_bytes(*own);
        }
        beyond.fill(0);
    }

    /// 64 bits, beginning at any bit.
    #[inline(always)]
    pub fn word_from(&self, number: usize) -> u64 {
        let (word, bit) = (number / 64, number % 64);
        match bit {
            0 => self.word(word),
            _ => self.word(word) >> bit | self.word(word + 1) << (64 - bit),
        }
    }

    /// The first set bit at or after `number`.
    #[inline(always)]
    pub fn next_one(&self, mut number: usize) -> Option<usize> {
        while number < self.n_bits {
            let word = self.word_from(number);
            if word != 0 {
                return Some(number + word.trailing_zeros() as usize);
            }
            number += 64;
        }
        None
    }

    #[inline(always)]
    pub fn has(&self, number: usize) -> bool {
        self.word(number / 64) >> (number % 64) & 1 == 1
    }

    /// How many set bits lie below `number`.
    #[inline(always)]
    pub fn rank(&self, number: usize) -> usize {
        let block = number / BLOCK_BITS;
        let mut rank = u32_at(self.ranks, block * 4);
        for word in block * (BLOCK_BITS / 64)..number / 64 {
            rank += self.word(word).count_ones();
        }
        let below = (1u64 << (number % 64)) - 1;
        (rank + (self.word(number / 64) & below).count_ones()) as usize
    }

    /// Skips blocks by the directory: the last block with fewer than `nth` zeros before it, as its first word and those
    /// zeros. Starts from a word and the zeros before it.
    #[inline(always)]
    pub fn skip_zeros(&self, word: usize, n_zeros: usize, nth: usize) -> (usize, usize) {
        let a_block = BLOCK_BITS / 64;
        let (mut at, mut before, mut block) = (word, n_zeros, word / a_block + 1);
        while (block + 1) * 4 <= self.ranks.len() {
            let zeros = block * BLOCK_BITS - u32_at(self.ranks, block * 4) as usize;
            if zeros >= nth {
                break;
            }
            (at, before) = (block * a_block, zeros);
            block += 1;
        }
        (at, before)
    }

    /// A cursor for ranks of increasing numbers.
    pub fn ranks(&self) -> RankCursor<'a> {
        RankCursor { set: *self, word: 0, rank: 0 }
    }

    /// A cursor for selects of increasing ranks.
    pub fn select_cursor(&self) -> SelectCursor<'a> {
        SelectCursor { set: *self, word: 0, rank: 0 }
    }

    /// The set bit with `rank` set bits below it.
    pub fn select(&self, rank: usize) -> Option<usize> {
        self.select_by(rank, |before, _| before, |word| word)
    }

    /// The clear bit with `rank` clear bits below it.
    pub fn select_zero(&self, rank: usize) -> Option<usize> {
        self.select_by(rank, |before, block| block * BLOCK_BITS - before, |word| !word)
    }

    fn select_by(
        &self,
        rank: usize,
        before: impl Fn(usize, usize) -> usize,
        seen: impl Fn(u64) -> u64,
    ) -> Option<usize> {
        let n_before = |block: usize| before(u32_at(self.ranks, block * 4) as usize, block);
        let (mut low, mut high) = (0, self.ranks.len() / 4);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if n_before(middle) <= rank { low = middle } else { high = middle }
        }
        let mut left = rank.checked_sub(n_before(low))?;
        for index in low * (BLOCK_BITS / 64)..self.n_words() {
            let word = seen(self.word(index));
            let n_ones = word.count_ones() as usize;
            if left < n_ones {
                let found = index * 64 + nth_one(word, left);
                return (found < self.n_bits).then_some(found);
            }
            left -= n_ones;
        }
        None
    }
}

/// Computes ranks of non-decreasing numbers incrementally.
pub struct RankCursor<'a> {
    set: RankBitmap<'a>,
    word: usize,
    rank: u32,
}

impl RankCursor<'_> {
    /// The rank of `number`, which must not be smaller than in the last call.
    #[inline(always)]
    pub fn rank(&mut self, number: usize) -> usize {
        let word = number / 64;
        if word >= self.word + BLOCK_BITS / 64 {
            self.word = word / (BLOCK_BITS / 64) * (BLOCK_BITS / 64);
            self.rank = u32_at(self.set.ranks, word / (BLOCK_BITS / 64) * 4);
        }
        while self.word < word {
            self.rank += self.set.word(self.word).count_ones();
            self.word += 1;
        }
        let below = (1u64 << (number % 64)) - 1;
        (self.rank + (self.set.word(word) & below).count_ones()) as usize
    }
}

/// Computes selects of non-decreasing ranks incrementally.
pub struct SelectCursor<'a> {
    set: RankBitmap<'a>,
    word: usize,
    /// Set bits before the word.
    rank: usize,
}

impl SelectCursor<'_> {
    /// The set bit of this rank and the next set bit after it, or the size of the bitmap where there is none. Ranks
    /// must not decrease between calls.
    #[inline(always)]
    pub fn select_two(&mut self, rank: usize, pdep: impl Pdep) -> (usize, usize) {
        let (directory, a_block) = (self.set.ranks, BLOCK_BITS / 64);
        // Skip whole blocks by the directory.
        let mut block = self.word / a_block + 1;
        while u32_at(directory, block * 4) as usize <= rank && (block + 1) * 4 <= directory.len() {
            (self.word, self.rank) = (block * a_block, u32_at(directory, block * 4) as usize);
            block += 1;
        }
        let n_words = self.set.n_words();
        while self.word < n_words {
            let ones = self.set.word(self.word).count_ones() as usize;
            if self.rank + ones > rank {
                break;
            }
            self.rank += ones;
            self.word += 1;
        }
        if self.word == n_words {
            return (self.set.n_bits, self.set.n_bits);
        }
        let word = self.set.word(self.word);
        let bit = pdep.nth_one(word, rank - self.rank);
        let first = self.word * 64 + bit;
        // Clear the bits up to the one found.
        let mut rest = word & (u64::MAX << bit) & !(1 << bit);
        let mut at = self.word;
        while rest == 0 {
            at += 1;
            if at == n_words {
                return (first, self.set.n_bits);
            }
            rest = self.set.word(at);
        }
        (first, at * 64 + rest.trailing_zeros() as usize)
    }
}

/// Select within a word: the position of the set bit with `n` set bits below it.
pub fn nth_one(mut word: u64, n: usize) -> usize {
    for _ in 0..n {
        word &= word.wrapping_sub(1);
    }
    word.trailing_zeros() as usize
}

/// Iterates over the positions of the set bits of a word.
pub struct Ones(pub u64);

impl Iterator for Ones {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::pdep::PortablePdep;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn packed_numbers_read_back(width in 0u32..20, values in prop::collection::vec(0u32..1 << 20, 0..200)) {
            let values: Vec<u32> = values.into_iter().map(|v| v & ((1 << width) - 1)).collect();
            let mut bytes = Vec::new();
            pack(&mut bytes, width, values.iter().copied());
            let mut cursor = Cursor(&bytes);
            let packed = Packed::read(&mut cursor, width, values.len()).expect("whole");
            prop_assert!(cursor.0.is_empty());
            prop_assert!(values.iter().enumerate().all(|(n, value)| packed.get(n) == *value));
        }

        #[test]
        fn sets_know_ranks(set in prop::collection::btree_set(0usize..3000, 0..300)) {
            let mut bytes = Vec::new();
            put_rank_bitmap(&mut bytes, 3000, set.iter().copied());
            let bits = RankBitmap::read(&mut Cursor(&bytes), 3000).expect("whole");
            for number in 0..3000 {
                prop_assert_eq!(bits.has(number), set.contains(&number));
                prop_assert_eq!(bits.rank(number), set.range(..number).count());
            }
            let mut ranks = bits.ranks();
            let (mut select_cursor, mut leaps) = (bits.select_cursor(), bits.select_cursor());
            let numbers: Vec<usize> = set.iter().copied().collect();
            for (rank, number) in numbers.iter().enumerate() {
                prop_assert_eq!(ranks.rank(*number), rank);
                let two = (*number, numbers.get(rank + 1).copied().unwrap_or(3000));
                prop_assert_eq!(select_cursor.select_two(rank, PortablePdep), two);
                if rank % 37 == 0 {
                    prop_assert_eq!(leaps.select_two(rank, PortablePdep), two);
                }
            }
            for (rank, number) in set.iter().enumerate() {
                prop_assert_eq!(bits.select(rank), Some(*number));
            }
            for (rank, number) in (0..3000).filter(|n| !set.contains(n)).enumerate() {
                prop_assert_eq!(bits.select_zero(rank), Some(number));
            }
            prop_assert_eq!(bits.select(set.len()), None);
        }

        #[test]
        fn varints_read_back(value in any::<u64>()) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            prop_assert_eq!(Cursor(&bytes).varint(), Some(value));
        }
    }
}
