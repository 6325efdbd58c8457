//! The game and the engine of a session, independent of its protocol.
//!
//! In: positions, moves, options, limits. Out: events of an engine that searches on its own thread. Never: text of a
//! protocol.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

use ashta_position::notation::{MoveTextError, read_coordinates, read_san, write_coordinates};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::load;
use ashta_search::engine::{Engine, EngineOptions, Limits, Noise, SearchControl};
use ashta_search::{UnknownKeys, Values, read_numbers};

use super::session_error::SessionError;
use super::variants::game_of_variant;
use super::{Event, Host};
use crate::level::Level;

/// Stack of the search thread: a hundred plies, several calls each.
const STACK: usize = 16 << 20;

/// Engine options that the GUI sets.
#[derive(Clone, Debug)]
pub struct Settings {
    pub megabytes: usize,
    pub n_threads: usize,
    pub n_lines: usize,
    pub level: Option<Level>,
    /// In force if `limits_strength`: the level nearest to this rating.
    pub elo: i32,
    pub limits_strength: bool,
    /// Path and text of a file of piece values that replaces the game's own.
    pub values: Option<(String, String)>,
}

pub struct EngineSession {
    pub host: Host,
    pub settings: Settings,
    pub name: String,
    pub rules: CompiledRules,
    pub game: Game,
    engine: Option<Box<Engine>>,
    search: Option<RunningSearch>,
    was_stopped: bool,
    events: Sender<Event>,
}

struct RunningSearch {
    stop: Arc<AtomicBool>,
    is_bounded: bool,
}

impl EngineSession {
    pub fn new(events: Sender<Event>, host: &Host) -> EngineSession {
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
        EngineSession {
            host: host.clone(),
            settings,
            name,
            rules,
            game,
            engine: None,
            search: None,
            was_stopped: false,
            events,
        }
    }

    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// Whether the search ends without `stop`.
    pub fn is_bounded(&self) -> bool {
        self.search.as_ref().is_none_or(|search| search.is_bounded)
    }

    /// Asks the search to stop; `Event::SearchDone` follows within about a millisecond.
    pub fn stop(&mut self) {
        if let Some(search) = &self.search {
            search.stop.store(true, Ordering::Relaxed);
            self.was_stopped = true;
        }
    }

    /// Whether the last search was asked to stop.
    pub fn was_stopped(&self) -> bool {
        self.was_stopped
    }

    /// Takes the engine back from the search thread.
    pub fn finish_search(&mut self, engine: Box<Engine>) {
        self.engine = Some(engine);
        self.search = None;
    }

    /// Switches to the start of another game.
    pub fn choose_game(&mut self, name: &str) -> Result<(), SessionError> {
        let rules = if name == self.host.game {
            self.host.rules.clone()
        } else {
            load(game_of_variant(name)).map_err(|_| SessionError::NoGame { name: truncated(name) })?
        };
        if !rules.is_two_sided() {
            return Err(SessionError::NotTwoSides { name: name.to_string() });
        }
        self.rules = CompiledRules::new(rules);
        self.game = Game::start(&self.rules);
        self.name = name.to_string();
        self.engine = None;
        Ok(())
    }

    /// Sets a position (`None`: the start) and plays moves. On an error the game is unchanged.
    pub fn set_position(&mut self, text: Option<&str>, moves: &[String]) -> Result<(), SessionError> {
        let mut game = match text {
            None => Game::start(&self.rules),
            Some(text) => {
                Game::from_text(&self.rules, text).map_err(|error| SessionError::Position { error })?
            }
        };
        for text in moves {
            let mv = read_coordinates(&game, text).map_err(|error| SessionError::Move { error })?;
            game.play_unchecked(mv);
        }
        self.game = game;
        Ok(())
    }

    /// A legal move in coordinates or SAN.
    pub fn read_move(&self, text: &str) -> Result<Move, MoveTextError> {
        read_coordinates(&self.game, text).or_else(|first| read_san(&self.game, text).map_err(|_| first))
    }

    /// Loads piece values that replace the game's own; an empty path restores those.
    pub fn set_values(&mut self, path: &str) -> Result<(), SessionError> {
        self.engine = None;
        if matches!(path, "" | "<empty>" | "none") {
            self.settings.values = None;
            return Ok(());
        }
        let text = (self.host.read_file)(path).map_err(|text| SessionError::File { text })?;
        read_numbers(&text, self.rules.rules(), UnknownKeys::Reject)?;
        self.settings.values = Some((path.to_string(), text));
        Ok(())
    }

    /// Clears the transposition table and histories.
    pub fn new_game(&mut self) {
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

    /// Builds the engine in advance, so that its first move is not delayed.
    pub fn ensure_engine(&mut self) {
        if self.engine.is_none() && self.search.is_none() {
            self.engine = Some(self.make_engine());
        }
    }

    /// Starts a search. A level caps its nodes, whatever the limits.
    pub fn start_search(&mut self, mut limits: Limits, is_bounded: bool) {
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
        self.search = Some(RunningSearch { stop: stop.clone(), is_bounded });
        let (game, events, clock) = (self.game.clone(), self.events.clone(), self.host.clock.clone());
        let start = clock();
        let run = move || {
            let elapsed = || clock().saturating_sub(start);
            let control = SearchControl { elapsed: &elapsed, stop: &stop };
            let report = |info: &_| drop(events.send(Event::Info(Clone::clone(info))));
            let info = engine.search_game(&game, &limits, control, report);
            // Fails only if the session has ended.
            drop(events.send(Event::SearchDone(engine, info)));
        };
        if thread::Builder::new().stack_size(STACK).spawn(run).is_err() {
            self.search = None;
        }
    }

    /// A variation in coordinates, up to the first move that is not legal.
    pub fn write_moves(&self, moves: &[Move]) -> Vec<String> {
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

/// The beginning of an input text, for use in error messages.
pub fn truncated(text: &str) -> String {
    text.chars().take(60).collect()
}
