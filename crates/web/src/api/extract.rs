//! Extractors with the API's error messages: JSON body, query parameters, path parameters.

use std::time::Duration;

use ashta_messages::{Language, message};
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::http::{Extensions, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tokio::time::timeout;
use utoipa::IntoParams;

use crate::api_error::ApiError;
use crate::connections::{MAX_BYTES, Reservation, client_from};

const BODY_TIMEOUT: Duration = Duration::from_secs(30);
/// Bodies up to this size need no reservation: one for every connection fits in memory.
const SMALL_BODY: usize = 32 << 10;

/// A JSON body, with the API's error messages.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<JsonBody<T>, ApiError> {
        let length = request.headers().get(CONTENT_LENGTH);
        let length = length.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        if length.is_some_and(|length| length > MAX_BYTES) {
            return Err(too_large());
        }
        reserve(request.extensions(), length.unwrap_or(MAX_BYTES)).await?;
        match timeout(BODY_TIMEOUT, Json::from_request(request, state)).await {
            Ok(Ok(Json(body))) => Ok(JsonBody(body)),
            Ok(Err(rejection)) => Err(json_error(rejection)),
            Err(_) => Err(ApiError::bad_request(message!("web.body-timeout"))),
        }
    }
}

/// Reserves memory for a large body until the request is answered.
pub async fn reserve(extensions: &Extensions, n_bytes: usize) -> Result<(), ApiError> {
    match client_from(extensions) {
        Some(client) if n_bytes > SMALL_BODY => {
            client.reserve(Reservation::Kilobytes(n_bytes.div_ceil(1024) as u32)).await
        }
        _ => Ok(()),
    }
}

/// Query parameters.
#[derive(Debug)]
pub struct QueryParams<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<QueryParams<T>, ApiError> {
        let query = Query::from_request_parts(parts, state).await;
        let wrong = |rejection: axum::extract::rejection::QueryRejection| {
            let what = rejection.body_text();
            let reason = what.rsplit_once("query string: ").map_or(what.as_str(), |(_, reason)| reason);
            ApiError::bad_request(message!("web.query-parameters", reason))
        };
        query.map(|Query(query)| QueryParams(query)).map_err(wrong)
    }
}

/// Path parameters.
#[derive(Debug)]
pub struct PathParams<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for PathParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PathParams<T>, ApiError> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(named)| PathParams(named)).map_err(|rejection| {
            let what = rejection.body_text();
            let reason = what.strip_prefix("Invalid URL: ").unwrap_or(&what);
            ApiError::not_found(message!("web.path-parameters", reason))
        })
    }
}

fn too_large() -> ApiError {
    ApiError::too_large(message!("web.body-too-large", max = MAX_BYTES))
}

fn json_error(rejection: JsonRejection) -> ApiError {
    match rejection {
        JsonRejection::JsonDataError(error) => {
            let what = error.body_text();
            let reason = what.rsplit_once("target type: ").map_or(what.as_str(), |(_, reason)| reason);
            ApiError::bad_request(message!("web.invalid-request", reason))
                .hint(message!("web.invalid-request.hint"))
        }
        JsonRejection::BytesRejection(error) if error.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            too_large()
        }
        JsonRejection::JsonSyntaxError(_) => ApiError::bad_request(message!("web.not-json")),
        JsonRejection::MissingJsonContentType(_) => {
            ApiError::bad_request(message!("web.no-json-type")).hint(message!("web.no-json-type.hint"))
        }
        other => ApiError::bad_request(message!("web.unreadable-body", reason = other.body_text())),
    }
}

/// The language of texts.
#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
pub struct InLanguage {
    /// `en`, or `ja` for Japanese.
    #[serde(default)]
    lang: Option<String>,
}

impl InLanguage {
    /// Which; English unless said.
    pub fn language(&self) -> Result<Language, ApiError> {
        let code = self.lang.as_deref().unwrap_or("en");
        Language::from_tag(code).ok_or_else(|| {
            let shown: String = code.chars().take(20).collect();
            ApiError::bad_request(message!("web.unknown-language", shown))
                .hint(message!("web.unknown-language.hint"))
        })
    }
}
