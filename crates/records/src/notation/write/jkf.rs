//! JKF writer: a line per game.

use ashta_position::notation::japanese::{check_fits, names_of, numbers_of, square_at};
use ashta_position::notation::{UnfitGame, write_kif};
use ashta_position::{Action, Game, Move};
use ashta_rules::{KindId, Rules, Setup, Square};
use serde_json::{Map, Value, json};

use super::super::glyphs::{Lacks, comment_lines};
use super::super::kif_headers::heads_of;
use super::{end_word, notated};
use crate::annotations::{NotatedLine, Note};
use crate::record::GameRecord;

pub fn write(record: &GameRecord, mut game: Game, out: &mut String) -> Result<(), UnfitGame> {
    check_fits(game.rules(), "JKF")?;
    let header: Map<String, Value> =
        heads_of(&record.tags).into_iter().map(|(head, value)| (head.to_string(), value.into())).collect();
    let initial = match record.start {
        None => json!({ "preset": "HIRATE" }),
        Some(_) => json!({ "preset": "OTHER", "data": position_value(game.rules(), &game.setup()) }),
    };
    let line = notated(record, &mut game, move_value)?;
    let is_ours = |word: &str| word.is_ascii() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let mut moves = vec![step(Map::new(), line.before)];
    moves.extend(steps(&line, end_word(record, &game, is_ours)));
    let value = json!({ "header": header, "initial": initial, "moves": moves });
    *out += &value.to_string();
    out.push('\n');
    Ok(())
}

/// The steps of a line; variations that continue after its end go with its end.
fn steps(line: &NotatedLine<Value>, end: Option<String>) -> Vec<Value> {
    let mut steps = Vec::with_capacity(line.moves.len() + 1);
    for mv in &line.moves {
        let mut object = Map::new();
        object.insert("move".into(), mv.text.clone());
        put_forks(&mv.instead, &mut object);
        steps.push(step(object, mv.note));
    }
    let mut last = Map::new();
    last.extend(end.map(|word| ("special".to_string(), word.into())));
    put_forks(&line.onward, &mut last);
    if !last.is_empty() {
        steps.push(last.into());
    }
    steps
}

fn put_forks(lines: &[NotatedLine<Value>], object: &mut Map<String, Value>) {
    let fork = |line: &NotatedLine<Value>| {
        let before = line.before.map(|note| step(Map::new(), Some(note)));
        Value::from(before.into_iter().chain(steps(line, None)).collect::<Vec<_>>())
    };
    if !lines.is_empty() {
        object.insert("forks".into(), lines.iter().map(fork).collect());
    }
}

fn step(mut object: Map<String, Value>, note: Option<&Note>) -> Value {
    let Some(note) = note else { return object.into() };
    let lines = comment_lines(note, Lacks::Glyphs);
    if !lines.is_empty() {
        object.insert("comments".into(), lines.into());
    }
    if let Some(seconds) =
        note.spent_ms.filter(|spent_ms| spent_ms.is_multiple_of(1000)).map(|spent_ms| spent_ms / 1000)
    {
        let now = json!({ "h": seconds / 3600, "m": seconds / 60 % 60, "s": seconds % 60 });
        object.insert("time".into(), json!({ "now": now }));
    }
    object.into()
}

fn square_value(rules: &Rules, square: Square) -> Value {
    let (file, rank) = numbers_of(rules.grid(), square);
    json!({ "x": file, "y": rank })
}

fn name(rules: &Rules, kind: KindId) -> Option<&'static str> {
    names_of(rules, kind).map(|names| names.csa)
}

fn move_value(game: &Game, mv: Move) -> Result<Value, UnfitGame> {
    // JKF can express the moves that KIF can.
    write_kif(game, mv)?;
    let rules = game.rules();
    let unfit = || UnfitGame::no_piece_move(rules, "JKF");
    let to = mv.to().ok_or_else(unfit)?;
    let mut value = json!({ "color": game.turn().0, "to": square_value(rules, to) });
    let moved = match mv.action() {
        Action::Drop { kind, .. } => Some(kind),
        Action::Go { .. }
        | Action::Castle { .. }
        | Action::EnPassant { .. }
        | Action::TwoLegs { .. }
        | Action::Pass => mv.from().and_then(|from| game.piece(from)).map(|(_, kind)| kind),
    };
    value["piece"] = moved.and_then(|kind| name(rules, kind)).ok_or_else(unfit)?.into();
    if let Some(from) = mv.from() {
        value["from"] = square_value(rules, from);
        if mv.becomes().is_some() {
            value["promote"] = true.into();
        }
    }
    if game.moves().last().and_then(|last| last.to()) == Some(to) {
        value["same"] = true.into();
    }
    if let Some(taken) = game.piece(to).and_then(|(_, kind)| name(rules, kind)) {
        value["capture"] = taken.into();
    }
    Ok(value)
}

fn position_value(rules: &Rules, setup: &Setup) -> Value {
    let grid = rules.grid();
    let piece = |file: u8, rank: u8| {
        let piece = square_at(grid, file, rank).and_then(|square| setup.board[square.0 as usize]);
        piece.map_or(json!({}), |(side, kind)| json!({ "color": side.0, "kind": name(rules, kind) }))
    };
    let column = |file: u8| (1..=grid.ranks()).map(|rank| piece(file, rank)).collect::<Value>();
    let board: Value = (1..=grid.files()).map(column).collect();
    let hand = |side: usize| {
        let held = super::held_kinds(setup, side).into_iter();
        let named = held.filter_map(|(kind, n)| Some((name(rules, kind)?.to_string(), Value::from(n))));
        Value::from(named.collect::<Map<String, Value>>())
    };
    json!({ "color": setup.turn, "board": board, "hands": [hand(0), hand(1)] })
}
