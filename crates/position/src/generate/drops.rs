//! Drops from the hand, with their limits.

use ashta_rules::{KindId, Square, Target};

use super::Generator;
use crate::attack::AttackView;
use crate::moves::Move;
use crate::sink::{AnyMove, Sink};
use crate::tables::{DropMateBan, features};
use crate::word::Word;

impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    #[inline(always)]
    pub(super) fn drops<S: Sink<W>>(&self, sink: &mut S) {
        let state = self.view.state;
        let held = state.held(self.me) & sink.slots();
        if held == 0 {
            return;
        }
        let us = self.us;
        for table in &us.drops {
            let slots = table.slots & held;
            if slots == 0 {
                continue;
            }
            let kinds = match &table.turned {
                Some(kinds) if F == features::EVERYTHING => kinds,
                _ => &self.view.tables.hand_kinds,
            };
            let mut targets = table.squares & self.targets[Target::Empty as usize];
            if let Some((limit, group)) = table.per_file {
                targets &= !self.full_files(group.pieces(state) & self.own, limit);
            }
            if let Some(mate_ban) = &table.mate_ban {
                targets = self.without_mates(mate_ban, targets);
            }
            match F == features::EVERYTHING && self.guard.is_some() {
                true => self.drops_among_hoppers(slots, kinds, targets, sink),
                false => sink.drops(slots, kinds, targets),
            }
        }
    }

    /// Files that hold as many pieces as a side may have there.
    #[inline(always)]
    pub(super) fn full_files(&self, pieces: W, limit: u8) -> W {
        match limit {
            1 => self.view.tables.files.holding_any(pieces),
            _ => self.view.tables.files.holding(pieces, limit),
        }
    }

    /// Takes away drops that would mate.
    #[inline(always)]
    pub(super) fn without_mates(&self, mate_ban: &DropMateBan<W>, targets: W) -> W {
        let royals = self.them().royal_group.pieces(self.view.state) & self.view.state.side(self.me.other());
        if royals.is_empty() {
            return targets;
        }
        let royal = royals.lowest();
        let mut checks = *mate_ban.checks.at(royal);
        if F == features::EVERYTHING {
            checks |= self.hurdle_squares(royal);
        }
        match (targets & checks).any() {
            true => { *self }.without_mates_on(mate_ban.kind, targets, targets & checks, royal),
            false => targets,
        }
    }

    /// Squares where a piece may be what our hoppers need to give check.
    fn hurdle_squares(&self, royal: Square) -> W {
        let ours = AttackView { attackers: self.own, ..self.view };
        let mut hurdles = W::ZERO;
        for hopper in &self.us.hoppers {
            let between = &self.view.tables.between[hopper.between];
            for from in ours.candidates::<F>(hopper, royal).squares() {
                hurdles |= between.at(royal, from);
            }
        }
        hurdles
    }

    #[inline(never)]
    pub(super) fn without_mates_on(&self, kind: KindId, targets: W, checking: W, royal: Square) -> W {
        let tables = self.view.tables;
        let mut targets = targets;
        for to in checking.squares() {
            let bit = W::bit(to);
            // Most such drops are answered by the royal piece itself: it takes what nobody guards.
            let takes = self.them().royals.leaps.iter().any(|leaps| leaps.to.at(royal).has(to));
            let occupied = (self.view.occupied | bit) ^ W::bit(royal);
            let guarded =
                AttackView { occupied, attackers: self.own, ..self.view }.is_attacked::<F>(self.us, to);
            if takes && !guarded {
                continue;
            }
            let mut after = *self.view.state;
            after.play_unchecked(tables, Move::drop(kind, to));
            let mut any = AnyMove::default();
            // SAFETY: `dispatch` passes a generator for the processor that this one was chosen for.
            #[expect(unsafe_code, reason = "see SAFETY")]
            unsafe {
                (self.any_move)(tables, &after, &mut any);
            }
            let (occupied, attackers) = (self.view.occupied | bit, self.own | bit);
            let now = AttackView { tables, state: &after, occupied, attackers };
            if !any.0 && now.is_attacked::<F>(self.us, royal) {
                targets ^= bit;
            }
        }
        targets
    }
}
