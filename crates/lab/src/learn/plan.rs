//! The plan of learning: games, lambdas, runs, and how the learner plays.
//!
//! In: settings. Out: a plan, serialised as JSON, and a [`Learning`] with its rules compiled. Never: results.

use ashta_messages::Tell;
use ashta_play::SearchDepths;
use ashta_position::CompiledRules;
use ashta_rules::Rules;
use ashta_search::{FeatureChoice, Features, HandWeights, MobilityWeight, SquareWeights};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::rate::Rate;
use crate::plan::digest_text;

/// Games over which values are averaged: `from` to `to`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Span {
    /// The first.
    pub from: u32,
    /// The last.
    pub to: u32,
}

/// The paper's: games 5,501 to 6,000.
pub const PAPER_SPAN: Span = Span { from: 5501, to: 6000 };

impl Span {
    /// The paper's if there are so many games; else the last twelfth.
    pub fn of(n_games: u32) -> Span {
        if n_games >= PAPER_SPAN.to {
            PAPER_SPAN
        } else {
            Span { from: (n_games - n_games / 12).clamp(1, n_games.max(1)), to: n_games.max(1) }
        }
    }
}

/// A plan: everything that learning depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearnPlan {
    /// The command that makes it again, without what does not matter to the result.
    pub command: String,
    pub version: String,
    /// From which all randomness comes.
    pub seed: u64,
    /// Games of each run.
    pub n_games: u32,
    /// What is played.
    pub games: Vec<LearnGame>,
    /// Lambdas of TD(lambda); each is tried.
    pub lambdas: Vec<f64>,
    /// Independent runs of each game and lambda.
    pub n_runs: u32,
    /// How fast is learned.
    pub rate: Rate,
    /// Plies in full width.
    pub depth: u8,
    /// End of the quiescence search, in plies from the root.
    pub quiescence: u8,
    /// Plies of the mate search by checks.
    pub mate: u8,
    /// Plies after which a game is drawn.
    pub max_plies: u32,
    /// Random plies at the start of each game, from which nothing is learned.
    #[serde(default)]
    pub n_opening_plies: u32,
    /// What becomes of a game when a side has nothing but its royal pieces and the rules let it go on.
    pub bared: Bared,
    /// What is counted beyond the kinds of pieces.
    pub features: Vec<FeatureName>,
    /// When the weights change.
    pub mode: Mode,
    /// Presentation only; nothing that is learned depends on it.
    #[serde(default, rename = "telling")]
    pub report_options: ReportOptions,
}

/// Options of the report.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct ReportOptions {
    /// Games over which values are averaged, if not those of the paper or the last.
    pub span: Option<Span>,
    /// The piece that is worth 1, if not the first of each game.
    pub unit: Option<String>,
    /// The name of what it repeats.
    pub published: Option<String>,
}

/// A game to be learned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LearnGame {
    /// What it is called in the report.
    pub name: String,
    /// The game with its changes, as it is loaded.
    pub game: String,
    /// Digest of its rules, in hexadecimal.
    pub digest: String,
}

/// What becomes of a game when a side is bare and the rules let it go on. The paper breaks it off and does not say what
/// is learned from that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bared {
    PlaysOn,
    /// It is broken off, and nothing is learned from its end.
    BreaksOff,
    Draws,
    /// The bare side has lost.
    Loses,
}

impl Bared {
    /// Every way, with its name.
    pub const ALL: [(Bared, &'static str); 4] = [
        (Bared::PlaysOn, "plays-on"),
        (Bared::BreaksOff, "breaks-off"),
        (Bared::Draws, "draws"),
        (Bared::Loses, "loses"),
    ];

    pub fn name(self) -> &'static str {
        Bared::ALL.iter().find(|(bared, _)| *bared == self).map_or("", |(_, name)| name)
    }
}

/// A feature beyond the kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureName {
    /// Pieces in hand apart from pieces on the board.
    Hand,
    /// Where each piece stands.
    Squares,
    /// How many squares pieces attack.
    Mobility,
}

impl FeatureName {
    /// Every feature, with its name.
    pub const ALL: [(FeatureName, &'static str); 3] =
        [(FeatureName::Hand, "hand"), (FeatureName::Squares, "squares"), (FeatureName::Mobility, "mobility")];

    pub fn name(self) -> &'static str {
        FeatureName::ALL.iter().find(|(feature, _)| *feature == self).map_or("", |(_, name)| name)
    }
}

/// When the weights change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// After every move, in one thread (Sasaki, about 2004; 004).
    EveryMove,
    /// After every so many games, which all play with the weights of the batch's start and may be played at once.
    Batches(u32),
}

