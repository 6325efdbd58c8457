//! Why a piece may not be dropped.

use ashta_rules::{DropMate, KindId, Square, StuckDrop};

use super::{Explanation, Illegal};
use crate::moves::Move;
use crate::tables::stuck;
use crate::word::Word;

impl<W: Word> Explanation<'_, W> {
    /// Why a piece may not be dropped on a square; asked of drops that are not legal.
    pub(super) fn why_not_drop(&self, kind: KindId, to: Square) -> Illegal {
        let (rules, side) = (self.position.rules(), self.turn());
        let Some(in_hand) = rules.kinds().get(kind.index()).map(|kind| kind.demoted) else {
            return Illegal::NeverDropped { kind };
        };
        let Some(rule) = rules.drop_rule(kind) else { return Illegal::NeverDropped { kind } };
        if self.position.in_hand(side, in_hand) == 0 {
            return Illegal::NotInHand { kind };
        }
        if let Some(on) = self.standing(to) {
            return Illegal::Occupied { on };
        }
        if !rule.region[side.index()].has(to) {
            return Illegal::NotDroppedThere { kind, to };
        }
        if rule.stuck == StuckDrop::Forbidden && stuck::<W>(rules, side, kind).has(to) {
            return Illegal::CouldNeverMove { kind, to };
        }
        if let Some(limit) = rule.per_file.filter(|limit| self.on_file(kind, to) >= usize::from(*limit)) {
            return Illegal::FileIsFull { kind, to, limit };
        }
        match self.danger_after_drop(kind, to) {
            Some(danger) => danger,
            None if self.faces_after(Move::drop(kind, to)).is_some() => {
                self.faces_after(Move::drop(kind, to)).unwrap_or(Illegal::NotDroppedThere { kind, to })
            }
            None if rule.mate == DropMate::Forbidden && self.mates(kind, to) => Illegal::DropMates { kind },
            None => {
                let why = self.why_not_by_effect(Move::drop(kind, to));
                why.unwrap_or(Illegal::NotDroppedThere { kind, to })
            }
        }
    }

    /// How many pieces of a kind the side to move has on a square's file.
    fn on_file(&self, kind: KindId, to: Square) -> usize {
        let grid = self.position.rules().grid();
        let is_there = |square: &Square| {
            grid.file(*square) == grid.file(to) && self.position.piece(*square) == Some((self.turn(), kind))
        };
        grid.squares().filter(is_there).count()
    }

    fn mates(&self, kind: KindId, to: Square) -> bool {
        let mut after = self.position.clone();
        after.play_unchecked(Move::drop(kind, to));
        after.is_in_check() && !after.has_legal_move()
    }
}
