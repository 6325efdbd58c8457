//! `ashta solve`: mates in n with every defence, mates by checks, one or a file of them.

mod batch;
mod json;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, PositionTextError};
use ashta_rules::Setup;
use ashta_study::problem::{
    Detail, Futile, Stopped, Tsume, TsumeAnswer, mate_lines, solve_mate, solve_tsume,
};
use clap::{Args, ValueEnum};

use super::{write_json, write_lines};
use crate::choice::{position_failure, read_rules};
use crate::failure::{Failure, Message, Status, say};
use crate::laboratory::cancel_on_interrupt;

/// Solve problems: mate in n with all keys and every defence, or mates by checks
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/solve.txt"))]
pub struct SolveArgs {
    /// A name from `ashta games` or a path to a .toml file, with `+change`s
    game: String,
    /// A file of problems
    #[arg(conflicts_with = "position")]
    file: Option<PathBuf>,
    /// The position, as FEN or SFEN
    #[arg(long, short, value_name = "FEN")]
    position: Option<String>,
    /// Mate within so many moves of the side to move; a file may say it
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(1..=200))]
    mate: Option<u16>,
    /// Mate by consecutive checks, of any length up to --plies
    #[arg(long, conflicts_with_all = ["mate", "tries"])]
    tsume: bool,
    /// With --tsume: the longest mate to look for
    #[arg(long, value_name = "PLIES", default_value_t = 61, value_parser = clap::value_parser!(u16).range(1..=999))]
    plies: u16,
    /// With --tsume: whether men dropped between to no avail count as defences
    #[arg(long, value_enum, default_value_t = FutileChoice::Count)]
    futile: FutileChoice,
    /// Also every other first move, with the replies that refute it
    #[arg(long)]
    tries: bool,
    /// Only the keys, without what follows
    #[arg(long, conflicts_with = "tries")]
    keys: bool,
    /// Say how many positions were looked at, and how long it took
    #[arg(long)]
    stats: bool,
    /// Write JSON; of a file, one object on a line for each problem
    #[arg(long)]
    json: bool,
}

/// Whether men dropped between to no avail count.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum FutileChoice {
    /// Plain rules: every legal move is a defence
    Count,
    /// The convention of problems: it is mate already
    Ignore,
}

impl SolveArgs {
    fn futile(&self) -> Futile {
        match self.futile {
            FutileChoice::Count => Futile::Count,
            FutileChoice::Ignore => Futile::Ignore,
        }
    }

    fn detail(&self) -> Detail {
        match (self.tries, self.keys) {
            (true, _) => Detail::Tries,
            (_, true) => Detail::Keys,
            (false, false) => Detail::Tree,
        }
    }
}

pub fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    let rules = read_rules(&args.game)?;
    if rules.sides().len() != 2 || rules.contest().is_some() {
        return Err(Message::new(format!("{} is not a game of two sides without dice", args.game)).into());
    }
    let rules = CompiledRules::new(rules);
    let stop = cancel_on_interrupt();
    if let Some(file) = &args.file {
        return batch::run(args, &rules, file, &stop, out);
    }
    let Some(text) = &args.position else {
        let hint = "give `--position FEN`, or a file of problems after the game";
        return Err(Message::new("there is nothing to solve").hint(hint).into());
    };
    let game = open(&rules, text).map_err(|error| position_failure(error, text, &rules))?;
    match args.tsume {
        true => one_tsume(args, &game, &stop, out),
        false => one_mate(args, &rules, &game, &stop, out),
    }
}

fn open(rules: &CompiledRules, text: &str) -> Result<Game, PositionTextError> {
    let setup = Setup::read(text, rules.rules())?;
    Ok(Game::of_problem(rules, &setup)?)
}

fn stopped(_: Stopped) -> Failure {
    Message::new("stopped before the answer was found").into()
}

fn one_mate(
    args: &SolveArgs,
    rules: &CompiledRules,
    game: &Game,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let Some(moves) = args.mate else {
        let hint = "`--mate 3` looks for a mate within 3 moves, `--tsume` for one by checks";
        return Err(Message::new("how long may the mate be?").hint(hint).into());
    };
    let start = Instant::now();
    let solution = solve_mate(game, moves, args.detail(), stop).map_err(stopped)?;
    let elapsed = start.elapsed();
    let status = if solution.moves.is_some() { Status::Done } else { Status::No };
    if args.json {
        let told = json::mate(rules, game, &solution);
        return write_json(out, &told).map(|_| status);
    }
    write_lines(out, &mate_lines(rules, game, &solution))?;
    tell_stats(args, solution.n_nodes, elapsed);
    Ok(status)
}

fn one_tsume(
    args: &SolveArgs,
    game: &Game,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let start = Instant::now();
    let (answer, n_nodes) = solve_tsume(game, args.plies, args.futile(), stop).map_err(stopped)?;
    let elapsed = start.elapsed();
    let status = if matches!(answer, TsumeAnswer::Mate(_)) { Status::Done } else { Status::No };
    if args.json {
        return write_json(out, &json::tsume(game, &answer, n_nodes)).map(|_| status);
    }
    match &answer {
        TsumeAnswer::Mate(tsume) => write_lines(out, &tsume_lines(game, tsume))?,
        TsumeAnswer::NotWithin(plies) => writeln!(out, "no mate by checks within {plies} plies")?,
        TsumeAnswer::Never => writeln!(out, "no mate by checks, of any length")?,
    }
    tell_stats(args, n_nodes, elapsed);
    Ok(status)
}

fn tsume_lines(game: &Game, tsume: &Tsume) -> Vec<String> {
    let keys: Vec<String> = tsume.keys.iter().map(|mv| write_san(game, *mv)).collect();
    let title = match keys.len() {
        1 => format!("mate by checks in {} plies, one first move, none shorter", tsume.plies),
        n => format!(
            "mate by checks in {} plies, {n} first moves ({}), none shorter",
            tsume.plies,
            keys.join(", ")
        ),
    };
    let mut lines = vec![title];
    let mut game = game.clone();
    for (n, mv) in tsume.line.iter().enumerate() {
        let others = match tsume.choices.get(n / 2).filter(|count| n % 2 == 0 && **count > 1) {
            Some(count) => format!("   {} moves mate as soon", count),
            None => String::new(),
        };
        let text =
            format!("{:>3}  {:<10} {}{others}", n + 1, write_san(&game, *mv), write_coordinates(&game, *mv));
        lines.push(text.trim_end().to_string());
        game.play_unchecked(*mv);
    }
    lines
}

fn tell_stats(args: &SolveArgs, n_nodes: u64, elapsed: std::time::Duration) {
    if args.stats {
        say(&format!("{} positions", super::grouped(n_nodes)));
        say(&super::speed(n_nodes, elapsed));
    }
}
