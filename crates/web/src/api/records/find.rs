//! Positions of a collection, found by a query.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_records::{Collection, Hit, TimeBudget, write_query};
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
    /// The query as the program writes it.
    query: String,
    /// Positions.
    positions: usize,
    /// Games.
    games: usize,
    /// Intervals of games: what hits are counted in.
    intervals: usize,
    /// Games of the whole collection.
    of_games: usize,
    /// Games that were looked at, from the first on: all, unless the answer was wanted soon.
    looked_at: usize,
    /// Hits that were passed over.
    offset: usize,
    /// A page of hits.
    hits: Vec<HitLine>,
    /// How long it took, in milliseconds.
    elapsed_ms: f64,
}

/// An interval of a game in which the query holds.
#[derive(Serialize, ToSchema, Debug)]
pub struct HitLine {
    /// The game's number, from 1.
    pub game: usize,
    /// The first ply.
    pub from: u16,
    /// The last ply.
    pub to: u16,
    /// The ply that is shown: the first, or the end of the game where all of it was found.
    pub ply: u16,
    /// The players, in order of moving.
    pub players: Vec<Option<String>>,
    /// `1971.08.12`, as far as it is known.
    pub date: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`.
    pub result: String,
    /// Plies of the game.
    pub plies: usize,
    /// The move that was played next.
    pub next: Option<WrittenMove>,
    pub diagram: Diagram,
}

impl HitLine {
    fn of(collection: &Collection, hit: &Hit) -> Result<HitLine, ApiError> {
        let is_whole = hit.from == 0 && usize::from(hit.to) == hit.n_plies + 1;
        let ply = if is_whole { hit.to - 1 } else { hit.from };
        let gone = || ApiError::internal(message!("web.game-gone", number = hit.game + 1));
        let game = game_at(collection, hit.game, usize::from(ply))?.ok_or_else(gone)?;
        let next = hit.next.filter(|_| !is_whole);
        Ok(HitLine {
            game: hit.game + 1,
            from: hit.from,
            to: hit.to - 1,
            ply,
            players: hit.players.iter().map(|name| name.map(str::to_string)).collect(),
            date: date_text(hit.date),
            event: hit.event.map(str::to_string),
            result: hit.result.text(),
            plies: hit.n_plies,
            next: next.map(|mv| WrittenMove::of(&game, mv, u32::from(ply) + 1)),
            diagram: Diagram::of(&game),
        })
    }
}

/// `1971.08.12`, as far as it is known.
pub fn date_text(date: u32) -> Option<String> {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    match (year, month, day) {
        (0, ..) => None,
        (_, 0, _) => Some(format!("{year:04}")),
        (_, _, 0) => Some(format!("{year:04}.{month:02}")),
        _ => Some(format!("{year:04}.{month:02}.{day:02}")),
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
        let hits = hits.iter().map(|hit| HitLine::of(collection, hit)).collect::<Result<_, _>>()?;
        Ok(Found {
            query: write_query(&query, collection.rules().rules()),
            positions: answer.n_positions(),
            games: answer.n_games(),
            intervals: answer.n_intervals(),
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
