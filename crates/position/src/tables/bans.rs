//! Captures that may not be made, as sets of kinds.

use ashta_rules::{Ban, BanExcept, BanLegs, CaptureBy, KindId, Protects};

use super::KindGroup;
use super::compile::kind_mask;

/// Captures of some kinds by some kinds.
#[derive(Clone, Copy, Debug)]
pub struct CaptureMasks {
    by: u64,
    of: u64,
}

impl CaptureMasks {
    pub(super) fn new(capture: &CaptureBy) -> CaptureMasks {
        CaptureMasks { by: kind_mask(&capture.by), of: kind_mask(&capture.of) }
    }

    /// Whether a capture is one of these.
    #[inline]
    pub fn has(&self, by: KindId, of: KindId) -> bool {
        self.by >> by.0 & self.of >> of.0 & 1 == 1
    }

    /// Whether a kind makes such captures.
    pub(super) fn is_by(&self, kind: usize) -> bool {
        self.by >> kind & 1 == 1
    }
}

/// A capture that may not be made.
#[derive(Clone, Copy, Debug)]
pub struct BanTable {
    /// Whose captures of what.
    pub captures: CaptureMasks,
    /// What may not be captured.
    pub victims: KindGroup,
    /// Only pieces more king steps away than this are protected.
    pub farther_than: u8,
    pub protects: Protects,
    /// Kinds whose capture by the same move lifts the ban.
    pub unless_also_takes: u64,
    /// Kinds that guard even where the same move captures them first.
    pub guards_though_taken: u64,
    /// Whether it holds only while the position remembers a capture.
    pub follows_capture: bool,
    pub except: BanExcept,
    pub legs: BanLegs,
}

impl BanTable {
    pub(super) fn new(ban: &Ban, victims: KindGroup) -> BanTable {
        BanTable {
            captures: CaptureMasks { by: kind_mask(&ban.by), of: kind_mask(&ban.of) },
            victims,
            farther_than: ban.farther_than,
            protects: ban.protects,
            unless_also_takes: kind_mask(&ban.unless_also_takes),
            guards_though_taken: kind_mask(&ban.guards_though_taken),
            follows_capture: ban.after.is_some(),
            except: ban.except,
            legs: ban.legs,
        }
    }
}
