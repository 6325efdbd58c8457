//! Books grown from collections and files, and written for other programs.

use ashta_messages::{Language, Message, Tell, message};
use ashta_records::{Collection, Manifest};
use ashta_study::opening::{
    Edit, GrowPlan, GrowReport, Growth, Journal, read_polyglot, write_pgn, write_polyglot,
};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::attachment::attachment;
use super::within;
use crate::api::SharedState;
use crate::api::extract::{JsonBody, PathParams, QueryParams};
use crate::api::records::{SentFile, UploadLimit};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::spawn_blocking;
use crate::data_folder::DataFolder;
use crate::data_folder::Name;
use crate::request_language::RequestLanguage;
use crate::study_cache::{book_path, journal_error};

/// A file of games, which is read into memory.
const UPLOAD: UploadLimit = UploadLimit { n_bytes: 64 << 20, too_large };

fn too_large() -> ApiError {
    ApiError::too_large(message!("web.book-file-too-large")).hint(message!("web.book-file-too-large.hint"))
}

/// Routes of exchange.
pub fn routes() -> ApiRouter {
    routes![sources, grow, export, import]
}

/// A collection that a book can grow from.
#[derive(Serialize, ToSchema, Debug)]
struct Source {
    name: String,
    /// Its games.
    games: u64,
}

/// Collections of the book's game.
#[utoipa::path(get, path = "/api/books/{name}/sources", params(("name" = String, Path, description = "a book")),
    responses((status = 200, body = Vec<Source>)))]
async fn sources(State(state): SharedState, PathParams(name): PathParams<String>) -> ApiResult<Vec<Source>> {
    let name = Name::read(&name)?;
    let listed = spawn_blocking(move || {
        let digest = state
            .study
            .with_book(&state.library, &name, |journal| Ok(journal.book().rules().rules().digest()))?;
        let mut sources = Vec::new();
        let folder = state.folder.collections();
        for name in DataFolder::names(&folder, "")? {
            let Ok(manifest) = Manifest::read(&folder.join(name.as_str())) else { continue };
            if state.rules(&manifest.game).is_ok_and(|rules| rules.rules().digest() == digest) {
                let n_games = manifest.n_games() as u64;
                sources.push(Source { name: name.to_string(), games: n_games });
            }
        }
        Ok(sources)
    });
    Ok(Json(listed.await?))
}

/// What to take of games.
#[derive(Clone, Copy, Deserialize, ToSchema, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct Take {
    /// Most plies of a game, 1 to 200.
    #[serde(default = "usual_plies")]
    plies: usize,
    /// Leave out moves played in fewer games.
    #[serde(default = "usual_least")]
    at_least: u64,
}

fn usual_plies() -> usize {
    24
}

fn usual_least() -> u64 {
    1
}

impl Take {
    fn plan(self) -> Result<GrowPlan, ApiError> {
        let plies = within("`plies`", self.plies, 1, 200)?;
        let at_least = within("`at_least`", self.at_least, 1, 1_000_000_000)?;
        Ok(GrowPlan { plies, at_least })
    }
}

/// A collection to grow from.
#[derive(Deserialize, ToSchema, Debug)]
struct GrowRequest {
    collection: String,
    #[serde(flatten)]
    take: Take,
}

/// What came of growing a book.
#[derive(Serialize, ToSchema, Debug)]
struct Grown {
    /// Games taken.
    games: usize,
    /// Games that start elsewhere.
    elsewhere: usize,
    /// Games that could not be read.
    unreadable: usize,
    /// Why the first was not.
    first_problem: Option<String>,
    /// Positions of the book now.
    n_positions: usize,
    /// Moves of the book now.
    n_moves: usize,
}

/// Grows a book from a collection; one edit, which can be taken back. Closing the request stops it.
#[utoipa::path(post, path = "/api/books/{name}/grow", params(("name" = String, Path, description = "a book")),
    request_body = GrowRequest, responses((status = 200, body = Grown)))]
