//! Why a royal piece may not castle.

use ashta_rules::{Castling, Delta, Square, is_straight};

use super::safety::lowest;
use super::{Explanation, Illegal, PieceOn};
use crate::generate::touch;
use crate::moves::Move;
use crate::word::Word;

impl<W: Word> Explanation<'_, W> {
    /// Why a piece may not castle to a square; nothing if no castling leads there.
    pub(super) fn why_not_castle(&self, piece: PieceOn, to: Square) -> Option<Illegal> {
        let rules = self.position.rules();
        let castling = rules.castling_of(self.turn(), piece.square, to)?;
        if !rules.kind(piece.kind).royal {
            return None;
        }
        if self.position.state().rights() >> castling.right & 1 == 0 {
            return Some(Illegal::CastlingLost { royal: piece });
        }
        if let Some(by) = self.in_the_way(castling) {
            return Some(Illegal::CastlingBlocked { royal: piece, by });
        }
        if let Some(Illegal::StillInCheck { royal, by }) = self.check_now() {
            return Some(Illegal::CastlingInCheck { royal, by });
        }
        let crossed = self.between(castling.royal.0, castling.royal.1);
        let danger = |square: Square| self.attacker_on_the_way(castling, square).map(|by| (square, by));
        if let Some((crossed, by)) = crossed.into_iter().find_map(danger) {
            return Some(Illegal::CastlingThrough { royal: piece, crossed, by });
        }
        if let Some(by) = self.attacker_at_the_end(castling) {
            return Some(Illegal::IntoCheck { royal: piece, to, by });
        }
        let own = rules.castlings().iter().filter(|other| other.side == castling.side);
        let n = own.zip(0..).find(|(other, _)| *other == castling).map(|(_, n)| n)?;
        self.why_not_by_effect(Move::castle(piece.square, to, n))
    }

    /// The first piece on the ways of the two, or between them.
    fn in_the_way(&self, castling: &Castling) -> Option<Square> {
        let (royal, partner) = (castling.royal, castling.partner);
        let mut ways = self.between(royal.0, partner.0);
        ways.extend(self.between(royal.0, royal.1).into_iter().chain([royal.1]));
        ways.extend(self.between(partner.0, partner.1).into_iter().chain([partner.1]));
        let is_other = |square: &Square| *square != royal.0 && *square != partner.0;
        ways.into_iter().filter(is_other).find(|square| self.standing(*square).is_some())
    }

    /// Squares strictly between two of one line.
    fn between(&self, from: Square, to: Square) -> Vec<Square> {
        let grid = self.position.rules().grid();
        let by = Delta::new(
            grid.file(to) as i8 - grid.file(from) as i8,
            grid.rank(to) as i8 - grid.rank(from) as i8,
        );
        if !is_straight(by) {
            return Vec::new();
        }
        let step = Delta::new(by.file.signum(), by.rank.signum());
        let squares = std::iter::successors(grid.step(from, step), |at| grid.step(*at, step));
        squares.take_while(|at| *at != to).collect()
    }

    /// Who attacks a square that the royal piece crosses.
    fn attacker_on_the_way(&self, castling: &Castling, square: Square) -> Option<PieceOn> {
        if self.touches_there(square) {
            return None;
        }
        let occupied = self.position.state().occupied() & !W::bit(castling.royal.0);
        self.standing(lowest(self.attackers(self.position, square, occupied))?)
    }

    /// Whether the royal piece would touch the other side's on a square, so that no check counts.
    fn touches_there(&self, square: Square) -> bool {
        touch(self.position.tables(), W::bit(square), self.position.royals(self.turn().other()))
    }

    /// Who attacks the royal piece when both stand where they go.
    fn attacker_at_the_end(&self, castling: &Castling) -> Option<PieceOn> {
        if self.touches_there(castling.royal.1) {
            return None;
        }
        let gone = W::bit(castling.royal.0) | W::bit(castling.partner.0);
        let come = W::bit(castling.royal.1) | W::bit(castling.partner.1);
        let occupied = self.position.state().occupied() & !gone | come;
        let there = castling.royal.1;
        let attackers = self.attackers(self.position, there, occupied)
            | self.attackers(
                self.position,
                there,
                self.position.state().occupied() & !W::bit(castling.royal.0),
            );
        self.standing(lowest(attackers)?)
    }
}
