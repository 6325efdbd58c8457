//! What targets share: the parts of an input, and texts of errors.

use ashta_position::{CompiledRules, Game};

use crate::fixtures::library_game;
use crate::targets::Reading;

/// The game that the first byte chooses, and the rest.
pub fn game_and_rest(bytes: &[u8]) -> Option<(&'static CompiledRules, &[u8])> {
    let (first, rest) = bytes.split_first()?;
    Some((library_game(*first), rest))
}

/// The same, the rest as text.
pub fn game_and_text(bytes: &[u8]) -> Option<(&'static CompiledRules, &str)> {
    let (rules, rest) = game_and_rest(bytes)?;
    Some((rules, std::str::from_utf8(rest).ok()?))
}

/// An error has a text.
pub fn refused(error: impl std::fmt::Display) -> Reading {
    assert!(!error.to_string().is_empty(), "an error has a reason");
    Reading::Refused
}

/// Plays one move for each byte, as long as there are moves, results or no results.
pub fn play_bytes(game: &mut Game, bytes: &[u8]) {
    for byte in bytes {
        let moves = game.legal_moves();
        if moves.is_empty() {
            break;
        }
        game.play(moves[*byte as usize % moves.len()]).expect("listed moves are legal");
    }
}
