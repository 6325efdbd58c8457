//! Moves of two legs: captures on the way, and passes by stepping out and back.

use ashta_rules::{KindId, Square, Target};

use super::Generator;
use super::bans::Capture;
use crate::attack::AttackView;
use crate::sink::Sink;
use crate::tables::TwoLegClass;
use crate::word::Word;

impl<W: Word, const F: u8, const PEXT: bool> Generator<'_, W, F, PEXT> {
    /// Gives moves that capture on the way, of pinned pieces and out of check too: each is judged by the board after it.
    #[inline(always)]
    pub(super) fn two_leg_moves<S: Sink<W>>(&self, royal: Option<Square>, sink: &mut S) {
        for classes in [&self.us.movers, &self.us.royals] {
            for two_legs in &classes.two_legs {
                let movers = self.pieces_of(&two_legs.class, self.own & sink.movers());
                for from in movers.squares() {
                    { *self }.two_leg_moves_from(two_legs, from, royal, sink);
                }
            }
        }
    }

    #[inline(never)]
    fn two_leg_moves_from<S: Sink<W>>(
        &self,
        two_legs: &TwoLegClass<W>,
        from: Square,
        royal: Option<Square>,
        sink: &mut S,
    ) {
        let state = self.view.state;
        let captured = self.view.attackers & !two_legs.class.spares.pieces(state);
        // The start is empty once the piece has left it.
        let empty = self.view.tables.board & !self.view.occupied | W::bit(from);
        let allowed = match two_legs.class.target {
            Target::Any => captured | empty,
            Target::Empty => empty,
            Target::Capture => captured,
        };
        for (middle, ends) in two_legs.ways.at(from) {
            let first = Capture { from, victim: *middle, on_way: None, is_last: false };
            if !captured.has(*middle) || self.is_banned(first) {
                continue;
            }
            let may_end = |to: &Square| {
                let second = Capture { from, victim: *to, on_way: Some(*middle), is_last: true };
                !self.is_banned(second) && self.is_safe_after_two_legs(royal, from, *middle, *to)
            };
            let ends = (*ends & allowed).squares().filter(may_end);
            sink.two_legs(from, *middle, ends.fold(W::ZERO, |all, to| all | W::bit(to)));
        }
    }

    /// Whether the royal piece is not attacked after a move of two legs.
    fn is_safe_after_two_legs(
        &self,
        royal: Option<Square>,
        from: Square,
        middle: Square,
        to: Square,
    ) -> bool {
        let Some(royal) = royal else { return true };
        let gone = W::bit(middle) | W::bit(to);
        let view = AttackView {
            occupied: self.view.occupied & !(gone | W::bit(from)) | W::bit(to),
            attackers: self.view.attackers & !gone,
            ..self.view
        };
        let royal = if royal == from { to } else { royal };
        let moved: (KindId, Square) = (self.view.state.kind_on(from), to);
        !view.is_attacked_plainly::<F>(self.them(), royal)
            && !view.is_hopped_onto(self.them(), royal, Some(moved))
    }

    /// Whether some piece can step to an empty square and back.
    pub(super) fn can_step_out_and_back(&self) -> bool {
        let empty = self.view.tables.board & !self.view.occupied;
        let can = |from: Square, to: &crate::word::PerSquare<W>| (*to.at(from) & empty).any();
        [&self.us.movers, &self.us.royals].into_iter().flat_map(|classes| &classes.out_and_back).any(
            |class| {
                let movers = self.pieces_of(&class.class, self.own);
                movers.squares().any(|from| can(from, &class.to))
            },
        )
    }
}
