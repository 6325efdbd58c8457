//! Games as a file: those that a query finds, written while they are sent.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ashta_lab::report::csv_text;
use ashta_messages::message;
use ashta_records::{Collection, Format, write_record};
use axum::body::{Body as Sent, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::Stream;
use utoipa::{IntoParams, ToSchema};

use super::super::SharedState;
use super::super::attachment::attachment;
use super::super::extract::{JsonBody, PathParams, QueryParams};
use super::query_text::parse_query;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::ApiError;
use crate::app_state::{AppState, StopWhenDropped};
use crate::data_folder::Name;
use crate::records_json::date_text;

/// Routes of exports.
pub fn routes() -> ApiRouter {
    routes![export, export_posted]
}

/// Bytes that are sent at a time.
const CHUNK_BYTES: usize = 1 << 16;
/// Pieces that wait for a slow reader.
const MAX_PENDING_CHUNKS: usize = 4;

/// Which games, and how they are written.
#[derive(Deserialize, IntoParams, ToSchema, Debug)]
#[into_params(parameter_in = Query)]
struct ExportRequest {
    /// A query; default: every game.
    #[serde(default)]
    query: String,
    /// `pgn`, `usi`, `csa`, `kif`, `ki2`, `jkf`; or `csv` for a line of each hit.
    #[serde(default)]
    format: String,
}

#[derive(Clone, Copy)]
enum ExportFormat {
    Records(Format),
    Csv,
}

/// A format that records are written in.
pub fn written_format(name: &str) -> Result<Format, ApiError> {
    Format::named(name).filter(|format| format.is_written()).ok_or_else(|| {
        let known: Vec<&str> = Format::written_names().collect();
        ApiError::bad_request(message!(
            "web.no-export-format",
            name = name.chars().take(20).collect::<String>()
        ))
        .hint(message!("web.formats.hint", known))
    })
}

/// Games as a file; a link can ask for it.
#[utoipa::path(get, path = "/api/collections/{name}/export", params(ExportRequest,
    ("name" = String, Path, description = "The collection")),
    responses((status = 200, body = String), (status = 400, body = crate::api_error::ErrorBody)))]
async fn export(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    QueryParams(request): QueryParams<ExportRequest>,
) -> Result<Response, ApiError> {
    send(state, name, request).await
}

/// Games as a file.
#[utoipa::path(post, path = "/api/collections/{name}/export", request_body = ExportRequest,
    params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = String), (status = 400, body = crate::api_error::ErrorBody)))]
async fn export_posted(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<ExportRequest>,
) -> Result<Response, ApiError> {
    send(state, name, request).await
}

async fn send(state: Arc<AppState>, name: String, request: ExportRequest) -> Result<Response, ApiError> {
    let export_format = match request.format.as_str() {
        "csv" => ExportFormat::Csv,
        name => ExportFormat::Records(written_format(name)?),
    };
    let ending = if request.format == "csv" { "csv" } else { &request.format };
    let file = format!("{}.{ending}", Name::read(&name)?);
    let (sender, receiver) = mpsc::channel(MAX_PENDING_CHUNKS);
    let (began, begun) = oneshot::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let _stop_guard = StopWhenDropped(stop.clone());
    let export = Export { state, name, query: request.query, export_format, sender, stop };
    let closing = |_| ApiError::internal(message!("web.shutting-down"));
    let permit = export.state.collection_cache.exporters.clone().acquire_owned().await.map_err(closing)?;
    tokio::task::spawn_blocking(move || {
        let _permit = permit;
        export.run(began);
    });
    begun.await.map_err(|_| ApiError::internal(message!("web.export-failed")))??;
    Ok(as_file(&file, Sent::from_stream(ChunkStream(receiver))))
}

/// What is being written, as a stream.
struct ChunkStream(mpsc::Receiver<Result<Bytes, std::io::Error>>);

impl Stream for ChunkStream {
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

struct Export {
    state: Arc<AppState>,
    name: String,
    query: String,
    export_format: ExportFormat,
    sender: mpsc::Sender<Result<Bytes, std::io::Error>>,
    /// Set when the request ends before the first byte; later a disconnect closes the channel instead.
    stop: Arc<AtomicBool>,
}

impl Export {
    /// Says whether it can be done before the first byte is sent; afterwards a failure can only break off.
    fn run(self, began: oneshot::Sender<Result<(), ApiError>>) {
        let written = self.write(began);
        if let Err(api_error) = written {
            let _ = self.sender.blocking_send(Err(std::io::Error::other(api_error.to_string())));
        }
    }

