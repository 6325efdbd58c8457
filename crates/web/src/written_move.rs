//! A move as it is written in JSON: in coordinates, in SAN, and as players of the game write it.

use ashta_position::notation::{write_coordinates, write_ki2, write_san};
use ashta_position::{Game, Move};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A move as it is written.
#[derive(Clone, Serialize, Deserialize, ToSchema, Default, Debug)]
pub struct WrittenMove {
    /// In coordinates.
    #[serde(default)]
    pub text: String,
    /// As players of chess write it.
    #[serde(default)]
    pub san: String,
    /// As players of this game write it.
    #[serde(default)]
    pub local: String,
    /// Which ply it is, from 1.
    #[serde(default)]
    pub ply: u32,
}

impl WrittenMove {
    /// A move that is about to be played.
    pub fn of(game: &Game, mv: Move, ply: u32) -> WrittenMove {
        let san = write_san(game, mv);
        let local = local(game, mv, &san);
        WrittenMove { text: write_coordinates(game, mv), san, local, ply }
    }
}

/// As Japanese books have it, where they have words for the game; else as players of chess write it.
pub fn local(game: &Game, mv: Move, san: &str) -> String {
    write_ki2(game, mv).unwrap_or_else(|_| san.to_string())
}
