//! A session in UCI or USI.
//!
//! In: events. Out: lines. Never: a line that is not answered because the engine thinks, or a panic by what comes in.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use ashta_position::Move;
use ashta_rules::Side;
use ashta_search::engine::{Limits, Score, SearchInfo, TimeLimit};

use super::desk::{Desk, short};
use super::notation::variant_names;
use super::numbers::{in_moves, in_plies};
use super::universal::{Clocks, Command, Dialect, GoWords, MateWish, Start};
use super::{Event, Host};
use crate::level::Level;

/// Moves within which USI's `go mate` looks: plies are odd, and more is seldom finished.
const MATE_MOVES: u32 = 12;

pub struct UniversalSession {
    dialect: Dialect,
    desk: Desk,
    /// What the engine thinks about, if it does.
    asked: Asked,
    /// `go infinite` says nothing before `stop`, even if there is nothing more to find.
    held_back: Option<SearchInfo>,
    /// Lines that came while thinking was brought to an end.
    backlog: VecDeque<Event>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Asked {
    Move,
    Mate,
    Infinite,
}

/// What to do after a line.
enum Next {
    GoOn,
    Quit,
}

impl UniversalSession {
    pub fn new(dialect: Dialect, events: Sender<Event>, host: &Host) -> UniversalSession {
        let (desk, backlog) = (Desk::new(events, host), VecDeque::new());
        UniversalSession { dialect, desk, asked: Asked::Move, held_back: None, backlog }
    }

    pub fn serve(mut self, queue: &Receiver<Event>, out: &mut dyn Write) -> io::Result<()> {
        let mut is_over = false;
        while let Some(event) = self.backlog.pop_front().or_else(|| queue.recv().ok()) {
            match event {
                Event::Line(line) => {
                    if let Next::Quit = self.line(&line, queue, out)? {
                        self.desk.stop();
                        return Ok(());
                    }
                }
                Event::End => {
                    is_over = true;
                    if !self.desk.is_bounded() {
                        self.desk.stop();
                    }
                }
                Event::Told(progress) => self.tell(&progress, out)?,
                Event::Done(engine, progress) => {
                    self.desk.finish(engine);
                    self.done(progress, is_over, out)?;
                }
            }
            out.flush()?;
            if is_over && !self.desk.is_thinking() {
                return self.release(out);
            }
        }
        Ok(())
    }

    fn line(&mut self, line: &str, queue: &Receiver<Event>, out: &mut dyn Write) -> io::Result<Next> {
        match Command::read(line, self.dialect) {
            Command::Hello => self.hello(out)?,
            Command::IsReady => {
                self.desk.prepare();
                writeln!(out, "readyok")?;
            }
            Command::NewGame => {
                self.settle(queue, out)?;
                self.desk.forget();
            }
            Command::SetOption { name, value } => {
                self.settle(queue, out)?;
                if let Err(why) = self.set_option(&name, &value) {
                    self.complain(&why, out)?;
                }
            }
            Command::Position { start, moves } => {
                self.settle(queue, out)?;
                let text = match &start {
                    Start::Startpos => None,
                    Start::Text(text) => Some(text.as_str()),
                };
                if let Err(why) = self.desk.set_position(text, &moves) {
                    self.complain(&why, out)?;
                }
            }
            Command::Go(go) => {
                self.settle(queue, out)?;
                self.go(&go, out)?;
            }
            Command::Stop => {
                self.desk.stop();
                self.release(out)?;
            }
            Command::Quit => {
                self.settle(queue, out)?;
                return Ok(Next::Quit);
            }
            Command::Show => writeln!(out, "info string {}", self.desk.game.text())?,
            Command::Nothing => {}
            Command::Unknown => self.complain(&format!("unknown command: `{}`", short(line)), out)?,
        }
        Ok(Next::GoOn)
    }

    fn complain(&self, why: &str, out: &mut dyn Write) -> io::Result<()> {
        // A line of the protocol is one line, whatever came in.
        writeln!(out, "info string error: {}", why.replace(['\n', '\r'], " "))
    }

