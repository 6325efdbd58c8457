//! The game and the engine behind a session, whatever language it speaks.
//!
//! In: positions, moves, options, limits. Out: an engine that thinks on its own thread and reports as events. Never: words
//! of a protocol.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use ashta_position::notation::{read_coordinates, read_san, write_coordinates};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::load;
use ashta_search::engine::{Engine, EngineOptions, Limits, Noise, SearchControl};
use ashta_search::{UnknownKeys, Values, read_numbers};

use super::notation::game_of;
use super::{Event, Host};
use crate::level::Level;

/// Stack of the thread that thinks: a hundred plies, several calls each.
const STACK: usize = 16 << 20;

/// Options, as they were set.
#[derive(Clone, Debug)]
pub struct Settings {
    pub megabytes: usize,
    pub n_threads: usize,
    pub n_lines: usize,
    /// Plays as this level does.
    pub level: Option<Level>,
    /// Plays as the level of this Elo number, if it is switched on.
    pub elo: i32,
    pub limits_strength: bool,
    /// The file of values, if it is not the game's own.
    pub values: Option<(String, String)>,
}

pub struct Desk {
    pub host: Host,
    pub settings: Settings,
    pub name: String,
    pub rules: CompiledRules,
    pub game: Game,
    engine: Option<Box<Engine>>,
    thinking: Option<Thinking>,
    was_stopped: bool,
    events: Sender<Event>,
}

struct Thinking {
    stop: Arc<AtomicBool>,
    is_bounded: bool,
}

impl Desk {
    pub fn new(events: Sender<Event>, host: &Host) -> Desk {
        let settings = Settings {
            megabytes: 16,
            n_threads: 1,
            n_lines: 1,
            level: None,
            elo: Level::HIGHEST.elo(),
            limits_strength: false,
            values: None,
        };
        let rules = CompiledRules::new(host.rules.clone());
        let (name, game) = (host.game.clone(), Game::start(&rules));
        Desk {
            host: host.clone(),
            settings,
            name,
            rules,
            game,
            engine: None,
            thinking: None,
            was_stopped: false,
            events,
        }
    }

    pub fn is_thinking(&self) -> bool {
        self.thinking.is_some()
    }

    /// Whether thinking ends by itself.
    pub fn is_bounded(&self) -> bool {
        self.thinking.as_ref().is_none_or(|thinking| thinking.is_bounded)
    }

    /// Asks the engine to come to an end; it does so within a millisecond or so and says that it has.
    pub fn stop(&mut self) {
        if let Some(thinking) = &self.thinking {
            thinking.stop.store(true, Ordering::Relaxed);
            self.was_stopped = true;
        }
    }

    /// Whether the last thinking was asked to come to an end.
    pub fn was_stopped(&self) -> bool {
        self.was_stopped
    }

    /// Takes the engine back.
    pub fn finish(&mut self, engine: Box<Engine>) {
        self.engine = Some(engine);
        self.thinking = None;
    }

    /// Another game, from its start.
    pub fn choose_game(&mut self, name: &str) -> Result<(), String> {
        let rules = match name == self.host.game {
            true => self.host.rules.clone(),
            false => load(game_of(name)).map_err(|_| format!("no game is named `{}`", short(name)))?,
        };
        if rules.sides().len() != 2 || rules.contest().is_some() {
            return Err(format!("`{name}` is not a game of two sides"));
        }
        self.rules = CompiledRules::new(rules);
        self.game = Game::start(&self.rules);
        self.name = name.to_string();
        self.engine = None;
        Ok(())
    }

    /// A position and moves after it; if something is wrong, the game stays as it was.
    pub fn set_position(&mut self, text: Option<&str>, moves: &[String]) -> Result<(), String> {
        let mut game = match text {
            None => Game::start(&self.rules),
            Some(text) => {
                Game::from_text(&self.rules, text).map_err(|error| format!("illegal position: {error}"))?
            }
        };
        for text in moves {
            let mv = read_coordinates(&game, text).map_err(|error| format!("illegal move: {error}"))?;
            game.play_unchecked(mv);
        }
        self.game = game;
        Ok(())
    }

