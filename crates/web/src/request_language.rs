//! The language of a request: `lang=ja` in its query, or else its `Accept-Language`; English otherwise.

use std::convert::Infallible;

use ashta_messages::Language;
use axum::Json;
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_LENGTH};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api_error::ApiError;

/// The language in which a request is answered.
#[derive(Clone, Copy, Debug)]
pub struct RequestLanguage(pub Language);

impl<S: Send + Sync> FromRequestParts<S> for RequestLanguage {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<RequestLanguage, Infallible> {
        Ok(RequestLanguage(requested(&parts.uri, &parts.headers)))
    }
}

/// Middleware: writes errors in the language of the request.
pub async fn localise_errors(request: Request, next: Next) -> Response {
    let language = requested(request.uri(), request.headers());
    let mut response = next.run(request).await;
    let api_error = response.extensions_mut().remove::<ApiError>();
    if let Some(api_error) = api_error.filter(|_| language != Language::English) {
        response.headers_mut().remove(CONTENT_LENGTH);
        *response.body_mut() = Json(api_error.body(language)).into_response().into_body();
    }
    response
}

fn requested(uri: &Uri, headers: &HeaderMap) -> Language {
    let mut parameters = uri.query().unwrap_or_default().split('&');
    let in_query = parameters.find_map(|parameter| parameter.strip_prefix("lang="));
    let accepted = || accepted(headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?);
    in_query.and_then(Language::from_tag).or_else(accepted).unwrap_or_default()
}

/// The language with the highest weight, the first of equals: `ja-JP, en;q=0.8`.
fn accepted(header: &str) -> Option<Language> {
    let weighted = header.split(',').filter_map(|range| {
        let (tag, parameters) = range.trim().split_once(';').unwrap_or((range.trim(), ""));
        let language = Language::from_tag(&tag.split('-').next()?.to_ascii_lowercase())?;
        let weight = parameters.trim().strip_prefix("q=").map_or(Some(1.0), |weight| weight.parse().ok())?;
        Some((language, weight)).filter(|(_, weight): &(_, f32)| *weight > 0.0)
    });
    let best = weighted.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_query_comes_before_the_header() {
        use Language::{English, Japanese};
        for (query, header, language) in [
            ("", "", English),
            ("", "ja", Japanese),
            ("", "ja-JP,ja;q=0.9,en;q=0.8", Japanese),
            ("", "en-GB, ja;q=0.5", English),
            ("", "en;q=0.5, ja;q=0.7", Japanese),
            ("", "ja;q=0", English),
            ("", "fr, *;q=0.1", English),
            ("?lang=ja", "en", Japanese),
            ("?game=chess&lang=en", "ja", English),
            ("?lang=xx", "ja", Japanese),
        ] {
            let uri = format!("/api/games{query}").parse().expect("an address");
            let value = HeaderValue::from_str(header).expect("a value");
            let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, value)]);
            assert_eq!(requested(&uri, &headers), language, "{query} {header}");
        }
    }
}
