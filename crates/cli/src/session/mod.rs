//! A game of two sides at the terminal.
//!
//! In: lines typed by a user or from a script. Out: a page redrawn in place, or plain lines. Never: rules, which come from the
//! game, nor strength, which comes from players.

mod adviser;
mod clocks;
mod command;
mod execute;
mod game_session;
mod input;
mod moves;
mod page;
mod record_file;

pub use clocks::ClockPlan;
pub use game_session::{GameSession, Mode, PlayerSeat, SessionConfig};
pub use input::Input;
