//! Why a move: points with names, and what the engine expects.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_position::notation::read_move;
use ashta_position::{AnyLine, Game, Move, Position};
use ashta_search::StopFlag;
use ashta_search::baba::{Baba, PART_NAMES, Parts};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::engine_player::search_nodes;
use super::extract::JsonBody;
use super::play::{EvaluationBody, HINT_NODES, check_not_over};
use super::position_spec::PositionSpec;
use super::position_view::WrittenMove;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};

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

/// A move with its points.
#[derive(Serialize, ToSchema, Debug)]
struct ExplainedMove {
    /// As it is written.
    #[serde(flatten)]
    written: WrittenMove,
    /// Of the move alone, by name.
    parts: Vec<PartBody>,
    /// Their sum.
    own: i32,
    /// With the answers that were looked at.
    total: i32,
}

/// Points with a name: GAIN, CONCENTRATION, ATTACK, DEFENCE, STRUCTURE, POSITION.
#[derive(Serialize, ToSchema, Debug)]
struct PartBody {
    name: &'static str,
    /// How many.
    points: i32,
}

/// Moves with their points, best first, and the engine's words.
#[derive(Serialize, ToSchema, Debug)]
struct Explanation {
    /// Best first.
    moves: Vec<ExplainedMove>,
    /// Plies that the points were added up over.
    level: u8,
    /// What the engine thinks: of the move that was asked about, or of the position.
    engine: EvaluationBody,
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
            (points_of_moves(&thinking, level, only, stop), search_nodes(&thinking, HINT_NODES, only, stop))
        })
        .await?;
    let points = points.ok_or_else(|| {
        ApiError::bad_request(message!("web.explain-timeout")).hint(message!("web.explain-timeout.hint"))
    })?;
    let ply = game.setup().ply + 1;
    let explained_move = |(mv, parts, total): (Move, Parts, i32)| ExplainedMove {
        written: WrittenMove::of(&game, mv, ply),
        parts: named(&parts),
        own: parts.total(),
        total,
    };
    let mut moves: Vec<ExplainedMove> = points.into_iter().map(explained_move).collect();
    moves.sort_by_key(|explained| std::cmp::Reverse(explained.total));
    Ok(Json(Explanation { moves, level, engine: EvaluationBody::of(&game, &info) }))
}

fn named(parts: &Parts) -> Vec<PartBody> {
    PART_NAMES.iter().zip(parts.numbers()).map(|(name, points)| PartBody { name, points }).collect()
}

/// The points of every move; `None` on timeout or disconnect.
fn points_of_moves(
    game: &Game,
    level: u8,
    only: Option<Move>,
    stop: &Arc<AtomicBool>,
) -> Option<Vec<(Move, Parts, i32)>> {
    let moves: Vec<Move> =
        game.legal_moves().into_iter().filter(|mv| only.is_none_or(|o| o == *mv)).collect();
    let mut baba = Baba::new(game.rules());
    baba.set_stop(StopFlag::new(stop.clone()));
    match game.line() {
        AnyLine::W64(line) => points(&mut baba, line.position(), &moves, level, stop),
        AnyLine::W128(line) => points(&mut baba, line.position(), &moves, level, stop),
        AnyLine::W256(line) => points(&mut baba, line.position(), &moves, level, stop),
    }
}

fn points<W: SearchWord>(
    baba: &mut Baba,
    position: &Position<W>,
    moves: &[Move],
    level: u8,
    stop: &AtomicBool,
) -> Option<Vec<(Move, Parts, i32)>> {
    let (start, mut position) = (Instant::now(), position.clone());
    let mut found = Vec::with_capacity(moves.len());
    for mv in moves {
        if stop.load(Ordering::Relaxed) || start.elapsed() > MAX_TIME {
            return None;
        }
        let parts = baba.points().of_move(&mut position, *mv);
        found.push((*mv, parts, baba.points_of(&mut position, *mv, level, 1)));
    }
    Some(found)
}
