//! Perpetual chase: one side attacks the same unguarded piece with every move between two occurrences of a position.
//!
//! In: a line of play whose present position has occurred before. Out: the side that chased, if the other did not. Never: checks,
//! which `Line::perpetual_checker` knows.
//!
//! A piece is attacked where an enemy piece may take it, whatever that does to royal pieces, and unguarded if nothing could
//! then take that piece. The chased piece is followed when it moves.

use ashta_rules::{Facing, Side, Square};

use crate::line::Line;
use crate::moves::Move;
use crate::position::Position;
use crate::word::Word;

impl<W: Word> Line<W> {
    /// The side that chased one piece with all its moves since the first occurrence of the present position, if the other side
    /// did not; sets of kinds say who chases and what is chased.
    #[cold]
    pub(crate) fn perpetual_chaser(&self, by: u64, of: u64) -> Option<Side> {
        let mut chased: [Option<W>; 2] = [None, None];
        let mut position = self.position().clone();
        for (mv, undo) in self.since_first()?.iter().rev() {
            let mover = position.turn().other();
            let now = position.chased_by(mover, by, of);
            let chased_by_mover = &mut chased[mover.index() & 1];
            *chased_by_mover = Some(chased_by_mover.map_or(now, |before| before & now));
            position.take_back(*mv, *undo);
            // The pieces that the other side chases stand where the mover's pieces stood before.
            let chased_of_mover = &mut chased[mover.other().index() & 1];
            *chased_of_mover = chased_of_mover.map(|squares| before_move(squares, *mv));
        }
        match chased.map(|squares| squares.is_some_and(Word::any)) {
            [true, false] => Some(Side::FIRST),
            [false, true] => Some(Side::SECOND),
            [true, true] | [false, false] => None,
        }
    }
}

/// Where pieces stood before one of them moved.
fn before_move<W: Word>(squares: W, mv: Move) -> W {
    match (mv.from(), mv.to()) {
        (Some(from), Some(to)) if squares.has(to) => squares & !W::bit(to) | W::bit(from),
        _ => squares,
    }
}

impl<W: Word> Position<W> {
    /// The unguarded pieces that a side attacks.
    fn chased_by(&self, side: Side, by: u64, of: u64) -> W {
        let state = self.state();
        let is_of = |set: u64, square: Square| set >> state.kind_on(square).0 & 1 == 1;
        let victims = (state.side(side.other()) & !self.royals(side.other())).squares();
        let is_chased = |square: &Square| {
            let attackers = self.takers(*square, side, state.occupied());
            attackers.squares().any(|from| {
                let without = state.occupied() & !W::bit(from);
                is_of(by, from) && self.takers(*square, side.other(), without).is_empty()
            })
        };
        let chased = victims.filter(|square| is_of(of, *square)).filter(is_chased);
        chased.fold(W::ZERO, |all, square| all | W::bit(square))
    }

    /// Pieces that may take on a square. Royal pieces that may not face each other take nothing along the file.
    fn takers(&self, square: Square, by: Side, occupied: W) -> W {
        let all = self.attackers(square, by, occupied);
        if self.rules().facing() != Facing::Forbidden {
            return all;
        }
        let grid = self.rules().grid();
        let is_next = |from: Square| {
            let away = |a: u8, b: u8| a.abs_diff(b);
            away(grid.file(from), grid.file(square)).max(away(grid.rank(from), grid.rank(square))) == 1
        };
        let far = (all & self.royals(by)).squares().filter(|from| !is_next(*from));
        far.fold(all, |all, from| all & !W::bit(from))
    }
}
