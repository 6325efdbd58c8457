//! Moves as people type them: coordinates or SAN, and what they may have left out.

use ashta_rules::KindId;

use super::{MoveTextError, explain_text, read_coordinates, read_san, write_coordinates};
use crate::game::Game;
use crate::moves::{Action, Move};

/// The promotions on the way from one square to another, strongest first, and what is written after the squares.
pub fn promotions<'a>(game: &Game, text: &'a str) -> (Vec<String>, &'a str) {
    let grid = game.rules().grid();
    let squares = grid.read_square(text).and_then(|(from, rest)| Some((from, grid.read_square(rest)?)));
    let Some((typed_from, (typed_to, rest))) = squares else { return (Vec::new(), "") };
    let mut found: Vec<(KindId, String)> = Vec::new();
    for mv in game.legal_moves() {
        if let Action::Go { from, to, becomes: Some(kind) } = mv.action()
            && (from, to) == (typed_from, typed_to)
        {
            found.push((kind, write_coordinates(game, mv)));
        }
    }
    // Kinds stand in the file from the weakest to the strongest.
    found.sort_by_key(|(kind, _)| std::cmp::Reverse(*kind));
    (found.into_iter().map(|(_, text)| text).collect(), rest)
}

/// A move as coordinates or, if it is not written so, as SAN; one that is not legal is refused with the reason.
pub fn read_move(game: &Game, word: &str) -> Result<Move, MoveTextError> {
    let text = match read_either(game, word) {
        Err(MoveTextError::Illegal { text }) => text,
        read => return read,
    };
    Err(match explain_text(game, word) {
        Some(why) => MoveTextError::Explained { text, why: why.words(game.rules()) },
        None => MoveTextError::Illegal { text },
    })
}

fn read_either(game: &Game, word: &str) -> Result<Move, MoveTextError> {
    let unreadable = match read_coordinates(game, word) {
        Err(error @ MoveTextError::Unreadable { .. }) => error,
        read => return read,
    };
    match read_san(game, word) {
        Err(MoveTextError::Unreadable { .. }) => Err(unreadable),
        read => read,
    }
}
