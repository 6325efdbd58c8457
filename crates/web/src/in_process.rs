//! The API without a socket: requests from this process.
//!
//! In: a folder; a request. Out: its status and body. Never: a socket; a running job: jobs stay queued.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::Request;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tower_service::Service;

use crate::api;
use crate::app_state::AppState;
use crate::connections::MAX_BYTES;
use crate::data_folder::DataFolder;
use crate::request_language::localise_errors;
use crate::server::with_body_limit;

/// The API without a socket, for callers in this process.
#[derive(Debug)]
pub struct InProcess {
    runtime: Runtime,
    routes: Router,
}

impl InProcess {
    /// Opens a data folder that no other process uses.
    pub fn open(data: &Path) -> io::Result<InProcess> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let state = Arc::new(AppState::open(DataFolder::open(data)?, "ashta".into())?);
        let routes = with_body_limit(api::routes().with_state(state)).layer(from_fn(localise_errors));
        Ok(InProcess { runtime, routes })
    }

    /// Sends a request and waits for the response; `None` after the time limit: it is aborted, as by a
    /// client that disconnects.
    pub fn ask(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        body: &[u8],
        limit: Duration,
    ) -> io::Result<Option<(u16, Vec<u8>)>> {
        let request = Request::builder().method(method).uri(path).header(CONTENT_TYPE, content_type);
        let request = request.body(Body::from(body.to_vec())).map_err(io::Error::other)?;
        let answer = async {
            let response = self.routes.clone().call(request).await.unwrap_or_else(|never| match never {});
            let status = response.status().as_u16();
            to_bytes(response.into_body(), MAX_BYTES).await.map(|body| (status, body.to_vec()))
        };
        let answered = self.runtime.block_on(async { timeout(limit, answer).await });
        answered.ok().transpose().map_err(io::Error::other)
    }
}
