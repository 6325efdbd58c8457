//! Files into a collection.

use std::convert::Infallible;
use std::io;
use std::path::Path as FilePath;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use ashta_messages::{Language, message};
use ashta_records::import::{RecordFile, Rejection};
use ashta_records::{
    Format, ImportObserver, ImportPlan, ImportReport, Limits, Manifest, import, remove_collection,
};
use axum::Json;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};
use utoipa::{IntoParams, ToSchema};

use super::super::SharedState;
use super::super::extract::{PathParams, QueryParams};
use super::upload::{SentFile, Upload, UploadLimit};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::{AppState, StopWhenDropped};
use crate::collection_cache::{ImportProgress, ImportStage, collection_error};
use crate::data_folder::Name;
use crate::records_json::ImportCounts;
use crate::request_language::RequestLanguage;

/// Routes of imports.
pub fn routes() -> ApiRouter {
    routes![import_file, events]
}

/// A file of records.
const UPLOAD: UploadLimit = UploadLimit { n_bytes: 1 << 30, too_large };

fn too_large() -> ApiError {
    ApiError::too_large(message!("web.upload-too-large")).hint(message!("web.upload-too-large.hint"))
}

/// Rejected records that are listed: as many as one would fix by hand.
const MAX_REJECTIONS: usize = 10_000;

#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct ImportOptions {
    /// What the file is called; its ending tells the format.
    #[serde(default)]
    file: String,
    /// The format, if the name does not tell it: `pgn`, `usi`, `tsv`, `csa`, `kif`, `ki2`, `jkf`.
    format: Option<String>,
    /// The game, for a new collection; else what such files usually hold.
    game: Option<String>,
}

/// Result of an import.
#[derive(Serialize, ToSchema, Debug)]
struct Imported {
    /// The collection.
    name: String,
    /// The game that its records are of.
    game: String,
    /// Records that were read.
    read: usize,
    #[serde(flatten)]
    counts: ImportCounts,
    /// The first ten thousand of these.
    refusals: Vec<RefusedRecord>,
    /// Games in the collection now.
    games: usize,
    /// How long it took, in milliseconds.
    elapsed_ms: f64,
}

/// A rejected record.
#[derive(Clone, Serialize, ToSchema, Debug)]
struct RefusedRecord {
    /// Which game of the file, from 1; none if the file itself cannot be read.
    game: Option<usize>,
    /// The line, from 1.
    line: usize,
    /// What is wrong, in the language of the request.
    what: String,
    /// Stable code of what is wrong.
    code: &'static str,
}

/// Adds the records of a file, sent as the body: PGN, USI, CSA, KIF, KI2, JKF or a table, also packed as .gz or .zst.
/// A missing collection is created. A disconnect stops the import; imported games stay.
#[utoipa::path(put, path = "/api/collections/{name}/import", params(ImportOptions, ("name" = String, Path, description = "The collection")),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 200, body = Imported), (status = 400, body = crate::api_error::ErrorBody),
        (status = 413, body = crate::api_error::ErrorBody)))]
async fn import_file(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(name): PathParams<String>,
    QueryParams(options): QueryParams<ImportOptions>,
    sent: SentFile,
) -> ApiResult<Imported> {
    let began = Instant::now();
    let name = Name::read(&name)?;
    let format = format_of(&options)?;
    let file: String = options.file.chars().take(200).collect();
    let reporter = ImportReporter::new(state.collection_cache.imports(&name), file, sent.length);
    let folder = state.folder.uploads();
    let upload = sent.receive(&folder, UPLOAD, |bytes| {
        reporter.change(|progress| (progress.stage, progress.bytes) = (ImportStage::Receiving, bytes));
    });
    let upload = upload.await?;
    // Only now, or a file that does not come would keep others waiting.
    reporter.change(|progress| progress.stage = ImportStage::Waiting);
    let closing = |_| ApiError::internal(message!("web.shutting-down"));
    let permit = state.collection_cache.importers.clone().acquire_owned().await.map_err(closing)?;
    let stop = Arc::new(AtomicBool::new(false));
    let _stop_guard = StopWhenDropped(stop.clone());
    let shared = state.clone();
    let done = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let watcher = ImportWatcher { reporter, stop, refusals: Vec::new(), language };
        import_upload(&shared, &name, &upload, format, options.game, watcher)
    });
    let mistake = |_| ApiError::internal(message!("web.import-failed"));
    let mut imported = done.await.map_err(mistake)??;
    imported.elapsed_ms = began.elapsed().as_secs_f64() * 1000.0;
    Ok(Json(imported))
}

fn format_of(options: &ImportOptions) -> Result<Option<Format>, ApiError> {
    match options.format.as_deref().filter(|name| !name.is_empty()) {
        None => Ok(Format::of_path(FilePath::new(&options.file))),
        Some(name) => Format::named(name).map(Some).ok_or_else(|| {
            let names: Vec<&str> = Format::names().collect();
            ApiError::bad_request(message!("web.unknown-import-format"))
                .hint(message!("web.formats.hint", known = names))
        }),
    }
}

