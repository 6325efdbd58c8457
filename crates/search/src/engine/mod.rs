//! The engine: the one move of a position, as strong as time allows, for every game of two sides.
//!
//! In: a line of play, limits, a clock and a flag to stop it. Out: the best lines with their values, told after every
//! depth. Never: random numbers, the time of day, which game it is: everything it knows comes from the rules.
//!
//! Not to be mistaken for [`crate::AlphaBeta`], which is exact and slower: this one leaves out what is unlikely.

mod balance;
mod evaluation;
mod exchange;
mod history;
mod limits;
mod memory;
mod picker;
mod places;
mod pruning;
mod quiescence;
mod root;
mod selectivity;
mod think;
mod tree;
mod worth;

pub use evaluation::Evaluation;
pub use exchange::Exchange;
pub use limits::{Limits, PrincipalLine, Progress, Score, TimeLimit, Watch};
pub use places::Places;
pub use selectivity::Selectivity;
pub use think::{Engine, EngineOptions, Noise};
pub use worth::Worths;
