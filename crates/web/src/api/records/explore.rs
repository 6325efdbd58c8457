//! The explorer: what was played from a position, and how it went.

use std::time::Instant;

use ashta_records::Query;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::SharedState;
use super::super::extract::{JsonBody, PathParams};
use super::super::position_spec::PositionSpec;
use super::super::position_view::{PositionView, WrittenMove};
use super::query_text::parse_query;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::ApiResult;
use crate::records_json::NextLine;

/// Routes of the explorer.
pub fn routes() -> ApiRouter {
    routes![explore]
}

/// From where to explore.
#[derive(Deserialize, ToSchema, Debug)]
struct ExploreRequest {
    /// FEN or SFEN; default: the start position.
    #[serde(default)]
    position: Option<String>,
    /// Moves from there, in coordinates or SAN.
    #[serde(default)]
    moves: Vec<String>,
    /// Only in these games: a query, such as `rating>=2400`.
    #[serde(default)]
    query: String,
}

/// What was played from a position.
#[derive(Serialize, ToSchema, Debug)]
struct ExploredBody {
    /// The position, and the moves that led there.
    position_view: PositionView,
    /// How often it occurred.
    positions: u64,
    /// In how many games.
    games: u64,
    /// The moves that were played, the most frequent first.
    moves: Vec<NextLine>,
    /// How long it took, in milliseconds.
    elapsed_ms: f64,
}

/// Lists the moves that were played from a position, with counts and results.
#[utoipa::path(post, path = "/api/collections/{name}/explore", request_body = ExploreRequest,
    params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = ExploredBody), (status = 400, body = crate::api_error::ErrorBody)))]
async fn explore(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<ExploreRequest>,
) -> ApiResult<ExploredBody> {
    let began = Instant::now();
    let text = request.query.clone();
    let explored = state.search_for(&name, &text, move |opened, stop| {
        let collection = &opened.collection;
        let game = collection.manifest().game.clone();
        let spec = PositionSpec { game, position: request.position, moves: request.moves };
        spec.check_sizes()?;
        let (game, line) = spec.play(collection.rules())?;
        let mut query = Query::position(&game);
        if !request.query.trim().is_empty() {
            let only = parse_query(&request.query, collection.rules().rules())?;
            query = Query::All(vec![query, Query::Game(Box::new(only))]);
        }
        let explored = collection.explore_unless(&query, stop)?;
        let (ply, n_sides) = (game.setup().ply, game.rules().sides().len());
        let lines = explored.moves.iter().map(|next| {
            let written = next.mv.map(|mv| WrittenMove::of(&game, mv, ply + 1));
            NextLine::of(next, written, explored.n_positions, n_sides)
        });
        Ok(ExploredBody {
            positions: explored.n_positions,
            games: explored.n_games,
            moves: lines.collect(),
            position_view: PositionView::of(&game, line),
            elapsed_ms: began.elapsed().as_secs_f64() * 1000.0,
        })
    });
    Ok(Json(explored.await?))
}
