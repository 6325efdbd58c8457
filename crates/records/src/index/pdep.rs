//! Bits sent to the places of a mask: one instruction on most processors, a loop on others.
//!
//! In: a word and a mask. Out: a word. Never: the instruction where it is not there.

/// The lowest bit of each byte of a word.
pub const LANES: u64 = 0x0101_0101_0101_0101;

/// Sends the low bits of a word, in order, to the places that a mask has.
pub trait Pdep: Copy {
    /// The word whose bits at the places of `mask` are the low bits of `packed`.
    fn pdep(self, packed: u64, mask: u64) -> u64;

    /// The place of the one of a word that has `n` ones below it.
    #[inline(always)]
    fn nth_one(self, word: u64, n: usize) -> usize {
        self.pdep(1 << n, word).trailing_zeros() as usize
    }
}

/// On any processor.
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

/// On processors that have an instruction for it.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Bmi2Pdep(());

#[cfg(target_arch = "x86_64")]
impl Bmi2Pdep {
    /// Leave to use the instruction, where it is there.
    pub fn detect() -> Option<Bmi2Pdep> {
        std::arch::is_x86_feature_detected!("bmi2").then_some(Bmi2Pdep(()))
    }
}

#[cfg(target_arch = "x86_64")]
impl Pdep for Bmi2Pdep {
    #[inline(always)]
    fn pdep(self, packed: u64, mask: u64) -> u64 {
        // SAFETY: whoever has a `Bmi2Pdep` has it from `detect`. One instruction stands for a loop over the bits: a row
        // is unpacked twenty times as fast.
        #[allow(unsafe_code)]
        unsafe {
            std::arch::x86_64::_pdep_u64(packed, mask)
        }
    }
}
