//! `ashta merge` and `ashta rerun`: shards become one report, a report becomes a run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_lab::{Experiment, Journal, Schedule};
use ashta_messages::message;
use clap::Args;

use super::relearn::relearn_plan;

use crate::cli_error::{CliError, ErrorMessage, Status, print_note};
use crate::experiments::{
    AnyPlan, ExperimentProgress, GameRecordFile, RunArgs, RunFolder, WHOLE, read_any_plan, read_plan,
    run_experiment, write_report,
};
use crate::game_arguments::{LoadedRules, read_rules};

/// Merge the shards of an experiment
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/merge.txt"))]
pub struct MergeArgs {
    /// Folders of the shards, or their journals
    #[arg(required = true, value_name = "FOLDER")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    run_args: RunArgs,
}

/// Run the experiment of a report again
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/rerun.txt"))]
pub struct RerunArgs {
    /// A report.json or report.html, or the folder of a run
    #[arg(value_name = "REPORT")]
    report: PathBuf,
    #[command(flatten)]
    run_args: RunArgs,
}

pub fn run(args: &MergeArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let (mut units, mut is_damaged) = (BTreeMap::new(), false);
    let first = read_plan(&args.parts[0])?;
    let digest = first.digest();
    for part in &args.parts {
        let contents = Journal::read(journal_of(part)).map_err(ErrorMessage::new)?;
        if contents.plan_digest != digest {
            let what = message!("cli.merge-another", part, first = args.parts[0]);
            return Err(ErrorMessage::new(what).hint(message!("cli.merge-another.hint")).into());
        }
        if contents.n_damaged_bytes > 0 {
            print_note(&message!("cli.damaged-part", n = contents.n_damaged_bytes, part));
            is_damaged = true;
        }
        units.extend(contents.units);
    }
    let keep = args.run_args.keep.as_deref().map(GameRecordFile::to).transpose()?;
    let experiment = Experiment::new(first, read_rules)?;
    let schedule = Schedule::new(&experiment, units, WHOLE, 1);
    let missing = schedule.tallies().iter().filter(|tally| tally.is_none()).count();
    let tallies: Vec<_> = schedule.tallies().into_iter().flatten().collect();
    if missing > 0 {
        let what = message!("cli.merge-incomplete", missing, n = experiment.cells.len());
        let hint = if is_damaged {
            message!("cli.merge-damaged.hint")
        } else {
            message!("cli.merge-incomplete.hint")
        };
        return Err(ErrorMessage::new(what).hint(hint).into());
    }
    keep.as_ref().map_or(Ok(()), |keep| keep.check(&experiment))?;
    let folder = RunFolder::open(args.run_args.folder.as_deref(), &experiment)?;
    folder.save_plan(&experiment)?;
    ExperimentProgress::new(&experiment, schedule.done(), WHOLE).finish();
    keep.as_ref().map_or(Ok(()), |keep| keep.write(&experiment, &tallies))?;
    write_report(&experiment, tallies, &folder, &args.run_args, out)
}

fn journal_of(part: &Path) -> PathBuf {
    if part.is_dir() { part.join("journal") } else { part.to_path_buf() }
}

pub fn rerun(args: &RerunArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    match read_any_plan(&args.report)? {
        AnyPlan::Experiment(plan) => run_experiment(*plan, &mut LoadedRules::default(), &args.run_args, out),
        AnyPlan::Learning(plan) => relearn_plan(*plan, &args.run_args, out),
    }
}
