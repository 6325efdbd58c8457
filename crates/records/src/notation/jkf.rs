//! JKF, shogi records as JSON: `{"header": {}, "initial": {}, "moves": [{}, {"move": {...}}, {"special": "TORYO"}]}`.
//!
//! In: the text of one game. Out: a record. Never: a game rejected for its forks.

use ashta_messages::message;
use ashta_position::notation::MoveTextError;
use ashta_position::notation::japanese::square_at;
use ashta_position::{Action, CompiledRules, Game, Move};
use ashta_rules::{Rules, Setup, Side, Square};
use serde_json::Value;

use super::japanese_start::{handicap, kind_of_csa};
use super::kif_headers::tag_of;
use super::record_builder::Taken;
use super::usi::End;
use super::{MoveReader, RawGame, RecordBuilder, RecordError};
use crate::record::begin_from;

pub fn parse(raw: &RawGame, rules: &CompiledRules, _: &mut MoveReader) -> Result<RecordBuilder, RecordError> {
    let value: Value = serde_json::from_str(&raw.text).map_err(|error| {
        RecordError::new(
            raw.line + error.line().saturating_sub(1),
            message!("records.jkf-json", error = error.to_string()),
        )
    })?;
    let mut builder = RecordBuilder::from_start(rules);
    for (head, text) in value["header"].as_object().into_iter().flatten() {
        if let (Some(name), Some(text)) = (tag_of(head), text.as_str()) {
            builder.record.tags.set(&name, text.trim());
        }
    }
    if let Some(setup) = read_initial(rules.rules(), &value["initial"], raw.line)? {
        let game = begin_from(rules, &setup)
            .map_err(|error| RecordError::new(raw.line, message!("records.first-position", error)))?;
        builder.set_start(game);
    }
    let Some(moves) = value["moves"].as_array() else {
        return Err(RecordError::new(raw.line, message!("records.jkf-moves")));
    };
    read_line(&mut builder, moves, raw.line)?;
    Ok(builder)
}

