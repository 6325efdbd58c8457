//! A session of UCI or USI.
//!
//! In: events. Out: lines. Never: blocks on the engine, or panics on input.

use std::collections::VecDeque;
use std::error::Error;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use ashta_position::Move;
use ashta_rules::Side;
use ashta_search::engine::{Limits, Score, SearchInfo, TimeLimit};

use super::engine_session::{EngineSession, truncated};
use super::session_error::SessionError;
use super::uci::{Clocks, GoParams, StartPosition, UciCommand};
use super::usi::{Dialect, MateLimit};
use super::variants::variant_names;
use super::{Event, Host};
use crate::level::Level;

/// Longest mate that USI's `go mate` looks for, in moves; longer searches seldom finish.
const MATE_MOVES: u32 = 12;

/// Largest `MultiPV`: more than any position of chess has moves.
const MAX_LINES: usize = 500;

pub struct UciSession {
    dialect: Dialect,
    session: EngineSession,
    /// Of the running or last search.
    goal: SearchGoal,
    /// The result of a finished `go infinite`, which must not be sent before `stop`.
    deferred: Option<SearchInfo>,
    /// Lines that arrived while a search was being stopped.
    backlog: VecDeque<Event>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SearchGoal {
    Move,
    Mate,
    Infinite,
}

impl UciSession {
    pub fn new(dialect: Dialect, events: Sender<Event>, host: &Host) -> UciSession {
        let (session, backlog) = (EngineSession::new(events, host), VecDeque::new());
        UciSession { dialect, session, goal: SearchGoal::Move, deferred: None, backlog }
    }

    pub fn serve(mut self, queue: &Receiver<Event>, out: &mut dyn Write) -> io::Result<()> {
        let mut is_over = false;
        while let Some(event) = self.backlog.pop_front().or_else(|| queue.recv().ok()) {
            match event {
                Event::Line(line) => {
                    if self.handle_line(&line, queue, out)?.is_break() {
                        self.session.stop();
                        return Ok(());
                    }
                }
                Event::End => {
                    is_over = true;
                    if !self.session.is_bounded() {
                        self.session.stop();
                    }
                }
                Event::Info(info) => self.write_info(&info, out)?,
                Event::SearchDone(engine, info) => {
                    self.session.finish_search(engine);
                    self.on_search_done(info, is_over, out)?;
                }
            }
            out.flush()?;
            if is_over && !self.session.is_searching() {
                return self.write_deferred(out);
            }
        }
        Ok(())
    }

