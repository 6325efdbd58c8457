//! Long work: each job is a command of this program, run in a folder of its own.
//!
//! In: requests, checked. Out: commands that are started, watched, stopped, and gone on with after a restart. Never: a
//! word of a request as an option or a path; a job's work in the server's own process.

mod again;
mod command;
mod job;
mod keeper;
mod progress;
mod request;
mod run;
mod words;

pub use again::{plan_title, read_experiment};
pub use command::JOURNAL;
pub use job::Job;
pub use keeper::{Keeper, run_all};
pub use progress::{
    CellProgress, CountProgress, CurveProgress, JobProgress, MeasureProgress, ScoreProgress, Series,
};
pub use request::JobRequest;
pub use words::own_name;
