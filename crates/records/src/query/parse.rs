//! Recursive-descent parser of the query language.
//!
//! In: text, and the rules that name squares, pieces and sides. Out: a [`Query`], or an error with its offset. Never: a
//! panic, nor part of a query.
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
//! `docs/queries.md` describes it with examples, which are run as tests.

use std::error::Error;
use std::fmt;

use ashta_messages::{Message, Tell, message};
use ashta_rules::{KindId, Rules, Side, Square, nearest, piece_text};

use super::fields::FIELDS;
use super::{Content, GameFilter, Query};
use crate::record::tag;

/// A syntax error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QueryError {
    /// Byte offset in the text.
    pub offset: usize,
    pub what: Message,
    pub hint: Option<Message>,
}

impl Tell for QueryError {
    fn message(&self) -> Message {
        message!("records.at-character", what = self.what, n = self.offset + 1)
    }

    fn hint(&self) -> Option<Message> {
        self.hint.clone()
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl Error for QueryError {}

/// Deepest nesting of brackets and `not`, so that no text exhausts the stack.
const MAX_DEPTH: usize = 100;

/// Reads a query; errors have the place of the mistake.
///
/// ```
/// use ashta_records::{read_query, write_query};
///
/// let rules = ashta_rules::load("chess").unwrap();
/// let query = read_query("e4=P (c5=p or e5=p) result=1-0", &rules).unwrap();
/// assert_eq!(read_query(&write_query(&query, &rules), &rules).unwrap(), query);
/// assert!(read_query("e4=X", &rules).is_err());
/// ```
pub fn read_query(text: &str, rules: &Rules) -> Result<Query, QueryError> {
    let mut parser = Parser { text, at: 0, rules, depth: 0 };
    parser.space();
    if parser.rest().is_empty() {
        return Err(parser.error(message!("records.no-query")).with_hint(message!("records.no-query.hint")));
    }
    let query = parser.sequence()?;
    match parser.rest() {
        "" => Ok(query),
        rest if rest.starts_with(')') => Err(parser.error(message!("records.stray-bracket"))),
        _ => Err(parser.error(message!("records.expected-condition"))),
    }
}

pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    pub(super) rules: &'a Rules,
    depth: usize,
}

impl QueryError {
    pub(super) fn with_hint(self, hint: Message) -> QueryError {
        QueryError { hint: Some(hint), ..self }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
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
    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub(super) fn error(&self, what: Message) -> QueryError {
        QueryError { offset: self.at, what, hint: None }
    }

    pub(super) fn error_at(&self, offset: usize, what: Message) -> QueryError {
        QueryError { offset, what, hint: None }
    }

    /// The characters up to a space, a bracket, an operator or a quote.
    fn peek_word(&self) -> &'a str {
        let rest = self.rest();
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '=' | '!' | '<' | '>' | '"' | '|');
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    }

    /// Consumes a keyword if it comes next.
    fn takes(&mut self, word: &str) -> bool {
        let found = self.is_next(word);
        if found {
            self.at += word.len();
            self.space();
        }
        found
    }

