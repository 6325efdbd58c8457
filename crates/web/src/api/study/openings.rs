//! Books of openings: which there are, what each has of a position, edits.

use std::fs;
use std::sync::Arc;

use ashta_position::notation::read_move;
use ashta_position::{Game, Move};
use ashta_study::opening::{Book, Edit, Journal, JournalError, Mark, game_of};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::book_page::{BookPage, page};
use super::book_practice::forget_practice;
use super::two_sides;
use crate::api::Shared;
use crate::api::body::{Asked, Body, InPath};
use crate::api::position::position_refusal;
use crate::data_folder::{DataFolder, Name};
use crate::failure::{Answer, Refusal};
use crate::laboratory::{Laboratory, aside};
use crate::study_shelf::{book_path, journal_refusal};

/// Routes of books.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(list, new)).routes(routes!(show, delete)).routes(routes!(edit))
}

/// Most bytes of a line of moves.
const MOST_LINE: usize = 8_192;
/// Most plies of a line of a book.
const MOST_PLIES: usize = 400;
/// Most characters of a name or comment.
const MOST_TEXT: usize = 4_000;

/// A book in a list.
#[derive(Serialize, ToSchema, Debug)]
struct BookLine {
    /// Its name.
    name: String,
    /// Its game, with changes; nothing if the file is no book.
    game: Option<String>,
    /// Bytes of its file.
    bytes: u64,
}

/// All books.
#[utoipa::path(get, path = "/api/books", responses((status = 200, body = Vec<BookLine>)))]
async fn list(State(laboratory): Shared) -> Answer<Vec<BookLine>> {
    let listed = aside(move || {
        let mut lines = Vec::new();
        for name in DataFolder::names(&laboratory.folder.books(), ".book")? {
            let path = book_path(&laboratory, &name);
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
    /// Where it starts, as FEN or SFEN; where the game does if nothing is said.
    #[serde(default)]
    position: Option<String>,
}

/// Begins a book.
#[utoipa::path(post, path = "/api/books", request_body = NewBook, responses((status = 200, body = BookPage)))]
async fn new(State(laboratory): Shared, Body(wanted): Body<NewBook>) -> Answer<BookPage> {
    let name = Name::read(&wanted.name)?;
    let rules = two_sides(&laboratory, &wanted.game)?;
    let start = wanted.position.as_deref().map(str::trim).filter(|text| !text.is_empty());
    if start.is_some_and(|text| text.len() > MOST_LINE || text.contains('\n')) {
        return Err(Refusal::wrong("a position is one line of text"));
    }
    if let Some(text) = start {
        Game::from_text(&rules, text).map_err(|error| position_refusal(error, text, &rules))?;
    }
    let (start, path) = (start.map(str::to_string), book_path(&laboratory, &name));
    let made = aside(move || {
        laboratory.study.with_closed_book(&name, || {
            Journal::create(&path, &rules, &wanted.game, start.as_deref()).map_err(|error| match &error {
                JournalError::File { error: io, .. } if io.kind() == std::io::ErrorKind::AlreadyExists => {
                    Refusal::conflict(format!("there is a book named `{name}` already"))
                        .hint("a new one needs another name")
                }
                _ => journal_refusal(error),
            })
        })?;
        laboratory.study.with_book(&laboratory, &name, |journal| page(&name, journal, &[]))
    });
    Ok(Json(made.await?))
}

/// Takes a book away for good.
#[utoipa::path(delete, path = "/api/books/{name}", params(("name" = String, Path, description = "a book")),
    responses((status = 200, body = Vec<BookLine>)))]
async fn delete(State(laboratory): Shared, InPath(name): InPath<String>) -> Answer<Vec<BookLine>> {
    let name = Name::read(&name)?;
    let shared = laboratory.clone();
    aside(move || {
        shared.study.with_closed_book(&name, || match fs::remove_file(book_path(&shared, &name)) {
            Ok(()) => forget_practice(&shared, &name),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(Refusal::missing(format!("there is no book named `{name}`")))
            }
            Err(error) => Err(error.into()),
        })
    })
    .await?;
    list(State(laboratory)).await
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
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Asked(at): Asked<At>,
) -> Answer<BookPage> {
    let name = Name::read(&name)?;
    let shown = aside(move || {
        laboratory.study.with_book(&laboratory, &name, |journal| {
            let line = read_line(journal.book(), &at.line)?;
            page(&name, journal, &line)
        })
    });
    Ok(Json(shown.await?))
}

