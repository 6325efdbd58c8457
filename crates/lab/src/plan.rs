//! The plan of an experiment: cells of games and players, number of games, seed.
//!
//! In: settings. Out: a plan, serialised as JSON, and an experiment with its rules compiled. Never: results.

use ashta_messages::Tell;
use ashta_play::{PlayerError, PlayerPlan, UnfitPlayer};
use ashta_position::CompiledRules;
use ashta_rules::Rules;
use ashta_search::{Material, MobilityCount, Values, ValuesError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::measures::{Conventions, Measure};
use crate::preset::Preset;

/// A plan: everything that a run depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// What sort of experiment it is, and so how it is told.
    pub kind: Kind,
    /// The command that makes it again, without what does not matter to the result.
    pub command: String,
    pub version: String,
    /// The conventions' name.
    pub preset: Preset,
    /// How figures are averaged.
    pub conventions: Conventions,
    /// From which all randomness comes.
    pub seed: u64,
    /// Plies after which a game counts as drawn, where its rules do not say sooner.
    pub max_plies: u32,
    /// When a cell has enough games.
    pub stop: Stop,
    /// What is played.
    pub cells: Vec<CellPlan>,
}

/// What sort of experiment.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Games and players side by side.
    Analysis,
    /// A published experiment, by its name.
    Reproduction(String),
    /// An evolution, as the text of its file.
    Evolution(String),
}

/// One game played by given players, many times.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CellPlan {
    /// What it is called in the report.
    pub name: String,
    /// The game with its changes, as it is loaded.
    pub game: String,
    /// Digest of its rules, in hexadecimal.
    pub digest: String,
    pub players: Vec<String>,
    /// Values of pieces for players that want them, as the text of a file.
    pub values: Option<String>,
}

/// When a cell has enough games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stop {
    /// After so many games.
    Games(u32),
    /// When the interval of a measure is this narrow, or after so many games.
    Until {
        /// Which measure.
        measure: Measure,
        /// Half the width of its interval, in percent of its value.
        percent: f64,
        /// Games after which it is given up.
        most_games: u32,
    },
}

/// A plan with its rules compiled and its players known.
#[derive(Debug)]
pub struct Experiment {
    pub plan: Plan,
    /// Its cells.
    pub cells: Vec<Cell>,
}

/// A cell that can be played.
#[derive(Debug)]
pub struct Cell {
    /// What it is called.
    pub name: String,
    pub rules: CompiledRules,
    pub players: Vec<PlayerPlan>,
    /// What pieces are worth to players that ask.
    pub values: Option<Values>,
    /// By which the lead is told: mobility, which every game has, with pieces as what they may have become.
    pub lead: Material,
    /// Tells the random numbers of this cell from those of others with the same seed.
    pub purpose: u64,
    /// Games in a work unit.
    pub games_per_unit: u32,
}

