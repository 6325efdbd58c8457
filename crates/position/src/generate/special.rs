//! Lame leapers, hoppers, bent riders and pieces whose movements overlap; the royal piece kept safe from hoppers.

use ashta_rules::{KindId, Square};

use super::{Generator, Guard};
use crate::attack::AttackView;
use crate::sink::Sink;
use crate::tables::{BentPath, HopClass, LameLeapClass, MoveClass, MoveClasses};
use crate::word::Word;

impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    /// Lame leapers, hoppers and bent riders.
    #[inline(always)]
    pub(super) fn special_moves<S: Sink<W>>(&self, classes: &MoveClasses<W>, movers: W, sink: &mut S) {
        let occupied = self.view.occupied;
        for lame_leaps in &classes.lame_leaps {
            let targets = self.targets_for(&lame_leaps.class);
            for from in self.pieces_of(&lame_leaps.class, movers).squares() {
                let to = self.lame_targets(lame_leaps, from) & targets;
                self.emit(&lame_leaps.class, from, to, sink);
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

    /// Everything that one piece reaches by several move classes at once; compiled for the processor as `class_moves_outlined` is.
    #[inline(always)]
    pub(super) fn piece_targets(&self, classes: &MoveClasses<W>, from: Square) -> W {
        match PEXT {
            // SAFETY: `PEXT` is true only below functions chosen because the processor has these instructions.
            #[expect(unsafe_code, reason = "see SAFETY")]
            #[cfg_attr(
                not(target_arch = "x86_64"),
                expect(unused_unsafe, reason = "the function is safe there")
            )]
            true => unsafe { self.piece_targets_bmi2(classes, from) },
            false => self.piece_targets_portable(classes, from),
        }
    }

    #[inline(never)]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
    fn piece_targets_bmi2(&self, classes: &MoveClasses<W>, from: Square) -> W {
        self.united_targets(classes, from)
    }

    #[inline(never)]
    fn piece_targets_portable(&self, classes: &MoveClasses<W>, from: Square) -> W {
        self.united_targets(classes, from)
    }

    #[inline(always)]
    fn united_targets(&self, classes: &MoveClasses<W>, from: Square) -> W {
        let occupied = self.view.occupied;
        let mut all = W::ZERO;
        let usable = |class: &MoveClass<W>| !class.is_limited() || self.unlimited(class, W::bit(from)).any();
        for leaps in classes.leaps.iter().filter(|leaps| usable(&leaps.class)) {
            all |= *leaps.to.at(from) & self.targets_for(&leaps.class);
        }
        for rides in classes.rides.iter().filter(|rides| usable(&rides.class) && !rides.only_attacks) {
            all |= rides.slide.reach::<PEXT>(from, occupied) & self.targets_for(&rides.class);
        }
        for lame_leaps in classes.lame_leaps.iter().filter(|lame_leaps| usable(&lame_leaps.class)) {
            all |= self.lame_targets(lame_leaps, from) & self.targets_for(&lame_leaps.class);
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

    #[inline(always)]
    fn lame_targets(&self, lame_leaps: &LameLeapClass<W>, from: Square) -> W {
        let occupied = self.view.occupied;
        lame_leaps.packed.targets::<PEXT>(from, occupied, || {
            let open = lame_leaps.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
            open.fold(W::ZERO, |all, (_, targets)| all | *targets)
        })
    }

    /// Where a hopper gets to over one piece. A hurdle that it cannot hop over is one that is missing where those kinds are
    /// taken off the board.
    #[inline(always)]
    fn hop_targets(&self, hops: &HopClass<W>, from: Square) -> W {
        let (state, occupied) = (self.view.state, self.view.occupied);
        let to = hops_over::<W, PEXT>(hops, from, occupied);
        match hops.not_over {
            0 => to,
            _ => to & hops_over::<W, PEXT>(hops, from, occupied & !hops.not_over_group.pieces(state)),
        }
    }

    /// Finds the moves that may let a hopper attack the royal piece, by the number of pieces on each hopper's line: with none,
    /// an arrival makes the one that it needs; with one, it gives check; with two, a departure leaves one; more are safe.
    pub(super) fn guard_from_hoppers(&mut self, royal: Square) {
        let (mut forbidden, mut departures, mut arrivals) = (W::ZERO, W::ZERO, W::ZERO);
        let mut aim = false;
        for hopper in &self.them().hoppers {
            let between = &self.view.tables.between[hopper.between];
            for from in self.view.candidates::<F>(hopper, royal).squares() {
                aim = true;
                let way = between.at(royal, from);
                let hurdles = way & self.view.occupied;
                match (hurdles.is_empty(), hurdles.is_single()) {
                    (true, _) if hopper.not_over == 0 => forbidden |= way,
                    // Some kinds may arrive there: each is looked at.
                    (true, _) => arrivals |= way,
                    (_, true) if self.view.hops(hopper, royal, from, None) => departures = W::ALL,
                    // A hurdle that it cannot hop over may be captured by one that it can.
                    (_, true) => arrivals |= hurdles,
                    _ if hurdles.without_lowest().is_single() => departures |= hurdles,
                    _ => {}
                }
            }
        }
        self.hoppers_aim = aim;
        self.restrict(!forbidden);
        if ((departures & self.own) | arrivals).any() {
            self.guard = Some(Guard { royal, departures, arrivals });
        }
    }

    #[inline]
    pub(super) fn is_royal_hopped_onto(&self, royal: Square) -> bool {
        self.view.is_hopped_onto(self.them(), royal, None)
    }

    /// Leaves out targets after which a hopper attacks the royal piece.
    #[inline(always)]
    pub(super) fn safe_from_hoppers(&self, from: Square, targets: W) -> W {
        let Some(guard) = self.guard else { return targets };
        let looked_at = if guard.departures.has(from) { targets } else { targets & guard.arrivals };
        if looked_at.is_empty() {
            targets
        } else {
            targets ^ self.hopped_onto_after(guard.royal, from, looked_at)
        }
    }

    /// Those of some targets after which a hopper attacks the royal piece.
    #[inline(never)]
    fn hopped_onto_after(&self, royal: Square, from: Square, targets: W) -> W {
        let kind = self.view.state.piece_on(from).kind();
        let mut unsafe_ends = W::ZERO;
        for to in targets.squares() {
            let occupied = self.view.occupied & !W::bit(from) | W::bit(to);
            let view = AttackView { occupied, attackers: self.view.attackers & !W::bit(to), ..self.view };
            if view.is_hopped_onto(self.them(), royal, Some((kind, to))) {
                unsafe_ends |= W::bit(to);
            }
        }
        unsafe_ends
    }

    /// The same for a piece of a kind that is dropped.
    fn safe_drops(&self, kind: KindId, targets: W) -> W {
        let Some(guard) = self.guard else { return targets };
        let mut safe = targets;
        // In check, every drop is looked at.
        let looked_at = if guard.departures == W::ALL { targets } else { targets & guard.arrivals };
        for to in looked_at.squares() {
            let view = AttackView { occupied: self.view.occupied | W::bit(to), ..self.view };
            if view.is_hopped_onto(self.them(), guard.royal, Some((kind, to))) {
                safe ^= W::bit(to);
            }
        }
        safe
    }

    /// Gives drops kind by kind: hoppers may pass over some and not over others.
    pub(super) fn drops_among_hoppers<S: Sink<W>>(
        &self,
        slots: u32,
        kinds: &[KindId],
        targets: W,
        sink: &mut S,
    ) {
        for (slot, kind) in kinds.iter().enumerate().filter(|(slot, _)| slots >> slot & 1 == 1) {
            sink.drops(1 << slot, kinds, self.safe_drops(*kind, targets));
        }
    }
}

#[inline(always)]
fn hops_over<W: Word, const PEXT: bool>(hops: &HopClass<W>, from: Square, hurdles: W) -> W {
    hops.packed.targets::<PEXT>(from, hurdles, || one_hurdle(hops.ways.at(from), hurdles))
}

/// The targets with exactly one hurdle before them.
fn one_hurdle<W: Word>(ways: &[(Square, W)], hurdles: W) -> W {
    let has_one = |way: W| (way & hurdles).any() && (way & hurdles).is_single();
    ways.iter().filter(|(_, way)| has_one(*way)).fold(W::ZERO, |all, (to, _)| all | W::bit(*to))
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
