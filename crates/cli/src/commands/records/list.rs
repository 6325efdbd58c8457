//! `ashta records list` and `show`: games of a collection.

use std::convert::Infallible;
use std::io::Write;
use std::path::PathBuf;

use ashta_messages::message;
use ashta_position::Game;
use ashta_position::notation::write_coordinates;
use ashta_records::annotations::{NotatedLine, write_line};
use ashta_records::{Collection, CollectionError, Format, Query, write_record};
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::import::read_format;
use super::open::{game_at, open_collection, query_run_error, read_typed_query, table};
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::draw;
use crate::game_arguments::StyleArgs;
use crate::output::{grouped, write_json, write_lines};

/// List the games of a collection, or those that a query finds
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-list.txt"))]
pub struct ListArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Query that selects the games, such as 'player="name" result=draw'
    query: Option<String>,
    /// Games to list
    #[arg(long, short = 'n', default_value_t = 50)]
    limit: usize,
    /// Games to skip
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Show one game of a collection: board, moves and comments
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-show.txt"))]
pub struct RecordsShowArgs {
    /// The collection's folder
    collection: PathBuf,
    /// The game's number, from 1
    number: usize,
    /// Draw the board after this ply [default: the last]
    #[arg(long)]
    ply: Option<u16>,
    /// Write the record in this format instead
    #[arg(long, value_name = "FORMAT", value_parser = read_format)]
    format: Option<Format>,
    #[command(flatten)]
    style: StyleArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Games of a collection, for programs.
#[derive(Serialize)]
struct ListedGames {
    collection: String,
    game: String,
    games: usize,
    positions: usize,
    segments: usize,
    found: usize,
    listed: Vec<ListedGame>,
}

#[derive(Serialize)]
struct ListedGame {
    game: usize,
    result: String,
    plies: usize,
    start: Option<String>,
    tags: serde_json::Map<String, serde_json::Value>,
}

impl ListedGame {
    fn read(collection: &Collection, game: usize) -> Result<ListedGame, CliError> {
        let record = collection.record(game)?.unwrap_or_default();
        let tags = record.tags.iter().map(|(name, value)| (name.to_string(), value.into())).collect();
        let (result, plies) = (record.result.text(), record.moves.len());
        Ok(ListedGame { game: game + 1, result, plies, start: record.start, tags })
    }

