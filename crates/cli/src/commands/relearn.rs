//! Published learning and matches, repeated: what `ashta reproduce` does with their names.

use std::io::Write;

use ashta_lab::digest_text;
use ashta_lab::learn::{LearnGame, LearnPlan, PublishedLearning, learning_names, published_learning};
use ashta_lab::matches::{MatchGame, PublishedMatch, match_names, published_match};
use ashta_messages::message;

use super::learn::{DEFAULT_NAME, LearnSettings, Planned};
use super::play_match::MatchSettings;
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::experiments::{GameCountArgs, LearnOptions, MatchOptions, RunArgs, learn_from, play_match};
use crate::game_arguments::LoadedRules;

/// What `ashta reproduce` was given, as far as it is used here.
pub struct RelearnArgs<'a> {
    pub games: &'a GameCountArgs,
    pub run_args: &'a RunArgs,
    /// An option that is for experiments only.
    pub experiment_option: Option<&'static str>,
}

/// The names of what is repeated here, with their titles.
pub fn titles() -> Vec<(&'static str, String)> {
    let learning =
        learning_names().into_iter().filter_map(|name| Some((name, published_learning(name)?.title)));
    let matches = match_names().into_iter().filter_map(|name| Some((name, published_match(name)?.title)));
    learning.chain(matches).map(|(name, title)| (name, title.english().to_string())).collect()
}

/// Repeats what has this name; nothing if nothing here has.
pub fn run(name: &str, args: &RelearnArgs<'_>, out: &mut dyn Write) -> Option<Result<Status, CliError>> {
    let learning = published_learning(name).map(|published| relearn(name, published, args, out));
    match learning {
        Some(done) => Some(done),
        None => published_match(name).map(|published| replay(name, published, args, out)),
    }
}

fn reject_other_options(name: &str, args: &RelearnArgs<'_>) -> Result<(), CliError> {
    let Some(option) = args.experiment_option else { return Ok(()) };
    let message = ErrorMessage::new(message!("cli.not-for", name, option));
    Err(message.hint(message!("cli.not-for.hint")).into())
}

/// Learns again what a report tells of.
pub fn relearn_plan(plan: LearnPlan, run_args: &RunArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    if run_args.is_sharded() || run_args.keep.is_some() {
        let message = ErrorMessage::new(message!("cli.relearn-options"));
        return Err(message.hint(message!("cli.relearn-options.hint")).into());
    }
    let default_name = plan.report_options.published.clone().unwrap_or_else(|| DEFAULT_NAME.to_string());
    let (n_threads, folder, output_format) =
        (run_args.n_threads(), run_args.folder.clone(), run_args.output_format.output_format());
    let options = LearnOptions { n_threads, folder, default_name, output_format };
    learn_from(plan, &mut LoadedRules::default(), &options, out)
}

fn relearn(
    name: &str,
    published: PublishedLearning,
    args: &RelearnArgs<'_>,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    reject_other_options(name, args)?;
    let (mut rules, mut games) = (LoadedRules::default(), Vec::new());
    for game in &published.games {
        let digest = digest_text(&rules.read(&game.game)?);
        games.push(LearnGame { name: game.name.clone(), game: game.game.clone(), digest });
    }
    let planned = Planned {
        command: format!("ashta reproduce {name}"),
        default_name: name.to_string(),
        games,
        rules,
        lambdas: published.lambdas,
        n_games: args.games.games.unwrap_or(published.games_each),
        n_runs: published.runs,
        bared: published.bared,
        published: Some(name.to_string()),
    };
    planned.run_experiment(&LearnSettings::default(args.games.seed, args.run_args), out)
}

fn replay(
    name: &str,
    published: PublishedMatch,
    args: &RelearnArgs<'_>,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    reject_other_options(name, args)?;
    let (mut rules, mut games) = (LoadedRules::default(), Vec::new());
    for (game, competitors) in published.games() {
        let digest = digest_text(&rules.read(&game.game)?);
        games.push(MatchGame { name: game.name, game: game.game, digest, competitors });
    }
    let n_pairs = args.games.games.map_or(published.pairs, |n_games| n_games.div_ceil(2));
    let settings = MatchSettings::default(n_pairs, args.games.seed, args.run_args);
    let run_args = MatchOptions {
        n_threads: settings.n_threads(),
        folder: settings.folder.clone(),
        default_name: name.to_string(),
        output_format: settings.output_format.output_format(),
        printed: published.printed,
    };
    let mut plan = settings.plan("", games);
    plan.command = format!("ashta reproduce {name} --games {} --seed {}", 2 * n_pairs, plan.seed);
    play_match(plan, &mut rules, &run_args, out)
}
