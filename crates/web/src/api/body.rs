//! What a request holds: its body as JSON, its query, the name in its address; and what is said of those that cannot be read.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::Extensions;
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::connections::{Room, client_of};
use crate::failure::Refusal;
use crate::server::MOST_BYTES;

/// How long a body may be on its way.
const PATIENCE: Duration = Duration::from_secs(30);
/// Bytes of a body that is read without asking for room: as many of these as there are connections have room.
const SMALL: usize = 32 << 10;

/// A body of JSON; one that cannot be read is refused in the API's voice.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refusal> {
        let length = request.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > MOST_BYTES) {
            return Err(Refusal::wrong(format!("a request of this sort has at most {MOST_BYTES} bytes")));
        }
        reserve(request.extensions(), length.unwrap_or(MOST_BYTES)).await?;
        match timeout(PATIENCE, Json::from_request(request, state)).await {
            Ok(Ok(Json(body))) => Ok(Body(body)),
            Ok(Err(rejection)) => Err(refusal(rejection)),
            Err(_) => Err(Refusal::wrong("the body of the request did not come")),
        }
    }
}

/// Takes memory for a body of so many bytes until the request is answered; small ones are too small to count.
pub async fn reserve(extensions: &Extensions, n_bytes: usize) -> Result<(), Refusal> {
    match client_of(extensions) {
        Some(client) if n_bytes > SMALL => {
            client.reserve(Room::Kilobytes(n_bytes.div_ceil(1024) as u32)).await
        }
        _ => Ok(()),
    }
}

/// What stands after the `?`.
#[derive(Debug)]
pub struct Asked<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Refusal> {
        let query = Query::from_request_parts(parts, state).await;
        let wrong = |rejection: axum::extract::rejection::QueryRejection| {
            let what = rejection.body_text();
            let told = what.rsplit_once("query string: ").map_or(what.as_str(), |(_, told)| told);
            Refusal::wrong(format!("the address does not say what is wanted: {told}"))
        };
        query.map(|Query(asked)| Asked(asked)).map_err(wrong)
    }
}

/// What stands in the address itself: a name, a number, or several.
#[derive(Debug)]
pub struct InPath<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for InPath<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<InPath<T>, Refusal> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(named)| InPath(named)).map_err(|rejection| {
            let what = rejection.body_text();
            let told = what.strip_prefix("Invalid URL: ").unwrap_or(&what);
            Refusal::missing(format!("the address cannot be read: {told}"))
        })
    }
}

fn refusal(rejection: JsonRejection) -> Refusal {
    match rejection {
        JsonRejection::JsonDataError(error) => {
            let what = error.body_text();
            let told = what.rsplit_once("target type: ").map_or(what.as_str(), |(_, told)| told);
            Refusal::wrong(format!("the request does not say what is wanted: {told}"))
                .hint("/api/openapi.json tells what each request holds")
        }
        JsonRejection::JsonSyntaxError(_) => Refusal::wrong("the body of the request is not JSON"),
        JsonRejection::MissingJsonContentType(_) => {
            Refusal::wrong("the request does not say that its body is JSON")
                .hint("send it with `content-type: application/json`")
        }
        other => Refusal::wrong(format!("the body of the request cannot be read: {}", other.body_text())),
    }
}
