//! Where a chess-like game stands and what may follow.
//!
//! In: checked [`ashta_rules::Rules`]. Out: positions, strictly legal moves, results, notation, perft. Never: which
//! move is good, files, the terminal, the clock.

mod attack;
mod dispatch;
mod generate;
mod moves;
mod perft;
mod position;
mod sink;
mod state;
mod tables;
mod word;

pub use moves::{Action, Move};
pub use perft::{divide, perft};
pub use position::{Position, PositionError};
pub use sink::{Any, Count, Groups, List, Sink};
pub use state::{State, Undo};
pub use tables::Tables;
pub use word::{Wide, Word};
