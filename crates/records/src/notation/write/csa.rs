//! CSA writer. Variations follow the end as comments.

use std::borrow::Cow;
use std::fmt::Write as _;

use ashta_position::Game;
use ashta_position::notation::japanese::{check_fits, names_of, square_at};
use ashta_position::notation::{UnfitGame, write_csa};
use ashta_rules::KindId;

use super::super::csa::INFORMATION;
use super::super::glyphs::{Lacks, comment_lines};
use super::super::tag_names::portable_name;
use super::super::usi::End;
use super::{each_variation_backwards, end_word, held_kinds, notated};
use crate::annotations::{NotatedLine, Note};
use crate::record::{GameRecord, tag};

pub fn write(record: &GameRecord, mut game: Game, out: &mut String) -> Result<(), UnfitGame> {
    check_fits(game.rules(), "CSA")?;
    let mut text = String::from("'CSA encoding=UTF-8\nV3.0\n");
    let begun = game.clone();
    let line = notated(record, &mut game, write_csa)?;
    let is_ours = |word: &str| word.is_ascii() && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let end = end_word(record, &game, is_ours);
    let reason = end.as_deref().and_then(End::of_word).map(End::why);
    write_head(record, reason.map(|why| why.to_string()).as_deref(), &mut text);
    write_position(&begun, &mut text);
    write_line(&line, "", &mut text);
    end.iter().for_each(|end| _ = writeln!(text, "%{end}"));
    each_variation_backwards(&line, 0, &mut |line, from| {
        _ = writeln!(text, "'変化：{}手", from + 1);
        write_line(line, "'", &mut text);
    });
    text.push_str("/\n");
    *out += &text;
    Ok(())
}

/// Tags; `end` is the termination that the end of the game expresses.
fn write_head(record: &GameRecord, end: Option<&str>, text: &mut String) {
    for (sign, side) in [("N+", 0), ("N-", 1)] {
        let name = record.tags.get(tag::PLAYERS[side]);
        name.iter().for_each(|name| _ = writeln!(text, "{sign}{name}"));
    }
    for (name, side) in [("black_rate", 0), ("white_rate", 1)] {
        let rating = record.tags.get(tag::RATINGS[side]);
        rating.iter().for_each(|rating| _ = writeln!(text, "'{name}:-:{rating}"));
    }
    let is_above = |name: &str| tag::PLAYERS[..2].contains(&name) || tag::RATINGS[..2].contains(&name);
    for (name, value) in record.tags.iter().filter(|(name, _)| !is_above(name)) {
        // The end expresses it, if CSA has a word for it.
        if name == tag::TERMINATION && end == Some(value) {
            continue;
        }
        let known = INFORMATION.iter().find(|(_, ours)| *ours == name);
        let is_taken = |name: &str| INFORMATION.iter().any(|(theirs, _)| *theirs == name);
        let fits = |name: &str| !name.contains([':', '：']) && !is_taken(name);
        let theirs = known.map_or_else(|| portable_name(name, fits), |(theirs, _)| Cow::Borrowed(*theirs));
        _ = writeln!(text, "${theirs}:{value}");
    }
}

/// The moves of a line, each statement after a prefix.
fn write_line(line: &NotatedLine<String>, sign: &str, text: &mut String) {
    let add_comment = |note: Option<&Note>, text: &mut String| {
        let lines = note.map_or_else(Vec::new, |note| comment_lines(note, Lacks::Glyphs));
        lines.iter().for_each(|line| _ = writeln!(text, "'*{line}"));
    };
    add_comment(line.before, text);
    for mv in &line.moves {
        _ = writeln!(text, "{sign}{}", mv.text);
        let whole = mv.note.and_then(|note| note.spent_ms).filter(|spent_ms| spent_ms.is_multiple_of(1000));
        whole.iter().for_each(|spent_ms| _ = writeln!(text, "{sign}T{}", spent_ms / 1000));
        add_comment(mv.note, text);
    }
}

/// The position, rank by rank.
fn write_position(game: &Game, text: &mut String) {
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