    fn handle_line(
        &mut self,
        line: &str,
        queue: &Receiver<Event>,
        out: &mut dyn Write,
    ) -> io::Result<ControlFlow<()>> {
        match UciCommand::read(line, self.dialect) {
            UciCommand::Hello => self.identify(out)?,
            UciCommand::IsReady => {
                self.session.ensure_engine();
                writeln!(out, "readyok")?;
            }
            UciCommand::NewGame => {
                self.end_search(queue, out)?;
                self.session.new_game();
            }
            UciCommand::SetOption { name, value } => {
                self.end_search(queue, out)?;
                if let Err(why) = self.set_option(&name, &value) {
                    self.write_error(&why, out)?;
                }
            }
            UciCommand::Position { start, moves } => {
                self.end_search(queue, out)?;
                let text = match &start {
                    StartPosition::Startpos => None,
                    StartPosition::Text(text) => Some(text.as_str()),
                };
                if let Err(why) = self.session.set_position(text, &moves) {
                    self.write_error(&why, out)?;
                }
            }
            UciCommand::Go(go) => {
                self.end_search(queue, out)?;
                self.go(&go, out)?;
            }
            UciCommand::Stop => {
                self.session.stop();
                self.write_deferred(out)?;
            }
            UciCommand::Quit => {
                self.end_search(queue, out)?;
                return Ok(ControlFlow::Break(()));
            }
            UciCommand::Show => writeln!(out, "info string {}", self.session.game.text())?,
            UciCommand::Nothing => {}
            UciCommand::Unknown => {
                self.write_error(&SessionError::UnknownCommand { line: truncated(line) }, out)?
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn write_error(&self, why: &dyn Error, out: &mut dyn Write) -> io::Result<()> {
        // Input may contain line breaks; an answer must not.
        writeln!(out, "info string error: {}", why.to_string().replace(['\n', '\r'], " "))
    }

    /// Stops the search and sends its result, before the session's state changes.
    fn end_search(&mut self, queue: &Receiver<Event>, out: &mut dyn Write) -> io::Result<()> {
        self.session.stop();
        while self.session.is_searching() {
            match queue.recv() {
                Ok(Event::SearchDone(engine, info)) => {
                    self.session.finish_search(engine);
                    self.on_search_done(info, true, out)?;
                }
                Ok(Event::Info(info)) => self.write_info(&info, out)?,
                // Handled afterwards.
                Ok(event @ (Event::Line(_) | Event::End)) => self.backlog.push_back(event),
                Err(_) => break,
            }
        }
        self.write_deferred(out)
    }

    fn write_deferred(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.deferred.take() {
            Some(info) => self.write_answer(&info, out),
            None => Ok(()),
        }
    }

    fn on_search_done(
        &mut self,
        info: SearchInfo,
        is_asked_for: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.goal == SearchGoal::Infinite && !is_asked_for && !self.session.was_stopped() {
            self.deferred = Some(info);
            Ok(())
        } else {
            self.write_answer(&info, out)
        }
    }

    fn write_answer(&mut self, info: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let moves = info.lines.first().map(|line| self.session.write_moves(&line.moves)).unwrap_or_default();
        match (self.goal, self.dialect) {
            (SearchGoal::Mate, Dialect::Usi) => match info.score() {
                Score::WinIn(_) => writeln!(out, "checkmate {}", moves.join(" ")),
                _ if self.session.was_stopped() || self.is_cut_short(info) => {
                    writeln!(out, "checkmate timeout")
                }
                _ => writeln!(out, "checkmate nomate"),
            },
            (SearchGoal::Move | SearchGoal::Mate | SearchGoal::Infinite, _) => {
                let mv = moves.first().map_or(self.dialect.no_move(), String::as_str);
                writeln!(out, "bestmove {mv}")
            }
        }?;
        out.flush()
    }

    /// Whether a mate search ended before its last depth.
    fn is_cut_short(&self, info: &SearchInfo) -> bool {
        u32::from(info.depth) < 2 * MATE_MOVES - 1 && info.best().is_some()
    }

    fn write_info(&self, info: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let elapsed_ms = info.elapsed.as_millis();
        let speed = u128::from(info.n_nodes) * 1_000_000 / info.elapsed.as_micros().max(1);
        for (n, line) in info.lines.iter().enumerate() {
            let score = self.dialect.score(line.score);
            let pv = self.session.write_moves(&line.moves).join(" ");
            let multi = if info.lines.len() > 1 { format!(" multipv {}", n + 1) } else { String::new() };
            writeln!(
                out,
                "info depth {} seldepth {}{multi} score {score} nodes {} nps {speed} hashfull {} time {elapsed_ms} pv {pv}",
                info.depth, info.seldepth, info.n_nodes, info.hashfull
            )?;
        }
        out.flush()
    }

    fn identify(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "id name Ashtapada {}", self.session.host.version)?;
        writeln!(out, "id author the Ashtapada authors")?;
        let (weakest, strongest) = (Level::of_elo(i32::MIN / 2).elo(), Level::HIGHEST.elo());
        let (prefix, hash) = (self.dialect.option_prefix(), self.dialect.hash_option());
        let variants = variant_names().iter().map(|name| format!(" var {name}")).collect::<String>();
        writeln!(out, "option name {prefix}_Variant type combo default {}{variants}", self.session.name)?;
        writeln!(out, "option name {hash} type spin default 16 min 1 max 4096")?;
        writeln!(out, "option name Threads type spin default 1 min 1 max 64")?;
        writeln!(out, "option name MultiPV type spin default 1 min 1 max {MAX_LINES}")?;
        writeln!(out, "option name Level type spin default 0 min 0 max 10")?;
        writeln!(out, "option name {prefix}_LimitStrength type check default false")?;
        writeln!(
            out,
            "option name {prefix}_Elo type spin default {strongest} min {weakest} max {strongest}"
        )?;
        writeln!(out, "option name EvalFile type string default <empty>")?;
        writeln!(out, "option name Clear Hash type button")?;
        writeln!(out, "{}", self.dialect.hello_ok())
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        let number = |low: usize, high: usize| -> Result<usize, SessionError> {
            let number =
                value.parse::<usize>().map_err(|_| SessionError::NotANumber { text: truncated(value) })?;
            Ok(number.clamp(low, high))
        };
        let settings = &mut self.session.settings;
        // GUIs of either dialect may set the options of the other.
        match name.to_ascii_lowercase().replace("usi_", "uci_").as_str() {
            "uci_variant" => self.session.choose_game(value)?,
            "hash" | "uci_hash" => settings.megabytes = number(1, 4096)?,
            "threads" => settings.n_threads = number(1, 64)?,
            "multipv" => settings.n_lines = number(1, MAX_LINES)?,
            "level" | "skill level" => settings.level = Level::new(number(0, 10)? as u8),
            "uci_limitstrength" => settings.limits_strength = value.eq_ignore_ascii_case("true"),
            "uci_elo" => settings.elo = number(0, 5000)? as i32,
            "evalfile" => self.session.set_values(value)?,
            "clear hash" => self.session.new_game(),
            // GUIs set these even though the engine does not offer them.
            "uci_ponder" | "ponder" | "uci_analysemode" | "uci_opponent" | "uci_showwdl" | "uci_chess960" => {
            }
            _ => return Err(SessionError::NoSuchOption { name: truncated(name) }),
        }
        Ok(())
    }

    fn go(&mut self, go: &GoParams, out: &mut dyn Write) -> io::Result<()> {
        let mut moves: Vec<Move> = Vec::new();
        for text in &go.moves {
            match self.session.read_move(text) {
                Ok(mv) => moves.push(mv),
                Err(why) => self.write_error(&why, out)?,
            }
        }
        let clock = self.clock_time(&go.clocks);
        let move_time = go.move_ms.map(|ms| TimeLimit::fixed(Duration::from_millis(ms.max(1))));
        let mut limits = Limits {
            depth: go.depth.map(|depth| depth.clamp(1, 200) as u8),
            nodes: go.nodes.map(|nodes| nodes.max(1)),
            time: move_time.or(clock),
            moves,
            ..Limits::default()
        };
        match go.mate {
            None => {}
            Some(MateLimit::Moves(moves)) => limits.mate = Some(moves.clamp(1, 40) as u32),
            Some(MateLimit::Milliseconds(ms)) => {
                limits.mate = Some(MATE_MOVES);
                limits.time = Some(TimeLimit::fixed(Duration::from_millis(ms.max(1))));
            }
            Some(MateLimit::Unlimited) => limits.mate = Some(MATE_MOVES),
        }
        let has_limit = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        let is_bounded = (has_limit || limits.mate.is_some()) && !go.is_infinite;
        self.goal = match (go.mate, is_bounded) {
            (Some(_), _) => SearchGoal::Mate,
            (None, true) => SearchGoal::Move,
            (None, false) => SearchGoal::Infinite,
        };
        self.session.start_search(limits, is_bounded);
        Ok(())
    }

    /// Time allotted from the clock of the side to move.
    fn clock_time(&self, clocks: &Clocks) -> Option<TimeLimit> {
        let Side(turn) = self.session.game.turn();
        let letter = self.session.rules.rules().sides().get(usize::from(turn)).map(|side| side.letter);
        let is_white = match letter {
            Some('w') => true,
            Some('b') => false,
            _ => turn == 0,
        };
        let (left, increment) = if is_white {
            (clocks.white, clocks.white_increment)
        } else {
            (clocks.black, clocks.black_increment)
        };
        let byoyomi = Duration::from_millis(clocks.byoyomi);
        let Some(left) = left.map(Duration::from_millis) else {
            return (clocks.byoyomi > 0).then(|| TimeLimit::fixed(byoyomi.mul_f64(0.9)));
        };
        let limit = TimeLimit::of_clock(left, Duration::from_millis(increment), clocks.moves_to_go);
        let more = byoyomi.mul_f64(0.85);
        Some(TimeLimit { soft: limit.soft + more, hard: limit.hard + more })
    }
}
