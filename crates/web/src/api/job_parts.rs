//! Parts of an experiment that were played on other machines, brought in by their journals.

use std::path::Path;
use std::sync::Arc;

use ashta_lab::{Journal, Plan};
use axum::Json;
use axum::body::Body as Sent;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Shared;
use super::records::Upload;
use crate::failure::{Answer, Refusal};
use crate::jobs::{Job, plan_title, read_experiment};
use crate::laboratory::Laboratory;

/// Routes of parts.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(bring))
}

/// Bytes of the largest journal: some million games.
const MOST_BYTES: u64 = 256 << 20;

/// Brings in a part of an experiment: the body is the `journal` of a run with `--shard`, or of a job. It becomes a job that
/// is done, which `merge` can name.
#[utoipa::path(
    post,
    path = "/api/jobs/parts",
    tag = "jobs",
    request_body(content_type = "application/octet-stream"),
    responses((status = 200, body = Job))
)]
async fn bring(State(laboratory): Shared, headers: HeaderMap, body: Sent) -> Answer<Job> {
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if length.is_some_and(|length| length > MOST_BYTES) {
        return Err(too_large());
    }
    let upload = Upload::receive(&laboratory.folder.uploads(), body, |_| ()).await?;
    let keeper = laboratory.clone();
    let job = laboratory.think(move |_| {
        let part = read_part(&upload.path, &keeper)?;
        keeper.jobs.bring(&upload.path, plan_title(&part.plan), part.n_games)
    });
    Ok(Json(job.await??))
}

fn too_large() -> Refusal {
    Refusal::wrong(format!("a journal has at most {} MB here", MOST_BYTES >> 20))
        .hint("`ashta merge` in a terminal takes journals of any size")
}

/// A journal whose plan can be carried out here.
struct Part {
    plan: Plan,
    n_games: u64,
}

fn read_part(path: &Path, laboratory: &Laboratory) -> Result<Part, Refusal> {
    if path.metadata()?.len() > MOST_BYTES {
        return Err(too_large());
    }
    let no_part = || {
        Refusal::wrong("this is no part of an experiment")
            .hint("the file `journal` of a run with --shard is wanted")
    };
    let contents = Journal::read(path).map_err(|_| no_part())?;
    let plan: Plan = serde_json::from_str(&contents.plan_text).map_err(|_| no_part())?;
    let known = read_experiment(plan.clone(), laboratory)?;
    // The command reads the plan from the journal, as it stands there.
    let is_whole = contents.units.keys().all(|id| (id.cell as usize) < plan.cells.len());
    if known != plan || plan.digest() != contents.plan_digest || !is_whole {
        return Err(no_part());
    }
    let n_games = contents.units.values().map(|tally| tally.rows.len() as u64).sum();
    Ok(Part { plan, n_games })
}
