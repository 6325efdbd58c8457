//! Moves as coordinates: `e2e4`, `e7e8q`, `P@e4` (UCI), `7g7f`, `2d2a+`, `P*5e` (USI), `0000` for a pass.
//!
//! Moves of two legs name the square on the way: `7f6e5d`, `7f6e7f`. A pass by stepping out and back is written so too; of
//! several, the first piece and the first empty square in board order are named.
//!
//! A promotion to what the piece's own letter with a `+` stands for is written `+`, one back to what it is without the `+` is
//! written `-`, any other by the kind's letter.

use ashta_messages::message;
use ashta_rules::{Coordinates, KindId, Pass, Path, Rules, Square};

use super::{MoveTextError, shorten};
use crate::game::Game;
use crate::moves::{Action, Move};
use crate::tables::PartView;
use crate::word::{Wide, Word};

/// Writes a legal move.
pub fn write_coordinates(game: &Game, mv: Move) -> String {
    let rules = game.rules();
    let grid = rules.grid();
    match mv.action() {
        Action::Pass => out_and_back_text(game).unwrap_or_else(|| "0000".to_string()),
        Action::Drop { kind, to } => {
            format!("{}{}{}", rules.kind(kind).letter, drop_sign(rules), grid.name(to))
        }
        Action::Castle { from, to } | Action::EnPassant { from, to, .. } => {
            format!("{}{}", grid.name(from), grid.name(to))
        }
        Action::TwoLegs { from, middle, to } => {
            format!("{}{}{}", grid.name(from), grid.name(middle), grid.name(to))
        }
        Action::Go { from, to, becomes } => {
            let mover = game.piece(from).map(|(_, kind)| kind);
            let ending = becomes.map(|kind| promotion_text(rules, mover, kind)).unwrap_or_default();
            format!("{}{}{ending}", grid.name(from), grid.name(to))
        }
    }
}

/// The pass of a game in which only pieces that step out and back may pass.
fn out_and_back_text(game: &Game) -> Option<String> {
    let (rules, grid) = (game.rules(), game.rules().grid());
    if rules.pass() == Pass::Allowed {
        return None;
    }
    let steps_out = |from: Square| {
        let out = grid.squares().find(|to| steps_out_and_back(game, from, *to))?;
        Some(format!("{}{}{}", grid.name(from), grid.name(out), grid.name(from)))
    };
    grid.squares().find_map(steps_out)
}

/// Whether the piece on `from` may step to `to`, which is empty, and back.
fn steps_out_and_back(game: &Game, from: Square, to: Square) -> bool {
    let (rules, turn) = (game.rules(), game.turn());
    let Some((_, kind)) = game.piece(from).filter(|(side, _)| *side == turn) else { return false };
    game.piece(to).is_none()
        && rules.kind(kind).moves.iter().any(|part| {
            let view = PartView { rules, side: turn, kind, part };
            part.movement.path == Path::OutAndBack
                && view.starts().has(from)
                && view.leaps(from).contains(&to)
        })
}

/// A move over an empty square, which other programs write: out and back is a pass, anything else goes there directly.
fn over_empty(game: &Game, text: &str, legal: &[Move]) -> Option<Move> {
    let grid = game.rules().grid();
    let (from, rest) = grid.read_square(text)?;
    let (middle, rest) = grid.read_square(rest)?;
    let (to, rest) = grid.read_square(rest)?;
    if !rest.is_empty() || game.piece(middle).is_some() {
        return None;
    }
    let (_, kind) = game.piece(from)?;
    let rules = game.rules();
    let is_way = rules.kind(kind).moves.iter().any(|part| match &part.movement.path {
        Path::TwoLegs { turns } => {
            let view = PartView { rules, side: game.turn(), kind, part };
            let ways = view.two_legs::<Wide<4>>(from, turns);
            ways.iter().any(|(over, ends)| *over == middle && ends.has(to))
        }
        _ => false,
    });
    let meant = match from == to {
        true if steps_out_and_back(game, from, middle) => Move::PASS,
        false if is_way => Move::go(from, to),
        _ => return None,
    };
    legal.contains(&meant).then_some(meant)
}

/// A castling named by the way of the royal piece, where its partner's square names it.
fn castling_by_ends(game: &Game, text: &str, legal: &[Move]) -> Option<Move> {
    let grid = game.rules().grid();
    let (from, rest) = grid.read_square(text)?;
    let (end, rest) = grid.read_square(rest)?;
    let is_it = |mv: &&Move| match mv.action() {
        Action::Castle { from: royal, to } => {
            let castling = game.rules().castling_of(game.turn(), royal, to);
            castling.is_some_and(|castling| castling.royal == (from, end))
        }
        _ => false,
    };
    rest.is_empty().then(|| legal.iter().find(is_it).copied()).flatten()
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
        Some(mover) if rules.kind(mover).letter == format!("+{letter}") => "-".to_string(),
        _ => rules.kind(kind).move_letter().to_ascii_lowercase(),
    }
}

/// Reads a legal move.
pub fn read_coordinates(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    let legal = game.legal_moves();
    if let Some(mv) = legal.iter().find(|mv| write_coordinates(game, **mv) == text) {
        return Ok(*mv);
    }
    if let Some(mv) = over_empty(game, text, &legal) {
        return Ok(mv);
    }
    if let Some(mv) = castling_by_ends(game, text, &legal) {
        return Ok(mv);
    }
    if text == "0000" && legal.contains(&Move::PASS) {
        return Ok(Move::PASS);
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
