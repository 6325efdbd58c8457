//! Text graphics: boards, move diagrams, rules in words.
//!
//! In: rules and games. Out: lines of text, aligned for a terminal with columns of one width. Never: colour, output.

mod board;
mod moves;
mod words;

pub use board::{BoardView, Style, board, position, position_with, side_name, status};
pub use moves::piece_moves;
pub use words::rules_in_words;

pub use ashta_rules::words::list;

use unicode_width::UnicodeWidthStr;

pub const PAGE_WIDTH: usize = 80;

/// Display width.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Right-aligned.
pub fn right(text: &str, columns: usize) -> String {
    format!("{}{text}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Left-aligned.
pub fn left(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Pictures beside each other, the next one `gap` columns from the widest line of the one before.
pub fn beside(pictures: &[Vec<String>], gap: usize) -> Vec<String> {
    let n_lines = pictures.iter().map(Vec::len).max().unwrap_or(0);
    let columns: Vec<usize> =
        pictures.iter().map(|lines| lines.iter().map(|line| width(line)).max().unwrap_or(0)).collect();
    let line = |n: usize| {
        let cells = pictures.iter().zip(&columns).map(|(lines, columns)| {
            let text = lines.get(n).map_or("", String::as_str);
            left(text, columns + gap)
        });
        cells.collect::<String>().trim_end().to_string()
    };
    (0..n_lines).map(line).collect()
}

/// A text cut between words into lines of at most `columns`.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let full =
            lines.last().is_some_and(|line| !line.is_empty() && width(line) + 1 + width(word) > columns);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// Names with a heading each, the headings in a column of their own.
pub fn with_headings<'a>(entries: impl IntoIterator<Item = (&'a str, String)>, indent: &str) -> Vec<String> {
    let entries: Vec<(&str, String)> = entries.into_iter().collect();
    let columns = entries.iter().map(|(heading, _)| width(heading)).max().unwrap_or(0);
    let rest = PAGE_WIDTH.saturating_sub(indent.len() + columns + 2).max(30);
    let mut lines = Vec::new();
    for (heading, text) in entries {
        for (n, line) in wrap(&text, rest).into_iter().enumerate() {
            let heading = if n == 0 { heading } else { "" };
            lines.push(format!("{indent}{}  {line}", left(heading, columns)).trim_end().to_string());
        }
    }
    lines
}