    fn tag(&self, name: &str) -> String {
        self.tags.get(name).and_then(|value| value.as_str()).unwrap_or_default().to_string()
    }
}

pub fn run(args: &ListArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let collection = open_collection(&args.collection)?;
    let games: Vec<usize> = match &args.query {
        None => (0..collection.n_games()).collect(),
        Some(_) => {
            let query = read_typed_query(args.query.as_deref(), collection.rules(), "QUERY")?;
            collection.find(&query).map_err(query_run_error)?.games()
        }
    };
    let shown = games.iter().skip(args.skip).take(args.limit);
    let listed: Vec<ListedGame> =
        shown.map(|game| ListedGame::read(&collection, *game)).collect::<Result<_, _>>()?;
    let status = if games.is_empty() { Status::No } else { Status::Done };
    if args.json {
        let json = ListedGames {
            collection: args.collection.display().to_string(),
            game: collection.manifest().game.clone(),
            games: collection.n_games(),
            positions: collection.n_positions(),
            segments: collection.manifest().segments.len(),
            found: games.len(),
            listed,
        };
        return write_json(out, &json).map(|_| status);
    }
    writeln!(
        out,
        "{} games of {} found among {} ({} positions)",
        grouped(games.len() as u64),
        collection.manifest().game,
        grouped(collection.n_games() as u64),
        grouped(collection.n_positions() as u64),
    )?;
    let heads = ["game", "date", "players", "result", "plies", "event"].map(str::to_string);
    let n_sides = collection.rules().rules().sides().len();
    let rows = listed.iter().map(|game| {
        let known = |name: &&str| Some(game.tag(name)).filter(|name| !name.is_empty()).unwrap_or("?".into());
        let players: Vec<String> = ashta_records::tag::PLAYERS[..n_sides.min(4)].iter().map(known).collect();
        [
            game.game.to_string(),
            game.tag(ashta_records::tag::DATE),
            players.join(" - "),
            game.result.clone(),
            game.plies.to_string(),
            game.tag(ashta_records::tag::EVENT),
        ]
    });
    if !listed.is_empty() {
        write_lines(out, &table(std::iter::once(heads).chain(rows).collect()))?;
    }
    Ok(status)
}

#[derive(Serialize)]
struct ShownGame {
    #[serde(flatten)]
    listed: ListedGame,
    moves: Vec<String>,
    /// What is said beside the moves: by plies, comments, glyphs, times, and variations with notes of their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<serde_json::Value>,
    ply: u16,
    position: String,
}

/// What is said on a line, after which of its plies.
fn notes_json(line: &NotatedLine<String>) -> Vec<serde_json::Value> {
    let variation = |line: &NotatedLine<String>| {
        let moves: Vec<&str> = line.moves.iter().map(|mv| mv.text.as_str()).collect();
        json!({ "moves": moves, "notes": notes_json(line) })
    };
    let said = line.notes().map(|(ply, note, beside)| {
        let mut said = serde_json::Map::from_iter([("ply".to_string(), ply.into())]);
        let note = note.cloned().unwrap_or_default();
        if !note.comment.is_empty() {
            said.insert("comment".into(), note.comment.into());
        }
        if !note.glyphs.is_empty() {
            said.insert("glyphs".into(), note.glyphs.into());
        }
        said.extend(note.spent_ms.map(|spent_ms| ("spent_ms".to_string(), spent_ms.into())));
        if !beside.is_empty() {
            said.insert("variations".into(), beside.iter().map(variation).collect());
        }
        said.into()
    });
    said.collect()
}

pub fn show(args: &RecordsShowArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let collection = open_collection(&args.collection)?;
    let at = args.number.checked_sub(1).filter(|at| *at < collection.n_games()).ok_or_else(|| {
        let hint = message!("cli.no-game-number.hint", most = collection.n_games());
        ErrorMessage::new(message!("cli.no-game-number", n = args.number)).hint(hint)
    })?;
    let record = collection.record(at)?.unwrap_or_default();
    if let Some(format) = args.format {
        let mut text = String::new();
        write_record(format, &record, collection.rules(), &mut text).map_err(ErrorMessage::new)?;
        write!(out, "{text}")?;
        return Ok(Status::Done);
    }
    let ply = args.ply.unwrap_or(u16::MAX).min(record.moves.len() as u16);
    let game = game_at(&collection, at, ply)?.ok_or_else(|| ErrorMessage::new(message!("cli.game-gone")))?;
    let listed = ListedGame::read(&collection, at)?;
    if args.json {
        let mut playing =
            game_at(&collection, at, 0)?.ok_or_else(|| ErrorMessage::new(message!("cli.game-gone")))?;
        let mut write = |game: &Game, mv| Ok::<_, Infallible>(write_coordinates(game, mv));
        let Ok(told) = write_line(&mut playing, &record.moves, &record.annotations, &mut write);
        let notes = notes_json(&told);
        let moves = told.moves.into_iter().map(|mv| mv.text).collect();
        return write_json(out, &ShownGame { listed, moves, notes, ply, position: game.text() });
    }
    for (name, value) in record.tags.iter() {
        writeln!(out, "{name}: {value}")?;
    }
    writeln!(out, "Result: {}, {} plies\n", record.result.text(), record.moves.len())?;
    write_lines(out, &draw::board(&game, args.style.style(game.rules())))?;
    let mut text = String::new();
    write_record(Format::Pgn, &record, collection.rules(), &mut text).map_err(ErrorMessage::new)?;
    // The moves alone: tags are above.
    let moves = text.split_once("\n\n").map_or("", |(_, moves)| moves.trim_end());
    writeln!(out, "\nafter {ply} plies: {}\n\n{moves}", game.text())?;
    Ok(Status::Done)
}

/// The games of a query, or all.
pub fn matching_games(collection: &Collection, query: Option<&Query>) -> Result<Vec<usize>, CliError> {
    match query {
        None => Ok((0..collection.n_games()).collect()),
        Some(query) => {
            let answer = collection.find(query).map_err(query_run_error)?;
            Ok(answer.games())
        }
    }
}

impl From<ashta_records::segment::SegmentError> for CliError {
    fn from(error: ashta_records::segment::SegmentError) -> CliError {
        CollectionError::Segment(error).into()
    }
}
