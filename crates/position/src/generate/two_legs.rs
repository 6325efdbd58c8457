//! Moves of two legs: captures on the way, and passes by stepping out and back.
//!
//! In: a generator. Out: legal moves of two legs; whether a piece can pass. Never: steps and leaps, or two steps over an
//! empty square, which equal one of them.

use ashta_rules::{KindId, Square, Target};

use super::Generator;
use super::bans::Capture;
use crate::attack::AttackView;
use crate::sink::Sink;
use crate::tables::{TwoLegClass, features};
use crate::word::Word;

impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    /// Gives moves that capture on the way, of pinned pieces and out of check too: each is judged by the board after it.
    #[inline(never)]
    pub(super) fn two_leg_moves<S: Sink<W>>(&self, royal: Option<Square>, sink: &mut S) {
        for classes in [&self.us.movers, &self.us.royals] {
            for parts in &classes.two_legs {
                for (n, part) in parts.iter().enumerate() {
                    let movers = self.pieces_of(&part.class, self.own & sink.movers());
                    let meets = |from: &Square| (*part.middles.at(*from) & self.view.attackers).any();
                    for from in movers.squares().filter(meets) {
                        self.two_leg_moves_from(part, &parts[..n], from, royal, sink);
                    }
                }
            }
        }
    }

    /// Moves of one piece by one part, without those that the parts before it give: moves with equal results are one.
    #[inline(never)]
    fn two_leg_moves_from<S: Sink<W>>(
        &self,
        part: &TwoLegClass<W>,
        before: &[TwoLegClass<W>],
        from: Square,
        royal: Option<Square>,
        sink: &mut S,
    ) {
        for (middle, targets) in part.ways.at(from) {
            let first = Capture { from, victim: *middle, on_way: None, is_last: false };
            if !self.view.attackers.has(*middle) || self.is_banned(first) {
                continue;
            }
            let may_end = |to: &Square| {
                let second = Capture { from, victim: *to, on_way: Some(*middle), is_last: true };
                let gone = W::bit(*middle) | W::bit(*to);
                !self.is_banned(second) && self.is_safe_after(royal, from, gone, *to)
            };
            let given =
                before.iter().fold(W::ZERO, |given, part| given | self.targets_by(part, from, *middle));
            let targets = *targets & self.targets_allowed(part, from, *middle) & !given;
            let targets = targets.squares().filter(may_end);
            sink.two_legs(from, *middle, targets.fold(W::ZERO, |all, to| all | W::bit(to)));
        }
    }

    /// Where a part may end after a capture on the way, as far as the board shows.
    fn targets_by(&self, part: &TwoLegClass<W>, from: Square, middle: Square) -> W {
        if part.class.is_limited() && self.unlimited(&part.class, W::bit(from)).is_empty() {
            return W::ZERO;
        }
        let over_middle = part.ways.at(from).iter().filter(|(over, _)| *over == middle);
        over_middle.fold(W::ZERO, |all, (_, targets)| all | *targets)
            & self.targets_allowed(part, from, middle)
    }

    fn targets_allowed(&self, part: &TwoLegClass<W>, from: Square, middle: Square) -> W {
        let captured = self.view.attackers & !part.class.spares.pieces(self.view.state);
        if !captured.has(middle) {
            return W::ZERO;
        }
        // The start is empty once the piece has left it.
        let empty = self.view.tables.board & !self.view.occupied | W::bit(from);
        match part.class.target {
            Target::Any => captured | empty,
            Target::Empty => empty,
            Target::Capture => captured,
        }
    }

    /// Whether the royal piece is not attacked after a piece has moved and what stood on `gone` is captured.
    pub(super) fn is_safe_after(&self, royal: Option<Square>, from: Square, gone: W, to: Square) -> bool {
        let Some(royal) = royal else { return true };
        let view = AttackView {
            occupied: self.view.occupied & !(gone | W::bit(from)) | W::bit(to),
            attackers: self.view.attackers & !gone,
            ..self.view
        };
        if F == features::EVERYTHING && royal == from && !self.bond.royal_ends.has(to) {
            return false;
        }
        let royal = if royal == from { to } else { royal };
        let moved: (KindId, Square) = (self.view.state.kind_on(from), to);
        !view.is_attacked_plainly::<F>(self.them(), royal)
            && !view.is_hopped_onto(self.them(), royal, Some(moved))
            && !self.still_faces(royal, view.occupied)
    }

    /// Whether some piece can step to an empty square and back.
    pub(super) fn can_step_out_and_back(&self) -> bool {
        let empty = self.view.tables.board & !self.view.occupied;
        [&self.us.movers, &self.us.royals].into_iter().any(|classes| {
            classes.out_and_back.iter().any(|class| {
                let mut movers = self.pieces_of(&class.class, self.own).squares();
                movers.any(|from| (*class.to.at(from) & empty).any())
            })
        })
    }
}
