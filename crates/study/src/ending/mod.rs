//! Endings: tables of what every position of a few men is worth, and practice with them.
//!
//! In: rules, a material such as `KBNK`. Out: tables, kept on disk; won positions drawn evenly; the best defence.
//! Never: a position called won that is not, by the game's own ends.

mod build;
mod material;
mod practice;
mod reach;
mod space;
mod store;
mod table;

pub use build::{BuildError, BuildProgress};
pub use material::{MAX_MEN, Material, MaterialError};
pub use practice::{Judgement, Practice, draw_won};
pub use reach::{NoTable, check_game};
pub use space::Squares;
pub use store::{EndingError, Endings, read_table};
pub use table::{Counts, EndingTable, Worth};
