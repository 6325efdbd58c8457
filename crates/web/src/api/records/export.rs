//! Games as a file: those that a query finds, written while they are sent.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ashta_lab::report::csv_text;
use ashta_records::{Collection, Format, write_record};
use axum::body::{Body as Sent, Bytes};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::Stream;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::Shared;
use super::super::attachment::attachment;
use super::super::body::{Asked, Body, InPath};
use super::asked::asked;
use super::find::date_text;
use crate::data_folder::Name;
use crate::failure::Refusal;
use crate::laboratory::{Laboratory, StopWhenDropped};

/// Routes of exports.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(export, export_posted))
}

/// Bytes that are sent at a time.
const PIECE: usize = 1 << 16;
/// Pieces that wait for a slow reader.
const WAITING: usize = 4;

/// Which games, and how they are written.
#[derive(Deserialize, IntoParams, ToSchema, Debug)]
#[into_params(parameter_in = Query)]
struct ExportRequest {
    /// A query; every game where nothing is said.
    #[serde(default)]
    query: String,
    /// `pgn`, `usi`, `csa`, `kif`, `ki2`, `jkf`; or `csv` for a line of each hit.
    #[serde(default)]
    format: String,
}

#[derive(Clone, Copy)]
enum Form {
    Records(Format),
    Csv,
}

/// A format that records are written in.
pub fn written_format(name: &str) -> Result<Format, Refusal> {
    Format::named(name).filter(|format| format.is_written()).ok_or_else(|| {
        let known: Vec<&str> = Format::written_names().collect();
        Refusal::wrong(format!("records are not written as `{}`", name.chars().take(20).collect::<String>()))
            .hint(format!("formats are {}", known.join(", ")))
    })
}

/// Games as a file; a link can ask for it.
#[utoipa::path(get, path = "/api/collections/{name}/export", params(ExportRequest,
    ("name" = String, Path, description = "The collection")),
    responses((status = 200, body = String), (status = 400, body = crate::failure::RefusalBody)))]
async fn export(
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Asked(request): Asked<ExportRequest>,
) -> Result<Response, Refusal> {
    send(laboratory, name, request).await
}

/// Games as a file.
#[utoipa::path(post, path = "/api/collections/{name}/export", request_body = ExportRequest,
    params(("name" = String, Path, description = "The collection")),
    responses((status = 200, body = String), (status = 400, body = crate::failure::RefusalBody)))]
async fn export_posted(
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Body(request): Body<ExportRequest>,
) -> Result<Response, Refusal> {
    send(laboratory, name, request).await
}

async fn send(
    laboratory: Arc<Laboratory>,
    name: String,
    request: ExportRequest,
) -> Result<Response, Refusal> {
    let form = match request.format.as_str() {
        "csv" => Form::Csv,
        name => Form::Records(written_format(name)?),
    };
    let ending = if request.format == "csv" { "csv" } else { &request.format };
    let file = format!("{}.{ending}", Name::read(&name)?);
    let (sender, receiver) = mpsc::channel(WAITING);
    let (began, begun) = oneshot::channel();
    let stop = Arc::new(AtomicBool::new(false));
    let _left = StopWhenDropped(stop.clone());
    let export = Export { laboratory, name, query: request.query, form, sender, stop };
    let closing = |_| Refusal::unable("the laboratory is closing");
    let permit = export.laboratory.shelf.exporters.clone().acquire_owned().await.map_err(closing)?;
    tokio::task::spawn_blocking(move || {
        let _writing = permit;
        export.run(began);
    });
    begun.await.map_err(|_| Refusal::unable("the export could not begin"))??;
    Ok(as_file(&file, Sent::from_stream(Pieces(receiver))))
}

/// What is being written, as a stream.
struct Pieces(mpsc::Receiver<Result<Bytes, std::io::Error>>);

impl Stream for Pieces {
    type Item = Result<Bytes, std::io::Error>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

struct Export {
    laboratory: Arc<Laboratory>,
    name: String,
    query: String,
    form: Form,
    sender: mpsc::Sender<Result<Bytes, std::io::Error>>,
    /// Set when nobody waits for it to begin, and once it has begun: then whoever reads tells by reading.
    stop: Arc<AtomicBool>,
}

impl Export {
    /// Says whether it can be done before the first byte is sent; afterwards a failure can only break off.
    fn run(self, began: oneshot::Sender<Result<(), Refusal>>) {
        let written = self.write(began);
        if let Err(refusal) = written {
            let _ = self.sender.blocking_send(Err(std::io::Error::other(refusal.to_string())));
        }
    }

    fn write(&self, began: oneshot::Sender<Result<(), Refusal>>) -> Result<(), Refusal> {
        let prepare = || {
            let opened = self.laboratory.collection(&Name::read(&self.name)?)?;
            let collection = &opened.collection;
            let query = asked(&self.query, collection.rules().rules())?;
            let answer = collection.find_unless(&query, &self.stop)?;
            let lines: Vec<(usize, u16, u16)> = match self.form {
                Form::Csv => {
                    let places = answer.places();
                    places.map(|(first, _, run)| (first + run.game as usize, run.from, run.to)).collect()
                }
                Form::Records(_) => answer.games().into_iter().map(|game| (game, 0, 0)).collect(),
            };
            if let Some((game, from, to)) = lines.first() {
                self.write_one(collection, *game, *from, *to, &mut String::new())?;
            }
            Ok((opened.clone(), lines))
        };
        let (opened, lines) = match prepare() {
            Ok(prepared) => prepared,
            Err(refusal) => {
                let _ = began.send(Err(refusal));
                return Ok(());
            }
        };
        let _ = began.send(Ok(()));
        let mut text = match self.form {
            Form::Csv => csv_head(&opened.collection),
            Form::Records(_) => String::new(),
        };
        for (game, from, to) in lines {
            self.write_one(&opened.collection, game, from, to, &mut text)?;
            if text.len() >= PIECE && !self.pass_on(&mut text) {
                return Ok(());
            }
        }
        self.pass_on(&mut text);
        Ok(())
    }

    /// Whether anybody still reads.
    fn pass_on(&self, text: &mut String) -> bool {
        self.sender.blocking_send(Ok(std::mem::take(text).into())).is_ok()
    }

    fn write_one(
        &self,
        collection: &Collection,
        game: usize,
        from: u16,
        to: u16,
        text: &mut String,
    ) -> Result<(), Refusal> {
        match self.form {
            Form::Csv => csv_line(collection, game, from, to, text),
            Form::Records(format) => {
                let record = collection.record(game).map_err(|error| Refusal::unable(error.to_string()))?;
                write_record(format, &record.unwrap_or_default(), collection.rules(), text).map_err(|error| {
                    Refusal::wrong(format!("game {}: {error}", game + 1))
                        .hint("pgn and usi can write every game")
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
) -> Result<(), Refusal> {
    let record =
        collection.record(game).map_err(|error| Refusal::unable(error.to_string()))?.unwrap_or_default();
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
