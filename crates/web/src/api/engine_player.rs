//! A program thinks of a move: which players may be asked for here, and what they say.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_play::{EngineLimit, Level, Player, PlayerPlan, Random};
use ashta_position::{AnyLine, Game, Line, Move};
use ashta_rules::Rules;
use ashta_search::engine::{Engine, EngineOptions, Limits, Noise, SearchControl, SearchInfo, TimeLimit};
use ashta_search::{StopFlag, Values};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::api_error::ApiError;
use crate::app_state::AppState;
use crate::data_folder::Name;
use crate::players::read_player;

/// Longest time that anybody thinks of one move.
pub const MAX_TIME: Duration = Duration::from_secs(60);
/// Memory of an engine that thinks of one move.
const MEGABYTES: usize = 8;
/// What random numbers are drawn for, so that moves do not depend on other uses of a seed.
const PURPOSE: u64 = 0x7265_706c;

/// What is left on a player's clock.
#[derive(Clone, Copy, Deserialize, ToSchema, Debug)]
pub struct ClockBody {
    /// Milliseconds that are left.
    pub remaining_ms: u64,
    /// Milliseconds that each move adds.
    #[serde(default)]
    pub increment_ms: u64,
}

/// What was thought.
#[derive(Clone, Debug)]
pub struct MoveChoice {
    /// The move; nothing where there is none.
    pub best: Option<Move>,
    /// What else an engine can tell.
    pub info: Option<SearchInfo>,
}

/// A player that may be asked for here, and what it is given.
#[derive(Clone, Debug)]
pub struct PlayerSetup {
    pub plan: PlayerPlan,
    pub seed: u64,
    pub clock: Option<ClockBody>,
    pub values: Option<Values>,
}

/// Reads a player's name; those that take longer than anybody waits are refused.
pub fn read_interactive_player(text: &str) -> Result<PlayerPlan, ApiError> {
    let plan = read_player(text)?;
    let too_long = |most: &str| {
        let what = message!("web.player-too-slow", plan = plan.to_string());
        Err(ApiError::bad_request(what).hint(message!("web.player-too-slow.hint", most)))
    };
    match plan {
        PlayerPlan::SemiRandom { depth: 6.., .. } => too_long("P5"),
        PlayerPlan::MaterialMinimax { depth: 5.., .. } => too_long("P'4"),
        PlayerPlan::MateSearch { plies: 10.. } => too_long("A2(9)"),
        PlayerPlan::Learned { depth: 6.. } => too_long("A3(5)"),
        PlayerPlan::Depth { plies: 7.. } => too_long("depth:6, engine:depth=20"),
        PlayerPlan::Nodes { limit: 2_000_001.. } => too_long("nodes:2000000"),
        PlayerPlan::Baba { plies: 4.. } => too_long("baba:3"),
        PlayerPlan::Expectimax { turns: 3.. } => too_long("expect:2"),
        PlayerPlan::Engine(EngineLimit::Ms(60_001..)) => too_long("engine:60000ms"),
        PlayerPlan::Random
        | PlayerPlan::SemiRandom { .. }
        | PlayerPlan::MaterialMinimax { .. }
        | PlayerPlan::MateSearch { .. }
        | PlayerPlan::Learned { .. }
        | PlayerPlan::Depth { .. }
        | PlayerPlan::Nodes { .. }
        | PlayerPlan::Baba { .. }
        | PlayerPlan::Expectimax { .. }
        | PlayerPlan::Engine(_)
        | PlayerPlan::External(_)
        | PlayerPlan::Level(_) => Ok(plan),
    }
}

/// Refuses players that are not for games of this sort; here there is a clock, so the engine may go by time.
pub fn check_player_fits(plan: &PlayerPlan, rules: &Rules) -> Result<(), ApiError> {
    let is_timed = matches!(plan, PlayerPlan::Engine(EngineLimit::Ms(_)));
    match (is_timed, rules.contest().is_some()) {
        (true, false) => Ok(()),
        (true, true) => Err(ApiError::bad_request(message!(
            "web.player-needs-two-sides",
            plan = plan.to_string(),
            game = rules.id()
        ))),
        (false, _) => plan.check(rules).map_err(ApiError::bad_request),
    }
}

/// The values of a name in the data folder.
pub fn read_values(state: &AppState, name: Option<&str>, rules: &Rules) -> Result<Option<Values>, ApiError> {
    let Some(name) = name.filter(|name| !name.is_empty()) else { return Ok(None) };
    let name = Name::read(name)?;
    let text = std::fs::read_to_string(state.folder.values_file(&name)).map_err(|_| {
        ApiError::not_found(message!("web.no-values", name)).hint(message!("web.no-values.hint"))
    })?;
    let values = Values::read(&text, rules);
    values.map(Some).map_err(|error| {
        ApiError::bad_request(message!("web.values-mismatch", name, game = rules.id(), error))
    })
}

