//! Bits as they lie in a file: packed numbers, sets with ranks, sorted lists.
//!
//! In: numbers. Out: bytes, and views of bytes that answer without unpacking. Never: a panic on damaged bytes; a view of
//! bytes that are too short is not made, and numbers out of range read as 0.

/// Bytes after the last number of a packed array, so that eight can be loaded anywhere.
const PADDING: usize = 8;

/// Bits of a set between two entries of its directory of ranks.
const BLOCK_BITS: usize = 512;

/// The least width that holds a number.
pub fn width_of(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// Reads from the front of bytes.
pub struct Cursor<'a>(pub &'a [u8]);

impl<'a> Cursor<'a> {
    /// The next `n` bytes.
    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(head)
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// The next number of variable length: seven bits a byte, the lowest first.
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

    /// The next number of variable length, as a length or an index.
    pub fn size(&mut self) -> Option<usize> {
        self.varint().and_then(|value| usize::try_from(value).ok()).filter(|value| *value < 1 << 40)
    }
}

/// Appends a number of variable length.
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The little-endian number at a place, 0 beyond the end.
#[inline(always)]
pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    match bytes.get(at..at + 4) {
        Some(four) => u32::from_le_bytes([four[0], four[1], four[2], four[3]]),
        None => 0,
    }
}

/// The little-endian number at a place, 0 beyond the end.
#[inline(always)]
pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(eight) => u64::from_le_bytes(*eight),
        None => 0,
    }
}

/// Appends numbers of one width.
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

/// Numbers of one width.
#[derive(Clone, Copy)]
pub struct Packed<'a> {
    bytes: &'a [u8],
    width: u32,
}

impl<'a> Packed<'a> {
    /// A view of `n` numbers.
    pub fn read(from: &mut Cursor<'a>, width: u32, n: usize) -> Option<Packed<'a>> {
        let bytes = from.take((n * width as usize).div_ceil(8) + PADDING)?;
        (width <= 32).then_some(Packed { bytes, width })
    }

    /// The number at an index.
    #[inline(always)]
    pub fn get(&self, index: usize) -> u32 {
        let bit = index * self.width as usize;
        let word = u64_at(self.bytes, bit / 8) >> (bit % 8);
        (word & ((1u64 << self.width) - 1)) as u32
    }
}

impl Packed<'_> {
    /// Unpacks numbers from an index on; what `out` had is gone. Gives how many at its front come before the index.
    #[inline(always)]
    pub fn unpack(&self, first: usize, n: usize, out: &mut Vec<u16>) -> usize {
        out.clear();
        if self.width == 0 {
            out.resize(n, 0);
            return 0;
        }
        if self.width > 8 {
            out.extend((first..first + n).map(|index| self.get(index) as u16));
            return 0;
        }
        // Eight numbers of up to eight bits begin at a byte and fit into one word.
        let (begin, mask) = (first / 8 * 8, (1u64 << self.width) - 1);
        out.reserve(n + 16);
        for index in (begin..first + n).step_by(8) {
            let word = u64_at(self.bytes, index / 8 * self.width as usize);
            let eight: [u16; 8] = std::array::from_fn(|n| (word >> (n as u32 * self.width) & mask) as u16);
            out.extend_from_slice(&eight);
        }
        first - begin
    }
}

/// Appends a set of bits with its directory of ranks.
pub fn put_bits(out: &mut Vec<u8>, n_bits: usize, ones: impl Iterator<Item = usize>) {
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

/// A set of small numbers, as bits.
#[derive(Clone, Copy)]
pub struct Bits<'a> {
    words: &'a [u8],
    ranks: &'a [u8],
    n_bits: usize,
}

impl<'a> Bits<'a> {
    /// A view of `n_bits` bits.
    pub fn read(from: &mut Cursor<'a>, n_bits: usize) -> Option<Bits<'a>> {
        let words = from.take(n_bits.div_ceil(64) * 8)?;
        let ranks = from.take(n_bits.div_ceil(BLOCK_BITS) * 4)?;
        Some(Bits { words, ranks, n_bits })
    }

    /// How many words there are.
    pub fn n_words(&self) -> usize {
        self.words.len() / 8
    }

    /// Sixty-four bits.
    #[inline(always)]
    pub fn word(&self, index: usize) -> u64 {
        u64_at(self.words, index * 8)
    }

    /// Whether a number is in the set.
    #[inline(always)]
    pub fn has(&self, number: usize) -> bool {
        self.word(number / 64) >> (number % 64) & 1 == 1
    }

    /// How many numbers of the set are smaller.
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

    /// Ranks of rising numbers, each from the last.
    pub fn ranks(&self) -> Ranks<'a> {
        Ranks { set: *self, word: 0, rank: 0 }
    }

    /// Numbers by rising ranks, each from the last.
    pub fn selects(&self) -> Selects<'a> {
        Selects { set: *self, word: 0, rank: 0 }
    }

    /// The number of the set that has `rank` smaller ones.
    pub fn select(&self, rank: usize) -> Option<usize> {
        self.select_by(rank, |before, _| before, |word| word)
    }

    /// The number outside of the set that has `rank` smaller ones outside.
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
            match n_before(middle) <= rank {
                true => low = middle,
                false => high = middle,
            }
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

/// Gives ranks of rising numbers.
pub struct Ranks<'a> {
    set: Bits<'a>,
    word: usize,
    rank: u32,
}

impl Ranks<'_> {
    /// How many numbers of the set are smaller than this one, which is not smaller than the last.
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

/// Gives the numbers of a set by rising ranks.
pub struct Selects<'a> {
    set: Bits<'a>,
    word: usize,
    /// Numbers of the set before the word.
    rank: usize,
}

