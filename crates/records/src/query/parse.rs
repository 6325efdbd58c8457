//! The query language: text to a query, or the character at which it goes wrong.
//!
//! In: text and the rules that name squares, pieces and sides. Out: a [`Query`]. Never: a panic, nor half a query.
//!
//! ```text
//! query     = sequence
//! sequence  = either { "then" either }
//! either    = both { "or" both }
//! both      = one { ["and"] one }
//! one       = "not" one | "(" sequence ")" | condition
//! condition = SQUARE ("=" | "!=") CONTENT | FIELD OPERATOR VALUE | SHAPE "(" sequence ")"
//! ```
//!
//! `docs/queries.md` tells it with examples, which are run as tests.

use ashta_rules::{KindId, Rules, Setup, Side, nearest, piece_text};
use thiserror::Error;

use super::explain::FIELDS;
use super::filter::result_named;
use super::{Content, GameFilter, Query};
use crate::record::tag;

/// What is wrong with a query's text.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
#[error("{what} (at character {})", .offset + 1)]
pub struct QueryError {
    /// Byte offset in the text.
    pub offset: usize,
    /// What is wrong: lowercase, no full stop.
    pub what: String,
    /// What may be done.
    pub hint: Option<String>,
}

/// Deepest nesting of brackets and `not`: a text must not exhaust the stack.
const MAX_DEPTH: usize = 100;

