//! All integration tests of this crate in one binary: it is linked once, and slow tests of one file overlap with those of another.

#![expect(
    clippy::disallowed_methods,
    reason = "tests may ask the time and the environment, and give notices"
)]

mod common;
mod crash;
mod duplicates;
mod exports;
mod files;
mod formats;
mod fouls;
mod notes;
mod players;
mod queries_page;
mod query_text;
mod reference_queries;
mod sealed;
