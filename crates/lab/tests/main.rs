//! All integration tests of this crate in one binary: it is linked once, and slow tests of one file overlap with those of another.

mod executors;
mod japanese;
mod learning;
mod other_programs;
mod page;
mod runs;
