//! Queries on a collection: one type for the command line, the web page and programs.
//!
//! In: conditions on positions and on games. Out: a [`Query`] that can be executed, written and read. Never: how it is
//! executed (`plan`, `execute`), nor where it came from.
//!
//! A query is a set of positions of recorded games. A condition on a game (a player, a date) is the set of all
//! positions of the games that match, so that all conditions combine.

mod batched_intersection;
mod bit_ranges;
mod bitmap_chunk;
mod conditions;
mod conjunction;
mod cost;
mod count;
mod execute;
mod fields;
mod filter;
mod interval_set;
mod material_count;
pub mod naive;
mod parse;
mod plan;
mod ply_bitmap;
mod position_bitmap;
mod query_result;
mod refine;
mod replay;
mod run_error;
mod segment_matches;
mod shape_test;
mod shapes;
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
pub use query_result::{Hit, QueryResult};
pub use run_error::QueryRunError;
pub use time_budget::TimeBudget;

pub use text::write_query;

/// A set of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Query {
    /// Positions that are in every one of these; all positions if there are none.
    All(Vec<Query>),
    /// Positions that are in at least one of these; none if there are none.
    Any(Vec<Query>),
    Not(Box<Query>),
    /// Positions of the second that come later in their game than a position of the first.
    Then(Box<Query>, Box<Query>),
    On(Square, Content),
    /// Pieces of a kind in a side's hand; inclusive bounds.
    Holds(Side, KindId, u8, u8),
    /// How many of these pieces are on the board; inclusive bounds.
    Count(Vec<(Side, KindId)>, u16, u16),
    Turn(Side),
    /// Plies from the start of the record; inclusive bounds.
    Ply(u16, u16),
    /// Exactly this position: pieces, hands, turn and rights.
    Position(Box<Setup>),
    /// Intervals of the pattern with so many plies; inclusive bounds.
    Lasting(Box<Query>, u16, u16),
    /// The pattern shifted to every place of the board where all its squares exist.
    Anywhere(Box<Query>),
    /// The pattern and its mirror image.
    Mirrored(Box<Query>),
    /// The pattern, and the same with the sides swapped.
    Swapped(Box<Query>),
    /// Every position of the games in which the pattern occurs.
    Game(Box<Query>),
    /// Every position of the games that match a filter.
    Games(GameFilter),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    Empty,
    Occupied,
    OneOf(Vec<(Side, KindId)>),
}

/// A condition on a game. Texts match any part of a value, ignoring case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GameFilter {
    /// A side's player, or any player.
    Player(Option<Side>, String),
    Event(String),
    Opening(String),
    /// Date numbers such as `19710812`; inclusive bounds.
    Date(u32, u32),
    Result(GameResult),
    /// The rating of a side, or of every side; inclusive bounds.
    Rating(Option<Side>, u16, u16),
    /// Plies; inclusive bounds.
    Length(u32, u32),
    /// Name and value of any tag.
    Tag(String, String),
}

impl Query {
    pub fn position(game: &Game) -> Query {
        Query::Position(Box::new(game.setup()))
    }

    /// An upper bound of the parts of the query once patterns are shifted, mirrored and swapped.
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

    pub(crate) fn key_of(setup: &Setup, rules: &CompiledRules) -> Result<u64, PositionError> {
        Ok(Game::from_setup(rules, setup)?.key())
    }
}
