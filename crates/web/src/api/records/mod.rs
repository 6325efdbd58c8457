//! Collections of game records: import, search, explorer, survey, export.
//!
//! In: names of collections, queries as text, files. Out: counts and hits, games, files. Never: a path; a search without
//! an end.

mod diagram;
mod explore;
mod export;
mod find;
mod game;
mod import;
mod list;
mod maintenance;
mod players;
mod queries;
mod query_text;
mod survey;
mod survey_counts;
mod upload;

use crate::api::router::ApiRouter;

pub use upload::{SentFile, UploadLimit};

/// Routes of records.
pub fn routes() -> ApiRouter {
    ApiRouter::default()
        .merge(list::routes())
        .merge(import::routes())
        .merge(find::routes())
        .merge(explore::routes())
        .merge(players::routes())
        .merge(game::routes())
        .merge(export::routes())
        .merge(survey::routes())
        .merge(maintenance::routes())
        .merge(queries::routes())
}