    /// A legal move as coordinates or SAN.
    pub fn read_move(&self, text: &str) -> Result<Move, String> {
        let read =
            read_coordinates(&self.game, text).or_else(|first| read_san(&self.game, text).map_err(|_| first));
        read.map_err(|error| error.to_string())
    }

    /// A file of values in place of the game's own; an empty name takes it away.
    pub fn set_values(&mut self, path: &str) -> Result<(), String> {
        self.engine = None;
        if matches!(path, "" | "<empty>" | "none") {
            self.settings.values = None;
            return Ok(());
        }
        let text = (self.host.read_file)(path)?;
        read_numbers(&text, self.rules.rules(), UnknownKeys::Reject).map_err(|error| error.to_string())?;
        self.settings.values = Some((path.to_string(), text));
        Ok(())
    }

    /// Forgets the game before.
    pub fn forget(&mut self) {
        if let Some(engine) = &mut self.engine {
            engine.new_game();
        }
    }

    fn level(&self) -> Option<Level> {
        let by_elo = self.settings.limits_strength.then(|| Level::of_elo(self.settings.elo));
        by_elo.or(self.settings.level)
    }

    fn make_engine(&self) -> Box<Engine> {
        let rules = self.rules.rules();
        let numbers = self.settings.values.as_ref();
        let numbers = numbers.and_then(|(_, text)| read_numbers(text, rules, UnknownKeys::Reject).ok());
        let values = numbers.map(|numbers| Values::of_numbers(&numbers));
        let options =
            EngineOptions { megabytes: self.settings.megabytes, values, ..EngineOptions::default() };
        Box::new(Engine::new(rules, options))
    }

    /// Makes the engine before it is needed, so that its first move takes no longer.
    pub fn prepare(&mut self) {
        if self.engine.is_none() && self.thinking.is_none() {
            self.engine = Some(self.make_engine());
        }
    }

    /// Begins to think. A level looks at no more than it is worth, however long it may think.
    pub fn go(&mut self, mut limits: Limits, is_bounded: bool) {
        let mut engine = self.engine.take().unwrap_or_else(|| self.make_engine());
        engine.set_megabytes(self.settings.megabytes);
        engine.set_threads(self.settings.n_threads);
        let mut noise = Noise::default();
        if let Some(level) = self.level() {
            noise = level.noise(self.game.moves().len() as u64 / 2 + 1);
            limits.nodes = level.limits().nodes.min(limits.nodes.or(Some(u64::MAX)));
            engine.set_threads(1);
        }
        engine.set_noise(noise);
        limits.n_lines = self.settings.n_lines;
        let stop = Arc::new(AtomicBool::new(false));
        self.was_stopped = false;
        self.thinking = Some(Thinking { stop: stop.clone(), is_bounded });
        let (game, events, clock) = (self.game.clone(), self.events.clone(), self.host.clock.clone());
        let start = clock();
        let think = move || {
            let elapsed = || clock().saturating_sub(start);
            let watch = SearchControl { elapsed: &elapsed, stop: &stop };
            let told = |progress: &_| drop(events.send(Event::Told(Clone::clone(progress))));
            let progress = engine.search_game(&game, &limits, watch, told);
            // Nobody listens any more when the session has ended.
            drop(events.send(Event::Done(engine, progress)));
        };
        if thread::Builder::new().stack_size(STACK).spawn(think).is_err() {
            self.thinking = None;
        }
    }

    /// Moves as text, played one after another from the present position; up to the first that cannot be.
    pub fn write_line(&self, moves: &[Move]) -> Vec<String> {
        let mut game = self.game.clone();
        let mut texts = Vec::new();
        for mv in moves {
            if !game.is_legal(*mv) {
                break;
            }
            texts.push(write_coordinates(&game, *mv));
            game.play_unchecked(*mv);
        }
        texts
    }
}

/// At most so much of a text as may be repeated to its author.
pub fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
