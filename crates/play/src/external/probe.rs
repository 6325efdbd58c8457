//! A trial before a match: does the external engine play this game, by these rules, on either side?
//!
//! In: an engine after its handshake. Out: the first error in a few plies from the start. Never: a result.

use std::time::Duration;

use ashta_position::Game;

use super::engine::{ExternalEngine, ExternalEngineError};
use crate::engine_limit::EngineLimit;

/// Plies of each trial game; the engine plays half of them.
const N_PLIES: usize = 4;

impl ExternalEngine {
    /// Plays the beginning of one game on each side, with little time. An engine that plays another variant fails here
    /// rather than losing a whole match by illegal moves.
    pub fn probe(&mut self, elapsed: &dyn Fn() -> Duration) -> Result<(), ExternalEngineError> {
        let limit = self.plan.limit;
        self.plan.limit = match limit {
            EngineLimit::Ms(ms) => EngineLimit::Ms(ms.min(50)),
            EngineLimit::Nodes(nodes) => EngineLimit::Nodes(nodes.min(1000)),
            EngineLimit::Depth(plies) => EngineLimit::Depth(plies.min(2)),
        };
        let tried = self.try_side(0, elapsed).and_then(|()| self.try_side(1, elapsed));
        self.plan.limit = limit;
        tried
    }

    fn try_side(&mut self, side: usize, elapsed: &dyn Fn() -> Duration) -> Result<(), ExternalEngineError> {
        self.begin_game()?;
        let mut game = Game::start(&self.rules);
        for ply in 0..N_PLIES {
            let Some(first) = game.legal_moves().first().copied().filter(|_| game.outcome().is_none()) else {
                return Ok(());
            };
            let mv = if ply % 2 == side { self.choose(&game, elapsed) } else { Ok(first) };
            match mv {
                Ok(mv) => game.play_unchecked(mv),
                Err(ExternalEngineError::Resigned { .. } | ExternalEngineError::ClaimsDraw { .. }) => {
                    return Ok(());
                }
                Err(read_failure) => return Err(read_failure),
            }
        }
        Ok(())
    }
}
