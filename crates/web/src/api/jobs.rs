//! Jobs: long work that goes on when the page is closed.

use std::convert::Infallible;
use std::fs;

use ashta_messages::{Language, message};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};
use utoipa::ToSchema;

use super::SharedState;
use super::attachment::attachment;
use super::extract::{JsonBody, PathParams};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::jobs::{JOURNAL, Job, JobRequest};
use crate::request_language::RequestLanguage;

/// Routes of jobs.
pub fn routes() -> ApiRouter {
    routes![list, begin, watch_all, one, forget, watch, stop, go_on, files, file]
}

/// All jobs, newest first, without results.
#[utoipa::path(get, path = "/api/jobs", tag = "jobs", responses((status = 200, body = Vec<Job>)))]
async fn list(State(state): SharedState, RequestLanguage(language): RequestLanguage) -> ApiResult<Vec<Job>> {
    Ok(Json(summaries(&state, language)))
}

fn summaries(state: &AppState, language: Language) -> Vec<Job> {
    let mut jobs: Vec<Job> = state.jobs.list().into_iter().map(|job| job.in_language(language)).collect();
    for job in &mut jobs {
        job.progress.cells.clear();
        job.progress.curves.clear();
        job.progress.scores.clear();
        job.progress.counts.clear();
    }
    jobs
}

/// Submits a job to the queue.
#[utoipa::path(post, path = "/api/jobs", tag = "jobs", request_body = JobRequest, responses((status = 200, body = Job)))]
async fn begin(State(state): SharedState, JsonBody(request): JsonBody<JobRequest>) -> ApiResult<Job> {
    Ok(Json(state.jobs.submit(request, &state.library)?))
}

/// A job with its results so far.
#[utoipa::path(get, path = "/api/jobs/{id}", tag = "jobs", params(("id" = u32, Path, description = "The job's number")),
    responses((status = 200, body = Job)))]
async fn one(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(id): PathParams<u32>,
) -> ApiResult<Job> {
    let job = state.jobs.get(id)?.job.borrow().clone();
    Ok(Json(job.in_language(language)))
}

/// Deletes a job and its files.
#[utoipa::path(delete, path = "/api/jobs/{id}", tag = "jobs", params(("id" = u32, Path, description = "The job's number")),
    responses((status = 200)))]
async fn forget(State(state): SharedState, PathParams(id): PathParams<u32>) -> ApiResult<()> {
    Ok(Json(state.jobs.delete(id)?))
}

/// Stops a job; it can be resumed.
#[utoipa::path(post, path = "/api/jobs/{id}/stop", tag = "jobs", params(("id" = u32, Path, description = "The job's number")),
    responses((status = 200, body = Job)))]
async fn stop(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(id): PathParams<u32>,
) -> ApiResult<Job> {
    Ok(Json(state.jobs.stop(id)?.in_language(language)))
}

/// Resumes a stopped or failed job.
#[utoipa::path(post, path = "/api/jobs/{id}/resume", tag = "jobs", params(("id" = u32, Path, description = "The job's number")),
    responses((status = 200, body = Job)))]
async fn go_on(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(id): PathParams<u32>,
) -> ApiResult<Job> {
    Ok(Json(state.jobs.resume(id)?.in_language(language)))
}

/// A job now and after every change, as server-sent events.
#[utoipa::path(get, path = "/api/jobs/{id}/events", tag = "jobs", params(("id" = u32, Path, description = "The job's number")),
    responses((status = 200, content_type = "text/event-stream")))]
async fn watch(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(id): PathParams<u32>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let seen = state.jobs.get(id)?.job.subscribe();
    Ok(events(WatchStream::new(seen).map(move |job| as_event(&job.in_language(language)))))
}

/// All jobs now and after every change, as server-sent events.
#[utoipa::path(get, path = "/api/jobs/events", tag = "jobs", responses((status = 200, content_type = "text/event-stream")))]
async fn watch_all(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let changes = WatchStream::new(state.jobs.watch());
    events(changes.map(move |_| as_event(&summaries(&state, language))))
}

fn as_event(value: &impl Serialize) -> Result<Event, Infallible> {
    Ok(Event::default().data(serde_json::to_string(value).unwrap_or_default()))
}

fn events<S: Stream<Item = Result<Event, Infallible>> + Send + 'static>(
    stream: S,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    Sse::new(stream).keep_alive(KeepAlive::default())
}

/// A file of a job.
#[derive(Serialize, ToSchema, Debug)]
struct JobFile {
    /// `report.html`.
    name: String,
    /// How long it is.
    n_bytes: u64,
}

/// What a job has written: reports, tables, weights, games.
#[utoipa::path(get, path = "/api/jobs/{id}/files", tag = "jobs", params(("id" = u32, Path, description = "The job's number")),
    responses((status = 200, body = Vec<JobFile>)))]
async fn files(State(state): SharedState, PathParams(id): PathParams<u32>) -> ApiResult<Vec<JobFile>> {
    let folder = state.jobs.get(id)?.folder.clone();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if let Some(name) = entry.file_name().to_str().filter(|name| content_type(name).is_some()) {
            files.push(JobFile { name: name.to_string(), n_bytes: entry.metadata()?.len() });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Json(files))
}

/// One of these files.
#[utoipa::path(get, path = "/api/jobs/{id}/files/{name}", tag = "jobs",
    params(("id" = u32, Path, description = "The job's number"), ("name" = String, Path, description = "The file")), responses((status = 200)))]
async fn file(
    State(state): SharedState,
    PathParams((id, name)): PathParams<(u32, String)>,
) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found(message!("web.job-no-file", id));
    let kind = content_type(&name).ok_or_else(missing)?;
    let folder = state.jobs.get(id)?.folder.clone();
    // One of those that are there: a name of a request is compared, never joined to a path.
    let mut entries = fs::read_dir(folder)?.filter_map(Result::ok);
    let entry = entries.find(|entry| entry.file_name().to_str() == Some(&name)).ok_or_else(missing)?;
    let bytes = Bytes::from(tokio::fs::read(entry.path()).await?);
    if !name.ends_with(".html") {
        return Ok((attachment(&name, kind), bytes).into_response());
    }
    // A report is a page of its own that may do nothing.
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";
    Ok(([(CONTENT_TYPE, kind), (CONTENT_SECURITY_POLICY, policy)], bytes).into_response())
}

/// Files that people want, and what they are.
fn content_type(name: &str) -> Option<&'static str> {
    if name == JOURNAL {
        return Some("application/octet-stream");
    }
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "md" | "values" | "pgn" | "usi" | "csa" | "toml" => "text/plain; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "json" if !["job.json", "asked.json"].contains(&name) => "application/json",
        _ => return None,
    })
}
