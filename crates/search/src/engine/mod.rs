//! The engine: the best move within limits of time, depth or nodes, for every game of two sides.
//!
//! In: a line of play, limits, a clock and a stop flag. Out: principal variations with scores, reported after every
//! iteration. Never: random numbers, the time of day, which game it is: everything it knows comes from the rules.
//!
//! Unlike [`crate::AlphaBeta`], which is exact and slower, it is selective: it prunes and reduces unlikely moves.

mod evaluation;
mod history;
mod incremental;
mod interface;
mod limits;
mod picker;
mod piece_square;
mod piece_values;
mod pruning;
mod quiescence;
mod root;
mod see;
mod selectivity;
mod tree;

pub use evaluation::Evaluation;
pub use interface::{Engine, EngineOptions};
pub use limits::{Limits, Noise, PrincipalVariation, Score, SearchControl, SearchInfo, TimeLimit};
pub use piece_square::PieceSquareTable;
pub use piece_values::EngineValues;
pub use see::See;
pub use selectivity::Selectivity;
