//! Experiments from the command line: where their files are, how they are stopped and resumed, what they print.
//!
//! In: a plan and run options. Out: a folder with journal and reports, a table. Never: statistics.

mod arguments;
mod folder;
mod learning;
mod matches;
mod progress;
mod record_file;

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ashta_lab::report::{ReportPage, Table, csv, json, terminal};
use ashta_lab::{
    Division, Experiment, Plan, PlanError, RunEnd, Schedule, Shard, Stop, UnitTally, pages, results, run,
};
use ashta_messages::{Language, message};

use crate::cli_error::{CliError, ErrorMessage, Status, print_notice};
use crate::game_arguments::LoadedRules;

pub use arguments::{GameCountArgs, OutputFormatArgs, RunArgs};
pub use folder::{AnyPlan, RunFolder, read_any_plan, read_plan};
pub use learning::{LearnOptions, learn_from};
pub use matches::{MatchOptions, play_match};
pub use progress::ExperimentProgress;
pub use record_file::GameRecordFile;

/// The version that reports carry.
pub const VERSION: &str = concat!("ashta ", env!("CARGO_PKG_VERSION"));

impl From<PlanError> for CliError {
    fn from(error: PlanError) -> CliError {
        let message = ErrorMessage::new(&error);
        let hint = match &error {
            PlanError::Player(wrong) => Some(match &wrong.nearest {
                Some(near) => message!("cli.similar-player.hint", name = near),
                None => message!("cli.players.hint"),
            }),
            PlanError::NumberOfPlayers { n_sides, .. } => {
                let example =
                    std::iter::once("P3").chain(std::iter::repeat_n("P0", n_sides.saturating_sub(1)));
                let example = example.collect::<Vec<_>>().join("/");
                Some(message!("cli.number-of-players.hint", n = n_sides, example))
            }
            PlanError::Values { .. } => Some(message!("cli.values.hint")),
            PlanError::RulesChanged { .. } => Some(message!("cli.rules-changed.hint")),
            PlanError::Unfit(_) => Some(message!("cli.unfit-player.hint")),
            PlanError::Empty | PlanError::NoGames => None,
        };
        match hint {
            Some(hint) => message.hint(hint).into(),
            None => message.into(),
        }
    }
}

/// Runs or resumes a plan and writes its report.
pub fn run_experiment(
    plan: Plan,
    rules: &mut LoadedRules,
    args: &RunArgs,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let keep = args.keep.as_deref().map(GameRecordFile::to).transpose()?;
    if matches!(plan.stop, Stop::Until { .. }) && args.shard() != WHOLE {
        let message = ErrorMessage::new(message!("cli.until-sharded"));
        return Err(message.hint(message!("cli.until-sharded.hint")).into());
    }
    let experiment = Experiment::new(plan, |game| rules.read(game))?;
    keep.as_ref().map_or(Ok(()), |keep| keep.check(&experiment))?;
    let folder = RunFolder::open(args.folder.as_deref(), &experiment)?;
    let (mut journal, contents) = folder.journal(&experiment)?;
    let cancel = cancel_on_interrupt();
    let bar = ExperimentProgress::new(&experiment, &contents.units, args.shard());
    let division = Division { n_threads: args.n_threads(), shard: args.shard() };
    let ran =
        run(&experiment, &mut journal, contents.units, division, &cancel, |progress| bar.show(progress))
            .map_err(|error| ErrorMessage::new(error).hint(message!("cli.journal-kept.hint")))?;
    bar.finish();
    match ran {
        RunEnd::Cancelled(schedule) => {
            let n_games: usize = schedule.done().values().map(|tally| tally.rows.len()).sum();
            print_notice(&message!("cli.stopped-games", n = n_games, folder = folder.display()));
            Ok(Status::Partial)
        }
        RunEnd::Complete(schedule) => finish(&experiment, &schedule, &folder, args, keep.as_ref(), out),
    }
}

fn finish(
    experiment: &Experiment,
    schedule: &Schedule,
    folder: &RunFolder,
    args: &RunArgs,
    keep: Option<&GameRecordFile>,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let whole: Option<Vec<UnitTally>> = schedule.tallies().into_iter().collect();
    let Some(tallies) = whole else {
        let shard = args.shard();
        let (index, of, folder) = (shard.index + 1, shard.of, folder.display());
        print_notice(&message!("cli.shard-done", shard = index, of, folder));
        return Ok(Status::Done);
    };
    if let Some(keep) = keep {
        keep.write(experiment, &tallies)?;
    }
    write_report(experiment, tallies, folder, args, out)
}

/// Writes the report in every form, and the main table to the output.
pub fn write_report(
    experiment: &Experiment,
    tallies: Vec<UnitTally>,
    folder: &RunFolder,
    args: &RunArgs,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let cells = results(experiment, tallies);
    let (page, table) = pages::page_of(experiment, &cells);
    show(&page, &table, folder, args.output_format.output_format(), out)
}

/// In which form the main table goes to the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputFormat {
    /// For people.
    Text,
    /// For spreadsheets.
    Csv,
    /// The whole report, for programs.
    Json,
}

/// Writes a page in every form to its folder, and its main table to the output.
pub fn show(
    page: &ReportPage,
    table: &Table,
    folder: &RunFolder,
    output_format: OutputFormat,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    folder.write_report(page, table)?;
    match output_format {
        OutputFormat::Json => write!(out, "{}", json(page))?,
        OutputFormat::Csv => write!(out, "{}", csv(table))?,
        OutputFormat::Text => {
            writeln!(out, "{}\n", page.title.text(Language::English))?;
            writeln!(out, "{}", terminal(table, terminal_width()).trim_end())?;
            let summary = page.summary.iter().map(|line| line.text(Language::English));
            summary.into_iter().try_for_each(|line| writeln!(out, "\n{line}"))?;
        }
    }
    out.flush()?;
    print_notice(&message!("cli.report-written", path = folder.report()));
    Ok(Status::Done)
}

/// Columns of the terminal, or what fits a page where there is none.
pub fn terminal_width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let seen = || std::io::stdout().is_terminal().then(|| console::Term::stdout().size().1 as usize);
    columns.or_else(seen).unwrap_or(120).clamp(40, 400)
}

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
pub fn cancel_on_interrupt() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = cancel.clone();
    crate::supervision::cancel_on_stdin_end(&cancel);
    // Setting a second handler fails; the first one stays.
    _ = ctrlc::set_handler(move || {
        if flag.swap(true, std::sync::atomic::Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    cancel
}

pub const WHOLE: Shard = Shard { index: 0, of: 1 };
