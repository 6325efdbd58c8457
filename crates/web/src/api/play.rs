//! Play against the program: replies, hints, evaluation.

use std::time::Instant;

use ashta_messages::message;
use ashta_play::{Level, PlayerPlan, Random};
use ashta_position::{Game, Move};
use ashta_search::engine::SearchInfo;
use ashta_study::opening::choose;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::SharedState;
use super::engine_player::{
    ClockBody, MAX_TIME, MoveChoice, PlayerSetup, check_player_fits, read_interactive_player, read_values,
    search_nodes,
};
use super::extract::{JsonBody, QueryParams};
use super::position_spec::PositionSpec;
use super::position_view::{PositionView, WrittenMove};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::data_folder::Name;
use crate::explain_json::{EvaluationBody, ScoreBody, written_line};

/// Routes of play.
pub fn routes() -> ApiRouter {
    routes![players, reply, hint, evaluate]
}

/// Positions that a hint looks at: a fraction of a second.
pub const HINT_NODES: u64 = 60_000;
/// Most positions that a request may ask for.
const MAX_NODES: u64 = 5_000_000;

/// Tells the random numbers of a book from those of a player with the same seed.
const BOOK: u64 = 0xb00c;

/// A player that can be chosen for a game.
#[derive(Serialize, ToSchema, Debug)]
struct PlayerLine {
    /// What to send as `player`.
    name: String,
    /// `level`, `engine` or `paper`.
    group: &'static str,
    /// Its strength on the scale of the levels, measured in chess.
    elo: Option<i32>,
}

/// Which game.
#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct WhichGame {
    /// A game with its changes.
    game: String,
}

/// Players of the papers that are offered; others can be typed.
const OF_PAPERS: [&str; 16] = [
    "P0",
    "P1",
    "P2",
    "P3",
    "P2(first)",
    "P'0",
    "P'1",
    "P'2",
    "P'3",
    "A2(3)",
    "A3(2)",
    "A3(3)",
    "baba:2",
    "depth:3",
    "expect:1",
    "expect:2",
];
/// Engines by time that are offered.
const OF_ENGINE: [&str; 4] = ["engine:100ms", "engine:500ms", "engine:2000ms", "engine:5000ms"];

/// The players that can be chosen for a game; many others can be typed, see `ashta play --help`.
#[utoipa::path(get, path = "/api/players", params(WhichGame), responses((status = 200, body = Vec<PlayerLine>)))]
async fn players(
    State(state): SharedState,
    QueryParams(which): QueryParams<WhichGame>,
) -> ApiResult<Vec<PlayerLine>> {
    let rules = state.rules(&which.game)?;
    let levels = Level::all().map(|level| (PlayerPlan::Level(level), "level", Some(level.elo())));
    let read = |names: &'static [&'static str], group| {
        names.iter().filter_map(move |name| Some((name.parse().ok()?, group, None)))
    };
    let all = levels.chain(read(&OF_ENGINE, "engine")).chain(read(&OF_PAPERS, "paper"));
    let fit = all.filter(|(plan, ..)| check_player_fits(plan, rules.rules()).is_ok());
    Ok(Json(fit.map(|(plan, group, elo)| PlayerLine { name: plan.to_string(), group, elo }).collect()))
}

/// A program is asked for a move.
#[derive(Deserialize, ToSchema, Debug)]
struct ReplyRequest {
    #[serde(flatten)]
    spec: PositionSpec,
    /// `level:3`, `engine:500ms`, `P2`: a player as `ashta play` knows it, but no other program.
    player: String,
    /// The same seed, the same move, for players that do not go by time.
    #[serde(default)]
    seed: u64,
    /// What is left on the player's clock.
    #[serde(default)]
    clock: Option<ClockBody>,
    /// Values of pieces by their name in the data folder, for players that ask for them.
    #[serde(default)]
    values: Option<String>,
    /// A book of openings by its name in the data folder: its moves are played while it lasts.
    #[serde(default)]
    book: Option<String>,
}

/// A program's move.
#[derive(Serialize, ToSchema, Debug)]
struct Reply {
    /// In coordinates.
    #[serde(rename = "move")]
    mv: String,
    /// As it is written.
    written: WrittenMove,
    /// The position after it.
    position_view: PositionView,
    /// What an engine thinks of the position before it.
    score: Option<ScoreBody>,
    /// Plies that an engine looked ahead.
    depth: Option<u8>,
    /// Positions that an engine looked at.
    nodes: Option<u64>,
    /// What an engine expects.
    line: Option<Vec<WrittenMove>>,
    /// How long it took.
    elapsed_ms: u64,
}

