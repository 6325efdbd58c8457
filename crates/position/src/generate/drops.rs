//! Drops from the hand, with their limits.

use ashta_rules::Target;

use super::Generator;
use crate::attack::Scene;
use crate::dispatch;
use crate::moves::Move;
use crate::sink::{Any, Sink};
use crate::tables::{NoMate, features};
use crate::word::Word;

impl<W: Word, const F: u8, const GATHERS: bool> Generator<'_, W, F, GATHERS> {
    #[inline(always)]
    pub(super) fn drops<S: Sink<W>>(&self, sink: &mut S) {
        let state = self.scene.state;
        let held = state.held(self.me) & sink.slots();
        if held == 0 {
            return;
        }
        let us = self.us;
        let kinds = &self.scene.tables.hand_kinds;
        for table in &us.drops {
            let slots = table.slots & held;
            if slots == 0 {
                continue;
            }
            let mut ends = table.squares & self.ends[Target::Empty as usize];
            if let Some((limit, group)) = table.per_file {
                ends &= !self.full_files(group.pieces(state) & self.own, limit);
            }
            if let Some(no_mate) = &table.no_mate {
                ends = self.without_mates(no_mate, ends);
            }
            match F == features::EVERYTHING && self.guard.is_some() {
                true => self.drops_among_hoppers(slots, ends, sink),
                false => sink.drops(slots, kinds, ends),
            }
        }
    }

    /// Files that hold as many pieces as a side may have there.
    #[inline(always)]
    pub(super) fn full_files(&self, pieces: W, limit: u8) -> W {
        match limit {
            1 => self.scene.tables.files.holding_any(pieces),
            _ => self.scene.tables.files.holding(pieces, limit),
        }
    }

    /// Takes away drops that would mate.
    #[inline(always)]
    pub(super) fn without_mates(&self, no_mate: &NoMate<W>, ends: W) -> W {
        let royals = self.them().royal_group.pieces(self.scene.state) & self.scene.state.side(1 - self.me);
        if royals.is_empty() {
            return ends;
        }
        let royal = royals.lowest();
        let mut checks = *no_mate.checks.at(royal);
        if F == features::EVERYTHING {
            checks |= self.hurdle_squares(royal);
        }
        match (ends & checks).any() {
            true => self.without_mates_on(no_mate.kind, ends, ends & checks, royal),
            false => ends,
        }
    }

    /// Squares where a man may be what our hoppers need to give check.
    fn hurdle_squares(&self, royal: u8) -> W {
        let ours = Scene { attackers: self.own, ..self.scene };
        let mut hurdles = W::ZERO;
        for hopper in &self.us.hoppers {
            let between = &self.scene.tables.between[hopper.between];
            for from in ours.candidates::<F>(hopper, royal).squares() {
                hurdles |= between.at(royal, from);
            }
        }
        hurdles
    }

    #[inline(never)]
    pub(super) fn without_mates_on(&self, kind: u8, ends: W, checking: W, royal: u8) -> W {
        let tables = self.scene.tables;
        let mut ends = ends;
        for to in checking.squares() {
            let bit = W::bit(to);
            // Most such drops are answered by the royal piece itself: it takes what nobody guards.
            let takes = self.them().royals.leaps.iter().any(|leaps| leaps.to.at(royal).has(to));
            let occupied = (self.scene.occupied | bit) ^ W::bit(royal);
            let guarded = Scene { occupied, attackers: self.own, ..self.scene }.is_attacked::<F>(self.us, to);
            if takes && !guarded {
                continue;
            }
            let mut after = *self.scene.state;
            after.play_unchecked(tables, Move::drop(kind, to));
            let mut any = Any::default();
            dispatch::generate(tables, &after, &mut any);
            let (occupied, attackers) = (self.scene.occupied | bit, self.own | bit);
            let now = Scene { tables, state: &after, occupied, attackers };
            if !any.0 && now.is_attacked::<F>(self.us, royal) {
                ends ^= bit;
            }
        }
        ends
    }
}
