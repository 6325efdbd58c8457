//! Players of contests and the game between them.

mod player;
mod runner;

pub use player::{ContestPlayer, UnfitPlayer};
pub(crate) use player::{NEEDS_CONTEST, NEEDS_MATCH};
pub use runner::{ContestObserver, ContestRunner};
