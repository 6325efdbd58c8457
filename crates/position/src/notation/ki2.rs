//! Moves as Japanese books have them: `▲７六歩`, `△同　銀`, `▲５八金右`, `△５五角打`, `▲２三歩不成`; of two legs `７六・８六獅`,
//! `５八居喰い` and `じっと`.
//!
//! In: a game whose board and pieces shogi has, or that names its pieces itself, and a legal move. Out: text that the reader of KIF takes back. Never: an
//! origin where a word for it does.

use super::japanese::{names_of, numbers_of};
use super::kif::{Motion, check_game, place_text};
use super::kif_text::last_to;
use super::{UnfitGame, has_own_names, promotes};
use ashta_rules::{KindId, Rules};

use crate::game::Game;
use crate::moves::{Action, Move};

/// Pieces of which nobody says that they go straight ahead.
const RANGING: [&str; 4] = ["B", "R", "+B", "+R"];

/// Writes a legal move as books do: where two pieces could go, how this one goes or on which side it stood.
pub fn write_ki2(game: &Game, mv: Move) -> Result<String, UnfitGame> {
    let (rules, grid) = (game.rules(), game.rules().grid());
    if !has_own_names(rules) {
        check_game(game, "KI2")?;
    }
    let no_name = || UnfitGame::no_name(rules, "KI2");
    let kind_of = |mv: Move| match mv.action() {
        Action::Drop { kind, .. } => Some(kind),
        Action::Go { .. }
        | Action::Castle { .. }
        | Action::EnPassant { .. }
        | Action::TwoLegs { .. }
        | Action::Pass => mv.from().and_then(|from| game.piece(from)).map(|(_, kind)| kind),
    };
    if mv == Move::PASS && has_own_names(rules) {
        return Ok("じっと".to_string());
    }
    let to = mv.to().ok_or_else(|| UnfitGame::no_piece_move(rules, "KI2"))?;
    let kind = kind_of(mv).ok_or_else(no_name)?;
    let name = book_name(rules, kind).ok_or_else(no_name)?;
    if let Action::TwoLegs { from, middle, to } = mv.action() {
        let middle = place_text(grid, middle);
        return Ok(match from == to {
            true => format!("{middle}居喰い"),
            false => format!("{middle}・{}{name}", place_text(grid, to)),
        });
    }
    let place = match last_to(game) == Some(to) {
        true => "同　".to_string(),
        false => place_text(grid, to),
    };
    let mut goes = game.legal_moves();
    goes.retain(|other| !other.is_drop() && other.to() == Some(to) && kind_of(*other) == Some(kind));
    let ending = match mv.from() {
        None if goes.is_empty() => String::new(),
        None => "打".to_string(),
        Some(from) => {
            let can_promote = goes.iter().any(|other| other.from() == Some(from) && promotes(*other));
            let promotion = match (promotes(mv), can_promote) {
                (true, _) => "成",
                (false, true) => "不成",
                (false, false) => "",
            };
            let (file, rank) = numbers_of(grid, from);
            let words = words_for(game, mv, &goes);
            format!("{}{promotion}", words.unwrap_or_else(|| format!("({file}{rank})")))
        }
    };
    Ok(format!("{place}{name}{ending}"))
}

/// The name of a kind in books: one character where the game names its pieces itself.
fn book_name(rules: &Rules, kind: KindId) -> Option<&str> {
    match has_own_names(rules) {
        true => rules.kind(kind).kanji.as_ref().and_then(|kanji| kanji.first()).map(String::as_str),
        false => names_of(rules, kind).map(|names| names.kif),
    }
}

/// The fewest words that tell the piece from others of its kind that could go there; `None` if no words do.
fn words_for(game: &Game, mv: Move, goes: &[Move]) -> Option<String> {
    let is_only = |motions: &[Motion]| {
        let mut left = goes.to_vec();
        motions.iter().for_each(|motion| motion.filter(game, &mut left));
        !left.is_empty() && left.iter().all(|other| other.from() == mv.from())
    };
    let ranges = |mv: Move| {
        let kind = mv.from().and_then(|from| game.piece(from)).map(|(_, kind)| kind);
        kind.is_some_and(|kind| RANGING.contains(&game.rules().kind(kind).letter.as_str()))
    };
    use Motion::{Backward, Forward, FromLeft, FromRight, Sideways, StraightAhead};
    let mut ways: Vec<&[Motion]> = vec![&[], &[Forward], &[Backward], &[Sideways]];
    if !ranges(mv) {
        ways.push(&[StraightAhead]);
    }
    ways.extend([&[FromRight][..], &[FromLeft]]);
    ways.extend([&[Forward, FromRight][..], &[Forward, FromLeft], &[Backward, FromRight]]);
    ways.extend([&[Backward, FromLeft][..], &[Sideways, FromRight], &[Sideways, FromLeft]]);
    let way = ways.into_iter().find(|way| is_only(way))?;
    // Books say the side first, `右上`; readers look at it last.
    Some(way.iter().rev().map(|motion| motion.word()).collect())
}
