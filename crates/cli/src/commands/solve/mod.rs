//! `ashta solve`: mates in n with every defence, mates by checks, one or a file of them.

mod batch;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_position::{CompiledRules, Game};
use ashta_study::problem::{
    Detail, Futile, Stopped, TsumeAnswer, mate_lines, open_problem, solve_mate, solve_tsume, tsume_lines,
};
use ashta_web::study_json;
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli_error::{CliError, ErrorMessage, Status, print_notice};
use crate::experiments::cancel_on_interrupt;
use crate::game_arguments::{position_error, read_rules, require_two_sides};
use crate::output::{write_json, write_lines};

/// Solve problems: mate in n with all keys and defences, or mates by checks (tsume)
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/solve.txt"))]
pub struct SolveArgs {
    /// A name from `ashta games` or a path to a .toml file, with `+change`s, or variants.ini:NAME
    game: String,
    /// A file of problems
    #[arg(conflicts_with = "position")]
    file: Option<PathBuf>,
    /// The position, as FEN or SFEN
    #[arg(long, short, value_name = "FEN")]
    position: Option<String>,
    /// Length of the mate in moves; a file may give it
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u16).range(1..=200))]
    mate: Option<u16>,
    /// Mate by consecutive checks, of any length up to --plies
    #[arg(long, conflicts_with_all = ["mate", "tries"])]
    tsume: bool,
    /// With --tsume: longest mate, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 61, value_parser = clap::value_parser!(u16).range(1..=999))]
    plies: u16,
    /// With --tsume: whether futile interpositions count as defences
    #[arg(long, value_enum, default_value_t = FutileChoice::Count)]
    futile: FutileChoice,
    /// Also list tries: other first moves with their refutations
    #[arg(long)]
    tries: bool,
    /// Only the keys, without the variations
    #[arg(long, conflicts_with = "tries")]
    keys: bool,
    /// Print the number of positions searched and the time
    #[arg(long)]
    stats: bool,
    /// Write JSON; for a file, one object per line
    #[arg(long)]
    json: bool,
}

/// Whether men dropped between to no avail count.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum FutileChoice {
    /// Every legal move is a defence
    Count,
    /// Futile interpositions do not count, as is usual in problems
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

pub fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let rules = read_rules(&args.game)?;
    require_two_sides(&rules, &args.game)?;
    if !rules.has_mates() {
        return Err(ErrorMessage::new(message!("cli.solve-no-mate", game = &args.game)).into());
    }
    let rules = CompiledRules::new(rules);
    let stop = cancel_on_interrupt();
    if let Some(file) = &args.file {
        return batch::run(args, &rules, file, &stop, out);
    }
    let Some(text) = &args.position else {
        let message = ErrorMessage::new(message!("cli.solve-nothing"));
        return Err(message.hint(message!("cli.solve-nothing.hint")).into());
    };
    let game = open_problem(&rules, text).map_err(|error| position_error(error, text, &rules))?;
    if args.tsume { one_tsume(args, &game, &stop, out) } else { one_mate(args, &rules, &game, &stop, out) }
}

/// Shows that something is under way, on the error output if that is a terminal.
fn waiting<T>(solve: impl FnOnce() -> T) -> T {
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} solving, {elapsed}; Ctrl-C stops") {
        spinner.set_style(style);
    }
    spinner.enable_steady_tick(Duration::from_millis(200));
    let solved = solve();
    spinner.finish_and_clear();
    solved
}

fn stopped(_: Stopped) -> CliError {
    ErrorMessage::new(message!("cli.solve-stopped")).into()
}

fn one_mate(
    args: &SolveArgs,
    rules: &CompiledRules,
    game: &Game,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let Some(moves) = args.mate else {
        let message = ErrorMessage::new(message!("cli.solve-length"));
        return Err(message.hint(message!("cli.solve-length.hint")).into());
    };
    let start = Instant::now();
    let solution = waiting(|| solve_mate(game, moves, args.detail(), stop)).map_err(stopped)?;
    let elapsed = start.elapsed();
    let status = if solution.moves.is_some() { Status::Done } else { Status::No };
    if args.json {
        let told = study_json::mate(rules, game, &solution);
        return write_json(out, &told).map(|_| status);
    }
    write_lines(out, &mate_lines(rules, game, &solution))?;
    print_stats(args, solution.n_nodes, elapsed);
    Ok(status)
}

fn one_tsume(
    args: &SolveArgs,
    game: &Game,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let start = Instant::now();
    let (answer, n_nodes) =
        waiting(|| solve_tsume(game, args.plies, args.futile(), stop)).map_err(stopped)?;
    let elapsed = start.elapsed();
    let status = if matches!(answer, TsumeAnswer::Mate(_)) { Status::Done } else { Status::No };
    if args.json {
        return write_json(out, &study_json::tsume(game, &answer, n_nodes)).map(|_| status);
    }
    match &answer {
        TsumeAnswer::Mate(tsume) => write_lines(out, &tsume_lines(game, tsume))?,
        TsumeAnswer::NotWithin(plies) => writeln!(out, "no mate by checks within {plies} plies")?,
        TsumeAnswer::Never => writeln!(out, "no mate by checks, of any length")?,
    }
    print_stats(args, n_nodes, elapsed);
    Ok(status)
}

fn print_stats(args: &SolveArgs, n_nodes: u64, elapsed: std::time::Duration) {
    if args.stats {
        print_notice(&message!("cli.positions", n = crate::output::grouped(n_nodes)));
        print_notice(&crate::output::speed(n_nodes, elapsed));
    }
}
