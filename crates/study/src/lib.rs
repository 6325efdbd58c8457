//! Study tools: problem solvers, endgame tablebases, opening books.
//!
//! In: rules, positions, records. Out: solutions, tablebases, books. Never: the terminal, the clock, the environment.

pub mod ending;
pub mod opening;
pub mod problem;
