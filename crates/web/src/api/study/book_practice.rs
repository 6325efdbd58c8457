//! Spaced repetition of a book's moves.
//!
//! In: a book, a side, answers. Out: questions, verdicts, what is due. Saved beside the book in
//! `NAME.practice.json`: for each position the streak and when it is due.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use ashta_messages::message;
use ashta_play::Random;
use ashta_position::notation::{read_move, write_coordinates, write_san};
use ashta_position::{Game, Move};
use ashta_rules::Side;
use ashta_study::opening::{Book, BookMove, choose};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::read_line;
use crate::api::SharedState;
use crate::api::extract::{JsonBody, PathParams};
use crate::api::position_view::{PositionView, WrittenMove};
use crate::api::router::{ApiRouter, routes};
use crate::api_error::{ApiError, ApiResult};
use crate::app_state::{AppState, spawn_blocking};
use crate::data_folder::Name;
use ashta_records::write_atomic;

/// Routes of practice.
pub fn routes() -> ApiRouter {
    routes![question, answer]
}

/// Hours until a position is asked again that was known so many times in a row.
const HOURS: [u64; 7] = [0, 4, 24, 72, 168, 504, 1440];

/// The review state of a position.
#[derive(Clone, Copy, Serialize, Deserialize, Default, Debug)]
struct Card {
    /// Known so many times in a row.
    row: usize,
    /// When it is due, in seconds since 1970.
    due: u64,
    /// Right at the first try, ever.
    right: u32,
    /// Not right at the first try, ever.
    wrong: u32,
}

/// By key of the position.
type PracticeHistory = BTreeMap<String, Card>;

fn history_path(state: &AppState, name: &Name) -> PathBuf {
    state.folder.books().join(format!("{name}.practice.json"))
}

