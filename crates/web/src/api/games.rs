//! The library of games and the descriptor of each.

use ashta_position::CompiledRules;
use ashta_rules::words::Language;
use ashta_rules::{game_names, game_source};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::SharedState;
use super::extract::{InLanguage, PathParams, QueryParams};
use super::game_descriptor::{DescriptorSource, GameDescriptor};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::data_folder::{DataFolder, Name};
use crate::request_language::RequestLanguage;

/// Routes of the library.
pub fn routes() -> ApiRouter {
    routes![list, descriptor]
}

/// A game in a list.
#[derive(Serialize, ToSchema, Debug)]
struct GameLine {
    /// `shogi`.
    id: String,
    /// `Shogi`.
    name: String,
    /// What it is, in a sentence.
    about: String,
    /// The game that it came from.
    descends: Option<String>,
    /// Whether it was written here.
    own: bool,
    /// Squares from left to right; 0 if the file has a mistake.
    files: u8,
    /// Squares from bottom to top.
    ranks: u8,
    /// How many sides play.
    n_sides: usize,
    /// What is wrong with a file that was written here, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl GameLine {
    fn of(id: &str, rules: &CompiledRules, own: bool) -> GameLine {
        let rules = rules.rules();
        GameLine {
            id: id.to_string(),
            name: rules.name().to_string(),
            about: rules.about().to_string(),
            descends: rules.descends().map(str::to_string),
            own,
            files: rules.grid().files(),
            ranks: rules.grid().ranks(),
            n_sides: rules.sides().len(),
            problem: None,
        }
    }

    fn broken(id: &str, problem: String) -> GameLine {
        GameLine {
            id: id.to_string(),
            name: id.to_string(),
            about: String::new(),
            descends: None,
            own: true,
            files: 0,
            ranks: 0,
            n_sides: 0,
            problem: Some(problem),
        }
    }
}

/// All games: those of the library, then those that were written here.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<GameLine>)))]
async fn list(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Vec<GameLine>> {
    let mut games = Vec::new();
    for name in game_names() {
        games.push(GameLine::of(name, &state.rules(name)?, false));
    }
    for name in DataFolder::names(&state.folder.games(), ".toml")? {
        games.push(match state.rules(name.as_str()) {
            Ok(rules) => GameLine::of(name.as_str(), &rules, true),
            Err(api_error) => GameLine::broken(name.as_str(), api_error.summary().text(language)),
        });
    }
    Ok(Json(games))
}

/// The descriptor of a game: everything that a page needs to show it.
#[utoipa::path(
    get,
    path = "/api/games/{spec}",
    params(("spec" = String, Path, description = "a game with its changes: `shatranj+double-step`"), InLanguage),
    responses((status = 200, body = GameDescriptor))
)]
async fn descriptor(
    State(state): SharedState,
    PathParams(spec): PathParams<String>,
    QueryParams(wanted): QueryParams<InLanguage>,
) -> ApiResult<GameDescriptor> {
    let rules = state.rules(&spec)?;
    Ok(Json(GameDescriptor::of(&rules, descriptor_source(&state, &spec, wanted.language()?)?)?))
}

/// The text of a game's file.
fn descriptor_source(state: &AppState, spec: &str, language: Language) -> Result<DescriptorSource, ApiError> {
    let name = spec.split('+').next().unwrap_or_default();
    if let Some(source) = game_source(name) {
        return Ok(DescriptorSource { source: source.text.clone(), own: false, language });
    }
    let name = Name::read(name).map_err(ApiError::not_found)?;
    Ok(DescriptorSource {
        source: std::fs::read_to_string(state.library.own_game(&name))?,
        own: true,
        language,
    })
}
