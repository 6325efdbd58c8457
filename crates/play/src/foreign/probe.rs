//! A trial before a match: whether another program plays this game, by these rules, on either side.
//!
//! In: a program that has been greeted. Out: the first fault in a few plies from the start. Never: a result.

use std::time::Duration;

use ashta_position::Game;

use super::plan::ForeignLimit;
use super::player::{ForeignError, ForeignPlayer};

/// Plies of each trial game; the program plays half of them.
const N_PLIES: usize = 4;

impl ForeignPlayer {
    /// Plays the beginning of one game on each side, with little time. A program that was told of another game than ours
    /// fails here, before it could lose a whole match by its first moves.
    pub fn probe(&mut self, elapsed: &dyn Fn() -> Duration) -> Result<(), ForeignError> {
        let limit = self.plan.limit;
        self.plan.limit = match limit {
            ForeignLimit::Ms(ms) => ForeignLimit::Ms(ms.min(50)),
            ForeignLimit::Nodes(nodes) => ForeignLimit::Nodes(nodes.min(1000)),
            ForeignLimit::Depth(plies) => ForeignLimit::Depth(plies.min(2)),
        };
        let tried = self.try_side(0, elapsed).and_then(|()| self.try_side(1, elapsed));
        self.plan.limit = limit;
        tried
    }

    fn try_side(&mut self, side: usize, elapsed: &dyn Fn() -> Duration) -> Result<(), ForeignError> {
        self.begin_game()?;
        let mut game = Game::start(&self.rules);
        for ply in 0..N_PLIES {
            let Some(first) = game.legal_moves().first().copied().filter(|_| game.outcome().is_none()) else {
                return Ok(());
            };
            let mv = if ply % 2 == side { self.choose(&game, elapsed) } else { Ok(first) };
            match mv {
                Ok(mv) => game.play_unchecked(mv),
                Err(ForeignError::Resigned { .. } | ForeignError::ClaimsDraw { .. }) => return Ok(()),
                Err(fault) => return Err(fault),
            }
        }
        Ok(())
    }
}
