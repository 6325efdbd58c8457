//! Games that are written here: checked while they are typed, kept, thrown away.

use std::sync::Arc;

use ashta_position::CompiledRules;
use ashta_rules::{check_text, game_names};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Shared;
use super::body::{Asked, Body, InPath};
use super::games::InLanguage;
use super::sheet::{Origin, Sheet};
use crate::data_folder::Name;
use crate::failure::{Answer, ProblemBody, Refusal};
use crate::laboratory::Laboratory;
use ashta_records::write_atomic;

/// Routes of one's own games.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(check)).routes(routes!(keep, remove))
}

/// Bytes of the largest game file: ten times the largest of the library.
const MOST_BYTES: usize = 128 << 10;

/// Changes that are checked, each with the whole game; the most of the library are thirty.
const MOST_CHANGES: usize = 300;

/// A game file to be checked.
#[derive(Deserialize, ToSchema, Debug)]
struct CheckRequest {
    /// The text of the file.
    text: String,
    /// What it is to be called; `game` where nothing is said.
    #[serde(default)]
    name: Option<String>,
}

/// What is wrong with a game file; its sheet if nothing is.
#[derive(Serialize, ToSchema, Debug)]
struct CheckAnswer {
    /// Everything that is wrong, in order of place.
    problems: Vec<ProblemBody>,
    /// The game, if nothing is.
    sheet: Option<Sheet>,
}

/// Checks a game file, with each of its changes: every problem with line and column, or the game's sheet.
#[utoipa::path(
    post,
    path = "/api/games/check",
    request_body = CheckRequest,
    params(InLanguage),
    responses((status = 200, body = CheckAnswer))
)]
async fn check(
    State(laboratory): Shared,
    Asked(wanted): Asked<InLanguage>,
    Body(request): Body<CheckRequest>,
) -> Answer<CheckAnswer> {
    check_size(&request.text)?;
    let name = match request.name.as_deref().filter(|name| !name.is_empty()) {
        Some(name) => own_name(name)?.to_string(),
        None => "game".to_string(),
    };
    let language = wanted.language()?;
    let checked = laboratory.think(move |_| {
        let rules = match check_text(&format!("{name}.toml"), &request.text) {
            Ok(rules) => CompiledRules::new(rules),
            Err(problems) => {
                let problems = problems.0.iter().map(ProblemBody::of).collect();
                return Ok(CheckAnswer { problems, sheet: None });
            }
        };
        let sheet = Sheet::of(&rules, Origin { source: request.text, own: true, language })?;
        Ok(CheckAnswer { problems: Vec::new(), sheet: Some(sheet) })
    });
    checked.await?.map(Json)
}

fn check_size(text: &str) -> Result<(), Refusal> {
    // Every change says what it is about.
    let n_changes = text.matches("about").count();
    match text.len() {
        0..=MOST_BYTES if n_changes > MOST_CHANGES => Err(Refusal::wrong(format!(
            "the file has more than {MOST_CHANGES} changes, too many to be checked here"
        ))),
        0..=MOST_BYTES => Ok(()),
        n => Err(Refusal::wrong(format!("the file has {n} bytes, a game file has at most {MOST_BYTES}"))),
    }
}

/// A name that is free for one's own game.
fn own_name(name: &str) -> Result<Name, Refusal> {
    let name = Name::read(name)?;
    match game_names().contains(&name.as_str()) {
        true => Err(Refusal::conflict(format!("`{name}` is a game of the library"))
            .hint("give yours another name; it may extend the one of the library")),
        false => Ok(name),
    }
}

/// A game file to be kept.
#[derive(Deserialize, ToSchema, Debug)]
struct KeepRequest {
    /// The text of the file.
    text: String,
}

/// What a game that was kept is called.
#[derive(Serialize, ToSchema, Debug)]
struct Kept {
    /// As `game` of other requests.
    id: String,
}

/// Keeps a game file in the data folder; one that has a mistake is refused.
#[utoipa::path(
    put,
    path = "/api/games/own/{name}",
    request_body = KeepRequest,
    params(("name" = String, Path, description = "what the game is called for: letters, digits, - and _")),
    responses((status = 200, body = Kept))
)]
async fn keep(
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Body(request): Body<KeepRequest>,
) -> Answer<Kept> {
    check_size(&request.text)?;
    let name = own_name(&name)?;
    let path = laboratory.own_game(&name);
    let file_name = format!("{name}.toml");
    let kept = laboratory.think(move |_| -> Result<(), Refusal> {
        check_text(&file_name, &request.text)?;
        Ok(write_atomic(&path, &request.text)?)
    });
    kept.await??;
    laboratory.forget_rules();
    Ok(Json(Kept { id: name.to_string() }))
}

/// Throws a game away that was written here.
#[utoipa::path(
    delete,
    path = "/api/games/own/{name}",
    params(("name" = String, Path, description = "what the game is called for")),
    responses((status = 200, body = Kept))
)]
async fn remove(State(laboratory): Shared, InPath(name): InPath<String>) -> Answer<Kept> {
    let name = own_name(&name)?;
    std::fs::remove_file(laboratory.own_game(&name))
        .map_err(|_| Refusal::missing(format!("no game named `{name}` was written here")))?;
    laboratory.forget_rules();
    Ok(Json(Kept { id: name.to_string() }))
}
