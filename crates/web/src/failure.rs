//! Why a request was not answered, in one voice: what is wrong, where, what to do.

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

/// What every handler gives.
pub type Answer<T> = Result<Json<T>, Refusal>;

/// A request that was not granted.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    body: Box<RefusalBody>,
}

/// Why a request was not granted.
#[derive(Serialize, ToSchema, Debug)]
pub struct RefusalBody {
    /// What is wrong: lowercase, no full stop.
    pub error: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Why a move is not legal, as a word for programs: `pinned`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// The place of the mistake in a text that was sent, in characters from its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// Everything that is wrong with a game file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<ProblemBody>,
}

/// One mistake of a game file.
#[derive(Serialize, ToSchema, Debug)]
pub struct ProblemBody {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// The file that it is in: the one sent, or one of the library that it extends.
    pub file: String,
    /// What is wrong.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Refusal {
    fn new(status: StatusCode, error: impl Into<String>) -> Refusal {
        let body =
            RefusalBody { error: error.into(), hint: None, code: None, offset: None, problems: Vec::new() };
        Refusal { status, body: Box::new(body) }
    }

    /// The request is wrong.
    pub fn wrong(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, error)
    }

    /// Nothing of that name is here.
    pub fn missing(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, error)
    }

    /// It cannot be done as things stand: something of that name is there already, or is in use.
    pub fn conflict(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, error)
    }

    /// The address is for other requests.
    pub fn other_method(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::METHOD_NOT_ALLOWED, error)
    }

    /// Whoever asks may not.
    pub fn forbidden(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, error)
    }

    /// Whoever asks has not shown the token.
    pub fn unauthorised(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::UNAUTHORIZED, error)
    }

    /// Whoever asks has asked too often.
    pub fn too_many(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, error)
    }

    /// Others are first: the same request may be granted later.
    pub fn busy(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// The server could not: a full disk, a folder that cannot be read.
    pub fn unable(error: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }

    /// Something could not be read or written; a full disk is told as what it is.
    pub fn of_io(told: impl Into<String>, error: &io::Error) -> Refusal {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                Refusal::new(StatusCode::INSUFFICIENT_STORAGE, "the disk of the data folder is full")
                    .hint("make room on it and try again; what was kept before is whole")
            }
            _ => Refusal::unable(told),
        }
    }

    /// What is told of it.
    pub fn body(&self) -> &RefusalBody {
        &self.body
    }

    /// The same with what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Refusal {
        self.body.hint = Some(hint.into());
        self
    }

    /// The same with a word for programs.
    pub fn code(mut self, code: &'static str) -> Refusal {
        self.body.code = Some(code);
        self
    }

    /// The same with the place of the mistake, in characters.
    pub fn at(mut self, offset: usize) -> Refusal {
        self.body.offset = Some(offset);
        self
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.body.error)?;
        match self.body.problems.first() {
            Some(problem) => write!(f, ": line {}, {}", problem.line, problem.what),
            None => Ok(()),
        }
    }
}

impl From<Problems> for Refusal {
    fn from(problems: Problems) -> Refusal {
        let n = problems.0.len();
        let mut refusal = Refusal::wrong(match n {
            1 => "the game file has a mistake".to_string(),
            n => format!("the game file has {n} mistakes"),
        });
        refusal.body.problems = problems.0.iter().map(ProblemBody::of).collect();
        refusal
    }
}

impl ProblemBody {
    /// A problem with its place in lines and columns.
    pub fn of(problem: &ashta_rules::Problem) -> ProblemBody {
        let (line, column) = problem.place.line_and_column();
        ProblemBody {
            line,
            column,
            file: problem.place.source.name.clone(),
            what: problem.what.clone(),
            hint: problem.hint.clone(),
        }
    }
}

impl From<PlanError> for Refusal {
    fn from(error: PlanError) -> Refusal {
        Refusal::wrong(error.to_string())
    }
}

impl From<NameError> for Refusal {
    fn from(error: NameError) -> Refusal {
        Refusal::wrong(error.to_string())
    }
}

impl From<std::io::Error> for Refusal {
    fn from(error: std::io::Error) -> Refusal {
        Refusal::of_io(format!("the data folder cannot be used: {error}"), &error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(self.body)).into_response()
    }
}
