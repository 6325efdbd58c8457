//! Queries that were kept: a name, the game that they are about, the text.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use ashta_records::read_query;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::super::Shared;
use super::super::body::{Body, InPath};
use super::asked::asked;
use super::list::Done;
use crate::failure::{Answer, Refusal};
use crate::laboratory::Laboratory;
use ashta_records::write_atomic;

/// Routes of kept queries.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(keep, forget))
}

/// Longest name of a query, in characters; it is no path, so any words will do.
const MOST_CHARACTERS: usize = 80;
/// Most queries.
const MOST_QUERIES: usize = 1000;

/// A query that was kept.
#[derive(Serialize, ToSchema, Debug)]
struct KeptLine {
    /// Its name.
    name: String,
    /// The game that it is about.
    game: String,
    /// The query.
    text: String,
}

/// A query to keep.
#[derive(Clone, Serialize, Deserialize, ToSchema, Debug)]
struct KeptQuery {
    /// The game that it is about.
    game: String,
    /// The query.
    text: String,
}

type All = BTreeMap<String, KeptQuery>;

fn read(laboratory: &Laboratory) -> Result<All, Refusal> {
    let path = laboratory.folder.queries();
    match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(All::new()),
        Err(error) => Err(error.into()),
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
            Refusal::unable(format!("the queries that were kept cannot be read: {error}"))
                .hint(format!("mend or remove {}", path.display()))
        }),
    }
}

fn change(
    laboratory: &Laboratory,
    change: impl FnOnce(&mut All) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let _changing = laboratory.shelf.queries.lock().unwrap_or_else(PoisonError::into_inner);
    let mut all = read(laboratory)?;
    change(&mut all)?;
    let text = serde_json::to_vec_pretty(&all).map_err(|error| Refusal::unable(error.to_string()))?;
    Ok(write_atomic(&laboratory.folder.queries(), text)?)
}

/// All queries that were kept.
#[utoipa::path(get, path = "/api/queries", responses((status = 200, body = Vec<KeptLine>)))]
async fn list(State(laboratory): Shared) -> Answer<Vec<KeptLine>> {
    let all = read(&laboratory)?.into_iter();
    Ok(Json(all.map(|(name, KeptQuery { game, text })| KeptLine { name, game, text }).collect()))
}

/// Keeps a query under a name; one that was there is replaced.
#[utoipa::path(put, path = "/api/queries/{name}", request_body = KeptQuery, params(("name" = String, Path, description = "Any words")),
    responses((status = 200, body = Done), (status = 400, body = crate::failure::RefusalBody)))]
async fn keep(
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Body(kept): Body<KeptQuery>,
) -> Answer<Done> {
    let name = name.trim().to_string();
    if name.is_empty() || name.chars().count() > MOST_CHARACTERS || name.chars().any(char::is_control) {
        return Err(Refusal::wrong(format!("a query's name has from 1 to {MOST_CHARACTERS} characters")));
    }
    let rules = laboratory.rules(&kept.game)?;
    asked(&kept.text, rules.rules())?;
    read_query(&kept.text, rules.rules()).map_err(|error| Refusal::wrong(error.what))?;
    change(&laboratory, |all| {
        if all.len() >= MOST_QUERIES && !all.contains_key(&name) {
            return Err(Refusal::conflict(format!("there are {MOST_QUERIES} queries already"))
                .hint("remove some that are not needed"));
        }
        all.insert(name.clone(), kept);
        Ok(())
    })?;
    Ok(Json(Done { name }))
}

/// Forgets a query.
#[utoipa::path(delete, path = "/api/queries/{name}", params(("name" = String, Path, description = "Its name")),
    responses((status = 200, body = Done), (status = 404, body = crate::failure::RefusalBody)))]
async fn forget(State(laboratory): Shared, InPath(name): InPath<String>) -> Answer<Done> {
    change(&laboratory, |all| match all.remove(&name) {
        Some(_) => Ok(()),
        None => Err(Refusal::missing(format!("no query is kept as `{name}`"))),
    })?;
    Ok(Json(Done { name }))
}
