//! Parts of an experiment that were played on other machines, brought in by their journals.

use std::path::Path;
use std::sync::Arc;

use ashta_lab::{Journal, Plan};
use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Shared;
use super::records::{SentFile, UploadLimit};
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
async fn bring(State(laboratory): Shared, sent: SentFile) -> Answer<Job> {
    let limit = UploadLimit { n_bytes: MOST_BYTES, too_large };
    let upload = sent.receive(&laboratory.folder.uploads(), limit, |_| ()).await?;
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
