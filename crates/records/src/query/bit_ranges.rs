//! Ranges of bits: filling, finding, copying.
//!
//! In: words. Out: words, places of bits. Never: what the bits stand for.

use std::ops::Range;

/// Prefix XOR: from toggled ends to filled intervals.
pub fn fill(bits: &mut [u64]) {
    let mut carry = 0;
    for word in bits {
        let mut filled = *word;
        for shift in [1, 2, 4, 8, 16, 32] {
            filled ^= filled << shift;
        }
        *word = filled ^ carry;
        carry = if *word >> 63 == 1 { u64::MAX } else { 0 };
    }
}

/// The first set bit of a range, or the first clear one if `flip` is all ones.
pub fn find(bits: &[u64], places: Range<usize>, flip: u64) -> Option<usize> {
    let mut mask = u64::MAX << (places.start % 64);
    for index in places.start / 64..places.end.div_ceil(64) {
        let word = (bits.get(index).copied().unwrap_or(0) ^ flip) & mask;
        if word != 0 {
            let found = index * 64 + word.trailing_zeros() as usize;
            return (found < places.end).then_some(found);
        }
        mask = u64::MAX;
    }
    None
}

/// Sets the bits from `to` on that are set in a range of other bits. Both have a word after their last bit.
pub fn copy_range(bits: &mut [u64], to: usize, others: &[u64], range: Range<usize>) {
    let word_at = |at: usize| {
        let (index, shift) = (at / 64, at % 64);
        let low = others.get(index).copied().unwrap_or(0) >> shift;
        // In two steps: a shift by 64 has no meaning.
        low | others.get(index + 1).copied().unwrap_or(0) << 1 << (63 - shift)
    };
    for done in (0..range.len()).step_by(64) {
        let left = (range.len() - done).min(64);
        let word = word_at(range.start + done) & (u64::MAX >> (64 - left));
        let (index, shift) = ((to + done) / 64, (to + done) % 64);
        bits[index] |= word << shift;
        if shift + left > 64 {
            bits[index + 1] |= word >> (64 - shift);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn copied_bits_are_those_of_the_range(
            others in prop::collection::vec(any::<u64>(), 5), from in 0usize..200, n in 0usize..120, to in 0usize..200,
        ) {
            let has = |bits: &[u64], at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
            let mut bits = vec![0u64; 6];
            copy_range(&mut bits, to, &others, from..from + n);
            for at in 0..6 * 64 {
                let expected = (to..to + n).contains(&at) && has(&others, at - to + from);
                prop_assert_eq!(has(&bits, at), expected);
            }
        }
    }
}
