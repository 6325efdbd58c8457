//! A job as it is saved on disk and sent to the page.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ashta_messages::{Language, Message};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::progress::JobProgress;
use super::request::JobRequest;
use ashta_records::write_atomic;

/// The journal of a job.
pub const JOURNAL: &str = "journal";

/// Messages that are kept; older ones are dropped.
const MAX_MESSAGES: usize = 50;
const FILE: &str = "job.json";

/// A job.
#[derive(Clone, PartialEq, Serialize, Deserialize, ToSchema, Debug)]
pub struct Job {
    /// Its number.
    pub id: u32,
    /// What it does, in a few words.
    pub title: String,
    /// What was asked for.
    pub request: JobRequest,
    /// The same in a terminal.
    pub command: String,
    pub state: JobState,
    /// When it was asked for, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was last started or resumed.
    pub started_ms: Option<u64>,
    /// When it ended.
    pub ended_ms: Option<u64>,
    /// Progress.
    pub progress: JobProgress,
    /// Messages that it printed.
    pub messages: Vec<String>,
    /// Whether it learns: then it has curves.
    #[serde(default)]
    pub is_learning: bool,
    /// Why it failed, in the language of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub error: Option<JobError>,
}

/// Why a job failed. It is saved in every language, because the one who asks later may speak another.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(untagged)]
pub enum JobError {
    InLanguages { en: String, ja: String },
    Text(String),
}

impl JobError {
    pub fn of(message: &Message) -> JobError {
        let [en, ja] = Language::ALL.map(|language| message.text(language));
        JobError::InLanguages { en, ja }
    }

    fn in_language(self, language: Language) -> JobError {
        match (self, language) {
            (JobError::InLanguages { en, .. }, Language::English) => JobError::Text(en),
            (JobError::InLanguages { ja, .. }, Language::Japanese) => JobError::Text(ja),
            (text @ JobError::Text(_), _) => text,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum JobState {
    /// Queued.
    Waiting,
    /// Running; it is resumed when the server restarts.
    Running,
    /// Stopped by the user; it can be resumed.
    Stopped,
    /// Finished.
    Done,
    /// Failed.
    Failed,
}

impl JobState {
    /// Queued or running.
    pub fn is_alive(self) -> bool {
        matches!(self, JobState::Waiting | JobState::Running)
    }
}

impl Job {
    /// As it is sent.
    pub fn in_language(self, language: Language) -> Job {
        Job { error: self.error.map(|error| error.in_language(language)), ..self }
    }

    pub fn add_message(&mut self, line: String) {
        if self.messages.len() == MAX_MESSAGES {
            self.messages.remove(0);
        }
        self.messages.push(line);
    }

    pub fn save(&self, folder: &Path) -> io::Result<()> {
        write_atomic(&folder.join(FILE), serde_json::to_vec_pretty(self)?)
    }

    /// Removes a job and its files, `job.json` first: without it the folder counts as incomplete.
    pub fn remove(folder: &Path) -> io::Result<()> {
        fs::remove_file(folder.join(FILE))?;
        fs::remove_dir_all(folder)
    }

    /// Removes folders without `job.json`: a kill interrupted their creation or removal.
    pub fn remove_incomplete(folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_number = path.file_name().is_some_and(|name| {
                name.to_str().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
            });
            if is_number && path.is_dir() && !path.join(FILE).try_exists()? {
                fs::remove_dir_all(path)?;
            }
        }
        Ok(())
    }

    /// Reads all jobs of a folder; anything else in it is skipped.
    pub fn read_all(folder: &Path) -> io::Result<Vec<(Job, PathBuf)>> {
        let mut jobs = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let text = fs::read(path.join(FILE)).ok();
            let job: Option<Job> = text.and_then(|text| serde_json::from_slice(&text).ok());
            let is_named_so =
                |job: &Job| path.file_name().is_some_and(|name| name.to_str() == Some(&job.id.to_string()));
            jobs.extend(job.filter(is_named_so).map(|job| (job, path.clone())));
        }
        jobs.sort_by_key(|(job, _)| job.id);
        Ok(jobs)
    }
}
