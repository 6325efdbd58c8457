//! The API, one file for each subject; its description is made from the same functions.
//!
//! In: JSON. Out: JSON, or why not. Never: a place in the laboratory that a script cannot ask for too.

mod attachment;
mod body;
mod catalogue;
mod contest;
mod contest_standing;
mod explain;
mod games;
mod job_games;
mod job_parts;
mod jobs;
mod lineage;
mod move_tree;
mod own_games;
mod perft;
mod pieces;
mod play;
mod position;
mod position_fields;
mod records;
mod score;
mod sheet;
mod standing;
mod study;
mod thinking;

use std::sync::Arc;

use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::failure::Refusal;
use crate::laboratory::Laboratory;

/// What handlers are given.
type Shared = axum::extract::State<Arc<Laboratory>>;

#[derive(OpenApi)]
#[openapi(info(
    title = "Ashtapada",
    description = "A laboratory for the chess family of games. Bodies and answers are JSON; a refusal has `error` and often `hint`."
))]
struct Description;

fn described() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::with_openapi(Description::openapi())
        .merge(catalogue::routes())
        .merge(contest::routes())
        .merge(explain::routes())
        .merge(games::routes())
        .merge(job_games::routes())
        .merge(job_parts::routes())
        .merge(jobs::routes())
        .merge(lineage::routes())
        .merge(own_games::routes())
        .merge(perft::routes())
        .merge(play::routes())
        .merge(position::routes())
        .merge(records::routes())
        .merge(score::routes())
        .merge(study::routes())
}

/// All routes of the API.
pub fn routes() -> Router<Arc<Laboratory>> {
    let (router, description) = described().split_for_parts();
    router
        .route("/api/openapi.json", get(async move || Json(description)))
        .route("/api/{*rest}", get(nothing).post(nothing).put(nothing).delete(nothing))
}

/// The description as text.
pub fn description() -> String {
    described().split_for_parts().1.to_pretty_json().unwrap_or_default()
}

async fn nothing() -> Refusal {
    Refusal::missing("the API has no such address").hint("/api/openapi.json lists them")
}
