//! Bitboards generic over the word: one bit for each square, in words of 64, 128 or 256 bits.
//!
//! In: sets of squares. Out: set algebra, shifts, bit scans, all inlined. Never: what a square means.
//!
//! One wide word for all games would cost chess a factor of 2.4; the word is chosen once, when rules are compiled.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use ashta_rules::{Square, SquareSet};

use crate::bmi2::Pext;

mod sealed {
    /// Words are those of this crate: generators are compiled for them.
    pub trait Sealed {}
    impl Sealed for u64 {}
    impl Sealed for u128 {}
    impl<const N: usize> Sealed for super::Wide<N> {}
}

/// A set of squares in one machine word or a few.
pub trait Word:
    Copy
    + Eq
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + BitXorAssign
    + sealed::Sealed
{
    /// How many squares fit.
    const SQUARES: usize;
    /// Whether PEXT slide tables are worth having for this word.
    const PACKS: bool;
    /// Whether games without hands get a generator of their own; on large boards the look into the hand costs nothing.
    const SPLITS_DROPS: bool;
    /// No squares.
    const ZERO: Self;
    /// All bits.
    const ALL: Self;

    /// The set of one square.
    fn bit(square: Square) -> Self;
    /// How many squares.
    fn count(self) -> u32;
    /// The lowest square; of an empty set, anything.
    fn lowest(self) -> Square;
    /// The highest square; of an empty set, anything.
    fn highest(self) -> Square;
    /// Without the lowest square.
    fn without_lowest(self) -> Self;
    /// Toward higher squares.
    fn shifted_up(self, by: u32) -> Self;
    /// Toward lower squares.
    fn shifted_down(self, by: u32) -> Self;
    /// As numbers: `self - other`, wrapping.
    fn minus(self, other: Self) -> Self;
    /// The highest square alone; the lowest bit of an empty set.
    fn highest_bit_or_one(self) -> Self;
    /// From four words of 64 squares.
    fn from_words(words: [u64; 4]) -> Self;
    /// To four words of 64 squares.
    fn words(self) -> [u64; 4];

    /// PEXT: packs the bits of `self` under `mask`, of which `low` are among the lowest 64. Wider words count them anew.
    fn pext(self, mask: Self, low: u8, pext: Pext) -> usize;
    /// PDEP: spreads the low bits of `packed` over `mask`.
    fn pdep(packed: u64, mask: Self, low: u8, pext: Pext) -> Self;

    /// Whether no square is in the set.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// Whether some square is in the set.
    #[inline(always)]
    fn any(self) -> bool {
        self != Self::ZERO
    }

    /// Whether the square is in the set.
    #[inline(always)]
    fn has(self, square: Square) -> bool {
        (self & Self::bit(square)).any()
    }

    /// Whether exactly one square is in a set that is not empty.
    #[inline(always)]
    fn is_single(self) -> bool {
        self.without_lowest().is_empty()
    }

    /// Takes the lowest square out.
    #[inline(always)]
    fn pop(&mut self) -> Option<Square> {
        if self.is_empty() {
            return None;
        }
        let square = self.lowest();
        *self = self.without_lowest();
        Some(square)
    }

    /// Takes the lowest square out, where all were counted before and so one is left.
    #[inline(always)]
    fn pop_counted(&mut self) -> Option<Square> {
        match Self::SQUARES {
            64 => {
                let square = self.lowest();
                *self = self.without_lowest();
                Some(square)
            }
            128 => {
                // Both halves are looked at: which one has the square is a branch that nobody can predict.
                let [low, high, ..] = self.words();
                let is_low = low != 0;
                let square = if is_low { low.trailing_zeros() } else { 64 + high.trailing_zeros() };
                let rest = if is_low { high } else { high & high.wrapping_sub(1) };
                *self = Self::from_words([low & low.wrapping_sub(1), rest, 0, 0]);
                Some(Square(square as u8))
            }
            // Larger words look for it part by part, and then know.
            _ => self.pop(),
        }
    }

    /// The set of its `n`th square, counted from 0 at the lowest, by PDEP.
    #[inline(always)]
    fn nth_pdep(self, n: u32, _: Pext) -> Self {
        self.nth(n)
    }

    /// The set of its `n`th square, counted from 0 at the lowest.
    #[inline(always)]
    fn nth(mut self, n: u32) -> Self {
        for _ in 0..n {
            self = self.without_lowest();
        }
        self
    }

    /// Shifted by a signed number of squares.
    #[inline(always)]
    fn shifted(self, by: i32) -> Self {
        if by >= 0 { self.shifted_up(by as u32) } else { self.shifted_down(by.unsigned_abs()) }
    }

    /// Shifted by a signed number of squares, none of which leaves the word.
    ///
    /// Integers rotate: no branch on the sign.
    #[inline(always)]
    fn moved(self, by: i32) -> Self {
        self.shifted(by)
    }

    /// As numbers: `self + other`, wrapping.
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.minus(Self::ZERO.minus(other))
    }

    /// The squares, lowest first.
    #[inline(always)]
    fn squares(self) -> Squares<Self> {
        Squares(self)
    }

    /// From a set of the rules.
    fn from_set(set: &SquareSet) -> Self {
        Self::from_words(set.words())
    }
}

