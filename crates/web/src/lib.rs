//! The laboratory in a browser: one page, the JSON API that it uses, and jobs that outlive both.
//!
//! In: where to listen, the folder that everything is kept in. Out: answers to requests of the page and of scripts.
//! Never: a path outside that folder, an answer to another site's page, anything loaded from the network.

mod access;
mod api;
mod api_error;
mod app_state;
mod assets;
mod collection_cache;
mod collection_search;
mod connections;
mod data_folder;
mod in_process;
mod jobs;
mod library;
mod players;
mod samples;
mod security_headers;
mod server;
mod study_cache;
pub mod study_json;

pub use access::{Access, Token, TokenError};
pub use connections::ConnectionLimits;
pub use data_folder::{DataFolder, Name, NameError};
pub use in_process::InProcess;
pub use jobs::{
    CellProgress, CountProgress, CurveProgress, JobProgress, MeasureProgress, ScoreProgress, Series,
};
pub use server::{ServeError, ServerConfig, Serving, serve};

/// The environment variable that may hold the token; jobs, and programs that they start, do not see it.
pub const TOKEN_VARIABLE: &str = "ASHTA_TOKEN";

/// The description of the API (OpenAPI 3), made from the code that answers.
pub fn openapi() -> String {
    api::description()
}
