//! `ashta analyze`: games played by the thousand, and what they say of the game.

use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_lab::{CellPlan, Kind, Plan, Preset, digest_text};
use ashta_messages::message;
use clap::Args;

use crate::cli_error::{CliError, Status};
use crate::experiments::{GameCountArgs, RunArgs, VERSION, run_experiment};
use crate::game_arguments::LoadedRules;
use crate::weights::read_weights;

/// Play games by the thousand and measure them
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/analyze.txt"))]
pub struct AnalyzeArgs {
    /// Names from `ashta games` or paths to .toml files, with `+change`s, or variants.ini:NAME
    #[arg(required = true, value_name = "GAME")]
    game: Vec<String>,
    /// Players: P0, P3, P'2, A2(5), A3(3), depth:4, nodes:1000; P3/P0 gives each side its own. Repeatable
    #[arg(long, short, value_name = "PLAYER", default_value = "P0")]
    player: Vec<String>,
    #[command(flatten)]
    games: GameCountArgs,
    /// Conventions: plain, paper-000, paper-001, paper-004 or historical
    #[arg(long, value_name = "NAME", default_value = "plain", value_parser = read_preset)]
    preset: Preset,
    /// Length in plies at which a game is a draw, unless its rules end it earlier
    #[arg(long, value_name = "N", default_value_t = MAX_PLIES, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_plies: u32,
    /// Piece values for A3 and the engine: a file of lines `piece = number`, or a folder of `ashta learn`
    #[arg(long, value_name = "PATH")]
    values: Option<PathBuf>,
    #[command(flatten)]
    run_args: RunArgs,
}

/// Plies after which the papers' games were drawn.
pub const MAX_PLIES: u32 = 1000;
/// Games of a cell unless more are asked for: an answer within seconds.
const DEFAULT_GAMES: u32 = 1000;

pub fn read_preset(text: &str) -> Result<Preset, String> {
    Preset::named(text).ok_or_else(|| {
        let names: Vec<&str> = Preset::ALL.iter().map(|preset| preset.name()).collect();
        let near = ashta_rules::nearest(text, names.iter().copied());
        match near {
            Some(near) => message!("cli.did-you-mean", name = near).to_string(),
            None => message!("cli.expected-preset", names).to_string(),
        }
    })
}

pub fn run(args: &AnalyzeArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let (mut rules, mut cells) = (LoadedRules::default(), Vec::new());
    for game in &args.game {
        for player in &args.player {
            cells.push(plan_cell(&mut rules, game, game, player, args.preset, args.values.as_deref())?);
        }
    }
    let plan = Plan {
        kind: Kind::Analysis,
        command: command(args),
        version: VERSION.to_string(),
        preset: args.preset,
        conventions: args.preset.conventions(),
        seed: args.games.seed,
        max_plies: args.max_plies,
        stop: args.games.stop(DEFAULT_GAMES),
        cells,
    };
    run_experiment(plan, &mut rules, &args.run_args, out)
}

/// A cell of a plan: the game with the change that the preset has for it, and a player for each side.
pub fn plan_cell(
    loaded: &mut LoadedRules,
    name: &str,
    game: &str,
    player: &str,
    preset: Preset,
    values: Option<&Path>,
) -> Result<CellPlan, CliError> {
    let base = loaded.read(game)?;
    let has = |wanted: &&&str| base.changes().iter().any(|change| change.name == **wanted);
    let change = preset.changes().iter().find(has).copied();
    let has_already = change.is_some_and(|change| game.split('+').skip(1).any(|part| part == change));
    let (game, rules) = match change {
        Some(change) if !has_already => {
            let spec = format!("{game}+{change}");
            let rules = loaded.read(&spec)?;
            (spec, rules)
        }
        _ => (game.to_string(), base),
    };
    let n_sides = rules.sides().len();
    let typed: Vec<&str> = player.split('/').collect();
    let players = match typed.as_slice() {
        [one] => vec![*one; n_sides],
        several => several.to_vec(),
    };
    let read = |text: &&str| text.parse::<ashta_play::PlayerPlan>().map(|plan| plan.to_string());
    let players: Result<Vec<String>, _> = players.iter().map(read).collect();
    let players = players.map_err(|error| CliError::from(ashta_lab::PlanError::Player(error)))?;
    let values = values.map(|path| read_weights(path, &rules)).transpose()?;
    Ok(CellPlan { name: name.to_string(), game, digest: digest_text(&rules), players, values })
}

fn command(args: &AnalyzeArgs) -> String {
    let quoted =
        |text: &str| if text.contains(['\'', '(', ' ']) { format!("\"{text}\"") } else { text.to_string() };
    let mut words = vec!["ashta analyze".to_string()];
    words.extend(args.game.iter().map(|game| quoted(game)));
    words.extend(args.player.iter().map(|player| format!("--player {}", quoted(player))));
    words.push(args.games.arguments_text(DEFAULT_GAMES));
    words.push(format!("--preset {} --max-plies {}", args.preset.name(), args.max_plies));
    words.extend(args.values.iter().map(|path| format!("--values {}", quoted(&path.display().to_string()))));
    words.join(" ")
}
