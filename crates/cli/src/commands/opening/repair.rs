//! `ashta opening FILE repair`: a damaged book, mended.

use std::io::Write;
use std::path::Path;

use ashta_messages::message;
use ashta_position::CompiledRules;
use ashta_study::opening::{JournalError, game_of_damaged, repair};
use clap::Args;

use super::{check_exists, journal_error};
use crate::cli_error::{CliError, ErrorMessage, Status, print_notice};
use crate::game_arguments::read_rules;

#[derive(Args, Debug)]
pub struct RepairArgs {
    /// Game of the book, if its line is damaged
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Start position, as FEN or SFEN, if its line is damaged
    #[arg(long, short, value_name = "FEN")]
    position: Option<String>,
}

const MAX_TOLD: usize = 20;

pub fn run(file: &Path, args: &RepairArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    check_exists(file)?;
    let named = game_of_damaged(file).map_err(journal_error)?;
    let Some(game) = named.or_else(|| args.game.clone()) else {
        let message = ErrorMessage::new(message!("cli.repair-game", path = file));
        return Err(message.hint(message!("cli.repair-game.hint")).into());
    };
    let rules = CompiledRules::new(read_rules(&game)?);
    let report = repair(file, &rules, &game, args.position.as_deref()).map_err(|error| match &error {
        JournalError::Line { line: 3, .. } => {
            ErrorMessage::new(error).hint(message!("cli.repair-start.hint")).into()
        }
        _ => journal_error(error),
    })?;
    let Some(damaged) = report.damaged else {
        writeln!(out, "{}: every line is whole", file.display())?;
        return Ok(Status::Done);
    };
    for (line, what) in report.lost.iter().take(MAX_TOLD) {
        print_notice(&message!("cli.repair-lost", line, what = what.to_string()));
    }
    if report.lost.len() > MAX_TOLD {
        print_notice(&message!("cli.repair-lost-more", n = report.lost.len() - MAX_TOLD));
    }
    writeln!(
        out,
        "{}: mended; lines lost: {}; the damaged file is {}",
        file.display(),
        report.lost.len(),
        damaged.display()
    )?;
    Ok(Status::Partial)
}
