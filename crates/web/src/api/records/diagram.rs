//! A position for a diagram: pieces and hands, without legal moves.

use ashta_position::Game;
use ashta_records::Collection;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::position_view::{HeldPieces, LastMove, PlacedPiece, hands, last_move, placed};
use crate::api_error::ApiError;

/// A position to be drawn, without legal moves.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct Diagram {
    /// The position as the game writes it.
    pub text: String,
    /// The side to move.
    pub turn: u8,
    /// Pieces by square.
    pub board: Vec<PlacedPiece>,
    /// What each side holds.
    pub hands: Vec<Vec<HeldPieces>>,
    /// The move that led there.
    pub last: Option<LastMove>,
}

impl Diagram {
    pub fn of(game: &Game) -> Diagram {
        Diagram {
            text: game.text(),
            turn: game.turn().0,
            board: placed(game.rules(), |square| game.piece(square)),
            hands: hands(game),
            last: game.moves().last().and_then(|mv| last_move(game.rules(), *mv)),
        }
    }
}

/// A recorded game, by its number from 0, played to a ply or to its end.
pub fn game_at(collection: &Collection, number: usize, ply: usize) -> Result<Option<Game>, ApiError> {
    let Some((segment, local)) = collection.locate(number) else { return Ok(None) };
    let mut game = segment.begin(collection.rules(), local)?;
    for mv in segment.moves(local)?.take(ply) {
        game.play_unchecked(mv);
    }
    Ok(Some(game))
}
