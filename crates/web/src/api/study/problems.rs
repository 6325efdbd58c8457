//! Problems: one solved, with everything that may follow; a move of it tried.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ashta_messages::message;
use ashta_position::notation::{read_move, write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Outcome, Reason};
use ashta_rules::Side;
use ashta_study::problem::{
    Attempt, Detail, Futile, Stopped, TsumeAnswer, attempt_mate, attempt_tsume, is_mated_before_capture,
    mate_lines, open_problem, solve_mate_with_progress, solve_tsume_with_progress, tsume_lines,
};
use axum::Json;
use axum::extract::State;
use axum::response::sse::Sse;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::event_stream::{EventStream, ProgressReporter, stream_events};
use super::{two_sides, within};
use crate::api::SharedState;
use crate::api::extract::JsonBody;
use crate::api::position_spec::{PositionSpec, position_error};
use crate::api::position_view::{LegalMove, OutcomeBody, PositionView};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::request_language::RequestLanguage;
use crate::study_json::{self, MateJson, TsumeJson};

/// Routes of problems.
pub fn routes() -> ApiRouter {
    routes![solve, solve_events, attempt, position]
}

/// What is looked for in a problem.
#[derive(Clone, Copy, Deserialize, ToSchema, Debug)]
pub struct ProblemGoal {
    /// Mate within so many moves of the side to move, 1 to 200.
    #[serde(default)]
    pub mate: Option<u16>,
    /// Mate by consecutive checks instead.
    #[serde(default)]
    pub tsume: bool,
    /// Of a mate by checks: the longest to look for, 1 to 999 plies; default: 61.
    #[serde(default = "usual_plies")]
    pub plies: u16,
    /// Of a mate by checks: leave out men dropped between to no avail, as problemists do.
    #[serde(default)]
    pub ignore_futile: bool,
}

fn usual_plies() -> u16 {
    61
}

impl ProblemGoal {
    /// Refuses numbers out of bounds, and a question that is none or two.
    pub fn check(self) -> Result<ProblemGoal, ApiError> {
        within("`plies`", self.plies, 1, 999)?;
        match (self.mate, self.tsume) {
            (Some(_), true) => Err(ApiError::bad_request(message!("web.mate-and-tsume"))),
            (Some(mate), false) => within("`mate`", mate, 1, 200).map(|_| self),
            (None, _) => Ok(self),
        }
    }

    /// How men dropped between count.
    pub fn futile(self) -> Futile {
        if self.ignore_futile { Futile::Ignore } else { Futile::Count }
    }
}

/// A problem.
#[derive(Clone, Deserialize, ToSchema, Debug)]
struct Problem {
    /// A game of two sides, with changes.
    game: String,
    /// FEN or SFEN; the attacker needs no royal piece.
    position: String,
    #[serde(flatten)]
    wanted: ProblemGoal,
    /// Also every other first move, with the replies that refute it.
    #[serde(default)]
    tries: bool,
    /// The keys alone, without what follows.
    #[serde(default)]
    keys: bool,
}

/// What came of a problem.
#[derive(Serialize, ToSchema, Debug)]
struct Solution {
    /// Of a mate in so many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<MateJson>,
    /// Of a mate by checks.
    #[serde(skip_serializing_if = "Option::is_none")]
    tsume: Option<TsumeJson>,
    /// The same as a text that a problemist reads.
    lines: Vec<String>,
    /// How long it took.
    ms: f64,
}

/// Solves a problem: every key, every defence, or the proof that there is none. Closing the request stops it.
#[utoipa::path(post, path = "/api/problems/solve", request_body = Problem, responses((status = 200, body = Solution)))]
async fn solve(State(state): SharedState, JsonBody(problem): JsonBody<Problem>) -> ApiResult<Solution> {
    let (rules, game) = problem.open(&state)?;
    let work = move |stop: &Arc<AtomicBool>| problem.solve(&rules, &game, &mut |_| (), stop);
    Ok(Json(state.compute(work).await??))
}

