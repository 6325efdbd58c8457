//! Lame leapers, hoppers, bent riders and pieces whose movements overlap; the royal piece kept safe from hoppers.

use super::Generator;
use crate::attack::{Scene, unmoved};
use crate::sink::Sink;
use crate::state::kind_of;
use crate::tables::{BentWay, Hops, Unit, Units};
use crate::word::Word;

impl<W: Word, const F: u8, const GATHERS: bool> Generator<'_, W, F, GATHERS> {
    /// Lame leapers, hoppers and bent riders.
    pub(super) fn rare_moves<S: Sink<W>>(&self, units: &Units<W>, men: W, sink: &mut S) {
        let occupied = self.scene.occupied;
        for lames in &units.lames {
            let ends = self.ends_for(&lames.unit);
            for from in self.pieces_of(&lames.unit, men).squares() {
                let open = lames.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
                let to = open.fold(W::ZERO, |all, (_, ends)| all | *ends);
                self.give(&lames.unit, from, to & ends, sink);
            }
        }
        for hops in &units.hops {
            let ends = self.ends_for(&hops.unit);
            for from in self.pieces_of(&hops.unit, men).squares() {
                let to = self.hop_ends(hops, from) & ends;
                self.give(&hops.unit, from, to, sink);
            }
        }
        for mixed in &units.mixed {
            for from in self.pieces_of(&mixed.unit, men).squares() {
                self.give(&mixed.unit, from, self.piece_ends(&mixed.units, from), sink);
            }
        }
        for bents in &units.bents {
            let ends = self.ends_for(&bents.unit);
            for from in self.pieces_of(&bents.unit, men).squares() {
                let to = bent_ends(bents.ways.at(from), occupied) & ends;
                self.give(&bents.unit, from, to, sink);
            }
        }
    }

    /// Everything that one piece reaches by several units at once.
    pub(super) fn piece_ends(&self, units: &Units<W>, from: u8) -> W {
        let occupied = self.scene.occupied;
        let mut all = W::ZERO;
        let usable =
            |unit: &Unit<W>| !unit.first_move || unmoved(self.scene.tables, self.scene.state).has(from);
        for leaps in units.leaps.iter().filter(|leaps| usable(&leaps.unit)) {
            all |= *leaps.to.at(from) & self.ends_for(&leaps.unit);
        }
        for rides in units.rides.iter().filter(|rides| usable(&rides.unit) && !rides.only_attacks) {
            all |= rides.slide.reach::<GATHERS>(from, occupied) & self.ends_for(&rides.unit);
        }
        for lames in units.lames.iter().filter(|lames| usable(&lames.unit)) {
            let open = lames.ways.at(from).iter().filter(|(way, _)| (*way & occupied).is_empty());
            all |= open.fold(W::ZERO, |all, (_, ends)| all | *ends) & self.ends_for(&lames.unit);
        }
        for hops in units.hops.iter().filter(|hops| usable(&hops.unit)) {
            all |= self.hop_ends(hops, from) & self.ends_for(&hops.unit);
        }
        for bents in units.bents.iter().filter(|bents| usable(&bents.unit)) {
            all |= bent_ends(bents.ways.at(from), occupied) & self.ends_for(&bents.unit);
        }
        units.mixed.iter().fold(all, |all, mixed| all | self.piece_ends(&mixed.units, from))
    }

    pub(super) fn hop_ends(&self, hops: &Hops<W>, from: u8) -> W {
        let mut ends = W::ZERO;
        for (to, way) in hops.ways.at(from) {
            let hurdles = *way & self.scene.occupied;
            if hurdles.any() && hurdles.is_single() {
                let kind = kind_of(self.scene.state.piece(hurdles.lowest()));
                if hops.not_over >> kind & 1 == 0 {
                    ends |= W::bit(*to);
                }
            }
        }
        ends
    }

    /// Squares on which hoppers' attacks on the royal piece depend.
    pub(super) fn touchy_squares(&self, royal: u8) -> W {
        let mut touchy = W::ZERO;
        for hopper in &self.them().hoppers {
            let between = &self.scene.tables.between[hopper.between];
            for from in self.scene.candidates::<F>(hopper, royal).squares() {
                touchy |= between.at(royal, from) | W::bit(from);
            }
        }
        match touchy.any() && self.is_royal_hopped_onto(royal) {
            true => W::ALL,
            false => touchy,
        }
    }

    pub(super) fn is_royal_hopped_onto(&self, royal: u8) -> bool {
        self.scene.is_hopped_onto(self.them(), royal, None)
    }

    /// Leaves out ends after which a hopper attacks the royal piece.
    pub(super) fn safe_from_hoppers(&self, from: u8, ends: W) -> W {
        let Some(guard) = self.guard else { return ends };
        let looked_at = if guard.touchy.has(from) { ends } else { ends & guard.touchy };
        let mut safe = ends;
        for to in looked_at.squares() {
            let kind = kind_of(self.scene.state.piece(from));
            let occupied = self.scene.occupied & !W::bit(from) | W::bit(to);
            let scene = Scene { occupied, attackers: self.scene.attackers & !W::bit(to), ..self.scene };
            if scene.is_hopped_onto(self.them(), guard.royal, Some((kind, to))) {
                safe ^= W::bit(to);
            }
        }
        safe
    }

    /// The same for a man of a kind that is dropped.
    fn safe_drops(&self, kind: u8, ends: W) -> W {
        let Some(guard) = self.guard else { return ends };
        let mut safe = ends;
        for to in (ends & guard.touchy).squares() {
            let scene = Scene { occupied: self.scene.occupied | W::bit(to), ..self.scene };
            if scene.is_hopped_onto(self.them(), guard.royal, Some((kind, to))) {
                safe ^= W::bit(to);
            }
        }
        safe
    }

    /// Gives drops kind by kind: hoppers may pass over some and not over others.
    pub(super) fn drops_among_hoppers<S: Sink<W>>(&self, slots: u32, ends: W, sink: &mut S) {
        let kinds = &self.scene.tables.hand_kinds;
        for (slot, kind) in kinds.iter().enumerate().filter(|(slot, _)| slots >> slot & 1 == 1) {
            sink.drops(1 << slot, kinds, self.safe_drops(*kind, ends));
        }
    }
}

fn bent_ends<W: Word>(ways: &[BentWay], occupied: W) -> W {
    let mut ends = W::ZERO;
    for way in ways {
        ends |= W::bit(way.hinge);
        if occupied.has(way.hinge) {
            continue;
        }
        for ray in &way.rays {
            for square in ray {
                ends |= W::bit(*square);
                if occupied.has(*square) {
                    break;
                }
            }
        }
    }
    ends
}
