//! PGN writer: tags, moves, comments, glyphs, variations.

use std::fmt::Write as _;

use ashta_position::Game;
use ashta_position::notation::write_san;
use ashta_rules::Rules;

use super::super::Format;
use super::super::glyphs::{glyph_text, spent_text};
use super::super::pgn::written_name;
use super::notated;
use crate::annotations::{NotatedLine, Note};
use crate::record::{GameRecord, GameResult, tag};

/// Maximum columns of movetext.
const LINE: usize = 80;

pub fn write(record: &GameRecord, mut game: Game, out: &mut String) {
    let result = match record.result {
        GameResult::Won(side) if side.0 > 1 => "*".to_string(),
        result => result.text(),
    };
    write_tags(record, &game, &result, out);
    let numbers = Numbers { first_ply: game.setup().ply as usize, n_sides: game.rules().sides().len() };
    let mut words = Vec::new();
    // Every game can be written in PGN.
    if let Ok(line) = notated(record, &mut game, |game, mv| Ok(write_san(game, mv))) {
        numbers.line(&line, 0, &mut words);
    }
    words.push(result);
    lay_out(&words, out);
}

fn write_tags(record: &GameRecord, game: &Game, result: &str, out: &mut String) {
    let known = |name: &str| record.tags.get(name).unwrap_or("?");
    let seven = [tag::EVENT, tag::SITE, tag::DATE, tag::ROUND, tag::PLAYERS[0], tag::PLAYERS[1]];
    let put = |out: &mut String, name: &str, value: &str| {
        let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
        _ = writeln!(out, "[{name} \"{escaped}\"]");
    };
    seven.iter().for_each(|name| put(out, &written_name(name), known(name)));
    put(out, "Result", result);
    for (name, value) in record.tags.iter().filter(|(name, _)| !seven.contains(name)) {
        put(out, &written_name(name), value);
    }
    if game.rules().id() != Format::Pgn.default_game() {
        put(out, "Variant", variant(game.rules()));
    }
    if let Some(start) = &record.start {
        put(out, "SetUp", "1");
        put(out, "FEN", start);
    }
    out.push('\n');
}

/// What other programs call the game, unless changes make it another.
fn variant(rules: &Rules) -> &str {
    let usual = rules.pgn_variants().first().filter(|_| !rules.id().contains('+'));
    usual.map_or(rules.id(), String::as_str)
}

/// Wraps words into lines.
fn lay_out(words: &[String], out: &mut String) {
    let mut column = 0;
    let mut needs_line = false;
    for word in words {
        if column > 0 {
            let wraps = needs_line || column + 1 + word.len() > LINE;
            out.push(if wraps { '\n' } else { ' ' });
            column = if wraps { 0 } else { column + 1 };
        }
        column = match word.rfind('\n') {
            Some(at) => word.len() - at,
            None => column + word.len(),
        };
        out.push_str(word);
        // A comment to the end of the line.
        needs_line = word.starts_with(';');
    }
    out.push_str("\n\n");
}

/// Move numbering.
struct Numbers {
    first_ply: usize,
    n_sides: usize,
}

impl Numbers {
    /// The words of a line that begins at this ply.
    fn line(&self, line: &NotatedLine<String>, from: usize, words: &mut Vec<String>) {
        words.extend(line.before.iter().flat_map(|note| said(note)));
        // After anything but a move the number is repeated.
        let mut is_interrupted = true;
        for (n, mv) in line.moves.iter().enumerate() {
            let ply = self.first_ply + from + n;
            match ply % self.n_sides {
                0 => words.push(format!("{}.", ply / self.n_sides + 1)),
                _ if is_interrupted => words.push(format!("{}...", ply / self.n_sides + 1)),
                _ => {}
            }
            words.push(mv.text.clone());
            let n_words = words.len();
            if let Some(note) = mv.note {
                put_glyphs(note, words);
                words.extend(comment(note));
            }
            mv.instead.iter().for_each(|line| self.brackets(line, from + n, words));
            is_interrupted = words.len() > n_words;
        }
        line.onward.iter().for_each(|onward| self.brackets(onward, from + line.moves.len(), words));
    }

    fn brackets(&self, line: &NotatedLine<String>, from: usize, words: &mut Vec<String>) {
        let begin = words.len();
        self.line(line, from, words);
        match words.get_mut(begin) {
            // A bracket after `;` would be part of the comment.
            Some(first) if !first.starts_with(';') => first.insert(0, '('),
            Some(_) => words.insert(begin, "(".into()),
            None => return,
        }
        match words.last_mut() {
            Some(last) if !last.starts_with(';') => last.push(')'),
            Some(_) | None => words.push(")".into()),
        }
    }
}

/// The note before the first move.
fn said(note: &Note) -> Vec<String> {
    let glyphs = note.glyphs.iter().map(|glyph| format!("${glyph}"));
    glyphs.chain(comment(note)).collect()
}

/// The first glyph follows the move if it has a sign, the others are NAGs.
fn put_glyphs(note: &Note, words: &mut Vec<String>) {
    for (n, glyph) in note.glyphs.iter().enumerate() {
        match words.last_mut() {
            Some(mv) if n == 0 && (1..=6).contains(glyph) => mv.push_str(&glyph_text(*glyph)),
            Some(_) | None => words.push(format!("${glyph}")),
        }
    }
}

/// A comment. Nothing in it may end it, nor look like the beginning of another game.
fn comment(note: &Note) -> Option<String> {
    let spent = note.spent_ms.map(spent_text);
    let words = (!note.comment.is_empty()).then(|| note.comment.clone());
    let text: Vec<String> = spent.into_iter().chain(words).collect();
    let text = text.join(" ");
    if text.is_empty() {
        return None;
    }
    Some(if text.contains('}') {
        text.split('\n').map(|line| format!("; {line}")).collect::<Vec<_>>().join("\n")
    } else {
        format!("{{{}}}", text.replace("\n[Event ", "\n [Event "))
    })
}
