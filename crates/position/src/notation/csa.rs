//! Moves as the Computer Shogi Association writes them: `+7776FU`, `-0055KA`, `+8822UM`.
//!
//! In: a game whose board and pieces shogi has, and a move or text. Out: text, or a legal move. Never: another game.
//!
//! The code names the piece as it is after the move, so it says whether the piece promotes.

use ashta_messages::message;
use ashta_rules::{KindId, Side, Square};

use super::japanese::{PIECES, check_fits, kind_of, names_of, numbers_of, read_digits};
use super::{MoveTextError, UnfitGame, only_one, unreadable};
use crate::game::Game;
use crate::moves::{Action, Move};

const NOTATION: &str = "CSA";

/// Writes a legal move, with the sign of the side that makes it.
pub fn write_csa(game: &Game, mv: Move) -> Result<String, UnfitGame> {
    let (rules, grid) = (game.rules(), game.rules().grid());
    check_fits(rules, NOTATION)?;
    let said = CsaMove::of(game, mv).ok_or_else(|| UnfitGame::no_piece_move(rules, NOTATION))?;
    let names = names_of(rules, said.kind).ok_or_else(|| UnfitGame::no_name(rules, NOTATION))?;
    let (file, rank) = numbers_of(grid, said.to);
    let (from_file, from_rank) = said.from.map_or((0, 0), |from| numbers_of(grid, from));
    Ok(format!("{}{from_file}{from_rank}{file}{rank}{}", sign_of(game.turn()), names.csa))
}

/// Reads a legal move, with or without the sign; what follows a comma, such as the time, is passed over.
pub fn read_csa(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    check_fits(game.rules(), NOTATION)?;
    let said = text.split_once(',').map_or(text, |(said, _)| said).trim();
    let sign = said.chars().next().filter(|first| matches!(first, '+' | '-'));
    let body = said.strip_prefix(['+', '-']).unwrap_or(said);
    let example = || message!("position.move-example", example = "+7776FU");
    let wanted = read_body(game, body).ok_or_else(|| unreadable(text, example()))?;
    if sign.is_some_and(|sign| sign != sign_of(game.turn())) {
        return only_one(game, text, &[]);
    }
    let is_meant = |mv: &Move| CsaMove::of(game, *mv) == Some(wanted);
    let found: Vec<Move> = game.legal_moves().into_iter().filter(is_meant).collect();
    only_one(game, text, &found)
}

fn sign_of(side: Side) -> char {
    if side == Side::FIRST { '+' } else { '-' }
}

/// What CSA says of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CsaMove {
    /// Nowhere for a drop.
    from: Option<Square>,
    to: Square,
    /// What the piece is after the move.
    kind: KindId,
}

impl CsaMove {
    fn of(game: &Game, mv: Move) -> Option<CsaMove> {
        match mv.action() {
            Action::Pass | Action::TwoLegs { .. } => None,
            Action::Drop { kind, to } => Some(CsaMove { from: None, to, kind }),
            Action::Castle { from, to } | Action::EnPassant { from, to, .. } => {
                game.piece(from).map(|(_, kind)| CsaMove { from: Some(from), to, kind })
            }
            Action::Go { from, to, becomes } => {
                let kind = becomes.or(game.piece(from).map(|(_, kind)| kind))?;
                Some(CsaMove { from: Some(from), to, kind })
            }
        }
    }
}

fn read_body(game: &Game, body: &str) -> Option<CsaMove> {
    let (rules, grid) = (game.rules(), game.rules().grid());
    let (squares, code) = (body.get(..4)?, body.get(4..)?);
    let digits: Vec<char> = squares.chars().collect();
    let [from_file, from_rank, to_file, to_rank] = digits[..] else { return None };
    let from = match squares.starts_with("00") {
        true => None,
        false => Some(read_digits(grid, from_file, from_rank)?),
    };
    let to = read_digits(grid, to_file, to_rank)?;
    let names = PIECES.into_iter().find(|piece| piece.csa == code)?;
    Some(CsaMove { from, to, kind: kind_of(rules, names)? })
}
