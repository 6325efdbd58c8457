//! Jobs: each is a command of this program, run in a folder of its own.
//!
//! In: requests. Out: commands that are spawned, monitored, stopped, and resumed after a restart. Never: a
//! text of a request as an option or a path; a job's work in the server's process.

mod arguments;
mod command;
mod job;
mod progress;
mod queue;
mod request;
mod rerun;
mod supervisor;

pub use arguments::game_name;
pub use job::{JOURNAL, Job};
pub use progress::{
    CellProgress, CountProgress, CurveProgress, JobFailure, JobProgress, MeasureProgress, ScoreProgress,
    Series,
};
pub use queue::JobQueue;
pub use request::JobRequest;
pub use rerun::{plan_title, read_experiment};
pub use supervisor::run_queue;
