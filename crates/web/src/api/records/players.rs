//! The players of a collection: how often on each side, and how it went.

use ashta_records::{Player, PlayerScore};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::SharedState;
use super::super::extract::{JsonBody, PathParams};
use super::query_text::parse_query;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::ApiResult;

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

/// Some players.
#[derive(Serialize, ToSchema, Debug)]
struct PlayersBody {
    /// How many there are.
    players: usize,
    /// Those asked for; who has the most games comes first.
    listed: Vec<RecordedPlayer>,
}

/// A player.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct RecordedPlayer {
    /// The name, as records have it.
    name: String,
    /// All games.
    #[serde(flatten)]
    all: ScoreLine,
    /// Games on each side, in order of moving.
    by_side: Vec<ScoreLine>,
    /// The first year with a game, where any is known.
    first_year: Option<u16>,
    /// The last year with a game.
    last_year: Option<u16>,
    /// The highest rating, where any is known.
    best_rating: Option<u16>,
}

/// Games and how they went.
#[derive(Clone, Serialize, ToSchema, Debug)]
struct ScoreLine {
    /// Games.
    games: usize,
    /// Won.
    won: usize,
    /// Drawn.
    draws: usize,
    /// Lost; the rest have no known result.
    lost: usize,
    /// The share of points, a draw being half of one; nothing where no result is known.
    share: Option<f64>,
}

impl ScoreLine {
    fn of(score: &PlayerScore) -> ScoreLine {
        let PlayerScore { n_games, n_won, n_drawn, n_lost } = *score;
        ScoreLine { games: n_games, won: n_won, draws: n_drawn, lost: n_lost, share: score.share() }
    }
}

impl RecordedPlayer {
    /// What is known of a player.
    pub fn of(player: &Player) -> RecordedPlayer {
        let (first_year, last_year) = player.years.unzip();
        RecordedPlayer {
            name: player.name.to_string(),
            all: ScoreLine::of(&player.score()),
            by_side: player.by_side.iter().map(ScoreLine::of).collect(),
            first_year,
            last_year,
            best_rating: player.best_rating,
        }
    }
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
