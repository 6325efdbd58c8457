//! A survey of a collection: its numbers, and series to draw.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ashta_messages::message;
use ashta_records::{Collection, Query as RecordQuery, Survey, survey};
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::SharedState;
use super::super::extract::{PathParams, QueryParams};
use super::super::position_view::WrittenMove;
use super::diagram::{Diagram, game_at};
use super::export::as_file;
use super::survey_counts::{LengthCount, ResultCounts, YearCount, count};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, english};
use crate::collection_cache::OpenCollection;
use crate::data_folder::Name;
use crate::records_json::{NextLine, OccurrenceLine, RecordedPlayer, SurveyCounts};

/// Routes of surveys.
pub fn routes() -> ApiRouter {
    routes![surveyed]
}

/// Frequent positions that are listed.
const N_FREQUENT: usize = 100;
/// Players that are listed.
const N_PLAYERS: usize = 20;
/// First moves that are listed.
const N_FIRST: usize = 12;

#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct SurveyParams {
    /// `json`, or `csv` for the curve of growth.
    #[serde(default)]
    format: String,
}

/// What a survey found.
#[derive(Serialize, ToSchema, Debug)]
struct SurveyBody {
    #[serde(flatten)]
    counts: SurveyCounts,
    /// The most frequent positions.
    frequent: Vec<FrequentLine>,
    /// Results of all games.
    results: ResultCounts,
    /// Games by length.
    lengths: Vec<LengthCount>,
    /// Games by year, where dates are known.
    years: Vec<YearCount>,
    /// Who played most.
    players: Vec<RecordedPlayer>,
    /// The first moves, the most frequent first.
    first_moves: Vec<NextLine>,
}

/// A position that occurred often.
#[derive(Serialize, ToSchema, Debug)]
struct FrequentLine {
    /// How often.
    count: u64,
    /// Moves that lead there.
    moves: Vec<WrittenMove>,
    diagram: Diagram,
}

/// Surveys a collection: positions different and repeated, growth, lengths, results, years, players, first moves.
#[utoipa::path(get, path = "/api/collections/{name}/survey", params(SurveyParams, ("name" = String, Path, description = "The collection")),
    responses((status = 200, body = SurveyBody), (status = 404, body = crate::api_error::ErrorBody)))]
async fn surveyed(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    QueryParams(params): QueryParams<SurveyParams>,
) -> Result<Response, ApiError> {
    let name = Name::read(&name)?;
    let closing = |_| ApiError::internal(message!("web.shutting-down"));
    let permit = state.collection_cache.surveyors.clone().acquire_owned().await.map_err(closing)?;
    let file = format!("{name}-growth.csv");
    let done = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let opened = state.collection(&name)?;
        cached_survey(&opened)
    });
    let json = done.await.map_err(|_| ApiError::internal(message!("web.survey-failed")))??;
    match params.format.as_str() {
        "" | "json" => Ok(([(CONTENT_TYPE, "application/json")], json.to_string()).into_response()),
        "csv" => Ok(as_file(&file, growth_csv(&json)?.into())),
        _ => Err(ApiError::bad_request(message!("web.survey-format"))),
    }
}

fn cached_survey(opened: &OpenCollection) -> Result<Arc<str>, ApiError> {
    if let Some(cached) = opened.survey.get() {
        return Ok(cached.clone());
    }
    let survey_body = make(&opened.collection)?;
    let json = serde_json::to_string(&survey_body).map_err(|error| ApiError::internal(english(&error)))?;
    Ok(opened.survey.get_or_init(|| json.into()).clone())
}

fn make(collection: &Collection) -> Result<SurveyBody, ApiError> {
    let found = survey(collection, N_FREQUENT, &mut |_| {})?;
    let counts = count(collection)?;
    let players = collection.players(&RecordQuery::All(Vec::new()), &AtomicBool::new(false))?;
    let by_occurrence = occurrences(&found);
    Ok(SurveyBody {
        counts: SurveyCounts::of(&found, by_occurrence),
        frequent: frequent(collection, &found)?,
        results: counts.results,
        lengths: counts.lengths,
        years: counts.years,
        players: players.iter().take(N_PLAYERS).map(RecordedPlayer::of).collect(),
        first_moves: first_moves(collection)?,
    })
}

/// One, two, three to four, five to eight times, and so on.
fn occurrences(found: &Survey) -> Vec<OccurrenceLine> {
    let mut lines = Vec::new();
    let (mut from, mut to) = (1u64, 1u64);
    let largest = found.by_occurrence.keys().next_back().copied().unwrap_or(0);
    while from <= largest {
        let positions = found.by_occurrence.range(from..=to).map(|(_, n)| n).sum();
        lines.push(OccurrenceLine { from, to, positions });
        (from, to) = (to + 1, to * 2);
    }
    lines
}

fn frequent(collection: &Collection, found: &Survey) -> Result<Vec<FrequentLine>, ApiError> {
    let mut lines = Vec::new();
    for position in &found.frequent {
        let gone = || ApiError::internal(message!("web.games-gone"));
        let reached = game_at(collection, position.game, usize::from(position.ply))?.ok_or_else(gone)?;
        let mut playing = game_at(collection, position.game, 0)?.ok_or_else(gone)?;
        let mut moves = Vec::new();
        for (ply, mv) in reached.moves().into_iter().enumerate() {
            moves.push(WrittenMove::of(&playing, mv, ply as u32 + 1));
            playing.play_unchecked(mv);
        }
        lines.push(FrequentLine { count: position.n, moves, diagram: Diagram::of(&reached) });
    }
    Ok(lines)
}

fn first_moves(collection: &Collection) -> Result<Vec<NextLine>, ApiError> {
    let start = ashta_position::Game::start(collection.rules());
    let explored = collection.explore(&RecordQuery::position(&start))?;
    let n_sides = start.rules().sides().len();
    let lines = explored.moves.iter().take(N_FIRST).map(|next| {
        let written = next.mv.map(|mv| WrittenMove::of(&start, mv, 1));
        NextLine::of(next, written, explored.n_positions, n_sides)
    });
    Ok(lines.collect())
}

fn growth_csv(json: &str) -> Result<String, ApiError> {
    let read: serde_json::Value =
        serde_json::from_str(json).map_err(|error| ApiError::internal(english(&error)))?;
    let mut text = String::from("games,positions,distinct,repeated_share\n");
    for point in read["growth"].as_array().into_iter().flatten() {
        let cells = ["games", "positions", "distinct", "repeated_share"].map(|name| point[name].to_string());
        text += &cells.join(",");
        text.push('\n');
    }
    Ok(text)
}
