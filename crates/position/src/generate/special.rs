//! Lame leapers, hoppers, bent riders and pieces whose movements overlap; the royal piece kept safe from hoppers.

use super::Generator;
use crate::attack::{AttackView, unmoved};
use crate::sink::Sink;
use crate::state::kind_of;
use crate::tables::{BentPath, HopClass, MoveClass, MoveClasses};
use crate::word::Word;

impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    /// Lame leapers, hoppers and bent riders.
    pub(super) fn special_moves<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        let occupied = self.view.occupied;
        for lame_leaps in &classes.lame_leaps {
            let targets = self.targets_for(&lame_leaps.class);
            for from in self.pieces_of(&lame_leaps.class, movers).squares() {
                let open = lame_leaps.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
                let to = open.fold(W::ZERO, |all, (_, targets)| all | *targets);
                self.emit(&lame_leaps.class, from, to & targets, sink);
            }
        }
        for hops in &classes.hops {
            let targets = self.targets_for(&hops.class);
            for from in self.pieces_of(&hops.class, movers).squares() {
                let to = self.hop_targets(hops, from) & targets;
                self.emit(&hops.class, from, to, sink);
            }
        }
        for overlapping in &classes.overlapping {
            for from in self.pieces_of(&overlapping.class, movers).squares() {
                self.emit(&overlapping.class, from, self.piece_targets(&overlapping.classes, from), sink);
            }
        }
        for bent_rides in &classes.bent_rides {
            let targets = self.targets_for(&bent_rides.class);
            for from in self.pieces_of(&bent_rides.class, movers).squares() {
                let to = bent_targets(bent_rides.ways.at(from), occupied) & targets;
                self.emit(&bent_rides.class, from, to, sink);
            }
        }
    }

    /// Everything that one piece reaches by several units at once.
    pub(super) fn piece_targets(&self, classes: &MoveClasses<W>, from: u8) -> W {
        let occupied = self.view.occupied;
        let mut all = W::ZERO;
        let usable =
            |class: &MoveClass<W>| !class.first_move || unmoved(self.view.tables, self.view.state).has(from);
        for leaps in classes.leaps.iter().filter(|leaps| usable(&leaps.class)) {
            all |= *leaps.to.at(from) & self.targets_for(&leaps.class);
        }
        for rides in classes.rides.iter().filter(|rides| usable(&rides.class) && !rides.only_attacks) {
            all |= rides.slide.reach::<PEXT>(from, occupied) & self.targets_for(&rides.class);
        }
        for lame_leaps in classes.lame_leaps.iter().filter(|lame_leaps| usable(&lame_leaps.class)) {
            let open = lame_leaps.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
            all |=
                open.fold(W::ZERO, |all, (_, targets)| all | *targets) & self.targets_for(&lame_leaps.class);
        }
        for hops in classes.hops.iter().filter(|hops| usable(&hops.class)) {
            all |= self.hop_targets(hops, from) & self.targets_for(&hops.class);
        }
        for bent_rides in classes.bent_rides.iter().filter(|bent_rides| usable(&bent_rides.class)) {
            all |= bent_targets(bent_rides.ways.at(from), occupied) & self.targets_for(&bent_rides.class);
        }
        classes
            .overlapping
            .iter()
            .fold(all, |all, overlapping| all | self.piece_targets(&overlapping.classes, from))
    }

    pub(super) fn hop_targets(&self, hops: &HopClass<W>, from: u8) -> W {
        let mut targets = W::ZERO;
        for (to, way) in hops.ways.at(from) {
            let hurdles = *way & self.view.occupied;
            if hurdles.any() && hurdles.is_single() {
                let kind = kind_of(self.view.state.piece(hurdles.lowest()));
                if hops.not_over >> kind & 1 == 0 {
                    targets |= W::bit(*to);
                }
            }
        }
        targets
    }

    /// Squares on which hoppers' attacks on the royal piece depend.
    pub(super) fn hopper_sensitive_squares(&self, royal: u8) -> W {
        let mut hopper_sensitive = W::ZERO;
        for hopper in &self.them().hoppers {
            let between = &self.view.tables.between[hopper.between];
            for from in self.view.candidates::<F>(hopper, royal).squares() {
                hopper_sensitive |= between.at(royal, from) | W::bit(from);
            }
        }
        match hopper_sensitive.any() && self.is_royal_hopped_onto(royal) {
            true => W::ALL,
            false => hopper_sensitive,
        }
    }

    #[inline]
    pub(super) fn is_royal_hopped_onto(&self, royal: u8) -> bool {
        self.view.is_hopped_onto(self.them(), royal, None)
    }

    /// Leaves out ends after which a hopper attacks the royal piece.
    pub(super) fn safe_from_hoppers(&self, from: u8, targets: W) -> W {
        let Some(guard) = self.guard else { return targets };
        let looked_at =
            if guard.hopper_sensitive.has(from) { targets } else { targets & guard.hopper_sensitive };
        let mut safe = targets;
        for to in looked_at.squares() {
            let kind = kind_of(self.view.state.piece(from));
            let occupied = self.view.occupied & !W::bit(from) | W::bit(to);
            let view = AttackView { occupied, attackers: self.view.attackers & !W::bit(to), ..self.view };
            if view.is_hopped_onto(self.them(), guard.royal, Some((kind, to))) {
                safe ^= W::bit(to);
            }
        }
        safe
    }

    /// The same for a man of a kind that is dropped.
    fn safe_drops(&self, kind: u8, targets: W) -> W {
        let Some(guard) = self.guard else { return targets };
        let mut safe = targets;
        for to in (targets & guard.hopper_sensitive).squares() {
            let view = AttackView { occupied: self.view.occupied | W::bit(to), ..self.view };
            if view.is_hopped_onto(self.them(), guard.royal, Some((kind, to))) {
                safe ^= W::bit(to);
            }
        }
        safe
    }

    /// Gives drops kind by kind: hoppers may pass over some and not over others.
    pub(super) fn drops_among_hoppers<S: Sink<W>>(&self, slots: u32, targets: W, sink: &mut S) {
        let kinds = &self.view.tables.hand_kinds;
        for (slot, kind) in kinds.iter().enumerate().filter(|(slot, _)| slots >> slot & 1 == 1) {
            sink.drops(1 << slot, kinds, self.safe_drops(*kind, targets));
        }
    }
}

fn bent_targets<W: Word>(ways: &[BentPath], occupied: W) -> W {
    let mut targets = W::ZERO;
    for way in ways {
        targets |= W::bit(way.hinge);
        if occupied.has(way.hinge) {
            continue;
        }
        for ray in &way.rays {
            for square in ray {
                targets |= W::bit(*square);
                if occupied.has(*square) {
                    break;
                }
            }
        }
    }
    targets
}
