//! One game of a collection: its record, its positions, as a file.

use ashta_messages::message;
use ashta_position::Game;
use ashta_records::{Collection, Format, GameRecord, write_record};
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::SharedState;
use super::super::extract::{PathParams, QueryParams};
use super::super::move_tree::MoveTree;
use super::super::position_view::PositionView;
use super::diagram::game_at;
use super::export::{as_file, written_format};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};

/// Routes of games.
pub fn routes() -> ApiRouter {
    routes![game, ply, file]
}

/// A recorded game.
#[derive(Serialize, ToSchema, Debug)]
struct RecordedGame {
    /// Its number, from 1.
    number: usize,
    /// The game that is played.
    game: String,
    /// What is known of it, names and values in the order of the record.
    tags: Vec<(String, String)>,
    /// The players, in order of moving.
    players: Vec<Option<String>>,
    /// `1-0`, `0-1`, `1/2-1/2`, `*`.
    result: String,
    /// The position that it starts from, unless it is the start of the game.
    start: Option<String>,
    /// All moves with variations and comments.
    tree: MoveTree,
    /// Formats that it can be written in.
    formats: Vec<String>,
    /// The position at the requested ply.
    position_view: PositionView,
}

#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct AtPly {
    /// Plies from the start; default: the end.
    ply: Option<String>,
}

#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct AsFile {
    /// `pgn`, `usi`, `csa`, `kif`, `ki2` or `jkf`.
    #[serde(default)]
    format: String,
}

/// A number of a request.
fn parse_number(text: &str) -> Result<usize, ApiError> {
    let shown: String = text.chars().take(20).collect();
    text.parse().map_err(|_| ApiError::bad_request(message!("web.not-a-number", shown)))
}

/// The record of a game, by its number from 1.
fn record(collection: &Collection, number: usize) -> Result<GameRecord, ApiError> {
    let at = number.checked_sub(1).filter(|at| *at < collection.n_games());
    let none = || {
        let hint = match collection.n_games() {
            0 => message!("web.empty-collection"),
            n => message!("web.game-numbers", n),
        };
        ApiError::not_found(message!("web.no-game-number", number)).hint(hint)
    };
    let found = collection.record(at.ok_or_else(none)?);
    found.map_err(ApiError::internal)?.ok_or_else(none)
}

fn view_at(collection: &Collection, number: usize, ply: usize) -> Result<PositionView, ApiError> {
    let gone = || ApiError::internal(message!("web.game-gone", number));
    let game = game_at(collection, number - 1, ply)?.ok_or_else(gone)?;
    Ok(PositionView::of(&game, Vec::new()))
}

/// A game record and its position at a ply.
#[utoipa::path(get, path = "/api/collections/{name}/games/{number}", params(AtPly,
    ("name" = String, Path, description = "The collection"), ("number" = usize, Path, description = "The game, from 1")),
    responses((status = 200, body = RecordedGame), (status = 404, body = crate::api_error::ErrorBody)))]
async fn game(
    State(state): SharedState,
    PathParams((name, number)): PathParams<(String, String)>,
    QueryParams(at): QueryParams<AtPly>,
) -> ApiResult<RecordedGame> {
    let (number, at) = (parse_number(&number)?, at.ply.as_deref().map(parse_number).transpose()?);
    let found = state.search(&name, move |opened, _| {
        let collection = &opened.collection;
        let record = record(collection, number)?;
        let mut playing = record.begin(collection.rules()).map_err(ApiError::internal)?;
        let formats = formats(&record, &playing, collection);
        let tree = MoveTree::of(&record, &mut playing);
        let n_sides = collection.rules().rules().sides().len();
        let sides = (0..n_sides as u8).map(ashta_rules::Side);
        Ok(RecordedGame {
            number,
            game: collection.manifest().game.clone(),
            tags: record.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect(),
            players: sides.map(|side| record.player(side).map(str::to_string)).collect(),
            result: record.result.text(),
            start: record.start.clone(),
            tree,
            formats,
            position_view: view_at(collection, number, at.unwrap_or(usize::MAX))?,
        })
    });
    Ok(Json(found.await?))
}

/// Formats that have words for the game, tried on its first moves.
fn formats(record: &GameRecord, begun: &Game, collection: &Collection) -> Vec<String> {
    let moves = record.moves.iter().take(1).copied().collect();
    let mut short = GameRecord { moves, ..GameRecord::default() };
    short.set_start(begun);
    let fits = |format: &&str| {
        written_format(format)
            .is_ok_and(|format| write_record(format, &short, collection.rules(), &mut String::new()).is_ok())
    };
    Format::names().filter(fits).map(str::to_string).collect()
}

/// The position of a recorded game after so many plies.
#[utoipa::path(get, path = "/api/collections/{name}/games/{number}/plies/{ply}", params(
    ("name" = String, Path, description = "The collection"), ("number" = usize, Path, description = "The game, from 1"),
    ("ply" = usize, Path, description = "Plies from the start")),
    responses((status = 200, body = PositionView), (status = 404, body = crate::api_error::ErrorBody)))]
async fn ply(
    State(state): SharedState,
    PathParams((name, number, ply)): PathParams<(String, String, String)>,
) -> ApiResult<PositionView> {
    let (number, ply) = (parse_number(&number)?, parse_number(&ply)?);
    let found = state.search(&name, move |opened, _| {
        record(&opened.collection, number)?;
        view_at(&opened.collection, number, ply)
    });
    Ok(Json(found.await?))
}

/// A game as a file.
#[utoipa::path(get, path = "/api/collections/{name}/games/{number}/file", params(AsFile,
    ("name" = String, Path, description = "The collection"), ("number" = usize, Path, description = "The game, from 1")),
    responses((status = 200, body = String), (status = 404, body = crate::api_error::ErrorBody)))]
async fn file(
    State(state): SharedState,
    PathParams((name, number)): PathParams<(String, String)>,
    QueryParams(wanted): QueryParams<AsFile>,
) -> Result<Response, ApiError> {
    let number = parse_number(&number)?;
    let format = written_format(&wanted.format)?;
    let text = state.search(&name, move |opened, _| {
        let mut text = String::new();
        let record = record(&opened.collection, number)?;
        write_record(format, &record, opened.collection.rules(), &mut text)
            .map_err(|error| ApiError::bad_request(error).hint(message!("web.game-error.hint")))?;
        Ok(text)
    });
    Ok(as_file(&format!("{name}-{number}.{}", format.name()), text.await?.into()))
}
