//! A position in a request: game, start position and moves in, a game out.

use ashta_messages::message;
use ashta_position::notation::{MoveTextError, promotions, read_move};
use ashta_position::{CompiledRules, Game, PositionTextError};
use serde::Deserialize;
use utoipa::ToSchema;

use super::position_view::WrittenMove;
use crate::api_error::ApiError;
use crate::app_state::AppState;

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
