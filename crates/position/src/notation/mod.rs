//! Moves as text.
//!
//! In: a game and a move, or text. Out: text, or a legal move. Never: an illegal move from text, however written.

mod coordinates;

pub use coordinates::{read_coordinates, write_coordinates};

/// Why a text is not a move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveTextError {
    /// It is not written as moves are.
    #[error("`{text}` is not written as a move: {why}")]
    Unreadable {
        /// As typed, shortened.
        text: String,
        /// What is wrong.
        why: String,
    },
    /// It is written well, but the move is not legal.
    #[error("`{text}` is not legal here")]
    Illegal {
        /// As typed, shortened.
        text: String,
    },
    /// It could be several moves.
    #[error("`{text}` could be {}", candidates.join(" or "))]
    Ambiguous {
        /// As typed, shortened.
        text: String,
        /// The moves, in coordinates.
        candidates: Vec<String>,
    },
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(20) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
