//! Royal pieces that were taken, and how they come back.

use ashta_rules::{Asked, Freed, RoyalsNeeded, Side};

use super::Contest;
use crate::word::Word;

impl<W: Word> Contest<W> {
    /// A side has lost a royal piece to another.
    pub(super) fn royal_captured(&mut self, side: u8, by: u8) {
        if self.contest_rules().royals == RoyalsNeeded::First {
            for square in self.royals(side).squares() {
                self.set(square, None);
            }
        }
        if self.royals(side).is_empty() {
            let at = side as usize & 3;
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
                let enemies = (0..4).filter(|side| beaten >> side & 1 == 1 && !self.is_on_team(*side, me));
                if enemies.count() > 0 {
                    self.free_partners(me);
                }
            }
            Freed::ByCapturingAll => {
                let n_sides = self.contest_tables().n_sides;
                let mut enemies = (0..n_sides).filter(|side| !self.is_on_team(*side, me));
                let holds = |side: u8| self.turn_state.holders[side as usize & 3] == Some(me);
                if enemies.all(holds)
                    && (0..4).any(|side| beaten >> side & 1 == 1 && !self.is_on_team(side, me))
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

    fn is_on_team(&self, a: u8, b: u8) -> bool {
        let teams = &self.contest_tables().teams;
        teams[a as usize & 3] == teams[b as usize & 3]
    }

    /// A side's partners that were beaten may put their royal piece back.
    fn free_partners(&mut self, side: u8) {
        for partner in (0..self.contest_tables().n_sides).filter(|partner| *partner != side) {
            if self.is_on_team(partner, side) && self.turn_state.holders[partner as usize & 3].is_some() {
                self.free(partner);
            }
        }
    }

    fn free(&mut self, side: u8) {
        self.turn_state.holders[side as usize & 3] = None;
        self.turn_state.returning |= 1 << side;
        self.turn_state.living |= 1 << side;
    }

    /// The two living sides, if they are enemies and each holds the other's partner.
    pub(super) fn exchangers(&self) -> Option<[u8; 2]> {
        let n_sides = self.contest_tables().n_sides;
        let mut living = (0..n_sides).filter(|side| self.turn_state.living >> side & 1 == 1);
        let (Some(a), Some(b), None) = (living.next(), living.next(), living.next()) else { return None };
        let holds = |holder: u8, other: u8| self.held_partner(holder, other).is_some();
        (!self.is_on_team(a, b) && holds(a, b) && holds(b, a)).then_some([a, b])
    }

    /// The partner of `other` whose royal piece `holder` holds.
    fn held_partner(&self, holder: u8, other: u8) -> Option<u8> {
        (0..self.contest_tables().n_sides).find(|side| {
            let held = self.turn_state.holders[*side as usize & 3] == Some(holder);
            held && *side != other && self.is_on_team(*side, other)
        })
    }

    /// Who may ask for an exchange first: the side after the one that moved, if the exchange needs both; the one that
    /// holds a piece taken twice, against one taken once.
    fn first_asked(&self) -> Option<u8> {
        let [a, b] = self.exchangers()?;
        let n_taken = |holder, other| {
            self.held_partner(holder, other).map_or(0, |side| self.turn_state.n_taken[side as usize & 3])
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
        self.turn_state.agreed |= 1 << asked;
        let other = if asked == a { b } else { a };
        let both_taken_once = self.both_taken_once(a, b);
        if both_taken_once && self.turn_state.agreed >> other & 1 == 0 {
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

    fn both_taken_once(&self, a: u8, b: u8) -> bool {
        [(a, b), (b, a)].iter().all(|(holder, other)| {
            self.held_partner(*holder, *other)
                .is_some_and(|side| self.turn_state.n_taken[side as usize & 3] == 1)
        })
    }

    /// Those who came back take their turns where they sit: the next to move is the first after the last mover.
    fn go_on_after(&mut self, mover: u8) {
        let n_sides = self.contest_tables().n_sides;
        let mut after = (1..=n_sides).map(|n| (mover + n) % n_sides);
        let next = after.find(|side| self.turn_state.living >> side & 1 == 1).unwrap_or(mover);
        let ply = self.state.ply();
        self.state.set_turn(&self.tables, next, 0, ply);
    }

    /// Whether a side's royal piece waits to be put back on the board.
    #[inline]
    pub fn is_returning(&self, side: Side) -> bool {
        self.turn_state.is_returning(side.index())
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
