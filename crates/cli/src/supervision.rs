//! The job's side of supervision: progress as lines of JSON on stderr; it stops, keeping its journal,
//! when stdin ends, for then the server is gone.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ashta_messages::Message;
use ashta_web::{JobFailure, JobProgress};
use indicatif::ProgressBar;

static SUPERVISED: AtomicBool = AtomicBool::new(false);

/// Marks this process as a job.
pub fn begin() {
    SUPERVISED.store(true, Ordering::Relaxed);
}

/// Sets the flag when the standard input ends, if this process is a job.
pub fn cancel_on_stdin_end(cancel: &Arc<AtomicBool>) {
    if !SUPERVISED.load(Ordering::Relaxed) {
        return;
    }
    let cancel = cancel.clone();
    std::thread::spawn(move || {
        let mut bytes = [0; 64];
        while matches!(io::stdin().read(&mut bytes), Ok(n) if n > 0) {}
        cancel.store(true, Ordering::Relaxed);
    });
}

/// Writes the code of the message that a job fails with.
pub fn write_failure(what: &Message) {
    if SUPERVISED.load(Ordering::Relaxed)
        && let Ok(line) = serde_json::to_string(&JobFailure { code: what.code().to_string() })
    {
        _ = writeln!(io::stderr(), "{line}");
    }
}

/// Writes progress at intervals.
#[derive(Debug)]
pub struct ProgressWriter {
    last_written: Option<Instant>,
    pause: Duration,
}

/// The shortest interval between two lines; it grows with the time that a line takes to make.
const PAUSE: Duration = Duration::from_millis(400);
const PAUSE_FOR_WORK: u32 = 20;

impl ProgressWriter {
    pub fn new() -> ProgressWriter {
        ProgressWriter { last_written: None, pause: PAUSE }
    }

    /// Whether progress is wanted at all.
    pub fn is_wanted(&self) -> bool {
        SUPERVISED.load(Ordering::Relaxed)
    }

    /// Writes progress, unless the last line is recent and there is more to come.
    pub fn write(&mut self, bar: &ProgressBar, progress: impl FnOnce() -> JobProgress) {
        let is_soon = self.last_written.is_some_and(|at| at.elapsed() < self.pause)
            && bar.length() != Some(bar.position());
        if !self.is_wanted() || is_soon {
            return;
        }
        let begun = Instant::now();
        if let Ok(line) = serde_json::to_string(&progress()) {
            _ = writeln!(io::stderr(), "{line}");
        }
        // Estimates of many games are expensive; at most a twentieth of the time is spent on them.
        self.pause = PAUSE.max(begun.elapsed() * PAUSE_FOR_WORK);
        self.last_written = Some(Instant::now());
    }
}
