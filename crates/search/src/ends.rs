//! How the games of some rules can end, asked once: searches leave out looks that can find nothing.
//!
//! In: rules. Out: which ends are possible. Never: positions.

use ashta_position::{Position, Word};
use ashta_rules::{DecidedByPoints, RoyalLoss, Rules, Verdict};

/// Which ends a game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndShape {
    /// Whether a side can lose only by being mated: then a move that gives no check wins nothing.
    pub only_mates: bool,
    /// Whether a side's own move can lose the game for it at once.
    pub own_move_may_lose: bool,
    /// Plies without progress that end the game.
    pub quiet_plies: Option<u32>,
}

impl EndShape {
    /// Of some rules.
    pub fn of(rules: &Rules) -> EndShape {
        let ends = rules.ends();
        let by_points =
            ends.points.as_ref().is_some_and(|points| points.decides.contains(&DecidedByPoints::Quiet));
        let quiet_decides =
            ends.quiet.as_ref().is_some_and(|quiet| quiet.verdict != Verdict::Draw) || by_points;
        let plain = rules.sides().len() == 2
            && ends.royal_loss == RoyalLoss::Checkmate
            && ends.impasse.is_none()
            && ends.goal.is_none()
            && ends.extinction.is_none()
            && ends.checks.is_none()
            && rules.explosion().is_none()
            && !quiet_decides;
        EndShape {
            only_mates: plain && ends.bare.is_none() && ends.stalemate != Verdict::Loss,
            // A bare side that may bare back loses after the other's move; one that bares itself cannot.
            own_move_may_lose: !plain || ends.stalemate == Verdict::Win || ends.bare.is_some(),
            quiet_plies: ends.quiet.as_ref().map(|quiet| quiet.plies),
        }
    }

    /// Whether the side to move has lost already.
    #[inline(always)]
    pub fn is_lost<W: Word>(&self, position: &Position<W>) -> bool {
        if self.only_mates && !position.is_in_check() {
            return false;
        }
        let end = position.end_knowing(position.has_legal_move());
        end.is_some_and(|outcome| outcome.winner.is_some_and(|winner| winner != position.turn()))
    }
}