/// A program's move in a position.
#[utoipa::path(post, path = "/api/reply", request_body = ReplyRequest, responses((status = 200, body = Reply)))]
async fn reply(State(state): SharedState, JsonBody(request): JsonBody<ReplyRequest>) -> ApiResult<Reply> {
    let (game, line) = request.spec.open_with_line(&state)?;
    check_not_over(&game)?;
    let plan = read_interactive_player(&request.player)?;
    check_player_fits(&plan, game.rules())?;
    let values = read_values(&state, request.values.as_deref(), game.rules())?;
    let setup = PlayerSetup { plan, seed: request.seed, clock: request.clock, values };
    let start = Instant::now();
    let thinking = game.clone();
    let thought = match book_move(&state, request.book.as_deref(), &game, request.seed)? {
        Some(mv) => MoveChoice { best: Some(mv), info: None },
        None => state.compute_within(MAX_TIME, move |stop| setup.think(&thinking, stop)).await?,
    };
    let mv = thought.best.ok_or_else(|| ApiError::bad_request(message!("web.no-move")))?;
    let info = thought.info.as_ref();
    let written = WrittenMove::of(&game, mv, game.setup().ply + 1);
    let score = info.map(|info| ScoreBody::of(&game, info.score()));
    let expected = info.map(|info| written_line(&game, info));
    let position_view = after(game, mv, line, &written);
    Ok(Json(Reply {
        mv: written.text.clone(),
        written,
        position_view,
        score,
        depth: info.map(|info| info.depth),
        nodes: info.map(|info| info.n_nodes),
        line: expected,
        elapsed_ms: start.elapsed().as_millis() as u64,
    }))
}

/// A move that a book has here, the oftener played the likelier.
fn book_move(state: &AppState, book: Option<&str>, game: &Game, seed: u64) -> Result<Option<Move>, ApiError> {
    let Some(name) = book else { return Ok(None) };
    state.study.with_book(&state.library, &Name::read(name)?, |journal| {
        let book = journal.book();
        if book.rules().rules().digest() != game.rules().digest() {
            return Err(ApiError::bad_request(message!("web.book-of-other-game", name)));
        }
        let node = book.node(game).filter(|node| !node.moves.is_empty());
        Ok(node.map(|node| choose(&node.moves, &mut Random::of_game(seed, BOOK, 0))))
    })
}

fn after(mut game: Game, mv: Move, mut line: Vec<WrittenMove>, written: &WrittenMove) -> PositionView {
    game.play_unchecked(mv);
    line.push(written.clone());
    PositionView::of(&game, line)
}

/// Refuses games that are over.
pub fn check_not_over(game: &Game) -> Result<(), ApiError> {
    match game.outcome() {
        Some(outcome) => {
            Err(ApiError::bad_request(message!("web.game-over", what = outcome.words(game.rules())))
                .hint(message!("web.game-over.hint")))
        }
        None => Ok(()),
    }
}

/// What the engine is asked of a position.
#[derive(Deserialize, ToSchema, Debug)]
struct HintRequest {
    #[serde(flatten)]
    spec: PositionSpec,
    /// Positions to look at, 60,000 unless said.
    #[serde(default)]
    nodes: Option<u64>,
}

/// What the engine would play.
#[derive(Serialize, ToSchema, Debug)]
struct Hint {
    /// In coordinates.
    #[serde(rename = "move")]
    mv: String,
    /// As it is written.
    written: Option<WrittenMove>,
    #[serde(flatten)]
    evaluation: EvaluationBody,
}

async fn evaluate_position(state: &AppState, request: &HintRequest) -> Result<(Game, SearchInfo), ApiError> {
    let game = request.spec.open(state)?;
    check_not_over(&game)?;
    let nodes = request.nodes.unwrap_or(HINT_NODES).clamp(1, MAX_NODES);
    let searched = game.clone();
    let info = state.compute(move |stop| search_nodes(&searched, nodes, None, stop)).await?;
    Ok((game, info))
}

/// What the engine would play, and what it expects then.
#[utoipa::path(post, path = "/api/hint", request_body = HintRequest, responses((status = 200, body = Hint)))]
async fn hint(State(state): SharedState, JsonBody(request): JsonBody<HintRequest>) -> ApiResult<Hint> {
    let (game, info) = evaluate_position(&state, &request).await?;
    let evaluation = EvaluationBody::of(&game, &info);
    let written = evaluation.line.first().cloned();
    let mv = written.as_ref().map(|written| written.text.clone()).unwrap_or_default();
    Ok(Json(Hint { mv, written, evaluation }))
}

/// The engine's evaluation of a position.
#[utoipa::path(post, path = "/api/evaluate", request_body = HintRequest, responses((status = 200, body = EvaluationBody)))]
async fn evaluate(
    State(state): SharedState,
    JsonBody(request): JsonBody<HintRequest>,
) -> ApiResult<EvaluationBody> {
    let (game, info) = evaluate_position(&state, &request).await?;
    Ok(Json(EvaluationBody::of(&game, &info)))
}
