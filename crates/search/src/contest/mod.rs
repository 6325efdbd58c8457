//! Which turn of a contest: forced captures of royal pieces, and the highest expected result.
//!
//! In: a contest with its dice thrown. Out: the set of turns that a definition calls best. Never: random numbers.

mod expected;
mod royals;

pub use expected::Expectimax;
pub use royals::RoyalHunt;
