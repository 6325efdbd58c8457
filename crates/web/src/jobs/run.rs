//! Runs one job: the command is started, its lines are read, its end is told.

use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::{sleep, timeout};

use super::command::FOLDER;
use super::job::JobState;
use super::keeper::{Keeper, Kept, now_ms};
use super::progress::JobProgress;
use crate::laboratory::Laboratory;
use ashta_records::write_atomic;

/// How long a job may take to stop: the games under way are finished or given up within moments.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often, and how long between, a job is tried whose files another process still has: one that a killed server left
/// behind ends by itself.
const TRIES: u32 = 60;
const BETWEEN_TRIES: Duration = Duration::from_millis(500);
const IN_USE: &str = "is in use by another run";
/// Bytes of a line that are kept.
const MOST_LINE: usize = 4_000;

/// Runs a job to its end, or until it is stopped.
pub async fn run(keeper: &Keeper, kept: &Arc<Kept>, laboratory: &Laboratory) {
    kept.is_stopped.store(false, Ordering::Relaxed);
    keeper.change_and_keep(kept, |job| (job.state, job.started_ms) = (JobState::Running, Some(now_ms())));
    for _ in 0..TRIES {
        match start(kept, laboratory) {
            Ok(child) => {
                let status = attend(keeper, kept, child).await;
                let was_in_use = kept.job.borrow().messages.iter().any(|line| line.contains(IN_USE));
                if was_in_use && !kept.is_stopped.load(Ordering::Relaxed) {
                    keeper.change(kept, |job| job.messages.clear());
                    sleep(BETWEEN_TRIES).await;
                    continue;
                }
                return end(keeper, kept, status);
            }
            Err(why) => return fail(keeper, kept, why),
        }
    }
    fail(keeper, kept, format!("the job's journal {IN_USE}"));
}

fn start(kept: &Kept, laboratory: &Laboratory) -> Result<Child, String> {
    let request = kept.job.borrow().request.clone();
    let command = request.command(laboratory).map_err(|refusal| refusal.body().error.clone())?;
    let folder = kept.folder.display().to_string();
    if let Some((name, text)) = &command.file {
        let written = write_atomic(&kept.folder.join(name), text);
        written.map_err(|error| format!("the job's folder cannot be used: {error}"))?;
    }
    let arguments = command.arguments.iter().map(|argument| argument.replace(FOLDER, &folder));
    let mut child = Command::new(&laboratory.program);
    child
        .args(arguments)
        .arg("--folder")
        .arg(&kept.folder)
        .arg("--supervised")
        .current_dir(laboratory.folder.games())
        .env_remove(crate::TOKEN_VARIABLE);
    // Its standard input stays open for as long as we live, and it ends with us.
    child.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
    child.spawn().map_err(|error| format!("the program cannot be started: {error}"))
}

/// Reads what it says until it ends; lets go of its standard input when it is to stop.
async fn attend(keeper: &Keeper, kept: &Kept, mut child: Child) -> Option<ExitStatus> {
    let mut stdin = child.stdin.take();
    let stderr = child.stderr.take()?;
    let mut lines = BufReader::new(stderr).lines();
    loop {
        tokio::select! {
            line = lines.next_line() => match line {
                Ok(Some(line)) => hear(keeper, kept, line),
                Ok(None) | Err(_) => break,
            },
            () = kept.stop.notified(), if stdin.is_some() => {
                if kept.is_stopped.load(Ordering::Relaxed) {
                    drop(stdin.take());
                    return stopping(keeper, kept, child, lines).await;
                }
            }
        }
    }
    child.wait().await.ok()
}

async fn stopping(
    keeper: &Keeper,
    kept: &Kept,
    mut child: Child,
    mut lines: Lines<BufReader<ChildStderr>>,
) -> Option<ExitStatus> {
    let to_the_end = async {
        while let Ok(Some(line)) = lines.next_line().await {
            hear(keeper, kept, line);
        }
        child.wait().await.ok()
    };
    match timeout(PATIENCE, to_the_end).await {
        Ok(status) => status,
        Err(_) => {
            // The journal is whole after any kill.
            _ = child.kill().await;
            None
        }
    }
}

fn hear(keeper: &Keeper, kept: &Kept, mut line: String) {
    let progress: Option<JobProgress> =
        line.starts_with('{').then(|| serde_json::from_str(&line).ok()).flatten();
    match progress {
        Some(progress) => keeper.change(kept, |job| job.progress = progress),
        None if line.trim().is_empty() => {}
        None => {
            line.truncate(line.floor_char_boundary(MOST_LINE));
            keeper.change(kept, |job| job.hear(line));
        }
    }
}

fn end(keeper: &Keeper, kept: &Kept, status: Option<ExitStatus>) {
    let is_done = status.is_some_and(|status| status.success());
    let is_stopped = kept.is_stopped.load(Ordering::Relaxed);
    if !is_done && !is_stopped {
        let said = kept.job.borrow().messages.clone();
        let error = said.iter().rev().find_map(|line| line.strip_prefix("error: ")).map(str::to_string);
        return fail(
            keeper,
            kept,
            error.unwrap_or_else(|| "the command ended before its work was done".into()),
        );
    }
    keeper.change_and_keep(kept, |job| {
        job.state = if is_done { JobState::Done } else { JobState::Stopped };
        job.ended_ms = Some(now_ms());
        if is_done && let Some(of) = job.progress.of {
            job.progress.done = of;
        }
    });
}

fn fail(keeper: &Keeper, kept: &Kept, why: String) {
    keeper.change_and_keep(kept, |job| {
        (job.state, job.ended_ms, job.error) = (JobState::Failed, Some(now_ms()), Some(why));
    });
}
