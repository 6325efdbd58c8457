//! Players of graded strength and the game between them.
//!
//! In: names of players, a game, a seed. Out: moves, games and how they ended. Never: statistics, files, the clock.

mod contest;
mod engine_seat;
mod foreign;
mod game_loop;
mod level;
mod plan;
mod player;
pub mod protocol;
mod random;
mod thinker;

pub use contest::{ContestObserver, ContestPlayer, ContestTable, UnfitPlayer};
pub use engine_seat::Clock;
pub use foreign::{ForeignError, ForeignLimit, ForeignPlan, ForeignPlayer, Tongue};
pub use game_loop::{Observer, Table};
pub use level::Level;
pub use plan::{EngineLimit, Leaf, PlayerError, PlayerPlan};
pub use player::Player;
pub use random::Random;
pub use thinker::{Look, Thinker};
