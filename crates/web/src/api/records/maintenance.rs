//! Maintenance of collections: check, merge.

use std::sync::Arc;

use ashta_messages::message;
use ashta_records::Manifest;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::SharedState;
use super::super::extract::PathParams;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::AppState;
use crate::collection_cache::collection_error;
use crate::data_folder::Name;

/// Routes of files.
pub fn routes() -> ApiRouter {
    routes![check, merge]
}

/// The files of a collection.
#[derive(Serialize, ToSchema, Debug)]
struct CollectionFiles {
    /// Games.
    games: usize,
    /// Files.
    files: usize,
    /// Bytes on disk.
    bytes: u64,
}

/// Checks every byte of a collection.
#[utoipa::path(post, path = "/api/collections/{name}/check", params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = CollectionFiles), (status = 400, body = crate::api_error::ErrorBody)))]
async fn check(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
) -> ApiResult<CollectionFiles> {
    let check = |state: &AppState, name: &Name| {
        let opened = state.collection(name)?;
        opened.collection.check_all().map_err(|error| collection_error(name, &error))?;
        Ok(CollectionFiles::of(opened.collection.manifest()))
    };
    state.run_maintenance(&name, check).await
}

/// Merges the files of a collection, so that searches have fewer to look at.
#[utoipa::path(post, path = "/api/collections/{name}/merge", params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = CollectionFiles), (status = 409, body = crate::api_error::ErrorBody)))]
async fn merge(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
) -> ApiResult<CollectionFiles> {
    let merge = |state: &AppState, name: &Name| {
        let game = state.collection(name)?.collection.manifest().game.clone();
        let mut writer = state.collection_writer(name, &game)?;
        while writer.merge_step().map_err(|error| collection_error(name, &error))? {}
        Ok(CollectionFiles::of(writer.manifest()))
    };
    state.run_maintenance(&name, merge).await
}

impl CollectionFiles {
    fn of(manifest: &Manifest) -> CollectionFiles {
        CollectionFiles {
            games: manifest.n_games(),
            files: manifest.segments.len(),
            bytes: manifest.n_bytes(),
        }
    }
}

impl AppState {
    /// Runs maintenance on a blocking thread under the permits of imports.
    async fn run_maintenance(
        self: Arc<AppState>,
        name: &str,
        work: impl FnOnce(&AppState, &Name) -> Result<CollectionFiles, ApiError> + Send + 'static,
    ) -> ApiResult<CollectionFiles> {
        let name = Name::read(name)?;
        let closing = |_| ApiError::internal(message!("web.shutting-down"));
        let permit = self.collection_cache.importers.clone().acquire_owned().await.map_err(closing)?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work(&self, &name)
        });
        let files = done.await.map_err(|_| ApiError::internal(message!("web.internal")))?;
        Ok(Json(files?))
    }
}
