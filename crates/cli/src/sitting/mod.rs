//! A game of two sides at the terminal.
//!
//! In: lines a person types, or a script. Out: a page redrawn in place, or plain lines. Never: rules, which come from the
//! game, nor strength, which comes from players.

mod adviser;
mod clocks;
mod grant;
mod input;
mod moves;
mod page;
mod score;
mod session;
mod wishes;

pub use clocks::ClockPlan;
pub use input::Input;
pub use session::{Mode, Seat, Setting, Sitting};
