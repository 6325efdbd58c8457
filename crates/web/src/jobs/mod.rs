//! Long work: each job is a command of this program, run in a folder of its own.
//!
//! In: requests, checked. Out: commands that are started, watched, stopped, and gone on with after a restart. Never: a
//! word of a request as an option or a path; a job's work in the server's own process.

mod job;
mod keeper;
mod progress;
mod request;
mod run;

pub use job::Job;
pub use keeper::{Keeper, run_all};
pub use progress::{CellProgress, CurveProgress, JobProgress, MeasureProgress, ScoreProgress, Series};
pub use request::JobRequest;
