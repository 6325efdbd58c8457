//! Writes records: PGN and USI for every game, CSA and KIF for games of shogi's pieces.
//!
//! In: a record and its rules. Out: text that our readers take back. Never: half a record.

use std::fmt::Write as _;

use ashta_position::notation::japanese::{check_fits, names_of, square_at};
use ashta_position::notation::{UnfitGame, write_coordinates, write_csa, write_kif, write_san};
use ashta_position::{CompiledRules, Game, Move, PositionTextError};
use ashta_rules::{KindId, Rules, Setup, Side};
use thiserror::Error;

use super::Format;
use super::pgn::name_in_pgn;
use super::usi::{ENDS, End};
use crate::record::{GameRecord, GameResult, tag};

/// Why a record cannot be written.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum WriteError {
    /// The format has no words for the game.
    #[error(transparent)]
    Unfit(#[from] UnfitGame),
    /// The record's first position is not one.
    #[error(transparent)]
    Start(#[from] PositionTextError),
    /// We do not write this format.
    #[error("records are not written as {0}")]
    ReadOnly(&'static str),
}

/// Columns of a line of moves.
const LINE: usize = 80;

/// Appends a record to a text.
pub fn write_record(
    format: Format,
    record: &GameRecord,
    rules: &CompiledRules,
    out: &mut String,
) -> Result<(), WriteError> {
    let game = record.begin(rules)?;
    match format {
        Format::Pgn => write_pgn(record, game, out),
        Format::Usi => write_usi(record, game, out),
        Format::Csa => write_csa_record(record, game, out)?,
        Format::Kif => write_kif_record(record, game, out)?,
        Format::Table | Format::Ki2 | Format::Jkf => return Err(WriteError::ReadOnly(format.name())),
    }
    Ok(())
}

/// Plays the moves, writing each before it is played.
fn play<T>(
    record: &GameRecord,
    game: &mut Game,
    mut write: impl FnMut(&Game, Move) -> Result<T, UnfitGame>,
) -> Result<Vec<T>, UnfitGame> {
    let mut words = Vec::with_capacity(record.moves.len());
    for mv in &record.moves {
        words.push(write(game, *mv)?);
        game.play_unchecked(*mv);
    }
    Ok(words)
}

fn write_pgn(record: &GameRecord, mut game: Game, out: &mut String) {
    let result = match record.result {
        GameResult::Won(side) if side.0 > 1 => "*".to_string(),
        result => result.text(),
    };
    let known = |name: &str| record.tags.get(name).unwrap_or("?");
    let seven = [tag::EVENT, tag::SITE, tag::DATE, tag::ROUND, tag::PLAYERS[0], tag::PLAYERS[1]];
    let put = |out: &mut String, name: &str, value: &str| {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        _ = writeln!(out, "[{} \"{escaped}\"]", name_in_pgn(name));
    };
    seven.iter().for_each(|name| put(out, name, known(name)));
    put(out, "Result", &result);
    for (name, value) in record.tags.iter().filter(|(name, _)| !seven.contains(name)) {
        put(out, name, value);
    }
    if game.rules().id() != Format::Pgn.usual_game() {
        put(out, "Variant", game.rules().id());
    }
    if let Some(start) = &record.start {
        put(out, "SetUp", "1");
        put(out, "FEN", start);
    }
    out.push('\n');
    let first_ply = game.setup().ply as usize;
    let n_sides = game.rules().sides().len();
    let words = play(record, &mut game, |game, mv| Ok(write_san(game, mv))).unwrap_or_default();
    let mut column = 0;
    let numbered = words.into_iter().enumerate().flat_map(|(n, word)| {
        let ply = first_ply + n;
        let number = match (ply % n_sides, n) {
            (0, _) => Some(format!("{}.", ply / n_sides + 1)),
            (_, 0) => Some(format!("{}...", ply / n_sides + 1)),
            _ => None,
        };
        let said = record.comments.get(&(n + 1)).map(|text| in_braces(text));
        number.into_iter().chain([word]).chain(said)
    });
    let said = record.comments.get(&0).map(|text| in_braces(text));
    for word in said.into_iter().chain(numbered).chain([result]) {
        if column > 0 {
            let wraps = column + 1 + word.len() > LINE;
            out.push(if wraps { '\n' } else { ' ' });
            column = if wraps { 0 } else { column + 1 };
        }
        column += word.len();
        out.push_str(&word);
    }
    out.push_str("\n\n");
}

/// A comment; nothing in it may end it.
fn in_braces(text: &str) -> String {
    let inside: Vec<&str> = text.split_whitespace().collect();
    format!("{{{}}}", inside.join(" ").replace('}', ")"))
}

fn write_usi(record: &GameRecord, mut game: Game, out: &mut String) {
    let start = match &record.start {
        None => "startpos".to_string(),
        Some(text) => format!("sfen {text}"),
    };
    let mut words = play(record, &mut game, |game, mv| Ok(write_coordinates(game, mv))).unwrap_or_default();
    words.extend(end_word(record, &game, |word| {
        word.is_ascii() && word.chars().all(|c| c.is_lowercase() || c == '_')
    }));
    let moves = if words.is_empty() { String::new() } else { format!(" moves {}", words.join(" ")) };
    _ = writeln!(out, "position {start}{moves}");
}

/// The word for the record's end that a notation has, the one that also says why if there is one.
fn end_word(record: &GameRecord, end: &Game, is_ours: impl Fn(&str) -> bool) -> Option<String> {
    let turn = end.turn();
    let result_of = |end: End| match end {
        End::MoverLost(_) if turn.0 < 2 => GameResult::Won(Side(1 - turn.0)),
        End::MoverLost(_) => GameResult::Unknown,
        End::MoverWon(_) => GameResult::Won(turn),
        End::Drawn(_) => GameResult::Draw,
        End::Open(_) => GameResult::Unknown,
    };
    let words_of = |end: End| match end {
        End::MoverLost(words) | End::MoverWon(words) | End::Drawn(words) | End::Open(words) => words,
    };
    let fitting = || ENDS.iter().filter(|(word, end)| is_ours(word) && result_of(*end) == record.result);
    let why = record.tags.get(tag::TERMINATION);
    let exact = fitting().find(|(_, end)| Some(words_of(*end)) == why);
    let any = exact.or_else(|| fitting().next().filter(|_| record.result != GameResult::Unknown));
    any.map(|(word, _)| word.to_string())
}

fn plain_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn write_csa_record(record: &GameRecord, mut game: Game, out: &mut String) -> Result<(), UnfitGame> {
    check_fits(game.rules(), "CSA")?;
    let mut text = String::from("'CSA encoding=UTF-8\nV3.0\n");
    let known = |name: &str| record.tags.get(name).map(plain_line);
    let named = [
        ("N+", known(tag::PLAYERS[0])),
        ("N-", known(tag::PLAYERS[1])),
        ("$EVENT:", known(tag::EVENT)),
        ("$SITE:", known(tag::SITE)),
        ("$START_TIME:", known(tag::DATE)),
        ("$OPENING:", known(tag::OPENING)),
    ];
    for (head, value) in named {
        value.iter().for_each(|value| text += &format!("{head}{value}\n"));
    }
    for (name, side) in [("black_rate", 0), ("white_rate", 1)] {
        known(tag::RATINGS[side]).iter().for_each(|rating| text += &format!("'{name}:-:{rating}\n"));
    }
    csa_position(&game, &mut text);
    for line in play(record, &mut game, write_csa)? {
        text += &line;
        text.push('\n');
    }
    let is_ours = |word: &str| word.is_ascii() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let end = end_word(record, &game, is_ours).unwrap_or("CHUDAN".into());
    _ = writeln!(text, "%{end}\n/");
    *out += &text;
    Ok(())
}

/// Where everything stands, rank by rank.
fn csa_position(game: &Game, text: &mut String) {
    let (rules, setup) = (game.rules(), game.setup());
    let grid = rules.grid();
    let name = |kind: KindId| names_of(rules, kind).map_or("  ", |names| names.csa);
    for rank in 1..=grid.ranks() {
        _ = write!(text, "P{rank}");
        for file in (1..=grid.files()).rev() {
            let piece = square_at(grid, file, rank).and_then(|square| setup.board[square.0 as usize]);
            match piece {
                None => text.push_str(" * "),
                Some((side, kind)) => {
                    _ = write!(text, "{}{}", if side.0 == 0 { '+' } else { '-' }, name(kind))
                }
            }
        }
        text.push('\n');
    }
    for (side, sign) in [(0, '+'), (1, '-')] {
        let held = held_kinds(&setup, side);
        if !held.is_empty() {
            let pieces: Vec<String> =
                held.iter().map(|(kind, n)| format!("00{}", name(*kind)).repeat(*n)).collect();
            _ = writeln!(text, "P{sign}{}", pieces.concat());
        }
    }
    text.push_str(if setup.turn == 0 { "+\n" } else { "-\n" });
}

/// Kinds in a hand and how many, the strongest first.
fn held_kinds(setup: &Setup, side: usize) -> Vec<(KindId, usize)> {
    let hand = setup.hands.get(side).map_or(&[][..], Vec::as_slice);
    hand.iter()
        .enumerate()
        .rev()
        .filter(|(_, count)| **count > 0)
        .map(|(kind, count)| (KindId(kind as u8), usize::from(*count)))
        .collect()
}

fn write_kif_record(record: &GameRecord, mut game: Game, out: &mut String) -> Result<(), UnfitGame> {
    check_fits(game.rules(), "KIF")?;
    let mut text = String::from("#KIF version=2.0 encoding=UTF-8\n");
    let heads = [
        ("開始日時", tag::DATE),
        ("棋戦", tag::EVENT),
        ("場所", tag::SITE),
        ("戦型", tag::OPENING),
        ("先手", tag::PLAYERS[0]),
        ("後手", tag::PLAYERS[1]),
        ("先手のレーティング", tag::RATINGS[0]),
        ("後手のレーティング", tag::RATINGS[1]),
    ];
    for (head, name) in heads {
        record.tags.get(name).iter().for_each(|value| text += &format!("{head}：{}\n", plain_line(value)));
    }
    match record.start {
        None => text += "手合割：平手\n",
        Some(_) => kif_position(game.rules(), &game.setup(), &mut text),
    }
    text += "手数----指手---------消費時間--\n";
    for (n, mv) in play(record, &mut game, write_kif)?.into_iter().enumerate() {
        _ = writeln!(text, "{:4} {mv}", n + 1);
        let said = record.comments.get(&(n + 1)).map_or("", String::as_str);
        said.lines().for_each(|line| _ = writeln!(text, "*{line}"));
    }
    let end = end_word(record, &game, |word| !word.is_ascii());
    end.iter().for_each(|word| _ = writeln!(text, "{:4} {word}", record.moves.len() + 1));
    text.push('\n');
    *out += &text;
    Ok(())
}

fn kif_position(rules: &Rules, setup: &Setup, text: &mut String) {
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let grid = rules.grid();
    let name = |kind: KindId| names_of(rules, kind).map_or("", |names| short_name(names.kif));
    let hand = |side: usize| {
        let held = held_kinds(setup, side);
        let words: Vec<String> = held.iter().map(|(kind, n)| format!("{}{n}", name(*kind))).collect();
        if words.is_empty() { "なし".to_string() } else { words.join("　") }
    };
    _ = writeln!(text, "後手の持駒：{}", hand(1));
    let numbers = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    let files: String =
        (0..grid.files()).rev().map(|file| format!(" {}", numbers[usize::from(file).min(8)])).collect();
    let edge = format!("+{}+", "---".repeat(usize::from(grid.files())));
    _ = writeln!(text, " {files}\n{edge}");
    for rank in 1..=grid.ranks() {
        text.push('|');
        for file in (1..=grid.files()).rev() {
            let piece = square_at(grid, file, rank).and_then(|square| setup.board[square.0 as usize]);
            match piece {
                None => text.push_str(" ・"),
                Some((side, kind)) => {
                    _ = write!(text, "{}{}", if side.0 == 0 { ' ' } else { 'v' }, name(kind))
                }
            }
        }
        _ = writeln!(text, "|{}", RANKS[usize::from(rank) - 1]);
    }
    _ = writeln!(text, "{edge}\n先手の持駒：{}", hand(0));
    text.push_str(if setup.turn == 0 { "先手番\n" } else { "後手番\n" });
}

/// Diagrams have one character for a piece.
fn short_name(name: &str) -> &str {
    match name {
        "成香" => "杏",
        "成桂" => "圭",
        "成銀" => "全",
        other => other,
    }
}
