//! Contests in the laboratory: what is remembered of them beyond other games, and what it says.
//!
//! In: contests, turn by turn. Out: rows that merge, measures with intervals. Never: how contests are played.

mod measures;
mod row;
mod watch;

pub use measures::ContestMeasures;
pub use row::ContestRow;
pub use watch::ContestWatch;