impl PlayerSetup {
    /// Thinks of the game's position; the flag breaks it off.
    pub fn think(&self, game: &Game, stop: &Arc<AtomicBool>) -> MoveChoice {
        match self.plan {
            PlayerPlan::Engine(limit) => {
                self.search_as_engine(game, self.limits(limit), Noise::default(), stop)
            }
            PlayerPlan::Level(level) => {
                let mut random = Random::of_game(self.seed, PURPOSE, 0);
                let noise = level.noise(u64::from(random.below(u32::MAX)) + 1);
                self.search_as_engine(game, self.limits_of_level(level), noise, stop)
            }
            PlayerPlan::Random
            | PlayerPlan::SemiRandom { .. }
            | PlayerPlan::Expectimax { .. }
            | PlayerPlan::MaterialMinimax { .. }
            | PlayerPlan::MateSearch { .. }
            | PlayerPlan::Learned { .. }
            | PlayerPlan::Depth { .. }
            | PlayerPlan::Nodes { .. }
            | PlayerPlan::Baba { .. }
            | PlayerPlan::External(_) => {
                MoveChoice { best: self.choose(game, &StopFlag::new(stop.clone())), info: None }
            }
        }
    }

    fn choose(&self, game: &Game, stop: &StopFlag) -> Option<Move> {
        match game.line() {
            AnyLine::W64(line) => self.choose_on(line, stop),
            AnyLine::W128(line) => self.choose_on(line, stop),
            AnyLine::W256(line) => self.choose_on(line, stop),
        }
    }

    fn choose_on<W: SearchWord>(&self, line: &Line<W>, stop: &StopFlag) -> Option<Move> {
        let moves = line.position().legal_moves();
        let mut player = Player::new(&self.plan, line.position().rules(), self.values.as_ref()).ok()?;
        player.set_stop(stop);
        // Another number for every ply, or a player of chance would do the same again.
        let mut random = Random::of_game(self.seed, PURPOSE, line.moves().count() as u64);
        let mv = player.choose(&mut line.position().clone(), &moves, &mut random);
        (!moves.is_empty()).then_some(mv)
    }

    fn limits(&self, limit: EngineLimit) -> Limits {
        let within = |time: Duration| TimeLimit::fixed(time.min(MAX_TIME));
        let (time, nodes, depth) = match limit {
            EngineLimit::Ms(ms) => {
                (self.clock_limit().unwrap_or(within(Duration::from_millis(ms))), None, None)
            }
            EngineLimit::Nodes(nodes) => (within(MAX_TIME), Some(nodes), None),
            EngineLimit::Depth(plies) => (within(MAX_TIME), None, Some(plies)),
        };
        Limits { time: Some(time), nodes, depth, ..Limits::default() }
    }

    /// A level goes by positions; its clock only keeps it from losing on time.
    fn limits_of_level(&self, level: Level) -> Limits {
        Limits { time: Some(self.clock_limit().unwrap_or(TimeLimit::fixed(MAX_TIME))), ..level.limits() }
    }

    fn clock_limit(&self) -> Option<TimeLimit> {
        let clock = self.clock?;
        let ms = |ms: u64| Duration::from_millis(ms.min(86_400_000));
        let limit = TimeLimit::of_clock(ms(clock.remaining_ms), ms(clock.increment_ms), None);
        Some(TimeLimit { soft: limit.soft.min(MAX_TIME), hard: limit.hard.min(MAX_TIME) })
    }

    fn search_as_engine(&self, game: &Game, limits: Limits, noise: Noise, stop: &AtomicBool) -> MoveChoice {
        let values = self.values.clone();
        let options = EngineOptions { megabytes: MEGABYTES, noise, values, ..EngineOptions::default() };
        let progress = search(game, options, &limits, stop);
        MoveChoice { best: progress.best(), info: Some(progress) }
    }
}

/// The engine looks at a position.
pub fn search(game: &Game, options: EngineOptions, limits: &Limits, stop: &AtomicBool) -> SearchInfo {
    let start = Instant::now();
    let elapsed = move || start.elapsed();
    let mut engine = Engine::new(game.rules(), options);
    engine.search_game(game, limits, SearchControl { elapsed: &elapsed, stop }, |_| {})
}

/// The engine looks at a position for so many nodes: the same on every machine.
pub fn search_nodes(game: &Game, nodes: u64, only: Option<Move>, stop: &AtomicBool) -> SearchInfo {
    let time = Some(TimeLimit::fixed(MAX_TIME));
    let limits = Limits { nodes: Some(nodes), time, moves: only.into_iter().collect(), ..Limits::default() };
    search(game, EngineOptions { megabytes: MEGABYTES, ..EngineOptions::default() }, &limits, stop)
}
