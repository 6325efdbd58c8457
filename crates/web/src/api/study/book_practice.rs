//! Practice with a book: the page is asked for the book's moves, and what was known is asked again later, not soon.
//!
//! In: a book, a side, answers. Out: questions, whether an answer is in the book, what is due. Kept beside the book in
//! `NAME.practice.json`: for each position how often it was known in a row, and when it is due.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use ashta_play::Random;
use ashta_position::notation::{read_move, write_coordinates, write_san};
use ashta_position::{Game, Move};
use ashta_rules::Side;
use ashta_study::opening::{Book, BookMove, choose};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::openings::read_line;
use crate::api::Shared;
use crate::api::body::{Body, InPath};
use crate::api::standing::{Standing, WrittenMove};
use crate::data_folder::Name;
use crate::failure::{Answer, Refusal};
use crate::laboratory::{Laboratory, aside};
use ashta_records::write_atomic;

/// Routes of practice.
pub fn routes() -> OpenApiRouter<Arc<Laboratory>> {
    OpenApiRouter::new().routes(routes!(question)).routes(routes!(answer))
}

/// Hours until a position is asked again that was known so many times in a row.
const HOURS: [u64; 7] = [0, 4, 24, 72, 168, 504, 1440];

/// What is known of a position.
#[derive(Clone, Copy, Serialize, Deserialize, Default, Debug)]
struct Known {
    /// Known so many times in a row.
    row: usize,
    /// When it is due, in seconds since 1970.
    due: u64,
    /// Right at the first try, ever.
    right: u32,
    /// Not right at the first try, ever.
    wrong: u32,
}

/// What is known of a book, by key of the position.
type Memory = BTreeMap<String, Known>;

fn memory_path(laboratory: &Laboratory, name: &Name) -> PathBuf {
    laboratory.folder.books().join(format!("{name}.practice.json"))
}

fn read_memory(laboratory: &Laboratory, name: &Name) -> Memory {
    // What cannot be read is as good as new: it is only when things are asked.
    let text = std::fs::read(memory_path(laboratory, name)).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Forgets what is known of a book that is taken away.
pub fn forget_practice(laboratory: &Laboratory, name: &Name) -> Result<(), Refusal> {
    match std::fs::remove_file(memory_path(laboratory, name)) {
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

/// Where somebody is in a line that is asked.
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
struct Score {
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
    /// Where it stands; its `line` is the line so far.
    standing: Standing,
    /// How much of the book is known.
    score: Score,
}

/// The next question of a line: plays the other side's moves, those first below which something is due.
#[utoipa::path(post, path = "/api/books/{name}/practice", params(("name" = String, Path, description = "a book")),
    request_body = PracticeAt, responses((status = 200, body = Question)))]
async fn question(
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Body(at): Body<PracticeAt>,
) -> Answer<Question> {
    let (name, side) = (Name::read(&name)?, read_side(at.side)?);
    let asked = aside(move || {
        laboratory.study.with_book(&laboratory, &name, |journal| {
            let memory = read_memory(&laboratory, &name);
            let line = read_line(journal.book(), &at.line)?;
            ask(journal.book(), side, line, at.seed, &memory)
        })
    });
    Ok(Json(asked.await?))
}

fn read_side(side: u8) -> Result<Side, Refusal> {
    match side {
        0 => Ok(Side::FIRST),
        1 => Ok(Side::SECOND),
        _ => Err(Refusal::wrong(format!("`side` is {side}, and must be 0 or 1"))),
    }
}

fn ask(book: &Book, side: Side, line: Vec<Move>, seed: u64, memory: &Memory) -> Result<Question, Refusal> {
    let look = Look::through(book, side, memory);
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
    // A book may go round in a circle; nobody is asked for ever.
    while game.turn() != side && !moves(&game).is_empty() && played.len() < 400 {
        let here = moves(&game);
        let mv = look.choose(&mut game, &here, &mut random);
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
        standing: Standing::of(&game, written),
        score: look.score,
    })
}

/// What is due in a book for a side.
struct Look<'m> {
    side: Side,
    memory: &'m Memory,
    now: u64,
    /// By key: whether something is due there or below.
    due_below: HashMap<u64, bool>,
    score: Score,
}

