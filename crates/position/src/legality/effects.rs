//! Why a move may not be made for what it brings about: explosions, forbidden checks, obligatory captures.

use ashta_rules::{CaptureDuty, GivingCheck};

use super::{Explanation, Illegal, PieceOn};
use crate::moves::Move;
use crate::position::Position;
use crate::word::Word;

impl<W: Word> Explanation<'_, W> {
    /// Whether a capture would blow up the last royal piece of the side that makes it.
    pub(super) fn explodes_own(&self, mv: Move) -> Option<Illegal> {
        let before = self.position.royals(self.turn());
        if !self.position.has_explosions() || before.is_empty() {
            return None;
        }
        let is_gone = self.after(mv).royals(self.turn()).is_empty();
        let royal = self.standing(before.lowest()).filter(|_| is_gone)?;
        Some(Illegal::ExplodesOwn { royal })
    }

    /// Why a move that is safe may not be made.
    pub(super) fn why_not_by_effect(&self, mv: Move) -> Option<Illegal> {
        let rules = self.position.rules();
        if rules.giving_check() == GivingCheck::Forbidden {
            let after = self.after(mv);
            if after.is_in_check() {
                let square = after.royals(after.turn()).lowest();
                let kind = after.piece(square).map(|(_, kind)| kind)?;
                return Some(Illegal::GivesCheck { royal: PieceOn { kind, square } });
            }
        }
        if rules.capture_duty() == CaptureDuty::Free || self.position.state().is_capture(mv) {
            return None;
        }
        // If one legal move captures, all do.
        let capture = *self.position.legal_moves().first()?;
        let victim = self.standing(capture.to()?)?;
        Some(Illegal::MustCapture { piece: self.standing(capture.raw_from())?, victim })
    }

    /// Whether no check counts after a move, for what it blew up or for royal pieces that touch.
    pub(super) fn ends_checks(&self, after: &Position<W>) -> bool {
        let them = self.turn().other();
        after.has_explosions()
            && (after.royals_touch() || self.position.royals(them).any() && after.royals(them).is_empty())
    }

    fn after(&self, mv: Move) -> Position<W> {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        after
    }
}
