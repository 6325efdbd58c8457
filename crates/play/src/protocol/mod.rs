//! Our engine for GUIs: UCI, USI and XBoard (CECP).
//!
//! In: lines of text. Out: lines of text. Never: the terminal, files or the clock; the host passes them in, so that tests
//! need no process.
//!
//! Input lines, finished iterations and finished searches are [`Event`]s of one queue. The session that reads the queue
//! writes the answers, so lines are answered while the engine searches.

mod engine_session;
mod score;
mod session_error;
mod uci;
mod uci_session;
mod usi;
mod variants;
mod xboard;
mod xboard_session;

use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use ashta_rules::Rules;
use ashta_search::engine::{Engine, SearchInfo};

pub use uci::{Clocks, GoParams, StartPosition, UciCommand};
pub use usi::{Dialect, MateLimit};
pub use variants::{default_game, game_of_variant, variant_aliases, variant_names};
pub use xboard::{XboardCommand, XboardTime};

/// XBoard's move notation.
pub mod xboard_notation {
    pub use super::xboard::{is_first_leg, read_move, write_move};
}

use uci_session::UciSession;
use xboard_session::XboardSession;

/// Reads a text file.
pub type ReadFile = dyn Fn(&str) -> Result<String, String> + Send + Sync;

/// What a session needs from its host.
#[derive(Clone)]
pub struct Host {
    /// Monotonic clock.
    pub clock: Arc<dyn Fn() -> Duration + Send + Sync>,
    pub read_file: Arc<ReadFile>,
    /// The initial game, of two sides.
    pub rules: Rules,
    pub game: String,
    /// The program's version.
    pub version: String,
}

/// An event of a session's queue.
pub enum Event {
    Line(String),
    /// End of input.
    End,
    /// An iteration is finished.
    Info(SearchInfo),
    /// The search is finished; the engine is returned to the session.
    SearchDone(Box<Engine>, SearchInfo),
}

/// Longer lines are truncated.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The protocol of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// Universal Chess Interface.
    Uci,
    /// Universal Shogi Interface.
    Usi,
    /// Chess Engine Communication Protocol, version 2.
    Xboard,
}

/// Runs a session until `quit` or the end of the input.
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

/// Runs a session on events from any source; `events` is the sending end of the queue.
pub fn serve_events(
    protocol: Protocol,
    queue: &Receiver<Event>,
    events: &Sender<Event>,
    output: &mut dyn Write,
    host: &Host,
) -> io::Result<()> {
    match protocol {
        Protocol::Uci => UciSession::new(Dialect::Uci, events.clone(), host).serve(queue, output),
        Protocol::Usi => UciSession::new(Dialect::Usi, events.clone(), host).serve(queue, output),
        Protocol::Xboard => XboardSession::new(events.clone(), host).serve(queue, output),
    }
}

fn read_lines(mut input: impl BufRead, lines: &Sender<Event>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.by_ref().take_line(&mut bytes);
        let is_over = !matches!(read, Ok(n) if n > 0);
        let event = if is_over {
            Event::End
        } else {
            Event::Line(String::from_utf8_lossy(&bytes).trim().to_string())
        };
        if lines.send(event).is_err() || is_over {
            return;
        }
    }
}

/// Reads lines of arbitrary bytes in bounded memory.
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
            let room = MAX_LINE_BYTES.saturating_sub(bytes.len());
            bytes.extend_from_slice(&chunk[..n_used.min(room)]);
            self.consume(n_used);
            n_read += n_used;
            if end {
                return Ok(n_read);
            }
        }
    }
}
