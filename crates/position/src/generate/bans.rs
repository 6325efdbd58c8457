//! Captures that the rules ban.
//!
//! In: a generator. Out: captures of pieces that a ban may protect, where no ban forbids them. Never: other moves.

use ashta_rules::{BanExcept, BanLegs, Facing, Protects, Square};

use super::{Generator, PromotionFilter};
use crate::attack::AttackView;
use crate::sink::{MoveList, Sink};
use crate::tables::BanTable;
use crate::word::Word;

/// A capture that a move makes.
#[derive(Clone, Copy)]
pub(super) struct Capture {
    /// Where the move starts.
    pub from: Square,
    pub victim: Square,
    /// What the same move captures before it.
    pub on_way: Option<Square>,
    /// Whether the move ends there.
    pub is_last: bool,
}

impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    /// Finds the enemy pieces that some ban may protect in this position, and takes them from the targets.
    pub(super) fn protect(&mut self) {
        let state = self.view.state;
        let in_force = |ban: &&BanTable| !ban.follows_capture || state.remembered().is_some();
        let victims = self.us.bans.iter().filter(in_force).map(|ban| ban.victims.pieces(state));
        self.protected = victims.fold(W::ZERO, |all, victims| all | victims) & self.view.attackers;
        self.restrict(!self.protected);
    }

    /// Gives the captures of protected pieces that no ban forbids.
    #[inline(never)]
    pub(super) fn captures_of_protected<S: Sink<W>>(&self, royal: Option<Square>, sink: &mut S) {
        let unbound = Generator {
            targets: [self.protected, W::ZERO, self.protected],
            guard: None,
            hoppers_aim: false,
            promotions: PromotionFilter::All,
            ..*self
        };
        let movers = self.own & sink.movers() & self.attackers_of_protected();
        if movers.is_empty() {
            return;
        }
        let mut captures = MoveList::new();
        for classes in [&self.us.movers, &self.us.royals] {
            unbound.class_moves_outlined(classes, movers, &mut captures);
        }
        for mv in captures.iter() {
            let (from, victim) = (mv.raw_from(), mv.raw_to());
            let capture = Capture { from, victim, on_way: None, is_last: true };
            let makes_royal = mv.becomes().is_some_and(|kind| self.view.tables.rules.kind(kind).royal);
            let is_safe = || makes_royal || self.is_safe_after(royal, from, W::bit(victim), victim);
            if !self.is_banned(capture) && is_safe() {
                sink.single(*mv);
            }
        }
    }

    /// Own pieces that may capture a protected one; in most positions none.
    fn attackers_of_protected(&self) -> W {
        let view = AttackView { attackers: self.own, ..self.view };
        let attackers = self.protected.squares().map(|victim| view.attackers_of::<F>(self.us, victim));
        attackers.fold(self.us.spares_royals.pieces(self.view.state), |all, some| all | some)
    }

    /// Whether some ban forbids a capture.
    pub(super) fn is_banned(&self, capture: Capture) -> bool {
        self.protected.has(capture.victim) && self.us.bans.iter().any(|ban| self.forbids(ban, capture))
    }

    fn forbids(&self, ban: &BanTable, capture: Capture) -> bool {
        let Capture { from, victim, on_way, is_last } = capture;
        let state = self.view.state;
        let also_taken = on_way.map_or(0, |square| 1 << state.kind_on(square).0);
        ban.captures.has(state.kind_on(from), state.kind_on(victim))
            && (!ban.follows_capture || state.remembered().is_some())
            && (ban.except == BanExcept::Nowhere || state.remembered() != Some(victim))
            && (ban.legs == BanLegs::All || is_last)
            && self.king_steps(from, victim) > ban.farther_than
            && ban.unless_also_takes & also_taken == 0
            && (ban.protects == Protects::Always || self.is_guarded(ban, capture))
    }

    fn king_steps(&self, from: Square, to: Square) -> u8 {
        let grid = self.view.tables.rules.grid();
        grid.files_apart(from, to).max(grid.rank(from).abs_diff(grid.rank(to)))
    }

    /// Whether the victim's side attacks its square, once the capturing piece is lifted and what it took before is gone.
    fn is_guarded(&self, ban: &BanTable, capture: Capture) -> bool {
        let state = self.view.state;
        let taken = capture.on_way.map_or(W::ZERO, W::bit);
        let still_guards = |square: Square| ban.guards_though_taken >> state.kind_on(square).0 & 1 == 1;
        let gone = if capture.on_way.is_some_and(still_guards) { W::ZERO } else { taken };
        let view = AttackView {
            occupied: self.view.occupied & !(W::bit(capture.from) | taken),
            attackers: self.view.attackers & !gone,
            ..self.view
        };
        if self.view.tables.rules.facing() == Facing::Allowed {
            return view.is_attacked::<F>(self.them(), capture.victim);
        }
        // Royal pieces that may not face each other guard nothing along the file.
        let royals = self.them().royal_group.pieces(state);
        let others = AttackView { attackers: view.attackers & !royals, ..view };
        others.is_attacked::<F>(self.them(), capture.victim)
            || (view.direct_attackers::<F>(self.them(), capture.victim) & royals).any()
    }
}
