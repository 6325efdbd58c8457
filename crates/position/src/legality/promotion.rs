//! What a piece may be after its move.

use ashta_rules::{Choice, KindId, PromotesOn, Promotion, Rules, Square, Supply, Targets};

use super::{Explanation, PieceOn};
use crate::tables::stuck;
use crate::word::Word;

impl<W: Word> Explanation<'_, W> {
    fn rules(&self) -> &Rules {
        self.position.rules()
    }

    /// Whether a piece may spend a turn on becoming another where it stands.
    pub(super) fn may_promote_in_place(&self, piece: PieceOn) -> bool {
        let promotion = self.rules().kind(piece.kind).promotion.as_ref();
        promotion.is_some_and(|promotion| {
            promotion.is_in_place()
                && promotion.zone[self.turn().index()].has(piece.square)
                && !self.targets(promotion, piece.square).is_empty()
        })
    }

    /// What a piece may be after it has gone to a square; nothing is as it was. Empty if it may not go there at all.
    pub(super) fn forms(&self, piece: PieceOn, to: Square) -> Vec<Option<KindId>> {
        let Some(promotion) = &self.rules().kind(piece.kind).promotion else { return vec![None] };
        let zone = &promotion.zone[self.turn().index()];
        let (starts, ends) = (zone.has(piece.square), zone.has(to));
        let captures = || self.position.piece(to).is_some();
        let promotes = |on: &PromotesOn| match on {
            PromotesOn::End => ends,
            PromotesOn::StartOrEnd => starts || ends,
            PromotesOn::Enter => ends && !starts,
            PromotesOn::Capture => (starts || ends) && captures(),
            PromotesOn::LastRank => self.rules().last_rank(self.turn()).has(to),
            PromotesOn::Stay => piece.square == to,
        };
        if !promotion.on.iter().any(promotes) {
            return vec![None];
        }
        let may_stay = match promotion.choice {
            Choice::Must => false,
            Choice::May => true,
            Choice::MayUnlessStuck => !stuck::<W>(self.rules(), self.turn(), piece.kind).has(to),
        };
        let stays = may_stay.then_some(None).into_iter();
        stays.chain(self.targets(promotion, to).into_iter().map(Some)).collect()
    }

    /// Kinds that a piece may become on a square.
    fn targets(&self, promotion: &Promotion, to: Square) -> Vec<KindId> {
        let (rules, side) = (self.rules(), self.turn());
        let named: Vec<KindId> = match &promotion.to {
            Targets::Kinds(kinds) => kinds.clone(),
            Targets::ByFile(kinds) => {
                let grid = rules.grid();
                let seen = grid.turned(to, 4 - rules.sides()[side.index()].quarters);
                kinds[grid.file(seen) as usize].into_iter().collect()
            }
        };
        let has = |kind: KindId| {
            rules.grid().squares().filter(|square| self.position.piece(*square) == Some((side, kind))).count()
        };
        let had =
            |kind: KindId| rules.start().board.iter().filter(|piece| **piece == Some((side, kind))).count();
        let is_left = |kind: &KindId| match promotion.supply {
            Supply::Unlimited => true,
            Supply::Lost => has(*kind) < had(*kind),
            Supply::AtMost(limit) => has(*kind) < limit as usize,
        };
        named.into_iter().filter(is_left).collect()
    }
}
