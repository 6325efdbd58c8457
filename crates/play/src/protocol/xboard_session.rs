//! A session of XBoard (CECP).
//!
//! In: events. Out: lines. Never: an unsolicited move, or a panic on input.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use ashta_rules::Side;
use ashta_search::engine::{Limits, SearchInfo, TimeLimit};

use super::engine_session::{EngineSession, truncated};
use super::score::xboard_score;
use super::session_error::SessionError;
use super::variants::variant_names;
use super::xboard::{XboardCommand, XboardTime, is_first_leg, read_move, read_position, write_move};
use super::{Event, Host};
use crate::level::Level;

pub struct XboardSession {
    session: EngineSession,
    /// `None` in force mode.
    engine_side: Option<Side>,
    /// `post`.
    shows_thinking: bool,
    purpose: Purpose,
    time: TimeControl,
    backlog: VecDeque<Event>,
    /// `f6e5,` of a move whose second leg is still to come.
    first_leg: String,
}

/// Why the engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Move,
    Analyze,
    Hint,
    /// The result is to be discarded.
    Nothing,
}

/// Time control, in milliseconds.
#[derive(Clone, Copy, Default, Debug)]
struct TimeControl {
    /// Moves per period; 0: the whole game.
    moves_per_period: u32,
    increment: u64,
    left: Option<u64>,
    per_move: Option<u64>,
    depth: Option<u64>,
}

