//! Moves as coordinates: `e2e4`, `e7e8q`, `P@e4` (UCI), `7g7f`, `2d2a+`, `P*5e` (USI), `0000` for a pass.
//!
//! A promotion to what the piece's own letter with a `+` stands for is written `+`, any other by the kind's letter.

use ashta_messages::message;
use ashta_rules::{Coordinates, KindId, Rules};

use super::{MoveTextError, shorten};
use crate::game::Game;
use crate::moves::{Action, Move};

/// Writes a legal move.
pub fn write_coordinates(game: &Game, mv: Move) -> String {
    let rules = game.rules();
    let grid = rules.grid();
    match mv.action() {
        Action::Pass => "0000".to_string(),
        Action::Drop { kind, to } => {
            format!("{}{}{}", rules.kind(kind).letter, drop_sign(rules), grid.name(to))
        }
        Action::Castle { from, to } | Action::EnPassant { from, to, .. } => {
            format!("{}{}", grid.name(from), grid.name(to))
        }
        Action::Go { from, to, becomes } => {
            let mover = game.piece(from).map(|(_, kind)| kind);
            let ending = becomes.map(|kind| promotion_text(rules, mover, kind)).unwrap_or_default();
            format!("{}{}{ending}", grid.name(from), grid.name(to))
        }
    }
}

/// What stands between a dropped piece and its square.
pub(super) fn drop_sign(rules: &Rules) -> char {
    match rules.grid().coordinates() {
        Coordinates::Letters => '@',
        Coordinates::Numbers => '*',
    }
}

fn promotion_text(rules: &Rules, mover: Option<KindId>, kind: KindId) -> String {
    let letter = &rules.kind(kind).letter;
    match mover {
        Some(mover) if *letter == format!("+{}", rules.kind(mover).letter) => "+".to_string(),
        _ => letter.to_ascii_lowercase(),
    }
}

/// Reads a legal move.
pub fn read_coordinates(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    let legal = game.legal_moves();
    if let Some(mv) = legal.iter().find(|mv| write_coordinates(game, **mv) == text) {
        return Ok(*mv);
    }
    let grid = game.rules().grid();
    let two_squares = grid.read_square(text).and_then(|(_, rest)| grid.read_square(rest)).is_some();
    let drop = text.split_once(drop_sign(game.rules())).is_some_and(|(_, to)| grid.read_square(to).is_some());
    let text = shorten(text);
    match two_squares || drop {
        true => Err(MoveTextError::Illegal { text }),
        false => {
            let example = legal.first().map(|mv| write_coordinates(game, *mv)).unwrap_or_default();
            Err(MoveTextError::Unreadable { text, why: message!("position.move-example", example) })
        }
    }
}
