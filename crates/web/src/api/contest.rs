//! Contests: throws, turns and answers, one after another.

use ashta_search::SearchWord;
use std::sync::Arc;

use ashta_messages::message;
use ashta_play::{Playable, Random};
use ashta_position::{
    Answer as ExchangeAnswer, CompiledRules, Contest, ContestTextError, Illegal, Stage, Tables, Turn,
    TurnTextError, with_tables,
};
use ashta_search::StopFlag;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::engine_player::{MAX_TIME, check_player_fits, read_interactive_player};
use super::extract::JsonBody;
use super::position_spec::PositionSpec;
use super::position_view::{PositionView, WrittenMove, contest_view};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};

/// Routes of contests.
pub fn routes() -> ApiRouter {
    routes![act]
}

/// What random numbers are drawn for.
const PURPOSE: u64 = 0x6469_6365;

/// One thing is done in a contest: by a person, by chance, or by a program.
#[derive(Deserialize, ToSchema, Debug)]
struct ContestRequest {
    #[serde(flatten)]
    spec: PositionSpec,
    /// What a person does: `throw` (the dice fall by chance), a throw such as `2-5`, a turn such as `a1c3+c3a5`, or the
    /// answer `exchange` or `keep`.
    #[serde(default)]
    action: Option<String>,
    /// The program that does whatever is awaited, if no action is given: `P2`, `expect:1`.
    #[serde(default)]
    player: Option<String>,
    /// The same seed, the same dice and choices; another is needed for every request.
    #[serde(default)]
    seed: u64,
}

/// The action and the position after it.
#[derive(Serialize, ToSchema, Debug)]
struct ContestAnswer {
    /// What was done, as it may be sent again among `moves`.
    did: String,
    position_view: PositionView,
}

/// One thing is done in a contest: a throw, a turn or an answer.
#[utoipa::path(post, path = "/api/contest", request_body = ContestRequest, responses((status = 200, body = ContestAnswer)))]
async fn act(
    State(state): SharedState,
    JsonBody(request): JsonBody<ContestRequest>,
) -> ApiResult<ContestAnswer> {
    request.spec.check_sizes()?;
    let rules = state.rules(&request.spec.game)?;
    let done = state.compute_within(MAX_TIME, move |stop| {
        let stop = StopFlag::new(stop.clone());
        with_tables!(&rules, tables => done(tables, &request, &stop))
    });
    done.await?.map(Json)
}

fn done<W: SearchWord>(
    tables: &Arc<Tables<W>>,
    request: &ContestRequest,
    stop: &StopFlag,
) -> Result<ContestAnswer, ApiError> {
    let mut played = Played::at(tables, &request.spec)?;
    let mut random = Random::of_game(request.seed, PURPOSE, 0);
    match (request.action.as_deref().map(str::trim), &request.player) {
        (Some("throw"), _) => played.throw_by_chance(&mut random)?,
        (Some(action), _) => played.act(action)?,
        (None, Some(player)) => played.play_as(player, &mut random, stop)?,
        (None, None) => {
            return Err(ApiError::bad_request(message!("web.nothing-to-do")));
        }
    }
    let did = played.line.last().map(|written| written.text.clone()).unwrap_or_default();
    Ok(ContestAnswer { did, position_view: played.position_view() })
}

/// A contest and the turn that was taken last.
pub struct Played<W> {
    pub contest: Contest<W>,
    pub last: Option<Turn>,
    pub line: Vec<WrittenMove>,
}

/// The view of a contest after throws, turns and answers.
pub fn contest_view_at(rules: &CompiledRules, spec: &PositionSpec) -> Result<PositionView, ApiError> {
    with_tables!(rules, tables => Ok(Played::at(tables, spec)?.position_view()))
}

/// Why no turn begins with a move, where a turn is awaited.
pub fn why_no_turn(
    rules: &CompiledRules,
    spec: &PositionSpec,
    text: &str,
) -> Result<Option<Illegal>, ApiError> {
    with_tables!(rules, tables => Ok(Played::at(tables, spec)?.why_not(text)))
}

impl<W: SearchWord> Played<W> {
    fn why_not(&self, text: &str) -> Option<Illegal> {
        self.contest.why_illegal(text).filter(|_| self.contest.stage() == Stage::Turn)
    }

