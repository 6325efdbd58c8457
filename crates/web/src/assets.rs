//! The page: files that are in the program, or, for those who work on them, in a folder.

use std::path::PathBuf;

use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

static PAGE: Dir = include_dir!("$CARGO_MANIFEST_DIR/page");

/// Where the page comes from.
#[derive(Clone, Debug)]
pub struct Assets(
    /// A folder to read instead of what is in the program.
    pub Option<PathBuf>,
);

/// A file of the page; every address without an ending is the page itself.
pub async fn asset(State(assets): State<Assets>, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.contains('.') { path } else { "index.html" };
    let Some(kind) = content_type(path) else { return StatusCode::NOT_FOUND.into_response() };
    let embedded = PAGE.get_file(path);
    let contents = match (&assets.0, embedded) {
        // Only files that the program has too: a path of a request leads nowhere else.
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

/// Whether the page has a file of this address, other than itself.
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

/// FNV-1a: tells one version of a file from the next.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
