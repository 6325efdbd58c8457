//! Published learning and matches, repeated: what `ashta reproduce` does with their names.

use std::io::Write;

use ashta_lab::digest_text;
use ashta_lab::learn::{LearnGame, LearnPlan, PublishedLearning, learning_names, published_learning};
use ashta_lab::matches::{MatchGame, PublishedMatch, match_names, published_match};

use super::learn::{LearnHow, Planned, USUAL_NAME};
use super::play_match::MatchHow;
use super::reproduce::ReproduceArgs;
use crate::choice::read_rules;
use crate::failure::{Failure, Message, Status};
use crate::laboratory::{CarryArgs, LearnCarry, MatchCarry, learn_from, play_match};

/// The names of what is repeated here, with their titles.
pub fn titles() -> Vec<(&'static str, String)> {
    let learning =
        learning_names().into_iter().filter_map(|name| Some((name, published_learning(name)?.title)));
    let matches = match_names().into_iter().filter_map(|name| Some((name, published_match(name)?.title)));
    learning.chain(matches).collect()
}

/// Repeats what has this name; nothing if nothing here has.
pub fn run(name: &str, args: &ReproduceArgs, out: &mut dyn Write) -> Option<Result<Status, Failure>> {
    let learning = published_learning(name).map(|published| relearn(name, published, args, out));
    match learning {
        Some(done) => Some(done),
        None => published_match(name).map(|published| replay(name, published, args, out)),
    }
}

fn refuse_others(name: &str, args: &ReproduceArgs) -> Result<(), Failure> {
    let Some(option) = args.option_of_experiments() else { return Ok(()) };
    let message = Message::new(format!("{name} takes no {option}"));
    Err(message.hint("--games, --seed, --threads, --folder, --csv and --json serve it").into())
}

/// Learns again what a report tells of.
pub fn relearn_plan(plan: LearnPlan, carry: &CarryArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    if carry.is_sharded() || carry.keep.is_some() {
        let message = Message::new("a report of learning takes no --shard and no --keep".to_string());
        return Err(message.hint("--threads, --folder, --csv and --json serve it").into());
    }
    let usual_name = plan.telling.published.clone().unwrap_or_else(|| USUAL_NAME.to_string());
    let (n_threads, folder, form) = (carry.n_threads(), carry.folder.clone(), carry.form.form());
    learn_from(plan, &LearnCarry { n_threads, folder, usual_name, form }, out)
}

fn relearn(
    name: &str,
    published: PublishedLearning,
    args: &ReproduceArgs,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    refuse_others(name, args)?;
    let mut games = Vec::new();
    for game in &published.games {
        let digest = digest_text(&read_rules(&game.game)?);
        games.push(LearnGame { name: game.name.clone(), game: game.game.clone(), digest });
    }
    let planned = Planned {
        command: format!("ashta reproduce {name}"),
        usual_name: name.to_string(),
        games,
        lambdas: published.lambdas,
        n_games: args.games.games.unwrap_or(published.games_each),
        n_runs: published.runs,
        bared: published.bared,
        published: Some(name.to_string()),
    };
    planned.carry_out(&LearnHow::usual(args.games.seed, &args.carry), out)
}

fn replay(
    name: &str,
    published: PublishedMatch,
    args: &ReproduceArgs,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    refuse_others(name, args)?;
    let mut games = Vec::new();
    for (game, competitors) in published.games() {
        let digest = digest_text(&read_rules(&game.game)?);
        games.push(MatchGame { name: game.name, game: game.game, digest, competitors });
    }
    let n_pairs = args.games.games.map_or(published.pairs, |n_games| n_games.div_ceil(2));
    let how = MatchHow::usual(n_pairs, args.games.seed, &args.carry);
    let carry = MatchCarry {
        n_threads: how.n_threads(),
        folder: how.folder.clone(),
        usual_name: name.to_string(),
        form: how.form.form(),
        printed: published.printed,
    };
    let mut plan = how.plan("", games);
    plan.command = format!("ashta reproduce {name} --games {} --seed {}", 2 * n_pairs, plan.seed);
    play_match(plan, &carry, out)
}
