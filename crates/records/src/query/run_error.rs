//! Why a query was not run to its end.

use ashta_messages::Tell;

use crate::segment::SegmentError;

#[derive(Debug, Tell)]
pub enum QueryRunError {
    #[code("records.query-position")]
    Position(#[from] ashta_position::PositionError),
    #[code(transparent)]
    Segment(#[from] SegmentError),
    #[code("records.query-too-large")]
    TooLarge { n_parts: usize, max: usize },
    #[code("records.query-stopped")]
    Stopped,
}