/// Iterates over the squares of a set, lowest first.
pub struct Squares<W>(W);

impl<W: Word> Iterator for Squares<W> {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        self.0.pop()
    }
}

macro_rules! integer_word {
    ($word:ty, $pext:expr, $pdep:expr, $nth:expr, $pop:item) => {
        impl Word for $word {
            const SQUARES: usize = <$word>::BITS as usize;
            const PACKS: bool = true;
            const SPLITS_DROPS: bool = true;
            const ZERO: Self = 0;
            const ALL: Self = !0;

            #[inline(always)]
            fn bit(square: Square) -> Self {
                1 << (u32::from(square.0) & (<$word>::BITS - 1))
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn lowest(self) -> Square {
                Square(self.trailing_zeros() as u8)
            }
            #[inline(always)]
            fn highest(self) -> Square {
                Square((<$word>::BITS - 1 - (self | 1).leading_zeros()) as u8)
            }
            #[inline(always)]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
            #[inline(always)]
            fn shifted_up(self, by: u32) -> Self {
                self << (by & (<$word>::BITS - 1))
            }
            #[inline(always)]
            fn shifted_down(self, by: u32) -> Self {
                self >> (by & (<$word>::BITS - 1))
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn moved(self, by: i32) -> Self {
                self.rotate_left(by as u32 & (<$word>::BITS - 1))
            }
            #[inline(always)]
            fn highest_bit_or_one(self) -> Self {
                (1 << (<$word>::BITS - 1)) >> (self | 1).leading_zeros()
            }
            #[inline(always)]
            fn from_words(words: [u64; 4]) -> Self {
                (0..Self::SQUARES / 64).fold(0, |word, n| word | (words[n] as $word) << (64 * n as u32))
            }
            #[inline(always)]
            fn words(self) -> [u64; 4] {
                std::array::from_fn(|n| match n < Self::SQUARES / 64 {
                    true => (self >> (64 * n as u32)) as u64,
                    false => 0,
                })
            }
            #[inline(always)]
            $pop
            #[inline(always)]
            fn nth_pdep(self, n: u32, _: Pext) -> Self {
                $nth(self, n)
            }
            #[inline(always)]
            fn pext(self, mask: Self, low: u8, _: Pext) -> usize {
                $pext(self, mask, low)
            }
            #[inline(always)]
            fn pdep(packed: u64, mask: Self, low: u8, _: Pext) -> Self {
                $pdep(packed, mask, low)
            }
        }
    };
}

integer_word!(
    u64,
    |set, mask, _| pext(set, mask) as usize,
    |packed, mask, _| pdep(packed, mask),
    |set, n: u32| pdep(1u64 << (n & 63), set),
    fn pop(&mut self) -> Option<Square> {
        if *self == 0 {
            return None;
        }
        let square = self.trailing_zeros() as u8;
        *self &= *self - 1;
        Some(Square(square))
    }
);
integer_word!(
    u128,
    pext_128,
    pdep_128,
    nth_128,
    // One half after the other: six instructions a square instead of fifteen for both at once.
    fn pop(&mut self) -> Option<Square> {
        let (low, high) = (*self as u64, (*self >> 64) as u64);
        if low != 0 {
            *self = u128::from(high) << 64 | u128::from(low & (low - 1));
            return Some(Square(low.trailing_zeros() as u8));
        }
        if high != 0 {
            *self = u128::from(high & (high - 1)) << 64;
            return Some(Square(64 + high.trailing_zeros() as u8));
        }
        None
    }
);

#[inline(always)]
fn pext_128(set: u128, mask: u128, low_bits: u8) -> usize {
    let low = pext(set as u64, mask as u64);
    let high = pext((set >> 64) as u64, (mask >> 64) as u64);
    (low | high << (low_bits & 63)) as usize
}

#[inline(always)]
fn pdep_128(packed: u64, mask: u128, low_bits: u8) -> u128 {
    let low = pdep(packed, mask as u64);
    let high = pdep(packed >> (low_bits & 63), (mask >> 64) as u64);
    u128::from(low) | u128::from(high) << 64
}

#[inline(always)]
fn nth_128(set: u128, n: u32) -> u128 {
    let (low, high) = (set as u64, (set >> 64) as u64);
    match n.checked_sub(low.count_ones()) {
        None => u128::from(pdep(1 << (n & 63), low)),
        Some(n) => u128::from(pdep(1 << (n & 63), high)) << 64,
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn pext(set: u64, mask: u64) -> u64 {
    // SAFETY: reached only below functions compiled with BMI2 and chosen when the processor has it (`dispatch`).
    // One instruction for what takes a loop: chess perft gains a fifth by it.
    #[expect(unsafe_code, reason = "see SAFETY")]
    unsafe {
        std::arch::x86_64::_pext_u64(set, mask)
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn pdep(packed: u64, mask: u64) -> u64 {
    // SAFETY: as for `pext`.
    #[expect(unsafe_code, reason = "see SAFETY")]
    unsafe {
        std::arch::x86_64::_pdep_u64(packed, mask)
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn pext(mut set: u64, mut mask: u64) -> u64 {
    let mut packed = 0;
    let mut bit = 1;
    set &= mask;
    while mask != 0 {
        if set & mask & mask.wrapping_neg() != 0 {
            packed |= bit;
        }
        mask &= mask - 1;
        bit <<= 1;
    }
    packed
}

#[cfg(not(target_arch = "x86_64"))]
fn pdep(mut packed: u64, mut mask: u64) -> u64 {
    let mut set = 0;
    while mask != 0 {
        if packed & 1 != 0 {
            set |= mask & mask.wrapping_neg();
        }
        mask &= mask - 1;
        packed >>= 1;
    }
    set
}

/// Words of more than 128 bits, lowest 64 squares first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Wide<N> {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Wide(std::array::from_fn(|n| f(self.0[n], other.0[n])))
    }
}

macro_rules! wide_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $f:expr) => {
        impl<const N: usize> $trait for Wide<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                self.zip(other, $f)
            }
        }
        impl<const N: usize> $assign_trait for Wide<N> {
            #[inline(always)]
            fn $assign(&mut self, other: Self) {
                *self = self.zip(other, $f);
            }
        }
    };
}

wide_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
wide_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
wide_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);

impl<const N: usize> Not for Wide<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Wide(self.0.map(|word| !word))
    }
}