impl XboardSession {
    pub fn new(events: Sender<Event>, host: &Host) -> XboardSession {
        XboardSession {
            session: EngineSession::new(events, host),
            engine_side: None,
            shows_thinking: false,
            purpose: Purpose::Nothing,
            time: TimeControl { left: Some(300_000), moves_per_period: 40, ..TimeControl::default() },
            backlog: VecDeque::new(),
            first_leg: String::new(),
        }
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
                    self.on_search_done(&info, out)?;
                }
            }
            out.flush()?;
            if is_over && !self.session.is_searching() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Stops the search and discards its result.
    fn end_search(&mut self, queue: &Receiver<Event>) {
        self.purpose = Purpose::Nothing;
        self.session.stop();
        while self.session.is_searching() {
            match queue.recv() {
                Ok(Event::SearchDone(engine, _)) => self.session.finish_search(engine),
                Ok(Event::Info(_)) => {}
                Ok(event @ (Event::Line(_) | Event::End)) => self.backlog.push_back(event),
                Err(_) => return,
            }
        }
    }

    fn handle_line(
        &mut self,
        line: &str,
        queue: &Receiver<Event>,
        out: &mut dyn Write,
    ) -> io::Result<ControlFlow<()>> {
        let command = XboardCommand::read(line);
        let was_analyzing = self.purpose == Purpose::Analyze;
        // Answered while the engine searches; all other commands stop the search first.
        match &command {
            XboardCommand::Ping(word) => writeln!(out, "pong {word}")?,
            XboardCommand::Post => self.shows_thinking = true,
            XboardCommand::NoPost => self.shows_thinking = false,
            XboardCommand::MoveNow => self.session.stop(),
            XboardCommand::Time(time) => self.set_time(*time),
            XboardCommand::Protover => self.write_features(out)?,
            XboardCommand::Nothing => {}
            XboardCommand::Unknown => writeln!(out, "Error (unknown command): {}", truncated(line))?,
            XboardCommand::Quit => return Ok(ControlFlow::Break(())),
            _ => {
                self.end_search(queue);
                self.execute(command, was_analyzing, out)?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Executes a command that changes the game or the engine's side; no search is running.
    fn execute(
        &mut self,
        command: XboardCommand,
        was_analyzing: bool,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let mut resumes_analysis = was_analyzing;
        if !matches!(command, XboardCommand::UserMove(_)) {
            self.first_leg.clear();
        }
        match command {
            XboardCommand::New => {
                drop(self.session.set_position(None, &[]));
                self.session.new_game();
                self.engine_side = Some(Side(1));
                self.time.depth = None;
                resumes_analysis = false;
            }
            XboardCommand::Variant(name) => {
                let chosen = self.session.choose_game(&name);
                self.write_error(chosen, &name, out)?;
            }
            XboardCommand::SetBoard(text) => {
                let ours = read_position(self.session.rules.rules(), &text);
                if let Err(why) = self.session.set_position(Some(&ours), &[]) {
                    writeln!(out, "tellusererror {}", why.to_string().replace(['\n', '\r'], " "))?;
                }
            }
            XboardCommand::UserMove(text) => return self.user_move(&text, was_analyzing, out),
            XboardCommand::Force | XboardCommand::Result => {
                (self.engine_side, resumes_analysis) = (None, false)
            }
            XboardCommand::Go => {
                self.engine_side = Some(self.session.game.turn());
                return self.start_search(Purpose::Move, out);
            }
            XboardCommand::PlayOther => self.engine_side = Some(Side(1 - self.session.game.turn().0)),
            XboardCommand::Undo => self.take_back(1),
            XboardCommand::Remove => self.take_back(2),
            XboardCommand::Analyze => (self.engine_side, resumes_analysis) = (None, true),
            XboardCommand::Exit => resumes_analysis = false,
            XboardCommand::Hint => return self.start_search(Purpose::Hint, out),
            XboardCommand::Memory(megabytes) => self.session.settings.megabytes = megabytes.clamp(1, 4096),
            XboardCommand::Cores(cores) => self.session.settings.n_threads = cores.clamp(1, 64),
            XboardCommand::Option(name, value) => {
                let set = self.set_option(&name, &value);
                self.write_error(set, &name, out)?;
            }
            XboardCommand::Protover
            | XboardCommand::Time(_)
            | XboardCommand::MoveNow
            | XboardCommand::Ping(_)
            | XboardCommand::Post
            | XboardCommand::NoPost
            | XboardCommand::Quit
            | XboardCommand::Nothing
            | XboardCommand::Unknown => {}
        }
        if resumes_analysis { self.start_search(Purpose::Analyze, out) } else { Ok(()) }
    }

    fn take_back(&mut self, n_moves: u32) {
        for _ in 0..n_moves {
            self.session.game.take_back();
        }
    }

    fn write_error(
        &self,
        done: Result<(), SessionError>,
        about: &str,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(why) => {
                writeln!(out, "Error ({}): {}", why.to_string().replace(['\n', '\r'], " "), truncated(about))
            }
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), SessionError> {
        let number = || value.parse::<u8>().map_err(|_| SessionError::NotANumber { text: truncated(value) });
        match name {
            "Level" => self.session.settings.level = Level::new(number()?),
            "EvalFile" => self.session.set_values(value)?,
            _ => return Err(SessionError::UnknownOption),
        }
        Ok(())
    }

    fn set_time(&mut self, time: XboardTime) {
        match time {
            XboardTime::Level(moves_per_period, base, increment) => {
                self.time = TimeControl {
                    moves_per_period,
                    increment,
                    left: Some(base),
                    depth: self.time.depth,
                    per_move: None,
                };
            }
            XboardTime::PerMove(ms) => self.time.per_move = Some(ms),
            XboardTime::Depth(plies) => self.time.depth = Some(plies),
            XboardTime::Left(ms) => self.time.left = Some(ms),
        }
    }

    fn user_move(&mut self, text: &str, was_analyzing: bool, out: &mut dyn Write) -> io::Result<()> {
        if is_first_leg(text) && text.len() <= 16 {
            self.first_leg = text.to_string();
            return Ok(());
        }
        let text = &(std::mem::take(&mut self.first_leg) + text);
        let is_over = self.session.game.outcome().is_some();
        match read_move(&self.session.game, text).filter(|_| !is_over) {
            None => writeln!(out, "Illegal move: {}", truncated(text))?,
            Some(mv) => {
                self.session.game.play_unchecked(mv);
                if self.write_result(out)? {
                    return Ok(());
                }
                if self.engine_side == Some(self.session.game.turn()) {
                    return self.start_search(Purpose::Move, out);
                }
            }
        }
        if was_analyzing { self.start_search(Purpose::Analyze, out) } else { Ok(()) }
    }

    fn start_search(&mut self, purpose: Purpose, out: &mut dyn Write) -> io::Result<()> {
        if self.session.game.outcome().is_some() {
            return self.write_result(out).map(drop);
        }
        self.purpose = purpose;
        let limits = match purpose {
            Purpose::Move => self.limits(),
            Purpose::Hint => Limits { nodes: Some(20_000), ..Limits::default() },
            Purpose::Analyze | Purpose::Nothing => Limits::default(),
        };
        self.session.start_search(limits, purpose != Purpose::Analyze);
        Ok(())
    }

    fn limits(&self) -> Limits {
        let depth = self.time.depth.map(|depth| depth.clamp(1, 100) as u8);
        let n_moves = self.session.game.moves().len() as u32 / 2;
        let to_go = (self.time.moves_per_period > 0)
            .then(|| self.time.moves_per_period - n_moves % self.time.moves_per_period);
        let time = match (self.time.per_move, self.time.left) {
            (Some(ms), _) => Some(TimeLimit::fixed(Duration::from_millis(ms.max(1)))),
            (None, Some(left)) => {
                let [left, increment] = [left, self.time.increment].map(Duration::from_millis);
                Some(TimeLimit::of_clock(left, increment, to_go))
            }
            (None, None) => None,
        };
        Limits { depth, time, ..Limits::default() }
    }

    fn on_search_done(&mut self, info: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let purpose = std::mem::replace(&mut self.purpose, Purpose::Nothing);
        let Some(mv) = info.best() else { return Ok(()) };
        match purpose {
            Purpose::Move => {
                // One line a leg, the first ending in a comma, as XBoard expects and HaChu does.
                let text = write_move(&self.session.game, mv).replace(',', ",\nmove ");
                writeln!(out, "move {text}")?;
                self.session.game.play_unchecked(mv);
                self.write_result(out).map(drop)
            }
            Purpose::Hint => writeln!(out, "Hint: {}", write_move(&self.session.game, mv)),
            Purpose::Analyze | Purpose::Nothing => Ok(()),
        }
    }

    /// Writes the result if the game is over; returns whether it is.
    fn write_result(&mut self, out: &mut dyn Write) -> io::Result<bool> {
        let Some(outcome) = self.session.game.outcome() else { return Ok(false) };
        let result = match outcome.winner {
            None => "1/2-1/2",
            Some(Side(0)) => "1-0",
            Some(_) => "0-1",
        };
        writeln!(out, "{result} {{{}}}", outcome.words(self.session.rules.rules()))?;
        Ok(true)
    }

    fn write_info(&self, info: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let shows = self.shows_thinking && matches!(self.purpose, Purpose::Move | Purpose::Analyze);
        let Some(line) = info.lines.first().filter(|_| shows) else { return Ok(()) };
        let mut game = self.session.game.clone();
        let mut texts = Vec::new();
        for mv in &line.moves {
            texts.push(write_move(&game, *mv));
            if game.play(*mv).is_err() {
                break;
            }
        }
        let hundredths = info.elapsed.as_millis() / 10;
        let (score, nodes) = (xboard_score(line.score), info.n_nodes);
        writeln!(out, "{} {score} {hundredths} {nodes} {}", info.depth, texts.join(" "))
    }

    fn write_features(&self, out: &mut dyn Write) -> io::Result<()> {
        let variants = variant_names().join(",");
        writeln!(out, "feature done=0")?;
        writeln!(out, "feature myname=\"Ashtapada {}\" variants=\"{variants}\"", self.session.host.version)?;
        writeln!(
            out,
            "feature setboard=1 usermove=1 ping=1 playother=1 analyze=1 colors=0 sigint=0 sigterm=0"
        )?;
        writeln!(out, "feature reuse=1 time=1 draw=0 memory=1 smp=1 san=0 debug=1 name=0 ics=0 pause=0")?;
        writeln!(out, "feature option=\"Level -spin 0 0 10\" option=\"EvalFile -string \"")?;
        writeln!(out, "feature done=1")
    }
}
