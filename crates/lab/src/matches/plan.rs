//! The plan of a match: games, two competitors, number of pairs, SPRT.
//!
//! In: settings. Out: a plan, serialised as JSON, and a [`Match`] with its rules compiled. Never: results.

use std::sync::Mutex;
use std::time::Duration;

use ashta_messages::{Message, Tell};
use ashta_play::{Clock, SearchDepths};
use ashta_position::CompiledRules;
use ashta_rules::Rules;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::competitor::{Competitor, CompetitorError, CompetitorPlan};
use super::score::Sprt;
use crate::plan::digest_text;

/// Everything that a match depends on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchPlan {
    /// The command that makes it again.
    pub command: String,
    pub version: String,
    /// From which all randomness comes.
    pub seed: u64,
    /// What is played, and by whom.
    pub games: Vec<MatchGame>,
    /// Pairs of games of each game.
    pub n_pairs: u32,
    /// Random plies before the competitors play; both games of a pair have the same.
    pub n_opening_plies: u32,
    /// Plies after which a game is drawn.
    pub max_plies: u32,
    /// Search depths of a competitor that is only a table of values: full width, quiescence, mate.
    #[serde(rename = "look")]
    pub depths: (u8, u8, u8),
    /// Whether to stop as soon as one of two hypotheses is clear.
    pub sprt: Option<Sprt>,
}

/// A game and the two who play it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchGame {
    /// What it is called in the report.
    pub name: String,
    /// The game with its changes, as it is loaded.
    pub game: String,
    /// Digest of its rules, in hexadecimal.
    pub digest: String,
    pub competitors: [CompetitorPlan; 2],
}

/// A plan with its rules compiled.
#[derive(Debug)]
pub struct Match {
    pub plan: MatchPlan,
    pub rules: Vec<CompiledRules>,
    /// The time, for players that ask for it.
    pub clock: Option<Clock>,
    /// What is seen on the way and is no part of the result.
    pub log: Mutex<MatchLog>,
}

/// What happens in a match besides its games.
#[derive(Clone, Default, Debug)]
pub struct MatchLog {
    /// Games lost by what other programs did wrong, or drawn by their rules.
    pub faults: Vec<Message>,
    /// Time that each competitor took, and its moves.
    pub taken: [(Duration, u64); 2],
    /// Why the match was stopped: a competitor's first move was a fault in both games of a pair.
    pub fatal: Option<Message>,
}

/// Why a match cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum MatchError {
    /// A competitor cannot sit down.
    #[code(transparent)]
    Competitor(#[from] CompetitorError),
    /// More or fewer than two sides, or dice.
    #[code("lab.match-sides")]
    Sides { game: String, n_sides: usize },
    /// The rules are not those of the plan.
    #[code("lab.match-rules-changed")]
    RulesChanged { game: String },
}

impl MatchPlan {
    /// What the games depend on; a match can be made longer.
    pub fn digest(&self) -> u64 {
        let games: Vec<_> = self.games.iter().map(|game| (&game.digest, &game.competitors)).collect();
        let parts = (&games, self.seed, self.n_opening_plies, self.max_plies, self.depths);
        xxh3_64(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
    }

    /// How far a table of values looks.
    pub fn depths(&self) -> SearchDepths {
        let (depth, quiescence, mate) = self.depths;
        SearchDepths { depth, quiescence, mate }
    }

    /// Tells the random numbers of one game's match from those of others with the same seed.
    pub(super) fn purpose(&self, game: usize) -> u64 {
        let MatchGame { digest, competitors, .. } = &self.games[game];
        let parts = ("match", digest, competitors, self.n_opening_plies, self.max_plies, self.depths);
        xxh3_64(serde_json::to_string(&parts).unwrap_or_default().as_bytes())
    }
}

impl Match {
    /// Compiles a plan; `load` gives the rules of a game by its name and changes.
    pub fn new<E: From<MatchError>>(
        plan: MatchPlan,
        load: impl FnMut(&str) -> Result<Rules, E>,
    ) -> Result<Match, E> {
        Match::with_clock(plan, None, load)
    }

    /// The same where players may ask for the time.
    pub fn with_clock<E: From<MatchError>>(
        plan: MatchPlan,
        clock: Option<Clock>,
        mut load: impl FnMut(&str) -> Result<Rules, E>,
    ) -> Result<Match, E> {
        let mut compiled = Vec::new();
        for MatchGame { game, digest, competitors, .. } in &plan.games {
            let rules = load(game)?;
            let n_sides = rules.sides().len();
            if !rules.is_two_sided() {
                return Err(MatchError::Sides { game: game.clone(), n_sides }.into());
            }
            if digest_text(&rules) != *digest {
                return Err(MatchError::RulesChanged { game: game.clone() }.into());
            }
            let rules = CompiledRules::new(rules);
            for competitor in competitors {
                let mut started =
                    competitor.start(&rules, plan.depths(), clock.as_ref()).map_err(MatchError::from)?;
                started.probe().map_err(|source| {
                    MatchError::from(CompetitorError::External { name: competitor.name.clone(), source })
                })?;
            }
            compiled.push(rules);
        }
        Ok(Match { plan, rules: compiled, clock, log: Mutex::default() })
    }

    /// The two, sitting down to a game. They have done so before, when the plan was compiled.
    pub fn competitors(&self, game: usize) -> Option<[Competitor; 2]> {
        let (rules, depths, clock) = (&self.rules[game], self.plan.depths(), self.clock.as_ref());
        let [a, b] = &self.plan.games[game].competitors;
        Some([a.start(rules, depths, clock).ok()?, b.start(rules, depths, clock).ok()?])
    }
}
