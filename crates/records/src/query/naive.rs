//! Reference implementation: evaluates a query on every position, without an index.
//!
//! In: a query and a record. Out: for every ply whether the position matches. Never: fast.

use ashta_position::{CompiledRules, PositionTextError};
use ashta_rules::{Rules, Setup};

use super::filter::meets;
use super::transform::{Transform, shifts};
use super::{Content, Query};
use crate::record::GameRecord;

/// The positions of a record, the first and the last included, with their keys.
pub struct Positions<'a> {
    record: &'a GameRecord,
    rules: &'a CompiledRules,
    setups: Vec<(Setup, u64)>,
}

impl<'a> Positions<'a> {
    pub fn of(record: &'a GameRecord, rules: &'a CompiledRules) -> Result<Positions<'a>, PositionTextError> {
        let mut game = record.begin(rules)?;
        let mut setups = vec![(game.setup(), game.key())];
        for mv in &record.moves {
            game.play_unchecked(*mv);
            setups.push((game.setup(), game.key()));
        }
        Ok(Positions { record, rules, setups })
    }

    /// For every ply whether its position matches.
    pub fn found(&self, query: &Query) -> Vec<bool> {
        let all = |value: bool| vec![value; self.setups.len()];
        let rules: &Rules = self.rules.rules();
        match query {
            Query::All(parts) => {
                parts.iter().fold(all(true), |sum, part| zip(&sum, &self.found(part), |a, b| a && b))
            }
            Query::Any(parts) => {
                parts.iter().fold(all(false), |sum, part| zip(&sum, &self.found(part), |a, b| a || b))
            }
            Query::Not(part) => self.found(part).iter().map(|found| !found).collect(),
            Query::Then(first, second) => {
                let (first, second) = (self.found(first), self.found(second));
                (0..second.len()).map(|ply| second[ply] && first[..ply].contains(&true)).collect()
            }
            Query::On(square, content) => self.each(|setup, _| {
                let piece = setup.board[square.0 as usize];
                match content {
                    Content::Empty => piece.is_none(),
                    Content::Occupied => piece.is_some(),
                    Content::OneOf(pieces) => piece.is_some_and(|piece| pieces.contains(&piece)),
                }
            }),
            Query::Holds(side, kind, least, most) => {
                self.each(|setup, _| (*least..=*most).contains(&setup.hands[side.index()][kind.index()]))
            }
            Query::Count(pieces, least, most) => self.each(|setup, _| {
                let is_counted = |piece: &&Option<_>| piece.is_some_and(|piece| pieces.contains(&piece));
                (*least..=*most).contains(&(setup.board.iter().filter(is_counted).count() as u16))
            }),
            Query::Lasting(part, least, most) => {
                let found = self.found(part);
                let lasts =
                    |interval: &[bool]| interval[0] && (*least..=*most).contains(&(interval.len() as u16));
                found
                    .chunk_by(|a, b| a == b)
                    .flat_map(|interval| vec![lasts(interval); interval.len()])
                    .collect()
            }
            Query::Turn(side) => self.each(|setup, _| setup.turn == side.0),
            Query::Ply(least, most) => {
                (0..self.setups.len()).map(|ply| (*least..=*most).contains(&(ply as u16))).collect()
            }
            Query::Position(wanted) => {
                let key = Query::key_of(wanted, self.rules).ok();
                self.each(|_, own| Some(own) == key)
            }
            Query::Anywhere(part) => self.found(&Query::Any(shifts(rules, part))),
            Query::Mirrored(part) => self.with(Transform::Mirror, part),
            Query::Swapped(part) => self.with(Transform::Swap, part),
            Query::Game(part) => all(self.found(part).contains(&true)),
            Query::Games(filter) => all(meets(filter, self.record, rules.sides().len())),
        }
    }

    fn with(&self, transform: Transform, part: &Query) -> Vec<bool> {
        let other = transform.apply(self.rules.rules(), part);
        self.found(&Query::Any([Some(part.clone()), other].into_iter().flatten().collect()))
    }

    fn each(&self, asks: impl Fn(&Setup, u64) -> bool) -> Vec<bool> {
        self.setups.iter().map(|(setup, key)| asks(setup, *key)).collect()
    }
}

fn zip(a: &[bool], b: &[bool], combine: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| combine(*a, *b)).collect()
}
