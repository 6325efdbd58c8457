//! The user's own games: check, save, delete.

use ashta_messages::message;
use ashta_position::CompiledRules;
use ashta_rules::{check_text, game_names};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::extract::{InLanguage, JsonBody, PathParams, QueryParams};
use super::game_descriptor::{DescriptorSource, GameDescriptor};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult, ProblemBody};
use crate::data_folder::Name;
use crate::request_language::RequestLanguage;
use ashta_records::write_atomic;

/// Routes of one's own games.
pub fn routes() -> ApiRouter {
    routes![check, keep, remove]
}

/// Bytes of the largest game file: ten times the largest of the library.
const MAX_BYTES: usize = 128 << 10;

/// Each change is checked with the whole game; games of the library have at most thirty.
const MAX_CHANGES: usize = 300;

/// A game file to be checked.
#[derive(Deserialize, ToSchema, Debug)]
struct CheckRequest {
    /// The text of the file.
    text: String,
    /// Name of the game; default: `game`.
    #[serde(default)]
    name: Option<String>,
}

/// What is wrong with a game file; its descriptor if nothing is.
#[derive(Serialize, ToSchema, Debug)]
struct CheckAnswer {
    /// Everything that is wrong, in order of place.
    problems: Vec<ProblemBody>,
    /// The game, if nothing is.
    descriptor: Option<GameDescriptor>,
}

/// Checks a game file, with each of its changes: every problem with line and column, or the game's descriptor.
#[utoipa::path(
    post,
    path = "/api/games/check",
    request_body = CheckRequest,
    params(InLanguage),
    responses((status = 200, body = CheckAnswer))
)]
async fn check(
    State(state): SharedState,
    RequestLanguage(told): RequestLanguage,
    QueryParams(wanted): QueryParams<InLanguage>,
    JsonBody(request): JsonBody<CheckRequest>,
) -> ApiResult<CheckAnswer> {
    check_size(&request.text)?;
    let name = match request.name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => free_name(name)?.to_string(),
        None => "game".to_string(),
    };
    let language = wanted.language()?;
    let checked = state.compute(move |_| {
        let rules = match check_text(&format!("{name}.toml"), &request.text) {
            Ok(rules) => CompiledRules::new(rules),
            Err(problems) => {
                let problems = problems.0.iter().map(|problem| ProblemBody::of(problem, told)).collect();
                return Ok(CheckAnswer { problems, descriptor: None });
            }
        };
        let descriptor =
            GameDescriptor::of(&rules, DescriptorSource { source: request.text, own: true, language })?;
        Ok(CheckAnswer { problems: Vec::new(), descriptor: Some(descriptor) })
    });
    checked.await?.map(Json)
}

fn check_size(text: &str) -> Result<(), ApiError> {
    // Every change says what it is about.
    let n_changes = text.matches("about").count();
    match text.len() {
        0..=MAX_BYTES if n_changes > MAX_CHANGES => {
            Err(ApiError::bad_request(message!("web.too-many-changes", max = MAX_CHANGES)))
        }
        0..=MAX_BYTES => Ok(()),
        n => Err(ApiError::bad_request(message!("web.game-file-too-large", n, max = MAX_BYTES))),
    }
}

/// Checks that a name is valid and not taken by the library.
fn free_name(name: &str) -> Result<Name, ApiError> {
    let name = Name::read(name)?;
    if game_names().contains(&name.as_str()) {
        Err(ApiError::conflict(message!("web.library-game", name)).hint(message!("web.library-game.hint")))
    } else {
        Ok(name)
    }
}

/// A game file to save.
#[derive(Deserialize, ToSchema, Debug)]
struct SaveGameRequest {
    /// The text of the file.
    text: String,
}

/// The id of a saved game.
#[derive(Serialize, ToSchema, Debug)]
struct SavedGame {
    /// As `game` of other requests.
    id: String,
}

/// Saves a valid game file in the data folder.
#[utoipa::path(
    put,
    path = "/api/games/own/{name}",
    request_body = SaveGameRequest,
    params(("name" = String, Path, description = "what the game is called for: letters, digits, - and _")),
    responses((status = 200, body = SavedGame))
)]
async fn keep(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<SaveGameRequest>,
) -> ApiResult<SavedGame> {
    check_size(&request.text)?;
    let name = free_name(&name)?;
    let path = state.library.own_game(&name);
    let file_name = format!("{name}.toml");
    let saved = state.compute(move |_| -> Result<(), ApiError> {
        check_text(&file_name, &request.text)?;
        Ok(write_atomic(&path, &request.text)?)
    });
    saved.await??;
    state.library.invalidate();
    Ok(Json(SavedGame { id: name.to_string() }))
}

/// Deletes a game of the data folder.
#[utoipa::path(
    delete,
    path = "/api/games/own/{name}",
    params(("name" = String, Path, description = "what the game is called for")),
    responses((status = 200, body = SavedGame))
)]
async fn remove(State(state): SharedState, PathParams(name): PathParams<String>) -> ApiResult<SavedGame> {
    let name = free_name(&name)?;
    std::fs::remove_file(state.library.own_game(&name))
        .map_err(|_| ApiError::not_found(message!("web.no-own-game", name)))?;
    state.library.invalidate();
    Ok(Json(SavedGame { id: name.to_string() }))
}
