//! Segments: games and their index in one immutable file.

mod build;
mod file;
mod merge;
mod meta;
mod notes;
mod reader;
mod section;

pub use build::{MAX_POSITIONS, SegmentBuilder};
pub use file::{FileOperation, SegmentError, SegmentFile};
pub use merge::{Changed, merge_segments};
pub use meta::Column;
pub use reader::Segment;
pub use section::Section;