fn import_upload(
    state: &AppState,
    name: &Name,
    upload: &Upload,
    format: Option<Format>,
    game: Option<String>,
    mut watcher: ImportWatcher,
) -> Result<Imported, ApiError> {
    watcher.reporter.change(|progress| progress.stage = ImportStage::Reading);
    let folder = state.folder.collections().join(name.as_str());
    let is_new = Manifest::read(&folder).is_err();
    let game = game_of(state, name, upload, format, game)?;
    let mut writer = state.collection_writer(name, &game)?;
    let failed = |error| collection_error(name, &error);
    let plan = ImportPlan { format, limits: Limits::for_uploads(), ..ImportPlan::default() };
    let report =
        import(&mut writer, std::slice::from_ref(&upload.path), plan, &mut watcher).map_err(failed)?;
    watcher.reporter.change(|progress| progress.stage = ImportStage::Merging);
    // Everything is committed already; merging only speeds up searches.
    while !watcher.wants_stop() && writer.merge_step().map_err(failed)? {}
    let n_games = writer.manifest().n_games();
    drop(writer);
    if is_new && n_games == 0 {
        // A file of something else leaves no empty collection behind; one that stays does no harm.
        let _ = remove_collection(&folder);
    }
    if report.n_too_large > 0 {
        return Err(unpacks_to_too_much(&report));
    }
    Ok(Imported {
        name: name.to_string(),
        game,
        read: report.n_added + report.n_known + report.n_refused,
        counts: ImportCounts::of(&report),
        refusals: watcher.refusals,
        games: n_games,
        elapsed_ms: 0.0,
    })
}

/// What is read before the limit stays, as it does when somebody hangs up.
fn unpacks_to_too_much(report: &ImportReport) -> ApiError {
    let what = match report.n_added {
        0 => message!("web.unpacked-too-large"),
        n => message!("web.unpacked-partly", n),
    };
    ApiError::too_large(what).hint(message!("web.unpacked-too-large.hint"))
}

/// The game of a collection that is there, else the one said, else what such files usually hold.
fn game_of(
    state: &AppState,
    name: &Name,
    upload: &Upload,
    format: Option<Format>,
    game: Option<String>,
) -> Result<String, ApiError> {
    if let Ok(manifest) = Manifest::read(&state.folder.collections().join(name.as_str())) {
        return Ok(game.unwrap_or(manifest.game));
    }
    if let Some(game) = game {
        return Ok(game);
    }
    match RecordFile::open(&upload.path, format, Limits::for_uploads()) {
        Ok(Some(file)) => Ok(file.default_game()),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            Err(unpacks_to_too_much(&ImportReport::default()))
        }
        Ok(None) | Err(_) => {
            let names: Vec<&str> = Format::names().collect();
            Err(ApiError::bad_request(message!("web.unknown-file-format"))
                .hint(message!("web.unknown-file-format.hint", names)))
        }
    }
}

/// Reports progress, and `Idle` when dropped.
struct ImportReporter(watch::Sender<ImportProgress>);

impl ImportReporter {
    fn new(sender: watch::Sender<ImportProgress>, file: String, of_bytes: Option<u64>) -> ImportReporter {
        let stage = ImportStage::Waiting;
        sender.send_replace(ImportProgress { stage, file, of_bytes, ..ImportProgress::default() });
        ImportReporter(sender)
    }

    fn change(&self, change: impl FnOnce(&mut ImportProgress)) {
        self.0.send_modify(change);
    }
}

impl Drop for ImportReporter {
    fn drop(&mut self) {
        self.change(|progress| progress.stage = ImportStage::Idle);
    }
}

struct ImportWatcher {
    reporter: ImportReporter,
    stop: Arc<AtomicBool>,
    refusals: Vec<RefusedRecord>,
    language: Language,
}

impl ImportObserver for ImportWatcher {
    fn rejected(&mut self, rejection: &Rejection) {
        if self.refusals.len() < MAX_REJECTIONS {
            let Rejection { game, line, what, .. } = rejection;
            let (text, code) = (what.text(self.language), what.code());
            self.refusals.push(RefusedRecord { game: *game, line: *line, what: text, code });
        }
    }

    fn progress(&mut self, report: &ImportReport, _: u64) {
        self.reporter.change(|progress| {
            (progress.added, progress.known, progress.refused) =
                (report.n_added, report.n_known, report.n_refused);
        });
    }

    fn wants_stop(&mut self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// How far imports into a collection are, as server-sent events; each is an `ImportProgress`.
#[utoipa::path(get, path = "/api/collections/{name}/import/events", params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = ImportProgress, content_type = "text/event-stream")))]
async fn events(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, ApiError> {
    let reporter = state.collection_cache.imports(&Name::read(&name)?).subscribe();
    let events = WatchStream::new(reporter)
        .map(|progress| Ok(Event::default().data(serde_json::to_string(&progress).unwrap_or_default())));
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}
