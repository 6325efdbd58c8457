//! Ends that only some games have: goals, extinction, counted checks, passes in a row, facing royal pieces, points.
//!
//! In: a position, or a line of play where its last moves count. Out: the end, if there is one. Never: whether a side has a
//! legal move.

use ashta_rules::{
    CountedKinds, DecidedByPoints, Extinction, Facing, GoalReply, GoalSafety, RegionGoal, Side, Square,
};

use crate::line::Line;
use crate::moves::Move;
use crate::position::Position;
use crate::reason::{Outcome, Reason};
use crate::word::Word;

impl<W: Word> Line<W> {
    /// Whether the game has ended by one of these ends: from such a position nothing is played.
    pub(crate) fn has_ended_specially(&self) -> bool {
        let position = self.position();
        position.without_royal().is_some()
            || position.special_end().or_else(|| self.end_by_history()).is_some()
    }

    /// Ends that the last moves decide.
    #[cold]
    pub(crate) fn end_by_history(&self) -> Option<Outcome> {
        let position = self.position();
        if let Some(n) = position.rules().ends().passes
            && self.n_passes() >= n as usize
        {
            return Some(position.draw_or_points(DecidedByPoints::Passes, Reason::Passes));
        }
        let is_left_facing = position.rules().facing() == Facing::Draws && self.is_left_facing();
        is_left_facing.then(|| position.draw_or_points(DecidedByPoints::Facing, Reason::Facing))
    }

    /// How many of the last moves were passes.
    fn n_passes(&self) -> usize {
        self.moves().rev().take_while(|mv| *mv == Move::PASS).count()
    }

    /// Whether the royal pieces faced each other before the last move and do so after it.
    fn is_left_facing(&self) -> bool {
        self.position().royals_face() && self.position_before().is_some_and(|before| before.royals_face())
    }
}

impl<W: Word> Position<W> {
    /// Ends of the position alone, whoever has a move.
    #[cold]
    pub(crate) fn special_end(&self) -> Option<Outcome> {
        let ends = self.rules().ends();
        let goal = ends.goal.as_ref().and_then(|goal| self.goal_end(goal));
        goal.or_else(|| ends.extinction.as_ref().and_then(|end| self.extinction_end(end)))
            .or_else(|| ends.checks.and_then(|_| self.checks_end()))
    }

    fn goal_end(&self, goal: &RegionGoal) -> Option<Outcome> {
        let (me, them) = (self.turn(), self.turn().other());
        let arrived = self.has_reached(goal, them);
        match (self.pieces_at(goal, me).any(), arrived) {
            (true, true) => Some(Outcome { winner: None, reason: Reason::Goal }),
            // It was not captured, or has had its answer.
            (true, false) => Some(Outcome::of(goal.verdict, me, Reason::Goal)),
            (false, true) => match goal.reply {
                GoalReply::EqualTurns if them == Side::FIRST => None,
                GoalReply::OneMove => None,
                GoalReply::EqualTurns | GoalReply::None => {
                    Some(Outcome::of(goal.verdict, them, Reason::Goal))
                }
            },
            (false, false) => None,
        }
    }

    fn pieces_at(&self, goal: &RegionGoal, side: Side) -> W {
        let there = self.state().side(side) & W::from_set(&goal.squares[side.index()]);
        let is_one = |square: &Square| goal.pieces.contains(&self.state().kind_on(*square));
        there.squares().filter(is_one).fold(W::ZERO, |all, square| all | W::bit(square))
    }

    /// Whether a side that has just moved has reached its goal.
    fn has_reached(&self, goal: &RegionGoal, side: Side) -> bool {
        let mut there = self.pieces_at(goal, side).squares();
        match goal.safety {
            GoalSafety::Any => there.next().is_some(),
            GoalSafety::Unattacked => there.any(|square| !self.is_attacked(square, side.other())),
        }
    }

    fn extinction_end(&self, end: &Extinction) -> Option<Outcome> {
        let me = self.turn();
        let is_extinct = |side: &Side| {
            let mut counts = end
                .of
                .iter()
                .map(|kind| self.state().count_of(*side, *kind) + u32::from(self.in_hand(*side, *kind)));
            match end.counted {
                CountedKinds::Together => counts.sum::<u32>() < end.below,
                CountedKinds::Each => counts.any(|n| n < end.below),
            }
        };
        let side = [me, me.other()].into_iter().find(is_extinct)?;
        Some(Outcome::of(end.verdict, side, Reason::Extinction))
    }

    fn checks_end(&self) -> Option<Outcome> {
        let rights = self.state().rights();
        let has_given_all = |side: &Side| rights & self.rules().check_rights(*side) == 0;
        let winner = [self.turn().other(), self.turn()].into_iter().find(has_given_all)?;
        Some(Outcome { winner: Some(winner), reason: Reason::Checks })
    }

    /// The result of an end that is a draw, unless points decide it and are unequal.
    pub(crate) fn draw_or_points(&self, end: DecidedByPoints, reason: Reason) -> Outcome {
        let points = self.rules().ends().points.as_ref().filter(|points| points.decides.contains(&end));
        let winner = points.and_then(|points| {
            let [first, second] = [Side::FIRST, Side::SECOND].map(|side| {
                let kinds = self.rules().kind_ids().zip(&points.half_points);
                let pieces = kinds.map(|(kind, half_points)| {
                    half_points * (self.state().count_of(side, kind) + u32::from(self.in_hand(side, kind)))
                });
                points.extra_half_points[side.index()] + pieces.sum::<u32>()
            });
            match first.cmp(&second) {
                std::cmp::Ordering::Less => Some(Side::SECOND),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Side::FIRST),
            }
        });
        Outcome { winner, reason }
    }

    /// Whether the royal pieces of two sides look at each other along an open file.
    pub(crate) fn royals_face(&self) -> bool {
        let [first, second] = [Side::FIRST, Side::SECOND].map(|side| self.royals(side));
        if !first.is_single() || !second.is_single() {
            return false;
        }
        let way = self.tables().way_along_file(first.lowest(), second.lowest());
        way.is_some_and(|way| (way & self.state().occupied()).is_empty())
    }
}
