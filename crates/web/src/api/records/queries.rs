//! Saved queries: name, game, text.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use ashta_messages::message;
use ashta_records::read_query;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::SharedState;
use super::super::extract::{JsonBody, PathParams};
use super::list::Done;
use super::query_text::parse_query;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult, english};
use crate::app_state::AppState;
use ashta_records::write_atomic;

pub fn routes() -> ApiRouter {
    routes![list, keep, forget]
}

/// Longest name of a query, in characters; it is no path, so any words will do.
const MAX_CHARACTERS: usize = 80;
/// Most queries.
const MAX_QUERIES: usize = 1000;

/// A saved query.
#[derive(Serialize, ToSchema, Debug)]
struct SavedQueryLine {
    name: String,
    /// The game that it is about.
    game: String,
    /// The query.
    text: String,
}

/// A query to save.
#[derive(Clone, Serialize, Deserialize, ToSchema, Debug)]
struct SavedQuery {
    /// The game that it is about.
    game: String,
    /// The query.
    text: String,
}

type All = BTreeMap<String, SavedQuery>;

fn read(state: &AppState) -> Result<All, ApiError> {
    let path = state.folder.queries();
    match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(All::new()),
        Err(error) => Err(error.into()),
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
            ApiError::internal(message!("web.queries-unreadable", error = error.to_string()))
                .hint(message!("web.queries-unreadable.hint", path))
        }),
    }
}

fn change(state: &AppState, change: impl FnOnce(&mut All) -> Result<(), ApiError>) -> Result<(), ApiError> {
    let _changing = state.collection_cache.queries.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all = read(state)?;
    change(&mut all)?;
    let text = serde_json::to_vec_pretty(&all).map_err(|error| ApiError::internal(english(&error)))?;
    Ok(write_atomic(&state.folder.queries(), text)?)
}

/// All saved queries.
#[utoipa::path(get, path = "/api/queries", responses((status = 200, body = Vec<SavedQueryLine>)))]
async fn list(State(state): SharedState) -> ApiResult<Vec<SavedQueryLine>> {
    let all = read(&state)?.into_iter();
    Ok(Json(all.map(|(name, SavedQuery { game, text })| SavedQueryLine { name, game, text }).collect()))
}

/// Saves a query under a name, replacing an older one.
#[utoipa::path(put, path = "/api/queries/{name}", request_body = SavedQuery, params(("name" = String, Path, description = "Any words")),
    responses((status = 200, body = Done), (status = 400, body = crate::api_error::ErrorBody)))]
async fn keep(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(saved): JsonBody<SavedQuery>,
) -> ApiResult<Done> {
    let name = name.trim().to_string();
    if name.is_empty() || name.chars().count() > MAX_CHARACTERS || name.chars().any(char::is_control) {
        return Err(ApiError::bad_request(message!("web.query-name", max = MAX_CHARACTERS)));
    }
    let rules = state.rules(&saved.game)?;
    parse_query(&saved.text, rules.rules())?;
    read_query(&saved.text, rules.rules()).map_err(|error| ApiError::bad_request(error.what))?;
    change(&state, |all| {
        if all.len() >= MAX_QUERIES && !all.contains_key(&name) {
            return Err(ApiError::conflict(message!("web.too-many-queries", max = MAX_QUERIES))
                .hint(message!("web.too-many-queries.hint")));
        }
        all.insert(name.clone(), saved);
        Ok(())
    })?;
    Ok(Json(Done { name }))
}

/// Deletes a saved query.
#[utoipa::path(delete, path = "/api/queries/{name}", params(("name" = String, Path, description = "Its name")),
    responses((status = 200, body = Done), (status = 404, body = crate::api_error::ErrorBody)))]
async fn forget(State(state): SharedState, PathParams(name): PathParams<String>) -> ApiResult<Done> {
    change(&state, |all| match all.remove(&name) {
        Some(_) => Ok(()),
        None => Err(ApiError::not_found(message!("web.no-query", name))),
    })?;
    Ok(Json(Done { name }))
}
