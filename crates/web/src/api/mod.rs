//! The JSON API, one file per subject; the OpenAPI description is generated from the handlers by a test.
//!
//! In: JSON. Out: JSON or an error. Never: a feature of the page that scripts cannot use.

mod attachment;
mod catalogue;
mod contest;
mod contest_view;
#[cfg(test)]
mod description;
mod engine_player;
mod explain;
mod extract;
mod game_descriptor;
mod game_record;
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
mod position_spec;
mod position_view;
mod records;
mod router;
mod study;

use std::sync::Arc;

use ashta_messages::message;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;

use self::router::ApiRouter;
use crate::api_error::ApiError;
use crate::app_state::AppState;

type SharedState = axum::extract::State<Arc<AppState>>;

/// The OpenAPI description; `description.rs` compares it with the handlers.
pub const DESCRIPTION: &str = include_str!("openapi.json");

fn documented_routes() -> ApiRouter {
    ApiRouter::default()
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
        .merge(game_record::routes())
        .merge(study::routes())
}

/// All routes of the API.
pub fn routes() -> Router<Arc<AppState>> {
    let json = [(CONTENT_TYPE, "application/json")];
    documented_routes()
        .router
        .route("/api/openapi.json", get(async move || (json, DESCRIPTION)))
        .route(
            "/api/{*rest}",
            get(unknown_address).post(unknown_address).put(unknown_address).delete(unknown_address),
        )
        .method_not_allowed_fallback(wrong_method)
}

async fn wrong_method() -> ApiError {
    ApiError::method_not_allowed(message!("web.method-not-allowed")).hint(message!("web.no-endpoint.hint"))
}

async fn unknown_address() -> ApiError {
    ApiError::not_found(message!("web.no-endpoint")).hint(message!("web.no-endpoint.hint"))
}
