//! Contests in the laboratory: what is remembered of them beyond other games, and what it says.
//!
//! In: contests, turn by turn. Out: rows that merge, measures with intervals. Never: how contests are played.

mod measures;
mod tally_observer;

pub use measures::ContestMeasures;
pub use tally_observer::ContestTallyObserver;