    /// Brings thinking to an end, and what it came to is said, before anything else is changed.
    fn settle(&mut self, queue: &Receiver<Event>, out: &mut dyn Write) -> io::Result<()> {
        self.desk.stop();
        while self.desk.is_thinking() {
            match queue.recv() {
                Ok(Event::Done(engine, progress)) => {
                    self.desk.finish(engine);
                    self.done(progress, true, out)?;
                }
                Ok(Event::Told(progress)) => self.tell(&progress, out)?,
                // Lines that came meanwhile have their turn afterwards.
                Ok(event @ (Event::Line(_) | Event::End)) => self.backlog.push_back(event),
                Err(_) => break,
            }
        }
        self.release(out)
    }

    /// Says what was held back.
    fn release(&mut self, out: &mut dyn Write) -> io::Result<()> {
        match self.held_back.take() {
            Some(progress) => self.answer(&progress, out),
            None => Ok(()),
        }
    }

    fn done(&mut self, progress: SearchInfo, is_asked_for: bool, out: &mut dyn Write) -> io::Result<()> {
        match self.asked == Asked::Infinite && !is_asked_for && !self.desk.was_stopped() {
            true => {
                self.held_back = Some(progress);
                Ok(())
            }
            false => self.answer(&progress, out),
        }
    }

    fn answer(&mut self, progress: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let moves = progress.lines.first().map(|line| self.desk.write_line(&line.moves)).unwrap_or_default();
        match (self.asked, self.dialect) {
            (Asked::Mate, Dialect::Usi) => match progress.score() {
                Score::WinIn(_) => writeln!(out, "checkmate {}", moves.join(" ")),
                _ if self.desk.was_stopped() || self.is_cut_short(progress) => {
                    writeln!(out, "checkmate timeout")
                }
                _ => writeln!(out, "checkmate nomate"),
            },
            (Asked::Move | Asked::Mate | Asked::Infinite, _) => match (moves.first(), self.dialect) {
                (Some(mv), _) => writeln!(out, "bestmove {mv}"),
                (None, Dialect::Uci) => writeln!(out, "bestmove 0000"),
                (None, Dialect::Usi) => writeln!(out, "bestmove resign"),
            },
        }?;
        out.flush()
    }

    /// Whether a search for a mate ended before its last depth.
    fn is_cut_short(&self, progress: &SearchInfo) -> bool {
        u32::from(progress.depth) < 2 * MATE_MOVES - 1 && progress.best().is_some()
    }

    fn tell(&self, progress: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let elapsed_ms = progress.elapsed.as_millis();
        let speed = u128::from(progress.n_nodes) * 1_000_000 / progress.elapsed.as_micros().max(1);
        for (n, line) in progress.lines.iter().enumerate() {
            let score = match self.dialect {
                Dialect::Uci => in_moves(line.score),
                Dialect::Usi => in_plies(line.score),
            };
            let pv = self.desk.write_line(&line.moves).join(" ");
            let multi = if progress.lines.len() > 1 { format!(" multipv {}", n + 1) } else { String::new() };
            writeln!(
                out,
                "info depth {} seldepth {}{multi} score {score} nodes {} nps {speed} hashfull {} time {elapsed_ms} pv {pv}",
                progress.depth, progress.seldepth, progress.n_nodes, progress.hashfull
            )?;
        }
        out.flush()
    }

