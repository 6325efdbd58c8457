//! The players of a collection: how often on each side, and how it went.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::super::SharedState;
use super::super::extract::{JsonBody, PathParams};
use super::query_text::parse_query;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::ApiResult;
use crate::records_json::{PlayersBody, RecordedPlayer};

/// Default page size.
const PAGE: usize = 50;
/// Most players of a page.
const MOST: usize = 10_000;

/// Routes of players.
pub fn routes() -> ApiRouter {
    routes![players]
}

/// Which players.
#[derive(Deserialize, ToSchema, Debug)]
struct PlayersRequest {
    /// Only in these games: a query, such as `date>=2015`.
    #[serde(default)]
    query: String,
    /// Players to pass over first.
    #[serde(default)]
    skip: usize,
    /// Players to list, at most 10,000; default: 50.
    #[serde(default)]
    limit: Option<usize>,
}

/// Lists the players of a collection, with their games and results on each side.
#[utoipa::path(post, path = "/api/collections/{name}/players", request_body = PlayersRequest,
    params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = PlayersBody), (status = 400, body = crate::api_error::ErrorBody)))]
async fn players(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<PlayersRequest>,
) -> ApiResult<PlayersBody> {
    let text = request.query.clone();
    let found = state.search_for(&name, &text, move |opened, stop| {
        let collection = &opened.collection;
        let players = collection.players(&parse_query(&request.query, collection.rules().rules())?, stop)?;
        let some = players.iter().skip(request.skip).take(request.limit.unwrap_or(PAGE).min(MOST));
        Ok(PlayersBody { listed: some.map(RecordedPlayer::of).collect(), players: players.len() })
    });
    Ok(Json(found.await?))
}
