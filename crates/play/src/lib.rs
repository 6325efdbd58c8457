//! Players of graded strength, games between them, and engine protocols.
//!
//! In: names of players, a game, a seed. Out: moves, games and their outcomes. Never: statistics, files, the clock.

mod alpha_beta_player;
mod contest_player;
mod engine_limit;
mod engine_player;
mod external;
mod game_runner;
mod level;
mod plan;
mod playable;
mod player;
mod player_fit;
pub mod protocol;
mod random;

pub use alpha_beta_player::{AlphaBetaPlayer, SearchDepths};
pub use contest_player::ContestPlayer;
pub use engine_limit::EngineLimit;
pub use engine_player::Clock;
pub use external::{EngineProtocol, ExternalEngine, ExternalEngineError, ExternalEnginePlan};
pub use game_runner::GameRunner;
pub use level::Level;
pub use plan::{Leaf, PlayerError, PlayerPlan};
pub use playable::{LegalMoves, LegalTurns, Observer, Playable};
pub use player::Player;
pub use player_fit::{PlayerNeed, UnfitPlayer};
pub use random::Random;
