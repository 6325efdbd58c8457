//! Which players are for which games.

use ashta_messages::Tell;
use ashta_position::Legs;
use ashta_rules::Rules;

use crate::engine_limit::EngineLimit;
use crate::plan::PlayerPlan;

/// A player that cannot play a game.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("play.unfit-player")]
pub struct UnfitPlayer {
    pub player: String,
    pub game: String,
    pub why: PlayerNeed,
}

/// What a player needs and does not find.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
pub enum PlayerNeed {
    #[code("play.needs-two-moves")]
    TwoMoves,
    #[code("play.needs-contest")]
    Contest,
    #[code("play.needs-match")]
    Match,
    #[code("play.needs-clock")]
    Clock,
    #[code("play.needs-two-sides")]
    TwoSides,
}

impl PlayerPlan {
    /// Checks that the player is for this kind of game: a contest, or a game of two sides.
    pub fn check(&self, rules: &Rules) -> Result<(), UnfitPlayer> {
        let why = match (self, rules.contest().is_some()) {
            (PlayerPlan::Random | PlayerPlan::SemiRandom { legs: Legs::Whole, .. }, _) => return Ok(()),
            (PlayerPlan::SemiRandom { legs: Legs::First, .. } | PlayerPlan::Expectimax { .. }, true) => {
                return Ok(());
            }
            (PlayerPlan::SemiRandom { legs: Legs::First, .. }, false) => PlayerNeed::TwoMoves,
            (PlayerPlan::Expectimax { .. }, false) => PlayerNeed::Contest,
            (PlayerPlan::External(_), _) => PlayerNeed::Match,
            (PlayerPlan::Engine(EngineLimit::Ms(_)), _) => PlayerNeed::Clock,
            (
                PlayerPlan::MaterialMinimax { .. }
                | PlayerPlan::MateSearch { .. }
                | PlayerPlan::Learned { .. }
                | PlayerPlan::Depth { .. }
                | PlayerPlan::Nodes { .. }
                | PlayerPlan::Engine(EngineLimit::Nodes(_) | EngineLimit::Depth(_))
                | PlayerPlan::Level(_)
                | PlayerPlan::Baba { .. },
                contest,
            ) => {
                if contest {
                    PlayerNeed::TwoSides
                } else {
                    return Ok(());
                }
            }
        };
        Err(self.unfit(rules, why))
    }

    pub(crate) fn unfit(&self, rules: &Rules, why: PlayerNeed) -> UnfitPlayer {
        UnfitPlayer { player: self.to_string(), game: rules.id().to_string(), why }
    }
}
