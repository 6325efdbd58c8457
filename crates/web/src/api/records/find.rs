//! Positions of a collection, found by a query.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_records::{Collection, Hit, TimeBudget};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::SharedState;
use super::super::extract::{JsonBody, PathParams};
use super::super::position_view::WrittenMove;
use super::diagram::{Diagram, game_at};
use super::query_text::parse_query;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::collection_cache::OpenCollection;
use crate::records_json::{FoundCounts, HitLine};

/// Routes of searching.
pub fn routes() -> ApiRouter {
    routes![find]
}

/// Time budget of interactive queries.
const SOON_LIMIT: Duration = Duration::from_millis(25);
/// Most hits of a page.
const MAX_HITS: usize = 200;

/// What to find.
#[derive(Deserialize, ToSchema, Debug)]
struct FindRequest {
    /// A query; default: every game. See `docs/queries.md`.
    #[serde(default)]
    query: String,
    /// Hits to pass over.
    #[serde(default)]
    offset: usize,
    /// Hits to give, at most 200; 0 for counts alone.
    #[serde(default = "usual_limit")]
    limit: usize,
    /// Whether an answer from the first games will do, where all of them take longer than a person waits.
    #[serde(default)]
    soon: bool,
}

fn usual_limit() -> usize {
    20
}

/// What was found.
#[derive(Serialize, ToSchema, Debug)]
struct Found {
    #[serde(flatten)]
    counts: FoundCounts,
    /// Games of the whole collection.
    of_games: usize,
    /// Games that were looked at, from the first on: all, unless the answer was wanted soon.
    looked_at: usize,
    /// Hits that were passed over.
    offset: usize,
    /// A page of hits.
    hits: Vec<ShownHit>,
    /// How long it took, in milliseconds.
    elapsed_ms: f64,
}

/// A hit with its diagram.
#[derive(Serialize, ToSchema, Debug)]
pub struct ShownHit {
    #[serde(flatten)]
    hit: HitLine,
    /// The ply that is shown: the first, or the end of the game where all of it was found.
    ply: u16,
    diagram: Diagram,
}

impl ShownHit {
    fn of(collection: &Collection, hit: &Hit) -> Result<ShownHit, ApiError> {
        let is_whole = hit.from == 0 && usize::from(hit.to) == hit.n_plies + 1;
        let ply = if is_whole { hit.to - 1 } else { hit.from };
        let gone = || ApiError::internal(message!("web.game-gone", number = hit.game + 1));
        let game = game_at(collection, hit.game, usize::from(ply))?.ok_or_else(gone)?;
        let next = hit.next.filter(|_| !is_whole);
        let next = next.map(|mv| WrittenMove::of(&game, mv, u32::from(ply) + 1));
        Ok(ShownHit { hit: HitLine::of(hit, next), ply, diagram: Diagram::of(&game) })
    }
}

/// Finds positions; counts them, gives a page of them.
#[utoipa::path(post, path = "/api/collections/{name}/find", request_body = FindRequest,
    params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = Found), (status = 400, body = crate::api_error::ErrorBody)))]
async fn find(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<FindRequest>,
) -> ApiResult<Found> {
    let began = Instant::now();
    let (text, soon) = (request.query.clone(), request.soon);
    let find = move |opened: &OpenCollection, stop: &AtomicBool| {
        let collection = &opened.collection;
        let query = parse_query(&request.query, collection.rules().rules())?;
        let is_over = || began.elapsed() > SOON_LIMIT;
        let answer = if request.soon {
            collection.find_first(&query, &TimeBudget::until(&is_over), stop)?
        } else {
            collection.find_unless(&query, stop)?
        };
        let hits = answer.page(request.offset, request.limit.min(MAX_HITS))?;
        let hits = hits.iter().map(|hit| ShownHit::of(collection, hit)).collect::<Result<_, _>>()?;
        Ok(Found {
            counts: FoundCounts::of(&query, &answer, collection.rules().rules()),
            of_games: collection.n_games(),
            looked_at: answer.n_searched(),
            offset: request.offset,
            hits,
            elapsed_ms: began.elapsed().as_secs_f64() * 1000.0,
        })
    };
    // Interactive queries do not queue behind shape searches.
    Ok(Json(if soon {
        state.search(&name, find).await?
    } else {
        state.search_for(&name, &text, find).await?
    }))
}
