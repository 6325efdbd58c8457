//! Replies that keep a side's only royal piece from capture, told by lines of attack.
//!
//! In: a position of a game in which royal pieces are captured. Out: for each legal move safe, unsafe, or unsure (it must be
//! played). Never: positions with two royal pieces.

use ashta_position::{Action, Move, PatternMover, Position};
use ashta_rules::{KindId, Rules, Square};
use ashta_search::SearchWord;

/// What the lines of attack to a side's only royal piece leave to its other pieces.
pub struct RoyalGuard<W> {
    royal: Square,
    /// Where a move ends every check; all squares without check.
    stops: W,
    /// Own pieces whose departure may open a line.
    pinned: W,
}

impl<W: SearchWord> RoyalGuard<W> {
    /// `None` without exactly one royal piece of the side to move. No piece may attack over another or before its first
    /// move alone.
    pub fn of(position: &Position<W>) -> Option<RoyalGuard<W>> {
        let (me, state) = (position.turn(), position.state());
        let royals = position.royals(me);
        if royals.is_empty() || !royals.is_single() {
            return None;
        }
        let royal = royals.lowest();
        let (own, enemies, occupied) = (state.side(me), state.side(me.other()), state.occupied());
        let tables = position.tables();
        let them = &tables.sides[me.other().index()];
        let mut guard = RoyalGuard { royal, stops: W::ALL, pinned: W::ZERO };
        for leaps in &them.leap_attacks {
            for from in (*leaps.from.at(royal) & leaps.group.pieces(state) & enemies).squares() {
                guard.stops &= W::bit(from);
            }
        }
        for paths in &them.path_attacks {
            for from in (*paths.from.at(royal) & paths.group.pieces(state) & enemies).squares() {
                let way = tables.between[paths.between].at(royal, from);
                let blockers = way & occupied;
                if blockers.is_empty() {
                    guard.stops &= way | W::bit(from);
                } else if blockers.is_single() {
                    guard.pinned |= blockers & own;
                }
            }
        }
        Some(guard)
    }

    /// Where moves must end so that they may be safe.
    pub fn wanted(&self, rules: &Rules, mover: PatternMover) -> W {
        let is_royal = |kind: KindId| rules.kind(kind).royal;
        match mover {
            PatternMover::Single | PatternMover::Shifted { .. } => W::ALL,
            PatternMover::Piece { from, .. } if from == self.royal => W::ALL,
            PatternMover::Piece { becomes: Some(kind), .. } | PatternMover::Drop { kind }
                if is_royal(kind) =>
            {
                W::ALL
            }
            PatternMover::Piece { .. } | PatternMover::Drop { .. } => self.stops,
        }
    }

    /// Whether a move is safe; `None` if it must be played to know.
    pub fn is_safe(&self, rules: &Rules, mv: Move) -> Option<bool> {
        let (from, to, kind) = match mv.action() {
            Action::Go { from, to, becomes } if from != to => (Some(from), to, becomes),
            Action::Drop { kind, to } => (None, to, Some(kind)),
            Action::Go { .. }
            | Action::Castle { .. }
            | Action::EnPassant { .. }
            | Action::TwoLegs { .. }
            | Action::Pass => return None,
        };
        if from == Some(self.royal) || kind.is_some_and(|kind| rules.kind(kind).royal) {
            return None;
        }
        match self.stops.has(to) {
            true if from.is_some_and(|from| self.pinned.has(from)) => None,
            stops => Some(stops),
        }
    }
}
