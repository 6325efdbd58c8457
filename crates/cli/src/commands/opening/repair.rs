//! `ashta opening FILE repair`: a damaged book, mended.

use std::io::Write;
use std::path::Path;

use ashta_position::CompiledRules;
use ashta_study::opening::{JournalError, game_of_damaged, repair};
use clap::Args;

use super::{check_there, failure};
use crate::choice::read_rules;
use crate::failure::{Failure, Message, Status, say};

#[derive(Args, Debug)]
pub struct RepairArgs {
    /// The book's game, if the line that names it is damaged
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Where the book starts, as FEN or SFEN, if the line that says so is damaged
    #[arg(long, short, value_name = "FEN")]
    position: Option<String>,
}

/// Lost lines that are told one by one.
const MOST_TOLD: usize = 20;

pub fn run(file: &Path, args: &RepairArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    check_there(file)?;
    let named = game_of_damaged(file).map_err(failure)?;
    let Some(game) = named.or_else(|| args.game.clone()) else {
        let message = Message::new(format!("{}, line 2: the game cannot be read", file.display()));
        return Err(message.hint("name it: `repair --game chess`").into());
    };
    let rules = CompiledRules::new(read_rules(&game)?);
    let report = repair(file, &rules, &game, args.position.as_deref()).map_err(|error| match &error {
        JournalError::Line { line: 3, .. } => {
            Message::new(error.to_string()).hint("say where it starts: `repair --position FEN`").into()
        }
        _ => failure(error),
    })?;
    let Some(damaged) = report.damaged else {
        writeln!(out, "{}: every line is whole", file.display())?;
        return Ok(Status::Done);
    };
    for (line, what) in report.lost.iter().take(MOST_TOLD) {
        say(&format!("lost: line {line}: {what}"));
    }
    if report.lost.len() > MOST_TOLD {
        say(&format!("lost: {} more lines", report.lost.len() - MOST_TOLD));
    }
    writeln!(
        out,
        "{}: mended; lines lost: {}; the damaged file is {}",
        file.display(),
        report.lost.len(),
        damaged.display()
    )?;
    Ok(Status::InPart)
}
