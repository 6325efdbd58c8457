//! What can be chosen: published experiments, evolutions, players, measures, conventions, tables of values.

use std::fs;

use ashta_lab::learn::{learning_names, published_learning};
use ashta_lab::matches::{match_names, published_match, value_table_names};
use ashta_lab::{
    Evolution, Measure, Preset, evolution_names, evolution_source, experiment_names, published_experiment,
};
use ashta_messages::message;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::SharedState;
use super::extract::{JsonBody, PathParams};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::data_folder::{DataFolder, Name};
use ashta_records::write_atomic;

/// Routes of the catalogue and of tables of values.
pub fn routes() -> ApiRouter {
    routes![catalogue, list_values, one_table, put_table, forget_table]
}

/// What can be chosen.
#[derive(Serialize, ToSchema, Debug)]
struct Catalogue {
    /// Published experiments that `reproduce` repeats.
    experiments: Vec<ExperimentLine>,
    /// Ways from an old game to a new one.
    evolutions: Vec<EvolutionLine>,
    /// Measures that are one number.
    measures: Vec<MeasureLine>,
    /// Conventions by name.
    presets: Vec<&'static str>,
    /// Players worth offering; `help analyze` in a terminal says what each does.
    players: Vec<&'static str>,
    /// Tables of values that the program has.
    tables: Vec<&'static str>,
}

/// A published experiment.
#[derive(Serialize, ToSchema, Debug)]
struct ExperimentLine {
    /// `000-table7`.
    name: &'static str,
    /// What it is.
    title: String,
    /// `analysis`, `learning` or `match`.
    sort: &'static str,
    /// Games that the paper played for each figure.
    n_games: u32,
}

/// A way from an old game to a new one.
#[derive(Serialize, ToSchema, Debug)]
struct EvolutionLine {
    /// `shatranj-to-chess`.
    name: &'static str,
    /// What it is.
    title: String,
    /// How many games lie on the way.
    n_cells: usize,
    /// Games of each, unless said otherwise.
    n_games: u32,
    /// Who plays, unless said otherwise.
    player: String,
}

/// A measure.
#[derive(Serialize, ToSchema, Debug)]
struct MeasureLine {
    /// `E`.
    symbol: &'static str,
    /// What it is, in words, with its unit.
    words: String,
    /// Whether it is a share of games, best shown in percent.
    is_share: bool,
}

const PLAYERS: [&str; 16] = [
    "P0",
    "P1",
    "P2",
    "P3",
    "P4",
    "P'1",
    "P'2",
    "P'3",
    "A2(5)",
    "A3(3)",
    "level:1",
    "level:2",
    "level:3",
    "level:5",
    "baba:2",
    "nodes:1000",
];

/// Everything that forms offer.
#[utoipa::path(get, path = "/api/catalogue", tag = "catalogue", responses((status = 200, body = Catalogue)))]
async fn catalogue() -> ApiResult<Catalogue> {
    let measure = |measure: Measure| MeasureLine {
        symbol: measure.symbol(),
        words: measure.words().to_string(),
        is_share: measure.is_share(),
    };
    Ok(Json(Catalogue {
        experiments: experiments(),
        evolutions: evolution_names().into_iter().filter_map(evolution).collect(),
        measures: Measure::ALL.map(measure).into(),
        presets: Preset::ALL.map(Preset::name).into(),
        players: PLAYERS.into(),
        tables: value_table_names(),
    }))
}

fn experiments() -> Vec<ExperimentLine> {
    let analyses = experiment_names().into_iter().filter_map(|name| {
        let published = published_experiment(name)?;
        Some(ExperimentLine {
            name,
            title: published.title.english().to_string(),
            sort: "analysis",
            n_games: published.games_each,
        })
    });
    let learning = learning_names().into_iter().filter_map(|name| {
        let published = published_learning(name)?;
        Some(ExperimentLine {
            name,
            title: published.title.english().to_string(),
            sort: "learning",
            n_games: published.games_each,
        })
    });
    let matches = match_names().into_iter().filter_map(|name| {
        let published = published_match(name)?;
        Some(ExperimentLine {
            name,
            title: published.title.english().to_string(),
            sort: "match",
            n_games: 2 * published.pairs,
        })
    });
    let mut all: Vec<ExperimentLine> = analyses.chain(learning).chain(matches).collect();
    all.sort_by_key(|line| line.name);
    all
}

fn evolution(name: &'static str) -> Option<EvolutionLine> {
    let evolution = Evolution::read(evolution_source(name)?).ok()?;
    Some(EvolutionLine {
        name,
        n_cells: evolution.n_cells() as usize,
        n_games: evolution.games,
        player: evolution.player,
        title: evolution.title.english().to_string(),
    })
}

/// A table of values.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
struct ValueTable {
    /// Lines `piece = number`.
    text: String,
}

/// Longest table, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The names of the tables of values that were learned or written here.
#[utoipa::path(get, path = "/api/values", tag = "catalogue", responses((status = 200, body = Vec<String>)))]
async fn list_values(State(state): SharedState) -> ApiResult<Vec<String>> {
    let names = DataFolder::names(&state.folder.values(), ".values")?;
    Ok(Json(names.iter().map(Name::to_string).collect()))
}

/// A table of values.
#[utoipa::path(get, path = "/api/values/{name}", params(("name" = String, Path, description = "What the values are called")), tag = "catalogue", responses((status = 200, body = ValueTable)))]
async fn one_table(State(state): SharedState, PathParams(name): PathParams<String>) -> ApiResult<ValueTable> {
    let text =
        fs::read_to_string(state.folder.values_file(&Name::read(&name)?)).map_err(|_| no_table(&name))?;
    Ok(Json(ValueTable { text }))
}

/// Writes a table of values: weights that were learned, to be played with, or one's own.
#[utoipa::path(put, path = "/api/values/{name}", params(("name" = String, Path, description = "What the values are called")), tag = "catalogue", request_body = ValueTable, responses((status = 200)))]
async fn put_table(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(table): JsonBody<ValueTable>,
) -> ApiResult<()> {
    let path = state.folder.values_file(&Name::read(&name)?);
    if value_table_names().contains(&name.as_str()) {
        return Err(
            ApiError::conflict(message!("web.built-in-values", name)).hint(message!("web.choose-name"))
        );
    }
    if table.text.len() > MAX_BYTES {
        return Err(ApiError::bad_request(message!("web.values-too-large")));
    }
    Ok(Json(write_atomic(&path, table.text)?))
}

/// Forgets a table of values.
#[utoipa::path(delete, path = "/api/values/{name}", params(("name" = String, Path, description = "What the values are called")), tag = "catalogue", responses((status = 200)))]
async fn forget_table(State(state): SharedState, PathParams(name): PathParams<String>) -> ApiResult<()> {
    fs::remove_file(state.folder.values_file(&Name::read(&name)?)).map_err(|_| no_table(&name))?;
    Ok(Json(()))
}

fn no_table(name: &str) -> ApiError {
    ApiError::not_found(message!("web.no-values", name))
}
