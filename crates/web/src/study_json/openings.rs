//! Books of openings for programs and for the page.

use serde::Serialize;
use utoipa::ToSchema;

/// What a book has of a position.
#[derive(Serialize, ToSchema, Debug)]
pub struct BookNodeJson {
    pub position: String,
    pub name: Option<String>,
    /// What was said of it.
    pub comment: Option<String>,
    /// Its moves.
    pub moves: Vec<BookMoveJson>,
}

/// A move of a book.
#[derive(Serialize, ToSchema, Debug)]
pub struct BookMoveJson {
    /// As players write it.
    #[serde(rename = "move")]
    pub text: String,
    /// From and to.
    pub coordinates: String,
    /// `!`, `?`, `!!`, `??`, `!?`, `?!`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<&'static str>,
    /// In how many games it was played.
    pub games: u64,
    /// Won by the side that moves first.
    pub first_wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the other.
    pub second_wins: u64,
    /// The name of the position after it.
    pub name: Option<String>,
}
