//! A child process that exchanges lines with us.
//!
//! In: a command line, lines. Out: lines, each within a timeout. Never: a process that outlives its engine.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use ashta_messages::{Message, message};

/// Lines that wait to be read; beyond that the child blocks.
const LINE_QUEUE_CAPACITY: usize = 10_000;
/// Debian installs games here, which not every PATH contains.
const FALLBACK_FOLDERS: &[&str] = &["/usr/games", "/usr/local/games"];

/// A running engine process.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Why a line did not come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadError {
    Timeout,
    Exited,
}

impl Process {
    pub fn start(command: &[String]) -> Result<Process, Message> {
        let [name, arguments @ ..] = command else { return Err(message!("play.no-program")) };
        let failed = |error| message!("play.cannot-start", program = name, error);
        let mut child = spawn(name, arguments).map_err(failed)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(message!("play.no-pipes", program = name));
        };
        let (send, lines) = sync_channel(LINE_QUEUE_CAPACITY);
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            let mut bytes = Vec::new();
            while matches!(output.read_until(b'\n', &mut bytes), Ok(n) if n > 0) {
                let line = String::from_utf8_lossy(&bytes).trim().to_string();
                if send.send(line).is_err() {
                    return;
                }
                bytes.clear();
            }
        });
        Ok(Process { child, input, lines })
    }

    /// Returns whether the process still reads its input.
    pub fn send(&mut self, line: &str) -> bool {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).is_ok()
    }

    pub fn read_line(&mut self, within: Duration) -> Result<String, ReadError> {
        self.lines.recv_timeout(within).map_err(|why| match why {
            RecvTimeoutError::Timeout => ReadError::Timeout,
            RecvTimeoutError::Disconnected => ReadError::Exited,
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Killed below if it ignores this.
        self.send("quit");
        for _ in 0..20 {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Starts a program from PATH, or else from the fallback folders.
fn spawn(name: &str, arguments: &[String]) -> std::io::Result<Child> {
    let start = |path: &Path| {
        let mut command = Command::new(path);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command.spawn()
    };
    let first = start(Path::new(name));
    let is_missing = first.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    if !is_missing || name.contains('/') {
        return first;
    }
    let more = FALLBACK_FOLDERS.iter().map(|folder| Path::new(folder).join(name));
    more.map(|path| start(&path)).find(Result::is_ok).unwrap_or(first)
}
