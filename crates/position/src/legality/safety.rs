//! What a move does to the royal piece of the side that makes it.

use ashta_rules::{Facing, KindId, RoyalInCheck, Square};

use super::{Explanation, Illegal, Movement, PieceOn};
use crate::moves::Move;
use crate::position::Position;
use crate::word::Word;

impl<W: Word> Explanation<'_, W> {
    /// The royal piece that must be kept safe: a side's only one, where mate ends the game.
    pub(super) fn royal_of(&self, position: &Position<W>) -> Option<Square> {
        let royals = position.royals(self.turn());
        let is_guarded = position.tables().guards_royals && royals.any() && royals.is_single();
        is_guarded.then(|| royals.lowest())
    }

    /// Who attacks a square of a position, where only these squares are occupied.
    pub(super) fn attackers(&self, position: &Position<W>, square: Square, occupied: W) -> W {
        position.attackers(square, self.turn().other(), occupied)
    }

    /// The check that the side to move is in.
    pub(super) fn check_now(&self) -> Option<Illegal> {
        if self.position.royals_touch() {
            return None;
        }
        let royal = self.royal_of(self.position)?;
        let by = self.attackers(self.position, royal, self.position.state().occupied());
        let (royal, by) = (self.standing(royal)?, self.standing(lowest(by)?)?);
        Some(Illegal::StillInCheck { royal, by })
    }

    /// How a move of a piece, which it makes as it may, leaves its royal piece to be captured.
    pub(super) fn danger_after(&self, mv: Move, piece: PieceOn) -> Option<Illegal> {
        let (by, after) = self.attack_after(mv)?;
        let royal =
            PieceOn { kind: kind_on(&after, self.royal_of(&after)?)?, square: self.royal_of(&after)? };
        if royal.square == mv.raw_to() {
            return Some(Illegal::IntoCheck { royal: piece, to: royal.square, by });
        }
        if let Some(still) = self.still_in_check(&after) {
            return Some(still);
        }
        // Whether its leaving alone opens the way, wherever it goes.
        let without = self.position.state().occupied() & !W::bit(piece.square);
        let is_uncovered = self.attackers(self.position, royal.square, without).has(by.square);
        Some(if is_uncovered { Illegal::Pinned { piece, by } } else { Illegal::Exposes { royal, by } })
    }

    /// How a move that leaves no royal piece to be captured breaks what check or facing royal pieces bind a side to.
    pub(super) fn bond_broken(&self, mv: Move, piece: PieceOn) -> Option<Illegal> {
        let is_royal = self.royal_of(self.position) == Some(piece.square);
        let takes_only = self.position.rules().royal_in_check() == RoyalInCheck::OnlyTakes;
        if is_royal && takes_only && self.position.is_in_check() {
            return Some(Illegal::OnlyTakes { royal: piece });
        }
        self.faces_after(mv)
    }

    /// Whether the royal pieces face each other now and still do after a move.
    pub(super) fn faces_after(&self, mv: Move) -> Option<Illegal> {
        let position = self.position;
        let binds = position.rules().facing() == Facing::Draws && self.royal_of(position).is_some();
        if !binds || !position.royals_face() {
            return None;
        }
        let mut after = position.clone();
        after.play_unchecked(mv);
        let standing = |side| self.standing(lowest(position.royals(side))?);
        let (royal, other) = (standing(self.turn())?, standing(self.turn().other())?);
        after.royals_face().then_some(Illegal::StillFaces { royal, other })
    }

    /// Whether all movements that lead a piece to a square are none to be made in check, and there is check.
    pub(super) fn is_calm_in_check(&self, movement: &Movement, piece: PieceOn, to: Square) -> bool {
        self.position.is_in_check() && movement.is_only_calm(piece, to)
    }

    /// The same for a drop.
    pub(super) fn danger_after_drop(&self, kind: KindId, to: Square) -> Option<Illegal> {
        let (by, after) = self.attack_after(Move::drop(kind, to))?;
        let square = self.royal_of(&after)?;
        let royal = PieceOn { kind: kind_on(&after, square)?, square };
        Some(self.still_in_check(&after).unwrap_or(Illegal::Exposes { royal, by }))
    }

    /// A piece that attacks the royal piece after a move, and the position then.
    fn attack_after(&self, mv: Move) -> Option<(PieceOn, Position<W>)> {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        if self.ends_checks(&after) {
            return None;
        }
        let royal = self.royal_of(&after)?;
        let by = lowest(self.attackers(&after, royal, after.state().occupied()))?;
        Some((PieceOn { kind: kind_on(&after, by)?, square: by }, after))
    }

    /// A check that was there before and is there after a move.
    fn still_in_check(&self, after: &Position<W>) -> Option<Illegal> {
        if self.position.royals_touch() {
            return None;
        }
        let royal = self.royal_of(self.position)?;
        let before = self.attackers(self.position, royal, self.position.state().occupied());
        let stays = before & self.attackers(after, royal, after.state().occupied());
        let (royal, by) = (self.standing(royal)?, self.standing(lowest(stays)?)?);
        Some(Illegal::StillInCheck { royal, by })
    }
}

fn kind_on<W: Word>(position: &Position<W>, square: Square) -> Option<KindId> {
    position.piece(square).map(|(_, kind)| kind)
}

pub(super) fn lowest<W: Word>(squares: W) -> Option<Square> {
    squares.any().then(|| squares.lowest())
}
