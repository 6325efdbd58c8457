//! Parts of an experiment that were played on other machines, brought in by their journals.

use std::path::Path;

use ashta_lab::{Journal, Plan};
use ashta_messages::message;
use axum::Json;
use axum::extract::State;

use super::SharedState;
use super::records::{SentFile, UploadLimit};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::jobs::{Job, plan_title, read_experiment};

/// Routes of parts.
pub fn routes() -> ApiRouter {
    routes![bring]
}

/// Bytes of the largest journal: some million games.
const MAX_BYTES: u64 = 256 << 20;

/// Brings in a part of an experiment: the body is the `journal` of a run with `--shard`, or of a job. It becomes a job that
/// is done, which `merge` can name.
#[utoipa::path(
    post,
    path = "/api/jobs/parts",
    tag = "jobs",
    request_body(content_type = "application/octet-stream"),
    responses((status = 200, body = Job))
)]
async fn bring(State(state): SharedState, sent: SentFile) -> ApiResult<Job> {
    let limit = UploadLimit { n_bytes: MAX_BYTES, too_large };
    let upload = sent.receive(&state.folder.uploads(), limit, |_| ()).await?;
    let shared = state.clone();
    let job = state.compute(move |_| {
        let part = read_part(&upload.path, &shared)?;
        shared.jobs.add_part(&upload.path, plan_title(&part.plan), part.n_games)
    });
    Ok(Json(job.await??))
}

fn too_large() -> ApiError {
    ApiError::too_large(message!("web.journal-too-large", max = MAX_BYTES >> 20))
        .hint(message!("web.journal-too-large.hint"))
}

/// A journal whose plan can be carried out here.
struct ImportedPart {
    plan: Plan,
    n_games: u64,
}

fn read_part(path: &Path, state: &AppState) -> Result<ImportedPart, ApiError> {
    let no_part =
        || ApiError::bad_request(message!("web.not-a-shard")).hint(message!("web.not-a-shard.hint"));
    let contents = Journal::read(path).map_err(|_| no_part())?;
    let plan: Plan = serde_json::from_str(&contents.plan_text).map_err(|_| no_part())?;
    let known = read_experiment(plan.clone(), &state.library)?;
    // The command reads the plan from the journal, as it stands there.
    let is_whole = contents.units.keys().all(|id| (id.cell as usize) < plan.cells.len());
    if known != plan || plan.digest() != contents.plan_digest || !is_whole {
        return Err(no_part());
    }
    let n_games = contents.units.values().map(|tally| tally.rows.len() as u64).sum();
    Ok(ImportedPart { plan, n_games })
}