/// Reads a query.
pub fn read_query(text: &str, rules: &Rules) -> Result<Query, QueryError> {
    let mut parser = Parser { text, at: 0, rules, depth: 0 };
    parser.space();
    if parser.rest().is_empty() {
        return Err(parser.error("a query has at least one condition").hint("such as `player=\"name\"`"));
    }
    let query = parser.sequence()?;
    match parser.rest() {
        "" => Ok(query),
        rest if rest.starts_with(')') => Err(parser.error("this bracket closes nothing")),
        _ => Err(parser.error("a condition was expected here")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    rules: &'a Rules,
    depth: usize,
}

impl QueryError {
    fn hint(self, hint: impl Into<String>) -> QueryError {
        QueryError { hint: Some(hint.into()), ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Is,
    IsNot,
    Least,
    Most,
    Above,
    Below,
}

const OPERATORS: [(&str, Operator); 6] = [
    ("!=", Operator::IsNot),
    (">=", Operator::Least),
    ("<=", Operator::Most),
    ("=", Operator::Is),
    (">", Operator::Above),
    ("<", Operator::Below),
];

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn error(&self, what: impl Into<String>) -> QueryError {
        QueryError { offset: self.at, what: what.into(), hint: None }
    }

    fn error_at(&self, offset: usize, what: impl Into<String>) -> QueryError {
        QueryError { offset, what: what.into(), hint: None }
    }

    /// The letters up to a space, a bracket, an operator or a quote.
    fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '=' | '!' | '<' | '>' | '"' | '|');
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    }

    /// Takes a word if it comes next and is a word of its own.
    fn takes(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word && !self.after_is_operator(word.len());
        if found {
            self.at += word.len();
            self.space();
        }
        found
    }

    fn after_is_operator(&self, length: usize) -> bool {
        let after = self.rest()[length..].trim_start();
        OPERATORS.iter().any(|(sign, _)| after.starts_with(sign))
    }

    fn sequence(&mut self) -> Result<Query, QueryError> {
        let mut query = self.either()?;
        while self.takes("then") {
            query = Query::Then(Box::new(query), Box::new(self.either()?));
        }
        Ok(query)
    }

    fn either(&mut self) -> Result<Query, QueryError> {
        let mut parts = vec![self.both()?];
        while self.takes("or") {
            parts.push(self.both()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Query::Any(parts) })
    }

    fn both(&mut self) -> Result<Query, QueryError> {
        let mut parts = vec![self.one()?];
        loop {
            let is_end = self.rest().is_empty() || self.rest().starts_with(')');
            let is_next = |word: &str| self.peek_word() == word && !self.after_is_operator(word.len());
            if is_end || is_next("or") || is_next("then") {
                break;
            }
            self.takes("and");
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Query::All(parts) })
    }

    fn one(&mut self) -> Result<Query, QueryError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(format!("brackets are nested more than {MAX_DEPTH} deep")));
        }
        let query = if self.takes("not") {
            Query::Not(Box::new(self.one()?))
        } else if self.rest().starts_with('(') {
            self.bracket()?
        } else {
            self.condition()?
        };
        self.depth -= 1;
        self.space();
        Ok(query)
    }

    fn bracket(&mut self) -> Result<Query, QueryError> {
        let open = self.at;
        self.at += 1;
        self.space();
        let query = self.sequence()?;
        self.close(open)?;
        Ok(query)
    }

    fn close(&mut self, open: usize) -> Result<(), QueryError> {
        if !self.rest().starts_with(')') {
            return Err(match self.rest().is_empty() {
                true => self.error_at(open, "this bracket is not closed"),
                false => self.error("`)` was expected here"),
            });
        }
        self.at += 1;
        self.space();
        Ok(())
    }

    fn condition(&mut self) -> Result<Query, QueryError> {
        let (begin, word) = (self.at, self.peek_word());
        self.at += word.len();
        self.space();
        if let Some((square, "")) = self.rules.grid().read_square(word) {
            let operator = self.operator(&[Operator::Is, Operator::IsNot])?;
            let on = Query::On(square, self.content()?);
            return Ok(if operator == Operator::Is { on } else { Query::Not(Box::new(on)) });
        }
        match word {
            "hand" => self.hand(),
            "count" => self.count(),
            "lasting" => self.lasting(),
            "turn" => {
                self.operator(&[Operator::Is])?;
                self.side().map(Query::Turn)
            }
            "ply" => {
                let (least, most) = self.range(u64::from(u16::MAX))?;
                Ok(Query::Ply(least as u16, most as u16))
            }
            "position" => self.position(),
            "player" => self.text_filter(|text| GameFilter::Player(None, text)),
            "event" => self.text_filter(GameFilter::Event),
            "opening" => self.text_filter(GameFilter::Opening),
            "date" => self.date(),
            "result" => self.result(),
            "rating" => self.rating(),
            "length" => {
                let (least, most) = self.range(u64::from(u32::MAX))?;
                Ok(Query::Games(GameFilter::Length(least as u32, most as u32)))
            }
            "tag" => {
                let name = self.argument("the tag's name")?.1.to_string();
                self.text_filter(move |text| GameFilter::Tag(name, text))
            }
            "anywhere" => self.shape(Query::Anywhere),
            "mirrored" => self.shape(Query::Mirrored),
            "swapped" => self.shape(Query::Swapped),
            _ => match self.side_named(word) {
                Some(side) => self.text_filter(|text| GameFilter::Player(Some(side), text)),
                None => Err(self.unknown(begin, word)),
            },
        }
    }

    fn unknown(&self, begin: usize, word: &str) -> QueryError {
        let grid = self.rules.grid();
        if word.is_empty() {
            return self.error_at(begin, "a condition was expected here");
        }
        let near = nearest(word, FIELDS.iter().map(|(name, _)| *name));
        let corner = grid.squares().next_back().map(|square| grid.name(square).to_string());
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
                format!(
                    "squares are named as far as {}; words are {}",
                    corner.unwrap_or_default(),
                    names.join(", ")
                )
            }
        };
        self.error_at(begin, format!("`{word}` is neither a square nor a word of the language")).hint(hint)
    }

    fn operator(&mut self, allowed: &[Operator]) -> Result<Operator, QueryError> {
        let rest = self.rest();
        let found =
            OPERATORS.iter().find(|(sign, operator)| rest.starts_with(sign) && allowed.contains(operator));
        let Some((sign, operator)) = found else {
            let signs: Vec<&str> = OPERATORS
                .iter()
                .filter(|(_, operator)| allowed.contains(operator))
                .map(|(sign, _)| *sign)
                .collect();
            return Err(self.error(format!("{} was expected here", signs.join(" or "))));
        };
        self.at += sign.len();
        self.space();
        Ok(*operator)
    }

    /// A value: a word, or anything between quotes.
    fn value(&mut self) -> Result<(usize, String), QueryError> {
        let begin = self.at;
        if let Some(quoted) = self.rest().strip_prefix('"') {
            let mut value = String::new();
            let mut chars = quoted.char_indices();
            while let Some((at, c)) = chars.next() {
                match c {
                    '"' => {
                        self.at = begin + 1 + at + 1;
                        return Ok((begin, value));
                    }
                    '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
                    _ => value.push(c),
                }
            }
            return Err(self.error("this quote has no end"));
        }
        let word = self.peek_word();
        if word.is_empty() {
            return Err(self.error("a value was expected here"));
        }
        self.at += word.len();
        Ok((begin, word.to_string()))
    }

    /// A word between brackets, and where it begins.
    fn argument(&mut self, what: &str) -> Result<(usize, &'a str), QueryError> {
        let open = self.at;
        if !self.rest().starts_with('(') {
            return Err(self.error(format!("{what} between brackets was expected here")));
        }
        let end = self.rest().find(')').ok_or_else(|| self.error_at(open, "this bracket is not closed"))?;
        let word = &self.rest()[1..end];
        self.at += end + 1;
        self.space();
        Ok((open + 1, word.trim()))
    }

    fn content(&mut self) -> Result<Content, QueryError> {
        let begin = self.at;
        // Letters of pieces may have signs that are operators elsewhere.
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
        let word = &self.rest()[..self.rest().find(ends).unwrap_or(self.rest().len())];
        self.at += word.len();
        match word {
            "" => return Err(self.error_at(begin, "a piece, `empty` or `any` was expected here")),
            "empty" | "-" => return Ok(Content::Empty),
            "any" | "?" => return Ok(Content::Occupied),
            _ => {}
        }
        self.pieces(begin, word).map(Content::OneOf)
    }

    /// Pieces with bars between, or sides, which stand for all of their pieces.
    fn pieces(&self, begin: usize, word: &str) -> Result<Vec<(Side, KindId)>, QueryError> {
        let mut pieces = Vec::new();
        let mut offset = begin;
        for name in word.split('|') {
            match (self.side_named(name), self.piece(name)) {
                (_, Some(piece)) => pieces.push(piece),
                (Some(side), None) => pieces.extend(self.rules.kind_ids().map(|kind| (side, kind))),
                (None, None) => return Err(self.no_piece(offset, name)),
            }
            offset += name.len() + 1;
        }
        Ok(pieces)
    }

    fn no_piece(&self, offset: usize, name: &str) -> QueryError {
        let first: Vec<String> =
            self.rules.kind_ids().map(|kind| piece_text(Side::FIRST, kind, self.rules)).collect();
        let second = self.rules.kind_ids().next().map(|kind| piece_text(Side::SECOND, kind, self.rules));
        let hint = format!(
            "pieces of {} are {}, of {} {} and so on; `empty`, `any`, `first` and `second` stand for more",
            self.rules.sides()[0].name,
            first.join(" "),
            self.rules.sides().get(1).map_or("nobody", |side| &side.name),
            second.unwrap_or_default(),
        );
        self.error_at(offset, format!("`{name}` is no piece of this game")).hint(hint)
    }

    fn piece(&self, name: &str) -> Option<(Side, KindId)> {
        let sides = (0..self.rules.sides().len() as u8).map(Side);
        let mut pieces = sides.flat_map(|side| self.rules.kind_ids().map(move |kind| (side, kind)));
        pieces.find(|(side, kind)| piece_text(*side, *kind, self.rules) == name)
    }

    /// A side by its place or its name: `first`, `white`.
    fn side_named(&self, word: &str) -> Option<Side> {
        let sides = self.rules.sides();
        let places = tag::PLAYERS.iter().take(sides.len());
        let by_place = places.enumerate().find(|(_, name)| name.eq_ignore_ascii_case(word)).map(|(n, _)| n);
        let by_name = || sides.iter().position(|side| side.name.eq_ignore_ascii_case(word));
        by_place.or_else(by_name).map(|n| Side(n as u8))
    }

    fn side(&mut self) -> Result<Side, QueryError> {
        let (begin, word) = self.value()?;
        let letter = |side: &ashta_rules::SideRules| word.len() == 1 && word.starts_with(side.letter);
        let by_letter = self.rules.sides().iter().position(letter).map(|n| Side(n as u8));
        self.side_named(&word).or(by_letter).ok_or_else(|| self.no_side(begin, &word))
    }

    fn no_side(&self, begin: usize, word: &str) -> QueryError {
        let names: Vec<String> = self.rules.sides().iter().map(|side| side.name.to_lowercase()).collect();
        let error = self.error_at(begin, format!("`{word}` is no side of this game"));
        error.hint(format!("sides are {}, or first and second", names.join(" and ")))
    }

    fn hand(&mut self) -> Result<Query, QueryError> {
        let (begin, name) = self.argument("a piece")?;
        let (side, kind) = self.piece(name).ok_or_else(|| self.no_piece(begin, name))?;
        if self.rules.kind(kind).drop.is_none() {
            let what = format!("a {} cannot be in hand", self.rules.kind(kind).name);
            return Err(self.error_at(begin, what));
        }
        let (least, most) = self.range(u64::from(u8::MAX))?;
        Ok(Query::Holds(side, kind, least as u8, most as u8))
    }

    fn count(&mut self) -> Result<Query, QueryError> {
        let (begin, word) = self.argument("a piece")?;
        let pieces = self.pieces(begin, word)?;
        let (least, most) = self.range(u64::from(u16::MAX))?;
        Ok(Query::Count(pieces, least as u16, most as u16))
    }

    fn lasting(&mut self) -> Result<Query, QueryError> {
        let part = self.bracketed()?;
        let (least, most) = self.range(u64::from(u16::MAX))?;
        Ok(Query::Lasting(part, least as u16, most as u16))
    }

    /// An operator and numbers: `>=2`, `=3`, `=10..30`. Gives the first and the last.
    fn range(&mut self, largest: u64) -> Result<(u64, u64), QueryError> {
        let all = [Operator::Least, Operator::Most, Operator::Is, Operator::Above, Operator::Below];
        let operator = self.operator(&all)?;
        let (begin, word) = self.value()?;
        let number = |text: &str, offset: usize| {
            let fits = |number: &u64| *number <= largest;
            text.parse::<u64>()
                .ok()
                .filter(fits)
                .ok_or_else(|| self.error_at(offset, format!("`{text}` is not a number from 0 to {largest}")))
        };
        if let Some((least, most)) = word.split_once("..").filter(|_| operator == Operator::Is) {
            return Ok((number(least, begin)?, number(most, begin + least.len() + 2)?));
        }
        let value = number(&word, begin)?;
        let nothing = (1, 0);
        Ok(match operator {
            Operator::Is | Operator::IsNot => (value, value),
            Operator::Least => (value, largest),
            Operator::Most => (0, value),
            Operator::Above if value == largest => nothing,
            Operator::Above => (value + 1, largest),
            Operator::Below => value.checked_sub(1).map_or(nothing, |most| (0, most)),
        })
    }

    fn position(&mut self) -> Result<Query, QueryError> {
        // An equals sign is allowed, for it is what the other fields have.
        if self.rest().starts_with('=') {
            self.operator(&[Operator::Is])?;
        }
        let (begin, text) = self.value()?;
        if text == "start" {
            return Ok(Query::Position(Box::new(self.rules.start().clone())));
        }
        let setup = Setup::read(&text, self.rules).map_err(|error| {
            self.error_at(begin + 1 + error.offset, error.what)
                .hint(format!("this game starts from {}", self.rules.start().write(self.rules)))
        })?;
        Ok(Query::Position(Box::new(setup)))
    }

    fn text_filter(&mut self, make: impl FnOnce(String) -> GameFilter) -> Result<Query, QueryError> {
        let operator = self.operator(&[Operator::Is, Operator::IsNot])?;
        let games = Query::Games(make(self.value()?.1));
        Ok(if operator == Operator::Is { games } else { Query::Not(Box::new(games)) })
    }

    fn date(&mut self) -> Result<Query, QueryError> {
        let all = [Operator::Least, Operator::Most, Operator::Is, Operator::Above, Operator::Below];
        let operator = self.operator(&all)?;
        let (begin, word) = self.value()?;
        let span = |text: &str, offset: usize| {
            date_span(text).ok_or_else(|| {
                let error = self.error_at(offset, format!("`{text}` is not a date"));
                error.hint("dates are 1990, 1990-06 or 1990-06-15, or two of them with `..` between")
            })
        };
        let (least, most) = match word.split_once("..").filter(|_| operator == Operator::Is) {
            Some((from, to)) => (span(from, begin)?.0, span(to, begin + from.len() + 2)?.1),
            None => {
                let (first, last) = span(&word, begin)?;
                match operator {
                    Operator::Is | Operator::IsNot => (first, last),
                    Operator::Least => (first, u32::MAX),
                    Operator::Most => (0, last),
                    Operator::Above => (last + 1, u32::MAX),
                    Operator::Below => (0, first - 1),
                }
            }
        };
        Ok(Query::Games(GameFilter::Date(least, most)))
    }

    fn result(&mut self) -> Result<Query, QueryError> {
        let operator = self.operator(&[Operator::Is, Operator::IsNot])?;
        let (begin, word) = self.value()?;
        let result = result_named(&word, self.side_named(&word)).ok_or_else(|| {
            let error = self.error_at(begin, format!("`{word}` is no result"));
            error.hint("results are 1-0, 0-1, draw, unknown, or the name of the side that won")
        })?;
        let games = Query::Games(GameFilter::Result(result));
        Ok(if operator == Operator::Is { games } else { Query::Not(Box::new(games)) })
    }

    fn rating(&mut self) -> Result<Query, QueryError> {
        let side = match self.rest().starts_with('(') {
            true => {
                let (begin, name) = self.argument("a side")?;
                Some(self.side_named(name).ok_or_else(|| self.no_side(begin, name))?)
            }
            false => None,
        };
        let (least, most) = self.range(u64::from(u16::MAX))?;
        Ok(Query::Games(GameFilter::Rating(side, least as u16, most as u16)))
    }

    fn shape(&mut self, make: fn(Box<Query>) -> Query) -> Result<Query, QueryError> {
        self.bracketed().map(make)
    }

    fn bracketed(&mut self) -> Result<Box<Query>, QueryError> {
        if !self.rest().starts_with('(') {
            return Err(self.error("a shape between brackets was expected here"));
        }
        self.bracket().map(Box::new)
    }
}

/// The first and the last day of a year, a month or a day, as numbers.
fn date_span(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.split(['-', '.', '/']);
    let mut number = |least: u32, most: u32| match parts.next() {
        None => Some(None),
        Some(part) => part.parse::<u32>().ok().filter(|n| (least..=most).contains(n)).map(Some),
    };
    let year = number(1, 9999)??;
    let (month, day) = (number(1, 12)?, number(1, 31)?);
    let is_over = parts.next().is_none();
    let year = year * 10_000;
    is_over.then_some(match (month, day) {
        (None, _) => (year, year + 1231),
        (Some(month), None) => (year + month * 100, year + month * 100 + 31),
        (Some(month), Some(day)) => (year + month * 100 + day, year + month * 100 + day),
    })
}
