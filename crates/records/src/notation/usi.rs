//! Games on single lines: `startpos moves 7g7f 3c3d`, `sfen ... moves ...`, and tables with the moves in the last
//! field.
//!
//! In: a line. Out: a record. Never: an illegal move.

use ashta_messages::message;
use ashta_position::{CompiledRules, Reason};
use ashta_rules::Side;

use super::{MoveReader, RawGame, RecordBuilder, RecordError};
use crate::record::{GameRecord, GameResult, begin_from_text, tag};
use crate::termination::Termination;

pub fn parse_line(
    raw: &RawGame,
    rules: &CompiledRules,
    reader: &mut MoveReader,
) -> Result<RecordBuilder, RecordError> {
    let mut builder = RecordBuilder::from_start(rules);
    let text = raw.text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
    let (start, moves) = match text.split_once("moves") {
        Some((start, moves)) => (start.trim(), moves),
        None if text.starts_with("startpos") || text.contains('/') => (text, ""),
        None => ("", text),
    };
    let position = start.strip_prefix("sfen ").or_else(|| start.strip_prefix("fen ")).unwrap_or(start).trim();
    if !matches!(position, "" | "startpos") {
        begin(&mut builder, rules, position, raw.line)?;
    }
    play_words(&mut builder, reader, moves, raw.line)?;
    Ok(builder)
}

fn begin(
    builder: &mut RecordBuilder,
    rules: &CompiledRules,
    text: &str,
    line: usize,
) -> Result<(), RecordError> {
    let game = begin_from_text(rules, text)
        .map_err(|error| RecordError::new(line, message!("records.first-position", error)))?;
    builder.set_start(game);
    Ok(())
}

fn play_words(
    builder: &mut RecordBuilder,
    reader: &mut MoveReader,
    moves: &str,
    line: usize,
) -> Result<(), RecordError> {
    for word in moves.split_whitespace() {
        if let Some(end) = End::of_word(word) {
            end.settle(builder);
            break;
        }
        builder.take_move(line, word, |game| reader.coordinates(game, word))?;
    }
    Ok(())
}

/// How a game ended, in the words of tables, USI and JKF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    MoverLost(Termination),
    MoverWon(Termination),
    Drawn(Termination),
    /// No result.
    Open(Termination),
}

/// An illegal move in PGN.
pub const RULES_BROKEN: &str = "rules infraction";

/// Termination words of every notation.
pub const ENDS: [(&str, End); 47] = [
    ("resign", End::MoverLost(Termination::Resigned)),
    ("TORYO", End::MoverLost(Termination::Resigned)),
    ("投了", End::MoverLost(Termination::Resigned)),
    ("mate", End::MoverLost(Termination::Rules(Reason::Checkmate))),
    ("checkmate", End::MoverLost(Termination::Rules(Reason::Checkmate))),
    ("TSUMI", End::MoverLost(Termination::Rules(Reason::Checkmate))),
    ("詰み", End::MoverLost(Termination::Rules(Reason::Checkmate))),
    ("詰", End::MoverLost(Termination::Rules(Reason::Checkmate))),
    ("timeup", End::MoverLost(Termination::Time)),
    ("timeout", End::MoverLost(Termination::Time)),
    ("TIME_UP", End::MoverLost(Termination::Time)),
    ("切れ負け", End::MoverLost(Termination::Time)),
    ("時間切れ", End::MoverLost(Termination::Time)),
    ("Time-up", End::MoverLost(Termination::Time)),
    ("ILLEGAL_MOVE", End::MoverLost(Termination::IllegalMove)),
    ("foulLose", End::MoverLost(Termination::IllegalMove)),
    ("反則負け", End::MoverLost(Termination::IllegalMove)),
    ("不戦敗", End::MoverLost(Termination::Forfeit)),
    ("foulWin", End::MoverWon(Termination::IllegalMove)),
    ("反則勝ち", End::MoverWon(Termination::IllegalMove)),
    ("反則", End::MoverWon(Termination::IllegalMove)),
    ("win", End::MoverWon(Termination::Declared)),
    ("KACHI", End::MoverWon(Termination::Declared)),
    ("入玉勝ち", End::MoverWon(Termination::Declared)),
    ("不戦勝", End::MoverWon(Termination::Forfeit)),
    ("draw", End::Drawn(Termination::Agreed)),
    ("HIKIWAKE", End::Drawn(Termination::Agreed)),
    ("引き分け", End::Drawn(Termination::Agreed)),
    ("引分", End::Drawn(Termination::Agreed)),
    ("sennichite", End::Drawn(Termination::Rules(Reason::Repetition))),
    ("rep_draw", End::Drawn(Termination::Rules(Reason::Repetition))),
    ("SENNICHITE", End::Drawn(Termination::Rules(Reason::Repetition))),
    ("千日手", End::Drawn(Termination::Rules(Reason::Repetition))),
    ("impasse", End::Drawn(Termination::DrawnImpasse)),
    ("JISHOGI", End::Drawn(Termination::DrawnImpasse)),
    ("持将棋", End::Drawn(Termination::DrawnImpasse)),
    ("MAX_MOVES", End::Drawn(Termination::Rules(Reason::PlyCap))),
    ("最大手数", End::Drawn(Termination::Rules(Reason::PlyCap))),
    ("interrupt", End::Open(Termination::Interrupted)),
    ("break", End::Open(Termination::Interrupted)),
    ("CHUDAN", End::Open(Termination::Interrupted)),
    ("中断", End::Open(Termination::Interrupted)),
    ("封じ手", End::Open(Termination::Sealed)),
    ("MATTA", End::Open(Termination::Interrupted)),
    ("ERROR", End::Open(Termination::Interrupted)),
    ("FUZUMI", End::Open(Termination::NoMate)),
    ("不詰", End::Open(Termination::NoMate)),
];

