//! Which move: forced wins, mates by consecutive checks, alpha-beta on material.
//!
//! In: a position, values of pieces, depths. Out: the moves that a definition calls best, and their value. Never: random
//! numbers, clocks, games.

mod alpha_beta;
mod contest;
mod ends;
mod forced;
mod mate;
mod material;
mod order;
mod table;
mod values;

pub use alpha_beta::{AlphaBeta, DRAW, Depth, WIN};
pub use contest::{Expectimax, RoyalHunt};
pub use ends::EndShape;
pub use forced::Forced;
pub use mate::Mates;
pub use material::Material;
pub use order::Ordering;
pub use table::{Bound, Entry, TranspositionTable};
pub use values::{MobilityCount, Values, ValuesError};
