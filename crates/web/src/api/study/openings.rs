//! Books of openings: which there are, what each has of a position, edits.

use std::collections::HashSet;
use std::fs;
use std::sync::Arc;

use ashta_position::notation::{read_move, write_coordinates, write_san};
use ashta_position::{Game, Move};
use ashta_study::opening::{Book, Edit, Journal, JournalError, Mark, game_of};
use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::book_practice::forget_practice;
use super::two_sides;
use crate::api::Shared;
use crate::api::body::Body;
use crate::api::position::position_refusal;
use crate::api::standing::Standing;
use crate::data_folder::{DataFolder, Name};
use crate::failure::{Answer, Refusal};
use crate::laboratory::{Laboratory, aside};
use crate::study_json::BookMoveJson;
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
/// Most rows of a tree.
const MOST_ROWS: usize = 400;
/// Plies of the tree that are told of a larger book, from where somebody stands.
const FEW_PLIES: usize = 3;
/// Most other ways to a position that are named.
const MOST_WAYS: usize = 6;

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
    let name = read_name(&wanted.name)?;
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
async fn delete(State(laboratory): Shared, Path(name): Path<String>) -> Answer<Vec<BookLine>> {
    let name = read_name(&name)?;
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
struct At {
    /// The moves from its start, separated by spaces: `e2e4 e7e5`.
    #[serde(default)]
    line: String,
}

/// What a book has of a position: its moves, its names, what follows.
#[derive(Serialize, ToSchema, Debug)]
pub struct BookPage {
    /// The book.
    name: String,
    /// Its game, with changes.
    game: String,
    /// Where it starts, if not where the game does.
    start: Option<String>,
    /// Positions that can be reached.
    n_positions: usize,
    /// Moves that can be reached.
    n_moves: usize,
    /// Edits that can be taken back.
    n_undo: usize,
    /// Edits that can be made again.
    n_redo: usize,
    /// Whether the line that was asked for is in the book to its end.
    in_book: bool,
    /// The name of the position.
    title: Option<String>,
    /// What was said of it.
    comment: Option<String>,
    /// The mark of the last move of the line.
    mark: Option<&'static str>,
    /// The book's moves here.
    moves: Vec<BookRow>,
    /// Other lines to this position.
    also: Vec<Vec<LineMove>>,
    /// Plies of the line after which `tree` begins: 0 if it is the whole book.
    tree_from: usize,
    /// The tree as rows; each follows the last one before it that is less deep.
    tree: Vec<TreeRow>,
    /// Whether the tree has more rows than are told.
    more: bool,
    /// Where it stands.
    standing: Standing,
}

/// A move of a book where it is asked for.
#[derive(Serialize, ToSchema, Debug)]
struct BookRow {
    #[serde(flatten)]
    known: BookMoveJson,
    /// How many moves of the book lead to the position after it; more than one is a transposition.
    ways: usize,
}

/// A move of a line.
#[derive(Serialize, ToSchema, Debug)]
struct LineMove {
    /// As players write it.
    san: String,
    /// From and to.
    text: String,
}

/// A move in the tree.
#[derive(Serialize, ToSchema, Debug)]
struct TreeRow {
    /// Plies from where the tree begins.
    depth: usize,
    /// As players write it.
    san: String,
    /// From and to.
    text: String,
    /// Its mark.
    #[serde(skip_serializing_if = "Option::is_none")]
    mark: Option<&'static str>,
    /// The name of the position after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Whether something is said of the position after it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    comment: bool,
    /// Games.
    #[serde(skip_serializing_if = "is_zero")]
    games: u64,
    /// Whether the position after it stands above already, and goes on there.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    met: bool,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What a book has after a line.
#[utoipa::path(get, path = "/api/books/{name}", params(At, ("name" = String, Path, description = "a book")),
    responses((status = 200, body = BookPage)))]
