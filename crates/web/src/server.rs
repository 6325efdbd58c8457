//! The HTTP server: startup, routes, middleware, shutdown.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use ashta_messages::Tell;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;

use crate::access::{Access, Guard, Token, guard, guard_for};
use crate::api;
use crate::api_error::ApiError;
use crate::app_state::AppState;
use crate::assets::{Assets, asset};
use crate::connections::{ConnectionLimits, MAX_BYTES, serve_connections};
use crate::data_folder::{DataFolder, Lock, LockHolder};
use crate::jobs::run_queue;
use crate::request_language::localise_errors;
use crate::samples;

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Where to listen; port 0 is any that is free.
    pub listen: SocketAddr,
    /// How clients authenticate.
    pub access: Access,
    /// The data folder.
    pub data: PathBuf,
    /// The page's files, instead of those in the program.
    pub page: Option<PathBuf>,
    /// The program that jobs are run with: this one.
    pub program: PathBuf,
    /// Limits of connections.
    pub limits: ConnectionLimits,
}

/// A running server.
#[derive(Debug)]
pub struct Serving {
    pub address: SocketAddr,
    pub token: Option<Token>,
    /// The data folder.
    pub folder: DataFolder,
}

#[derive(Debug, Tell)]
pub enum ServeError {
    #[code("web.unusable-folder")]
    Folder { folder: PathBuf, source: io::Error },
    /// The address is taken, or not ours.
    #[code("web.cannot-listen")]
    Listen { listen: SocketAddr, source: io::Error },
    /// Another process has it open.
    #[code("web.folder-in-use")]
    InUse {
        folder: PathBuf,
        /// Its address; empty until it listens.
        address: String,
        /// What must be shown there, if that is known here.
        token: Option<Token>,
    },
    /// Others could reach it.
    #[code("web.no-token-for-address")]
    Open(SocketAddr),
}

/// Serves until Ctrl-C; calls `ready` once it accepts connections.
pub fn serve(config: ServerConfig, ready: impl FnOnce(Serving)) -> Result<(), ServeError> {
    let listen = config.listen;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|source| ServeError::Listen { listen, source })?;
    let served = runtime.block_on(serve_async(config, ready));
    // Running work belongs to requests that have been dropped.
    runtime.shutdown_background();
    served
}

async fn serve_async(config: ServerConfig, ready: impl FnOnce(Serving)) -> Result<(), ServeError> {
    let listen = config.listen;
    if !listen.ip().is_loopback() && matches!(config.access, Access::Open) {
        return Err(ServeError::Open(listen));
    }
    let unusable = |source| ServeError::Folder { folder: config.data.clone(), source };
    let folder = DataFolder::open(&config.data).map_err(unusable)?;
    let lock = match folder.lock().map_err(unusable)? {
        Lock::Acquired(lock) => lock,
        Lock::HeldBy(holder) => return Err(in_use(config.data, holder, &folder)),
    };
    folder.remove_leftovers().map_err(unusable)?;
    let state = Arc::new(AppState::open(folder, config.program.clone()).map_err(unusable)?);
    let listener = TcpListener::bind(listen).await.map_err(|source| ServeError::Listen { listen, source })?;
    let address = listener.local_addr().map_err(|source| ServeError::Listen { listen, source })?;
    let folder = state.folder.clone();
    let token = config.access.token(&folder).map_err(unusable)?;
    let guarded = guard_for(address, token.as_ref(), &folder);
    let routes = with_middleware(api::routes().with_state(state.clone()), Assets(config.page), guarded);
    let holder = LockHolder {
        address: format!("http://{address}"),
        has_folder_token: config.access.is_folder_token(),
    };
    lock.tell(&holder).map_err(unusable)?;
    tokio::spawn({
        let state = state.clone();
        async move { run_queue(&state.jobs, &state.library, &state.program).await }
    });
    samples::begin(state);
    ready(Serving { address, token, folder });
    tokio::select! {
        () = serve_connections(listener, routes, config.limits) => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(())
}

/// Another process has the folder; its token is read from the folder.
fn in_use(path: PathBuf, holder: LockHolder, folder: &DataFolder) -> ServeError {
    let token = holder.has_folder_token.then(|| Token::of_folder(folder).ok()).flatten();
    ServeError::InUse { folder: path, address: holder.address, token }
}

/// The API and the page behind the guard.
fn with_middleware(api: Router, page: Assets, guarded: Guard) -> Router {
    with_body_limit(api.merge(Router::new().fallback(asset).with_state(page)))
        .layer(from_fn_with_state(guarded, guard))
        .layer(from_fn(localise_errors))
}

/// Adds the body limit; a panic becomes a 500.
pub fn with_body_limit(routes: Router) -> Router {
    routes.layer(DefaultBodyLimit::max(MAX_BYTES)).layer(CatchPanicLayer::custom(panicked))
}

fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    ApiError::panicked().into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::{Request, StatusCode};
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    async fn panics() -> &'static str {
        panic!("a mistake of the program")
    }

    #[tokio::test]
    async fn a_panic_in_one_request_does_not_end_the_server() {
        let listen = SocketAddr::from(([127, 0, 0, 1], 8800));
        let routes = with_middleware(
            Router::new().route("/api/panics", get(panics)),
            Assets(None),
            Guard::new(listen, None),
        );
        let ask = |path: &str| {
            Request::get(path).header("host", "127.0.0.1:8800").body(Body::empty()).expect("a request")
        };
        let answer = routes.clone().oneshot(ask("/api/panics")).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let answer = routes.oneshot(ask("/")).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK);
        assert!(answer.headers().contains_key("content-security-policy"));
    }
}
