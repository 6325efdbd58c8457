//! Moves of the royal piece under the rule of check, and castling.

use ashta_rules::{Square, Target};

use super::{Generator, PromotionFilter};
use crate::attack::{AttackView, Threats};
use crate::moves::Move;
use crate::sink::Sink;
use crate::tables::{CastlingTable, features};
use crate::word::Word;

impl<'a, W: Word, const F: u8, const PEXT: bool> Generator<'a, W, F, PEXT> {
    #[inline(always)]
    pub(super) fn royal_moves<S: Sink<W>>(&mut self, royal: Square, threats: &Threats<W>, sink: &mut S) {
        let view = AttackView { occupied: self.view.occupied ^ W::bit(royal), ..self.view };
        let (castlings, ways) = match threats.checkers.is_empty() {
            true => self.open_castlings(),
            false => (0, W::ZERO),
        };
        if F == features::EVERYTHING {
            let targets = self.targets;
            self.restrict(self.bond.royal_ends);
            self.royal_moves_of_any_sort(royal, sink);
            self.targets = targets;
            if castlings == 0 || self.is_royal_hopped_onto(royal) {
                return;
            }
            let safe = ways & !view.attacked_of_any::<F>(self.them(), ways);
            return self.castlings(castlings, safe, &view, sink);
        }
        let query = if S::ONLY_TACTICAL { Target::Capture } else { Target::Any };
        let targets = *self.us.royals.leaps[0].to.at(royal) & self.targets[query as usize];
        let asked = targets | ways;
        if asked.is_empty() {
            return;
        }
        let safe = asked & !view.attacked_near::<F, PEXT>(self.them(), royal, threats.leaps_near);
        sink.moves(royal, targets & safe);
        if castlings != 0 {
            self.castlings(castlings, safe, &view, sink);
        }
    }

    /// Castlings that nothing stands in the way of, as bits, and the squares that must be safe for them.
    #[inline(always)]
    pub(super) fn open_castlings(&self) -> (u32, W) {
        let rights = self.view.state.rights() & self.us.castling_rights;
        let (mut open, mut ways) = (0, W::ZERO);
        if rights != 0 {
            for (n, castling) in self.castlings_from_here().1.iter().enumerate() {
                if rights & castling.right != 0 && (castling.empty & self.view.occupied).is_empty() {
                    open |= 1 << n;
                    ways |= castling.safe;
                }
            }
        }
        (open, ways)
    }

    /// The castlings that start where the royal piece stands, if they start from any file, and the number of the first; else
    /// all of them.
    #[inline(always)]
    fn castlings_from_here(&self) -> (usize, &[CastlingTable<W>]) {
        match self.view.tables.castles_from_any_file {
            false => (0, &self.us.castlings),
            true => { *self }.castlings_from_file(),
        }
    }

    #[cold]
    fn castlings_from_file(self) -> (usize, &'a [CastlingTable<W>]) {
        let royals = self.us.royal_group.pieces(self.view.state) & self.own;
        let starts = |castling: &CastlingTable<W>| royals.has(castling.royal.0);
        let all = self.us.castlings.as_slice();
        let first = all.iter().position(starts).unwrap_or(all.len());
        let n = all[first..].iter().take_while(|castling| starts(castling)).count();
        (first, &all[first..first + n])
    }

    #[inline(always)]
    pub(super) fn castlings<S: Sink<W>>(&self, open: u32, safe: W, view: &AttackView<W>, sink: &mut S) {
        let (first, castlings) = self.castlings_from_here();
        for (n, castling) in castlings.iter().enumerate() {
            let may = open >> n & 1 == 1 && (castling.safe & !safe).is_empty();
            // The partner may also be what a hopper needs, or stand in a lame leaper's way.
            let may_uncover = castling.may_uncover || F == features::EVERYTHING;
            if may && !(may_uncover && { *self }.uncovers(castling, *view)) {
                sink.single(Move::castle(castling.royal.0, castling.target, (first + n) as u8));
            }
        }
    }

    /// Castlings where no check binds.
    pub(super) fn unguarded_castlings<S: Sink<W>>(&self, sink: &mut S) {
        let (open, _) = self.open_castlings();
        let (first, castlings) = self.castlings_from_here();
        for (n, castling) in castlings.iter().enumerate().filter(|(n, _)| open >> n & 1 == 1) {
            sink.single(Move::castle(castling.royal.0, castling.target, (first + n) as u8));
        }
    }

    /// Whether the partner's departure opens the way of an attacker hidden behind it.
    #[cold]
    pub(super) fn uncovers(&self, castling: &CastlingTable<W>, view: AttackView<W>) -> bool {
        let occupied = view.occupied & !W::bit(castling.partner.0) | W::bit(castling.partner.1);
        AttackView { occupied, ..view }.is_attacked::<F>(self.them(), castling.royal.1)
    }

    #[inline(always)]
    pub(super) fn royal_moves_of_any_sort<S: Sink<W>>(&mut self, royal: Square, sink: &mut S) {
        let us = self.us;
        if let Some(leaps) = us.royals.only_leaps() {
            let targets = *leaps.to.at(royal) & self.targets_for(&leaps.class);
            let safe = match PEXT && self.them().royal_danger.is_complete {
                true => self.all_safe_for_royal(royal, targets),
                false => self.safe_for_royal(royal, targets),
            };
            return sink.moves(royal, safe);
        }
        let promotions = std::mem::replace(&mut self.promotions, PromotionFilter::All);
        let targets = self.targets;
        self.restrict(self.safe_for_royal(royal, self.piece_targets(&us.royals, royal)));
        self.class_moves_outlined(&us.royals, W::bit(royal), sink);
        (self.targets, self.promotions) = (targets, promotions);
    }

    /// The same as [`Generator::safe_for_royal`], all targets at once.
    #[inline(always)]
    fn all_safe_for_royal(&self, royal: Square, targets: W) -> W {
        let view = AttackView { occupied: self.view.occupied ^ W::bit(royal), ..self.view };
        targets & !view.attacked_near::<F, PEXT>(self.them(), royal, None)
    }

    /// Those of some targets on which the royal piece is not attacked.
    #[inline(never)]
    fn safe_for_royal(&self, royal: Square, targets: W) -> W {
        let occupied = self.view.occupied ^ W::bit(royal);
        let is_safe = |to: &Square| {
            let view = AttackView { occupied, attackers: self.view.attackers & !W::bit(*to), ..self.view };
            !view.is_attacked::<F>(self.them(), *to)
        };
        targets.squares().filter(is_safe).fold(W::ZERO, |safe, to| safe | W::bit(to))
    }
}
