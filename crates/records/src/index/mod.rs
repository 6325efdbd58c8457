//! The inverted index: posting lists of piece states, and the exact-position index, as bytes and as views of bytes.

pub mod bits;
pub mod elias_fano;
pub mod exact;
pub mod intervals;
pub mod material;
pub mod pdep;
pub mod postings;
pub mod span_rows;
pub mod states;
