//! The page's static files: embedded, or from a folder for development.

use std::path::PathBuf;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/page");

#[derive(Clone, Debug)]
pub struct Assets(
    /// A folder to read instead of what is in the program.
    pub Option<PathBuf>,
);

/// Serves a file; every path without an extension is `index.html`.
pub async fn asset(State(assets): State<Assets>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.contains('.') { path } else { "index.html" };
    let Some(kind) = content_type(path) else { return StatusCode::NOT_FOUND.into_response() };
    let embedded = PAGE.get_file(path);
    let contents = match (&assets.0, embedded) {
        // Only paths that are embedded too: no path traversal.
        (Some(folder), Some(file)) => std::fs::read(folder.join(file.path())).ok(),
        (None, Some(file)) => Some(file.contents().to_vec()),
        (_, None) => None,
    };
    let Some(contents) = contents else { return StatusCode::NOT_FOUND.into_response() };
    let tag = format!("\"{:016x}\"", fingerprint(&contents));
    if headers.get(IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let headers = [(CONTENT_TYPE, kind.to_string()), (CACHE_CONTROL, "no-cache".to_string()), (ETAG, tag)];
    (headers, contents).into_response()
}

/// Whether the page has a file at this path, other than `index.html`.
pub fn is_page_file(path: &str) -> bool {
    let path = path.trim_start_matches('/');
    !path.ends_with(".html") && PAGE.get_file(path).is_some()
}

fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit('.').next()? {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        _ => return None,
    })
}

/// FNV-1a, for the ETag.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
