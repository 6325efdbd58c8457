//! Other programs as players: they speak UCI, USI, XBoard's language or the older one of GNU's shogi program.
//!
//! In: a command, a game. Out: legal moves, or why there is none. Never: a wait without end; whatever the other program
//! does, it is given a time and then given up.

mod greeting;
mod plan;
mod player;
mod probe;
mod process;

pub use plan::{ForeignLimit, ForeignPlan, Tongue};
pub use player::{ForeignError, ForeignPlayer};
