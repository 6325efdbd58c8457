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

use std::io::{self, IsTerminal, Write};

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};
use serde::Serialize;

use crate::failure::{Failure, Status};
use crate::screen::{Orders, Screen};

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
    /// Reads what was typed and does it. Text for people goes through a [`Screen`]; data for programs does where people
    /// look at it.
    pub fn read_and_run(out: &mut dyn Write) -> Result<Result<Status, Failure>, clap::Error> {
        let typed = Cli::command().try_get_matches()?;
        let cli = Cli::from_arg_matches(&typed)?;
        if writes_data(&typed) && !io::stdout().is_terminal() {
            return Ok(cli.run(out));
        }
        let plays = matches!(cli.command, Some(Command::Play(_) | Command::Ending(_)));
        let orders = if plays { Orders::Own } else { Orders::None };
        Ok(cli.run(&mut Screen::new(out, orders)))
    }

    fn run(&self, out: &mut dyn Write) -> Result<Status, Failure> {
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

/// Whether a program is to read what is written.
fn writes_data(typed: &ArgMatches) -> bool {
    let Some((name, typed)) = typed.subcommand() else { return false };
    let has = |flag| typed.try_get_one::<bool>(flag).is_ok_and(|given| given == Some(&true));
    let is_record = name == "show" && typed.try_contains_id("format").unwrap_or(false);
    ["completions", "export", "uci", "usi", "xboard"].contains(&name)
        || is_record
        || ["json", "csv", "openapi"].into_iter().any(has)
        || writes_data(typed)
}

fn write_lines(out: &mut dyn Write, lines: &[String]) -> Result<(), Failure> {
    for line in lines {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

pub fn write_json(out: &mut dyn Write, value: &impl Serialize) -> Result<Status, Failure> {
    // The only way writing can fail is the output itself: none of our values refuses to be written.
    serde_json::to_writer_pretty(&mut *out, value).map_err(|error| Failure::Output(error.into()))?;
    writeln!(out)?;
    Ok(Status::Done)
}

/// A number that differs each time, for whoever does not name one.
fn any_seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    // Short enough to be typed again.
    since.map_or(0, |since| since.as_nanos() as u64 % 1_000_000)
}

/// `12,345,678`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1.25 s, 97 million nodes/s`.
fn speed(nodes: u64, elapsed: std::time::Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let millions = nodes as f64 / seconds.max(1e-9) / 1e6;
    match seconds < 0.001 {
        true => "under a millisecond".to_string(),
        false => format!("{seconds:.3} s, {millions:.1} million nodes/s"),
    }
}
