//! A query as text that reads back as the same query.

use ashta_rules::{KindId, Rules, Side, piece_text};

use super::{Content, GameFilter, Query};
use crate::record::{GameResult, tag};

pub fn write_query(query: &Query, rules: &Rules) -> String {
    let each = |parts: &[Query], between: &str| {
        let texts: Vec<String> = parts.iter().map(|part| bracketed(part, rules)).collect();
        texts.join(between)
    };
    match query {
        Query::All(parts) if parts.is_empty() => "ply>=0".into(),
        Query::Any(parts) if parts.is_empty() => "not ply>=0".into(),
        Query::All(parts) => each(parts, " "),
        Query::Any(parts) => each(parts, " or "),
        Query::Not(part) => format!("not {}", bracketed(part, rules)),
        Query::Then(first, second) => {
            format!("{} then {}", bracketed(first, rules), bracketed(second, rules))
        }
        Query::On(square, content) => {
            format!("{}={}", rules.grid().name(*square), content_text(content, rules))
        }
        Query::Holds(side, kind, least, most) => {
            let range = range_text(u64::from(*least), u64::from(*most), u64::from(u8::MAX));
            format!("hand({}){range}", piece_text(*side, *kind, rules))
        }
        Query::Count(pieces, least, most) => {
            format!("count({}){}", pieces_text(pieces, rules), short_range(*least, *most))
        }
        Query::Lasting(part, least, most) => {
            format!("lasting({}){}", write_query(part, rules), short_range(*least, *most))
        }
        Query::Turn(side) => format!("turn={}", side_text(*side)),
        Query::Ply(least, most) => format!("ply{}", short_range(*least, *most)),
        Query::Position(setup) => format!("position {}", quoted(&setup.write(rules))),
        Query::Anywhere(part) => format!("anywhere({})", write_query(part, rules)),
        Query::Mirrored(part) => format!("mirrored({})", write_query(part, rules)),
        Query::Swapped(part) => format!("swapped({})", write_query(part, rules)),
        Query::Game(part) => format!("game({})", write_query(part, rules)),
        Query::Games(filter) => filter_text(filter),
    }
}

fn bracketed(query: &Query, rules: &Rules) -> String {
    let text = write_query(query, rules);
    match query {
        Query::All(_) | Query::Any(_) | Query::Then(..) => format!("({text})"),
        Query::Not(_)
        | Query::On(..)
        | Query::Holds(..)
        | Query::Count(..)
        | Query::Lasting(..)
        | Query::Turn(_)
        | Query::Ply(..)
        | Query::Position(_)
        | Query::Anywhere(_)
        | Query::Mirrored(_)
        | Query::Swapped(_)
        | Query::Game(_)
        | Query::Games(_) => text,
    }
}

fn content_text(content: &Content, rules: &Rules) -> String {
    match content {
        Content::Empty => "empty".into(),
        Content::Occupied => "any".into(),
        Content::OneOf(pieces) => pieces_text(pieces, rules),
    }
}

fn pieces_text(pieces: &[(Side, KindId)], rules: &Rules) -> String {
    let texts: Vec<String> = pieces.iter().map(|(side, kind)| piece_text(*side, *kind, rules)).collect();
    texts.join("|")
}

fn short_range(least: u16, most: u16) -> String {
    range_text(u64::from(least), u64::from(most), u64::from(u16::MAX))
}

fn range_text(least: u64, most: u64, largest: u64) -> String {
    match (least, most) {
        // Nothing: `ply<0`.
        (least, most) if least > most => "<0".to_string(),
        (least, most) if most == largest => format!(">={least}"),
        (0, most) => format!("<={most}"),
        (least, most) => format!("={least}..{most}"),
    }
}

fn side_text(side: Side) -> String {
    tag::PLAYERS[side.index().min(3)].to_lowercase()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether a number is a date as far as it is known: a year, a month or a day.
fn is_date(number: u32) -> bool {
    is_day(number) || number.is_multiple_of(100) && number / 100 % 100 <= 12
}

fn is_day(number: u32) -> bool {
    (1..=12).contains(&(number / 100 % 100)) && (1..=31).contains(&(number % 100))
}

fn date_text(number: u32) -> String {
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    match (month, day) {
        (0, _) => format!("{year:04}"),
        (_, 0) => format!("{year:04}-{month:02}"),
        _ => format!("{year:04}-{month:02}-{day:02}"),
    }
}

fn filter_text(filter: &GameFilter) -> String {
    match filter {
        GameFilter::Player(None, text) => format!("player={}", quoted(text)),
        GameFilter::Player(Some(side), text) => format!("{}={}", side_text(*side), quoted(text)),
        GameFilter::Event(text) => format!("event={}", quoted(text)),
        GameFilter::Opening(text) => format!("opening={}", quoted(text)),
        GameFilter::Date(least, u32::MAX) if is_date(*least) => format!("date>={}", date_text(*least)),
        // `date>1999` begins on the day after the 31st of December.
        GameFilter::Date(least, u32::MAX) => format!("date>{}", date_text(least.saturating_sub(1))),
        GameFilter::Date(0, most) if is_day(*most) => format!("date<={}", date_text(*most)),
        // `date<2000` ends before the first day of the year and before the year alone.
        GameFilter::Date(0, most) => format!("date<{}", date_text(most.saturating_add(1))),
        GameFilter::Date(least, most) => format!("date={}..{}", date_text(*least), date_text(*most)),
        GameFilter::Result(GameResult::Draw) => "result=draw".into(),
        GameFilter::Result(GameResult::Unknown) => "result=unknown".into(),
        GameFilter::Result(GameResult::Won(side)) => format!("result={}", side_text(*side)),
        GameFilter::Rating(side, least, most) => {
            let whose = side.map(|side| format!("({})", side_text(side))).unwrap_or_default();
            format!("rating{whose}{}", short_range(*least, *most))
        }
        GameFilter::Length(least, most) => {
            format!("length{}", range_text(u64::from(*least), u64::from(*most), u64::from(u32::MAX)))
        }
        GameFilter::Tag(name, text) => format!("tag({name})={}", quoted(text)),
    }
}
