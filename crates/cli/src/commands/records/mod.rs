//! `ashta records`: collections of game records on disk.

mod export;
mod import;
mod list;
mod open;
mod players;
mod survey;
mod tend;

use std::io::Write;

use clap::{Args, Subcommand};

use crate::failure::{Failure, Status};

pub use open::{HitJson, hit_lines, next_text, open_collection, read_typed_query, run_failure};

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
    Show(list::ShowArgs),
    Export(export::ExportArgs),
    Players(players::PlayersArgs),
    Survey(survey::SurveyArgs),
    Merge(tend::MergeArgs),
    Check(tend::CheckArgs),
}

pub fn run(args: &RecordsArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    match &args.command {
        RecordsCommand::Import(args) => import::run(args, out),
        RecordsCommand::List(args) => list::run(args, out),
        RecordsCommand::Show(args) => list::show(args, out),
        RecordsCommand::Export(args) => export::run(args, out),
        RecordsCommand::Players(args) => players::run(args, out),
        RecordsCommand::Survey(args) => survey::run(args, out),
        RecordsCommand::Merge(args) => tend::merge(args, out),
        RecordsCommand::Check(args) => tend::check(args, out),
    }
}
