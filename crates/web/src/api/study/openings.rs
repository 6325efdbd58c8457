//! Books of openings: which there are, what each has of a position, edits.

use std::fs;

use ashta_messages::message;
use ashta_position::notation::read_move;
use ashta_position::{Game, Move};
use ashta_study::opening::{Edit, Journal, JournalError, Mark, game_of};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::book_page::{BookPage, page};
use super::book_practice::delete_history;
use super::{MAX_LINE, read_line, two_sides};
use crate::api::SharedState;
use crate::api::extract::{JsonBody, PathParams, QueryParams};
use crate::api::position_spec::position_error;
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::spawn_blocking;
use crate::data_folder::{DataFolder, Name};
use crate::study_cache::{book_path, journal_error};

/// Routes of books.
pub fn routes() -> ApiRouter {
    routes![list, new, show, delete, edit]
}

/// Most characters of a name or comment.
const MAX_TEXT: usize = 4_000;

/// A book in a list.
#[derive(Serialize, ToSchema, Debug)]
struct BookLine {
    name: String,
    /// Its game, with changes; nothing if the file is no book.
    game: Option<String>,
    /// Bytes of its file.
    bytes: u64,
}

/// All books.
#[utoipa::path(get, path = "/api/books", responses((status = 200, body = Vec<BookLine>)))]
async fn list(State(state): SharedState) -> ApiResult<Vec<BookLine>> {
    let listed = spawn_blocking(move || {
        let mut lines = Vec::new();
        for name in DataFolder::names(&state.folder.books(), ".book")? {
            let path = book_path(&state.library, &name);
            let bytes = fs::metadata(&path).map_or(0, |about| about.len());
            lines.push(BookLine { name: name.to_string(), game: game_of(&path).ok(), bytes });
        }
        Ok(lines)
    });
    Ok(Json(listed.await?))
}

/// A book to begin.
#[derive(Deserialize, ToSchema, Debug)]
struct NewBook {
    /// Letters, digits, `-` and `_`.
    name: String,
    /// A game of two sides, with changes.
    game: String,
    /// Start position as FEN or SFEN; default: that of the game.
    #[serde(default)]
    position: Option<String>,
}

/// Begins a book.
#[utoipa::path(post, path = "/api/books", request_body = NewBook, responses((status = 200, body = BookPage)))]
async fn new(State(state): SharedState, JsonBody(wanted): JsonBody<NewBook>) -> ApiResult<BookPage> {
    let name = Name::read(&wanted.name)?;
    let rules = two_sides(&state, &wanted.game)?;
    let start = wanted.position.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if start.is_some_and(|text| text.len() > MAX_LINE || text.contains('\n')) {
        return Err(ApiError::bad_request(message!("web.position-lines")));
    }
    if let Some(text) = start {
        Game::from_text(&rules, text).map_err(|error| position_error(error, text, &rules))?;
    }
    let (start, path) = (start.map(str::to_string), book_path(&state.library, &name));
    let made = spawn_blocking(move || {
        state.study.with_closed_book(&name, || {
            Journal::create(&path, &rules, &wanted.game, start.as_deref()).map_err(|error| match &error {
                JournalError::File { error: io, .. } if io.kind() == std::io::ErrorKind::AlreadyExists => {
                    ApiError::conflict(message!("web.book-exists", name))
                        .hint(message!("web.book-exists.hint"))
                }
                _ => journal_error(error),
            })
        })?;
        state.study.with_book(&state.library, &name, |journal| page(&name, journal, &[]))
    });
    Ok(Json(made.await?))
}

/// Takes a book away for good.
#[utoipa::path(delete, path = "/api/books/{name}", params(("name" = String, Path, description = "a book")),
    responses((status = 200, body = Vec<BookLine>)))]
async fn delete(State(state): SharedState, PathParams(name): PathParams<String>) -> ApiResult<Vec<BookLine>> {
    let name = Name::read(&name)?;
    let shared = state.clone();
    spawn_blocking(move || {
        shared.study.with_closed_book(&name, || match fs::remove_file(book_path(&shared.library, &name)) {
            Ok(()) => delete_history(&shared, &name),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(ApiError::not_found(message!("web.no-book", name)))
            }
            Err(error) => Err(error.into()),
        })
    })
    .await?;
    list(State(state)).await
}

/// Where in a book.
#[derive(Deserialize, IntoParams, Debug)]
#[into_params(parameter_in = Query)]
struct At {
    /// The moves from its start, separated by spaces: `e2e4 e7e5`.
    #[serde(default)]
    line: String,
}

/// What a book has after a line.
#[utoipa::path(get, path = "/api/books/{name}", params(At, ("name" = String, Path, description = "a book")),
    responses((status = 200, body = BookPage)))]