async fn grow(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(name): PathParams<String>,
    JsonBody(wanted): JsonBody<GrowRequest>,
) -> ApiResult<Grown> {
    let (name, plan) = (Name::read(&name)?, wanted.take.plan()?);
    let collection = Name::read(&wanted.collection)?;
    let folder = state.folder.collections().join(collection.as_str());
    let shared = state.clone();
    let grown = state.compute(move |stop| {
        let unusable = |error: Message| {
            ApiError::bad_request(message!("web.collection-unusable", name = collection, error))
        };
        let manifest = Manifest::read(&folder)
            .map_err(|_| ApiError::not_found(message!("web.no-collection", name = collection)))?;
        let rules = shared.rules(&manifest.game)?;
        let games = Collection::open(&folder, &rules).map_err(|error| unusable(error.message()))?;
        // Taken without the book's lock: this may take long, and the book is only asked where it starts.
        let mut growth = shared.study.with_book(&shared.library, &name, |journal| {
            if journal.book().rules().rules().digest() == rules.rules().digest() {
                Ok(Growth::new(journal.book(), plan))
            } else {
                Err(unusable(message!("web.collection-game", game = manifest.game)))
            }
        })?;
        growth.add_collection(&games, stop).map_err(unusable)?;
        let (import, report) = growth.finish(collection.as_str());
        shared.study.with_book(&shared.library, &name, |journal| {
            journal.edit(Edit::Import(import)).map_err(journal_error)?;
            Ok(grown_report(journal, report, language))
        })
    });
    Ok(Json(grown.await??))
}

fn grown_report(journal: &Journal, report: GrowReport, language: Language) -> Grown {
    let (n_positions, n_moves) = journal.book().size();
    Grown {
        games: report.n_games,
        elsewhere: report.n_elsewhere,
        unreadable: report.n_unreadable,
        first_problem: report.first_problem.map(|problem| problem.text(language)),
        n_positions,
        n_moves,
    }
}

/// A file whose games are taken.
#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct ImportFile {
    /// What it is called: `games.pgn`, `book.bin`.
    file: String,
    /// Most plies of a game, 1 to 200.
    #[serde(default = "usual_plies")]
    plies: usize,
    /// Leave out moves played in fewer games.
    #[serde(default = "usual_least")]
    at_least: u64,
}

/// Takes the games of a file, sent as it is: PGN with variations and comments, other records, a Polyglot book (`.bin`).
#[utoipa::path(post, path = "/api/books/{name}/import", params(ImportFile, ("name" = String, Path, description = "a book")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"), responses((status = 200, body = Grown)))]
async fn import(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(name): PathParams<String>,
    QueryParams(wanted): QueryParams<ImportFile>,
    sent: SentFile,
) -> ApiResult<Grown> {
    let name = Name::read(&name)?;
    let plan = Take { plies: wanted.plies, at_least: wanted.at_least }.plan()?;
    let file: String = wanted.file.chars().filter(|c| !c.is_control()).take(100).collect();
    let upload = sent.receive(&state.folder.uploads(), UPLOAD, |_| ()).await?;
    let shared = state.clone();
    let grown = state.compute(move |_| {
        let bytes = std::fs::read(&upload.path)?;
        shared.study.with_book(&shared.library, &name, |journal| {
            let unusable = |error: Message| ApiError::bad_request(message!("web.book-import", file, error));
            let (import, report) = if file.ends_with(".bin") {
                let import = read_polyglot(journal.book(), &bytes, &file)
                    .map_err(|error| unusable(error.message()))?;
                (import, GrowReport::default())
            } else {
                let mut growth = Growth::new(journal.book(), plan);
                growth.add_text(&file, bytes).map_err(unusable)?;
                growth.finish(&file)
            };
            if import.steps.is_empty() {
                let first = report.first_problem;
                let first = first.unwrap_or_else(|| message!("web.book-import-start"));
                return Err(unusable(first));
            }
            journal.edit(Edit::Import(import)).map_err(journal_error)?;
            Ok(grown_report(journal, report, language))
        })
    });
    Ok(Json(grown.await??))
}

/// How a book is written.
#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct Written {
    /// `pgn`, `bin` (Polyglot) or `book` (the journal of edits).
    #[serde(default)]
    format: String,
}

/// The book as a file.
#[utoipa::path(get, path = "/api/books/{name}/export", params(Written, ("name" = String, Path, description = "a book")),
    responses((status = 200, description = "PGN and edits are text, a Polyglot book is not",
        content((String = "text/plain"), (Vec<u8> = "application/octet-stream")))))]
async fn export(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    QueryParams(written): QueryParams<Written>,
) -> Result<Response, ApiError> {
    let name = Name::read(&name)?;
    let file = format!("{name}.{}", written.format);
    let bytes = spawn_blocking(move || {
        state.study.with_book(&state.library, &name, |journal| match written.format.as_str() {
            "pgn" => Ok(write_pgn(journal.book()).into_bytes()),
            "bin" => write_polyglot(journal.book()).map_err(ApiError::bad_request),
            "book" => Ok(std::fs::read(book_path(&state.library, &name))?),
            _ => {
                Err(ApiError::bad_request(message!("web.book-format")).hint(message!("web.book-format.hint")))
            }
        })
    });
    let is_text = !file.ends_with(".bin");
    let kind = if is_text { "text/plain; charset=utf-8" } else { "application/octet-stream" };
    Ok((attachment(&file, kind), bytes.await?).into_response())
}
