//! A program that runs beside ours and exchanges lines with it.
//!
//! In: a command, lines. Out: lines, each within a time. Never: a process that outlives its player.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Lines that may wait to be read; a program that says more waits.
const WAITING: usize = 10_000;
/// Where games are on Debian, which is not on everybody's path.
const MORE_FOLDERS: &[&str] = &["/usr/games", "/usr/local/games"];

/// A running program.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Why a line did not come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Silence {
    /// It took too long.
    Late,
    /// The program is gone.
    Gone,
}

impl Process {
    /// Starts a program.
    pub fn start(command: &[String]) -> Result<Process, String> {
        let [name, arguments @ ..] = command else { return Err("no program is named".into()) };
        let mut child = spawn(name, arguments).map_err(|error| format!("cannot start `{name}`: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("`{name}` has no input or output"));
        };
        let (send, lines) = sync_channel(WAITING);
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

    /// Says a line; whether the program still listens.
    pub fn say(&mut self, line: &str) -> bool {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).is_ok()
    }

    /// The next line.
    pub fn hear(&mut self, within: Duration) -> Result<String, Silence> {
        self.lines.recv_timeout(within).map_err(|why| match why {
            RecvTimeoutError::Timeout => Silence::Late,
            RecvTimeoutError::Disconnected => Silence::Gone,
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may listen no more; then it is ended all the same.
        self.say("quit");
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

/// A program by its name: as the system finds it, or else where games are.
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
    let more = MORE_FOLDERS.iter().map(|folder| Path::new(folder).join(name));
    more.map(|path| start(&path)).find(Result::is_ok).unwrap_or(first)
}
