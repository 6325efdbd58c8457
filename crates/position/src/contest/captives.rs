//! Royal pieces that were taken, and how they come back.

use ashta_rules::{Asked, Freed, RoyalsNeeded, Side};

use super::Contest;
use crate::word::Word;

impl<W: Word> Contest<W> {
    /// A side has lost a royal piece to another.
    pub(super) fn royal_captured(&mut self, side: Side, by: Side) {
        if self.contest_rules().royals == RoyalsNeeded::First {
            for square in self.royals(side).squares() {
                self.set(square, None);
            }
        }
        if self.royals(side).is_empty() {
            let at = side.index() & 3;
            self.turn_state.holders[at] = Some(by);
            self.turn_state.n_taken[at] = self.turn_state.n_taken[at].saturating_add(1);
        }
    }

    /// Some sides have just lost their last royal piece: does that free another?
    pub(super) fn free_captives(&mut self, beaten: u8) {
        let me = self.state.turn();
        match self.contest_rules().captives.freed {
            Freed::Never => {}
            Freed::ByExchange(_) => self.turn_state.asked = self.first_asked(),
            Freed::ByCapture => {
                let enemies =
                    (0..4).map(Side).filter(|side| beaten >> side.0 & 1 == 1 && !self.is_on_team(*side, me));
                if enemies.count() > 0 {
                    self.free_partners(me);
                }
            }
            Freed::ByCapturingAll => {
                let mut enemies = self.contest_tables().sides().filter(|side| !self.is_on_team(*side, me));
                let holds = |side: Side| self.turn_state.holders[side.index() & 3] == Some(me);
                if enemies.all(holds)
                    && (0..4).map(Side).any(|side| beaten >> side.0 & 1 == 1 && !self.is_on_team(side, me))
                {
                    self.free_partners(me);
                }
            }
        }
    }

    /// Two sides are left, as before: may one be asked about an exchange once more?
    pub(super) fn ask_again(&mut self) {
        if self.contest_rules().captives.freed == Freed::ByExchange(Asked::EachTurn) {
            self.turn_state.asked = self.first_asked();
        }
    }

    fn is_on_team(&self, a: Side, b: Side) -> bool {
        let teams = &self.contest_tables().teams;
        teams[a.index() & 3] == teams[b.index() & 3]
    }

    /// A side's partners that were beaten may put their royal piece back.
    fn free_partners(&mut self, side: Side) {
        for partner in self.contest_tables().sides().filter(|partner| *partner != side) {
            if self.is_on_team(partner, side) && self.turn_state.holders[partner.index() & 3].is_some() {
                self.free(partner);
            }
        }
    }

    fn free(&mut self, side: Side) {
        self.turn_state.holders[side.index() & 3] = None;
        self.turn_state.returning |= 1 << side.0;
        self.turn_state.living |= 1 << side.0;
    }

    /// The two living sides, if they are enemies and each holds the other's partner.
    pub(super) fn exchangers(&self) -> Option<[Side; 2]> {
        let mut living = self.contest_tables().sides().filter(|side| self.turn_state.is_living(*side));
        let (Some(a), Some(b), None) = (living.next(), living.next(), living.next()) else { return None };
        let holds = |holder: Side, other: Side| self.held_partner(holder, other).is_some();
        (!self.is_on_team(a, b) && holds(a, b) && holds(b, a)).then_some([a, b])
    }

    /// The partner of `other` whose royal piece `holder` holds.
    fn held_partner(&self, holder: Side, other: Side) -> Option<Side> {
        self.contest_tables().sides().find(|side| {
            let held = self.turn_state.holders[side.index() & 3] == Some(holder);
            held && *side != other && self.is_on_team(*side, other)
        })
    }

    /// Who may ask for an exchange first: the side after the one that moved, if the exchange needs both; the one that
    /// holds a piece taken twice, against one taken once.
    fn first_asked(&self) -> Option<Side> {
        let [a, b] = self.exchangers()?;
        let n_taken = |holder, other| {
            self.held_partner(holder, other).map_or(0, |side| self.turn_state.n_taken[side.index() & 3])
        };
        match (n_taken(a, b), n_taken(b, a)) {
            (1, 1) => {
                let me = self.state.turn();
                Some(if me == a { b } else { a })
            }
            (1, _) => Some(b),
            (_, 1) => Some(a),
            (_, _) => None,
        }
    }

    /// The side that is asked says whether it wants an exchange; asked at [`Stage::Exchange`](super::Stage) only.
    pub fn answer(&mut self, wants: Answer) -> super::Mark {
        let mark = self.mark();
        let (Some(asked), Some([a, b])) = (self.turn_state.asked, self.exchangers()) else { return mark };
        self.turn_state.asked = None;
        if wants == Answer::Keep {
            self.turn_state.agreed = 0;
            return mark;
        }
        self.turn_state.agreed |= 1 << asked.0;
        let other = if asked == a { b } else { a };
        let both_taken_once = self.both_taken_once(a, b);
        if both_taken_once && self.turn_state.agreed >> other.0 & 1 == 0 {
            self.turn_state.asked = Some(other);
            return mark;
        }
        self.turn_state.agreed = 0;
        for (holder, side) in [(a, b), (b, a)] {
            if let Some(captive) = self.held_partner(holder, side) {
                self.free(captive);
            }
        }
        self.turn_state.n_exchanges = self.turn_state.n_exchanges.saturating_add(1);
        self.go_on_after(if mark.turn == a { b } else { a });
        mark
    }

    fn both_taken_once(&self, a: Side, b: Side) -> bool {
        [(a, b), (b, a)].iter().all(|(holder, other)| {
            self.held_partner(*holder, *other)
                .is_some_and(|side| self.turn_state.n_taken[side.index() & 3] == 1)
        })
    }

    /// Those who came back take their turns where they sit: the next to move is the first after the last mover.
    fn go_on_after(&mut self, mover: Side) {
        let n_sides = self.contest_tables().n_sides;
        let mut after = (1..=n_sides).map(|n| Side((mover.0 + n) % n_sides));
        let next = after.find(|side| self.turn_state.is_living(*side)).unwrap_or(mover);
        let ply = self.state.ply();
        self.state.set_turn(&self.tables, next, 0, ply);
    }

    /// Whether a side's royal piece waits to be put back on the board.
    #[inline]
    pub fn is_returning(&self, side: Side) -> bool {
        self.turn_state.is_returning(side)
    }
}

/// What a side says about an exchange.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It wants it.
    Exchange,
    /// It does not.
    Keep,
}
