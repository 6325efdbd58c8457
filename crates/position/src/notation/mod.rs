//! Moves as text.
//!
//! In: a game and a move, or text. Out: text, or a legal move. Never: an illegal move from text, however written.

mod coordinates;
mod csa;
mod explain;
pub mod japanese;
mod ki2;
mod kif;
mod kif_text;
mod large_kif;
mod san;
mod san_text;
mod typed;

pub use coordinates::{read_coordinates, write_coordinates};
pub use csa::{read_csa, write_csa};
pub use explain::{explain_kif, explain_text};
pub use ki2::write_ki2;
pub use kif::{read_kif, write_kif};
pub use large_kif::{has_own_names, write_large_kif};
pub use san::{read_san, write_san};
pub use typed::{promotions, read_move};

use ashta_messages::{Message, Tell, message};
use ashta_rules::Rules;

use crate::game::Game;
use crate::moves::{Action, Move};

/// Why a text is not a move.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum MoveTextError {
    /// It is not written as moves are.
    #[code("position.unreadable-move")]
    Unreadable {
        /// As typed, shortened.
        text: String,
        /// What is wrong.
        why: Message,
    },
    /// It is written well, but the move is not legal.
    #[code("position.illegal")]
    Illegal {
        /// As typed, shortened.
        text: String,
    },
    /// It is written well, but the move is not legal, and why.
    #[code("position.illegal-because")]
    Explained {
        /// As typed, shortened.
        text: String,
        /// What [`Illegal::words`](crate::Illegal::words) says.
        why: Message,
    },
    /// It could be several moves.
    #[code("position.ambiguous-move")]
    Ambiguous {
        /// As typed, shortened.
        text: String,
        /// The moves, in coordinates.
        candidates: Vec<String>,
    },
    /// The notation has no words for this game.
    #[code(transparent)]
    Unfit(#[from] UnfitGame),
}

/// Why a notation cannot write the moves of a game.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("position.unfit-notation")]
pub struct UnfitGame {
    /// The notation's name.
    pub notation: &'static str,
    /// The game's name.
    pub game: String,
    /// What it has no words for.
    pub why: Message,
}

impl UnfitGame {
    /// A notation cannot write a game, and why.
    pub fn new(rules: &Rules, notation: &'static str, why: Message) -> UnfitGame {
        UnfitGame { notation, game: rules.name().to_string(), why }
    }

    /// A pass, for which Japanese notations have no word.
    pub fn no_piece_move(rules: &Rules, notation: &'static str) -> UnfitGame {
        UnfitGame::new(rules, notation, message!("position.unfit-no-piece-move"))
    }

    fn no_name(rules: &Rules, notation: &'static str) -> UnfitGame {
        UnfitGame::new(rules, notation, message!("position.unfit-no-name"))
    }
}

/// The one move that a text may mean.
fn only_one(game: &Game, text: &str, moves: &[Move]) -> Result<Move, MoveTextError> {
    match moves {
        [] => Err(MoveTextError::Illegal { text: shorten(text) }),
        [mv] => Ok(*mv),
        _ => {
            let candidates = moves.iter().map(|mv| write_coordinates(game, *mv)).collect();
            Err(MoveTextError::Ambiguous { text: shorten(text), candidates })
        }
    }
}

/// Leaves out promotions of pieces that may make the same way and stay as they are: silence means staying.
fn silence_stays(moves: &mut Vec<Move>) {
    let staying: Vec<Move> = moves.iter().copied().filter(|mv| !promotes(*mv)).collect();
    moves.retain(|mv| !promotes(*mv) || !staying.iter().any(|other| same_way(*mv, *other)));
}

fn promotes(mv: Move) -> bool {
    matches!(mv.action(), Action::Go { becomes: Some(_), .. })
}

fn same_way(a: Move, b: Move) -> bool {
    (a.from(), a.to()) == (b.from(), b.to())
}

fn unreadable(text: &str, why: Message) -> MoveTextError {
    MoveTextError::Unreadable { text: shorten(text), why }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(20) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}
