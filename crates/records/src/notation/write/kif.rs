//! KIF writer (with origins and times) and KI2 writer (as in books).

use std::fmt::Write as _;

use ashta_position::notation::japanese::{RANKS, check_fits, diagram_name, names_of, square_at};
use ashta_position::notation::{self, UnfitGame, has_own_names};
use ashta_position::{Game, Reason};
use ashta_rules::{KindId, Rules, Setup, Side};

use super::super::glyphs::{Lacks, comment_lines};
use super::super::kif_headers::heads_of;
use super::{each_variation_backwards, end_word, held_kinds, notated};
use crate::annotations::{NotatedLine, Note};
use crate::record::{GameRecord, GameResult, tag};
use crate::termination::Termination;

pub fn write_kif(record: &GameRecord, mut game: Game, out: &mut String) -> Result<(), UnfitGame> {
    let is_large = has_own_names(game.rules());
    if !is_large {
        check_fits(game.rules(), "KIF")?;
    }
    let mut text = String::from("#KIF version=2.0 encoding=UTF-8\n");
    write_head(record, &game, &mut text);
    text += "手数----指手---------消費時間--\n";
    let line = notated(record, &mut game, notation::write_kif)?;
    let before = if is_large { BEFORE_LARGE_MOVES } else { " " };
    write_kif_line(&line, 0, before, &mut text);
    match (record.tags.get(tag::TERMINATION), record.result) {
        // The winner can be written without a reason.
        (None, GameResult::Won(_) | GameResult::Draw) => {
            _ = writeln!(text, "まで{}手{}", record.moves.len(), ki2_end(record));
        }
        _ => {
            let end = end_word(record, &game, |word| !word.is_ascii());
            end.iter().for_each(|word| _ = writeln!(text, "{:4}{before}{word}", record.moves.len() + 1));
        }
    }
    each_variation_backwards(&line, 0, &mut |line, from| {
        _ = writeln!(text, "\n変化：{}手", from + 1);
        write_kif_line(line, from, before, &mut text);
    });
    text.push('\n');
    *out += &text;
    Ok(())
}

fn write_head(record: &GameRecord, game: &Game, text: &mut String) {
    // First, because every game has this line, which the splitter relies on.
    let handicap =
        if record.start.is_none() { game.rules().kif_name().unwrap_or("平手") } else { "その他" };
    _ = writeln!(text, "手合割：{handicap}");
    for (head, value) in heads_of(&record.tags) {
        _ = writeln!(text, "{head}：{value}");
    }
    if record.start.is_some() {
        write_position(game.rules(), &game.setup(), text);
    }
}

fn write_comment(note: Option<&Note>, lacks: Lacks, text: &mut String) {
    let lines = note.map_or_else(Vec::new, |note| comment_lines(note, lacks));
    lines.iter().for_each(|line| _ = writeln!(text, "*{line}"));
}

fn write_kif_line(line: &NotatedLine<String>, from: usize, before: &str, text: &mut String) {
    write_comment(line.before, Lacks::Glyphs, text);
    // Total time of each side on this line.
    let mut totals = [0, 0];
    for (n, mv) in line.moves.iter().enumerate() {
        // A move of two legs has two lines.
        let number = from + n + 1;
        let (first, last) =
            mv.text.split_once(" / ").map_or((None, &*mv.text), |(first, last)| (Some(first), last));
        if let Some(first) = first {
            _ = writeln!(text, "{number:4}{}{first}", before.trim_end());
        }
        let before = if first.is_some() { before.trim_end() } else { before };
        _ = write!(text, "{number:4}{before}{last}");
        let whole = mv.note.and_then(|note| note.spent_ms).filter(|spent_ms| spent_ms.is_multiple_of(1000));
        if let Some(seconds) = whole.map(|spent_ms| spent_ms / 1000) {
            let total: &mut u64 = &mut totals[(from + n) % 2];
            *total = total.saturating_add(seconds);
            let (hours, minutes, rest) = (*total / 3600, *total / 60 % 60, *total % 60);
            _ = write!(text, "   ({:2}:{:02}/{hours:02}:{minutes:02}:{rest:02})", seconds / 60, seconds % 60);
        }
        text.push('\n');
        write_comment(mv.note, Lacks::Glyphs, text);
    }
}

/// Between the number and the move, in games that name their pieces themselves.
const BEFORE_LARGE_MOVES: &str = "手目   ";

const MOVES_A_LINE: usize = 6;