impl Selects<'_> {
    /// The number that has `rank` smaller ones in the set, and the next number after it; the set's size for what is not
    /// there. Ranks do not fall from call to call.
    #[inline(always)]
    pub fn select_two(&mut self, rank: usize) -> (usize, usize) {
        let (directory, a_block) = (self.set.ranks, BLOCK_BITS / 64);
        // Whole blocks are passed over by the directory.
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
        let bit = nth_one(word, rank - self.rank);
        let first = self.word * 64 + bit;
        // A word without the bits up to the one found.
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

fn nth_one(mut word: u64, n: usize) -> usize {
    for _ in 0..n {
        word &= word.wrapping_sub(1);
    }
    word.trailing_zeros() as usize
}

/// The places of the ones of a word.
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

/// Appends rising numbers below `universe`, after Elias and Fano: low bits packed, high bits in unary.
pub fn put_rising(out: &mut Vec<u8>, universe: usize, values: &[u32]) {
    let low = low_width(universe, values.len());
    let mask = (1u32 << low) - 1;
    pack(out, low, values.iter().map(|value| value & mask));
    let highs = values.iter().enumerate().map(|(n, value)| (*value >> low) as usize + n);
    put_bits(out, high_bits(universe, values.len()), highs);
}

fn low_width(universe: usize, n: usize) -> u32 {
    width_of((universe / n.max(1)) as u64).saturating_sub(1)
}

fn high_bits(universe: usize, n: usize) -> usize {
    n + (universe >> low_width(universe, n)) + 1
}

/// Rising numbers.
#[derive(Clone, Copy)]
pub struct Rising<'a> {
    lows: Packed<'a>,
    highs: Bits<'a>,
    n: usize,
}

impl<'a> Rising<'a> {
    /// A view of `n` numbers below `universe`.
    pub fn read(from: &mut Cursor<'a>, universe: usize, n: usize) -> Option<Rising<'a>> {
        let lows = Packed::read(from, low_width(universe, n), n)?;
        let highs = Bits::read(from, high_bits(universe, n))?;
        Some(Rising { lows, highs, n })
    }

    /// The number at an index.
    pub fn get(&self, index: usize) -> Option<u32> {
        let place = self.highs.select(index)?;
        Some(((place - index) << self.lows.width) as u32 | self.lows.get(index))
    }

    /// Where a number is in the list, if it is.
    pub fn find(&self, value: u32) -> Option<usize> {
        let high = (value >> self.lows.width) as usize;
        let mut index = match high {
            0 => 0,
            _ => self.highs.select_zero(high - 1)? + 1 - high,
        };
        let low = value & ((1u32 << self.lows.width) - 1);
        while index < self.n && self.highs.has(index + high) {
            match self.lows.get(index).cmp(&low) {
                std::cmp::Ordering::Less => index += 1,
                std::cmp::Ordering::Equal => return Some(index),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }

    /// Appends all numbers.
    pub fn unpack(&self, out: &mut Vec<u32>) {
        out.reserve(self.n);
        let mut n = 0;
        for index in 0..self.highs.n_words() {
            for bit in Ones(self.highs.word(index)) {
                out.push(((index * 64 + bit - n) << self.lows.width) as u32 | self.lows.get(n));
                n += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            for first in [0, values.len() / 2].into_iter().filter(|_| width <= 16) {
                let mut unpacked = Vec::new();
                let n_before = packed.unpack(first, values.len() - first, &mut unpacked);
                let unpacked: Vec<u32> = unpacked[n_before..][..values.len() - first].iter().map(|v| u32::from(*v)).collect();
                prop_assert_eq!(&unpacked, &values[first..]);
            }
        }

        #[test]
        fn sets_know_ranks(set in prop::collection::btree_set(0usize..3000, 0..300)) {
            let mut bytes = Vec::new();
            put_bits(&mut bytes, 3000, set.iter().copied());
            let bits = Bits::read(&mut Cursor(&bytes), 3000).expect("whole");
            for number in 0..3000 {
                prop_assert_eq!(bits.has(number), set.contains(&number));
                prop_assert_eq!(bits.rank(number), set.range(..number).count());
            }
            let mut ranks = bits.ranks();
            let (mut selects, mut leaps) = (bits.selects(), bits.selects());
            let numbers: Vec<usize> = set.iter().copied().collect();
            for (rank, number) in numbers.iter().enumerate() {
                prop_assert_eq!(ranks.rank(*number), rank);
                let two = (*number, numbers.get(rank + 1).copied().unwrap_or(3000));
                prop_assert_eq!(selects.select_two(rank), two);
                if rank % 37 == 0 {
                    prop_assert_eq!(leaps.select_two(rank), two);
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
        fn rising_numbers_read_back(set in prop::collection::btree_set(0u32..5000, 0..300), extra in 1usize..5000) {
            let values: Vec<u32> = set.iter().copied().collect();
            let universe = 5000 + extra;
            let mut bytes = Vec::new();
            put_rising(&mut bytes, universe, &values);
            let rising = Rising::read(&mut Cursor(&bytes), universe, values.len()).expect("whole");
            let mut unpacked = Vec::new();
            rising.unpack(&mut unpacked);
            prop_assert_eq!(&unpacked, &values);
            for value in 0..5000 {
                prop_assert_eq!(rising.find(value), values.binary_search(&value).ok());
            }
        }

        #[test]
        fn varints_read_back(value in any::<u64>()) {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, value);
            prop_assert_eq!(Cursor(&bytes).varint(), Some(value));
        }
    }
}
