//! Positions: game, start position and moves in, position view out; why a move is illegal.

use ashta_messages::{Message, message};
use ashta_position::notation::{MoveTextError, promotions, read_move};
use ashta_position::{Attempt, CompiledRules, Game, PositionTextError, why_illegal};
use ashta_rules::{KindId, Rules, Square};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::contest::{contest_view_at, why_no_turn};
use super::extract::JsonBody;
use super::position_view::{PositionView, WrittenMove};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::request_language::RequestLanguage;

/// Routes of positions.
pub fn routes() -> ApiRouter {
    routes![position, why]
}

/// Most moves of a request: the longest game that the presets allow, twice.
const MAX_MOVES: usize = 2_000;
/// Most bytes of a position: sixteen for each square of the largest board.
const MAX_BYTES: usize = 4_096;
/// Most bytes of one move.
const MAX_MOVE_BYTES: usize = 64;

/// A position in a request: game, start position, moves.
#[derive(Clone, Deserialize, ToSchema, Debug)]
pub struct PositionSpec {
    /// A game of the library or one's own, with changes: `shatranj+double-step`.
    pub game: String,
    /// FEN, SFEN or the text of a contest; default: the start position.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves from there, in coordinates or SAN; of a contest throws `2-5`, turns `a1c3+c3a5` and answers
    /// `exchange` or `keep`.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// The position after moves, with its legal moves.
#[utoipa::path(post, path = "/api/position", request_body = PositionSpec, responses((status = 200, body = PositionView)))]
async fn position(
    State(state): SharedState,
    JsonBody(spec): JsonBody<PositionSpec>,
) -> ApiResult<PositionView> {
    spec.check_sizes()?;
    let rules = state.rules(&spec.game)?;
    spec.view(&rules).map(Json)
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

impl PositionSpec {
    /// The start of a game.
    pub fn start(game: &str) -> PositionSpec {
        PositionSpec { game: game.to_string(), position: None, moves: Vec::new() }
    }

    /// Refuses what is too long to be a position.
    pub fn check_sizes(&self) -> Result<(), ApiError> {
        if self.position.as_ref().is_some_and(|text| text.len() > MAX_BYTES) {
            return Err(ApiError::bad_request(message!("web.position-too-long", max = MAX_BYTES)));
        }
        if self.moves.len() > MAX_MOVES {
            let n = self.moves.len();
            return Err(ApiError::bad_request(message!("web.too-many-moves", n, max = MAX_MOVES)));
        }
        match self.moves.iter().position(|text| text.len() > MAX_MOVE_BYTES) {
            Some(at) => Err(ApiError::bad_request(message!("web.long-move", number = at + 1))),
            None => Ok(()),
        }
    }

    /// The game at this place; a contest has none.
    pub fn open(&self, state: &AppState) -> Result<Game, ApiError> {
        Ok(self.open_with_line(state)?.0)
    }

    /// The game at this place, and the moves as they are written.
    pub fn open_with_line(&self, state: &AppState) -> Result<(Game, Vec<WrittenMove>), ApiError> {
        self.check_sizes()?;
        let rules = state.rules(&self.game)?;
        self.play(&rules)
    }

    /// The game after the moves, and the moves as they are written.
    pub fn play(&self, rules: &CompiledRules) -> Result<(Game, Vec<WrittenMove>), ApiError> {
        if rules.rules().contest().is_some() {
            let what = message!("web.contest-game", game = self.game);
            return Err(ApiError::bad_request(what).hint(message!("web.contest-game.hint")));
        }
        let game = match self.position.as_deref().filter(|text| !text.trim().is_empty()) {
            None => Game::start(rules),
            Some(text) => Game::from_text(rules, text).map_err(|error| position_error(error, text, rules))?,
        };
        self.play_from(game)
    }

    /// The view of the position, of a contest too.
    pub fn view(&self, rules: &CompiledRules) -> Result<PositionView, ApiError> {
        if rules.rules().contest().is_some() {
            return contest_view_at(rules, self);
        }
        let (game, line) = self.play(rules)?;
        Ok(PositionView::of(&game, line))
    }

    /// Plays the moves on `game`; also gives them as written.
    pub fn play_from(&self, mut game: Game) -> Result<(Game, Vec<WrittenMove>), ApiError> {
        let before = game.setup().ply;
        let mut line = Vec::with_capacity(self.moves.len());
        for (at, text) in self.moves.iter().enumerate() {
            let mv = read_move(&game, text.trim()).map_err(|error| move_error(error, &game, at))?;
            line.push(WrittenMove::of(&game, mv, before + at as u32 + 1));
            game.play_unchecked(mv);
        }
        Ok((game, line))
    }
}

pub fn position_error(error: PositionTextError, text: &str, rules: &CompiledRules) -> ApiError {
    let api_error = match error {
        PositionTextError::Text(error) => {
            let offset = text.get(..error.offset).map_or(0, |before| before.chars().count());
            ApiError::bad_request(error.what).at(offset)
        }
        PositionTextError::Position(error) => ApiError::bad_request(message!("web.unplayable", error)),
    };
    api_error.hint(message!("web.start-position.hint", text = Game::start(rules).text()))
}

/// The error for move number `at`, which is illegal in `game`.
fn move_error(error: MoveTextError, game: &Game, at: usize) -> ApiError {
    let number = at + 1;
    if let Some(outcome) = game.outcome() {
        let what = outcome.words(game.rules());
        return ApiError::bad_request(message!("web.over-before-move", number, what));
    }
    let api_error = ApiError::bad_request(message!("web.move-error", number, error));
    let (api_error, text) = match &error {
        MoveTextError::Explained { text, why } => (api_error.reason(why.code()), text),
        MoveTextError::Illegal { text } => (api_error, text),
        _ => return api_error,
    };
    match promotions(game, text).0.as_slice() {
        [] => api_error.hint(message!("web.move-error.hint", text = game.text())),
        ways => api_error.hint(message!("web.ambiguous-move.hint", ways)),
    }
}
