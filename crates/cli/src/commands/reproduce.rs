//! `ashta reproduce`: a published experiment, played again, beside what was printed.

use std::io::Write;
use std::path::PathBuf;

use ashta_lab::{Kind, Plan, PublishedExperiment, experiment_names, published_experiment};
use ashta_messages::message;
use clap::Args;

use super::analyze::{MAX_PLIES, plan_cell};
use super::relearn;
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::experiments::{GameCountArgs, RunArgs, VERSION, run_experiment};
use crate::game_arguments::LoadedRules;
use crate::output::write_lines;

/// Reproduce a published experiment and compare the results
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/reproduce.txt"))]
pub struct ReproduceArgs {
    /// Experiment: 001-table2, 001-table3, 000-table7...; lists all if left out
    #[arg(value_name = "EXPERIMENT")]
    name: Option<String>,
    #[command(flatten)]
    pub games: GameCountArgs,
    /// Reading of P'i: next, captures, promoted, several separated by commas, or all
    #[arg(long, value_name = "READING", value_parser = read_reading)]
    reading: Option<String>,
    /// Piece values for A3: a weight file, or the folder of `reproduce 004-table2`
    #[arg(long, value_name = "PATH")]
    values: Option<PathBuf>,
    #[command(flatten)]
    pub run_args: RunArgs,
}

impl ReproduceArgs {
    /// An option that was given and serves only experiments with players.
    pub fn experiment_option(&self) -> Option<&'static str> {
        [
            ("--until", self.games.until.is_some()),
            ("--reading", self.reading.is_some()),
            ("--values", self.values.is_some()),
            ("--keep", self.run_args.keep.is_some()),
            ("--shard", self.run_args.is_sharded()),
        ]
        .into_iter()
        .find_map(|(option, is_given)| is_given.then_some(option))
    }
}

/// Every reading of P'i that is offered.
const READINGS: [&str; 6] = ["", "next", "captures", "next,captures", "promoted", "next,promoted"];

fn read_reading(text: &str) -> Result<String, String> {
    let known: Vec<&str> = READINGS.iter().flat_map(|reading| reading.split(',')).chain(["all"]).collect();
    match text.split(',').find(|part| !known.contains(part) || (*part == "all" && text != "all")) {
        None => Ok(text.to_string()),
        Some(wrong) => match ashta_rules::nearest(wrong, known) {
            Some(near) if near != wrong => Err(message!("cli.did-you-mean", name = near).to_string()),
            _ => Err(message!("cli.expected-reading").to_string()),
        },
    }
}

pub fn run(args: &ReproduceArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let Some(name) = &args.name else {
        let titled =
            |name: &'static str| Some((name, published_experiment(name)?.title.english().to_string()));
        let mut all: Vec<(&str, String)> = experiment_names().into_iter().filter_map(titled).collect();
        all.extend(relearn::titles());
        all.sort();
        let lines: Vec<String> = all.iter().map(|(name, title)| format!("{name:<12}  {title}")).collect();
        write_lines(out, &lines)?;
        return Ok(Status::Done);
    };
    let relearn_args = relearn::RelearnArgs {
        games: &args.games,
        run_args: &args.run_args,
        experiment_option: args.experiment_option(),
    };
    if let Some(done) = relearn::run(name, &relearn_args, out) {
        return done;
    }
    let published = published_experiment(name).ok_or_else(|| unknown(name))?;
    let readings = match args.reading.as_deref() {
        None => vec![""],
        Some("all") => READINGS.to_vec(),
        Some(one) => vec![one],
    };
    let (mut rules, mut cells) = (LoadedRules::default(), Vec::new());
    for cell in published.all_cells() {
        for reading in readings_of(&cell.player, &readings) {
            cells.push(plan_cell(
                &mut rules,
                &cell.name,
                &cell.game,
                &reading,
                published.preset,
                args.values.as_deref(),
            )?);
        }
    }
    let plan = Plan {
        kind: Kind::Reproduction(name.clone()),
        command: command(args, name, &published),
        version: VERSION.to_string(),
        preset: published.preset,
        conventions: published.conventions(),
        seed: args.games.seed,
        max_plies: MAX_PLIES,
        stop: args.games.stop(published.games_each),
        cells,
    };
    run_experiment(plan, &mut rules, &args.run_args, out)
}

/// The player with each reading; only P'i has any.
fn readings_of(player: &str, readings: &[&str]) -> Vec<String> {
    if player.starts_with("P'") {
        readings
            .iter()
            .map(
                |reading| {
                    if reading.is_empty() { player.to_string() } else { format!("{player}({reading})") }
                },
            )
            .collect()
    } else {
        vec![player.to_string()]
    }
}

fn unknown(name: &str) -> ErrorMessage {
    let mut names = experiment_names();
    names.extend(relearn::titles().into_iter().map(|(name, _)| name));
    names.sort_unstable();
    let hint = match ashta_rules::nearest(name, names.iter().copied()) {
        Some(near) => message!("cli.similar-experiment.hint", name = near),
        None => message!("cli.unknown-experiment.hint", names),
    };
    ErrorMessage::new(message!("cli.unknown-experiment", name)).hint(hint)
}

fn command(args: &ReproduceArgs, name: &str, published: &PublishedExperiment) -> String {
    let reading = args.reading.as_ref().map_or_else(String::new, |reading| format!(" --reading {reading}"));
    let values =
        args.values.as_ref().map_or_else(String::new, |path| format!(" --values {}", path.display()));
    format!("ashta reproduce {name} {}{reading}{values}", args.games.arguments_text(published.games_each))
}
