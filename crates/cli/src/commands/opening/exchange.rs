//! Games and books of other programs in, books for them out.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_messages::{ToArg, message};
use ashta_study::opening::{Edit, GrowPlan, Growth, Journal, read_polyglot, write_pgn, write_polyglot};
use clap::Args;

use super::{journal_error, print_size};
use crate::cli_error::{CliError, ErrorMessage, Status, print_note, print_notice};
use crate::commands::records::open_collection;
use crate::experiments::cancel_on_interrupt;
use ashta_records::write_atomic;

#[derive(Args, Debug)]
pub struct BookImportArgs {
    /// Files of records, Polyglot books (.bin), or folders of collections
    #[arg(required = true)]
    from: Vec<PathBuf>,
    /// Plies of each game to import
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=1000))]
    plies: u16,
    /// Leave out moves played in fewer games than this
    #[arg(long, default_value_t = 1, value_name = "GAMES")]
    at_least: u64,
}

pub fn import(args: &BookImportArgs, journal: &mut Journal, out: &mut dyn Write) -> Result<Status, CliError> {
    let plan = GrowPlan { plies: args.plies.into(), at_least: args.at_least };
    let mut growth = Growth::new(journal.book(), plan);
    let mut grown = false;
    for path in &args.from {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.extension().is_some_and(|ending| ending == "bin") {
            let bytes = fs::read(path).map_err(|error| unusable(path, &error))?;
            let import =
                read_polyglot(journal.book(), &bytes, &name).map_err(|error| unusable(path, &error))?;
            journal.edit(Edit::Import(import)).map_err(journal_error)?;
        } else if path.is_dir() {
            let collection = open_collection(path)?;
            growth
                .add_collection(&collection, &cancel_on_interrupt())
                .map_err(|error| unusable(path, &error))?;
            grown = true;
        } else {
            growth.add_file(path).map_err(|error| unusable(path, &error))?;
            grown = true;
        }
    }
    let mut status = Status::Done;
    if grown {
        let names: Vec<String> = args.from.iter().map(|path| path.display().to_string()).collect();
        let (import, report) = growth.finish(&names.join(", "));
        journal.edit(Edit::Import(import)).map_err(journal_error)?;
        out.flush()?;
        print_notice(&message!("cli.book-games", n = report.n_games));
        if report.n_elsewhere > 0 {
            print_note(&message!("cli.book-elsewhere", n = report.n_elsewhere));
        }
        if let Some(problem) = &report.first_problem {
            let first = problem.to_string();
            print_note(&message!("cli.book-unreadable", n = report.n_unreadable, first));
            status = Status::Partial;
        }
    }
    print_size(journal, "imported", out)?;
    Ok(status)
}

fn unusable(path: &Path, error: &impl ToArg) -> ErrorMessage {
    ErrorMessage::new(message!("cli.cannot-use", path, error))
}

pub fn export(to: &Path, journal: &Journal, out: &mut dyn Write) -> Result<Status, CliError> {
    let book = journal.book();
    let bytes = match to.extension().and_then(|ending| ending.to_str()) {
        Some("bin") => write_polyglot(book).map_err(ErrorMessage::new)?,
        Some("pgn") => write_pgn(book).into_bytes(),
        _ => {
            let message = ErrorMessage::new(message!("cli.book-format", path = to));
            return Err(message.hint(message!("cli.book-format.hint")).into());
        }
    };
    write_atomic(to, &bytes).map_err(|error| ErrorMessage::unwritable(to, &error))?;
    let (positions, moves) = book.size();
    writeln!(out, "{}: {positions} positions, {moves} moves, {} bytes", to.display(), bytes.len())?;
    Ok(Status::Done)
}
