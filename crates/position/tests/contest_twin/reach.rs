//! Where one piece can go.

use ashta_rules::{Choice, KindId, Part, PartnerCapture, Path, Rules, Side, Square, Target, crossed};

use super::{ContestTwin, Leg};

impl ContestTwin<'_> {
    /// Every move of the piece on a square, in a turn of `mover`, who may be the owner's partner. `is_final` is how the
    /// turn began.
    pub(super) fn legs_of(&self, from: Square, mover: usize, is_final: bool) -> Vec<Leg> {
        let Some((owner, kind)) = self.at(from) else { return Vec::new() };
        let mut ends: Vec<Square> = Vec::new();
        for part in &self.rules.0.kind(kind).moves {
            let may_go = |to: &Square| self.may_end(part, *to, [owner, mover], is_final);
            let new: Vec<Square> = self.landings(part, owner, from).into_iter().filter(may_go).collect();
            ends.extend(new);
        }
        ends.sort_unstable();
        ends.dedup();
        let forms = |to: Square| {
            let chosen = self.chosen_form(owner, kind, from, to).map(Some);
            chosen.into_iter().chain([None]).map(move |becomes| Leg::Go { from, to, becomes })
        };
        ends.into_iter().flat_map(forms).collect()
    }

    fn may_end(&self, part: &Part, to: Square, [owner, mover]: [usize; 2], is_final: bool) -> bool {
        let Some((victim, kind)) = self.at(to) else { return part.movement.target != Target::Capture };
        let is_partners = victim != mover && self.are_on_one_team(victim, mover) && !is_final;
        let is_spared = match self.contest().partner {
            PartnerCapture::All => false,
            PartnerCapture::RoyalLast => is_partners && self.is_royal(kind),
            PartnerCapture::Last => is_partners,
        };
        let is_own = victim == owner || victim == mover;
        part.movement.target != Target::Empty && !is_own && !is_spared && !part.not_onto.contains(&kind)
    }

    /// Squares on which a movement ends, whatever stands there.
    fn landings(&self, part: &Part, owner: usize, from: Square) -> Vec<Square> {
        let rules: &Rules = &self.rules.0;
        let is_in = |region: &Option<ashta_rules::Region>, square: Square| {
            region.as_ref().is_none_or(|region| region[Side(owner as u8).index()].has(square))
        };
        assert!(!part.movement.first_move_only && !part.movement.en_passant, "the twin has no first moves");
        if !is_in(&part.from, from) || !is_in(&part.within, from) {
            return Vec::new();
        }
        let turned = |step: ashta_rules::Delta| step.turned(rules.sides()[owner].quarters);
        let mut squares = Vec::new();
        for step in &part.movement.steps {
            let limit = match &part.movement.path {
                Path::Leap => 1,
                Path::Lame => {
                    let at = |by| rules.grid().step(from, turned(by));
                    let is_free = |by| at(by).is_some_and(|square| self.at(square).is_none());
                    usize::from(crossed(*step).into_iter().all(is_free))
                }
                Path::Ride { limit, .. } => *limit as usize,
                Path::Hop { .. } | Path::Bent { .. } => panic!("the twin knows no hops and bends"),
                Path::TwoLegs { .. } | Path::OutAndBack => panic!("no contest has moves of two legs"),
            };
            let mut at = from;
            for _ in 0..limit {
                let Some(next) = rules.grid().step(at, turned(*step)) else { break };
                if !is_in(&part.within, next) {
                    break;
                }
                squares.push(next);
                if self.at(next).is_some() {
                    break;
                }
                at = next;
            }
        }
        squares
    }

    /// What a piece may choose to become by a move, where that is a choice.
    fn chosen_form(&self, owner: usize, kind: KindId, from: Square, to: Square) -> Option<KindId> {
        let promotion = self.rules.0.kind(kind).promotion.as_ref()?;
        if promotion.choice == Choice::Must || !promotion.zone[owner].has(to) {
            return None;
        }
        let mut after = self.clone();
        after.board[from.0 as usize] = None;
        after.board[to.0 as usize] = Some((owner, kind));
        after.form(to)
    }
}
