//! All integration tests of this crate in one binary: it is linked once, and slow tests of one file overlap with those of another.

mod asking;
mod connections;
mod description;
mod games;
mod japanese;
mod jobs;
mod positions;
mod records;
mod study;