fn load_history(state: &AppState, name: &Name) -> PracticeHistory {
    // An unreadable file counts as empty: only review times are lost.
    let text = std::fs::read(history_path(state, name)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

pub fn delete_history(state: &AppState, name: &Name) -> Result<(), ApiError> {
    match std::fs::remove_file(history_path(state, name)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

fn key_text(game: &Game) -> String {
    format!("{:016x}", game.key())
}

/// The state of a practice line.
#[derive(Deserialize, ToSchema, Debug)]
struct PracticeAt {
    /// The side whose moves are asked: 0 moves first, 1 second.
    side: u8,
    /// The moves so far, separated by spaces.
    #[serde(default)]
    line: String,
    /// The number that the other side's choices come from.
    #[serde(default)]
    seed: u64,
}

/// How much of a book is known.
#[derive(Clone, Copy, Serialize, ToSchema, Default, Debug)]
struct PracticeScore {
    /// Positions that can be asked.
    questions: usize,
    /// Of these, due now; those never asked among them.
    due: usize,
    /// Never asked.
    new: usize,
    /// Right at the first try, ever.
    right: u32,
    /// Not right at the first try, ever.
    wrong: u32,
}

/// A question, or the end of a line.
#[derive(Serialize, ToSchema, Debug)]
struct Question {
    /// Whether a move is asked; if not, the line ends here.
    asked: bool,
    /// Moves that the other side played before it.
    played: Vec<String>,
    /// How many moves the book has here.
    n_right: usize,
    /// The name of the position.
    title: Option<String>,
    /// What was said of it.
    comment: Option<String>,
    /// The position; its `line` is the line so far.
    position_view: PositionView,
    /// How much of the book is known.
    score: PracticeScore,
}

/// The next question of a line: plays the other side's moves, those first below which something is due.
#[utoipa::path(post, path = "/api/books/{name}/practice", params(("name" = String, Path, description = "a book")),
    request_body = PracticeAt, responses((status = 200, body = Question)))]
async fn question(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(at): JsonBody<PracticeAt>,
) -> ApiResult<Question> {
    let (name, side) = (Name::read(&name)?, read_side(at.side)?);
    let asked = spawn_blocking(move || {
        state.study.with_book(&state.library, &name, |journal| {
            let history = load_history(&state, &name);
            let line = read_line(journal.book(), &at.line)?;
            next_question(journal.book(), side, line, at.seed, &history)
        })
    });
    Ok(Json(asked.await?))
}

fn read_side(side: u8) -> Result<Side, ApiError> {
    match side {
        0 => Ok(Side::FIRST),
        1 => Ok(Side::SECOND),
        _ => Err(ApiError::bad_request(message!("web.drill-side", side))),
    }
}

fn next_question(
    book: &Book,
    side: Side,
    line: Vec<Move>,
    seed: u64,
    history: &PracticeHistory,
) -> Result<Question, ApiError> {
    let scan = DueScan::run(book, side, history);
    let mut game = book.root();
    let before = game.setup().ply;
    let mut written = Vec::new();
    let mut play = |game: &mut Game, mv: Move| {
        written.push(WrittenMove::of(game, mv, before + written.len() as u32 + 1));
        game.play_unchecked(mv);
    };
    line.iter().for_each(|mv| play(&mut game, *mv));
    let mut random = Random::of_game(seed, 1, line.len() as u64);
    let mut played = Vec::new();
    let moves = |game: &Game| book.node(game).map_or(Vec::new(), |node| node.moves.clone());
    // A book may have cycles.
    while game.turn() != side && !moves(&game).is_empty() && played.len() < 400 {
        let here = moves(&game);
        let mv = scan.choose(&mut game, &here, &mut random);
        played.push(write_coordinates(&game, mv));
        play(&mut game, mv);
    }
    let node = book.node(&game).cloned().unwrap_or_default();
    Ok(Question {
        asked: game.turn() == side && !node.moves.is_empty(),
        played,
        n_right: node.moves.len(),
        title: node.name,
        comment: node.comment,
        position_view: PositionView::of(&game, written),
        score: scan.score,
    })
}

/// What is due in a book for a side.
struct DueScan<'m> {
    side: Side,
    history: &'m PracticeHistory,
    now: u64,
    /// By key: whether something is due there or below.
    due_below: HashMap<u64, bool>,
    score: PracticeScore,
}

impl<'m> DueScan<'m> {
    fn run(book: &Book, side: Side, history: &'m PracticeHistory) -> DueScan<'m> {
        let score = PracticeScore::default();
        let mut scan = DueScan { side, history, now: now(), due_below: HashMap::new(), score };
        scan.at(book, &mut book.root());
        scan
    }

    fn at(&mut self, book: &Book, game: &mut Game) -> bool {
        if let Some(due) = self.due_below.get(&game.key()) {
            return *due;
        }
        // Until it is known: lines that come back to here have nothing to add.
        self.due_below.insert(game.key(), false);
        let Some(node) = book.node(game).filter(|node| !node.moves.is_empty()) else { return false };
        let mut due = game.turn() == self.side && self.count(game);
        for known in &node.moves {
            game.play_unchecked(known.mv);
            due |= self.at(book, game);
            game.take_back();
        }
        self.due_below.insert(game.key(), due);
        due
    }

    fn count(&mut self, game: &Game) -> bool {
        let known = self.history.get(&key_text(game));
        let due = known.is_none_or(|known| known.due <= self.now);
        self.score.questions += 1;
        self.score.due += usize::from(due);
        self.score.new += usize::from(known.is_none());
        self.score.right += known.map_or(0, |known| known.right);
        self.score.wrong += known.map_or(0, |known| known.wrong);
        due
    }

    /// A move of the other side: one below which something is due, if there is one.
    fn choose(&self, game: &mut Game, moves: &[BookMove], random: &mut Random) -> Move {
        let mut leads_to_due = |known: &&BookMove| {
            game.play_unchecked(known.mv);
            let due = self.due_below.get(&game.key()).copied().unwrap_or(false);
            game.take_back();
            due
        };
        let wanted: Vec<BookMove> = moves.iter().filter(&mut leads_to_due).cloned().collect();
        choose(if wanted.is_empty() { moves } else { &wanted }, random)
    }
}

/// An answer to a question.
#[derive(Deserialize, ToSchema, Debug)]
struct PracticeAnswer {
    /// The side whose moves are asked.
    side: u8,
    /// The moves before the question, separated by spaces.
    #[serde(default)]
    line: String,
    /// The move, in coordinates or SAN; `null` reveals the answer.
    #[serde(default)]
    r#move: Option<String>,
    /// Whether it is the first answer to this question; only that counts.
    #[serde(default)]
    first: bool,
}

/// Whether an answer is in the book.
#[derive(Serialize, ToSchema, Debug)]
struct AnswerVerdict {
    /// Whether it is.
    right: bool,
    /// The move as players write it.
    san: Option<String>,
    /// The book's moves, in coordinates; only after a right answer or a reveal.
    moves: Vec<String>,
    /// The same as players write them.
    sans: Vec<String>,
    /// Hours until it is asked again, after a first answer.
    hours: Option<u64>,
}

/// Answers a question. What is right at the first try is asked again later each time; what is not, soon.
#[utoipa::path(post, path = "/api/books/{name}/practice/answer", params(("name" = String, Path, description = "a book")),
    request_body = PracticeAnswer, responses((status = 200, body = AnswerVerdict)))]
