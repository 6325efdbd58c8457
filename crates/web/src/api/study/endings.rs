//! Endings: which there are, their tables, what a position is worth, positions to practise.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ashta_messages::message;
use ashta_play::Random;
use ashta_position::{CompiledRules, Game};
use ashta_rules::Side;
use ashta_study::ending::{
    BuildError, EndingError, EndingMaterial, Endings, MAX_PIECES, check_game, draw_won,
};
use axum::Json;
use axum::extract::State;
use axum::response::sse::Sse;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::event_stream::{EventStream, stream_events};
use crate::api::SharedState;
use crate::api::extract::{JsonBody, PathParams};
use crate::api::position_spec::PositionSpec;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::{AppState, spawn_blocking};
use crate::request_language::RequestLanguage;
use crate::study_cache::ReadyEnding;
use crate::study_json::{self, EndingJson, ProbeJson};

/// Routes of endings.
pub fn routes() -> ApiRouter {
    routes![list, table, table_events, probe, practice]
}

/// Endings of a game to choose from.
#[derive(Serialize, ToSchema, Debug)]
struct EndingList {
    /// Why the game has no tables, if it has none.
    none: Option<String>,
    /// A royal piece with one or two others against a royal piece alone, strongest first.
    endings: Vec<EndingLine>,
}

/// An ending in a list.
#[derive(Serialize, ToSchema, Debug)]
struct EndingLine {
    /// `KBNK`.
    material: String,
    /// `king, bishop, knight against king`.
    words: String,
    /// Kinds of each side, by their places in the descriptor's `kinds`.
    sides: Vec<Vec<u8>>,
    /// Whether its table is there already.
    ready: bool,
}

/// Endings of a game to choose from.
#[utoipa::path(get, path = "/api/endings/{game}", params(("game" = String, Path, description = "a game, with changes")),
    responses((status = 200, body = EndingList)))]
async fn list(
    State(state): SharedState,
    RequestLanguage(language): RequestLanguage,
    PathParams(game): PathParams<String>,
) -> ApiResult<EndingList> {
    let rules = state.rules(&game)?;
    if let Err(error) = check_game(rules.rules()) {
        return Ok(Json(EndingList { none: Some(error.why.text(language)), endings: Vec::new() }));
    }
    let endings = Endings::new(&rules, Some(state.folder.endings()));
    let line = |material: &EndingMaterial| EndingLine {
        material: material.name(rules.rules()),
        words: material.words(rules.rules()),
        sides: [Side::FIRST, Side::SECOND].map(|side| kinds(material, side)).to_vec(),
        ready: endings.is_on_disk(material),
    };
    let lines = EndingMaterial::against_a_lone_royal(rules.rules()).iter().map(line).collect();
    Ok(Json(EndingList { none: None, endings: lines }))
}

fn kinds(material: &EndingMaterial, side: Side) -> Vec<u8> {
    material.side(side).iter().map(|kind| kind.0).collect()
}

/// An ending of a game.
#[derive(Clone, Deserialize, ToSchema, Debug)]
struct EndingSpec {
    /// A game, with changes.
    game: String,
    /// The men, such as `KBNK` or `KR v KN`, with the letters of the game.
    material: String,
}

impl EndingSpec {
    fn read(&self, state: &AppState) -> Result<(CompiledRules, EndingMaterial), ApiError> {
        let rules = state.rules(&self.game)?;
        check_game(rules.rules()).map_err(ApiError::bad_request)?;
        if self.material.len() > 64 {
            return Err(ApiError::bad_request(message!("web.ending-pieces", max = MAX_PIECES)));
        }
        let material = EndingMaterial::read(&self.material, rules.rules())
            .map_err(|error| ApiError::bad_request(error).hint(message!("web.ending-material.hint")))?;
        Ok((rules, material))
    }
}

/// The tables of a material: from the cache, from disk, or built now.
fn ready(
    state: &AppState,
    rules: &CompiledRules,
    material: &EndingMaterial,
    watch: &mut dyn FnMut(&str, u64, u64),
    stop: &AtomicBool,
) -> Result<Arc<ReadyEnding>, ApiError> {
    if let Some(endings) = state.study.endings(rules, material) {
        return Ok(endings);
    }
    let mut endings = Endings::new(rules, Some(state.folder.endings()));
    let mut tell = |progress: ashta_study::ending::BuildProgress<'_>| {
        watch(progress.name, progress.done, progress.total);
    };
    endings.prepare(material, &mut tell, stop).map_err(ending_error)?;
    Ok(state.study.keep_endings(material, endings))
}

fn ending_error(error: EndingError) -> ApiError {
    match &error {
        EndingError::Build(BuildError::UnsupportedEnding(why)) => ApiError::bad_request(why),
        EndingError::Build(BuildError::Stopped) => ApiError::internal(error),
        EndingError::Keep { error, .. } => ApiError::from_io(message!("web.table-not-saved", error), error),
    }
}

fn summary(ready: &ReadyEnding, material: &EndingMaterial) -> Result<EndingJson, ApiError> {
    ready.summary(material).ok_or_else(|| ApiError::internal(message!("web.table-gone")))
}

