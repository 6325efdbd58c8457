//! A session in the language of XBoard.
//!
//! In: events. Out: lines. Never: a move that the other program did not ask for, or a panic by what comes in.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

use ashta_rules::Side;
use ashta_search::engine::{Limits, SearchInfo, TimeLimit};

use super::desk::{Desk, short};
use super::notation::variant_names;
use super::numbers::in_one;
use super::xboard::{XboardCommand, XboardTime, read_move, read_position, write_move};
use super::{Event, Host};
use crate::level::Level;

pub struct XboardSession {
    desk: Desk,
    /// The side that the engine plays, if it plays.
    mine: Option<Side>,
    posts: bool,
    purpose: Purpose,
    time: Times,
    backlog: VecDeque<Event>,
}

/// Why the engine thinks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    /// To move.
    Move,
    /// To tell what it sees, until it is told otherwise.
    Analyze,
    /// To suggest a move.
    Hint,
    /// For nothing any more: what it finds is not wanted.
    Nothing,
}

/// Time control, in milliseconds.
#[derive(Clone, Copy, Default, Debug)]
struct Times {
    session: u32,
    increment: u64,
    left: Option<u64>,
    per_move: Option<u64>,
    depth: Option<u64>,
}

enum Next {
    GoOn,
    Quit,
}

