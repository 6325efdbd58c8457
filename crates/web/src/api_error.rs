//! Errors of the API: a status and a JSON body that says what is wrong, where, and what to do.

use std::fmt;
use std::io::{self, ErrorKind};

use ashta_lab::PlanError;
use ashta_rules::Problems;
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::data_folder::NameError;

pub type ApiResult<T> = Result<Json<T>, ApiError>;

/// An HTTP error with its JSON body.
#[derive(Debug)]
pub struct ApiError {
    status: StatusCode,
    body: Box<ErrorBody>,
}

/// The body of every error response.
#[derive(Serialize, ToSchema, Debug)]
pub struct ErrorBody {
    /// What is wrong: lowercase, no full stop.
    pub error: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Machine-readable reason why a move is illegal: `pinned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Offset of the mistake in the text that was sent, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// All problems of a game file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemBody>,
}

/// One problem of a game file.
#[derive(Serialize, ToSchema, Debug)]
pub struct ProblemBody {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The file with the problem: the one sent, or one of the library that it extends.
    pub file: String,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ApiError {
    fn new(status: StatusCode, error: impl Into<String>) -> ApiError {
        let body =
            ErrorBody { error: error.into(), hint: None, code: None, offset: None, problems: Vec::new() };
        ApiError { status, body: Box::new(body) }
    }

    pub fn bad_request(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, error)
    }

    pub fn not_found(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error)
    }

    /// The resource exists already or is in use.
    pub fn conflict(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error)
    }

    pub fn method_not_allowed(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, error)
    }

    /// The upload is too large, or decompresses to too much.
    pub fn too_large(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, error)
    }

    pub fn forbidden(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, error)
    }

    pub fn unauthorized(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, error)
    }

    pub fn too_many_requests(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, error)
    }

    /// The server is busy; the client may retry.
    pub fn unavailable(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The server failed: an unreadable folder, a panic.
    pub fn internal(error: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// An I/O error; a full disk is 507 with its own message.
    pub fn from_io(message: impl Into<String>, error: &io::Error) -> ApiError {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                ApiError::new(StatusCode::INSUFFICIENT_STORAGE, "the disk of the data folder is full")
                    .hint("make room on it and try again; what was kept before is whole")
            }
            _ => ApiError::internal(message),
        }
    }

    pub fn body(&self) -> &ErrorBody {
        &self.body
    }

    pub fn hint(mut self, hint: impl Into<String>) -> ApiError {
        self.body.hint = Some(hint.into());
        self
    }

    /// Adds a machine-readable code.
    pub fn code(mut self, code: &'static str) -> ApiError {
        self.body.code = Some(code);
        self
    }

    /// Adds the offset of the mistake, in characters.
    pub fn at(mut self, offset: usize) -> ApiError {
        self.body.offset = Some(offset);
        self
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.body.error)?;
        match self.body.problems.first() {
            Some(problem) => write!(f, ": line {}, {}", problem.line, problem.what),
            None => Ok(()),
        }
    }
}

impl From<Problems> for ApiError {
    fn from(problems: Problems) -> ApiError {
        let n = problems.0.len();
        let mut api_error = ApiError::bad_request(match n {
            1 => "the game file has a mistake".to_string(),
            n => format!("the game file has {n} mistakes"),
        });
        api_error.body.problems = problems.0.iter().map(ProblemBody::of).collect();
        api_error
    }
}

impl ProblemBody {
    pub fn of(problem: &ashta_rules::Problem) -> ProblemBody {
        let (line, column) = problem.place.line_and_column();
        ProblemBody {
            line,
            column,
            file: problem.place.source.name.clone(),
            what: problem.what.to_string(),
            hint: problem.hint.as_ref().map(ToString::to_string),
        }
    }
}

impl From<PlanError> for ApiError {
    fn from(error: PlanError) -> ApiError {
        ApiError::bad_request(error.to_string())
    }
}

impl From<NameError> for ApiError {
    fn from(error: NameError) -> ApiError {
        ApiError::bad_request(error.to_string())
    }
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> ApiError {
        ApiError::from_io(format!("the data folder cannot be used: {error}"), &error)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}
