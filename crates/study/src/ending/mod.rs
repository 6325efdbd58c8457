//! Endgame tablebases with distance to mate, and practice with them.
//!
//! In: rules, a material such as `KBNK`. Out: tablebases, stored on disk; uniformly drawn won positions; the best
//! defence. Never: a value that contradicts the game's own rules of ending.

mod ending_material;
mod position_index;
mod practice;
mod retrograde;
mod store;
mod tablebase;
mod unmoves;

pub use ending_material::{EndingMaterial, MAX_PIECES, MaterialError};
pub use position_index::Squares;
pub use practice::{Judgement, Practice, draw_won};
pub use retrograde::{BuildError, BuildProgress};
pub use store::{EndingError, Endings, read_table};
pub use tablebase::{Tablebase, TablebaseValue, ValueCounts};
pub use unmoves::{UnsupportedEnding, check_game};
