//! Query plans: a query in terms of the index (states, keys, filters).
//!
//! In: a query and the states of a game. Out: a plan with all patterns expanded. Never: a posting.

use ashta_position::{CompiledRules, PositionError};
use ashta_rules::{KindId, Side, Square};

use super::transform::{Transform, shifts};
use super::{Content, GameFilter, Query};
use crate::index::states::{State, StateSpace};

/// `And` and `Or` are flat: neither directly contains its own kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    Everything,
    Nothing,
    And(Vec<Plan>),
    Or(Vec<Plan>),
    Not(Box<Plan>),
    /// Positions of the second after one of the first.
    Then(Box<Plan>, Box<Plan>),
    State(u32),
    /// Any of several mutually exclusive states.
    OneOf(Vec<u32>),
    /// How many of several states hold; inclusive bounds.
    Count(Vec<u32>, u16, u16),
    /// Intervals with so many plies; inclusive bounds.
    Lasting(Box<Plan>, u16, u16),
    Turn(Side),
    Ply(u16, u16),
    Key(u64),
    /// Every position of the games that have positions of a plan.
    Game(Box<Plan>),
    Games(GameFilter),
}

impl Plan {
    pub fn new(query: &Query, space: &StateSpace, rules: &CompiledRules) -> Result<Plan, PositionError> {
        let one = |part: &Query| Plan::new(part, space, rules);
        let each = |parts: &[Query]| parts.iter().map(one).collect::<Result<Vec<Plan>, _>>();
        Ok(match query {
            Query::All(parts) => Plan::and(each(parts)?),
            Query::Any(parts) => Plan::or(each(parts)?),
            Query::Not(part) => one(part)?.negated(),
            Query::Then(first, second) => match (one(first)?, one(second)?) {
                (Plan::Nothing, _) | (_, Plan::Nothing) => Plan::Nothing,
                (first, second) => Plan::Then(Box::new(first), Box::new(second)),
            },
            Query::On(square, content) => on_square(*square, content, space, rules),
            Query::Holds(side, kind, least, most) => holds(*side, *kind, *least, *most, space),
            Query::Count(pieces, least, most) => count(pieces, (*least, *most), space, rules),
            Query::Lasting(part, least, most) => match one(part)? {
                _ if least > most => Plan::Nothing,
                Plan::Nothing => Plan::Nothing,
                part => Plan::Lasting(Box::new(part), *least, *most),
            },
            Query::Turn(side) => Plan::Turn(*side),
            Query::Ply(least, most) if least > most => Plan::Nothing,
            Query::Ply(least, most) => Plan::Ply(*least, *most),
            Query::Position(setup) => Plan::Key(Query::key_of(setup, rules)?),
            Query::Anywhere(part) => {
                Plan::or(shifts(rules.rules(), part).iter().map(one).collect::<Result<_, _>>()?)
            }
            Query::Mirrored(part) => with(Transform::Mirror, part, space, rules)?,
            Query::Swapped(part) => with(Transform::Swap, part, space, rules)?,
            Query::Game(part) => match one(part)? {
                // These are whole games already.
                whole @ (Plan::Nothing | Plan::Everything | Plan::Games(_) | Plan::Game(_)) => whole,
                part => Plan::Game(Box::new(part)),
            },
            Query::Games(filter) => Plan::Games(filter.clone()),
        })
    }

    fn and(parts: Vec<Plan>) -> Plan {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Plan::Everything => {}
                Plan::Nothing => return Plan::Nothing,
                Plan::And(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Plan::Everything,
            1 => flat.remove(0),
            _ => Plan::And(flat),
        }
    }

    fn or(parts: Vec<Plan>) -> Plan {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Plan::Nothing => {}
                Plan::Everything => return Plan::Everything,
                Plan::Or(inner) => flat.extend(inner),
                other if flat.contains(&other) => {}
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Plan::Nothing,
            1 => flat.remove(0),
            _ => Plan::Or(flat),
        }
    }

    fn negated(self) -> Plan {
        match self {
            Plan::Everything => Plan::Nothing,
            Plan::Nothing => Plan::Everything,
            Plan::Not(inner) => *inner,
            other => Plan::Not(Box::new(other)),
        }
    }
}

fn with(
    transform: Transform,
    part: &Query,
    space: &StateSpace,
    rules: &CompiledRules,
) -> Result<Plan, PositionError> {
    let transformed = transform.apply(rules.rules(), part);
    let both = [Some(part.clone()), transformed].into_iter().flatten();
    // A transformed position may be unplayable; then it never occurs.
    let plans = both.enumerate().filter_map(|(n, query)| match Plan::new(&query, space, rules) {
        Err(_) if n > 0 => None,
        plan => Some(plan),
    });
    Ok(Plan::or(plans.collect::<Result<_, _>>()?))
}

fn on_square(square: Square, content: &Content, space: &StateSpace, rules: &CompiledRules) -> Plan {
    let number = |(side, kind): (Side, KindId)| space.number(State::On { side, kind, square });
    let one_of = |pieces: Vec<(Side, KindId)>| {
        let mut states: Vec<u32> = pieces.into_iter().filter_map(number).collect();
        states.sort_unstable();
        states.dedup();
        match states.as_slice() {
            [] => Plan::Nothing,
            [state] => Plan::State(*state),
            _ => Plan::OneOf(states),
        }
    };
    let rules = rules.rules();
    let everyone = || {
        let sides = (0..rules.sides().len() as u8).map(Side);
        one_of(sides.flat_map(|side| rules.kind_ids().map(move |kind| (side, kind))).collect())
    };
    match content {
        Content::Empty => everyone().negated(),
        Content::Occupied => everyone(),
        Content::OneOf(pieces) if pieces.len() == 1 => number(pieces[0]).map_or(Plan::Nothing, Plan::State),
        Content::OneOf(pieces) => one_of(pieces.clone()),
    }
}

fn holds(side: Side, kind: KindId, least: u8, most: u8, space: &StateSpace) -> Plan {
    let at_least = |least: u8| match least {
        0 => Plan::Everything,
        _ => space.number(State::Holds { side, kind, least }).map_or(Plan::Nothing, Plan::State),
    };
    match most.checked_add(1) {
        _ if least > most => Plan::Nothing,
        None => at_least(least),
        Some(beyond) => Plan::and(vec![at_least(least), at_least(beyond).negated()]),
    }
}

fn count(
    pieces: &[(Side, KindId)],
    (least, most): (u16, u16),
    space: &StateSpace,
    rules: &CompiledRules,
) -> Plan {
    if least > most {
        return Plan::Nothing;
    }
    let grid = rules.rules().grid();
    let everywhere = |(side, kind): &(Side, KindId)| {
        let (side, kind) = (*side, *kind);
        grid.squares().filter_map(move |square| space.number(State::On { side, kind, square }))
    };
    let mut states: Vec<u32> = pieces.iter().flat_map(everywhere).collect();
    states.sort_unstable();
    states.dedup();
    Plan::Count(states, least, most)
}
