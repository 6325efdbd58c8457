//! The inverted index: piece states and their postings, exact positions and their keys, as bytes and as views of bytes.

pub mod bits;
pub mod deposit;
pub mod exact;
pub mod postings;
pub mod rising;
pub mod rows;
pub mod states;
pub mod stretches;