    fn write(&self, began: oneshot::Sender<Result<(), ApiError>>) -> Result<(), ApiError> {
        let prepare = || {
            let opened = self.state.collection(&Name::read(&self.name)?)?;
            let collection = &opened.collection;
            let query = parse_query(&self.query, collection.rules().rules())?;
            let answer = collection.find_unless(&query, &self.stop)?;
            let lines: Vec<(usize, u16, u16)> = match self.export_format {
                ExportFormat::Csv => {
                    let places = answer.intervals();
                    places.map(|(first, _, run)| (first + run.game as usize, run.from, run.to)).collect()
                }
                ExportFormat::Records(_) => answer.games().into_iter().map(|game| (game, 0, 0)).collect(),
            };
            if let Some((game, from, to)) = lines.first() {
                self.write_one(collection, *game, *from, *to, &mut String::new())?;
            }
            Ok((opened.clone(), lines))
        };
        let (opened, lines) = match prepare() {
            Ok(prepared) => prepared,
            Err(api_error) => {
                let _ = began.send(Err(api_error));
                return Ok(());
            }
        };
        let _ = began.send(Ok(()));
        let mut text = match self.export_format {
            ExportFormat::Csv => csv_head(&opened.collection),
            ExportFormat::Records(_) => String::new(),
        };
        for (game, from, to) in lines {
            self.write_one(&opened.collection, game, from, to, &mut text)?;
            if text.len() >= CHUNK_BYTES && !self.send_chunk(&mut text) {
                return Ok(());
            }
        }
        self.send_chunk(&mut text);
        Ok(())
    }

    /// Whether anybody still reads.
    fn send_chunk(&self, text: &mut String) -> bool {
        self.sender.blocking_send(Ok(std::mem::take(text).into())).is_ok()
    }

    fn write_one(
        &self,
        collection: &Collection,
        game: usize,
        from: u16,
        to: u16,
        text: &mut String,
    ) -> Result<(), ApiError> {
        match self.export_format {
            ExportFormat::Csv => csv_line(collection, game, from, to, text),
            ExportFormat::Records(format) => {
                let record = collection.record(game).map_err(ApiError::internal)?;
                write_record(format, &record.unwrap_or_default(), collection.rules(), text).map_err(|error| {
                    ApiError::bad_request(message!("web.game-error", number = game + 1, error))
                        .hint(message!("web.game-error.hint"))
                })
            }
        }
    }
}

fn csv_head(collection: &Collection) -> String {
    let sides = collection.rules().rules().sides();
    let players: Vec<String> = sides.iter().map(|side| csv_text(&side.name.to_lowercase())).collect();
    format!("game,first_ply,last_ply,{},date,event,result,plies\n", players.join(","))
}

fn csv_line(
    collection: &Collection,
    game: usize,
    from: u16,
    to: u16,
    text: &mut String,
) -> Result<(), ApiError> {
    let record = collection.record(game).map_err(ApiError::internal)?.unwrap_or_default();
    let mut cells = vec![(game + 1).to_string(), from.to_string(), to.saturating_sub(1).to_string()];
    for side in 0..collection.rules().rules().sides().len() as u8 {
        cells.push(csv_text(record.player(ashta_rules::Side(side)).unwrap_or_default()));
    }
    let date = record.tags.get(ashta_records::tag::DATE).and_then(ashta_records::record::date_number);
    cells.push(date.and_then(date_text).unwrap_or_default());
    cells.push(csv_text(record.tags.get(ashta_records::tag::EVENT).unwrap_or_default()));
    cells.extend([record.result.text(), record.moves.len().to_string()]);
    *text += &cells.join(",");
    text.push('\n');
    Ok(())
}

/// An answer that browsers save under a name.
pub fn as_file(name: &str, body: Sent) -> Response {
    let kind = if name.ends_with(".csv") { "text/csv; charset=utf-8" } else { "text/plain; charset=utf-8" };
    (attachment(name, kind), body).into_response()
}
