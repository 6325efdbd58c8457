//! How a contest ends.

use ashta_rules::{Goal, Side, Verdict, WhoIsBare};

use super::Contest;
use crate::reason::{Outcome, Reason};
use crate::word::Word;

impl<W: Word> Contest<W> {
    /// How the contest ended, if it has; asked between turns.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        let rules = self.contest_rules();
        let is_final = self.is_final();
        if is_final && (self.turn_state.living.count_ones() < 2 || rules.goal == Goal::LastTeam) {
            return Some(self.last_royal(rules.goal));
        }
        if self.turn_state.asked.is_none()
            && let Some(outcome) = self.bare(is_final)
        {
            return Some(outcome);
        }
        let cap = self.rules().ends().ply_cap?;
        (self.state.ply() >= cap).then_some(Outcome { winner: None, reason: Reason::PlyCap })
    }

    fn last_royal(&self, goal: Goal) -> Outcome {
        let living = |side: &Side| self.turn_state.is_living(*side);
        let mut sides = self.contest_tables().sides();
        let winner = match goal {
            Goal::LastRoyal => sides.find(living),
            // Of a team that won, the side that moved last; it took the last royal piece.
            Goal::LastTeam => {
                let (me, n) = (self.state.turn().0, self.contest_tables().n_sides);
                (1..=n).map(|back| Side((me + n - back) % n)).find(living)
            }
            Goal::Points => {
                let most =
                    sides.clone().map(|side| self.turn_state.points[side.index() & 3]).max().unwrap_or(0);
                let mut best = sides.clone().filter(|side| self.turn_state.points[side.index() & 3] == most);
                best.next().filter(|_| best.next().is_none())
            }
        };
        Outcome { winner, reason: Reason::RoyalCaptured }
    }

    /// Whether a side has royal pieces and nothing else, its own or its partner's, to move.
    #[inline(always)]
    fn is_bare(&self, side: Side) -> bool {
        let royals = self.royals(side);
        royals.any() && (self.state.side(side) & !royals).is_empty() && !self.has_partners_men(side)
    }

    #[cold]
    fn has_partners_men(&self, side: Side) -> bool {
        self.commanded_partner(side).is_some_and(|partner| self.state.side(partner).any())
    }

    #[inline(always)]
    fn bare(&self, is_final: bool) -> Option<Outcome> {
        self.rules().ends().bare.as_ref()?;
        let rules = self.contest_rules();
        let sides = self.contest_tables().sides();
        let bare = sides.fold(0u8, |set, side| set | u8::from(self.is_bare(side)) << side.0);
        if bare == 0 {
            return None;
        }
        let draw = Outcome { winner: None, reason: Reason::Bare };
        let others = self.turn_state.living & !bare;
        if others == 0 {
            return Some(Outcome { winner: None, reason: Reason::BothBare });
        }
        if rules.bare.who == WhoIsBare::All {
            return None;
        }
        let decides = is_final && rules.bare.between_partners == Verdict::Loss;
        Some(match rules.goal {
            Goal::Points if decides => Outcome { reason: Reason::Bare, ..self.last_royal(Goal::Points) },
            Goal::LastRoyal if decides => {
                Outcome { winner: Some(Side(others.trailing_zeros() as u8)), reason: Reason::Bare }
            }
            Goal::LastRoyal | Goal::LastTeam | Goal::Points => draw,
        })
    }
}