pub fn write_ki2(record: &GameRecord, mut game: Game, out: &mut String) -> Result<(), UnfitGame> {
    check_fits(game.rules(), "KI2")?;
    let mut text = String::new();
    write_head(record, &game, &mut text);
    text.push('\n');
    let add_glyph = |side: Side| if side == Side::FIRST { '▲' } else { '△' };
    let line = notated(record, &mut game, |game, mv| {
        Ok(format!("{}{}", add_glyph(game.turn()), notation::write_ki2(game, mv)?))
    })?;
    write_ki2_line(&line, &mut text);
    _ = writeln!(text, "まで{}手{}", record.moves.len(), ki2_end(record));
    each_variation_backwards(&line, 0, &mut |line, from| {
        _ = writeln!(text, "\n変化：{}手", from + 1);
        write_ki2_line(line, &mut text);
    });
    text.push('\n');
    *out += &text;
    Ok(())
}

fn write_ki2_line(line: &NotatedLine<String>, text: &mut String) {
    write_comment(line.before, Lacks::GlyphsAndTimes, text);
    let mut n_on_line = 0;
    for mv in &line.moves {
        text.push_str(if n_on_line > 0 { " " } else { "" });
        text.push_str(&mv.text);
        n_on_line += 1;
        if mv.note.is_some() || n_on_line == MOVES_A_LINE {
            text.push('\n');
            n_on_line = 0;
        }
        write_comment(mv.note, Lacks::GlyphsAndTimes, text);
    }
    if n_on_line > 0 {
        text.push('\n');
    }
}

/// The end in the words of books.
fn ki2_end(record: &GameRecord) -> &'static str {
    let why = record.tags.get(tag::TERMINATION).and_then(Termination::from_text);
    match (record.result, why) {
        (GameResult::Won(Side::FIRST), Some(Termination::Time)) => "で時間切れにより先手の勝ち",
        (GameResult::Won(Side::FIRST), _) => "で先手の勝ち",
        (GameResult::Won(_), Some(Termination::Time)) => "で時間切れにより後手の勝ち",
        (GameResult::Won(_), _) => "で後手の勝ち",
        (GameResult::Draw, Some(Termination::Rules(Reason::Repetition))) => "で千日手",
        (GameResult::Draw, Some(Termination::DrawnImpasse)) => "で持将棋",
        (GameResult::Draw, _) => "で引き分け",
        (GameResult::Unknown, Some(Termination::NoMate)) => "で不詰",
        (GameResult::Unknown, _) => "で中断",
    }
}

fn write_position(rules: &Rules, setup: &Setup, text: &mut String) {
    let grid = rules.grid();
    let is_large = has_own_names(rules);
    let width = if is_large { 2 } else { 1 };
    let name = |kind: KindId| match is_large {
        true => diagram_name(rules, kind),
        false => names_of(rules, kind).map_or("", |names| short_name(names.kif)).to_string(),
    };
    let hand = |side: usize| {
        let held = held_kinds(setup, side);
        let words: Vec<String> = held.iter().map(|(kind, n)| format!("{}{n}", name(*kind))).collect();
        if words.is_empty() { "なし".to_string() } else { words.join("　") }
    };
    _ = writeln!(text, "後手の持駒：{}", hand(1));
    let numbers = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    let file_name = |file: u8| match numbers.get(usize::from(file)) {
        Some(digit) => format!(" {digit:>width$}"),
        None => format!(" {:>1$}", file + 1, width + 1),
    };
    let files: String = (0..grid.files()).rev().map(file_name).collect();
    let edge = format!("+{}+", "-".repeat((width + 2) * usize::from(grid.files())));
    _ = writeln!(text, " {files}\n{edge}");
    for rank in 1..=grid.ranks() {
        text.push('|');
        for file in (1..=grid.files()).rev() {
            let piece = square_at(grid, file, rank).and_then(|square| setup.board[square.0 as usize]);
            match piece {
                None => _ = write!(text, " {:>width$}", "・"),
                Some((side, kind)) => {
                    let mark = if side.0 == 0 { ' ' } else { 'v' };
                    _ = write!(text, "{mark}{:>width$}", name(kind))
                }
            }
        }
        _ = writeln!(text, "|{}", RANKS[usize::from(rank) - 1]);
    }
    _ = writeln!(text, "{edge}\n先手の持駒：{}", hand(0));
    text.push_str(if setup.turn == 0 { "先手番\n" } else { "後手番\n" });
}

/// Diagrams have one character per piece.
fn short_name(name: &str) -> &str {
    match name {
        "成香" => "杏",
        "成桂" => "圭",
        "成銀" => "全",
        other => other,
    }
}