    /// Whether a keyword comes next, ignoring case.
    fn is_next(&self, word: &str) -> bool {
        self.peek_word().eq_ignore_ascii_case(word) && !self.after_is_operator(word.len())
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
            if is_end || self.is_next("or") || self.is_next("then") {
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
            return Err(self.error(message!("records.nesting", max = MAX_DEPTH)));
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
            return Err(if self.rest().is_empty() {
                self.error_at(open, message!("records.open-bracket"))
            } else {
                self.error(message!("records.expected-bracket"))
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
            let on = self.on(square)?;
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
            "ply" => self.range(u64::from(u16::MAX), |least, most| Query::Ply(least as u16, most as u16)),
            "position" => self.position(),
            "player" => self.text_filter(|text| GameFilter::Player(None, text)),
            "event" => self.text_filter(GameFilter::Event),
            "opening" => self.text_filter(GameFilter::Opening),
            "date" => self.date(),
            "result" => self.result(),
            "rating" => self.rating(),
            "length" => self.range(u64::from(u32::MAX), |least, most| {
                Query::Games(GameFilter::Length(least as u32, most as u32))
            }),
            "tag" => {
                let name = self.argument(message!("records.noun-tag"))?.1.to_string();
                self.text_filter(move |text| GameFilter::Tag(name, text))
            }
            "game" => self.shape(Query::Game),
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
            return self.error_at(begin, message!("records.expected-condition"));
        }
        let near = nearest(word, FIELDS.iter().map(|(name, _)| *name));
        let corner = grid.squares().next_back().map(|square| grid.name(square).to_string());
        let hint = match near {
            Some(near) => message!("records.did-you-mean", near),
            None => {
                let names: Vec<&str> = FIELDS.iter().map(|(name, _)| *name).collect();
                message!("records.words.hint", corner = corner.unwrap_or_default(), names)
            }
        };
        self.error_at(begin, message!("records.unknown-word", word)).with_hint(hint)
    }

    pub(super) fn operator(&mut self, allowed: &[Operator]) -> Result<Operator, QueryError> {
        let rest = self.rest();
        let found =
            OPERATORS.iter().find(|(sign, operator)| rest.starts_with(sign) && allowed.contains(operator));
        let Some((sign, operator)) = found else {
            let signs: Vec<&str> = OPERATORS
                .iter()
                .filter(|(_, operator)| allowed.contains(operator))
                .map(|(sign, _)| *sign)
                .collect();
            return Err(self.error(message!("records.expected-operator", signs)));
        };
        self.at += sign.len();
        self.space();
        Ok(*operator)
    }

    /// A word or a quoted string.
    pub(super) fn value(&mut self) -> Result<(usize, String), QueryError> {
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
            return Err(self.error(message!("records.open-quote")));
        }
        let word = self.peek_word();
        if word.is_empty() {
            return Err(self.error(message!("records.expected-value")));
        }
        self.at += word.len();
        Ok((begin, word.to_string()))
    }

    /// A word in brackets, with its offset.
    pub(super) fn argument(&mut self, what: Message) -> Result<(usize, &'a str), QueryError> {
        let open = self.at;
        if !self.rest().starts_with('(') {
            return Err(self.error(message!("records.expected-argument", what)));
        }
        let end =
            self.rest().find(')').ok_or_else(|| self.error_at(open, message!("records.open-bracket")))?;
        let word = &self.rest()[1..end];
        self.at += end + 1;
        self.space();
        Ok((open + 1, word.trim()))
    }

    fn on(&mut self, square: Square) -> Result<Query, QueryError> {
        let begin = self.at;
        // Piece letters may contain characters that are operators elsewhere.
        let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"');
        let word = &self.rest()[..self.rest().find(ends).unwrap_or(self.rest().len())];
        self.at += word.len();
        if word.is_empty() {
            return Err(self.error_at(begin, message!("records.expected-content")));
        }
        let (mut contents, mut pieces, mut offset) = (Vec::new(), Vec::new(), begin);
        for name in word.split('|') {
            match name {
                "empty" | "-" => contents.push(Content::Empty),
                "any" | "?" => contents.push(Content::Occupied),
                name => pieces.extend(self.pieces_named(offset, name)?),
            }
            offset += name.len() + 1;
        }
        if !pieces.is_empty() {
            contents.push(Content::OneOf(pieces));
        }
        let mut parts: Vec<Query> = contents.into_iter().map(|content| Query::On(square, content)).collect();
        Ok(if parts.len() == 1 { parts.remove(0) } else { Query::Any(parts) })
    }

    /// A piece, or all pieces of a side.
    pub(super) fn pieces_named(&self, offset: usize, name: &str) -> Result<Vec<(Side, KindId)>, QueryError> {
        match (self.side_named(name), self.piece(name)) {
            (_, Some(piece)) => Ok(vec![piece]),
            (Some(side), None) => Ok(self.rules.kind_ids().map(|kind| (side, kind)).collect()),
            (None, None) => Err(self.no_piece(offset, name)),
        }
    }

    pub(super) fn no_piece(&self, offset: usize, name: &str) -> QueryError {
        let first: Vec<String> =
            self.rules.kind_ids().map(|kind| piece_text(Side::FIRST, kind, self.rules)).collect();
        let second = self.rules.kind_ids().next().map(|kind| piece_text(Side::SECOND, kind, self.rules));
        let names = self.rules.sides();
        let hint = message!(
            "records.pieces.hint",
            side = names[0].name,
            pieces = first.join(" "),
            other = names.get(1).map_or("", |side| &side.name),
            piece = second.unwrap_or_default()
        );
        self.error_at(offset, message!("records.no-piece", name)).with_hint(hint)
    }

    pub(super) fn piece(&self, name: &str) -> Option<(Side, KindId)> {
        let sides = (0..self.rules.sides().len() as u8).map(Side);
        let mut pieces = sides.flat_map(|side| self.rules.kind_ids().map(move |kind| (side, kind)));
        pieces.find(|(side, kind)| piece_text(*side, *kind, self.rules) == name)
    }

    /// A side by its order or its name: `first`, `white`.
    pub(super) fn side_named(&self, word: &str) -> Option<Side> {
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

    pub(super) fn no_side(&self, begin: usize, word: &str) -> QueryError {
        let names: Vec<String> = self.rules.sides().iter().map(|side| side.name.to_lowercase()).collect();
        let error = self.error_at(begin, message!("records.no-side", word));
        error.with_hint(message!("records.no-side.hint", names))
    }

    fn shape(&mut self, make: fn(Box<Query>) -> Query) -> Result<Query, QueryError> {
        self.bracketed().map(make)
    }

    pub(super) fn bracketed(&mut self) -> Result<Box<Query>, QueryError> {
        if !self.rest().starts_with('(') {
            return Err(self.error(message!("records.expected-pattern")));
        }
        self.bracket().map(Box::new)
    }
}
