//! What check, or royal pieces that face each other, bind a side to beyond ending the check.
//!
//! In: a generator and the threats to its royal piece. Out: fewer moves. Never: games without such rules.

use ashta_rules::{Facing, RoyalInCheck, Square};

use super::Generator;
use crate::attack::Threats;
use crate::word::Word;

impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    /// Finds what binds the side to move, and leaves of the evasions those that also end a facing.
    #[cold]
    #[inline(never)]
    pub(super) fn bind(&mut self, royal: Square, threats: &mut Threats<W>) {
        let rules = &self.view.tables.rules;
        self.bond.in_check = threats.checkers.any() || self.is_royal_hopped_onto(royal);
        if self.bond.in_check && rules.royal_in_check() == RoyalInCheck::OnlyTakes {
            let checkers = self.view.attackers_of::<F>(self.them(), royal);
            self.bond.royal_ends = if checkers.is_single() { checkers } else { W::ZERO };
        }
        if rules.facing() != Facing::Draws {
            return;
        }
        let others = self.them().royal_group.pieces(self.view.state) & self.view.attackers;
        if !others.any() || !others.is_single() {
            return;
        }
        let other = others.lowest();
        if let Some(way) = self.view.tables.way_along_file(royal, other)
            && (way & self.view.occupied).is_empty()
        {
            self.bond.faced = Some(other);
            let left = self.view.occupied & !W::bit(royal);
            self.bond.royal_ends &= !self.view.tables.sees_along_file(other, left);
            threats.evasions &= way;
        }
    }

    /// Whether the royal piece, on a square, faces the one that it must not face any longer.
    pub(super) fn still_faces(&self, royal: Square, occupied: W) -> bool {
        let Some(other) = self.bond.faced else { return false };
        let way = self.view.tables.way_along_file(royal, other);
        way.is_some_and(|way| (way & occupied).is_empty())
    }
}
