//! What is asked of a collection: one type for the command line, the web page and programs.
//!
//! In: conditions on positions and on games, put together. Out: a [`Query`] that can be run, written and read. Never: how
//! it is answered (`plan`, `interval`), nor where it came from.
//!
//! A query is a set of positions of recorded games. A condition on a game (a player, a date) is the set of all positions
//! of the games that meet it, so everything can be put together with everything.

mod batched_intersection;
mod conditions;
mod conjunction;
mod cost;
mod count;
mod execute;
mod fields;
mod filter;
mod interval_set;
pub mod naive;
mod parse;
mod plan;
mod ply_bitmap;
mod position_bitmap;
mod query_result;
mod refine;
mod segment_matches;
mod sparse_intersection;
mod tally;
mod text;
mod time_budget;
mod transform;
mod union;

use ashta_position::{CompiledRules, Game, PositionError};
use ashta_rules::{KindId, Rules, Setup, Side, Square};

use crate::record::GameResult;

pub use fields::FIELDS;
pub use parse::{QueryError, read_query};
pub use plan::Plan;
pub use query_result::{Hit, QueryResult, QueryRunError};
pub use time_budget::TimeBudget;

pub use text::write_query;

/// A set of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Positions that are in every one of these; all positions if there are none.
    All(Vec<Query>),
    /// Positions that are in at least one of these; none if there are none.
    Any(Vec<Query>),
    /// Positions that are not in this.
    Not(Box<Query>),
    /// Positions of the second that come later in a game than a position of the first.
    Then(Box<Query>, Box<Query>),
    /// What stands on a square.
    On(Square, Content),
    /// How many pieces of a kind a side holds: from the first number to the second, both included.
    Holds(Side, KindId, u8, u8),
    /// How many of these pieces stand on the board: from the first number to the second, both included.
    Count(Vec<(Side, KindId)>, u16, u16),
    /// Whose turn it is.
    Turn(Side),
    /// Plies from the start of the record: from the first number to the second, both included.
    Ply(u16, u16),
    /// Exactly this position: pieces, hands, turn and rights.
    Position(Box<Setup>),
    /// Intervals of the pattern that last so many plies: from the first number to the second, both included.
    Lasting(Box<Query>, u16, u16),
    /// The pattern at every place of the board where all of its squares exist.
    Anywhere(Box<Query>),
    /// The pattern, and the same with left and right exchanged.
    Mirrored(Box<Query>),
    /// The pattern, and the same with the sides exchanged.
    Swapped(Box<Query>),
    /// Every position of the games in which the pattern is found.
    Game(Box<Query>),
    /// Every position of the games that meet a condition.
    Games(GameFilter),
}

/// What stands on a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Nothing.
    Empty,
    /// Any piece.
    Occupied,
    /// One of these pieces.
    OneOf(Vec<(Side, KindId)>),
}

/// A condition on a game. Texts are found anywhere in a value, whatever their case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameFilter {
    /// A side's player, or any player.
    Player(Option<Side>, String),
    /// The event.
    Event(String),
    /// The opening.
    Opening(String),
    /// The date as a number, `19710812`: from the first to the second, both included.
    Date(u32, u32),
    /// The result.
    Result(GameResult),
    /// The rating of a side, or of every side: from the first number to the second, both included.
    Rating(Option<Side>, u16, u16),
    /// The number of plies: from the first to the second, both included.
    Length(u32, u32),
    /// The value of any tag.
    Tag(String, String),
}

impl Query {
    /// The query for exactly the position that a game has reached.
    pub fn position(game: &Game) -> Query {
        Query::Position(Box::new(game.setup()))
    }

    /// At most how many parts the query has once shapes are shifted, mirrored and exchanged: what it may cost.
    pub fn n_parts(&self, rules: &Rules) -> usize {
        let sum =
            |parts: &[Query]| parts.iter().fold(1, |n: usize, part| n.saturating_add(part.n_parts(rules)));
        let everyone = rules.sides().len() * rules.kind_ids().count();
        match self {
            Query::All(parts) | Query::Any(parts) => sum(parts),
            Query::Not(part) | Query::Lasting(part, ..) | Query::Game(part) => {
                part.n_parts(rules).saturating_add(1)
            }
            Query::Count(pieces, ..) => pieces.len().saturating_mul(rules.grid().n_squares()),
            Query::Then(first, second) => first.n_parts(rules).saturating_add(second.n_parts(rules)),
            Query::On(_, Content::Empty | Content::Occupied) => everyone,
            Query::On(_, Content::OneOf(pieces)) => pieces.len(),
            Query::Anywhere(part) => part.n_parts(rules).saturating_mul(rules.grid().n_squares()),
            Query::Mirrored(part) | Query::Swapped(part) => part.n_parts(rules).saturating_mul(2),
            Query::Holds(..) | Query::Turn(_) | Query::Ply(..) | Query::Position(_) | Query::Games(_) => 1,
        }
    }

    /// The key of a position under rules.
    pub(crate) fn key_of(setup: &Setup, rules: &CompiledRules) -> Result<u64, PositionError> {
        Ok(Game::from_setup(rules, setup)?.key())
    }
}
