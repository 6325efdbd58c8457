//! `ashta records export`: games of a collection as records.

use std::io::Write;
use std::path::PathBuf;

use ashta_messages::message;
use ashta_records::AtomicFile;
use ashta_records::{Collection, Format, write_record};
use clap::Args;
use serde::Serialize;

use super::import::read_format;
use super::list::matching_games;
use super::open::{open_collection, read_typed_query};
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::output::{grouped, write_json};

/// Write the games of a collection, or those that a query finds, as PGN, USI, CSA, KIF, KI2 or JKF
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-export.txt"))]
pub struct ExportArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Query that selects the games
    query: Option<String>,
    /// Write to this file; the extension decides the format
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// The format: pgn, usi, csa, kif, ki2 or jkf
    #[arg(long, value_name = "FORMAT", value_parser = read_format)]
    format: Option<Format>,
    /// Report in JSON what was written; needs --to
    #[arg(long, requires = "to")]
    json: bool,
}

#[derive(Serialize)]
struct ExportJson {
    file: String,
    format: &'static str,
    games: usize,
}

pub fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let collection = open_collection(&args.collection)?;
    let query = match &args.query {
        None => None,
        Some(text) => Some(read_typed_query(Some(text), collection.rules(), "QUERY")?),
    };
    let of_name = || args.to.as_deref().map_or(Some(Format::Pgn), Format::of_path);
    let format = args.format.or_else(of_name).ok_or_else(|| {
        ErrorMessage::new(message!("cli.export-format")).hint(message!("cli.export-format.hint"))
    })?;
    let games = matching_games(&collection, query.as_ref())?;
    let status = if games.is_empty() { Status::No } else { Status::Done };
    let Some(path) = &args.to else {
        write_games(&collection, &games, format, out)?;
        return Ok(status);
    };
    let failed = |error: std::io::Error| ErrorMessage::unwritable(path, &error);
    let mut file = AtomicFile::create(path).map_err(failed)?;
    write_games(&collection, &games, format, &mut file)?;
    file.finish().map_err(failed)?;
    if args.json {
        let json = ExportJson { file: path.display().to_string(), format: format.name(), games: games.len() };
        return write_json(out, &json).map(|_| status);
    }
    writeln!(out, "wrote {} games to {}", grouped(games.len() as u64), path.display())?;
    Ok(status)
}

fn write_games(
    collection: &Collection,
    games: &[usize],
    format: Format,
    out: &mut dyn Write,
) -> Result<(), CliError> {
    let mut text = String::new();
    for game in games {
        text.clear();
        let record = collection.record(*game)?.unwrap_or_default();
        write_record(format, &record, collection.rules(), &mut text).map_err(|error| {
            let message = ErrorMessage::new(message!("cli.export-game", n = game + 1, error));
            message.hint(message!("cli.export-game.hint"))
        })?;
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
