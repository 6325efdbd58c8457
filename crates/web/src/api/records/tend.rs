//! The files of a collection: checked, merged.

use std::sync::Arc;

use ashta_records::Manifest;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::Shared;
use super::super::body::InPath;
use crate::data_folder::Name;
use crate::failure::{Answer, Refusal};
use crate::laboratory::Laboratory;
use crate::shelf::collection_refusal;

/// Routes of files.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(check)).routes(routes!(merge))
}

/// The files of a collection.
#[derive(Serialize, ToSchema, Debug)]
struct Tended {
    /// Games.
    games: usize,
    /// Files.
    files: usize,
    /// Bytes on disk.
    bytes: u64,
}

/// Checks every byte of a collection.
#[utoipa::path(post, path = "/api/collections/{name}/check", params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = Tended), (status = 400, body = crate::failure::RefusalBody)))]
async fn check(State(laboratory): Shared, InPath(name): InPath<String>) -> Answer<Tended> {
    let check = |laboratory: &Laboratory, name: &Name| {
        let opened = laboratory.collection(name)?;
        opened.collection.check_all().map_err(|error| collection_refusal(name, &error))?;
        Ok(Tended::of(opened.collection.manifest()))
    };
    laboratory.tend(&name, check).await
}

/// Merges the files of a collection, so that searches have fewer to look at.
#[utoipa::path(post, path = "/api/collections/{name}/merge", params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = Tended), (status = 409, body = crate::failure::RefusalBody)))]
async fn merge(State(laboratory): Shared, InPath(name): InPath<String>) -> Answer<Tended> {
    let merge = |laboratory: &Laboratory, name: &Name| {
        let game = laboratory.collection(name)?.collection.manifest().game.clone();
        let mut writer = laboratory.collection_writer(name, &game)?;
        while writer.merge_step().map_err(|error| collection_refusal(name, &error))? {}
        Ok(Tended::of(writer.manifest()))
    };
    laboratory.tend(&name, merge).await
}

impl Tended {
    fn of(manifest: &Manifest) -> Tended {
        Tended { games: manifest.n_games(), files: manifest.segments.len(), bytes: manifest.n_bytes() }
    }
}

impl Laboratory {
    /// Does something to the files of a collection on a thread, when no more than one other is at work.
    async fn tend(
        self: Arc<Laboratory>,
        name: &str,
        work: impl FnOnce(&Laboratory, &Name) -> Result<Tended, Refusal> + Send + 'static,
    ) -> Answer<Tended> {
        let name = Name::read(name)?;
        let closing = |_| Refusal::unable("the laboratory is closing");
        let permit = self.shelf.importers.clone().acquire_owned().await.map_err(closing)?;
        let done = tokio::task::spawn_blocking(move || {
            let _tending = permit;
            work(&self, &name)
        });
        let tended = done.await.map_err(|_| Refusal::unable("this request met a mistake of the program"))?;
        Ok(Json(tended?))
    }
}