impl<const N: usize> Word for Wide<N> {
    const SQUARES: usize = 64 * N;
    const PACKS: bool = false;
    const SPLITS_DROPS: bool = false;
    const ZERO: Self = Wide([0; N]);
    const ALL: Self = Wide([!0; N]);

    #[inline(always)]
    fn bit(square: Square) -> Self {
        Wide(std::array::from_fn(|n| u64::from(square.index() / 64 == n) << (square.0 % 64)))
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }
    #[inline(always)]
    fn lowest(self) -> Square {
        for n in 0..N - 1 {
            if self.0[n] != 0 {
                return Square((64 * n) as u8 + self.0[n].trailing_zeros() as u8);
            }
        }
        Square((64 * (N - 1)) as u8 + (self.0[N - 1].trailing_zeros() as u8 & 63))
    }
    #[inline(always)]
    fn highest(self) -> Square {
        for n in (1..N).rev() {
            if self.0[n] != 0 {
                return Square((64 * n) as u8 + 63 - self.0[n].leading_zeros() as u8);
            }
        }
        Square(63 - (self.0[0] | 1).leading_zeros() as u8)
    }
    #[inline(always)]
    fn without_lowest(mut self) -> Self {
        for n in 0..N {
            if self.0[n] != 0 {
                self.0[n] &= self.0[n] - 1;
                return self;
            }
        }
        self
    }
    #[inline(always)]
    fn shifted_up(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        Wide(std::array::from_fn(|n| {
            let at = |m: usize| if n >= m { self.0[n - m] } else { 0 };
            let low = if bits > 0 { at(words + 1) >> (64 - bits) } else { 0 };
            at(words) << bits | low
        }))
    }
    #[inline(always)]
    fn shifted_down(self, by: u32) -> Self {
        let (words, bits) = ((by / 64) as usize, by % 64);
        Wide(std::array::from_fn(|n| {
            let at = |m: usize| if n + m < N { self.0[n + m] } else { 0 };
            let high = if bits > 0 { at(words + 1) << (64 - bits) } else { 0 };
            at(words) >> bits | high
        }))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let mut borrow = false;
        Wide(std::array::from_fn(|n| {
            let (difference, first) = self.0[n].overflowing_sub(other.0[n]);
            let (difference, second) = difference.overflowing_sub(u64::from(borrow));
            borrow = first | second;
            difference
        }))
    }
    #[inline(always)]
    fn highest_bit_or_one(self) -> Self {
        Self::bit(self.highest())
    }
    #[inline(always)]
    fn has(self, square: Square) -> bool {
        self.0[(square.index() / 64).min(N - 1)] >> (square.0 % 64) & 1 == 1
    }
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
    #[inline(always)]
    fn any(self) -> bool {
        !self.is_empty()
    }
    // One word after the other, as for 128 bits.
    #[inline(always)]
    fn pop(&mut self) -> Option<Square> {
        for n in 0..N {
            let word = self.0[n];
            if word != 0 {
                self.0[n] = word & (word - 1);
                return Some(Square((64 * n) as u8 + word.trailing_zeros() as u8));
            }
        }
        None
    }
    fn from_words(words: [u64; 4]) -> Self {
        Wide(std::array::from_fn(|n| words[n]))
    }
    fn words(self) -> [u64; 4] {
        std::array::from_fn(|n| if n < N { self.0[n] } else { 0 })
    }
    #[inline(always)]
    fn pext(self, mask: Self, _low: u8, _: Pext) -> usize {
        let (mut packed, mut n_bits) = (0, 0);
        for (word, mask) in self.0.into_iter().zip(mask.0) {
            packed |= pext(word, mask) << (n_bits & 63);
            n_bits += mask.count_ones();
        }
        packed as usize
    }
    #[inline(always)]
    fn pdep(packed: u64, mask: Self, _low: u8, _: Pext) -> Self {
        let mut n_bits = 0;
        Wide(mask.0.map(|mask| {
            let word = pdep(packed >> (n_bits & 63), mask);
            n_bits += mask.count_ones();
            word
        }))
    }
}