impl XboardSession {
    pub fn new(events: Sender<Event>, host: &Host) -> XboardSession {
        XboardSession {
            desk: Desk::new(events, host),
            mine: None,
            posts: false,
            purpose: Purpose::Nothing,
            time: Times { left: Some(300_000), session: 40, ..Times::default() },
            backlog: VecDeque::new(),
        }
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
                    self.done(&progress, out)?;
                }
            }
            out.flush()?;
            if is_over && !self.desk.is_thinking() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Brings thinking to an end without a move.
    fn settle(&mut self, queue: &Receiver<Event>) {
        self.purpose = Purpose::Nothing;
        self.desk.stop();
        while self.desk.is_thinking() {
            match queue.recv() {
                Ok(Event::Done(engine, _)) => self.desk.finish(engine),
                Ok(Event::Told(_)) => {}
                Ok(event @ (Event::Line(_) | Event::End)) => self.backlog.push_back(event),
                Err(_) => return,
            }
        }
    }

    fn line(&mut self, line: &str, queue: &Receiver<Event>, out: &mut dyn Write) -> io::Result<Next> {
        let command = XboardCommand::read(line);
        let was_analyzing = self.purpose == Purpose::Analyze;
        // These are answered while the engine thinks; all others end its thinking first.
        match &command {
            XboardCommand::Ping(word) => writeln!(out, "pong {word}")?,
            XboardCommand::Post => self.posts = true,
            XboardCommand::NoPost => self.posts = false,
            XboardCommand::MoveNow => self.desk.stop(),
            XboardCommand::Time(time) => self.set_time(*time),
            XboardCommand::Protover => self.features(out)?,
            XboardCommand::Nothing => {}
            XboardCommand::Unknown => writeln!(out, "Error (unknown command): {}", short(line))?,
            XboardCommand::Quit => return Ok(Next::Quit),
            _ => {
                self.settle(queue);
                self.change(command, was_analyzing, out)?;
            }
        }
        Ok(Next::GoOn)
    }

    /// What changes the game or who plays; nobody is thinking.
    fn change(&mut self, command: XboardCommand, analyzes: bool, out: &mut dyn Write) -> io::Result<()> {
        let mut goes_on = analyzes;
        match command {
            XboardCommand::New => {
                drop(self.desk.set_position(None, &[]));
                self.desk.forget();
                self.mine = Some(Side(1));
                self.time.depth = None;
                goes_on = false;
            }
            XboardCommand::Variant(name) => {
                let chosen = self.desk.choose_game(&name);
                self.complain(chosen, &name, out)?;
            }
            XboardCommand::SetBoard(text) => {
                let ours = read_position(self.desk.rules.rules(), &text);
                if let Err(why) = self.desk.set_position(Some(&ours), &[]) {
                    writeln!(out, "tellusererror {}", why.replace(['\n', '\r'], " "))?;
                }
            }
            XboardCommand::UserMove(text) => return self.user_move(&text, analyzes, out),
            XboardCommand::Force | XboardCommand::Result => (self.mine, goes_on) = (None, false),
            XboardCommand::Go => {
                self.mine = Some(self.desk.game.turn());
                return self.think(Purpose::Move, out);
            }
            XboardCommand::PlayOther => self.mine = Some(Side(1 - self.desk.game.turn().0)),
            XboardCommand::Undo => self.take_back(1),
            XboardCommand::Remove => self.take_back(2),
            XboardCommand::Analyze => (self.mine, goes_on) = (None, true),
            XboardCommand::Exit => goes_on = false,
            XboardCommand::Hint => return self.think(Purpose::Hint, out),
            XboardCommand::Memory(megabytes) => self.desk.settings.megabytes = megabytes.clamp(1, 4096),
            XboardCommand::Cores(cores) => self.desk.settings.n_threads = cores.clamp(1, 64),
            XboardCommand::Option(name, value) => {
                let set = self.set_option(&name, &value);
                self.complain(set, &name, out)?;
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
        if goes_on { self.think(Purpose::Analyze, out) } else { Ok(()) }
    }

    fn take_back(&mut self, n_moves: u32) {
        for _ in 0..n_moves {
            self.desk.game.take_back();
        }
    }

    fn complain(&self, done: Result<(), String>, about: &str, out: &mut dyn Write) -> io::Result<()> {
        match done {
            Ok(()) => Ok(()),
            Err(why) => writeln!(out, "Error ({}): {}", why.replace(['\n', '\r'], " "), short(about)),
        }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u8>().map_err(|_| format!("`{}` is no number", short(value)));
        match name {
            "Level" => self.desk.settings.level = Level::new(number()?),
            "EvalFile" => self.desk.set_values(value)?,
            _ => return Err("no such option".into()),
        }
        Ok(())
    }

    fn set_time(&mut self, time: XboardTime) {
        match time {
            XboardTime::Level(session, base, increment) => {
                self.time =
                    Times { session, increment, left: Some(base), depth: self.time.depth, per_move: None };
            }
            XboardTime::PerMove(ms) => self.time.per_move = Some(ms),
            XboardTime::Depth(plies) => self.time.depth = Some(plies),
            XboardTime::Left(ms) => self.time.left = Some(ms),
        }
    }

    fn user_move(&mut self, text: &str, analyzes: bool, out: &mut dyn Write) -> io::Result<()> {
        let is_over = self.desk.game.outcome().is_some();
        match read_move(&self.desk.game, text).filter(|_| !is_over) {
            None => writeln!(out, "Illegal move: {}", short(text))?,
            Some(mv) => {
                self.desk.game.play_unchecked(mv);
                if self.tell_result(out)? {
                    return Ok(());
                }
                if self.mine == Some(self.desk.game.turn()) {
                    return self.think(Purpose::Move, out);
                }
            }
        }
        if analyzes { self.think(Purpose::Analyze, out) } else { Ok(()) }
    }

    fn think(&mut self, purpose: Purpose, out: &mut dyn Write) -> io::Result<()> {
        if self.desk.game.outcome().is_some() {
            return self.tell_result(out).map(drop);
        }
        self.purpose = purpose;
        let limits = match purpose {
            Purpose::Move => self.limits(),
            Purpose::Hint => Limits { nodes: Some(20_000), ..Limits::default() },
            Purpose::Analyze | Purpose::Nothing => Limits::default(),
        };
        self.desk.go(limits, purpose != Purpose::Analyze);
        Ok(())
    }

    fn limits(&self) -> Limits {
        let depth = self.time.depth.map(|depth| depth.clamp(1, 100) as u8);
        let n_moves = self.desk.game.moves().len() as u32 / 2;
        let to_go = (self.time.session > 0).then(|| self.time.session - n_moves % self.time.session);
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

    fn done(&mut self, progress: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let purpose = std::mem::replace(&mut self.purpose, Purpose::Nothing);
        let Some(mv) = progress.best() else { return Ok(()) };
        match purpose {
            Purpose::Move => {
                writeln!(out, "move {}", write_move(&self.desk.game, mv))?;
                self.desk.game.play_unchecked(mv);
                self.tell_result(out).map(drop)
            }
            Purpose::Hint => writeln!(out, "Hint: {}", write_move(&self.desk.game, mv)),
            Purpose::Analyze | Purpose::Nothing => Ok(()),
        }
    }

    /// Says how the game ended, if it has.
    fn tell_result(&mut self, out: &mut dyn Write) -> io::Result<bool> {
        let Some(outcome) = self.desk.game.outcome() else { return Ok(false) };
        let result = match outcome.winner {
            None => "1/2-1/2",
            Some(Side(0)) => "1-0",
            Some(_) => "0-1",
        };
        writeln!(out, "{result} {{{}}}", outcome.words(self.desk.rules.rules()))?;
        Ok(true)
    }

    fn tell(&self, progress: &SearchInfo, out: &mut dyn Write) -> io::Result<()> {
        let shows = self.posts && matches!(self.purpose, Purpose::Move | Purpose::Analyze);
        let Some(line) = progress.lines.first().filter(|_| shows) else { return Ok(()) };
        let mut game = self.desk.game.clone();
        let mut texts = Vec::new();
        for mv in &line.moves {
            texts.push(write_move(&game, *mv));
            if game.play(*mv).is_err() {
                break;
            }
        }
        let hundredths = progress.elapsed.as_millis() / 10;
        let (score, nodes) = (in_one(line.score), progress.n_nodes);
        writeln!(out, "{} {score} {hundredths} {nodes} {}", progress.depth, texts.join(" "))
    }

    fn features(&self, out: &mut dyn Write) -> io::Result<()> {
        let variants = variant_names().join(",");
        writeln!(out, "feature done=0")?;
        writeln!(out, "feature myname=\"Ashtapada {}\" variants=\"{variants}\"", self.desk.host.version)?;
        writeln!(
            out,
            "feature setboard=1 usermove=1 ping=1 playother=1 analyze=1 colors=0 sigint=0 sigterm=0"
        )?;
        writeln!(out, "feature reuse=1 time=1 draw=0 memory=1 smp=1 san=0 debug=1 name=0 ics=0 pause=0")?;
        writeln!(out, "feature option=\"Level -spin 0 0 10\" option=\"EvalFile -string \"")?;
        writeln!(out, "feature done=1")
    }
}
