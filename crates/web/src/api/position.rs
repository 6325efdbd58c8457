//! Positions: a game, where it starts from, moves; out comes where it stands.

use std::sync::Arc;

use ashta_position::notation::{MoveTextError, promotions, read_move};
use ashta_position::{Attempt, CompiledRules, Game, PositionTextError, why_illegal};
use ashta_rules::{KindId, Rules, Square};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Shared;
use super::body::Body;
use super::contest::{contest_standing_at, why_no_turn};
use super::standing::{Standing, WrittenMove};
use crate::failure::{Answer, Refusal};
use crate::laboratory::Laboratory;

/// Routes of positions.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(position)).routes(routes!(why))
}

/// Most moves of a request: the longest game that the presets allow, twice.
const MOST_MOVES: usize = 2_000;
/// Most bytes of a position: sixteen for each square of the largest board.
const MOST_BYTES: usize = 4_096;
/// Most bytes of one move.
const MOST_MOVE_BYTES: usize = 64;

/// Where a game stands, as a request says it: a game, a position of it, moves from there.
#[derive(Clone, Deserialize, ToSchema, Debug)]
pub struct Place {
    /// A game of the library or one's own, with changes: `shatranj+double-step`.
    pub game: String,
    /// FEN, SFEN or the text of a contest; the start where nothing is said.
    #[serde(default)]
    pub position: Option<String>,
    /// Moves from there, in coordinates or SAN; of a contest throws `2-5`, turns `a1c3+c3a5` and answers
    /// `exchange` or `keep`.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// Where a game stands after moves, and what may follow.
#[utoipa::path(post, path = "/api/position", request_body = Place, responses((status = 200, body = Standing)))]
async fn position(State(laboratory): Shared, Body(place): Body<Place>) -> Answer<Standing> {
    place.check_sizes()?;
    let rules = laboratory.rules(&place.game)?;
    if rules.rules().contest().is_some() {
        return Ok(Json(contest_standing_at(&rules, &place)?));
    }
    let (game, line) = place.play(&rules)?;
    Ok(Json(Standing::of(&game, line)))
}

/// A move that somebody wants to play: from one square to another, or from the hand.
#[derive(Deserialize, ToSchema, Debug)]
struct WhyRequest {
    #[serde(flatten)]
    place: Place,
    /// Where the piece stands; nothing for a drop.
    #[serde(default)]
    from: Option<String>,
    /// Where it goes.
    to: String,
    /// The kind that is dropped, by its place in the sheet's `kinds`.
    #[serde(default)]
    drop: Option<u8>,
}

/// Why a move may not be played.
#[derive(Serialize, ToSchema, Debug)]
struct Why {
    /// A word for programs, `pinned`; nothing if the move is legal.
    code: Option<&'static str>,
    /// The reason in English; nothing if the move is legal.
    words: Option<String>,
}

/// Why a move may not be played; nothing of a move that may.
#[utoipa::path(post, path = "/api/why", request_body = WhyRequest, responses((status = 200, body = Why)))]
async fn why(State(laboratory): Shared, Body(request): Body<WhyRequest>) -> Answer<Why> {
    request.place.check_sizes()?;
    let rules = laboratory.rules(&request.place.game)?;
    let why = match rules.rules().contest() {
        None => {
            let (game, _) = request.place.play(&rules)?;
            why_illegal(&game, request.attempt(rules.rules())?)
        }
        Some(_) => {
            let square = |text: &str| read_square(rules.rules(), text).map(|_| text.to_string());
            let from = square(request.from.as_deref().unwrap_or_default())?;
            why_no_turn(&rules, &request.place, &format!("{from}{}", square(&request.to)?))?
        }
    };
    let words = why.as_ref().map(|why| why.words(rules.rules()).to_string());
    Ok(Json(Why { code: why.map(|why| why.code()), words }))
}

fn read_square(rules: &Rules, text: &str) -> Result<Square, Refusal> {
    let found = rules.grid().read_square(text).filter(|(_, rest)| rest.is_empty());
    found.map(|(square, _)| square).ok_or_else(|| {
        let shown: String = text.chars().take(20).collect();
        Refusal::wrong(format!("`{shown}` is not a square of this board"))
    })
}

impl WhyRequest {
    fn attempt(&self, rules: &Rules) -> Result<Attempt, Refusal> {
        let to = read_square(rules, &self.to)?;
        match (&self.from, self.drop) {
            (Some(from), None) => Ok(Attempt::Go { from: read_square(rules, from)?, to, becomes: None }),
            (None, Some(kind)) if usize::from(kind) < rules.kinds().len() => {
                Ok(Attempt::Drop { kind: KindId(kind), to })
            }
            _ => Err(Refusal::wrong("a move has either the square or the kind that it starts from")),
        }
    }
}

impl Place {
    /// The start of a game.
    pub fn start(game: &str) -> Place {
        Place { game: game.to_string(), position: None, moves: Vec::new() }
    }

