//! All integration tests of this crate in one binary: it is linked once, and slow tests of one file overlap with those of another.

mod library;
mod problems;
mod variants;