/// The square from which a shift by so many squares leads to another.
#[inline(always)]
pub fn start_of(to: Square, by: i32) -> Square {
    Square((i32::from(to.0) - by) as u8)
}

/// The square at which a shift ends, if that is a square of any board.
#[inline]
pub fn end_of(from: Square, by: i32) -> Option<Square> {
    u8::try_from(i32::from(from.0) + by).ok().map(Square)
}

/// The squares of the largest board.
#[inline]
pub fn every_square() -> impl DoubleEndedIterator<Item = Square> {
    (0..=255).map(Square)
}

/// An array by square whose index can never be out of bounds: a square is a byte.
///
/// Rows are 264 long, not 256, so that rows of a table of rows do not fall on the same cache lines.
#[derive(Clone, Debug)]
pub struct PerSquare<T>(Box<[T; ROW]>);

/// Length of a row by square.
pub const ROW: usize = 264;

impl<T: Clone> PerSquare<T> {
    /// The same value for every square.
    #[inline]
    pub fn filled(value: T) -> PerSquare<T> {
        PerSquare(boxed(value))
    }
}

/// An array on the heap, that never passes over the stack: tables of rows are larger than some stacks.
pub fn boxed<T: Clone, const N: usize>(value: T) -> Box<[T; N]> {
    match vec![value; N].into_boxed_slice().try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("the slice has {N} entries"),
    }
}

