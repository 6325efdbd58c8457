//! Moves of two legs, and passes by stepping out and back.

use ashta_rules::{Delta, KindId, Part, Pass, Path, Side, Square, Target};

use super::{Twin, TwinMove};

/// King steps, clockwise.
const AROUND: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

impl Twin<'_> {
    pub(super) fn two_leg_moves(&self) -> Vec<TwinMove> {
        let mut moves = Vec::new();
        for (from, side, kind) in self.pieces().filter(|(_, side, _)| *side == self.turn()) {
            for part in self.usable_parts(from, side, kind) {
                let Path::TwoLegs { turns } = &part.movement.path else { continue };
                for (step, middle) in self.first_legs(part, side, from) {
                    if !self.may_capture(part, middle) {
                        continue;
                    }
                    for turn in turns {
                        let at =
                            AROUND.iter().position(|(file, rank)| (*file, *rank) == (step.file, step.rank));
                        let (file, rank) = AROUND[(at.expect("a king step") + *turn as usize) % 8];
                        let Some(to) = self.rules.grid().step(middle, Delta::new(file, rank)) else {
                            continue;
                        };
                        let is_in = part.within.as_ref().is_none_or(|region| region[side.index()].has(to));
                        let mv = TwinMove::TwoLegs { from, middle, to };
                        if is_in && self.may_end(part, from, to) && !moves.contains(&mv) {
                            moves.push(mv);
                        }
                    }
                }
            }
        }
        moves
    }

    fn first_legs(&self, part: &Part, side: Side, from: Square) -> Vec<(Delta, Square)> {
        let allowed = |region: &Option<ashta_rules::Region>, square: Square| {
            region.as_ref().is_none_or(|region| region[side.index()].has(square))
        };
        if !allowed(&part.from, from) || !allowed(&part.within, from) {
            return Vec::new();
        }
        let steps = part.movement.steps.iter().map(|step| self.turned(*step, side));
        let legs = steps.filter_map(|step| Some((step, self.rules.grid().step(from, step)?)));
        legs.filter(|(_, middle)| allowed(&part.within, *middle)).collect()
    }

    fn may_capture(&self, part: &Part, square: Square) -> bool {
        self.at(square).is_some_and(|(owner, kind)| {
            self.are_enemies(owner, self.turn()) && !part.not_onto.contains(&kind)
        })
    }

    fn may_end(&self, part: &Part, from: Square, to: Square) -> bool {
        let is_empty = to == from || self.at(to).is_none();
        match part.movement.target {
            Target::Any => is_empty || self.may_capture(part, to),
            Target::Empty => is_empty,
            Target::Capture => !is_empty && self.may_capture(part, to),
        }
    }

    /// Pieces that can pass, with the empty squares that they step to.
    pub(super) fn out_and_back(&self) -> impl Iterator<Item = (Square, Square)> + '_ {
        let own = self.pieces().filter(|(_, side, _)| *side == self.turn());
        own.flat_map(|(from, side, kind): (Square, Side, KindId)| {
            let parts: Vec<&Part> = self.usable_parts(from, side, kind).collect();
            let parts = parts.into_iter().filter(|part| part.movement.path == Path::OutAndBack);
            let mut squares: Vec<Square> =
                parts.flat_map(|part| self.first_legs(part, side, from)).map(|(_, square)| square).collect();
            squares.retain(|square| self.at(*square).is_none());
            squares.sort_unstable_by_key(|square| square.0);
            squares.into_iter().map(move |out| (from, out))
        })
    }

    pub(super) fn pass_text(&self) -> String {
        let grid = self.rules.grid();
        match self.out_and_back().next() {
            Some((from, out)) if self.rules.pass() != Pass::Allowed => {
                format!("{}{}{}", grid.name(from), grid.name(out), grid.name(from))
            }
            _ => "0000".to_string(),
        }
    }
}
