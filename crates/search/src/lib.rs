//! Which move: the exact searches of the papers (forced wins, mates by consecutive checks, alpha-beta on material), expectimax for
//! contests, and the engine.
//!
//! In: a position, values of pieces, depths. Out: the moves that a definition calls best, and their value. Never: random
//! numbers, clocks, games.

mod alpha_beta;
pub mod baba;
mod candidates;
mod compiled;
mod contest;
mod ends;
pub mod engine;
mod exchange;
mod features;
mod forced;
mod mate;
mod material;
mod order;
mod stop;
mod transposition;
mod values;
mod values_text;
mod window;

pub use alpha_beta::{AlphaBeta, DRAW, Depth, Leaves, WIN};
pub use compiled::SearchWord;
pub use contest::{Expectimax, RoyalHunt};
pub use ends::EndShape;
pub use features::{FeatureChoice, Features, HandWeights, MobilityWeight, SquareWeights};
pub use forced::Forced;
pub use mate::Mates;
pub use material::Material;
pub use stop::StopFlag;
pub use values::{MobilityCount, ValueNumbers, Values};
pub use values_text::{UnknownKeys, ValuesError, read_numbers, write_numbers};