/// The steps of a line; a fork that cannot be parsed is kept as text.
fn read_line(builder: &mut RecordBuilder, steps: &[Value], line: usize) -> Result<(), RecordError> {
    for (n, step) in steps.iter().enumerate() {
        let from = builder.ply();
        let after = take_step(builder, step, line)?;
        if after == After::Unreadable {
            builder.keep(&Value::from(&steps[n..]).to_string());
            return Ok(());
        }
        let comments = step["comments"].as_array().map_or(&[][..], Vec::as_slice);
        comments.iter().filter_map(Value::as_str).for_each(|text| builder.add_comment_line(text));
        if let Some(spent_ms) = spent_on(&step["time"]["now"]).filter(|_| builder.ply() > from) {
            builder.set_time(spent_ms);
        }
        for fork in step["forks"].as_array().map_or(&[][..], Vec::as_slice) {
            match fork.as_array().filter(|_| builder.can_open(from)) {
                Some(fork) => {
                    builder.open(from);
                    read_line(builder, fork, line)?;
                    builder.close();
                }
                None => builder.keep(&fork.to_string()),
            }
        }
        if after == After::Over {
            break;
        }
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    GoesOn,
    Over,
    /// The step belongs to a fork, and cannot be parsed.
    Unreadable,
}

/// The move of a step, or the end of the game.
fn take_step(builder: &mut RecordBuilder, step: &Value, line: usize) -> Result<After, RecordError> {
    if let Some(word) = step["special"].as_str() {
        if builder.in_variation() {
            builder.keep(word);
            return Ok(After::Over);
        }
        let end =
            End::of_word(word).ok_or_else(|| builder.at_move(line, message!("records.jkf-end", word)))?;
        end.settle(builder);
        return Ok(After::Over);
    }
    if step["move"].is_object() {
        let shown = step["move"].to_string();
        if builder.take_move(line, &shown, |game| read_move(game, &step["move"]))? == Taken::Unreadable {
            return Ok(After::Unreadable);
        }
    }
    Ok(After::GoesOn)
}

/// `{"h": 0, "m": 1, "s": 30}`.
fn spent_on(time: &Value) -> Option<u64> {
    let part = |name: &str| time[name].as_u64().unwrap_or(0);
    let minutes = part("h").checked_mul(60)?.checked_add(part("m"))?;
    let seconds = minutes.checked_mul(60)?.checked_add(part("s"))?;
    seconds.checked_mul(1000).filter(|_| time.is_object())
}

fn read_initial(rules: &Rules, initial: &Value, line: usize) -> Result<Option<Setup>, RecordError> {
    let Some(preset) = initial["preset"].as_str() else { return Ok(None) };
    if preset != "OTHER" {
        let unknown = || RecordError::new(line, message!("records.handicap", word = preset));
        return handicap(rules, preset).map(Some).ok_or_else(unknown);
    }
    let wrong = || RecordError::new(line, message!("records.jkf-position"));
    let data = &initial["data"];
    let mut setup = Setup::empty(rules);
    setup.turn = u8::from(data["color"].as_u64() == Some(1));
    for (file, column) in data["board"].as_array().ok_or_else(wrong)?.iter().enumerate() {
        for (rank, piece) in column.as_array().ok_or_else(wrong)?.iter().enumerate() {
            if let Some(name) = piece["kind"].as_str() {
                let square = square_at(rules.grid(), file as u8 + 1, rank as u8 + 1).ok_or_else(wrong)?;
                let side = Side(u8::from(piece["color"].as_u64() == Some(1)));
                let kind = kind_of_csa(rules, name).ok_or_else(wrong)?;
                setup.board[square.0 as usize] = Some((side, kind));
            }
        }
    }
    for (side, hand) in data["hands"].as_array().ok_or_else(wrong)?.iter().enumerate().take(setup.hands.len())
    {
        for (name, count) in hand.as_object().ok_or_else(wrong)? {
            let kind = kind_of_csa(rules, name).ok_or_else(wrong)?;
            setup.hands[side][kind.index()] = count.as_u64().unwrap_or(0).min(99) as u8;
        }
    }
    Ok(Some(setup))
}

fn read_square(game: &Game, value: &Value) -> Option<Square> {
    let number = |name: &str| value[name].as_u64().and_then(|number| u8::try_from(number).ok());
    let (file, rank) = (number("x")?, number("y")?);
    square_at(game.rules().grid(), file, rank).filter(|_| file > 0 && rank > 0)
}

fn read_move(game: &Game, value: &Value) -> Result<Move, MoveTextError> {
    let last_to = game.moves().last().and_then(|mv| mv.to());
    let is_same = value["same"].as_bool() == Some(true);
    let to = read_square(game, &value["to"]).or(last_to.filter(|_| is_same));
    let unreadable =
        || MoveTextError::Unreadable { text: shortened(value), why: message!("records.jkf-no-target") };
    let to = to.ok_or_else(unreadable)?;
    let from = read_square(game, &value["from"]);
    let kind = value["piece"].as_str().and_then(|name| kind_of_csa(game.rules(), name));
    let promotes = value["promote"].as_bool() == Some(true);
    let fits = |mv: &Move| match (mv.action(), from) {
        (Action::Drop { kind: dropped, to: end }, None) => Some(dropped) == kind && end == to,
        (Action::Go { from: begin, to: end, becomes }, Some(from)) => {
            begin == from && end == to && becomes.is_some() == promotes
        }
        (
            Action::Go { .. }
            | Action::Drop { .. }
            | Action::Castle { .. }
            | Action::EnPassant { .. }
            | Action::TwoLegs { .. }
            | Action::Pass,
            _,
        ) => false,
    };
    let illegal = || MoveTextError::Illegal { text: shortened(value) };
    game.legal_moves().into_iter().find(fits).ok_or_else(illegal)
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}