    fn hello(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "id name Ashtapada {}", self.desk.host.version)?;
        writeln!(out, "id author the Ashtapada authors")?;
        let (weakest, strongest) = (Level::of_elo(i32::MIN / 2).elo(), Level::HIGHEST.elo());
        let (prefix, ok) = match self.dialect {
            Dialect::Uci => ("UCI", "uciok"),
            Dialect::Usi => ("USI", "usiok"),
        };
        let variants = variant_names().iter().map(|name| format!(" var {name}")).collect::<String>();
        writeln!(out, "option name {prefix}_Variant type combo default {}{variants}", self.desk.name)?;
        // USI has its own name for the memory; GUIs of either set the other's too.
        let hash = if self.dialect == Dialect::Usi { "USI_Hash" } else { "Hash" };
        writeln!(out, "option name {hash} type spin default 16 min 1 max 4096")?;
        writeln!(out, "option name Threads type spin default 1 min 1 max 64")?;
        writeln!(out, "option name MultiPV type spin default 1 min 1 max 100")?;
        writeln!(out, "option name Level type spin default 0 min 0 max 10")?;
        writeln!(out, "option name {prefix}_LimitStrength type check default false")?;
        writeln!(
            out,
            "option name {prefix}_Elo type spin default {strongest} min {weakest} max {strongest}"
        )?;
        writeln!(out, "option name EvalFile type string default <empty>")?;
        writeln!(out, "option name Clear Hash type button")?;
        writeln!(out, "{ok}")
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |low: usize, high: usize| -> Result<usize, String> {
            let number = value.parse::<usize>().map_err(|_| format!("`{}` is no number", short(value)))?;
            Ok(number.clamp(low, high))
        };
        let settings = &mut self.desk.settings;
        match name.to_ascii_lowercase().replace("usi_", "uci_").as_str() {
            "uci_variant" => self.desk.choose_game(value)?,
            "hash" | "uci_hash" => settings.megabytes = number(1, 4096)?,
            "threads" => settings.n_threads = number(1, 64)?,
            "multipv" => settings.n_lines = number(1, 500)?,
            "level" | "skill level" => settings.level = Level::new(number(0, 10)? as u8),
            "uci_limitstrength" => settings.limits_strength = value.eq_ignore_ascii_case("true"),
            "uci_elo" => settings.elo = number(0, 5000)? as i32,
            "evalfile" => self.desk.set_values(value)?,
            "clear hash" => self.desk.forget(),
            // What GUIs set without being asked to.
            "uci_ponder" | "ponder" | "uci_analysemode" | "uci_opponent" | "uci_showwdl" | "uci_chess960" => {
            }
            _ => return Err(format!("no such option: `{}`", short(name))),
        }
        Ok(())
    }

    fn go(&mut self, go: &GoWords, out: &mut dyn Write) -> io::Result<()> {
        let mut moves: Vec<Move> = Vec::new();
        for text in &go.moves {
            match self.desk.read_move(text) {
                Ok(mv) => moves.push(mv),
                Err(why) => self.complain(&why, out)?,
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
            Some(MateWish::Moves(moves)) => limits.mate = Some(moves.clamp(1, 40) as u32),
            Some(MateWish::Milliseconds(ms)) => {
                limits.mate = Some(MATE_MOVES);
                limits.time = Some(TimeLimit::fixed(Duration::from_millis(ms.max(1))));
            }
            Some(MateWish::Unlimited) => limits.mate = Some(MATE_MOVES),
        }
        let has_limit = limits.depth.is_some() || limits.nodes.is_some() || limits.time.is_some();
        let is_bounded = (has_limit || limits.mate.is_some()) && !go.is_infinite;
        self.asked = match (go.mate, is_bounded) {
            (Some(_), _) => Asked::Mate,
            (None, true) => Asked::Move,
            (None, false) => Asked::Infinite,
        };
        self.desk.go(limits, is_bounded);
        Ok(())
    }

    /// The share of the mover's clock.
    fn clock_time(&self, clocks: &Clocks) -> Option<TimeLimit> {
        let Side(turn) = self.desk.game.turn();
        let letter = self.desk.rules.rules().sides().get(usize::from(turn)).map(|side| side.letter);
        let is_white = match letter {
            Some('w') => true,
            Some('b') => false,
            _ => turn == 0,
        };
        let (left, increment) = match is_white {
            true => (clocks.white, clocks.white_increment),
            false => (clocks.black, clocks.black_increment),
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
