//! Security headers of every response.

use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// Own scripts and styles; images made by the page; reports in frames.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'self'; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'; \
     base-uri 'none'; form-action 'none'; object-src 'none'",
);

const SECURITY_HEADERS: [(HeaderName, HeaderValue); 4] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN")),
    (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
];

/// Adds missing headers; a report has its own policy.
pub fn add_security_headers(headers: &mut HeaderMap) {
    for (name, value) in SECURITY_HEADERS {
        headers.entry(name).or_insert(value);
    }
}

/// The same as text.
pub fn security_header_lines() -> String {
    let line = |(name, value): (HeaderName, HeaderValue)| {
        format!("{name}: {}\r\n", value.to_str().unwrap_or_default())
    };
    SECURITY_HEADERS.into_iter().map(line).collect()
}