/// Statistics of an endgame table: positions won, longest win. The table is built if it is missing.
#[utoipa::path(post, path = "/api/endings/table", request_body = EndingSpec, responses((status = 200, body = EndingJson)))]
async fn table(State(state): SharedState, JsonBody(spec): JsonBody<EndingSpec>) -> ApiResult<EndingJson> {
    let (rules, material) = spec.read(&state)?;
    let shared = state.clone();
    let work = move |stop: &Arc<AtomicBool>| {
        let ready = ready(&shared, &rules, &material, &mut |_, _, _| (), stop)?;
        summary(&ready, &material)
    };
    Ok(Json(state.compute(work).await??))
}

/// The same as server-sent events: `progress` with the table that is made, then `done` or `refused`.
#[utoipa::path(post, path = "/api/endings/table/events", request_body = EndingSpec,
    responses((status = 200, body = String, content_type = "text/event-stream")))]
async fn table_events(
    State(state): SharedState,
    language: RequestLanguage,
    JsonBody(spec): JsonBody<EndingSpec>,
) -> Result<Sse<EventStream>, ApiError> {
    let (rules, material) = spec.read(&state)?;
    let shared = state.clone();
    Ok(stream_events(state, language, move |tell, stop| {
        let mut watch = |name: &str, done, total| {
            tell.progress(json!({ "material": name, "done": done, "total": total }));
        };
        let ready = ready(&shared, &rules, &material, &mut watch, stop)?;
        summary(&ready, &material)
    }))
}

/// What a position and each of its moves are worth. The table of its men is made if it is not there.
#[utoipa::path(post, path = "/api/endings/probe", request_body = PositionSpec, responses((status = 200, body = ProbeJson)))]
async fn probe(State(state): SharedState, JsonBody(spec): JsonBody<PositionSpec>) -> ApiResult<ProbeJson> {
    let game = spec.open(&state)?;
    let rules = state.rules(&spec.game)?;
    let material = material_of(&game)?;
    let what = material.name(rules.rules());
    let probed = match state.study.endings(&rules, &material) {
        Some(ready) => spawn_blocking(move || Ok(study_json::probe(&ready.endings, &game))).await?,
        None => {
            let shared = state.clone();
            let work = move |stop: &Arc<AtomicBool>| {
                let ready = ready(&shared, &rules, &material, &mut |_, _, _| (), stop)?;
                Ok::<_, ApiError>(study_json::probe(&ready.endings, &game))
            };
            state.compute(work).await??
        }
    };
    probed.map(Json).ok_or_else(|| ApiError::bad_request(message!("web.table-no-position", what)))
}

/// The men of a position; refuses those that no table can have.
fn material_of(game: &Game) -> Result<EndingMaterial, ApiError> {
    check_game(game.rules()).map_err(ApiError::bad_request)?;
    let n_men = game.rules().grid().squares().filter(|square| game.piece(*square).is_some()).count();
    if n_men > MAX_PIECES {
        Err(ApiError::bad_request(message!("web.position-pieces", n = n_men, max = MAX_PIECES))
            .hint(message!("web.position-pieces.hint")))
    } else {
        Ok(EndingMaterial::of(game))
    }
}

/// What is to be practised.
#[derive(Clone, Deserialize, ToSchema, Debug)]
struct PracticeSpec {
    #[serde(flatten)]
    ending: EndingSpec,
    /// The number that the position comes from: the same number, the same position.
    #[serde(default)]
    seed: u64,
}

/// A won position.
#[derive(Serialize, ToSchema, Debug)]
struct PracticePosition {
    /// The position; the side to move wins.
    position: String,
    /// Plies in which it can be won.
    plies: u16,
    /// The number that it came from.
    seed: u64,
}

/// A won position, each as likely as any other.
#[utoipa::path(post, path = "/api/endings/practice", request_body = PracticeSpec, responses((status = 200, body = PracticePosition)))]
async fn practice(
    State(state): SharedState,
    JsonBody(spec): JsonBody<PracticeSpec>,
) -> ApiResult<PracticePosition> {
    let (rules, material) = spec.ending.read(&state)?;
    let (shared, seed) = (state.clone(), spec.seed);
    let work = move |stop: &Arc<AtomicBool>| {
        let ready = ready(&shared, &rules, &material, &mut |_, _, _| (), stop)?;
        let mut random = Random::of_game(seed, 0, 0);
        let drawn = [Side::FIRST, Side::SECOND]
            .into_iter()
            .find_map(|side| draw_won(&ready.endings, &material, side, &mut random));
        let name = material.name(rules.rules());
        let game = drawn.ok_or_else(|| ApiError::conflict(message!("web.ending-drawn", name)))?;
        let plies =
            study_json::probe(&ready.endings, &game).and_then(|probed| probed.worth.plies).unwrap_or(0);
        Ok::<_, ApiError>(PracticePosition { position: game.text(), plies, seed })
    };
    Ok(Json(state.compute(work).await??))
}
