//! Players of contests and the game between them.

mod player;
mod table;

pub use player::{ContestPlayer, UnfitPlayer};
pub use table::{ContestObserver, ContestTable};
