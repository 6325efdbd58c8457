//! The web server: one page, the JSON API that it uses, and a job queue.
//!
//! In: an address, the data folder. Out: responses to the page and to scripts.
//! Never: a path outside that folder, a response to another site's page, anything loaded from the network.

mod access;
mod api;
mod api_error;
mod app_state;
mod assets;
mod collection_cache;
mod collection_search;
mod connections;
mod data_folder;
pub mod explain_json;
mod in_process;
mod jobs;
mod library;
mod players;
pub mod records_json;
mod request_language;
mod samples;
mod security_headers;
mod server;
mod study_cache;
pub mod study_json;
mod written_move;

pub use access::{Access, Token, TokenError};
pub use connections::ConnectionLimits;
pub use data_folder::{DataFolder, Name, NameError};
pub use in_process::InProcess;
pub use jobs::{
    CellProgress, CountProgress, CurveProgress, JobFailure, JobProgress, MeasureProgress, ScoreProgress,
    Series,
};
pub use server::{ServeError, ServerConfig, Serving, serve};

/// The environment variable that may hold the token; jobs, and programs that they start, do not see it.
pub const TOKEN_VARIABLE: &str = "ASHTA_TOKEN";

/// The description of the API (OpenAPI 3), which a test makes from the code that answers.
pub const OPENAPI: &str = api::DESCRIPTION;
