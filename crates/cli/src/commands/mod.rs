//! The commands, one file each: arguments in, data to `out`, all else to the error output.

mod analyze;
mod bench;
mod check;
mod completions;
mod ending;
mod evolve;
mod explain;
mod explore;
mod find;
mod games;
mod learn;
mod merge;
mod moves;
mod opening;
mod perft;
mod play;
mod play_match;
mod protocol;
mod records;
mod relearn;
mod reproduce;
mod serve;
mod show;
mod solve;
mod variant;

use std::io::{self, IsTerminal, Write};

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli_error::{CliError, Status};
use crate::sanitize::{EscapeCodes, SanitizedWriter};

/// A laboratory for the chess family of games: rules as data, played, measured and studied
#[derive(Parser, Debug)]
#[command(name = "ashta", version, after_help = include_str!("../help/ashta.txt"))]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    /// A job of `ashta serve`: progress as JSON on the error output, an end when the standard input ends
    #[arg(long, global = true, hide = true)]
    supervised: bool,
}

#[derive(Subcommand, Debug)]
enum Command {
    Serve(serve::ServeArgs),
    Games(games::GamesArgs),
    Show(show::ShowArgs),
    Moves(moves::MovesArgs),
    Perft(perft::PerftArgs),
    Play(play::PlayArgs),
    Check(check::CheckArgs),
    Variant(variant::VariantArgs),
    Analyze(analyze::AnalyzeArgs),
    Reproduce(reproduce::ReproduceArgs),
    Evolve(evolve::EvolveArgs),
    Learn(learn::LearnArgs),
    Match(play_match::MatchArgs),
    Uci(protocol::UciArgs),
    Usi(protocol::UsiArgs),
    Xboard(protocol::XboardArgs),
    Merge(merge::MergeArgs),
    Rerun(merge::RerunArgs),
    Records(records::RecordsArgs),
    Find(find::FindArgs),
    Explore(explore::ExploreArgs),
    Explain(explain::ExplainArgs),
    Solve(solve::SolveArgs),
    Ending(ending::EndingArgs),
    Opening(opening::OpeningArgs),
    Bench(bench::BenchArgs),
    Completions(completions::CompletionsArgs),
}

impl Cli {
    /// Reads what was typed and does it. Text for people goes through a [`SanitizedWriter`]; data for programs does where people
    /// look at it.
    pub fn read_and_run(out: &mut dyn Write) -> Result<Result<Status, CliError>, clap::Error> {
        let typed = Cli::command().try_get_matches()?;
        let cli = Cli::from_arg_matches(&typed)?;
        if writes_data(&typed) && !io::stdout().is_terminal() {
            return Ok(cli.run(out));
        }
        let plays = matches!(cli.command, Some(Command::Play(_) | Command::Ending(_)));
        let escape_codes = if plays { EscapeCodes::Own } else { EscapeCodes::None };
        Ok(cli.run(&mut SanitizedWriter::new(out, escape_codes)))
    }

    fn run(&self, out: &mut dyn Write) -> Result<Status, CliError> {
        if self.supervised {
            crate::supervision::begin();
        }
        match &self.command {
            None => serve::run(&serve::ServeArgs::default(), out),
            Some(Command::Serve(args)) => serve::run(args, out),
            Some(Command::Games(args)) => games::run(args, out),
            Some(Command::Show(args)) => show::run(args, out),
            Some(Command::Moves(args)) => moves::run(args, out),
            Some(Command::Perft(args)) => perft::run(args, out),
            Some(Command::Play(args)) => play::run(args, out),
            Some(Command::Check(args)) => check::run(args, out),
            Some(Command::Variant(args)) => variant::run(args, out),
            Some(Command::Analyze(args)) => analyze::run(args, out),
            Some(Command::Reproduce(args)) => reproduce::run(args, out),
            Some(Command::Evolve(args)) => evolve::run(args, out),
            Some(Command::Learn(args)) => learn::run(args, out),
            Some(Command::Match(args)) => play_match::run(args, out),
            Some(Command::Uci(args)) => protocol::uci(args, out),
            Some(Command::Usi(args)) => protocol::usi(args, out),
            Some(Command::Xboard(args)) => protocol::xboard(args, out),
            Some(Command::Merge(args)) => merge::run(args, out),
            Some(Command::Rerun(args)) => merge::rerun(args, out),
            Some(Command::Records(args)) => records::run(args, out),
            Some(Command::Find(args)) => find::run(args, out),
            Some(Command::Explore(args)) => explore::run(args, out),
            Some(Command::Explain(args)) => explain::run(args, out),
            Some(Command::Solve(args)) => solve::run(args, out),
            Some(Command::Ending(args)) => ending::run(args, out),
            Some(Command::Opening(args)) => opening::run(args, out),
            Some(Command::Bench(args)) => bench::run(args, out),
            Some(Command::Completions(args)) => completions::run(args, out),
        }
    }
}

/// Whether the output is data for programs.
fn writes_data(typed: &ArgMatches) -> bool {
    let Some((name, typed)) = typed.subcommand() else { return false };
    let has = |flag| typed.try_get_one::<bool>(flag).is_ok_and(|given| given == Some(&true));
    let is_record = name == "show" && typed.try_contains_id("format").unwrap_or(false);
    ["completions", "export", "uci", "usi", "variant", "xboard"].contains(&name)
        || is_record
        || ["json", "csv", "openapi"].into_iter().any(has)
        || writes_data(typed)
}

/// A seed from the clock.
fn random_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    // Short enough to be typed again.
    since.map_or(0, |since| since.as_nanos() as u64 % 1_000_000)
}