/// Why a plan cannot be carried out.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum PlanError {
    /// A player that nobody knows.
    #[code(transparent)]
    Player(#[from] PlayerError),
    /// Too few or too many players.
    #[code("lab.plan-players")]
    NumberOfPlayers {
        game: String,
        n_sides: usize,
        /// The players.
        n_players: usize,
    },
    /// Values that are wrong for the game.
    #[code("lab.plan-values")]
    Values { game: String, source: ValuesError },
    /// The rules are not those of the plan.
    #[code("lab.plan-rules-changed")]
    RulesChanged {
        game: String,
        /// The digest now.
        found: String,
        /// The digest then.
        planned: String,
    },
    /// A player that is for other games.
    #[code(transparent)]
    Unfit(#[from] UnfitPlayer),
    /// Nothing to play.
    #[code("lab.plan-no-game")]
    Empty,
    /// Games that are never played.
    #[code("lab.plan-no-games")]
    NoGames,
}

/// Games in a unit of quick players, at most: a unit is what a kill can lose.
const QUICK_UNIT: u32 = 50;
/// Games in a unit of players that think, at most.
const SLOW_UNIT: u32 = 5;

/// Games in a unit of a player, at most.
fn unit_of(player: &PlayerPlan) -> u32 {
    match player {
        PlayerPlan::Random => QUICK_UNIT,
        PlayerPlan::SemiRandom { depth: 0..=3, .. } | PlayerPlan::MateSearch { .. } => SLOW_UNIT,
        PlayerPlan::MaterialMinimax { depth: 0..=2, .. } => SLOW_UNIT,
        PlayerPlan::SemiRandom { .. }
        | PlayerPlan::MaterialMinimax { .. }
        | PlayerPlan::Learned { .. }
        | PlayerPlan::Depth { .. }
        | PlayerPlan::Expectimax { .. }
        | PlayerPlan::Nodes { .. }
        | PlayerPlan::Engine(_)
        | PlayerPlan::Level(_)
        | PlayerPlan::Baba { .. }
        | PlayerPlan::External(_) => 1,
    }
}

/// A digest as plans and reports write it.
pub fn digest_text(rules: &Rules) -> String {
    format!("{:016x}", rules.digest())
}

impl Plan {
    /// What the games depend on: the same plan for more games has the same digest, so that a run can be made longer.
    pub fn digest(&self) -> u64 {
        let unit = |player: &String| player.parse().map_or(1, |plan| unit_of(&plan));
        let units = self.cells.iter().map(|cell| self.games_per_unit(cell.players.iter().map(unit)));
        let units: Vec<u32> = units.collect();
        let parts = (&self.cells, self.seed, self.max_plies, units);
        xxh3_64(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
    }

    /// The largest unit that divides the games without a rest, of those that the players allow.
    fn games_per_unit(&self, units: impl Iterator<Item = u32>) -> u32 {
        let most = units.min().unwrap_or(1);
        match self.stop {
            Stop::Games(n) => (1..=most).rev().find(|size| n.is_multiple_of(*size)).unwrap_or(1),
            Stop::Until { .. } => most,
        }
    }
}

impl Experiment {
    /// Compiles a plan; `load` gives the rules of a game by its name and changes.
    pub fn new<E: From<PlanError>>(
        plan: Plan,
        mut load: impl FnMut(&str) -> Result<Rules, E>,
    ) -> Result<Experiment, E> {
        if matches!(plan.stop, Stop::Games(0) | Stop::Until { most_games: 0, .. }) {
            return Err(PlanError::NoGames.into());
        }
        let mut cells = Vec::new();
        for cell in &plan.cells {
            let rules = load(&cell.game)?;
            cells.push(plan.compile(cell, rules)?);
        }
        if cells.is_empty() {
            return Err(PlanError::Empty.into());
        }
        Ok(Experiment { plan, cells })
    }
}

impl Plan {
    fn compile(&self, cell: &CellPlan, rules: Rules) -> Result<Cell, PlanError> {
        let found = digest_text(&rules);
        if found != cell.digest {
            let (game, planned) = (cell.game.clone(), cell.digest.clone());
            return Err(PlanError::RulesChanged { game, found, planned });
        }
        let (n_sides, n_players) = (rules.sides().len(), cell.players.len());
        if n_players != n_sides {
            return Err(PlanError::NumberOfPlayers { game: cell.game.clone(), n_sides, n_players });
        }
        let players: Result<Vec<PlayerPlan>, _> = cell.players.iter().map(|text| text.parse()).collect();
        let players = players?;
        players.iter().try_for_each(|player| player.check(&rules))?;
        let wrong = |source| PlanError::Values { game: cell.game.clone(), source };
        let values =
            cell.values.as_ref().map(|text| Values::read(text, &rules).map_err(wrong)).transpose()?;
        let purpose = format!("{found} {} {}", cell.players.join(" "), self.max_plies);
        let mobility = Values::by_mobility(&rules, MobilityCount::Promoted);
        Ok(Cell {
            name: cell.name.clone(),
            lead: Material::new(&rules, mobility),
            rules: CompiledRules::new(rules),
            games_per_unit: self.games_per_unit(players.iter().map(unit_of)),
            players,
            values,
            purpose: xxh3_64(purpose.as_bytes()),
        })
    }
}
