//! Why a move: points with names, and what the engine expects.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_position::notation::read_move;
use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::SharedState;
use super::engine_player::search_nodes;
use super::extract::JsonBody;
use super::play::{HINT_NODES, check_not_over};
use super::position_spec::PositionSpec;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::explain_json::{Explanation, points_of_moves};

/// Routes of explanations.
pub fn routes() -> ApiRouter {
    routes![explain]
}

/// Nobody waits longer for an explanation.
const MAX_TIME: Duration = Duration::from_secs(60);

/// Why a move, or each of the moves.
#[derive(Deserialize, ToSchema, Debug)]
struct ExplainRequest {
    #[serde(flatten)]
    spec: PositionSpec,
    /// Only this move; default: all moves.
    #[serde(default, rename = "move")]
    mv: Option<String>,
    /// Plies that the points are added up over, 1 to 4; 2 unless said.
    #[serde(default)]
    level: Option<u8>,
}

/// Why a move: its points by name, as in Baba, *Chess Program* (about 1981; 003), and what the engine expects.
#[utoipa::path(post, path = "/api/explain", request_body = ExplainRequest, responses((status = 200, body = Explanation)))]
async fn explain(
    State(state): SharedState,
    JsonBody(request): JsonBody<ExplainRequest>,
) -> ApiResult<Explanation> {
    let game = request.spec.open(&state)?;
    check_not_over(&game)?;
    let level = request.level.unwrap_or(2);
    if !(1..=4).contains(&level) {
        return Err(ApiError::bad_request(message!("web.explain-plies", level)));
    }
    let read = |text: &String| read_move(&game, text).map_err(ApiError::bad_request);
    let only = request.mv.as_ref().map(read).transpose()?;
    let thinking = game.clone();
    let (points, info) = state
        .compute(move |stop| {
            let start = Instant::now();
            let may_go_on = || !stop.load(Ordering::Relaxed) && start.elapsed() <= MAX_TIME;
            (
                points_of_moves(&thinking, level, only, stop, &may_go_on),
                search_nodes(&thinking, HINT_NODES, only, stop),
            )
        })
        .await?;
    let points = points.ok_or_else(|| {
        ApiError::bad_request(message!("web.explain-timeout")).hint(message!("web.explain-timeout.hint"))
    })?;
    Ok(Json(Explanation::new(&game, level, points, &info)))
}
