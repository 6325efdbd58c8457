//! What a move brings about besides its own effect: counted checks, lost rights to a first move, counts of moves.
//!
//! In: a position after a move, and what the move undid. Out: its rights and counts set right. Never: games without such rules,
//! which do not come here.

use ashta_rules::{CountFrom, CountWaits, Counting, KindId, Side};

use crate::moves::Move;
use crate::position::Position;
use crate::state::Undo;
use crate::word::Word;

impl<W: Word> Position<W> {
    /// Follows a move that has just been played.
    #[cold]
    #[inline(never)]
    pub(crate) fn watch(&mut self, mv: Move, undo: &Undo) {
        let tables = self.tables().clone();
        if tables.counts_checks {
            self.count_check();
        }
        if !tables.aims.is_empty() {
            self.lose_aimed_rights(mv);
        }
        if let Some(counting) = &tables.rules.ends().counting {
            self.keep_count(counting, mv, undo);
        }
    }

    /// Takes one of the checks that it must still give from a side that has given one.
    fn count_check(&mut self) {
        let rights = self.state().rights();
        let left = rights & self.rules().check_rights(self.turn().other());
        if left != 0 && self.is_in_check() {
            self.lose_rights(1 << (31 - left.leading_zeros()));
        }
    }

    /// Takes the rights to a first move of pieces that the moved one now aims at.
    fn lose_aimed_rights(&mut self, mv: Move) {
        let Some(to) = mv.to() else { return };
        let Some(moved) = self.state().piece(to).map(|piece| piece.kind()) else { return };
        let aims = |by: &[(KindId, W)]| by.iter().any(|(kind, from)| *kind == moved && from.has(to));
        let lost =
            self.tables().aims.iter().filter(|aim| aims(&aim.by)).fold(0, |lost, aim| lost | aim.right);
        self.lose_rights(lost & self.state().rights());
    }

    /// Counts on, begins a count, or begins it anew, as Fairy-Stockfish does.
    fn keep_count(&mut self, counting: &Counting, mv: Move, undo: &Undo) {
        let (next, mover) = (self.turn(), self.turn().other());
        if let Some((limit, plies)) = undo.count() {
            self.set_count(limit, plies + 1);
        }
        let n_pieces = self.state().occupied().count();
        let captured = undo.captured_kind();
        // A bare royal piece that takes the last of the kinds that were in the way begins its own count.
        let took_one = captured.is_some_and(|kind| counting.without.contains(&kind));
        if took_one && counting.bare.from == CountFrom::Men && self.is_alone(mover) {
            self.begin_count(self.count_for(counting, mover), 2 * n_pieces - 1);
        }
        let is_alone = self.is_alone(next);
        let begins =
            self.state().count().is_none() || is_alone && (captured.is_some() || mv.becomes().is_some());
        if begins {
            let from = match counting.bare.from {
                CountFrom::Men if is_alone => 2 * n_pieces,
                CountFrom::Men | CountFrom::Zero => 0,
            };
            self.begin_count(self.count_for(counting, next), from);
        }
    }

    fn begin_count(&mut self, moves: Option<u8>, plies: u32) {
        let limit = moves.map(|moves| 2 * u16::from(moves));
        let limit =
            limit.and_then(|limit| self.tables().count_limits.iter().position(|other| *other == limit));
        if let Some(limit) = limit {
            self.set_count(limit as u8, plies);
        }
    }

    /// How many moves a side may be given to be mated in; `None` if nothing is counted.
    fn count_for(&self, counting: &Counting, side: Side) -> Option<u8> {
        let state = self.state();
        let has_any =
            |kind: &KindId| [side, side.other()].iter().any(|side| state.count_of(*side, *kind) > 0);
        let is_full = counting.without.iter().any(has_any);
        let n_pieces = state.side(side).count();
        let others = || {
            let others = counting.others.as_ref()?;
            let waits = others.waits == CountWaits::Waits && is_full;
            (!waits && n_pieces <= others.pieces).then_some(others.moves)
        };
        let bare = || {
            let fits = |has: &[KindId]| {
                has.iter().all(|kind| {
                    let needed = has.iter().filter(|other| *other == kind).count() as u32;
                    state.count_of(side.other(), *kind) >= needed
                })
            };
            let limit = counting.bare.limits.iter().find(|limit| fits(&limit.has));
            if is_full { None } else { limit.map(|limit| limit.moves).or(counting.bare.otherwise) }
        };
        match (self.is_alone(side), self.is_alone(side.other())) {
            (_, true) => None,
            (true, false) => bare(),
            (false, false) => others(),
        }
    }

    /// Whether a side has one piece.
    fn is_alone(&self, side: Side) -> bool {
        self.state().side(side).count() == 1
    }
}
