//! A person learning: problems, endings, openings.
//!
//! In: rules, positions, records. Out: solutions, tables, books. Never: the terminal, the clock, the environment.

pub mod ending;
pub mod opening;
pub mod problem;
