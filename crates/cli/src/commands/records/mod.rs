//! `ashta records`: collections of game records on disk.

mod export;
mod import;
mod list;
mod maintenance;
mod open;
mod players;
mod survey;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::cli_error::{CliError, Status};

pub use open::{hit_line, hit_table, open_collection, players_text, query_run_error, read_typed_query};

/// Collections of game records: import, list, show, export, players, survey
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records.txt"), subcommand_required = true)]
pub struct RecordsArgs {
    #[command(subcommand)]
    command: RecordsCommand,
}

#[derive(Subcommand, Debug)]
enum RecordsCommand {
    Import(import::ImportArgs),
    List(list::ListArgs),
    Show(list::RecordsShowArgs),
    Export(export::ExportArgs),
    Players(players::PlayersArgs),
    Survey(survey::SurveyArgs),
    Merge(maintenance::RecordsMergeArgs),
    Check(maintenance::RecordsCheckArgs),
}

pub fn run(args: &RecordsArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    match &args.command {
        RecordsCommand::Import(args) => import::run(args, out),
        RecordsCommand::List(args) => list::run(args, out),
        RecordsCommand::Show(args) => list::show(args, out),
        RecordsCommand::Export(args) => export::run(args, out),
        RecordsCommand::Players(args) => players::run(args, out),
        RecordsCommand::Survey(args) => survey::run(args, out),
        RecordsCommand::Merge(args) => maintenance::merge(args, out),
        RecordsCommand::Check(args) => maintenance::check(args, out),
    }
}
