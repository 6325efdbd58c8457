//! Connections: their limits, timeouts, and eviction.
//!
//! In: a listener, the routes. Out: answers. Never: more connections than the limit; more bytes of bodies in memory than the
//! limit; a connection closed while an authenticated request is being answered.

mod clients;
mod request;
mod stream;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use ashta_messages::{Language, message};
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::api_error::ApiError;
use crate::security_headers::security_header_lines;
pub use clients::{Client, Reservation};
use clients::{Clients, ConnectionSlot};
use request::ClientService;
use stream::TimedStream;

/// Bytes of the largest request body, where a handler sets no other limit.
pub const MAX_BYTES: usize = 4 << 20;
/// Bytes of the longest head of a request, and of what is read from a connection at a time.
const MAX_HEAD: usize = 32 << 10;
/// Pause after `accept` failed for lack of file descriptors.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);
/// File descriptors to ask the system for: connections, and as many again for files and jobs.
const MAX_FILES: u64 = 4096;

/// Limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Concurrent connections; the one that has been idle longest is evicted for a new one.
    pub connections: usize,
    /// Timeout of the request head; also the keep-alive timeout.
    pub head: Duration,
    /// Timeout of a client that stops sending a body or reading a response.
    pub silence: Duration,
    /// Kilobytes of large request bodies in memory, of all requests together.
    pub body_kilobytes: usize,
    /// Concurrent uploads.
    pub uploads: usize,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            connections: 1024,
            head: Duration::from_secs(30),
            silence: Duration::from_secs(30),
            body_kilobytes: 64 << 10,
            uploads: 16,
        }
    }
}

impl ConnectionLimits {
    /// The same, with no more connections than half of the files that this process may open.
    fn within_files(self) -> ConnectionLimits {
        // Where the limit is unknown it is ignored.
        let files = rlimit::increase_nofile_limit(MAX_FILES).unwrap_or(MAX_FILES);
        ConnectionLimits { connections: self.connections.min(files as usize / 2).max(1), ..self }
    }
}

/// Accepts and serves connections, for ever.
pub async fn serve_connections(listener: TcpListener, routes: Router, limits: ConnectionLimits) {
    let limits = limits.within_files();
    // A router without its state is cloned with all its routes (2.6 MB) for each connection.
    let routes: Router = routes.with_state(());
    let clients = Clients::new(limits);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => match clients.admit().await {
                Some(slot) => _ = tokio::spawn(serve_connection(stream, routes.clone(), slot, limits)),
                None => _ = tokio::spawn(reject(stream)),
            },
            Err(error) if is_of_one_connection(&error) => {}
            Err(_) => {
                // Out of file descriptors: evict an idle client.
                clients.evict_silent(|_| true);
                tokio::time::sleep(ACCEPT_RETRY).await;
            }
        }
    }
}

fn is_of_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn serve_connection(stream: TcpStream, routes: Router, slot: ConnectionSlot, limits: ConnectionLimits) {
    // Responses are written at once; Nagle's algorithm would only delay them.
    _ = stream.set_nodelay(true);
    let client = slot.client.clone();
    let stream = TimedStream::new(stream, client.clone(), limits.silence);
    let service = ClientService { routes, client: client.clone() };
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // An error ends only this connection.
        _ = connection => {}
        () = client.evicted() => {}
    }
}

/// Responds 503.
async fn reject(mut stream: TcpStream) {
    let api_error = ApiError::unavailable(message!("web.too-many-requests")).hint(message!("web.retry"));
    let body = serde_json::to_string(&api_error.body(Language::English)).unwrap_or_default();
    let serve_connection = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\
         connection: close\r\nretry-after: 1\r\n{}\r\n{body}",
        body.len(),
        security_header_lines()
    );
    // A client that does not read it is closed anyway.
    _ = tokio::time::timeout(ACCEPT_RETRY, stream.write_all(serve_connection.as_bytes())).await;
}

/// The client of a request; `None` in tests without a connection.
pub fn client_from(extensions: &axum::http::Extensions) -> Option<&Arc<Client>> {
    extensions.get()
}