impl End {
    pub fn of_word(word: &str) -> Option<End> {
        ENDS.iter().find(|(known, _)| *known == word).map(|(_, end)| *end)
    }

    pub fn why(self) -> Termination {
        match self {
            End::MoverLost(why) | End::MoverWon(why) | End::Drawn(why) | End::Open(why) => why,
        }
    }

    /// Stores the end in a record whose moves are complete.
    pub fn settle(self, builder: &mut RecordBuilder) {
        let turn = builder.game.turn();
        let other = GameRecord::opponent(builder.game.rules(), turn);
        let (result, why) = match self {
            // The side that made the illegal move is still to move, and has lost, whatever the word.
            End::MoverLost(_) | End::MoverWon(_) if builder.is_foul() => {
                (other.map_or(GameResult::Unknown, GameResult::Won), Termination::IllegalMove)
            }
            End::MoverLost(why) => (other.map_or(GameResult::Unknown, GameResult::Won), why),
            End::MoverWon(why) => (GameResult::Won(turn), why),
            End::Drawn(why) => (GameResult::Draw, why),
            End::Open(why) => (GameResult::Unknown, why),
        };
        builder.record.result = result;
        // A header about the termination is more specific.
        if builder.record.tags.get(tag::TERMINATION).is_none() {
            builder.record.tags.set(tag::TERMINATION, why.to_string());
        }
    }
}

/// Column names of tables and their tags.
const COLUMNS: [(&str, &str); 7] = [
    ("black", tag::PLAYERS[0]),
    ("white", tag::PLAYERS[1]),
    ("date", tag::DATE),
    ("event", tag::EVENT),
    ("site", tag::SITE),
    ("opening", tag::OPENING),
    ("round", tag::ROUND),
];

/// A row of a table: the moves in the last field; a heading, if there is one, names the others. Without a heading, a
/// field with a termination word is the end of the game.
pub fn parse_row(
    raw: &RawGame,
    rules: &CompiledRules,
    reader: &mut MoveReader,
) -> Result<RecordBuilder, RecordError> {
    let mut builder = RecordBuilder::from_start(rules);
    let (heading, row) = match raw.text.split_once('\n') {
        Some((heading, row)) if heading.starts_with('#') => (heading.trim_start_matches('#'), row),
        _ => ("", raw.text.as_str()),
    };
    let fields: Vec<&str> = row.trim_end_matches('\n').split('\t').collect();
    let Some((moves, known)) = fields.split_last() else {
        return Err(RecordError::new(raw.line, message!("records.no-fields")));
    };
    let mut end = None;
    let names: Vec<&str> = heading.split('\t').collect();
    for (n, value) in known.iter().map(|value| value.trim()).enumerate() {
        match names.get(n).copied().unwrap_or_default() {
            "end" => end = End::of_word(value),
            "init_sfen" | "sfen" | "fen" => {
                if !value.is_empty() {
                    begin(&mut builder, rules, value, raw.line)?;
                }
            }
            "" if end.is_none() => end = End::of_word(value),
            name => {
                let ours = COLUMNS.iter().find(|(theirs, _)| *theirs == name);
                ours.iter().for_each(|(_, ours)| builder.record.tags.set(ours, value));
            }
        }
    }
    play_words(&mut builder, reader, moves, raw.line)?;
    if let Some(end) = end {
        end.settle(&mut builder);
    }
    Ok(builder)
}

/// A side by its sign or Japanese name.
pub fn side_named(text: &str) -> Option<Side> {
    match text {
        "先手" | "下手" | "▲" | "+" => Some(Side::FIRST),
        "後手" | "上手" | "△" | "-" => Some(Side::SECOND),
        _ => None,
    }
}