async fn answer(
    State(state): SharedState,
    PathParams(name): PathParams<String>,
    JsonBody(given): JsonBody<PracticeAnswer>,
) -> ApiResult<AnswerVerdict> {
    let (name, _) = (Name::read(&name)?, read_side(given.side)?);
    let answered = spawn_blocking(move || {
        state.study.with_book(&state.library, &name, |journal| {
            let book = journal.book();
            let line = read_line(book, &given.line)?;
            let game = book.after(&line).map_err(ApiError::bad_request)?;
            let mut verdict = check_answer(book, &game, given.r#move.as_deref())?;
            if given.first {
                verdict.hours = Some(record_answer(&state, &name, &game, verdict.right)?);
            }
            Ok(verdict)
        })
    });
    Ok(Json(answered.await?))
}

fn check_answer(book: &Book, game: &Game, given: Option<&str>) -> Result<AnswerVerdict, ApiError> {
    let moves: Vec<Move> =
        book.node(game).map_or(Vec::new(), |node| node.moves.iter().map(|known| known.mv).collect());
    if moves.is_empty() {
        return Err(ApiError::conflict(message!("web.book-end")).hint(message!("web.book-end.hint")));
    }
    let read = |text: &str| {
        let text: String = text.trim().chars().take(64).collect();
        read_move(game, &text).map_err(ApiError::bad_request)
    };
    let mv = given.map(read).transpose()?;
    let right = mv.is_some_and(|mv| moves.contains(&mv));
    let revealed: &[Move] = if right || mv.is_none() { &moves } else { &[] };
    Ok(AnswerVerdict {
        right,
        san: mv.map(|mv| write_san(game, mv)),
        moves: revealed.iter().map(|mv| write_coordinates(game, *mv)).collect(),
        sans: revealed.iter().map(|mv| write_san(game, *mv)).collect(),
        hours: None,
    })
}

/// Records an answer; returns the hours until the next review. The book's lock is held, so there is one writer.
fn record_answer(state: &AppState, name: &Name, game: &Game, right: bool) -> Result<u64, ApiError> {
    let mut history = load_history(state, name);
    let known = history.entry(key_text(game)).or_default();
    if right {
        known.row = (known.row + 1).min(HOURS.len() - 1);
        known.right = known.right.saturating_add(1);
    } else {
        known.row = 0;
        known.wrong = known.wrong.saturating_add(1);
    }
    let hours = HOURS[known.row];
    known.due = now() + hours * 3600;
    let text = serde_json::to_vec(&history).unwrap_or_default();
    write_atomic(&history_path(state, name), text)?;
    Ok(hours)
}
