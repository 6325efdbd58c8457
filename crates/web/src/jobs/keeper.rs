//! All jobs: kept on disk, run one after another, watched by whoever likes.
//!
//! In: requests to begin, stop, go on, forget. Out: jobs as they stand, and every change. Never: two jobs at a time, for
//! each uses all processors.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::sync::{Notify, watch};

use super::command::JOURNAL;
use super::job::{Job, JobState};
use super::progress::JobProgress;
use super::request::JobRequest;
use super::run::run;
use crate::failure::Refusal;
use crate::laboratory::Laboratory;

/// All jobs.
#[derive(Debug)]
pub struct Keeper {
    folder: PathBuf,
    jobs: Mutex<BTreeMap<u32, Arc<Kept>>>,
    changed: watch::Sender<u64>,
    begun: Notify,
}

/// A job and those who watch it.
#[derive(Debug)]
pub struct Kept {
    /// Where its files are.
    pub folder: PathBuf,
    /// As it stands.
    pub job: watch::Sender<Job>,
    /// Wakes whoever runs it, to stop it.
    pub stop: Notify,
    /// Whether it is to be stopped.
    pub is_stopped: AtomicBool,
}

impl Kept {
    fn new(job: Job, folder: PathBuf) -> Arc<Kept> {
        let job = watch::Sender::new(job);
        Arc::new(Kept { folder, job, stop: Notify::new(), is_stopped: AtomicBool::new(false) })
    }
}

