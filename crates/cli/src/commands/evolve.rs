//! `ashta evolve`: every game between an old one and a new one.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use ashta_lab::{Evolution, EvolutionError, Kind, Plan, evolution_names, evolution_source};
use ashta_messages::message;
use ashta_rules::{Place, Problem, Problems, Source};
use clap::Args;

use super::analyze::{MAX_PLIES, plan_cell};
use crate::cli_error::{CliError, ErrorMessage, Status, did_you_mean};
use crate::experiments::{GameCountArgs, RunArgs, VERSION, run_experiment};
use crate::game_arguments::{LoadedRules, read_text_file};
use crate::output::write_lines;

/// Measure every game between an old game and a new one
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/evolve.txt"))]
pub struct EvolveArgs {
    /// A path to an evolution file, or the name of an included one; lists those if left out
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Player to use instead of the file's
    #[arg(long, short, value_name = "PLAYER")]
    player: Option<String>,
    #[command(flatten)]
    games: GameCountArgs,
    #[command(flatten)]
    run_args: RunArgs,
}

pub fn run(args: &EvolveArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let Some(file) = &args.file else {
        let named = |name: &&str| {
            let evolution = Evolution::read(evolution_source(name)?).ok()?;
            Some(format!("{name:<20}  {}, {} games", evolution.title.english(), evolution.n_cells()))
        };
        write_lines(out, &evolution_names().iter().filter_map(named).collect::<Vec<_>>())?;
        return Ok(Status::Done);
    };
    let text = read_source(file)?;
    let evolution = Evolution::read(&text).map_err(|error| wrong_file(file, &text, &error))?;
    let player = args.player.as_ref().unwrap_or(&evolution.player);
    let (mut rules, mut cells) = (LoadedRules::default(), Vec::new());
    for subset in 0..evolution.n_cells() {
        let (game, name) = evolution.cell(subset);
        // The base names its own conventions; the preset only says how figures are averaged.
        cells.push(plan_cell(&mut rules, &name, &game, player, ashta_lab::Preset::Plain, None)?);
    }
    let plan = Plan {
        kind: Kind::Evolution(text.clone()),
        command: command(args, file, player, evolution.games),
        version: VERSION.to_string(),
        preset: evolution.preset,
        conventions: evolution.preset.conventions(),
        seed: args.games.seed,
        max_plies: MAX_PLIES,
        stop: args.games.stop(evolution.games),
        cells,
    };
    run_experiment(plan, &mut rules, &args.run_args, out)
}

/// What is wrong with a file, at its place if it has one.
fn wrong_file(file: &str, text: &str, error: &EvolutionError) -> CliError {
    match error {
        EvolutionError::Text { what, offset } => {
            let source = Arc::new(Source { name: file.to_string(), text: text.to_string() });
            let what = message!("rules.syntax", text = what);
            CliError::Problems(Problems(vec![Problem::new(Place { source, offset: *offset }, what)]))
        }
        EvolutionError::Changes { .. }
        | EvolutionError::Twice { .. }
        | EvolutionError::NothingToUndo { .. }
        | EvolutionError::NoSuchChange { .. } => {
            ErrorMessage::new(message!("cli.evolution-file", file, error)).into()
        }
    }
}

fn read_source(file: &str) -> Result<String, CliError> {
    if let Some(text) = evolution_source(file) {
        return Ok(text.to_string());
    }
    if file.ends_with(".toml") || file.contains(std::path::is_separator) {
        return Ok(read_text_file(Path::new(file))?);
    }
    let hint = match ashta_rules::nearest(file, evolution_names()) {
        Some(near) => did_you_mean(near),
        None => message!("cli.unknown-evolution.hint", names = evolution_names()),
    };
    Err(ErrorMessage::new(message!("cli.unknown-evolution", name = file)).hint(hint).into())
}

fn command(args: &EvolveArgs, file: &str, player: &str, games: u32) -> String {
    format!("ashta evolve {file} --player \"{player}\" {}", args.games.arguments_text(games))
}
