//! A file of problems: solutions are compared with the file's and streamed.

use std::sync::atomic::Ordering;
use std::time::Instant;

use ashta_messages::{Tell, message};
use ashta_study::problem::{BatchError, BatchPlan, read_problems, solve_problem};
use axum::extract::State;
use axum::response::sse::Sse;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::event_stream::{EventStream, stream_events};
use super::problems::ProblemGoal;
use super::two_sides;
use crate::api::SharedState;
use crate::api::extract::JsonBody;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::ApiError;
use crate::request_language::RequestLanguage;
use crate::study_json::{self, SolvedJson};

/// Routes of files of problems.
pub fn routes() -> ApiRouter {
    routes![solve_file]
}

/// Most problems of one file.
const MAX_PROBLEMS: usize = 20_000;

/// A file of problems.
#[derive(Deserialize, ToSchema, Debug)]
struct ProblemFile {
    /// A game of two sides, with changes.
    game: String,
    /// EPD, lines of FEN or SFEN, a table with a header, or PGN with a position for each game.
    text: String,
    #[serde(flatten)]
    wanted: ProblemGoal,
}

/// A line of the file that was no problem, or one that was.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
enum ProblemPart {
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
    State(state): SharedState,
    language: RequestLanguage,
    JsonBody(file): JsonBody<ProblemFile>,
) -> Result<Sse<EventStream>, ApiError> {
    let wanted = file.wanted.check()?;
    let rules = two_sides(&state, &file.game)?;
    let problems = read_problems(&file.text);
    if problems.is_empty() {
        return Err(ApiError::bad_request(message!("web.no-problems")).hint(message!("web.no-problems.hint")));
    }
    if problems.len() > MAX_PROBLEMS {
        return Err(ApiError::bad_request(message!(
            "web.too-many-problems",
            n = problems.len(),
            max = MAX_PROBLEMS
        )));
    }
    let plan = BatchPlan {
        mate: wanted.mate,
        by_checks: wanted.tsume,
        plies: wanted.plies,
        futile: wanted.futile(),
    };
    let RequestLanguage(told) = language;
    Ok(stream_events(state, language, move |reporter, stop| {
        let mut summary = Summary { problems: problems.len(), ..Summary::default() };
        for (n, problem) in problems.into_iter().enumerate() {
            reporter.progress(json!({ "done": n, "total": summary.problems }));
            let begin = Instant::now();
            let part = match problem {
                Err(error) => ProblemPart::Unreadable { line: error.line, error: error.what.text(told) },
                Ok(problem) => match solve_problem(&rules, &problem, plan, stop) {
                    Ok(solved) => ProblemPart::Solved(study_json::solved(&problem, &solved, begin.elapsed())),
                    Err(BatchError::Stopped(error)) => return Err(super::problems::stopped(error)),
                    Err(error) => {
                        ProblemPart::Unreadable { line: problem.line, error: error.message().text(told) }
                    }
                },
            };
            summary.count(&part);
            reporter.part(part);
            if stop.load(Ordering::Relaxed) {
                return Err(ApiError::internal(message!("web.problems-stopped")));
            }
        }
        Ok(summary)
    }))
}

impl Summary {
    fn count(&mut self, part: &ProblemPart) {
        match part {
            ProblemPart::Unreadable { .. } => self.unreadable += 1,
            ProblemPart::Solved(solved) => {
                self.solved += usize::from(solved.length.is_some());
                self.without += usize::from(solved.length.is_none());
                self.unlike += usize::from(solved.agrees == Some(false));
            }
        }
    }
}
