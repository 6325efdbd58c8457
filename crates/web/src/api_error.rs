//! Errors of the API: a status and a JSON body that says what is wrong, where, and what to do, in the language of the request.

use std::fmt;
use std::io::{self, ErrorKind};

use ashta_lab::PlanError;
use ashta_messages::{Arg, Language, Message, Tell, message};
use ashta_rules::{Problem, Problems};
use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

use crate::data_folder::NameError;

pub type ApiResult<T> = Result<Json<T>, ApiError>;

/// An HTTP error with the messages of its JSON body.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    messages: Box<ErrorMessages>,
}

#[derive(Clone, Debug)]
struct ErrorMessages {
    error: Message,
    hint: Option<Message>,
    reason: Option<&'static str>,
    offset: Option<usize>,
    problems: Vec<Problem>,
}

/// The body of every error response.
#[derive(Serialize, ToSchema, Debug)]
pub struct ErrorBody {
    /// What is wrong, in the language of the request: lowercase, no full stop.
    pub error: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Stable code of the error: `web.no-job`.
    pub code: &'static str,
    /// Arguments of the error by name; one that is itself a message has `code`, `args` and `text`.
    #[schema(value_type = Object)]
    pub args: Map<String, Value>,
    /// Machine-readable reason why a move is illegal: `pinned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
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
    /// What is wrong, in the language of the request.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
    /// Stable code of the problem.
    pub code: &'static str,
    /// Arguments of the problem by name.
    #[schema(value_type = Object)]
    pub args: Map<String, Value>,
}

impl ApiError {
    fn new(status: StatusCode, error: impl Tell) -> ApiError {
        let (error, hint) = (error.message(), error.hint());
        let messages = ErrorMessages { error, hint, reason: None, offset: None, problems: Vec::new() };
        ApiError { status, messages: Box::new(messages) }
    }

    pub fn bad_request(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, error)
    }

    pub fn not_found(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, error)
    }

    /// The resource exists already or is in use.
    pub fn conflict(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, error)
    }

    pub fn method_not_allowed(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::METHOD_NOT_ALLOWED, error)
    }

    /// The upload is too large, or decompresses to too much.
    pub fn too_large(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, error)
    }

    pub fn forbidden(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, error)
    }

    pub fn unauthorized(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::UNAUTHORIZED, error)
    }

    pub fn too_many_requests(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, error)
    }

    /// The server is busy; the client may retry.
    pub fn unavailable(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The server failed: an unreadable folder.
    pub fn internal(error: impl Tell) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// A panic.
    pub fn panicked() -> ApiError {
        ApiError::internal(message!("web.internal")).hint(message!("web.internal.hint"))
    }

    /// An I/O error; a full disk is 507 with its own message.
    pub fn from_io(message: impl Tell, error: &io::Error) -> ApiError {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                ApiError::new(StatusCode::INSUFFICIENT_STORAGE, message!("web.disk-full"))
                    .hint(message!("web.disk-full.hint"))
            }
            _ => ApiError::internal(message),
        }
    }

    /// What is wrong, with the first problem of a game file.
    pub fn summary(&self) -> Message {
        let error = &self.messages.error;
        match self.messages.problems.first() {
            Some(problem) => {
                let line = problem.place.line_and_column().0;
                message!("web.first-problem", error, line, what = problem.what)
            }
            None => error.clone(),
        }
    }

    pub fn hint(mut self, hint: Message) -> ApiError {
        self.messages.hint = Some(hint);
        self
    }

    /// Adds the machine-readable reason why a move is illegal.
    pub fn reason(mut self, reason: &'static str) -> ApiError {
        self.messages.reason = Some(reason);
        self
    }

    /// Adds the offset of the mistake, in characters.
    pub fn at(mut self, offset: usize) -> ApiError {
        self.messages.offset = Some(offset);
        self
    }

    pub fn body(&self, language: Language) -> ErrorBody {
        let ErrorMessages { error, hint, reason, offset, problems } = &*self.messages;
        ErrorBody {
            error: error.text(language),
            hint: hint.as_ref().map(|hint| hint.text(language)),
            code: error.code(),
            args: args_json(error, language),
            reason: *reason,
            offset: *offset,
            problems: problems.iter().map(|problem| ProblemBody::of(problem, language)).collect(),
        }
    }
}

/// In English.
impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.summary().fmt(f)
    }
}

impl From<Problems> for ApiError {
    fn from(problems: Problems) -> ApiError {
        let mut api_error = ApiError::bad_request(message!("web.game-file", n = problems.0.len()));
        api_error.messages.problems = problems.0;
        api_error
    }
}

impl ProblemBody {
    pub fn of(problem: &Problem, language: Language) -> ProblemBody {
        let (line, column) = problem.place.line_and_column();
        ProblemBody {
            line,
            column,
            file: problem.place.source.name.clone(),
            what: problem.what.text(language),
            hint: problem.hint.as_ref().map(|hint| hint.text(language)),
            code: problem.what.code(),
            args: args_json(&problem.what, language),
        }
    }
}

/// An error of a crate whose sentences are not in the catalogues yet.
pub fn english(error: &impl fmt::Display) -> Message {
    message!("web.english", text = error.to_string())
}

fn args_json(message: &Message, language: Language) -> Map<String, Value> {
    message.args().iter().map(|(name, arg)| (name.to_string(), arg_json(arg, language))).collect()
}

fn arg_json(arg: &Arg, language: Language) -> Value {
    match arg {
        Arg::Text(text) => json!(text),
        Arg::Integer(number) => {
            i64::try_from(*number).map_or_else(|_| json!(number.to_string()), Value::from)
        }
        Arg::Message(message) => json!({
            "code": message.code(),
            "args": args_json(message, language),
            "text": message.text(language),
        }),
        Arg::List(items) => items.iter().map(|item| arg_json(item, language)).collect(),
        Arg::Absent => Value::Null,
    }
}

impl From<PlanError> for ApiError {
    fn from(error: PlanError) -> ApiError {
        ApiError::bad_request(error)
    }
}

impl From<NameError> for ApiError {
    fn from(error: NameError) -> ApiError {
        ApiError::bad_request(error)
    }
}

impl From<io::Error> for ApiError {
    fn from(error: io::Error) -> ApiError {
        ApiError::from_io(message!("web.data-folder", error), &error)
    }
}

/// In English; `localise_errors` replaces the body where the request asks for another language.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.body(Language::English))).into_response();
        response.extensions_mut().insert(self);
        response
    }
}
