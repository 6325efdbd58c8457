//! Positions: game, start position and moves in, position view out; why a move is illegal.

use ashta_messages::{Message, message};
use ashta_position::{Attempt, CompiledRules, why_illegal};
use ashta_rules::{KindId, Rules, Square};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::contest::{contest_view_at, why_no_turn};
use super::extract::JsonBody;
use super::position_spec::PositionSpec;
use super::position_view::PositionView;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::request_language::RequestLanguage;

/// Routes of positions.
pub fn routes() -> ApiRouter {
    routes![position, why]
}

/// The position after moves, with its legal moves.
#[utoipa::path(post, path = "/api/position", request_body = PositionSpec, responses((status = 200, body = PositionView)))]
async fn position(
    State(state): SharedState,
    JsonBody(spec): JsonBody<PositionSpec>,
) -> ApiResult<PositionView> {
    spec.check_sizes()?;
    let rules = state.rules(&spec.game)?;
    view_at(&spec, &rules).map(Json)
}

/// A move to explain: between two squares, or a drop.
#[derive(Deserialize, ToSchema, Debug)]
struct WhyRequest {
    #[serde(flatten)]
    spec: PositionSpec,
    /// Origin; `null` for a drop.
    #[serde(default)]
    from: Option<String>,
    /// Where it goes.
    to: String,
    /// The kind that is dropped, by its place in the descriptor's `kinds`.
    #[serde(default)]
    drop: Option<u8>,
}

/// Why a move may not be played.
#[derive(Serialize, ToSchema, Debug)]
struct LegalityAnswer {
    /// A word for programs, `position.pinned`; nothing if the move is legal.
    code: Option<&'static str>,
    /// The reason in the language of the request; nothing if the move is legal.
    words: Option<String>,
}

/// Why a move may not be played; nothing of a move that may.
#[utoipa::path(post, path = "/api/why", request_body = WhyRequest, responses((status = 200, body = LegalityAnswer)))]
async fn why(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    JsonBody(request): JsonBody<WhyRequest>,
) -> ApiResult<LegalityAnswer> {
    request.spec.check_sizes()?;
    let rules = state.rules(&request.spec.game)?;
    let why = match rules.rules().contest() {
        None => {
            let (game, _) = request.spec.play(&rules)?;
            why_illegal(&game, request.attempt(rules.rules())?)
        }
        Some(_) => {
            let square = |text: &str| read_square(rules.rules(), text).map(|_| text.to_string());
            let from = square(request.from.as_deref().unwrap_or_default())?;
            why_no_turn(&rules, &request.spec, &format!("{from}{}", square(&request.to)?))?
        }
    };
    let words = why.map(|why| why.words(rules.rules()));
    let code = words.as_ref().map(Message::code);
    Ok(Json(LegalityAnswer { code, words: words.map(|words| words.text(language)) }))
}

fn read_square(rules: &Rules, text: &str) -> Result<Square, ApiError> {
    let found = rules.grid().read_square(text).filter(|(_, rest)| rest.is_empty());
    found.map(|(square, _)| square).ok_or_else(|| {
        let shown: String = text.chars().take(20).collect();
        ApiError::bad_request(message!("web.no-square", shown))
    })
}

impl WhyRequest {
    fn attempt(&self, rules: &Rules) -> Result<Attempt, ApiError> {
        let to = read_square(rules, &self.to)?;
        match (&self.from, self.drop) {
            (Some(from), None) => Ok(Attempt::Go { from: read_square(rules, from)?, to, becomes: None }),
            (None, Some(kind)) if usize::from(kind) < rules.kinds().len() => {
                Ok(Attempt::Drop { kind: KindId(kind), to })
            }
            _ => Err(ApiError::bad_request(message!("web.from-or-drop"))),
        }
    }
}

/// The view of a position, of a contest too.
pub fn view_at(spec: &PositionSpec, rules: &CompiledRules) -> Result<PositionView, ApiError> {
    if rules.rules().contest().is_some() {
        return contest_view_at(rules, spec);
    }
    let (game, line) = spec.play(rules)?;
    Ok(PositionView::of(&game, line))
}
