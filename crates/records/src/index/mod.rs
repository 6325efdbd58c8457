//! The inverted index: piece states and their postings, exact positions and their keys, as bytes and as views of bytes.

pub mod bits;
pub mod elias_fano;
pub mod exact;
pub mod intervals;
pub mod pdep;
pub mod postings;
pub mod span_rows;
pub mod states;
