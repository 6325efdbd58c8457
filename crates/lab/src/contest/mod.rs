//! Tallies and measures that only contests have.
//!
//! In: contests, turn by turn. Out: rows that merge, measures with intervals. Never: how contests are played.

mod measures;
mod tally_observer;

pub use measures::ContestMeasures;
pub use tally_observer::ContestTallyObserver;
