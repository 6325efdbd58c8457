//! The engine as a player of a game: its limits, its level, its clock.
//!
//! In: a line of play. Out: a move. Never: a clock of its own; where none was given, only positions and plies limit it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ashta_position::{Line, Move, Word};
use ashta_rules::Rules;
use ashta_search::engine::{Engine, EngineOptions, Limits, SearchControl, TimeLimit};
use ashta_search::{StopFlag, Values};

use crate::level::Level;
use crate::plan::EngineLimit;
use crate::random::Random;

/// Time since any fixed moment, asked of whoever knows.
#[derive(Clone)]
pub struct Clock(pub Arc<dyn Fn() -> Duration + Send + Sync>);

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock")
    }
}

/// Memory of an engine by time, and of one by positions: a small one is emptied sooner between games.
const MEGABYTES: usize = 16;
const FEW_MEGABYTES: usize = 4;
/// Positions where there is a limit of time and no clock to tell it.
const WITHOUT_CLOCK: u64 = 20_000;

/// The engine at the board.
#[derive(Debug)]
pub struct EngineSeat {
    engine: Box<Engine>,
    limits: Limits,
    level: Option<Level>,
    clock: Option<Clock>,
    /// Drawn once for every game.
    seed: Option<u64>,
    stop: StopFlag,
}

impl EngineSeat {
    /// Sits down with a limit.
    pub fn new(rules: &Rules, limit: EngineLimit, values: Option<&Values>) -> EngineSeat {
        let limits = match limit {
            EngineLimit::Ms(ms) => {
                Limits { time: Some(TimeLimit::fixed(Duration::from_millis(ms))), ..Limits::default() }
            }
            EngineLimit::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
            EngineLimit::Depth(plies) => Limits { depth: Some(plies), ..Limits::default() },
        };
        EngineSeat::with(rules, limits, None, values)
    }

    /// Sits down at a level.
    pub fn at_level(rules: &Rules, level: Level, values: Option<&Values>) -> EngineSeat {
        EngineSeat::with(rules, level.limits(), Some(level), values)
    }

    fn with(rules: &Rules, limits: Limits, level: Option<Level>, values: Option<&Values>) -> EngineSeat {
        let megabytes = if limits.time.is_some() { MEGABYTES } else { FEW_MEGABYTES };
        let options = EngineOptions { megabytes, values: values.cloned(), ..EngineOptions::default() };
        let (engine, stop) = (Box::new(Engine::new(rules, options)), StopFlag::default());
        EngineSeat { engine, limits, level, clock: None, seed: None, stop }
    }

    /// Is told the time from now on.
    pub fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// Breaks off its thinking when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// Forgets the game before.
    pub fn begin_game(&mut self) {
        self.engine.new_game();
        self.seed = None;
    }

    /// A move; passes if there is none.
    pub fn choose<W: Word>(&mut self, line: &Line<W>, random: &mut Random) -> Move {
        if let Some(level) = self.level {
            let seed = *self.seed.get_or_insert_with(|| u64::from(random.below(u32::MAX)) + 1);
            self.engine.set_noise(level.noise(seed));
        }
        let mut limits = self.limits.clone();
        if self.clock.is_none() && limits.time.take().is_some() {
            limits.nodes = Some(WITHOUT_CLOCK);
        }
        let clock = self.clock.clone();
        let now = move || clock.as_ref().map_or(Duration::ZERO, |clock| (clock.0)());
        let start = now();
        let elapsed = || now().saturating_sub(start);
        let never = AtomicBool::new(false);
        let watch = SearchControl { elapsed: &elapsed, stop: self.stop.flag().unwrap_or(&never) };
        self.engine.search(line, &limits, watch, |_| {}).best().unwrap_or(Move::PASS)
    }
}
