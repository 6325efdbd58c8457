//! The library of games.

use std::sync::Arc;

use ashta_rules::{game_names, load};
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Shared;
use crate::failure::Answer;
use crate::laboratory::Laboratory;

/// Routes of the library.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A game in a list.
#[derive(Serialize, ToSchema, Debug)]
struct GameLine {
    /// `shogi`.
    id: String,
    /// `Shogi`.
    name: String,
    /// What it is, in a sentence.
    about: String,
    /// The game that it came from.
    descends: Option<String>,
}

/// All games: those of the library, then those that were written here.
#[utoipa::path(get, path = "/api/games", responses((status = 200, body = Vec<GameLine>)))]
async fn list(State(_laboratory): Shared) -> Answer<Vec<GameLine>> {
    let mut games = Vec::new();
    for name in game_names() {
        let rules = load(name)?;
        games.push(GameLine {
            id: name.to_string(),
            name: rules.name().to_string(),
            about: rules.about().to_string(),
            descends: rules.descends().map(str::to_string),
        });
    }
    Ok(Json(games))
}
