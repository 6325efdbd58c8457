//! The engine as a player: limits, level, clock.
//!
//! In: a line of play. Out: a move. Never: a clock of its own; without one, only nodes and depth limit it.

use ashta_search::SearchWord;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ashta_position::{Line, Move};
use ashta_rules::Rules;
use ashta_search::engine::{Engine, EngineOptions, Limits, SearchControl, TimeLimit};
use ashta_search::{StopFlag, Values};

use crate::engine_limit::EngineLimit;
use crate::level::Level;
use crate::random::Random;

/// A monotonic clock of the host.
#[derive(Clone)]
pub struct Clock(pub Arc<dyn Fn() -> Duration + Send + Sync>);

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock")
    }
}

/// Size of the transposition table with a time limit, and without: a small one is cleared faster between games.
const TIMED_MEGABYTES: usize = 16;
const UNTIMED_MEGABYTES: usize = 4;
/// Node limit in place of a time limit where there is no clock.
const NODES_WITHOUT_CLOCK: u64 = 20_000;

/// The engine as a player.
#[derive(Debug)]
pub struct EnginePlayer {
    engine: Box<Engine>,
    limits: Limits,
    level: Option<Level>,
    clock: Option<Clock>,
    /// Of the level's noise; drawn once per game.
    seed: Option<u64>,
    stop: StopFlag,
}

impl EnginePlayer {
    pub fn new(rules: &Rules, limit: EngineLimit, values: Option<&Values>) -> EnginePlayer {
        let limits = match limit {
            EngineLimit::Ms(ms) => {
                Limits { time: Some(TimeLimit::fixed(Duration::from_millis(ms))), ..Limits::default() }
            }
            EngineLimit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            EngineLimit::Depth(plies) => Limits { depth: Some(plies), ..Limits::default() },
        };
        EnginePlayer::with(rules, limits, None, values)
    }

    pub fn at_level(rules: &Rules, level: Level, values: Option<&Values>) -> EnginePlayer {
        EnginePlayer::with(rules, level.limits(), Some(level), values)
    }

    fn with(rules: &Rules, limits: Limits, level: Option<Level>, values: Option<&Values>) -> EnginePlayer {
        let megabytes = if limits.time.is_some() { TIMED_MEGABYTES } else { UNTIMED_MEGABYTES };
        let options = EngineOptions { megabytes, values: values.cloned(), ..EngineOptions::default() };
        let (engine, stop) = (Box::new(Engine::new(rules, options)), StopFlag::default());
        EnginePlayer { engine, limits, level, clock: None, seed: None, stop }
    }

    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// The search stops when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// Clears the engine's tables, so that games do not depend on each other.
    pub fn begin_game(&mut self) {
        self.engine.new_game();
        self.seed = None;
    }

    /// A move, or a pass if there is none.
    pub fn choose<W: SearchWord>(&mut self, line: &Line<W>, random: &mut Random) -> Move {
        if let Some(level) = self.level {
            let seed = *self.seed.get_or_insert_with(|| u64::from(random.below(u32::MAX)) + 1);
            self.engine.set_noise(level.noise(seed));
        }
        let mut limits = self.limits.clone();
        if self.clock.is_none() && limits.time.take().is_some() {
            limits.nodes = Some(NODES_WITHOUT_CLOCK);
        }
        let clock = self.clock.clone();
        let now = move || clock.as_ref().map_or(Duration::ZERO, |clock| (clock.0)());
        let start = now();
        let elapsed = || now().saturating_sub(start);
        let never = AtomicBool::new(false);
        let control = SearchControl { elapsed: &elapsed, stop: self.stop.flag().unwrap_or(&never) };
        self.engine.search(line, &limits, control, |_| {}).best().unwrap_or(Move::PASS)
    }
}
