//! Moves of the royal piece under the rule of check, and castling.

use ashta_rules::Target;

use super::{Generator, Promotions};
use crate::attack::{Scene, Threats};
use crate::moves::Move;
use crate::sink::Sink;
use crate::tables::{CastlingTable, features};
use crate::word::Word;

impl<W: Word, const F: u8, const GATHERS: bool> Generator<'_, W, F, GATHERS> {
    #[inline(always)]
    pub(super) fn royal_moves<S: Sink<W>>(&mut self, royal: u8, threats: &Threats<W>, sink: &mut S) {
        let scene = Scene { occupied: self.scene.occupied ^ W::bit(royal), ..self.scene };
        let (castlings, ways) = match threats.checkers.is_empty() {
            true => self.open_castlings(),
            false => (0, W::ZERO),
        };
        if F == features::EVERYTHING {
            self.royal_moves_of_any_sort(royal, sink);
            if castlings == 0 || self.is_royal_hopped_onto(royal) {
                return;
            }
            let safe = ways & !scene.attacked_of_any::<F>(self.them(), ways);
            return self.castlings(castlings, safe, &scene, sink);
        }
        let wanted = if S::ONLY_EXCHANGES { Target::Capture } else { Target::Any };
        let ends = *self.us.royals.leaps[0].to.at(royal) & self.ends[wanted as usize];
        let asked = ends | ways;
        if asked.is_empty() {
            return;
        }
        let safe = asked & !scene.attacked_of::<GATHERS>(self.them(), asked, threats.leaped_onto);
        sink.moves(royal, ends & safe);
        if castlings != 0 {
            self.castlings(castlings, safe, &scene, sink);
        }
    }

    /// Castlings that nothing stands in the way of, as bits, and the squares that must be safe for them.
    #[inline(always)]
    pub(super) fn open_castlings(&self) -> (u32, W) {
        let rights = self.scene.state.rights() & self.us.castling_rights;
        let (mut open, mut ways) = (0, W::ZERO);
        if rights != 0 {
            for (n, castling) in self.us.castlings.iter().enumerate() {
                if rights & castling.right != 0 && (castling.empty & self.scene.occupied).is_empty() {
                    open |= 1 << n;
                    ways |= castling.safe;
                }
            }
        }
        (open, ways)
    }

    #[inline(always)]
    pub(super) fn castlings<S: Sink<W>>(&self, open: u32, safe: W, scene: &Scene<W>, sink: &mut S) {
        let us = self.us;
        for (n, castling) in us.castlings.iter().enumerate() {
            let may = open >> n & 1 == 1 && (castling.safe & !safe).is_empty();
            // The partner may also be what a hopper needs, or stand in a lame leaper's way.
            let may_uncover = castling.may_uncover || F == features::EVERYTHING;
            if may && !(may_uncover && self.uncovers(castling, scene)) {
                sink.single(Move::castle(castling.royal.0, castling.royal.1, n as u8));
            }
        }
    }

    /// Castlings where no check binds.
    pub(super) fn unguarded_castlings<S: Sink<W>>(&self, sink: &mut S) {
        let (open, _) = self.open_castlings();
        for (n, castling) in self.us.castlings.iter().enumerate().filter(|(n, _)| open >> n & 1 == 1) {
            sink.single(Move::castle(castling.royal.0, castling.royal.1, n as u8));
        }
    }

    /// Whether the partner's departure opens the way of an attacker hidden behind it.
    #[cold]
    pub(super) fn uncovers(&self, castling: &CastlingTable<W>, scene: &Scene<W>) -> bool {
        let occupied = scene.occupied & !W::bit(castling.partner.0) | W::bit(castling.partner.1);
        Scene { occupied, ..*scene }.is_attacked::<F>(self.them(), castling.royal.1)
    }

    pub(super) fn royal_moves_of_any_sort<S: Sink<W>>(&mut self, royal: u8, sink: &mut S) {
        let us = self.us;
        let (guard, promotions) = (self.guard.take(), self.promotions);
        self.promotions = Promotions::All;
        let ends = self.ends;
        let scene = Scene { occupied: self.scene.occupied ^ W::bit(royal), ..self.scene };
        let mut safe = W::ZERO;
        for to in self.piece_ends(&us.royals, royal).squares() {
            let scene = Scene { attackers: scene.attackers & !W::bit(to), ..scene };
            if !scene.is_attacked::<F>(self.them(), to) {
                safe |= W::bit(to);
            }
        }
        self.restrict(safe);
        self.unit_moves_apart(&us.royals, W::bit(royal), sink);
        self.ends = ends;
        (self.guard, self.promotions) = (guard, promotions);
    }
}
