//! A page of a book: what it has of a position, the lines that meet there, the tree.

use std::collections::HashSet;

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{Game, Move};
use ashta_study::opening::{Book, Journal, Mark};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::position_view::{PositionView, WrittenMove};
use crate::api_error::ApiError;
use crate::data_folder::Name;
use crate::study_json::BookMoveJson;

/// Most rows of a tree.
const MAX_ROWS: usize = 400;
/// Plies of the tree of a larger book, from the current position.
const FEW_PLIES: usize = 3;
/// Most other ways to a position that are named.
const MAX_WAYS: usize = 6;

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
    /// Whether the tree has more rows than are written.
    more: bool,
    position_view: PositionView,
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
    /// Whether the position after it has a comment.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    comment: bool,
    /// Games.
    #[serde(skip_serializing_if = "is_zero")]
    games: u64,
    /// Whether the position after it is listed above already (a transposition).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    met: bool,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// What the book has after a line.
pub fn page(name: &Name, journal: &Journal, line: &[Move]) -> Result<BookPage, ApiError> {
    let book = journal.book();
    let game = book.after(line).map_err(ApiError::bad_request)?;
    let rows = rows(book, &game);
    let survey = book.survey();
    let ways = survey.ways_to(game.key(), MAX_WAYS);
    let (n_positions, n_moves) = survey.size();
    let tree_from = if n_moves <= MAX_ROWS { 0 } else { line.len() };
    let (tree, more) = tree(book, if tree_from == 0 { book.root() } else { game.clone() }, n_moves);
    let (n_undo, n_redo) = journal.n_edits();
    let node = book.node(&game);
    let position_view = PositionView::of(&game, written_moves(book, line));
    Ok(BookPage {
        name: name.to_string(),
        game: position_view.game.clone(),
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
        position_view,
    })
}

fn written(book: &Book, line: &[Move]) -> Vec<LineMove> {
    let mut game = book.root();
    line.iter()
        .map(|mv| {
            let written = LineMove { san: write_san(&game, *mv), text: write_coordinates(&game, *mv) };
            game.play_unchecked(*mv);
            written
        })
        .collect()
}

fn written_moves(book: &Book, line: &[Move]) -> Vec<WrittenMove> {
    let mut game = book.root();
    let before = game.setup().ply;
    line.iter()
        .enumerate()
        .map(|(at, mv)| {
            let written = WrittenMove::of(&game, *mv, before + at as u32 + 1);
            game.play_unchecked(*mv);
            written
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
            games: known.stats.n,
            first_wins: known.stats.first,
            draws: known.stats.draws,
            second_wins: known.stats.second,
            name: book.node(&after).and_then(|node| node.name.clone()),
        };
        rows.push((row, after.key()));
        after.take_back();
    }
    rows
}

/// The tree below a position: all of a small book, a few plies of a large one.
fn tree(book: &Book, from: Game, n_moves: usize) -> (Vec<TreeRow>, bool) {
    let most_depth = if n_moves <= MAX_ROWS { usize::MAX } else { FEW_PLIES };
    let seen = HashSet::from([from.key()]);
    let mut tree = Tree { book, most_depth, seen, rows: Vec::new() };
    tree.below(&mut from.clone(), 0);
    (tree.rows, n_moves > MAX_ROWS)
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
            if self.rows.len() >= MAX_ROWS {
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
                games: known.stats.n,
                met,
            });
            if !met {
                self.below(game, depth + 1);
            }
            game.take_back();
        }
    }
}
