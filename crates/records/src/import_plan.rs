//! Options and report of an import.

use ashta_messages::Message;

use crate::limits::Limits;
use crate::notation::Format;

/// Positions per batch: what a kill may lose, and about 200 MB of memory.
const BATCH_POSITIONS: usize = 1 << 22;

/// Bytes of text per batch, and of merged records.
pub(crate) const BATCH_TEXT_BYTES: usize = 1 << 27;

#[derive(Clone, Copy, Debug)]
pub struct ImportPlan {
    /// The format of all files; `None` to detect it for each.
    pub format: Option<Format>,
    /// Positions per commit.
    pub batch_positions: usize,
    pub limits: Limits,
    pub duplicates: DuplicatePolicy,
}

/// What to do with a record whose game is in the collection.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum DuplicatePolicy {
    /// Add its information to the existing record.
    #[default]
    Merge,
    /// Add it too, unless it is identical.
    KeepBoth,
}

impl Default for ImportPlan {
    fn default() -> ImportPlan {
        ImportPlan {
            format: None,
            batch_positions: BATCH_POSITIONS,
            limits: Limits::default(),
            duplicates: DuplicatePolicy::default(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ImportReport {
    pub n_files: usize,
    pub n_added: usize,
    /// Positions of the added games.
    pub n_positions: usize,
    /// Duplicates: the same moves from the same position, with compatible players and dates.
    pub n_known: usize,
    /// Duplicates that had more tags, comments, glyphs, times or variations, which were added.
    pub n_merged: usize,
    /// Added games whose date tag is not a date; it is kept as text.
    pub n_not_dates: usize,
    /// Records whose first position cannot be played (a side has no royal piece, or several, or could be captured at
    /// once), added as diagrams.
    pub n_diagrams: usize,
    /// Where the first diagram is, and why it is one.
    pub first_diagram: Option<Message>,
    pub n_refused: usize,
    /// Compressed files beyond the limits; what was read before is kept.
    pub n_too_large: usize,
}
