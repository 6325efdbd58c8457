//! The job queue: jobs are saved on disk and run one after another.
//!
//! In: requests to submit, stop, resume, delete. Out: the jobs and a notification of every change. Never: two jobs at a time,
//! for each uses all processors.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use ashta_messages::message;
use tokio::sync::{Notify, watch};

use super::job::{JOURNAL, Job, JobState};
use super::progress::JobProgress;
use super::request::JobRequest;
use crate::api_error::ApiError;
use crate::library::Library;

#[derive(Debug)]
pub struct JobQueue {
    folder: PathBuf,
    jobs: Mutex<BTreeMap<u32, Arc<QueuedJob>>>,
    changed: watch::Sender<u64>,
    wakeup: Notify,
}

/// A job, its folder and its watchers.
#[derive(Debug)]
pub struct QueuedJob {
    pub folder: PathBuf,
    pub job: watch::Sender<Job>,
    /// Wakes the supervisor, to stop it.
    pub stop: Notify,
    pub is_stopped: AtomicBool,
}

impl QueuedJob {
    fn new(job: Job, folder: PathBuf) -> Arc<QueuedJob> {
        let job = watch::Sender::new(job);
        Arc::new(QueuedJob { folder, job, stop: Notify::new(), is_stopped: AtomicBool::new(false) })
    }
}

impl JobQueue {
    /// Loads the jobs of a folder; those that ran when the server ended are queued again.
    pub fn open(folder: &Path) -> io::Result<JobQueue> {
        Job::remove_incomplete(folder)?;
        let mut jobs = BTreeMap::new();
        for (mut job, path) in Job::read_all(folder)? {
            if job.state == JobState::Running {
                job.state = JobState::Waiting;
            }
            jobs.insert(job.id, QueuedJob::new(job, path));
        }
        let changed = watch::Sender::new(0);
        Ok(JobQueue { folder: folder.to_path_buf(), jobs: Mutex::new(jobs), changed, wakeup: Notify::new() })
    }

    fn jobs(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<QueuedJob>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All jobs, newest first.
    pub fn list(&self) -> Vec<Job> {
        self.jobs().values().rev().map(|queued| queued.job.borrow().clone()).collect()
    }

    /// Notified of every change of any job.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub fn get(&self, id: u32) -> Result<Arc<QueuedJob>, ApiError> {
        self.jobs().get(&id).cloned().ok_or_else(|| ApiError::not_found(message!("web.no-job", id)))
    }

    /// Changes a job and notifies its watchers.
    pub fn update(&self, queued: &QueuedJob, change: impl FnOnce(&mut Job)) {
        queued.job.send_modify(change);
        self.changed.send_modify(|n| *n += 1);
    }

    /// The same, and saves it. A failed write becomes a message of the job.
    pub fn update_and_save(&self, queued: &QueuedJob, change: impl FnOnce(&mut Job)) {
        self.update(queued, |job| {
            change(job);
            if let Err(error) = job.save(&queued.folder) {
                job.add_message(message!("web.job-not-saved", error).to_string());
            }
        });
    }

    /// Checks a request and queues it.
    pub fn submit(&self, request: JobRequest, library: &Library) -> Result<Job, ApiError> {
        let command = request.command(library, self)?;
        let job = Job {
            id: 0,
            title: command.title,
            request,
            command: shell_line(&command.arguments),
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
        self.wakeup.notify_one();
        Ok(job)
    }

    /// Adds a finished job for a shard that another machine ran; the journal has been validated.
    pub fn add_part(&self, journal: &Path, title: String, n_games: u64) -> Result<Job, ApiError> {
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

    /// Assigns an id and creates the folder.
    fn add(&self, mut job: Job, fill: impl FnOnce(&Path) -> io::Result<()>) -> Result<Job, ApiError> {
        let mut jobs = self.jobs();
        job.id = jobs.keys().last().map_or(1, |last| last + 1);
        let folder = self.folder.join(job.id.to_string());
        fs::create_dir_all(&folder)?;
        fill(&folder)?;
        job.save(&folder)?;
        jobs.insert(job.id, QueuedJob::new(job.clone(), folder));
        drop(jobs);
        self.changed.send_modify(|n| *n += 1);
        Ok(job)
    }

    /// Stops a job; its journal stays.
    pub fn stop(&self, id: u32) -> Result<Job, ApiError> {
        let queued = self.get(id)?;
        let state = queued.job.borrow().state;
        match state {
            JobState::Waiting => self.update_and_save(&queued, |job| job.state = JobState::Stopped),
            JobState::Running => {
                queued.is_stopped.store(true, Ordering::Relaxed);
                queued.stop.notify_one();
            }
            JobState::Stopped | JobState::Done | JobState::Failed => {}
        }
        let job = queued.job.borrow().clone();
        Ok(job)
    }

    /// Queues a stopped or failed job again.
    pub fn resume(&self, id: u32) -> Result<Job, ApiError> {
        let queued = self.get(id)?;
        if !queued.job.borrow().state.is_alive() {
            self.update_and_save(&queued, |job| {
                (job.state, job.ended_ms, job.error) = (JobState::Waiting, None, None);
                job.messages.clear();
            });
            self.wakeup.notify_one();
        }
        let job = queued.job.borrow().clone();
        Ok(job)
    }

    /// Deletes a job and its files.
    pub fn delete(&self, id: u32) -> Result<(), ApiError> {
        let queued = self.get(id)?;
        if queued.job.borrow().state == JobState::Running {
            return Err(
                ApiError::conflict(message!("web.job-running", id)).hint(message!("web.job-running.hint"))
            );
        }
        self.jobs().remove(&id);
        Job::remove(&queued.folder)?;
        self.changed.send_modify(|n| *n += 1);
        Ok(())
    }

    /// The next job to run, as soon as there is one.
    pub async fn next_waiting(&self) -> Arc<QueuedJob> {
        loop {
            let is_waiting = |queued: &&Arc<QueuedJob>| queued.job.borrow().state == JobState::Waiting;
            let next = self.jobs().values().find(is_waiting).cloned();
            match next {
                Some(queued) => return queued,
                None => self.wakeup.notified().await,
            }
        }
    }
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The command line as a user would type it.
fn shell_line(arguments: &[String]) -> String {
    let word = |word: &String| {
        if word.contains(['\'', '(', ' ', '{']) {
            format!("\"{word}\"").replace("{folder}/", "")
        } else {
            word.clone()
        }
    };
    format!("ashta {}", arguments.iter().map(word).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incompletely_removed_job_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "{").expect("written");
        };
        ["7/journal", "8/job.json", "notes/journal"].into_iter().for_each(file);
        JobQueue::open(folder.path()).expect("opened");
        let there = |name: &str| folder.path().join(name).exists();
        assert!(!there("7"), "the next job of this number would find its journal");
        assert!(there("8") && there("notes"), "what cannot be read, or is somebody else's, stays");
    }
}
