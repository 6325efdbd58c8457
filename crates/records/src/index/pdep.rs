//! PDEP (parallel bit deposit): one BMI2 instruction, or a portable loop.
//!
//! In: a word and a mask. Out: a word. Never: the instruction on a processor without it.

/// The lowest bit of each byte of a word.
pub const LANES: u64 = 0x0101_0101_0101_0101;

/// Parallel bit deposit, chosen by type so that hot loops are compiled for one implementation.
pub trait Pdep: Copy {
    /// Moves the low bits of `packed`, in order, to the set bits of `mask`.
    fn pdep(self, packed: u64, mask: u64) -> u64;

    /// Select within a word: the position of the set bit with `n` set bits below it.
    #[inline(always)]
    fn nth_one(self, word: u64, n: usize) -> usize {
        self.pdep(1 << n, word).trailing_zeros() as usize
    }
}

/// A loop, for any processor.
#[derive(Clone, Copy)]
pub struct PortablePdep;

impl Pdep for PortablePdep {
    #[inline(always)]
    fn pdep(self, packed: u64, mut mask: u64) -> u64 {
        let (mut out, mut rest) = (0, packed);
        while mask != 0 && rest != 0 {
            out |= (rest & 1) << mask.trailing_zeros();
            rest >>= 1;
            mask &= mask - 1;
        }
        out
    }
}

/// The BMI2 instruction. A value proves that the processor has it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Bmi2Pdep(());

#[cfg(target_arch = "x86_64")]
impl Bmi2Pdep {
    pub fn detect() -> Option<Bmi2Pdep> {
        std::arch::is_x86_feature_detected!("bmi2").then_some(Bmi2Pdep(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Pdep for Bmi2Pdep {
    #[inline(always)]
    fn pdep(self, packed: u64, mask: u64) -> u64 {
        // SAFETY: a `Bmi2Pdep` comes from `detect` alone. The instruction replaces a loop over the bits; a row is
        // unpacked twenty times as fast.
        #[expect(unsafe_code, reason = "an instruction of a detected feature")]
        unsafe {
            std::arch::x86_64::_pdep_u64(packed, mask)
        }
    }
}