    /// Refuses what is too long to be a position.
    pub fn check_sizes(&self) -> Result<(), Refusal> {
        if self.position.as_ref().is_some_and(|text| text.len() > MOST_BYTES) {
            return Err(Refusal::wrong(format!("a position has at most {MOST_BYTES} bytes")));
        }
        if self.moves.len() > MOST_MOVES {
            let n = self.moves.len();
            return Err(Refusal::wrong(format!("{n} moves are too many, at most {MOST_MOVES} are read")));
        }
        match self.moves.iter().position(|text| text.len() > MOST_MOVE_BYTES) {
            Some(at) => Err(Refusal::wrong(format!("move {} is too long to be one", at + 1))),
            None => Ok(()),
        }
    }

    /// The game at this place; a contest has none.
    pub fn open(&self, laboratory: &Laboratory) -> Result<Game, Refusal> {
        Ok(self.open_with_line(laboratory)?.0)
    }

    /// The game at this place, and the moves as they are written.
    pub fn open_with_line(&self, laboratory: &Laboratory) -> Result<(Game, Vec<WrittenMove>), Refusal> {
        self.check_sizes()?;
        let rules = laboratory.rules(&self.game)?;
        self.play(&rules)
    }

    /// The game after the moves, and the moves as they are written.
    pub fn play(&self, rules: &CompiledRules) -> Result<(Game, Vec<WrittenMove>), Refusal> {
        if rules.rules().contest().is_some() {
            let what = format!("{} is played in throws and turns, and this is about moves", self.game);
            return Err(Refusal::wrong(what).hint("POST /api/contest plays it"));
        }
        let game = match self.position.as_deref().filter(|text| !text.trim().is_empty()) {
            None => Game::start(rules),
            Some(text) => {
                Game::from_text(rules, text).map_err(|error| position_refusal(error, text, rules))?
            }
        };
        self.play_from(game)
    }

    /// The game after the moves from where it stands, and the moves as they are written.
    pub fn play_from(&self, mut game: Game) -> Result<(Game, Vec<WrittenMove>), Refusal> {
        let before = game.setup().ply;
        let mut line = Vec::with_capacity(self.moves.len());
        for (at, text) in self.moves.iter().enumerate() {
            let mv = read_move(&game, text.trim()).map_err(|error| move_refusal(error, &game, at))?;
            line.push(WrittenMove::of(&game, mv, before + at as u32 + 1));
            game.play_unchecked(mv);
        }
        Ok((game, line))
    }
}

/// What to say of a position that cannot be read, or that nobody can play from.
pub fn position_refusal(error: PositionTextError, text: &str, rules: &CompiledRules) -> Refusal {
    let refusal = match error {
        PositionTextError::Text(error) => {
            let offset = text.get(..error.offset).map_or(0, |before| before.chars().count());
            Refusal::wrong(error.what).at(offset)
        }
        PositionTextError::Position(error) => {
            Refusal::wrong(format!("nobody can play from this position: {error}"))
        }
    };
    refusal.hint(format!("this game starts from {}", Game::start(rules).text()))
}

/// What to say of the move with number `at`, which `game` does not allow.
fn move_refusal(error: MoveTextError, game: &Game, at: usize) -> Refusal {
    let number = at + 1;
    if let Some(outcome) = game.outcome() {
        let what = outcome.words(game.rules());
        return Refusal::wrong(format!("the game is over before move {number}: {what}"));
    }
    let refusal = Refusal::wrong(format!("move {number}: {error}"));
    let (refusal, text) = match &error {
        MoveTextError::Explained { text, code, .. } => (refusal.code(code), text),
        MoveTextError::Illegal { text } => (refusal, text),
        _ => return refusal,
    };
    match promotions(game, text).0.as_slice() {
        [] => refusal.hint(format!("it is played from {}", game.text())),
        ways => refusal.hint(format!("it can be {}", ways.join(" or "))),
    }
}