/// The same as server-sent events: `progress` with the length that is looked for, then `done` or `refused`.
#[utoipa::path(post, path = "/api/problems/solve/events", request_body = Problem,
    responses((status = 200, body = String, content_type = "text/event-stream")))]
async fn solve_events(
    State(state): SharedState,
    language: RequestLanguage,
    JsonBody(problem): JsonBody<Problem>,
) -> Result<Sse<EventStream>, ApiError> {
    let (rules, game) = problem.open(&state)?;
    Ok(stream_events(state, language, move |reporter: &ProgressReporter, stop| {
        problem.solve(&rules, &game, &mut |depth| reporter.progress(json!({ "depth": depth })), stop)
    }))
}

impl Problem {
    fn open(&self, state: &AppState) -> Result<(CompiledRules, Game), ApiError> {
        let wanted = self.wanted.check()?;
        if wanted.mate.is_none() && !wanted.tsume {
            return Err(ApiError::bad_request(message!("web.no-mate-length"))
                .hint(message!("web.no-mate-length.hint")));
        }
        let spec = PositionSpec {
            game: self.game.clone(),
            position: Some(self.position.clone()),
            moves: Vec::new(),
        };
        let (rules, game, _) = open(state, &spec)?;
        if !rules.rules().has_mates() {
            return Err(ApiError::bad_request(message!("web.no-mates", game = &self.game)));
        }
        Ok((rules, game))
    }

    fn solve(
        &self,
        rules: &CompiledRules,
        game: &Game,
        watch: &mut dyn FnMut(u16),
        stop: &AtomicBool,
    ) -> Result<Solution, ApiError> {
        let start = Instant::now();
        let mut found = Solution { mate: None, tsume: None, lines: Vec::new(), ms: 0.0 };
        if let Some(moves) = self.wanted.mate {
            let detail = match (self.tries, self.keys) {
                (true, _) => Detail::Tries,
                (_, true) => Detail::Keys,
                (false, false) => Detail::Tree,
            };
            let solution = solve_mate_with_progress(game, moves, detail, watch, stop).map_err(stopped)?;
            found.lines = mate_lines(rules, game, &solution);
            found.mate = Some(study_json::mate(rules, game, &solution));
        } else {
            let (plies, futile) = (self.wanted.plies, self.wanted.futile());
            let (answer, nodes) =
                solve_tsume_with_progress(game, plies, futile, watch, stop).map_err(stopped)?;
            found.lines = match &answer {
                TsumeAnswer::Mate(tsume) => tsume_lines(game, tsume),
                TsumeAnswer::NotWithin(plies) => vec![message!("web.no-tsume-within", plies).to_string()],
                TsumeAnswer::Never => vec![message!("web.no-tsume").to_string()],
            };
            found.tsume = Some(study_json::tsume(game, &answer, nodes));
        }
        found.ms = start.elapsed().as_secs_f64() * 1e3;
        Ok(found)
    }
}

/// Nobody waits for this any more; it is what the connection would have said.
pub fn stopped(error: Stopped) -> ApiError {
    ApiError::internal(error)
}

/// The game of a problem after moves.
fn open(state: &AppState, spec: &PositionSpec) -> Result<(CompiledRules, Game, PositionView), ApiError> {
    spec.check_sizes()?;
    let rules = two_sides(state, &spec.game)?;
    let text = spec.position.as_deref().unwrap_or_default();
    let game = if text.trim().is_empty() {
        Game::start(&rules)
    } else {
        open_problem(&rules, text).map_err(|error| position_error(error, text, &rules))?
    };
    let lacks_royal = (0..2).any(|side| !has_royal(&game, Side(side)));
    let (game, line) = spec.play_from(game)?;
    let mut position_view = PositionView::of(&game, line);
    if lacks_royal {
        // By the rules a side without a royal piece has lost; in a problem it is the attacker.
        let moves = game.legal_moves();
        let winner = Some(Side(1 - game.turn().0));
        let outcome = Outcome { winner, reason: Reason::Checkmate };
        position_view.outcome = moves.is_empty().then(|| OutcomeBody::of(outcome, game.rules()));
        position_view.moves = moves.into_iter().map(|mv| LegalMove::of(&game, mv)).collect();
    }
    if position_view.outcome.is_none() && is_mated_before_capture(&game) {
        let outcome = Outcome { winner: Some(Side(1 - game.turn().0)), reason: Reason::Checkmate };
        position_view.outcome = Some(OutcomeBody::of(outcome, game.rules()));
    }
    Ok((rules, game, position_view))
}