/// A plan with its rules compiled.
#[derive(Debug)]
pub struct Learning {
    pub plan: LearnPlan,
    /// Each game with each lambda and run.
    pub cells: Vec<LearnCell>,
}

/// One independent run.
#[derive(Clone, Debug)]
pub struct LearnCell {
    /// Which game of the plan.
    pub game: usize,
    /// What it is called.
    pub name: String,
    pub rules: CompiledRules,
    /// What is counted.
    pub features: Features,
    /// How far the past counts.
    pub lambda: f64,
    /// Which run, from 0.
    pub run: u32,
    /// Tells the random numbers of this run from those of others with the same seed.
    pub purpose: u64,
}

/// Why a plan cannot be carried out.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum LearnError {
    /// The rules are not those of the plan.
    #[code("lab.plan-rules-changed")]
    RulesChanged {
        game: String,
        /// The digest now.
        found: String,
        /// The digest then.
        planned: String,
    },
    /// More or fewer than two sides, or dice.
    #[code("lab.learn-sides")]
    Sides { game: String, n_sides: usize },
    /// More runs than memory holds.
    #[code("lab.learn-runs")]
    Runs {
        /// Runs of all games and lambdas together.
        n_runs: u64,
        /// How many are allowed.
        most: u64,
    },
}

/// Runs of a plan, all games and lambdas together: each has its features in memory.
const MAX_RUNS: u64 = 10_000;

impl LearnPlan {
    /// What the weights depend on: the same plan for more games has the same digest, so that a run can be made longer.
    pub fn digest(&self) -> u64 {
        let games: Vec<&str> = self.games.iter().map(|game| game.digest.as_str()).collect();
        let parts = (&games, &self.lambdas, self.n_runs, self.seed, self.rate, self.settings());
        xxh3_64(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
    }

    fn settings(&self) -> String {
        let looks = (self.depth, self.quiescence, self.mate, self.max_plies);
        let settings = serde_json::to_string(&(looks, self.bared, &self.features, self.mode));
        let settings = settings.unwrap_or_default();
        match self.n_opening_plies {
            // As it was before there were openings: journals of that time can go on.
            0 => settings,
            n => format!("{settings} opening {n}"),
        }
    }

    /// How far the learner looks.
    pub fn depths(&self) -> SearchDepths {
        SearchDepths { depth: self.depth, quiescence: self.quiescence, mate: self.mate }
    }

    /// The features asked for.
    pub fn choice(&self) -> FeatureChoice {
        let has = |feature| self.features.contains(&feature);
        FeatureChoice {
            hand: if has(FeatureName::Hand) { HandWeights::Apart } else { HandWeights::Shared },
            squares: if has(FeatureName::Squares) { SquareWeights::Mirrored } else { SquareWeights::None },
            mobility: if has(FeatureName::Mobility) { MobilityWeight::Shared } else { MobilityWeight::None },
        }
    }

    fn cell(&self, game: usize, rules: &CompiledRules, lambda: f64, run: u32) -> LearnCell {
        let LearnGame { name, digest, .. } = &self.games[game];
        let purpose = format!("{digest} {lambda} {run} {} {}", self.rate, self.settings());
        LearnCell {
            game,
            name: name.clone(),
            features: Features::new(rules.rules(), self.choice()),
            rules: rules.clone(),
            lambda,
            run,
            purpose: xxh3_64(purpose.as_bytes()),
        }
    }
}

impl Learning {
    /// Compiles a plan; `load` gives the rules of a game by its name and changes.
    pub fn new<E: From<LearnError>>(
        plan: LearnPlan,
        mut load: impl FnMut(&str) -> Result<Rules, E>,
    ) -> Result<Learning, E> {
        let n_runs = (plan.games.len() as u64 * plan.lambdas.len() as u64).saturating_mul(plan.n_runs.into());
        if n_runs > MAX_RUNS {
            return Err(LearnError::Runs { n_runs, most: MAX_RUNS }.into());
        }
        let mut cells = Vec::new();
        for (at, game) in plan.games.iter().enumerate() {
            let rules = load(&game.game)?;
            let (found, n_sides) = (digest_text(&rules), rules.sides().len());
            if found != game.digest {
                let (game, planned) = (game.game.clone(), game.digest.clone());
                return Err(LearnError::RulesChanged { game, found, planned }.into());
            }
            if !rules.is_two_sided() {
                return Err(LearnError::Sides { game: game.game.clone(), n_sides }.into());
            }
            let compiled = CompiledRules::new(rules);
            for lambda in &plan.lambdas {
                cells.extend((0..plan.n_runs).map(|run| plan.cell(at, &compiled, *lambda, run)));
            }
        }
        Ok(Learning { plan, cells })
    }
}
