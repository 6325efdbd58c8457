//! `ashta` alone: a newcomer's first screen.

use std::io::Write;

use ashta_position::{CompiledRules, Game};
use ashta_rules::Rules;

use super::games::{library, size};
use super::write_lines;
use crate::choice::read_rules;
use crate::draw::{self, PAGE_WIDTH, Style};
use crate::failure::{Failure, Status};

/// The game of the picture on the first line, then what is said beside it.
const TEXT: &str = include_str!("../help/welcome.txt");

pub fn run(out: &mut dyn Write) -> Result<Status, Failure> {
    let games = library()?;
    writeln!(out, "Ashtapada: a laboratory for the chess family of games. {} games:\n", games.len())?;
    write_lines(out, &list(&games))?;
    writeln!(out)?;
    let (pictured, beside) = TEXT.split_once('\n').unwrap_or((TEXT, ""));
    let rules = CompiledRules::new(read_rules(pictured)?);
    let picture = draw::board(&Game::start(&rules), Style::of(rules.rules()));
    let beside: Vec<String> = beside.lines().map(str::to_string).collect();
    write_lines(out, &draw::beside(&[picture, beside], 4))?;
    Ok(Status::Done)
}

fn list(games: &[Rules]) -> Vec<String> {
    let columns = games.iter().map(|rules| draw::width(rules.id())).max().unwrap_or(0);
    games
        .iter()
        .map(|rules| {
            let start = format!("  {}  {}  ", draw::left(rules.id(), columns), draw::right(&size(rules), 5));
            let room = PAGE_WIDTH.saturating_sub(draw::width(&start));
            format!("{start}{}", shortened(rules.about(), room))
        })
        .collect()
}

/// The text, or its first clause, or as many of its words.
fn shortened(text: &str, columns: usize) -> String {
    let text = text.trim_end_matches('.');
    if draw::width(text) <= columns {
        return text.to_string();
    }
    // What stands before a colon says what the game is; a list of its features is not cut in the middle.
    let clause = text.split_once(':').or_else(|| text.split_once(',')).map(|(clause, _)| clause);
    match clause.filter(|clause| draw::width(clause) <= columns) {
        Some(clause) => clause.to_string(),
        None => {
            let words = draw::wrap(text, columns.saturating_sub(3)).into_iter().next().unwrap_or_default();
            format!("{words}...")
        }
    }
}