fn has_royal(game: &Game, side: Side) -> bool {
    let is_royal =
        |square| game.piece(square).is_some_and(|(of, kind)| of == side && game.rules().kind(kind).royal);
    game.rules().grid().squares().any(is_royal)
}

/// The position of a problem after moves: as `/api/position`, but the attacker needs no royal piece.
#[utoipa::path(post, path = "/api/problems/position", request_body = PositionSpec, responses((status = 200, body = PositionView)))]
async fn position(
    State(state): SharedState,
    JsonBody(spec): JsonBody<PositionSpec>,
) -> ApiResult<PositionView> {
    Ok(Json(open(&state, &spec)?.2))
}

/// A move to try.
#[derive(Clone, Deserialize, ToSchema, Debug)]
struct Tried {
    #[serde(flatten)]
    spec: PositionSpec,
    #[serde(flatten)]
    wanted: ProblemGoal,
    /// The move, in coordinates or SAN.
    r#move: String,
}

/// What a tried move does.
#[derive(Serialize, ToSchema, Debug)]
struct TriedAnswer {
    /// `right`, `refuted` or `no-check`.
    verdict: &'static str,
    /// The longest defence, or what refutes it, from and to; nothing if there is no reply.
    reply: Option<String>,
    /// The same as players write it.
    reply_san: Option<String>,
    /// Moves, or plies by checks, that are left after a right move and the reply; 0 if it is mate.
    left: u16,
    /// The position after the move and the reply.
    position_view: PositionView,
}

/// Tries a move: whether it still mates in time, and the reply to it. `mate` and `plies` are what is left, this move counted.
#[utoipa::path(post, path = "/api/problems/try", request_body = Tried, responses((status = 200, body = TriedAnswer)))]
async fn attempt(State(state): SharedState, JsonBody(tried): JsonBody<Tried>) -> ApiResult<TriedAnswer> {
    let wanted = tried.wanted.check()?;
    let (_, game, _) = open(&state, &tried.spec)?;
    if tried.r#move.len() > 64 {
        return Err(ApiError::bad_request(message!("web.long-text")));
    }
    let mv = read_move(&game, tried.r#move.trim()).map_err(ApiError::bad_request)?;
    let tested = {
        let game = game.clone();
        let work = move |stop: &Arc<AtomicBool>| match wanted.mate {
            Some(moves) => attempt_mate(&game, mv, moves, stop),
            None => attempt_tsume(&game, mv, wanted.plies, wanted.futile(), stop),
        };
        state.compute(work).await?.map_err(stopped)?
    };
    let mut after = game.clone();
    after.play_unchecked(mv);
    let (verdict, reply, left) = match tested {
        Attempt::Right(None) => ("right", None, 0),
        Attempt::Right(Some((reply, left))) => ("right", Some(reply), left),
        Attempt::Refuted(reply) => ("refuted", reply, 0),
        Attempt::NoCheck => ("no-check", None, 0),
    };
    let texts = reply.map(|reply| (write_coordinates(&after, reply), write_san(&after, reply)));
    let mut spec = tried.spec.clone();
    spec.moves.push(write_coordinates(&game, mv));
    spec.moves.extend(texts.iter().map(|(coordinates, _)| coordinates.clone()));
    let (_, _, position_view) = open(&state, &spec)?;
    let (reply, reply_san) = texts.unzip();
    Ok(Json(TriedAnswer { verdict, reply, reply_san, left, position_view }))
}
