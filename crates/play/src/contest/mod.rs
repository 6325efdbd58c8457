//! Players of contests and the game between them.

mod player;
mod runner;

pub use player::{ContestPlayer, PlayerNeed, UnfitPlayer};
pub use runner::{ContestObserver, ContestRunner};
