//! What the commands on collections share: opening one, reading a query, lines of results.

use std::path::Path;

use ashta_messages::message;
use ashta_position::{CompiledRules, Game};
use ashta_records::query::QueryRunError;
use ashta_records::{Collection, CollectionError, Hit, Manifest, Query, QueryError, read_query};
use ashta_rules::{Coordinates, Rules};
use ashta_web::records_json::{HitLine, WrittenMove};

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

/// A move as a table shows it: SAN where squares have letters, else coordinates.
pub fn players_text<'m>(mv: &'m WrittenMove, rules: &Rules) -> &'m str {
    match rules.grid().coordinates() {
        Coordinates::Letters => &mv.san,
        Coordinates::Numbers => &mv.text,
    }
}

/// What was found, with the next move written out.
pub fn hit_line(collection: &Collection, hit: &Hit) -> Result<HitLine, CliError> {
    let ply = u32::from(hit.from) + 1;
    let next = match hit.next {
        None => None,
        Some(mv) => game_at(collection, hit.game, hit.from)?.map(|game| WrittenMove::of(&game, mv, ply)),
    };
    Ok(HitLine::of(hit, next))
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
pub fn hit_table(hits: &[HitLine], rules: &Rules) -> Vec<String> {
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
            hit.next.as_ref().map_or_else(String::new, |mv| players_text(mv, rules).to_string()),
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