impl<'m> Look<'m> {
    fn through(book: &Book, side: Side, memory: &'m Memory) -> Look<'m> {
        let score = Score::default();
        let mut look = Look { side, memory, now: now(), due_below: HashMap::new(), score };
        look.at(book, &mut book.root());
        look
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
        let known = self.memory.get(&key_text(game));
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
struct Given {
    /// The side whose moves are asked.
    side: u8,
    /// The moves before the question, separated by spaces.
    #[serde(default)]
    line: String,
    /// The move, in coordinates or SAN; nothing to be told.
    #[serde(default)]
    r#move: Option<String>,
    /// Whether it is the first answer to this question; only that counts.
    #[serde(default)]
    first: bool,
}

/// Whether an answer is in the book.
#[derive(Serialize, ToSchema, Debug)]
struct Verdict {
    /// Whether it is.
    right: bool,
    /// The move as players write it.
    san: Option<String>,
    /// The book's moves, in coordinates; only where the answer is right or was to be told.
    moves: Vec<String>,
    /// The same as players write them.
    sans: Vec<String>,
    /// Hours until it is asked again, after a first answer.
    hours: Option<u64>,
}

/// Answers a question. What is right at the first try is asked again later each time; what is not, soon.
#[utoipa::path(post, path = "/api/books/{name}/practice/answer", params(("name" = String, Path, description = "a book")),
    request_body = Given, responses((status = 200, body = Verdict)))]
async fn answer(
    State(laboratory): Shared,
    InPath(name): InPath<String>,
    Body(given): Body<Given>,
) -> Answer<Verdict> {
    let (name, _) = (Name::read(&name)?, read_side(given.side)?);
    let told = aside(move || {
        laboratory.study.with_book(&laboratory, &name, |journal| {
            let book = journal.book();
            let line = read_line(book, &given.line)?;
            let game = book.after(&line).map_err(|error| Refusal::wrong(error.to_string()))?;
            let mut verdict = judge(book, &game, given.r#move.as_deref())?;
            if given.first {
                verdict.hours = Some(remember(&laboratory, &name, &game, verdict.right)?);
            }
            Ok(verdict)
        })
    });
    Ok(Json(told.await?))
}

fn judge(book: &Book, game: &Game, given: Option<&str>) -> Result<Verdict, Refusal> {
    let moves: Vec<Move> =
        book.node(game).map_or(Vec::new(), |node| node.moves.iter().map(|known| known.mv).collect());
    if moves.is_empty() {
        return Err(Refusal::conflict("the book has no move here").hint("ask for the next question"));
    }
    let read = |text: &str| {
        let text: String = text.trim().chars().take(64).collect();
        read_move(game, &text).map_err(|error| Refusal::wrong(error.to_string()))
    };
    let mv = given.map(read).transpose()?;
    let right = mv.is_some_and(|mv| moves.contains(&mv));
    let told: &[Move] = if right || mv.is_none() { &moves } else { &[] };
    Ok(Verdict {
        right,
        san: mv.map(|mv| write_san(game, mv)),
        moves: told.iter().map(|mv| write_coordinates(game, *mv)).collect(),
        sans: told.iter().map(|mv| write_san(game, *mv)).collect(),
        hours: None,
    })
}

/// Writes down how it went; hours until it is asked again. The book's lock is held, so nobody else writes.
fn remember(laboratory: &Laboratory, name: &Name, game: &Game, right: bool) -> Result<u64, Refusal> {
    let mut memory = read_memory(laboratory, name);
    let known = memory.entry(key_text(game)).or_default();
    match right {
        true => {
            known.row = (known.row + 1).min(HOURS.len() - 1);
            known.right = known.right.saturating_add(1);
        }
        false => {
            known.row = 0;
            known.wrong = known.wrong.saturating_add(1);
        }
    }
    let hours = HOURS[known.row];
    known.due = now() + hours * 3600;
    let text = serde_json::to_vec(&memory).unwrap_or_default();
    write_atomic(&memory_path(laboratory, name), text)?;
    Ok(hours)
}