impl Keeper {
    /// Opens the folder of jobs; those that ran when the server ended wait to go on.
    pub fn open(folder: &Path) -> io::Result<Keeper> {
        Job::sweep(folder)?;
        let mut jobs = BTreeMap::new();
        for (mut job, path) in Job::read_all(folder)? {
            if job.state == JobState::Running {
                job.state = JobState::Waiting;
            }
            jobs.insert(job.id, Kept::new(job, path));
        }
        let changed = watch::Sender::new(0);
        Ok(Keeper { folder: folder.to_path_buf(), jobs: Mutex::new(jobs), changed, begun: Notify::new() })
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<Kept>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every job, the last first.
    pub fn list(&self) -> Vec<Job> {
        self.jobs().values().rev().map(|kept| kept.job.borrow().clone()).collect()
    }

    /// Sees every change of every job.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The job of this number.
    pub fn get(&self, id: u32) -> Result<Arc<Kept>, Refusal> {
        self.jobs().get(&id).cloned().ok_or_else(|| Refusal::missing(format!("there is no job {id}")))
    }

    /// Changes a job and tells it.
    pub fn change(&self, kept: &Kept, change: impl FnOnce(&mut Job)) {
        kept.job.send_modify(change);
        self.changed.send_modify(|n| *n += 1);
    }

    /// Changes a job and writes it down. What cannot be written is told with the job.
    pub fn change_and_keep(&self, kept: &Kept, change: impl FnOnce(&mut Job)) {
        self.change(kept, |job| {
            change(job);
            if let Err(error) = job.keep(&kept.folder) {
                job.hear(format!("the job's file cannot be written: {error}"));
            }
        });
    }

    /// Begins a job, or lets it wait.
    pub fn begin(&self, request: JobRequest, laboratory: &Laboratory) -> Result<Job, Refusal> {
        let command = request.command(laboratory)?;
        let job = Job {
            id: 0,
            title: command.title,
            request,
            command: typed(&command.arguments),
            state: JobState::Waiting,
            created_ms: now_ms(),
            started_ms: None,
            ended_ms: None,
            progress: Default::default(),
            messages: Vec::new(),
            is_learning: command.is_learning,
            error: None,
        };
        let job = self.add(job, |_| Ok(()))?;
        self.begun.notify_one();
        Ok(job)
    }

    /// Takes in a part that was played elsewhere: its journal, which was read and found good.
    pub fn bring(&self, journal: &Path, title: String, n_games: u64) -> Result<Job, Refusal> {
        let now = now_ms();
        let job = Job {
            id: 0,
            title,
            request: JobRequest::Part,
            command: String::new(),
            state: JobState::Done,
            created_ms: now,
            started_ms: Some(now),
            ended_ms: Some(now),
            progress: JobProgress { done: n_games, ..JobProgress::default() },
            messages: Vec::new(),
            is_learning: false,
            error: None,
        };
        self.add(job, |folder| fs::copy(journal, folder.join(JOURNAL)).map(|_| ()))
    }

    /// Gives a job its number and its folder, and fills that.
    fn add(&self, mut job: Job, fill: impl FnOnce(&Path) -> io::Result<()>) -> Result<Job, Refusal> {
        let mut jobs = self.jobs();
        job.id = jobs.keys().last().map_or(1, |last| last + 1);
        let folder = self.folder.join(job.id.to_string());
        fs::create_dir_all(&folder)?;
        fill(&folder)?;
        job.keep(&folder)?;
        jobs.insert(job.id, Kept::new(job.clone(), folder));
        drop(jobs);
        self.changed.send_modify(|n| *n += 1);
        Ok(job)
    }

    /// Stops a job; what it has found is kept.
    pub fn stop(&self, id: u32) -> Result<Job, Refusal> {
        let kept = self.get(id)?;
        let state = kept.job.borrow().state;
        match state {
            JobState::Waiting => self.change_and_keep(&kept, |job| job.state = JobState::Stopped),
            JobState::Running => {
                kept.is_stopped.store(true, Ordering::Relaxed);
                kept.stop.notify_one();
            }
            JobState::Stopped | JobState::Done | JobState::Failed => {}
        }
        let job = kept.job.borrow().clone();
        Ok(job)
    }

    /// Goes on with a job that was stopped or that failed.
    pub fn go_on(&self, id: u32) -> Result<Job, Refusal> {
        let kept = self.get(id)?;
        if !kept.job.borrow().state.is_alive() {
            self.change_and_keep(&kept, |job| {
                (job.state, job.ended_ms, job.error) = (JobState::Waiting, None, None);
                job.messages.clear();
            });
            self.begun.notify_one();
        }
        let job = kept.job.borrow().clone();
        Ok(job)
    }

    /// Forgets a job and its files.
    pub fn forget(&self, id: u32) -> Result<(), Refusal> {
        let kept = self.get(id)?;
        if kept.job.borrow().state == JobState::Running {
            return Err(Refusal::conflict(format!("job {id} is running")).hint("stop it first"));
        }
        self.jobs().remove(&id);
        Job::remove(&kept.folder)?;
        self.changed.send_modify(|n| *n += 1);
        Ok(())
    }
}

/// Runs what waits, one after another, for as long as the server is there.
pub async fn run_all(laboratory: Arc<Laboratory>) {
    let keeper = &laboratory.jobs;
    loop {
        let waits = |kept: &&Arc<Kept>| kept.job.borrow().state == JobState::Waiting;
        let next = keeper.jobs().values().find(waits).cloned();
        match next {
            Some(kept) => run(keeper, &kept, &laboratory).await,
            None => keeper.begun.notified().await,
        }
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// Arguments as somebody would type them.
fn typed(arguments: &[String]) -> String {
    let word = |word: &String| match word.contains(['\'', '(', ' ', '{']) {
        true => format!("\"{word}\"").replace("{folder}/", ""),
        false => word.clone(),
    };
    format!("ashta {}", arguments.iter().map(word).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_was_half_removed_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "{").expect("written");
        };
        ["7/journal", "8/job.json", "notes/journal"].into_iter().for_each(file);
        Keeper::open(folder.path()).expect("opened");
        let there = |name: &str| folder.path().join(name).exists();
        assert!(!there("7"), "the next job of this number would find its journal");
        assert!(there("8") && there("notes"), "what cannot be read, or is somebody else's, stays");
    }
}
