//! Why a turn may not be taken.
//!
//! In: a contest whose side to move may move, and the text of a turn. Out: the reason, of the first of its moves that
//! stands against it. Never: a legal turn.

use ashta_rules::{Side, Square};

use super::compiled::ContestWord;
use super::{Contest, Turn, Turns};
use crate::legality::{Illegal, Movement, PieceOn};
use crate::moves::Move;

impl<W: ContestWord> Contest<W> {
    /// Why a turn is not legal; nothing if it is, or if the text is ambiguous or unreadable.
    pub fn why_illegal(&self, text: &str) -> Option<Illegal> {
        if self.read_turn(text).is_ok() {
            return None;
        }
        if matches!(text.trim(), "-" | "pass") {
            return Some(Illegal::MayNotPass);
        }
        let grid = self.rules().grid();
        let mut legs = text.split([' ', ',', '+']).filter(|word| !word.is_empty()).map(|word| {
            let (from, rest) = grid.read_square(word)?;
            Some((from, grid.read_square(rest)?.0))
        });
        let first = legs.next()??;
        // A second move is explained from where the pieces stand; it may depend on the first.
        match (self.why_not_first(first.0, first.1), legs.next()) {
            (Some(why), _) => Some(why),
            (None, Some(second)) => {
                let (from, to) = second?;
                let piece = self.on(from).or_else(|| self.on(first.0))?;
                Some(self.why_not_first(from, to).unwrap_or(Illegal::NotTogether { piece, to }))
            }
            (None, None) => Some(Illegal::MustPromote { piece: self.on(first.0)?, to: first.1 }),
        }
    }

    /// Why no turn begins with a move.
    fn why_not_first(&self, from: Square, to: Square) -> Option<Illegal> {
        let is_it = |mv: Move| (mv.from(), mv.to()) == (Some(from), Some(to));
        if self.legal_turns().iter().any(|turn| is_it(turn.first)) {
            return None;
        }
        let Some(piece) = self.on(from) else { return Some(Illegal::NothingThere { square: from }) };
        let mut possible = Vec::new();
        let mut turns = Turns::new(self);
        turns.look(self);
        turns.list_singles(&mut possible);
        let begins = |wanted: &dyn Fn(Move) -> bool| possible.iter().any(|turn: &Turn| wanted(turn.first));
        let number = self.rules().kind(piece.kind).number;
        if let Some(number) = number.filter(|_| begins(&is_it)) {
            return Some(Illegal::NotThrown { piece, number });
        }
        let side = self.piece(from).map_or(self.turn(), |(side, _)| side);
        if side != self.turn() && !begins(&|mv| mv.from() == Some(from)) {
            return Some(Illegal::NotYours { piece, side });
        }
        Some(self.why_no_way(piece, side, to))
    }

    fn why_no_way(&self, piece: PieceOn, side: Side, to: Square) -> Illegal {
        if piece.square == to {
            return Illegal::StaysPut { piece };
        }
        let movement = Movement {
            rules: self.rules(),
            side,
            piece: &|square| self.piece(square),
            rights: 0,
            passed: None,
            spared: &|other| other == side,
        };
        match (movement.find(piece, to), self.on(to)) {
            (Err(why), _) => why,
            // It moves so, and may not: a capture that the rules between partners forbid, or a throw.
            (Ok(_), Some(victim)) => Illegal::Partners { victim },
            (Ok(_), None) => match self.rules().kind(piece.kind).number {
                Some(number) => Illegal::NotThrown { piece, number },
                None => Illegal::NotItsMove { piece, to },
            },
        }
    }

    fn on(&self, square: Square) -> Option<PieceOn> {
        self.piece(square).map(|(_, kind)| PieceOn { kind, square })
    }
}
