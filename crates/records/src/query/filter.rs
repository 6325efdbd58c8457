//! Filters on games, evaluated on the metadata columns of a segment.
//!
//! In: a filter. Out: the games that match. Never: positions.

use super::GameFilter;
use crate::index::bits::u32_at;
use crate::notation::name_in_pgn;
use crate::record::{GameRecord, GameResult, Tags, date_number, tag};
use crate::segment::{Column, Segment, SegmentError};

/// Case-insensitive substring search.
fn has(value: &str, text: &str) -> bool {
    value.to_lowercase().contains(&text.to_lowercase())
}

/// Matches a tag by its own name or its PGN name, such as `WhiteElo`.
fn tag_has(tags: &Tags, name: &str, text: &str) -> bool {
    let is_named = |own: &str| own.eq_ignore_ascii_case(name) || name_in_pgn(own).eq_ignore_ascii_case(name);
    tags.iter().any(|(own, value)| is_named(own) && has(value, text))
}

/// The games of a segment that match, sorted.
pub fn matching(filter: &GameFilter, segment: &Segment) -> Result<Vec<u32>, SegmentError> {
    let games = 0..segment.n_games() as u32;
    let meta = segment.meta();
    match filter {
        GameFilter::Player(side, text) => {
            let sides: Vec<usize> = match side {
                Some(side) => vec![side.index()],
                None => (0..tag::PLAYERS.len()).collect(),
            };
            let columns: Vec<Column> = sides.into_iter().map(Column::Player).collect();
            named(segment, &columns, text)
        }
        GameFilter::Event(text) => named(segment, &[Column::Event], text),
        GameFilter::Opening(text) => named(segment, &[Column::Opening], text),
        GameFilter::Date(least, most) => {
            let dates = meta.dates()?;
            let fits = |game: &u32| is_date_within(u32_at(dates, *game as usize * 4), *least, *most);
            Ok(games.filter(fits).collect())
        }
        GameFilter::Result(result) => Ok(games.filter(|game| segment.result(*game) == *result).collect()),
        GameFilter::Rating(side, least, most) => {
            let (ratings, n_sides) = (meta.ratings()?, segment.n_results() - 2);
            let rating = |game: u32, side: usize| {
                let at = (game as usize * 4 + side) * 2;
                u16::from_le_bytes([ratings[at], ratings[at + 1]])
            };
            let fits = |game: &u32| match side {
                Some(side) => is_rating_within(rating(*game, side.index().min(3)), *least, *most),
                None => (0..n_sides).all(|side| is_rating_within(rating(*game, side), *least, *most)),
            };
            Ok(games.filter(fits).collect())
        }
        GameFilter::Length(least, most) => {
            let fits = |game: &u32| (*least..=*most).contains(&(segment.n_plies(*game) as u32));
            Ok(games.filter(fits).collect())
        }
        GameFilter::Tag(name, text) => {
            let mut found = Vec::new();
            for game in games {
                if tag_has(&meta.tags(game)?, name, text) {
                    found.push(game);
                }
            }
            Ok(found)
        }
    }
}

/// A date with only a year is in a range if its year is.
fn is_date_within(date: u32, least: u32, most: u32) -> bool {
    date != 0 && (least..=most).contains(&date)
}

/// An unknown rating is in no range.
fn is_rating_within(rating: u16, least: u16, most: u16) -> bool {
    rating != 0 && (least..=most).contains(&rating)
}

/// Games with a text in any of the columns. Every distinct string is tested once.
fn named(segment: &Segment, columns: &[Column], text: &str) -> Result<Vec<u32>, SegmentError> {
    let meta = segment.meta();
    let mut verdicts: Vec<Option<bool>> = vec![None; meta.n_strings() + 1];
    let mut columns_of_numbers = Vec::new();
    for column in columns {
        columns_of_numbers.push(meta.column(*column)?);
    }
    let mut found = Vec::new();
    for game in 0..segment.n_games() {
        for column in &columns_of_numbers {
            let number = u32_at(column, game * 4) as usize;
            if number == 0 || number >= verdicts.len() {
                continue;
            }
            let verdict = match verdicts[number] {
                Some(verdict) => verdict,
                None => has(meta.string(number as u32 - 1)?, text),
            };
            verdicts[number] = Some(verdict);
            if verdict {
                found.push(game as u32);
                break;
            }
        }
    }
    Ok(found)
}

/// The reference implementation, for one record.
pub fn meets(filter: &GameFilter, record: &GameRecord, n_sides: usize) -> bool {
    let known = |name: &str, text: &str| record.tags.get(name).is_some_and(|value| has(value, text));
    let rating = |side: usize| {
        let text = record.tags.get(tag::RATINGS[side.min(3)]);
        text.and_then(|text| text.trim().parse::<f32>().ok()).unwrap_or(0.0).clamp(0.0, 65_535.0) as u16
    };
    match filter {
        GameFilter::Player(Some(side), text) => known(tag::PLAYERS[side.index().min(3)], text),
        GameFilter::Player(None, text) => tag::PLAYERS.iter().any(|name| known(name, text)),
        GameFilter::Event(text) => known(tag::EVENT, text),
        GameFilter::Opening(text) => record.tags.opening().is_some_and(|opening| has(&opening, text)),
        GameFilter::Date(least, most) => {
            let date = record.tags.get(tag::DATE).and_then(date_number).unwrap_or(0);
            is_date_within(date, *least, *most)
        }
        GameFilter::Result(result) => record.result == *result,
        GameFilter::Rating(Some(side), least, most) => is_rating_within(rating(side.index()), *least, *most),
        GameFilter::Rating(None, least, most) => {
            (0..n_sides).all(|side| is_rating_within(rating(side), *least, *most))
        }
        GameFilter::Length(least, most) => (*least..=*most).contains(&(record.moves.len() as u32)),
        GameFilter::Tag(name, text) => tag_has(&record.tags, name, text),
    }
}

/// Parses a result: `1-0`, `draw`, `unknown`, or the side that won.
pub fn result_named(word: &str, side: Option<ashta_rules::Side>) -> Option<GameResult> {
    match (word, side) {
        (_, Some(side)) => Some(GameResult::Won(side)),
        ("1-0", None) => Some(GameResult::Won(ashta_rules::Side::FIRST)),
        ("0-1", None) => Some(GameResult::Won(ashta_rules::Side::SECOND)),
        ("draw" | "1/2-1/2" | "1/2", None) => Some(GameResult::Draw),
        ("unknown" | "*", None) => Some(GameResult::Unknown),
        _ => None,
    }
}
