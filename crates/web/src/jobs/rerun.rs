//! Re-running the experiment of a report.
//!
//! In: the plan of a report, untrusted. Out: the same plan, validated. Never: a game that is a path, a
//! player that is another program, rules other than those of the report.

use ashta_lab::learn::{LearnPlan, learning_names};
use ashta_lab::{CellPlan, Evolution, Kind, Plan, Stop, digest_text, experiment_names};
use ashta_messages::message;
use serde_json::{Value, json};

use super::arguments::{check_name, check_plain, game_argument, game_name};
use crate::api_error::{ApiError, english};
use crate::library::Library;
use crate::players::read_player;

/// Most games and players of a plan: the largest lattice has fewer.
const MAX_CELLS: usize = 4096;
/// Longest text that a report only repeats: its command, names of games.
const MAX_LETTERS: usize = 4000;

/// A validated plan.
#[derive(Debug)]
pub enum RerunPlan {
    /// Games of players.
    Experiment(Plan),
    /// Values of pieces.
    Learning(LearnPlan),
}

impl RerunPlan {
    pub fn read(plan: &Value, library: &Library) -> Result<RerunPlan, ApiError> {
        if let Ok(plan) = serde_json::from_value::<Plan>(plan.clone()) {
            return Ok(RerunPlan::Experiment(read_experiment(plan, library)?));
        }
        match serde_json::from_value::<LearnPlan>(plan.clone()) {
            Ok(plan) => Ok(RerunPlan::Learning(read_learning(plan, library)?)),
            Err(_) => {
                Err(ApiError::bad_request(message!("web.not-a-plan")).hint(message!("web.not-a-plan.hint")))
            }
        }
    }

    pub fn is_learning(&self) -> bool {
        matches!(self, RerunPlan::Learning(_))
    }

    pub fn title(&self) -> String {
        match self {
            RerunPlan::Experiment(plan) => plan_title(plan),
            RerunPlan::Learning(LearnPlan { report_options, .. }) if report_options.published.is_some() => {
                report_options.published.clone().unwrap_or_default()
            }
            RerunPlan::Learning(plan) => {
                let games: Vec<String> = plan.games.iter().map(|game| game_name(&game.game)).collect();
                let lambdas: Vec<String> = plan.lambdas.iter().map(f64::to_string).collect();
                format!("{}: λ {}", games.join(", "), lambdas.join(", "))
            }
        }
    }

    /// A report with nothing but its plan, as `ashta rerun` reads it.
    pub fn report(&self) -> Result<String, ApiError> {
        let plan = match self {
            RerunPlan::Experiment(plan) => serde_json::to_value(plan),
            RerunPlan::Learning(plan) => serde_json::to_value(plan),
        };
        let plan = plan.map_err(|error| ApiError::internal(english(&error)))?;
        Ok(json!({ "plan": plan }).to_string())
    }
}

/// A short title.
pub fn plan_title(plan: &Plan) -> String {
    match &plan.kind {
        Kind::Reproduction(name) => name.clone(),
        Kind::Evolution(text) => {
            Evolution::read(text).map(|evolution| evolution.title.english().to_string()).unwrap_or_default()
        }
        Kind::Analysis => {
            let mut games: Vec<String> = plan.cells.iter().map(|cell| game_name(&cell.game)).collect();
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
    if cell.players.iter().all(|player| *player == cell.players[0]) {
        cell.players.first().cloned().unwrap_or_default()
    } else {
        cell.players.join("/")
    }
}

/// Validates a plan: all its games, players and names must exist.
pub fn read_experiment(mut plan: Plan, library: &Library) -> Result<Plan, ApiError> {
    match &plan.kind {
        Kind::Analysis => {}
        Kind::Reproduction(name) => {
            check_name(name, &experiment_names(), message!("web.noun.experiment")).map(|_| ())?
        }
        Kind::Evolution(text) => {
            Evolution::read(text).map(|_| ()).map_err(ApiError::bad_request)?;
        }
    }
    if plan.cells.is_empty() || plan.cells.len() > MAX_CELLS {
        let what = message!("web.plan-cells", max = MAX_CELLS, n = plan.cells.len());
        return Err(ApiError::bad_request(what));
    }
    if matches!(plan.stop, Stop::Games(0) | Stop::Until { most_games: 0, .. }) {
        return Err(ApiError::bad_request(message!("web.plan-no-games")));
    }
    [&plan.command, &plan.version].into_iter().try_for_each(|words| check_readable(words))?;
    for cell in &mut plan.cells {
        check_readable(&cell.name)?;
        cell.game = check_game(&cell.game, &cell.digest, library)?;
        let n_sides = library.rules(&game_name(&cell.game))?.rules().sides().len();
        if cell.players.len() != n_sides {
            let what =
                message!("web.plan-sides", game = game_name(&cell.game), n_sides, n = cell.players.len());
            return Err(ApiError::bad_request(what));
        }
        for player in &mut cell.players {
            *player = read_player(player)?.to_string();
        }
    }
    Ok(plan)
}

fn read_learning(mut plan: LearnPlan, library: &Library) -> Result<LearnPlan, ApiError> {
    if let Some(name) = &plan.report_options.published {
        check_name(name, &learning_names(), message!("web.noun.experiment"))?;
    }
    plan.report_options.unit.as_deref().map(check_plain).transpose()?;
    [&plan.command, &plan.version].into_iter().try_for_each(|words| check_readable(words))?;
    if plan.games.is_empty() {
        return Err(ApiError::bad_request(message!("web.plan-no-game")));
    }
    for game in &mut plan.games {
        check_readable(&game.name)?;
        game.game = check_game(&game.game, &game.digest, library)?;
    }
    Ok(plan)
}

/// The game as an argument, if its rules have the expected digest.
fn check_game(game: &str, digest: &str, library: &Library) -> Result<String, ApiError> {
    let name = game_name(game);
    let word = game_argument(&name, library)?;
    if digest_text(library.rules(&name)?.rules()) == digest {
        Ok(word)
    } else {
        Err(ApiError::conflict(message!("web.plan-rules", name)).hint(message!("web.plan-rules.hint")))
    }
}

fn check_readable(words: &str) -> Result<(), ApiError> {
    if words.len() <= MAX_LETTERS && !words.contains(|c: char| c.is_control()) {
        Ok(())
    } else {
        Err(ApiError::bad_request(message!("web.plan-name")))
    }
}
