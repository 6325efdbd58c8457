//! The inverted index: piece states and their postings, exact positions and their keys, as bytes and as views of bytes.

pub mod bits;
pub mod exact;
pub mod postings;
pub mod states;
