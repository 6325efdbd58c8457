//! BMI2, whose PEXT and PDEP instructions slide tables and sinks use: detection, and a proof of it.
//!
//! In: the processor. Out: [`Pext`], without which no safe function executes these instructions. Never: what they are for.

/// Whether this processor has PEXT and PDEP, and every other instruction that code chosen because of them is compiled for.
pub fn has_pext() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2")
            && std::arch::is_x86_feature_detected!("bmi1")
            && std::arch::is_x86_feature_detected!("bmi2")
            && std::arch::is_x86_feature_detected!("popcnt")
            && std::arch::is_x86_feature_detected!("lzcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// Proof that this processor has PEXT and PDEP.
#[derive(Clone, Copy, Debug)]
pub struct Pext(());

impl Pext {
    /// # Safety
    ///
    /// [`has_pext`] must be true; it is below functions that were chosen because of it.
    #[expect(unsafe_code, reason = "see SAFETY")]
    #[inline(always)]
    pub unsafe fn assume() -> Pext {
        Pext(())
    }
}
