//! All integration tests of this crate in one binary: it is linked once, and slow tests of one file overlap with those of another.

mod behaviour;
mod browser;
mod hostile;
mod laboratory;
mod messages;
mod old_files;
mod protocols;
mod readme;
mod records;
mod serving;
mod sitting;
mod study;
