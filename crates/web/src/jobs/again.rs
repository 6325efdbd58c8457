//! An experiment that a report tells of, to be carried out again.
//!
//! In: the plan of a report, from anybody. Out: the same plan, every part of it known here. Never: a game that is a path, a
//! player that is another program, rules other than those of the report.

use ashta_lab::learn::{LearnPlan, learning_names};
use ashta_lab::{CellPlan, Evolution, Kind, Plan, Stop, digest_text, experiment_names};
use serde_json::{Value, json};

use super::words::{game_word, known, own_name, plain};
use crate::failure::Refusal;
use crate::laboratory::Laboratory;
use crate::players::read_player;

/// Most games and players of a plan: the largest lattice has fewer.
const MOST_CELLS: usize = 4096;
/// Longest words that a report only repeats: the command that made it, the names of games.
const MOST_LETTERS: usize = 4000;

/// A plan that can be carried out here.
#[derive(Debug)]
pub enum Again {
    /// Games of players.
    Experiment(Plan),
    /// Values of pieces.
    Learning(LearnPlan),
}

impl Again {
    /// The only door.
    pub fn read(plan: &Value, laboratory: &Laboratory) -> Result<Again, Refusal> {
        if let Ok(plan) = serde_json::from_value::<Plan>(plan.clone()) {
            return Ok(Again::Experiment(read_experiment(plan, laboratory)?));
        }
        match serde_json::from_value::<LearnPlan>(plan.clone()) {
            Ok(plan) => Ok(Again::Learning(read_learning(plan, laboratory)?)),
            Err(_) => Err(Refusal::wrong("this is no plan that can be carried out again")
                .hint("reports of measuring, evolutions and learning carry one; those of matches do not")),
        }
    }

    /// Whether it learns.
    pub fn is_learning(&self) -> bool {
        matches!(self, Again::Learning(_))
    }

    /// What it is, in a few words.
    pub fn title(&self) -> String {
        match self {
            Again::Experiment(plan) => plan_title(plan),
            Again::Learning(LearnPlan { telling, .. }) if telling.published.is_some() => {
                telling.published.clone().unwrap_or_default()
            }
            Again::Learning(plan) => {
                let games: Vec<String> = plan.games.iter().map(|game| own_name(&game.game)).collect();
                let lambdas: Vec<String> = plan.lambdas.iter().map(f64::to_string).collect();
                format!("{}: λ {}", games.join(", "), lambdas.join(", "))
            }
        }
    }

    /// A report with nothing but its plan, as `ashta rerun` reads it.
    pub fn report(&self) -> Result<String, Refusal> {
        let plan = match self {
            Again::Experiment(plan) => serde_json::to_value(plan),
            Again::Learning(plan) => serde_json::to_value(plan),
        };
        let plan = plan.map_err(|error| Refusal::unable(error.to_string()))?;
        Ok(json!({ "plan": plan }).to_string())
    }
}

/// What an experiment is, in a few words.
pub fn plan_title(plan: &Plan) -> String {
    match &plan.kind {
        Kind::Reproduction(name) => name.clone(),
        Kind::Evolution(text) => Evolution::read(text).map(|evolution| evolution.title).unwrap_or_default(),
        Kind::Analysis => {
            let mut games: Vec<String> = plan.cells.iter().map(|cell| own_name(&cell.game)).collect();
            let mut players: Vec<String> = plan.cells.iter().map(players_of).collect();
            games.dedup();
            players.sort();
            players.dedup();
            format!("{}: {}", games.join(", "), players.join(", "))
        }
    }
}

/// `P3/P0`, or `P0` where all are the same.
fn players_of(cell: &CellPlan) -> String {
    match cell.players.iter().all(|player| *player == cell.players[0]) {
        true => cell.players.first().cloned().unwrap_or_default(),
        false => cell.players.join("/"),
    }
}

/// A plan of an experiment whose games, players and names are all known here.
pub fn read_experiment(mut plan: Plan, laboratory: &Laboratory) -> Result<Plan, Refusal> {
    match &plan.kind {
        Kind::Analysis => {}
        Kind::Reproduction(name) => known(name, &experiment_names(), "experiment").map(|_| ())?,
        Kind::Evolution(text) => {
            Evolution::read(text).map(|_| ()).map_err(|error| Refusal::wrong(error.to_string()))?;
        }
    }
    if plan.cells.is_empty() || plan.cells.len() > MOST_CELLS {
        let what = format!("a plan has 1 to {MOST_CELLS} games and players, not {}", plan.cells.len());
        return Err(Refusal::wrong(what));
    }
    if matches!(plan.stop, Stop::Games(0) | Stop::Until { most_games: 0, .. }) {
        return Err(Refusal::wrong("the plan asks for 0 games"));
    }
    [&plan.command, &plan.version].into_iter().try_for_each(|words| readable(words))?;
    for cell in &mut plan.cells {
        readable(&cell.name)?;
        cell.game = known_game(&cell.game, &cell.digest, laboratory)?;
        let n_sides = laboratory.rules(&own_name(&cell.game))?.rules().sides().len();
        if cell.players.len() != n_sides {
            let what = format!("{} has {n_sides} sides, not {}", own_name(&cell.game), cell.players.len());
            return Err(Refusal::wrong(what));
        }
        for player in &mut cell.players {
            *player = read_player(player)?.to_string();
        }
    }
    Ok(plan)
}

fn read_learning(mut plan: LearnPlan, laboratory: &Laboratory) -> Result<LearnPlan, Refusal> {
    if let Some(name) = &plan.telling.published {
        known(name, &learning_names(), "experiment")?;
    }
    plan.telling.unit.as_deref().map(plain).transpose()?;
    [&plan.command, &plan.version].into_iter().try_for_each(|words| readable(words))?;
    if plan.games.is_empty() {
        return Err(Refusal::wrong("the plan names no game"));
    }
    for game in &mut plan.games {
        readable(&game.name)?;
        game.game = known_game(&game.game, &game.digest, laboratory)?;
    }
    Ok(plan)
}

/// The game as a command knows it, if it is here with the rules that it had.
fn known_game(game: &str, digest: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    let name = own_name(game);
    let word = game_word(&name, laboratory)?;
    match digest_text(laboratory.rules(&name)?.rules()) == digest {
        true => Ok(word),
        false => Err(Refusal::conflict(format!("the rules of {name} are not those of the report"))
            .hint("the version that made the report has them")),
    }
}

fn readable(words: &str) -> Result<(), Refusal> {
    match words.len() <= MOST_LETTERS && !words.contains(|c: char| c.is_control()) {
        true => Ok(()),
        false => Err(Refusal::wrong("a name in the plan is too long, or has a character that no name has")),
    }
}