async fn show(State(laboratory): Shared, Path(name): Path<String>, Query(at): Query<At>) -> Answer<BookPage> {
    let name = read_name(&name)?;
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
    Path(name): Path<String>,
    Body(change): Body<Change>,
) -> Answer<BookPage> {
    let name = read_name(&name)?;
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

/// The name of a book.
pub fn read_name(text: &str) -> Result<Name, Refusal> {
    Name::read(text).map_err(|error| Refusal::wrong(error.to_string()))
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

/// What the book has after a line.
pub fn page(name: &Name, journal: &Journal, line: &[Move]) -> Result<BookPage, Refusal> {
    let book = journal.book();
    let game = book.after(line).map_err(|error| Refusal::wrong(error.to_string()))?;
    let rows = rows(book, &game);
    let survey = book.survey();
    let ways = survey.ways_to(game.key(), MOST_WAYS);
    let (n_positions, n_moves) = survey.size();
    let tree_from = if n_moves <= MOST_ROWS { 0 } else { line.len() };
    let (tree, more) = tree(book, if tree_from == 0 { book.root() } else { game.clone() }, n_moves);
    let (n_undo, n_redo) = journal.n_edits();
    let node = book.node(&game);
    let standing = Standing::of(&game, written_moves(book, line));
    Ok(BookPage {
        name: name.to_string(),
        game: standing.game.clone(),
        start: book.start().map(str::to_string),
        n_positions,
        n_moves,
        n_undo,
        n_redo,
        in_book: line.is_empty() || !ways.is_empty(),
        title: node.and_then(|node| node.name.clone()),
        comment: node.and_then(|node| node.comment.clone()),
        mark: last_mark(book, line),
        moves: rows.into_iter().map(|(known, key)| BookRow { known, ways: survey.n_ways_to(key) }).collect(),
        also: ways.iter().filter(|way| way.as_slice() != line).map(|way| written(book, way)).collect(),
        tree_from,
        tree,
        more,
        standing,
    })
}

fn written(book: &Book, line: &[Move]) -> Vec<LineMove> {
    let mut game = book.root();
    line.iter()
        .map(|mv| {
            let told = LineMove { san: write_san(&game, *mv), text: write_coordinates(&game, *mv) };
            game.play_unchecked(*mv);
            told
        })
        .collect()
}

fn written_moves(book: &Book, line: &[Move]) -> Vec<crate::api::standing::WrittenMove> {
    let mut game = book.root();
    let before = game.setup().ply;
    line.iter()
        .enumerate()
        .map(|(at, mv)| {
            let told = crate::api::standing::WrittenMove::of(&game, *mv, before + at as u32 + 1);
            game.play_unchecked(*mv);
            told
        })
        .collect()
}

fn last_mark(book: &Book, line: &[Move]) -> Option<&'static str> {
    let (last, before) = line.split_last()?;
    let game = book.after(before).ok()?;
    let known = book.node(&game)?.moves.iter().find(|known| known.mv == *last)?;
    known.mark.map(Mark::symbol)
}

/// The moves of a position, each with the key of the position after it.
fn rows(book: &Book, game: &Game) -> Vec<(BookMoveJson, u64)> {
    let Some(node) = book.node(game) else { return Vec::new() };
    let mut after = game.clone();
    let mut rows = Vec::new();
    for known in &node.moves {
        let (text, coordinates) = (write_san(game, known.mv), write_coordinates(game, known.mv));
        after.play_unchecked(known.mv);
        let row = BookMoveJson {
            text,
            coordinates,
            mark: known.mark.map(Mark::symbol),
            games: known.tally.n,
            first_wins: known.tally.first,
            draws: known.tally.draws,
            second_wins: known.tally.second,
            name: book.node(&after).and_then(|node| node.name.clone()),
        };
        rows.push((row, after.key()));
        after.take_back();
    }
    rows
}

/// The tree below a position: all of a small book, a few plies of a large one.
fn tree(book: &Book, from: Game, n_moves: usize) -> (Vec<TreeRow>, bool) {
    let most_depth = if n_moves <= MOST_ROWS { usize::MAX } else { FEW_PLIES };
    let seen = HashSet::from([from.key()]);
    let mut told = Tree { book, most_depth, seen, rows: Vec::new() };
    told.below(&mut from.clone(), 0);
    (told.rows, n_moves > MOST_ROWS)
}

struct Tree<'b> {
    book: &'b Book,
    most_depth: usize,
    seen: HashSet<u64>,
    rows: Vec<TreeRow>,
}

impl Tree<'_> {
    fn below(&mut self, game: &mut Game, depth: usize) {
        let Some(node) = self.book.node(game).filter(|_| depth < self.most_depth) else { return };
        for known in &node.moves {
            if self.rows.len() >= MOST_ROWS {
                return;
            }
            let (san, text) = (write_san(game, known.mv), write_coordinates(game, known.mv));
            game.play_unchecked(known.mv);
            let after = self.book.node(game);
            let met = !self.seen.insert(game.key());
            self.rows.push(TreeRow {
                depth,
                san,
                text,
                mark: known.mark.map(Mark::symbol),
                name: after.and_then(|node| node.name.clone()),
                comment: after.is_some_and(|node| node.comment.is_some()),
                games: known.tally.n,
                met,
            });
            if !met {
                self.below(game, depth + 1);
            }
            game.take_back();
        }
    }
}