    /// The contest of a place, with everything done that it says.
    pub fn at(tables: &Arc<Tables<W>>, spec: &PositionSpec) -> Result<Played<W>, ApiError> {
        let game = tables.rules.id().to_string();
        let opened = match spec.position.as_deref().filter(|text| !text.trim().is_empty()) {
            None => Contest::start(tables.clone()).ok_or(ContestTextError::NoContest { game }),
            Some(text) => Contest::read(tables.clone(), text),
        };
        let contest =
            opened.map_err(|error| ApiError::bad_request(error).hint(message!("web.contest-text.hint")))?;
        let mut played = Played { contest, last: None, line: Vec::new() };
        for (at, text) in spec.moves.iter().enumerate() {
            played.act(text.trim()).map_err(|api_error| match spec.moves.len() {
                1 => api_error,
                _ => api_error.at(at),
            })?;
        }
        Ok(played)
    }

    /// Does one thing: a throw, a turn or an answer, whichever is awaited.
    pub fn act(&mut self, text: &str) -> Result<(), ApiError> {
        if let Some(outcome) = self.contest.outcome() {
            let what = outcome.words(self.contest.rules());
            return Err(ApiError::bad_request(message!(
                "web.action-after-end",
                text = shortened(text),
                what
            )));
        }
        match self.contest.stage() {
            Stage::Throw => self.throw(text)?,
            Stage::Turn => {
                let turn = self.contest.read_turn(text).map_err(|error| self.turn_error(error, text))?;
                self.take(turn);
                return Ok(());
            }
            Stage::Exchange(_) => {
                let wish = match text {
                    "exchange" => ExchangeAnswer::Exchange,
                    "keep" => ExchangeAnswer::Keep,
                    _ => {
                        return Err(ApiError::bad_request(message!("web.exchange-pending"))
                            .hint(message!("web.exchange-pending.hint")));
                    }
                };
                self.contest.answer(wish);
            }
        }
        self.write(text.to_string());
        Ok(())
    }

    /// What to say of a turn that may not be taken.
    fn turn_error(&self, error: TurnTextError, text: &str) -> ApiError {
        match self.contest.why_illegal(text) {
            Some(why) => {
                let words = why.words(self.contest.rules());
                let reason = words.code();
                ApiError::bad_request(message!("web.illegal-turn", text = error.text, words)).reason(reason)
            }
            None => ApiError::bad_request(error),
        }
    }

    /// The dice fall.
    fn throw_by_chance(&mut self, random: &mut Random) -> Result<(), ApiError> {
        let rolls = self.contest.rolls();
        match rolls.get(random.below(rolls.len().max(1) as u32) as usize) {
            Some(roll) if self.contest.stage() == Stage::Throw => self.act(&roll.to_string()),
            _ => Err(ApiError::bad_request(message!("web.no-roll-due"))),
        }
    }

    /// A program does what is awaited.
    fn play_as(&mut self, player: &str, random: &mut Random, stop: &StopFlag) -> Result<(), ApiError> {
        let plan = read_interactive_player(player)?;
        check_player_fits(&plan, self.contest.rules())?;
        if let Some(outcome) = self.contest.outcome() {
            let what = outcome.words(self.contest.rules());
            return Err(ApiError::bad_request(message!("web.contest-over", what)));
        }
        match self.contest.stage() {
            Stage::Throw => self.throw_by_chance(random),
            Stage::Turn => {
                let mut player = self.contest.player(&plan, None, stop).map_err(ApiError::bad_request)?;
                let all = self.contest.legal_turns();
                let turn = player.choose(&mut self.contest, &all, random);
                self.take(turn);
                Ok(())
            }
            Stage::Exchange(side) => {
                let player = self.contest.player(&plan, None, stop).map_err(ApiError::bad_request)?;
                match player.answer(&mut self.contest, side, random) {
                    ExchangeAnswer::Exchange => self.act("exchange"),
                    ExchangeAnswer::Keep => self.act("keep"),
                }
            }
        }
    }

    /// Takes a legal turn.
    pub fn take(&mut self, turn: Turn) {
        self.write(self.contest.turn_text(turn));
        self.contest.play_unchecked(turn);
        self.last = Some(turn);
    }

    fn throw(&mut self, text: &str) -> Result<(), ApiError> {
        let rolls = self.contest.rolls();
        match rolls.into_iter().find(|roll| roll.to_string() == text) {
            Some(roll) => _ = self.contest.throw(roll),
            None => {
                let what = message!("web.not-a-roll", text = shortened(text));
                return Err(ApiError::bad_request(what).hint(message!("web.not-a-roll.hint")));
            }
        }
        Ok(())
    }

    fn write(&mut self, text: String) {
        let ply = self.line.len() as u32 + 1;
        self.line.push(WrittenMove { san: text.clone(), local: text.clone(), text, ply });
    }

    pub fn position_view(self) -> PositionView {
        contest_view(&self.contest, self.last, self.line)
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}
