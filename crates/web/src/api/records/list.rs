//! The collections: which there are, a new one, one less.

use std::sync::PoisonError;

use ashta_messages::{Language, Tell, message};
use ashta_records::{CollectionError, CollectionWriter, Manifest, remove_collection};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::SharedState;
use super::super::extract::{JsonBody, PathParams};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::collection_cache::{ImportStage, collection_error};
use crate::data_folder::{DataFolder, Name};
use crate::request_language::RequestLanguage;

/// Routes of collections.
pub fn routes() -> ApiRouter {
    routes![list, create, one, delete]
}

/// A collection of records.
#[derive(Serialize, ToSchema, Debug, Default)]
pub struct CollectionLine {
    name: String,
    /// The game that its records are of.
    game: String,
    /// Games.
    games: usize,
    /// Positions, each as often as it occurred.
    positions: usize,
    /// Bytes on disk.
    bytes: u64,
    /// Whether a file is being imported.
    importing: bool,
    /// How far a sample is that the program plays now.
    playing: Option<PlayingLine>,
    /// Why it cannot be used.
    error: Option<String>,
}

/// A sample that the program plays now.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlayingLine {
    /// Games played.
    done: usize,
    /// Games to play.
    of: usize,
}

/// A collection to begin.
#[derive(Deserialize, ToSchema, Debug)]
struct NewCollection {
    /// Letters, digits, - and _.
    name: String,
    /// The game that its records will be of.
    game: String,
}

/// What was done.
#[derive(Serialize, ToSchema, Debug)]
pub struct Done {
    /// The name of what it was done to.
    pub name: String,
}

impl AppState {
    fn manifest(&self, name: &Name) -> Result<Manifest, CollectionError> {
        Manifest::read(&self.folder.collections().join(name.as_str()))
    }

    fn collection_line(&self, name: &Name, language: Language) -> CollectionLine {
        self.line_of(name, self.manifest(name), language)
    }

    /// The line of a collection; nothing of a folder in which one was only begun.
    fn begun_line(&self, name: &Name, language: Language) -> Option<CollectionLine> {
        match self.manifest(name) {
            Err(CollectionError::None { .. }) => None,
            manifest => Some(self.line_of(name, manifest, language)),
        }
    }

    fn line_of(
        &self,
        name: &Name,
        manifest: Result<Manifest, CollectionError>,
        language: Language,
    ) -> CollectionLine {
        let line = CollectionLine {
            name: name.to_string(),
            importing: self.collection_cache.imports(name).borrow().stage != ImportStage::Idle,
            ..CollectionLine::default()
        };
        match manifest {
            Ok(manifest) => CollectionLine {
                games: manifest.n_games(),
                positions: manifest.n_positions(),
                bytes: manifest.n_bytes(),
                game: manifest.game,
                ..line
            },
            Err(error) => CollectionLine { error: Some(error.message().text(language)), ..line },
        }
    }

    /// Begins a collection of a game, or opens it for adding games.
    pub fn collection_writer(&self, name: &Name, game: &str) -> Result<CollectionWriter, ApiError> {
        let rules = self.rules(game)?;
        if rules.rules().contest().is_some() {
            let what = message!("web.contest-collection", game = rules.rules().name());
            return Err(ApiError::bad_request(what).hint(message!("web.contest-collection.hint")));
        }
        let folder = self.folder.collections().join(name.as_str());
        CollectionWriter::open(&folder, &rules, game).map_err(|error| collection_error(name, &error))
    }
}

/// All collections, and samples that are being played.
#[utoipa::path(get, path = "/api/collections", responses((status = 200, body = Vec<CollectionLine>)))]
async fn list(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Vec<CollectionLine>> {
    // Asked first: a sample that has been played by now has all its games when its folder is looked at.
    let plays = state.collection_cache.playing.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let names = DataFolder::names(&state.folder.collections(), "")?;
    let mut lines: Vec<CollectionLine> =
        names.iter().filter_map(|name| state.begun_line(name, language)).collect();
    for play in plays {
        lines.retain(|line| line.name != play.name.as_str());
        lines.push(CollectionLine {
            name: play.name.to_string(),
            game: play.game,
            playing: Some(PlayingLine { done: play.n_done, of: play.n_games }),
            ..CollectionLine::default()
        });
    }
    Ok(Json(lines))
}

/// One collection.
#[utoipa::path(get, path = "/api/collections/{name}", params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = CollectionLine), (status = 404, body = crate::api_error::ErrorBody)))]
async fn one(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(name): PathParams<String>,
) -> ApiResult<CollectionLine> {
    let name = Name::read(&name)?;
    match Manifest::read(&state.folder.collections().join(name.as_str())) {
        Err(error @ CollectionError::None { .. }) => Err(collection_error(&name, &error)),
        _ => Ok(Json(state.collection_line(&name, language))),
    }
}

/// Begins an empty collection.
#[utoipa::path(post, path = "/api/collections", request_body = NewCollection,
    responses((status = 200, body = CollectionLine), (status = 409, body = crate::api_error::ErrorBody)))]
async fn create(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    JsonBody(new): JsonBody<NewCollection>,
) -> ApiResult<CollectionLine> {
    let name = Name::read(&new.name)?;
    if state.folder.collections().join(name.as_str()).join("MANIFEST").exists() {
        return Err(
            ApiError::conflict(message!("web.collection-exists", name)).hint(message!("web.choose-name"))
        );
    }
    state.collection_writer(&name, &new.game)?;
    Ok(Json(state.collection_line(&name, language)))
}

/// Deletes a collection.
#[utoipa::path(delete, path = "/api/collections/{name}", params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = Done), (status = 409, body = crate::api_error::ErrorBody)))]
async fn delete(State(state): SharedState, PathParams(name): PathParams<String>) -> ApiResult<Done> {
    let name = Name::read(&name)?;
    let folder = state.folder.collections().join(name.as_str());
    let removed = tokio::task::spawn_blocking(move || remove_collection(&folder)).await;
    let removed = removed.map_err(|_| ApiError::internal(message!("web.collection-not-removed")))?;
    removed.map_err(|error| collection_error(&name, &error))?;
    state.collection_cache.forget(&name);
    Ok(Json(Done { name: name.to_string() }))
}
