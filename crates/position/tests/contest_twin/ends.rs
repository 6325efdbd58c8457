//! How a contest ends.

use ashta_position::{Outcome, Reason};
use ashta_rules::{Goal, Side, Verdict, WhoIsBare};

use super::ContestTwin;

impl ContestTwin<'_> {
    /// The result between turns.
    pub fn outcome(&self) -> Option<Outcome> {
        let living = self.living();
        let goal = self.contest().goal;
        if living.len() < 2 || (self.is_final() && goal == Goal::LastTeam) {
            let winner = match goal {
                Goal::LastRoyal => living.first().copied(),
                Goal::LastTeam => Some(self.moved_last()),
                Goal::Points => self.most_points(),
            };
            return Some(outcome(winner, Reason::RoyalCaptured));
        }
        if self.asked.is_none()
            && self.rules.0.ends().bare.is_some()
            && let Some(end) = self.bare_end()
        {
            return Some(end);
        }
        let cap = self.rules.0.ends().ply_cap;
        cap.filter(|cap| self.n_turns >= *cap).map(|_| outcome(None, Reason::PlyCap))
    }

    /// The living side before the one to move.
    fn moved_last(&self) -> usize {
        let n = self.n_sides();
        let mut before = (1..=n).map(|by| (self.turn + n - by) % n);
        before.find(|side| self.fates[*side].living).expect("somebody lives")
    }

    fn most_points(&self) -> Option<usize> {
        let points = |side: usize| self.fates[side].points;
        let wins = |side: &usize| (0..self.n_sides()).all(|o| o == *side || points(o) < points(*side));
        (0..self.n_sides()).find(wins)
    }

    /// Whether a side has royal pieces on the board and nothing else to move, its partner's men included.
    fn is_bare(&self, side: usize) -> bool {
        let has_men = |of: usize| self.pieces().iter().any(|(_, s, kind)| *s == of && !self.is_royal(*kind));
        let has_any = |of: usize| self.pieces().iter().any(|(_, s, _)| *s == of);
        !self.royals(side).is_empty() && !has_men(side) && !self.commanded_partner(side).is_some_and(has_any)
    }

    fn bare_end(&self) -> Option<Outcome> {
        let living = self.living();
        let others: Vec<usize> = living.iter().copied().filter(|side| !self.is_bare(*side)).collect();
        if others.is_empty() {
            return Some(outcome(None, Reason::BothBare));
        }
        if others.len() == living.len() || self.contest().bare.who == WhoIsBare::All {
            return None;
        }
        let loses = self.is_final() && self.contest().bare.between_partners == Verdict::Loss;
        let winner = match self.contest().goal {
            Goal::LastRoyal if loses => Some(others[0]),
            Goal::Points if loses => self.most_points(),
            Goal::LastRoyal | Goal::LastTeam | Goal::Points => None,
        };
        Some(outcome(winner, Reason::Bare))
    }
}

fn outcome(winner: Option<usize>, reason: Reason) -> Outcome {
    Outcome { winner: winner.map(|side| Side(side as u8)), reason }
}
