//! What a query found: counts at once, a page at once, the rest as it is asked for.
//!
//! In: a query and a collection. Out: counts and intervals with what a list of results shows. Never: names, dates and
//! moves of more hits than a page has.

use std::sync::atomic::AtomicBool;

use ashta_position::Move;
use thiserror::Error;

use super::Query;
use super::execute::{execute_plan, execute_within_budget};
use super::plan::Plan;
use super::segment_matches::SegmentMatches;
use super::time_budget::TimeBudget;
use crate::collection::Collection;
use crate::index::postings::Posting;
use crate::record::GameResult;
use crate::segment::{Column, Segment, SegmentError};

/// Why a query cannot be answered.
#[derive(Error, Debug)]
pub enum QueryRunError {
    /// A position in it cannot be played from.
    #[error("nobody can play from the position asked for: {0}")]
    Position(#[from] ashta_position::PositionError),
    /// A segment is wrong.
    #[error(transparent)]
    Segment(#[from] SegmentError),
    /// Shapes within shapes: there is no end to it.
    #[error("the query has {n_parts} parts once its shapes are everywhere; {MAX_PARTS} are the most")]
    TooLarge {
        /// How many.
        n_parts: usize,
    },
    /// Nobody waits for the answer any more.
    #[error("the search was stopped")]
    Stopped,
}

/// Most parts of a query, shapes shifted and exchanged: one of four squares, one of them empty, in shogi has 14,256.
const MAX_PARTS: usize = 40_000;

/// What a query found in a collection.
pub struct QueryResult<'a> {
    collection: &'a Collection,
    n_searched: usize,
    parts: Vec<(usize, &'a Segment, SegmentMatches<'a>)>,
}

/// A interval of a game that a query found, and what a list of results shows of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit<'a> {
    /// The game's number in the collection, from 0.
    pub game: usize,
    /// The first ply, from 0 before the first move.
    pub from: u16,
    /// The ply after the last.
    pub to: u16,
    /// The players, in order of moving.
    pub players: Vec<Option<&'a str>>,
    /// The date as a number, 0 if it is not known.
    pub date: u32,
    /// The event.
    pub event: Option<&'a str>,
    /// The result.
    pub result: GameResult,
    /// What was played after the first ply found.
    pub next: Option<Move>,
    /// How many plies the game has.
    pub n_plies: usize,
}

impl Collection {
    /// Answers a query.
    pub fn find(&self, query: &Query) -> Result<QueryResult<'_>, QueryRunError> {
        self.find_unless(query, &AtomicBool::new(false))
    }

    /// Answers a query, unless `stop` is set before it is done.
    pub fn find_unless(&self, query: &Query, stop: &AtomicBool) -> Result<QueryResult<'_>, QueryRunError> {
        let plan = self.plan(query)?;
        let find = |(first, segment)| Ok((first, segment, execute_plan(&plan, segment, self.rules(), stop)?));
        let parts = self.segments().map(find).collect::<Result<_, QueryRunError>>()?;
        Ok(QueryResult { collection: self, n_searched: self.n_games(), parts })
    }

    fn plan(&self, query: &Query) -> Result<Plan, QueryRunError> {
        let n_parts = query.n_parts(self.rules().rules());
        if n_parts > MAX_PARTS {
            return Err(QueryRunError::TooLarge { n_parts });
        }
        Ok(Plan::new(query, self.space(), self.rules())?)
    }

    /// The same for somebody who waits: what takes long is looked for in the first games only.
    pub fn find_first(
        &self,
        query: &Query,
        time_budget: &TimeBudget,
        stop: &AtomicBool,
    ) -> Result<QueryResult<'_>, QueryRunError> {
        let plan = self.plan(query)?;
        let mut answer = QueryResult { collection: self, n_searched: 0, parts: Vec::new() };
        for (first, segment) in self.segments() {
            let (found, n_searched) = execute_within_budget(&plan, segment, self.rules(), time_budget, stop)?;
            answer.parts.push((first, segment, found));
            answer.n_searched += n_searched;
            // The first segment that was not looked at whole is the last.
            if n_searched < segment.n_games() || (time_budget.is_over)() {
                break;
            }
        }
        Ok(answer)
    }
}

impl<'a> QueryResult<'a> {
    /// How many games of the collection were looked at, from the first on: all, unless the answer was wanted soon.
    pub fn n_searched(&self) -> usize {
        self.n_searched
    }

    /// In how many games.
    pub fn n_games(&self) -> usize {
        self.parts.iter().map(|(_, _, found)| found.n_games()).sum()
    }

    /// How many positions.
    pub fn n_positions(&self) -> usize {
        self.parts.iter().map(|(_, _, found)| found.n_positions()).sum()
    }

    /// How many intervals: what [`QueryResult::places`] gives.
    pub fn n_intervals(&self) -> usize {
        self.parts.iter().map(|(_, _, found)| found.n_intervals()).sum()
    }

    /// Every interval with the segment that it lies in and the number of the segment's first game.
    pub fn places(&self) -> impl Iterator<Item = (usize, &'a Segment, Posting)> + '_ {
        self.parts.iter().flat_map(|(first, segment, found)| {
            found.intervals(segment).map(|interval| (*first, *segment, interval))
        })
    }

    /// The numbers of the games found, each once.
    pub fn games(&self) -> Vec<usize> {
        let mut games: Vec<usize> =
            self.places().map(|(first, _, interval)| first + interval.game as usize).collect();
        games.dedup();
        games
    }

    /// A page of what was found.
    pub fn page(&self, skip: usize, n: usize) -> Result<Vec<Hit<'a>>, SegmentError> {
        let n_sides = self.collection.rules().rules().sides().len();
        self.places()
            .skip(skip)
            .take(n)
            .map(|(first, segment, interval)| hit(first, segment, interval, n_sides))
            .collect()
    }
}

fn hit<'a>(
    first: usize,
    segment: &'a Segment,
    interval: Posting,
    n_sides: usize,
) -> Result<Hit<'a>, SegmentError> {
    let meta = segment.meta();
    let players = (0..n_sides).map(|side| meta.named(Column::Player(side), interval.game));
    Ok(Hit {
        game: first + interval.game as usize,
        from: interval.from,
        to: interval.to,
        players: players.collect::<Result<_, _>>()?,
        date: meta.date(interval.game)?,
        event: meta.named(Column::Event, interval.game)?,
        result: segment.result(interval.game),
        next: segment
            .move_of(segment.next_code((segment.base(interval.game) + usize::from(interval.from)) as u32)?),
        n_plies: segment.n_plies(interval.game),
    })
}
