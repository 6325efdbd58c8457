//! The engine spoken to by other programs: UCI, USI and XBoard (CECP).
//!
//! In: lines of text, as they come. Out: lines of text. Never: the terminal, files, the clock: all are given, so that a
//! test needs no process.
//!
//! Everything that happens is an [`Event`] of one queue: a line that came in, a depth that was finished, a search that is
//! done. Whoever serves the queue writes the answers; a line is answered while the engine thinks.

mod desk;
mod notation;
mod numbers;
mod universal;
mod universal_session;
mod xboard;
mod xboard_session;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ashta_rules::Rules;
use ashta_search::engine::{Engine, SearchInfo};

pub use notation::{foreign_names, game_of, usual_game, variant_names};
pub use universal::{Clocks, Command, Dialect, GoWords, MateWish, Start};
pub use xboard::{XboardCommand, XboardTime};

/// Moves as XBoard writes them.
pub mod xboard_notation {
    pub use super::xboard::{read_move, write_move};
}

use universal_session::UniversalSession;
use xboard_session::XboardSession;

/// The text of a file, or why it cannot be had.
pub type ReadFile = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// What a session needs from outside.
#[derive(Clone)]
pub struct Host {
    /// Time since any fixed moment.
    pub clock: Arc<dyn Fn() -> Duration + Send + Sync>,
    /// The text of a file.
    pub read_file: Arc<ReadFile>,
    /// The game to begin with, of two sides.
    pub rules: Rules,
    /// What it was called.
    pub game: String,
    /// The program's version.
    pub version: String,
}

/// Something that happens to a session.
pub enum Event {
    /// A line came in.
    Line(String),
    /// No more lines will come.
    End,
    /// A depth was finished.
    Told(SearchInfo),
    /// A search is done; the engine comes back.
    Done(Box<Engine>, SearchInfo),
}

/// Longest line that is read; what is beyond it is passed over.
const LONGEST_LINE: usize = 1 << 20;

/// Which language is spoken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Universal Chess Interface.
    Uci,
    /// Universal Shogi Interface.
    Usi,
    /// Chess Engine Communication Protocol, version 2.
    Xboard,
}

/// Serves a program that speaks a protocol until it quits or says nothing more.
pub fn serve(
    protocol: Protocol,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
    host: &Host,
) -> io::Result<()> {
    let (events, queue) = channel();
    let lines = events.clone();
    thread::spawn(move || read_lines(input, &lines));
    serve_events(protocol, &queue, &events, output, host)
}

/// The same for events that come from anywhere; `events` is the queue's other end.
pub fn serve_events(
    protocol: Protocol,
    queue: &Receiver<Event>,
    events: &Sender<Event>,
    output: &mut dyn Write,
    host: &Host,
) -> io::Result<()> {
    match protocol {
        Protocol::Uci => UniversalSession::new(Dialect::Uci, events.clone(), host).serve(queue, output),
        Protocol::Usi => UniversalSession::new(Dialect::Usi, events.clone(), host).serve(queue, output),
        Protocol::Xboard => XboardSession::new(events.clone(), host).serve(queue, output),
    }
}

fn read_lines(mut input: impl BufRead, lines: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.by_ref().take_line(&mut bytes);
        let is_over = !matches!(read, Ok(n) if n > 0);
        let event = match is_over {
            true => Event::End,
            false => Event::Line(String::from_utf8_lossy(&bytes).trim().to_string()),
        };
        if lines.send(event).is_err() || is_over {
            return;
        }
    }
}

/// Lines of any bytes, without keeping more of one than may be useful.
trait TakeLine {
    fn take_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize>;
}

impl<R: BufRead> TakeLine for R {
    fn take_line(&mut self, bytes: &mut Vec<u8>) -> io::Result<usize> {
        let mut n_read = 0;
        loop {
            let chunk = self.fill_buf()?;
            let (end, n_used) = match chunk.iter().position(|byte| *byte == b'\n') {
                Some(at) => (true, at + 1),
                None => (chunk.is_empty(), chunk.len()),
            };
            let room = LONGEST_LINE.saturating_sub(bytes.len());
            bytes.extend_from_slice(&chunk[..n_used.min(room)]);
            self.consume(n_used);
            n_read += n_used;
            if end {
                return Ok(n_read);
            }
        }
    }
}
