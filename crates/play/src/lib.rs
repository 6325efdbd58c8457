//! Players of graded strength, games between them, and engine protocols.
//!
//! In: names of players, a game, a seed. Out: moves, games and their outcomes. Never: statistics, files, the clock.

mod alpha_beta_player;
mod contest;
mod engine_limit;
mod engine_player;
mod external;
mod game_runner;
mod level;
mod plan;
mod player;
pub mod protocol;
mod random;

pub use alpha_beta_player::{AlphaBetaPlayer, SearchDepths};
pub use contest::{ContestObserver, ContestPlayer, ContestRunner, PlayerNeed, UnfitPlayer};
pub use engine_limit::EngineLimit;
pub use engine_player::Clock;
pub use external::{EngineProtocol, ExternalEngine, ExternalEngineError, ExternalEnginePlan};
pub use game_runner::{GameRunner, Observer};
pub use level::Level;
pub use plan::{Leaf, PlayerError, PlayerPlan};
pub use player::Player;
pub use random::Random;
