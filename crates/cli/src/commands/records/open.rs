//! What the commands on collections share: opening one, reading a query, lines of results.

use std::path::Path;

use ashta_messages::message;
use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{CompiledRules, Game};
use ashta_records::query::QueryRunError;
use ashta_records::{Collection, CollectionError, Hit, Manifest, Query, QueryError, read_query};
use ashta_rules::Coordinates;
use serde::Serialize;

use crate::cli_error::{ArgumentSpan, CliError, ErrorMessage};
use crate::draw;
use crate::game_arguments::read_rules;

impl From<CollectionError> for CliError {
    fn from(error: CollectionError) -> CliError {
        let message = ErrorMessage::new(&error);
        let hint = match &error {
            CollectionError::None { path } => {
                message!("cli.new-collection.hint", path)
            }
            CollectionError::NotACollection { .. } => {
                message!("cli.not-a-collection.hint")
            }
            CollectionError::InUse { .. } => message!("cli.collection-in-use.hint"),
            CollectionError::AnotherGame { .. } => message!("cli.collection-another-game.hint"),
            CollectionError::DamagedManifest { .. } | CollectionError::Segment(_) => {
                message!("cli.collection-damaged.hint")
            }
            CollectionError::Io { .. } => return message.into(),
        };
        message.hint(hint).into()
    }
}

/// Opens a collection with the rules of its game.
pub fn open_collection(folder: &Path) -> Result<Collection, CliError> {
    let manifest = Manifest::read(folder)?;
    let rules = CompiledRules::new(read_rules(&manifest.game)?);
    Ok(Collection::open(folder, &rules)?)
}

/// Reads a query as typed; nothing typed is every position.
pub fn read_typed_query(
    text: Option<&str>,
    rules: &CompiledRules,
    option: &'static str,
) -> Result<Query, CliError> {
    match text {
        None => Ok(Query::All(Vec::new())),
        Some(text) => read_query(text, rules.rules()).map_err(|error| query_error(error, text, option)),
    }
}

pub fn query_error(error: QueryError, text: &str, option: &'static str) -> CliError {
    let place = ArgumentSpan { option, text: text.to_string(), offset: error.offset };
    let message = ErrorMessage::new(error.what).at(place);
    message.hint(error.hint.unwrap_or_else(|| message!("cli.query.hint"))).into()
}

pub fn query_run_error(error: QueryRunError) -> CliError {
    match error {
        QueryRunError::Position(_) | QueryRunError::Stopped => ErrorMessage::new(error).into(),
        QueryRunError::TooLarge { .. } => {
            ErrorMessage::new(error).hint(message!("cli.query-too-large.hint")).into()
        }
        QueryRunError::Segment(error) => CollectionError::Segment(error).into(),
    }
}

/// The move after a position as players of the game write it.
pub fn next_text(game: &Game, mv: ashta_position::Move) -> String {
    match game.rules().grid().coordinates() {
        Coordinates::Letters => write_san(game, mv),
        Coordinates::Numbers => write_coordinates(game, mv),
    }
}

/// A result for programs.
#[derive(Serialize)]
pub struct HitJson {
    /// From 1.
    game: usize,
    from: u16,
    /// The last ply, included.
    to: u16,
    players: Vec<Option<String>>,
    date: Option<String>,
    event: Option<String>,
    result: String,
    plies: usize,
    next: Option<String>,
}

/// `1971.08.12`, as far as it is known.
fn date_text(date: u32) -> Option<String> {
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    match (year, month, day) {
        (0, ..) => None,
        (_, 0, _) => Some(format!("{year:04}")),
        (_, _, 0) => Some(format!("{year:04}.{month:02}")),
        _ => Some(format!("{year:04}.{month:02}.{day:02}")),
    }
}

impl HitJson {
    /// What was found, with the next move written out.
    pub fn new(collection: &Collection, hit: &Hit) -> Result<HitJson, CliError> {
        let next = match hit.next {
            None => None,
            Some(mv) => game_at(collection, hit.game, hit.from)?.map(|game| next_text(&game, mv)),
        };
        Ok(HitJson {
            game: hit.game + 1,
            from: hit.from,
            to: hit.to - 1,
            players: hit.players.iter().map(|name| name.map(str::to_string)).collect(),
            date: date_text(hit.date),
            event: hit.event.map(str::to_string),
            result: hit.result.text(),
            plies: hit.n_plies,
            next,
        })
    }
}

/// A recorded game, played to a ply.
pub fn game_at(collection: &Collection, game: usize, ply: u16) -> Result<Option<Game>, CliError> {
    let Some((segment, local)) = collection.locate(game) else { return Ok(None) };
    let mut playing = segment.begin(collection.rules(), local).map_err(CollectionError::from)?;
    for mv in segment.moves(local).map_err(CollectionError::from)?.take(usize::from(ply)) {
        playing.play_unchecked(mv);
    }
    Ok(Some(playing))
}

/// Lines of a table of results: game, plies, date, players, result, next move, event.
pub fn hit_lines(hits: &[HitJson]) -> Vec<String> {
    let heads = ["game", "plies", "date", "players", "result", "next", "event"].map(str::to_string);
    let rows = hits.iter().map(|hit| {
        let plies =
            if hit.from == hit.to { hit.from.to_string() } else { format!("{}-{}", hit.from, hit.to) };
        let players: Vec<&str> = hit.players.iter().map(|name| name.as_deref().unwrap_or("?")).collect();
        [
            hit.game.to_string(),
            plies,
            hit.date.clone().unwrap_or_default(),
            players.join(" - "),
            hit.result.clone(),
            hit.next.clone().unwrap_or_default(),
            hit.event.clone().unwrap_or_default(),
        ]
    });
    table(std::iter::once(heads).chain(rows).collect())
}

/// Rows with their columns aligned.
pub fn table<const N: usize>(rows: Vec<[String; N]>) -> Vec<String> {
    let widths: Vec<usize> =
        (0..N).map(|n| rows.iter().map(|row| draw::width(&row[n])).max().unwrap_or(0)).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| draw::left(cell, width + 2));
        cells.collect::<String>().trim_end().to_string()
    };
    rows.iter().map(line).collect()
}
