//! The supervisor of one job: spawns the command, reads its progress, stops it, records how it ended.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ashta_messages::{Message, message};
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::{sleep, timeout};

use super::command::FOLDER;
use super::job::{JobError, JobState};
use super::progress::{JobFailure, JobProgress};
use super::queue::{JobQueue, QueuedJob, now_ms};
use crate::api_error::english;
use crate::library::Library;
use ashta_records::write_atomic;

/// A job that takes longer to stop is killed.
const STOP_TIMEOUT: Duration = Duration::from_secs(30);
/// A child that a killed server left behind may still hold the journal; it ends by itself, so starting is retried.
const MAX_TRIES: u32 = 60;
const RETRY_DELAY: Duration = Duration::from_millis(500);
const JOURNAL_IN_USE: &str = "lab.journal-in-use";
/// Longer lines are truncated.
const MAX_LINE: usize = 4_000;

/// Runs waiting jobs one after another, for ever.
pub async fn run_queue(queue: &JobQueue, library: &Library, program: &Path) {
    loop {
        let queued = queue.next_waiting().await;
        supervise(queue, &queued, library, program).await;
    }
}

/// Runs a job until it ends or is stopped.
async fn supervise(queue: &JobQueue, queued: &Arc<QueuedJob>, library: &Library, program: &Path) {
    queued.is_stopped.store(false, Ordering::Relaxed);
    queue.update_and_save(queued, |job| (job.state, job.started_ms) = (JobState::Running, Some(now_ms())));
    for _ in 0..MAX_TRIES {
        match spawn(queue, queued, library, program) {
            Ok(child) => {
                let (status, failure) = monitor(queue, queued, child).await;
                let was_in_use = failure.is_some_and(|failure| failure.code == JOURNAL_IN_USE);
                if was_in_use && !queued.is_stopped.load(Ordering::Relaxed) {
                    queue.update(queued, |job| job.messages.clear());
                    sleep(RETRY_DELAY).await;
                    continue;
                }
                return finish(queue, queued, status);
            }
            Err(why) => return fail(queue, queued, why),
        }
    }
    fail(queue, queued, message!("web.job-journal-in-use"));
}

fn spawn(queue: &JobQueue, queued: &QueuedJob, library: &Library, program: &Path) -> Result<Child, Message> {
    let request = queued.job.borrow().request.clone();
    let command = request.command(library, queue).map_err(|api_error| api_error.summary())?;
    let folder = queued.folder.display().to_string();
    if let Some((name, text)) = &command.file {
        let written = write_atomic(&queued.folder.join(name), text);
        written.map_err(|error| message!("web.job-folder", error))?;
    }
    let arguments = command.arguments.iter().map(|argument| argument.replace(FOLDER, &folder));
    let mut child = Command::new(program);
    child
        .args(arguments)
        .arg("--folder")
        .arg(&queued.folder)
        .arg("--supervised")
        .current_dir(library.folder.games())
        .env_remove(crate::TOKEN_VARIABLE);
    // The child exits when its stdin closes, so it ends with this process.
    child.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    child.spawn().map_err(|error| message!("web.job-start", error))
}

/// Reads its stderr until it exits; closes its stdin to stop it.
async fn monitor(
    queue: &JobQueue,
    queued: &QueuedJob,
    mut child: Child,
) -> (Option<ExitStatus>, Option<JobFailure>) {
    let (mut stdin, mut failure) = (child.stdin.take(), None);
    let Some(stderr) = child.stderr.take() else { return (None, None) };
    let mut lines = BufReader::new(stderr).lines();
    loop {
        tokio::select! {
            line = lines.next_line() => match line {
                Ok(Some(line)) => failure = handle_line(queue, queued, line).or(failure),
                Ok(None) | Err(_) => break,
            },
            () = queued.stop.notified(), if stdin.is_some() => {
                if queued.is_stopped.load(Ordering::Relaxed) {
                    drop(stdin.take());
                    return (wait_after_stop(queue, queued, child, lines).await, failure);
                }
            }
        }
    }
    (child.wait().await.ok(), failure)
}

async fn wait_after_stop(
    queue: &JobQueue,
    queued: &QueuedJob,
    mut child: Child,
    mut lines: Lines<BufReader<ChildStderr>>,
) -> Option<ExitStatus> {
    let exit = async {
        while let Ok(Some(line)) = lines.next_line().await {
            _ = handle_line(queue, queued, line);
        }
        child.wait().await.ok()
    };
    match timeout(STOP_TIMEOUT, exit).await {
        Ok(status) => status,
        Err(_) => {
            // A kill cannot damage the journal.
            _ = child.kill().await;
            None
        }
    }
}

/// A line is progress, the reason of a failure, or a message for people.
fn handle_line(queue: &JobQueue, queued: &QueuedJob, mut line: String) -> Option<JobFailure> {
    if line.starts_with('{') {
        if let Ok(progress) = serde_json::from_str::<JobProgress>(&line) {
            queue.update(queued, |job| job.progress = progress);
            return None;
        }
        if let Ok(failure) = serde_json::from_str(&line) {
            return Some(failure);
        }
    }
    if !line.trim().is_empty() {
        line.truncate(line.floor_char_boundary(MAX_LINE));
        queue.update(queued, |job| job.add_message(line));
    }
    None
}

fn finish(queue: &JobQueue, queued: &QueuedJob, status: Option<ExitStatus>) {
    let is_done = status.is_some_and(|status| status.success());
    let is_stopped = queued.is_stopped.load(Ordering::Relaxed);
    if !is_done && !is_stopped {
        let said = queued.job.borrow().messages.clone();
        let error = said.iter().rev().find_map(|line| line.strip_prefix("error: "));
        return fail(queue, queued, error.map_or_else(|| message!("web.job-ended"), |said| english(&said)));
    }
    queue.update_and_save(queued, |job| {
        job.state = if is_done { JobState::Done } else { JobState::Stopped };
        job.ended_ms = Some(now_ms());
        if is_done && let Some(of) = job.progress.of {
            job.progress.done = of;
        }
    });
}

fn fail(queue: &JobQueue, queued: &QueuedJob, why: Message) {
    queue.update_and_save(queued, |job| {
        (job.state, job.ended_ms, job.error) = (JobState::Failed, Some(now_ms()), Some(JobError::of(&why)));
    });
}
