//! Playing against the program: its reply, a hint, how the game stands.

use std::sync::Arc;
use std::time::Instant;

use ashta_play::{Level, PlayerPlan, Random};
use ashta_position::{Game, Move};
use ashta_search::engine::SearchInfo;
use ashta_study::opening::choose;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Shared;
use super::body::{Asked, Body};
use super::position::Place;
use super::standing::{Standing, WrittenMove};
use super::thinking::{
    ClockBody, LONGEST, ScoreBody, Seat, Thought, check_fit, look_at_nodes, read_values, read_waited_for,
    written_line,
};
use crate::data_folder::Name;
use crate::failure::{Answer, Refusal};
use crate::laboratory::Laboratory;

/// Routes of play.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new()
        .routes(routes!(players))
        .routes(routes!(reply))
        .routes(routes!(hint))
        .routes(routes!(evaluate))
}

/// Positions that a hint looks at: a fraction of a second.
pub const HINT_NODES: u64 = 60_000;
/// Most positions that a request may ask for.
const MOST_NODES: u64 = 5_000_000;

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
async fn players(State(laboratory): Shared, Asked(which): Asked<WhichGame>) -> Answer<Vec<PlayerLine>> {
    let rules = laboratory.rules(&which.game)?;
    let levels = Level::all().map(|level| (PlayerPlan::Level(level), "level", Some(level.elo())));
    let read = |names: &'static [&'static str], group| {
        names.iter().filter_map(move |name| Some((name.parse().ok()?, group, None)))
    };
    let all = levels.chain(read(&OF_ENGINE, "engine")).chain(read(&OF_PAPERS, "paper"));
    let fit = all.filter(|(plan, ..)| check_fit(plan, rules.rules()).is_ok());
    Ok(Json(fit.map(|(plan, group, elo)| PlayerLine { name: plan.to_string(), group, elo }).collect()))
}

/// A program is asked for a move.
#[derive(Deserialize, ToSchema, Debug)]
struct ReplyRequest {
    #[serde(flatten)]
    place: Place,
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
    /// Where the game stands after it.
    standing: Standing,
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
async fn reply(State(laboratory): Shared, Body(request): Body<ReplyRequest>) -> Answer<Reply> {
    let (game, line) = request.place.open_with_line(&laboratory)?;
    still_going(&game)?;
    let plan = read_waited_for(&request.player)?;
    check_fit(&plan, game.rules())?;
    let values = read_values(&laboratory, request.values.as_deref(), game.rules())?;
    let seat = Seat { plan, seed: request.seed, clock: request.clock, values };
    let start = Instant::now();
    let thinking = game.clone();
    let thought = match book_move(&laboratory, request.book.as_deref(), &game, request.seed)? {
        Some(mv) => Thought { best: Some(mv), told: None },
        None => laboratory.think_within(LONGEST, move |stop| seat.think(&thinking, stop)).await?,
    };
    let mv = thought.best.ok_or_else(|| Refusal::wrong("there is no move to play"))?;
    let told = thought.told.as_ref();
    let written = WrittenMove::of(&game, mv, game.setup().ply + 1);
    let score = told.map(|told| ScoreBody::of(&game, told.score()));
    let expected = told.map(|told| written_line(&game, told));
    let standing = after(game, mv, line, &written);
    Ok(Json(Reply {
        mv: written.text.clone(),
        written,
        standing,
        score,
        depth: told.map(|told| told.depth),
        nodes: told.map(|told| told.n_nodes),
        line: expected,
        elapsed_ms: start.elapsed().as_millis() as u64,
    }))
}

/// A move that a book has here, the oftener played the likelier.
fn book_move(
    laboratory: &Laboratory,
    book: Option<&str>,
    game: &Game,
    seed: u64,
) -> Result<Option<Move>, Refusal> {
    let Some(name) = book else { return Ok(None) };
    laboratory.study.with_book(laboratory, &Name::read(name)?, |journal| {
        let book = journal.book();
        if book.rules().rules().digest() != game.rules().digest() {
            return Err(Refusal::wrong(format!("the book `{name}` is of another game")));
        }
        let node = book.node(game).filter(|node| !node.moves.is_empty());
        Ok(node.map(|node| choose(&node.moves, &mut Random::of_game(seed, BOOK, 0))))
    })
}

fn after(mut game: Game, mv: Move, mut line: Vec<WrittenMove>, written: &WrittenMove) -> Standing {
    game.play_unchecked(mv);
    line.push(written.clone());
    Standing::of(&game, line)
}

/// Refuses games that are over.
pub fn still_going(game: &Game) -> Result<(), Refusal> {
    match game.outcome() {
        Some(outcome) => Err(Refusal::wrong(format!("the game is over: {}", outcome.words(game.rules())))
            .hint("give a position in which there is a move")),
        None => Ok(()),
    }
}

/// What the engine is asked of a position.
#[derive(Deserialize, ToSchema, Debug)]
struct HintRequest {
    #[serde(flatten)]
    place: Place,
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

/// What the engine thinks of a position.
#[derive(Serialize, ToSchema, Debug)]
pub struct EvaluationBody {
    /// How the game stands.
    score: ScoreBody,
    /// Plies that were looked ahead.
    depth: u8,
    /// Positions that were looked at.
    nodes: u64,
    /// What is expected.
    line: Vec<WrittenMove>,
}

impl EvaluationBody {
    /// What was thought, as it is told.
    pub fn of(game: &Game, told: &SearchInfo) -> EvaluationBody {
        EvaluationBody {
            score: ScoreBody::of(game, told.score()),
            depth: told.depth,
            nodes: told.n_nodes,
            line: written_line(game, told),
        }
    }
}

async fn looked_at(laboratory: &Laboratory, request: &HintRequest) -> Result<(Game, SearchInfo), Refusal> {
    let game = request.place.open(laboratory)?;
    still_going(&game)?;
    let nodes = request.nodes.unwrap_or(HINT_NODES).clamp(1, MOST_NODES);
    let looked = game.clone();
    let told = laboratory.think(move |stop| look_at_nodes(&looked, nodes, None, stop)).await?;
    Ok((game, told))
}

/// What the engine would play, and what it expects then.
#[utoipa::path(post, path = "/api/hint", request_body = HintRequest, responses((status = 200, body = Hint)))]
async fn hint(State(laboratory): Shared, Body(request): Body<HintRequest>) -> Answer<Hint> {
    let (game, told) = looked_at(&laboratory, &request).await?;
    let evaluation = EvaluationBody::of(&game, &told);
    let written = evaluation.line.first().cloned();
    let mv = written.as_ref().map(|written| written.text.clone()).unwrap_or_default();
    Ok(Json(Hint { mv, written, evaluation }))
}

/// How a game stands, in the engine's eyes.
#[utoipa::path(post, path = "/api/evaluate", request_body = HintRequest, responses((status = 200, body = EvaluationBody)))]
async fn evaluate(State(laboratory): Shared, Body(request): Body<HintRequest>) -> Answer<EvaluationBody> {
    let (game, told) = looked_at(&laboratory, &request).await?;
    Ok(Json(EvaluationBody::of(&game, &told)))
}
