//! A file of problems: each solved, compared with what the file says, and told as soon as it is.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use ashta_study::problem::{BatchError, BatchPlan, read_problems, solve_problem};
use axum::extract::State;
use axum::response::sse::Sse;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::problems::Wanted;
use super::two_sides;
use super::watched::{Watched, watched};
use crate::api::Shared;
use crate::api::body::Body;
use crate::failure::Refusal;
use crate::laboratory::Laboratory;
use crate::study_json::{self, SolvedJson};

/// Routes of files of problems.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(solve_file))
}

/// Most problems of one file.
const MOST_PROBLEMS: usize = 20_000;

/// A file of problems.
#[derive(Deserialize, ToSchema, Debug)]
struct ProblemFile {
    /// A game of two sides, with changes.
    game: String,
    /// EPD, lines of FEN or SFEN, a table with a header, or PGN with a position for each game.
    text: String,
    #[serde(flatten)]
    wanted: Wanted,
}

/// A line of the file that was no problem, or one that was.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
enum Part {
    Solved(SolvedJson),
    Unreadable {
        /// Its line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
}

/// How many of each there were.
#[derive(Default, Serialize, ToSchema, Debug)]
struct Summary {
    /// Problems of the file.
    problems: usize,
    /// With a mate.
    solved: usize,
    /// Without one.
    without: usize,
    /// Not as the file says.
    unlike: usize,
    /// Not readable.
    unreadable: usize,
}

/// Solves the problems of a file: server-sent events, a `part` for each as soon as it is solved, then `done` with a summary.
#[utoipa::path(post, path = "/api/problems/file/events", request_body = ProblemFile,
    responses((status = 200, body = String, content_type = "text/event-stream")))]
async fn solve_file(
    State(laboratory): Shared,
    Body(file): Body<ProblemFile>,
) -> Result<Sse<Watched>, Refusal> {
    let wanted = file.wanted.check()?;
    let rules = two_sides(&laboratory, &file.game)?;
    let problems = read_problems(&file.text);
    if problems.is_empty() {
        return Err(Refusal::wrong("the file has no problems").hint("a line for each: FEN, SFEN or EPD"));
    }
    if problems.len() > MOST_PROBLEMS {
        return Err(Refusal::wrong(format!(
            "the file has {} problems, at most {MOST_PROBLEMS} are solved at once",
            problems.len()
        )));
    }
    let plan = BatchPlan {
        mate: wanted.mate,
        by_checks: wanted.tsume,
        plies: wanted.plies,
        futile: wanted.futile(),
    };
    Ok(watched(laboratory, move |told, stop| {
        let mut summary = Summary { problems: problems.len(), ..Summary::default() };
        for (n, problem) in problems.into_iter().enumerate() {
            told.progress(json!({ "done": n, "total": summary.problems }));
            let begin = Instant::now();
            let part = match problem {
                Err(error) => Part::Unreadable { line: error.line, error: error.what },
                Ok(problem) => match solve_problem(&rules, &problem, plan, stop) {
                    Ok(solved) => Part::Solved(study_json::solved(&problem, &solved, begin.elapsed())),
                    Err(BatchError::Stopped(error)) => return Err(super::problems::stopped(error)),
                    Err(error) => Part::Unreadable { line: problem.line, error: error.to_string() },
                },
            };
            summary.count(&part);
            told.part(part);
            if stop.load(Ordering::Relaxed) {
                return Err(Refusal::unable("stopped before all problems were solved"));
            }
        }
        Ok(summary)
    }))
}

impl Summary {
    fn count(&mut self, part: &Part) {
        match part {
            Part::Unreadable { .. } => self.unreadable += 1,
            Part::Solved(solved) => {
                self.solved += usize::from(solved.length.is_some());
                self.without += usize::from(solved.length.is_none());
                self.unlike += usize::from(solved.agrees == Some(false));
            }
        }
    }
}
