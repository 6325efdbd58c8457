//! Conditions of the query language after their field name: numbers, dates, names, positions.
//!
//! In: the parser, after the field name. Out: a query. Never: `and`, `or`, `not`, `then`.

use ashta_messages::message;
use ashta_rules::Setup;

use super::filter::result_named;
use super::parse::{Operator, Parser, QueryError};
use super::{GameFilter, Query};

/// Every operator, for numbers and dates.
const ALL: [Operator; 6] =
    [Operator::Least, Operator::Most, Operator::IsNot, Operator::Is, Operator::Above, Operator::Below];

/// The ends of `10..30`, where a range is allowed.
fn split_range(word: &str, operator: Operator) -> Option<(&str, &str)> {
    word.split_once("..").filter(|_| matches!(operator, Operator::Is | Operator::IsNot))
}

fn negated_if(is_not: bool, query: Query) -> Query {
    if is_not { Query::Not(Box::new(query)) } else { query }
}

impl Parser<'_> {
    pub(super) fn hand(&mut self) -> Result<Query, QueryError> {
        let (begin, name) = self.argument(message!("records.noun-piece"))?;
        let (side, kind) = self.piece(name).ok_or_else(|| self.no_piece(begin, name))?;
        if self.rules.kind(kind).drop.is_none() {
            let what = message!("records.kind-not-in-hand", piece = self.rules.kind(kind));
            return Err(self.error_at(begin, what));
        }
        self.range(u64::from(u8::MAX), |least, most| Query::Holds(side, kind, least as u8, most as u8))
    }

    pub(super) fn count(&mut self) -> Result<Query, QueryError> {
        let (begin, word) = self.argument(message!("records.noun-piece"))?;
        let (mut pieces, mut offset) = (Vec::new(), begin);
        for name in word.split('|') {
            pieces.extend(self.pieces_named(offset, name)?);
            offset += name.len() + 1;
        }
        self.range(u64::from(u16::MAX), |least, most| Query::Count(pieces, least as u16, most as u16))
    }

    pub(super) fn lasting(&mut self) -> Result<Query, QueryError> {
        let part = self.bracketed()?;
        self.range(u64::from(u16::MAX), |least, most| Query::Lasting(part, least as u16, most as u16))
    }

    /// An operator and numbers: `>=2`, `=3`, `!=3`, `=10..30`; `make` takes the bounds.
    pub(super) fn range(
        &mut self,
        largest: u64,
        make: impl FnOnce(u64, u64) -> Query,
    ) -> Result<Query, QueryError> {
        let operator = self.operator(&ALL)?;
        let (begin, word) = self.value()?;
        let number = |text: &str, offset: usize| {
            let fits = |number: &u64| *number <= largest;
            text.parse::<u64>()
                .ok()
                .filter(fits)
                .ok_or_else(|| self.error_at(offset, message!("records.not-a-number", text, largest)))
        };
        if let Some((least, most)) = split_range(&word, operator) {
            let (least, most) = (number(least, begin)?, number(most, begin + least.len() + 2)?);
            if least > most {
                return Err(self.error_at(begin, message!("records.empty-range")));
            }
            return Ok(negated_if(operator == Operator::IsNot, make(least, most)));
        }
        let value = number(&word, begin)?;
        let nothing = (1, 0);
        let (least, most) = match operator {
            Operator::Is | Operator::IsNot => (value, value),
            Operator::Least => (value, largest),
            Operator::Most => (0, value),
            Operator::Above if value == largest => nothing,
            Operator::Above => (value + 1, largest),
            Operator::Below => value.checked_sub(1).map_or(nothing, |most| (0, most)),
        };
        Ok(negated_if(operator == Operator::IsNot, make(least, most)))
    }

    pub(super) fn position(&mut self) -> Result<Query, QueryError> {
        // `=` is allowed because the other fields have it.
        if self.rest().starts_with('=') {
            self.operator(&[Operator::Is])?;
        }
        let n_quotes = usize::from(self.rest().starts_with('"'));
        let (begin, text) = self.value()?;
        if text == "start" {
            return Ok(Query::Position(Box::new(self.rules.start().clone())));
        }
        let setup = Setup::read(&text, self.rules).map_err(|error| {
            self.error_at(begin + n_quotes + error.offset, error.what)
                .with_hint(message!("records.start.hint", text = self.rules.start().write(self.rules)))
        })?;
        Ok(Query::Position(Box::new(setup)))
    }

    pub(super) fn text_filter(
        &mut self,
        make: impl FnOnce(String) -> GameFilter,
    ) -> Result<Query, QueryError> {
        let operator = self.operator(&[Operator::Is, Operator::IsNot])?;
        let games = Query::Games(make(self.value()?.1));
        Ok(negated_if(operator == Operator::IsNot, games))
    }

    pub(super) fn date(&mut self) -> Result<Query, QueryError> {
        let operator = self.operator(&ALL)?;
        let (begin, word) = self.value()?;
        let span = |text: &str, offset: usize| {
            date_span(text).ok_or_else(|| {
                let error = self.error_at(offset, message!("records.not-a-date", text));
                error.with_hint(message!("records.not-a-date.hint"))
            })
        };
        let (least, most) = match split_range(&word, operator) {
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
        if least > most {
            return Err(self.error_at(begin, message!("records.empty-range")));
        }
        Ok(negated_if(operator == Operator::IsNot, Query::Games(GameFilter::Date(least, most))))
    }

    pub(super) fn result(&mut self) -> Result<Query, QueryError> {
        let operator = self.operator(&[Operator::Is, Operator::IsNot])?;
        let (begin, word) = self.value()?;
        let result = result_named(&word, self.side_named(&word)).ok_or_else(|| {
            let error = self.error_at(begin, message!("records.not-a-result", word));
            error.with_hint(message!("records.not-a-result.hint"))
        })?;
        Ok(negated_if(operator == Operator::IsNot, Query::Games(GameFilter::Result(result))))
    }

    pub(super) fn rating(&mut self) -> Result<Query, QueryError> {
        let side = if self.rest().starts_with('(') {
            let (begin, name) = self.argument(message!("records.noun-side"))?;
            Some(self.side_named(name).ok_or_else(|| self.no_side(begin, name))?)
        } else {
            None
        };
        self.range(u64::from(u16::MAX), |least, most| {
            Query::Games(GameFilter::Rating(side, least as u16, most as u16))
        })
    }
}

/// The first and the last day of a year, a month or a day, as date numbers.
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