/// A change of a book.
#[derive(Deserialize, ToSchema, Debug)]
#[serde(tag = "action", rename_all = "lowercase")]
enum Change {
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
    request_body = Change, responses((status = 200, body = BookPage)))]
async fn edit(
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Body(change): Body<Change>,
) -> Answer<BookPage> {
    let name = Name::read(&name)?;
    let changed = aside(move || {
        laboratory.study.with_book(&laboratory, &name, |journal| {
            let line = make(journal, change)?;
            page(&name, journal, &line)
        })
    });
    Ok(Json(changed.await?))
}

/// Makes a change; the line to show then.
fn make(journal: &mut Journal, change: Change) -> Result<Vec<Move>, Refusal> {
    let read = |journal: &Journal, line: &str| read_line(journal.book(), line);
    let (edit, shown) = match change {
        Change::Undo { line } => {
            journal.undo().map_err(journal_refusal)?;
            return read(journal, &line);
        }
        Change::Redo { line } => {
            journal.redo().map_err(journal_refusal)?;
            return read(journal, &line);
        }
        Change::Add { line } => {
            let line = read(journal, &line)?;
            (Edit::Add(line.clone()), line)
        }
        Change::Remove { line } => {
            let line = read(journal, &line)?;
            let shown = line[..line.len().saturating_sub(1)].to_vec();
            (Edit::Remove(line), shown)
        }
        Change::Correct { line, by } => correction(journal, &line, &by)?,
        Change::Name { line, text } => {
            let line = read(journal, &line)?;
            (Edit::Name(line.clone(), checked_text(text)?), line)
        }
        Change::Comment { line, text } => {
            let line = read(journal, &line)?;
            (Edit::Comment(line.clone(), checked_text(text)?), line)
        }
        Change::Mark { line, text } => {
            let line = read(journal, &line)?;
            (Edit::Mark(line.clone(), read_mark(&text)?), line)
        }
    };
    journal.edit(edit).map_err(journal_refusal)?;
    Ok(shown)
}

fn correction(journal: &Journal, line: &str, by: &str) -> Result<(Edit, Vec<Move>), Refusal> {
    let line = read_line(journal.book(), line)?;
    let Some((_, before)) = line.split_last() else { return Err(Refusal::wrong("the line has no moves")) };
    let game = journal.book().after(before).map_err(|error| Refusal::wrong(error.to_string()))?;
    let mv = read_move(&game, by.trim()).map_err(|error| Refusal::wrong(error.to_string()))?;
    let shown = before.iter().copied().chain([mv]).collect();
    Ok((Edit::Correct(line, mv), shown))
}

fn read_mark(text: &str) -> Result<Option<Mark>, Refusal> {
    let marks = Mark::ALL.map(Mark::symbol).join(" ");
    match text {
        "" => Ok(None),
        _ => Mark::read(text).map(Some).ok_or_else(|| {
            let shown: String = text.chars().take(8).collect();
            Refusal::wrong(format!("`{shown}` is no mark")).hint(format!("marks are {marks}"))
        }),
    }
}

fn checked_text(text: String) -> Result<String, Refusal> {
    match text.chars().count() > MOST_TEXT {
        true => Err(Refusal::wrong(format!("a text has at most {MOST_TEXT} characters"))),
        // One edit is one line of the file; `|` ends the moves before it.
        false => Ok(text.split_whitespace().collect::<Vec<_>>().join(" ")),
    }
}

/// The moves of a line.
pub fn read_line(book: &Book, text: &str) -> Result<Vec<Move>, Refusal> {
    if text.len() > MOST_LINE {
        return Err(Refusal::wrong(format!("a line has at most {MOST_LINE} bytes")));
    }
    let line = book.read_line(text).map_err(Refusal::wrong)?;
    match line.len() > MOST_PLIES {
        true => Err(Refusal::wrong(format!("a line of a book has at most {MOST_PLIES} moves"))),
        false => Ok(line),
    }
}
