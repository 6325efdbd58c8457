//! The games of a job, to be watched: each is played again from its number.

use ashta_lab::{Experiment, Plan, replay, start};
use ashta_messages::{Message, message};
use ashta_position::notation::write_coordinates;
use ashta_rules::Rules;
use ashta_search::StopFlag;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::SharedState;
use super::extract::PathParams;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::jobs::game_name;
use crate::request_language::RequestLanguage;

/// Routes of a job's games.
pub fn routes() -> ApiRouter {
    routes![game]
}

/// A game that a job played.
#[derive(Serialize, ToSchema, Debug)]
struct PlayedGame {
    /// The game with its changes, as other requests name it.
    game: String,
    /// One for each side.
    players: Vec<String>,
    /// Its moves as coordinates; throws and turns of a contest.
    moves: Vec<String>,
    /// How it ended.
    outcome: Option<String>,
}

/// One game of a measuring job: `cell` is the place of game and players in its plan, `number` that of the game, both from 0.
#[utoipa::path(get, path = "/api/jobs/{id}/games/{cell}/{number}", tag = "jobs",
    params(("id" = u32, Path, description = "The job's number"), ("cell" = usize, Path, description = "Game and players, from 0"),
        ("number" = u32, Path, description = "The game, from 0")),
    responses((status = 200, body = PlayedGame)))]
async fn game(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams((id, cell, number)): PathParams<(u32, usize, u32)>,
) -> ApiResult<PlayedGame> {
    let path = state.jobs.get(id)?.folder.join("plan.json");
    let no_games = || ApiError::not_found(message!("web.job-no-games", id));
    let text = tokio::fs::read_to_string(path).await.map_err(|_| no_games())?;
    let plan: Plan = serde_json::from_str(&text).map_err(|_| no_games())?;
    let Some(asked) = plan.cells.get(cell).cloned() else {
        return Err(ApiError::not_found(message!("web.job-cells", id, n = plan.cells.len())));
    };
    let rules = state.clone();
    let played = state.compute(move |stop| {
        let experiment = Experiment::new(plan, |game| {
            rules.rules(&game_name(game)).map(|compiled| Rules::clone(compiled.rules()))
        })?;
        Ok::<_, ApiError>(play_again(&experiment, cell, number, &StopFlag::new(stop.clone())))
    });
    let (moves, outcome) = played.await??;
    let outcome = outcome.map(|outcome| outcome.text(language));
    Ok(Json(PlayedGame { game: game_name(&asked.game), players: asked.players, moves, outcome }))
}

/// The moves, and how the game ended.
fn play_again(
    experiment: &Experiment,
    cell: usize,
    number: u32,
    stop: &StopFlag,
) -> (Vec<String>, Option<Message>) {
    let rules = experiment.cells[cell].rules.rules();
    let replay = replay(experiment, cell, number, stop);
    let moves = replay.contest.unwrap_or_else(|| {
        let mut game = start(&experiment.cells[cell]);
        let texts = replay.moves.iter().map(|mv| {
            let text = write_coordinates(&game, *mv);
            game.play_unchecked(*mv);
            text
        });
        texts.collect()
    });
    (moves, replay.outcome.map(|outcome| outcome.words(rules)))
}
