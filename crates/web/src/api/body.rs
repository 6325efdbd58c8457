//! The body of a request as JSON, and what is said of one that is none.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use crate::failure::Refusal;

/// A body of JSON; one that cannot be read is refused in the API's voice.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, Refusal> {
        match Json::from_request(request, state).await {
            Ok(Json(body)) => Ok(Body(body)),
            Err(rejection) => Err(refusal(rejection)),
        }
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
