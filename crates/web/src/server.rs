//! Listens, and answers until it is told to stop.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;

use crate::api;
use crate::assets::{Assets, asset};
use crate::data_folder::DataFolder;
use crate::failure::Refusal;
use crate::guard::{Guard, guard};
use crate::laboratory::Laboratory;
use crate::samples;

/// Bytes of the largest request, where a handler says nothing else.
const MOST_BYTES: usize = 4 << 20;

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServerPlan {
    /// Where to listen; port 0 is any that is free.
    pub listen: SocketAddr,
    /// What whoever asks must know; wanted where others can reach the address.
    pub token: Option<String>,
    /// Where everything is kept.
    pub data: PathBuf,
    /// The page's files, instead of those in the program.
    pub page: Option<PathBuf>,
    /// The program that jobs are run with: this one.
    pub program: PathBuf,
}

/// Why it does not serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The folder cannot be used.
    #[error("cannot keep anything in {folder}: {source}")]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The address is taken, or not ours.
    #[error("cannot listen at {listen}: {source}")]
    Listen {
        /// Where.
        listen: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// Others could reach it.
    #[error("{0} can be reached from other machines, and no token is wanted of them")]
    Open(SocketAddr),
}

/// Serves until Ctrl-C; `ready` is told the address when it can be asked.
pub fn serve(plan: ServerPlan, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let listen = plan.listen;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| ServeError::Listen { listen, source })?;
    let served = runtime.block_on(serve_here(plan, ready));
    // Work under way belongs to requests that nobody waits for any more.
    runtime.shutdown_background();
    served
}

async fn serve_here(plan: ServerPlan, ready: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let listen = plan.listen;
    if !listen.ip().is_loopback() && plan.token.is_none() {
        return Err(ServeError::Open(listen));
    }
    let folder = DataFolder::open(&plan.data)
        .map_err(|source| ServeError::Folder { folder: plan.data.clone(), source })?;
    let listener = TcpListener::bind(listen).await.map_err(|source| ServeError::Listen { listen, source })?;
    let address = listener.local_addr().map_err(|source| ServeError::Listen { listen, source })?;
    let laboratory = Arc::new(Laboratory::new(folder, plan.program));
    let guarded = Guard { listen: address, token: plan.token };
    let routes = Router::new()
        .merge(api::routes().with_state(laboratory.clone()))
        .merge(Router::new().fallback(asset).with_state(Assets(plan.page)))
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(guarded, guard));
    samples::begin(laboratory);
    ready(address);
    tokio::select! {
        served = async { axum::serve(listener, routes).await } => served.map_err(|source| ServeError::Listen { listen, source }),
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    let refusal = Refusal::unable("this request met a mistake of the program");
    axum::response::IntoResponse::into_response(
        refusal.hint("other requests go on; please report what you asked for"),
    )
}