async fn show(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    QueryParams(at): QueryParams<At>,
) -> ApiResult<BookPage> {
    let name = Name::read(&name)?;
    let shown = spawn_blocking(move || {
        state.study.with_book(&state.library, &name, |journal| {
            let line = read_line(journal.book(), &at.line)?;
            page(&name, journal, &line)
        })
    });
    Ok(Json(shown.await?))
}

/// A change of a book.
#[derive(Deserialize, ToSchema, Debug)]
#[serde(tag = "action", rename_all = "lowercase")]
enum BookChange {
    /// Adds the moves of a line that are not there.
    Add {
        /// The moves from the start.
        line: String,
    },
    /// Takes the last move of a line out.
    Remove {
        /// The moves from the start.
        line: String,
    },
    /// Puts another move in the place of the last of a line.
    Correct {
        /// The moves from the start.
        line: String,
        /// The right move.
        by: String,
    },
    /// Names the position after a line.
    Name {
        /// The moves from the start.
        line: String,
        /// The name; nothing takes it away.
        text: String,
    },
    /// Says something of the position after a line.
    Comment {
        /// The moves from the start.
        line: String,
        /// The words; nothing takes them away.
        text: String,
    },
    /// Marks the last move of a line.
    Mark {
        /// The moves from the start.
        line: String,
        /// `!`, `?`, `!!`, `??`, `!?`, `?!`; nothing takes it away.
        text: String,
    },
    /// Takes the last edit back.
    Undo {
        /// Where to show the book then.
        #[serde(default)]
        line: String,
    },
    /// Makes the edit again that was taken back last.
    Redo {
        /// Where to show the book then.
        #[serde(default)]
        line: String,
    },
}

/// Changes a book; what it has after the line then. The edit is on the disk before the answer.
#[utoipa::path(post, path = "/api/books/{name}/edit", params(("name" = String, Path, description = "a book")),
    request_body = BookChange, responses((status = 200, body = BookPage)))]
async fn edit(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(change): JsonBody<BookChange>,
) -> ApiResult<BookPage> {
    let name = Name::read(&name)?;
    let changed = spawn_blocking(move || {
        state.study.with_book(&state.library, &name, |journal| {
            let line = apply_change(journal, change)?;
            page(&name, journal, &line)
        })
    });
    Ok(Json(changed.await?))
}

/// Makes a change; the line to show then.
fn apply_change(journal: &mut Journal, change: BookChange) -> Result<Vec<Move>, ApiError> {
    let read = |journal: &Journal, line: &str| read_line(journal.book(), line);
    let (edit, shown) = match change {
        BookChange::Undo { line } => {
            journal.undo().map_err(journal_error)?;
            return read(journal, &line);
        }
        BookChange::Redo { line } => {
            journal.redo().map_err(journal_error)?;
            return read(journal, &line);
        }
        BookChange::Add { line } => {
            let line = read(journal, &line)?;
            (Edit::Add(line.clone()), line)
        }
        BookChange::Remove { line } => {
            let line = read(journal, &line)?;
            let shown = line[..line.len().saturating_sub(1)].to_vec();
            (Edit::Remove(line), shown)
        }
        BookChange::Correct { line, by } => correction(journal, &line, &by)?,
        BookChange::Name { line, text } => {
            let line = read(journal, &line)?;
            (Edit::Name(line.clone(), checked_text(text)?), line)
        }
        BookChange::Comment { line, text } => {
            let line = read(journal, &line)?;
            (Edit::Comment(line.clone(), checked_text(text)?), line)
        }
        BookChange::Mark { line, text } => {
            let line = read(journal, &line)?;
            (Edit::Mark(line.clone(), read_mark(&text)?), line)
        }
    };
    journal.edit(edit).map_err(journal_error)?;
    Ok(shown)
}

fn correction(journal: &Journal, line: &str, by: &str) -> Result<(Edit, Vec<Move>), ApiError> {
    let line = read_line(journal.book(), line)?;
    let Some((_, before)) = line.split_last() else {
        return Err(ApiError::bad_request(message!("web.empty-line")));
    };
    let game = journal.book().after(before).map_err(ApiError::bad_request)?;
    let mv = read_move(&game, by.trim()).map_err(ApiError::bad_request)?;
    let shown = before.iter().copied().chain([mv]).collect();
    Ok((Edit::Correct(line, mv), shown))
}

fn read_mark(text: &str) -> Result<Option<Mark>, ApiError> {
    let marks = Mark::ALL.map(Mark::symbol).join(" ");
    match text {
        "" => Ok(None),
        _ => Mark::read(text).map(Some).ok_or_else(|| {
            let shown: String = text.chars().take(8).collect();
            ApiError::bad_request(message!("web.no-mark", shown)).hint(message!("web.no-mark.hint", marks))
        }),
    }
}

fn checked_text(text: String) -> Result<String, ApiError> {
    if text.chars().count() > MAX_TEXT {
        Err(ApiError::bad_request(message!("web.text-too-long", max = MAX_TEXT)))
    } else {
        // One edit is one line of the file; `|` ends the moves before it.
        Ok(text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}
