//! All integration tests of this crate in one binary: it is linked once, and slow tests of one file overlap with those of another.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "tests may ask the time and the environment, and give notices"
)]

mod book_files;
mod endings;
mod openings;
mod problems;
mod royal_capture;