impl<T> PerSquare<T> {
    /// The value of a square.
    #[inline(always)]
    pub fn at(&self, square: Square) -> &T {
        &self.0[square.index()]
    }

    /// The value of a square, to change.
    #[inline]
    pub fn at_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[square.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares a word's operations with the same on sets of numbers.
    fn check<W: Word>() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> 33
        };
        for _ in 0..2000 {
            let mut squares: Vec<Square> =
                (0..random() % 9).map(|_| Square((random() % W::SQUARES as u64) as u8)).collect();
            squares.sort_unstable();
            squares.dedup();
            let set = squares.iter().fold(W::ZERO, |set, square| set | W::bit(*square));
            assert_eq!(set.squares().collect::<Vec<Square>>(), squares);
            assert_eq!(set.count() as usize, squares.len());
            assert_eq!(W::from_words(set.words()), set);
            if let (Some(first), Some(last)) = (squares.first(), squares.last()) {
                assert_eq!((set.lowest(), set.highest()), (*first, *last));
                assert_eq!(set.highest_bit_or_one(), W::bit(*last));
                assert_eq!(set.is_single(), squares.len() == 1);
            }
            for (n, square) in squares.iter().enumerate() {
                assert_eq!(set.nth(n as u32).lowest(), *square);
                if crate::bmi2::has_pext() {
                    // SAFETY: it was just asked.
                    #[expect(unsafe_code, reason = "see SAFETY")]
                    let pext = unsafe { Pext::assume() };
                    assert_eq!(set.nth_pdep(n as u32, pext).lowest(), *square);
                }
            }
            let by = (random() % 40) as i32 - 20;
            let moved: Vec<Square> = squares
                .iter()
                .map(|s| i32::from(s.0) + by)
                .filter(|s| (0..W::SQUARES as i32).contains(s))
                .map(|s| Square(s as u8))
                .collect();
            assert_eq!(set.shifted(by).squares().collect::<Vec<Square>>(), moved);
            let below = W::bit(Square((random() % W::SQUARES as u64) as u8)).minus(W::bit(Square(0)));
            assert_eq!((below & set) | (!below & set), set);
        }
    }

    #[test]
    fn words_behave_as_sets() {
        check::<u64>();
        check::<u128>();
        check::<Wide<3>>();
        check::<Wide<4>>();
    }
}
