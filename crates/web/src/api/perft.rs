//! Counting sequences of moves, by which move generators are held to each other.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_position::Game;
use ashta_position::notation::write_coordinates;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::extract::JsonBody;
use super::position_spec::PositionSpec;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};

/// Routes of counting.
pub fn routes() -> ApiRouter {
    routes![count]
}

/// Most plies, and the longest time that is spent on them.
const MAX_PLIES: u32 = 12;
const MAX_TIME: Duration = Duration::from_secs(60);
/// Subtrees this shallow are counted without checking the stop flag.
const UNCHECKED_PLIES: u32 = 2;

/// What is to be counted.
#[derive(Deserialize, ToSchema, Debug)]
struct PerftRequest {
    #[serde(flatten)]
    spec: PositionSpec,
    /// Plies, 0 to 12.
    depth: u32,
}

/// How many sequences of legal moves there are.
#[derive(Serialize, ToSchema, Debug)]
struct PerftAnswer {
    /// All of them.
    nodes: u64,
    /// By first move, in order of their text.
    divide: Vec<RootCount>,
    /// How long it took.
    elapsed_ms: u64,
}

/// How many sequences begin with a move.
#[derive(Serialize, ToSchema, Debug)]
struct RootCount {
    /// In coordinates.
    #[serde(rename = "move")]
    mv: String,
    /// How many.
    nodes: u64,
}

/// Counts the sequences of so many legal moves.
#[utoipa::path(post, path = "/api/perft", request_body = PerftRequest, responses((status = 200, body = PerftAnswer)))]
async fn count(
    State(state): SharedState,
    JsonBody(request): JsonBody<PerftRequest>,
) -> ApiResult<PerftAnswer> {
    if request.depth > MAX_PLIES {
        return Err(ApiError::bad_request(message!(
            "web.perft-depth",
            depth = request.depth,
            max = MAX_PLIES
        )));
    }
    let game = request.spec.open(&state)?;
    let start = Instant::now();
    let divide = state.compute(move |stop| divide(game, request.depth, Deadline { start, stop })).await?;
    let divide = divide.ok_or_else(|| {
        ApiError::bad_request(message!("web.perft-timeout")).hint(message!("web.perft-timeout.hint"))
    })?;
    let nodes = if request.depth == 0 { 1 } else { divide.iter().map(|root| root.nodes).sum() };
    Ok(Json(PerftAnswer { nodes, divide, elapsed_ms: start.elapsed().as_millis() as u64 }))
}

/// Whether to go on.
#[derive(Clone, Copy)]
struct Deadline<'a> {
    start: Instant,
    stop: &'a AtomicBool,
}

fn divide(mut game: Game, depth: u32, deadline: Deadline) -> Option<Vec<RootCount>> {
    let Some(below) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let mut roots = Vec::new();
    for mv in game.legal_moves() {
        let text = write_coordinates(&game, mv);
        game.play_unchecked(mv);
        let nodes = count_below(&mut game, below, deadline)?;
        game.take_back();
        roots.push(RootCount { mv: text, nodes });
    }
    roots.sort_by(|a, b| a.mv.cmp(&b.mv));
    Some(roots)
}

fn count_below(game: &mut Game, depth: u32, deadline: Deadline) -> Option<u64> {
    if deadline.stop.load(Ordering::Relaxed) || deadline.start.elapsed() > MAX_TIME {
        return None;
    }
    if depth <= UNCHECKED_PLIES {
        return Some(game.perft(depth));
    }
    let mut nodes = 0;
    for mv in game.legal_moves() {
        game.play_unchecked(mv);
        nodes += count_below(game, depth - 1, deadline)?;
        game.take_back();
    }
    Some(nodes)
}
