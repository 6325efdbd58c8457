//! The result of a query: counts and a page at once, the rest on demand.
//!
//! In: a query and a collection. Out: counts, and intervals with their metadata. Never: metadata of more hits than a
//! page has.

use std::sync::atomic::AtomicBool;

use ashta_position::Move;

use super::Query;
use super::execute::{execute_plan, execute_within_budget};
use super::plan::Plan;
use super::run_error::QueryRunError;
use super::segment_matches::SegmentMatches;
use super::time_budget::TimeBudget;
use crate::collection::Collection;
use crate::index::postings::Posting;
use crate::record::GameResult;
use crate::segment::{Column, Segment, SegmentError};

/// The most parts of an expanded query: a pattern of four squares, one of them empty, has 14,256 on a shogi board.
const MAX_PARTS: usize = 40_000;

/// The matches of a query in a collection.
pub struct QueryResult<'a> {
    collection: &'a Collection,
    n_searched: usize,
    parts: Vec<(usize, &'a Segment, SegmentMatches<'a>)>,
}

/// An interval that matches, with the metadata of its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit<'a> {
    /// The game's number in the collection, from 0.
    pub game: usize,
    /// The first ply; 0 is before the first move.
    pub from: u16,
    /// The ply after the last.
    pub to: u16,
    /// In order of moving.
    pub players: Vec<Option<&'a str>>,
    /// A date number, 0 if unknown.
    pub date: u32,
    pub event: Option<&'a str>,
    pub result: GameResult,
    /// The move after the first matching ply.
    pub next: Option<Move>,
    pub n_plies: usize,
}

impl Collection {
    pub fn find(&self, query: &Query) -> Result<QueryResult<'_>, QueryRunError> {
        self.find_unless(query, &AtomicBool::new(false))
    }

    /// Executes a query, unless `stop` is set before it is done.
    pub fn find_unless(&self, query: &Query, stop: &AtomicBool) -> Result<QueryResult<'_>, QueryRunError> {
        let plan = self.plan(query)?;
        let find = |(first, segment)| Ok((first, segment, execute_plan(&plan, segment, self.rules(), stop)?));
        let parts = self.segments().map(find).collect::<Result<_, QueryRunError>>()?;
        Ok(QueryResult { collection: self, n_searched: self.n_games(), parts })
    }

    fn plan(&self, query: &Query) -> Result<Plan, QueryRunError> {
        let n_parts = query.n_parts(self.rules().rules());
        if n_parts > MAX_PARTS {
            return Err(QueryRunError::TooLarge { n_parts, max: MAX_PARTS });
        }
        Ok(Plan::new(query, self.space(), self.rules())?)
    }

    /// The same under a time budget: an expensive query is executed on the first games only.
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
            // Stop at the first segment that was not searched completely.
            if n_searched < segment.n_games() || (time_budget.is_spent)() {
                break;
            }
        }
        Ok(answer)
    }
}

impl<'a> QueryResult<'a> {
    /// How many games were searched, from the first on: all, unless a time budget was spent.
    pub fn n_searched(&self) -> usize {
        self.n_searched
    }

    pub fn n_games(&self) -> usize {
        self.parts.iter().map(|(_, _, found)| found.n_games()).sum()
    }

    pub fn n_positions(&self) -> usize {
        self.parts.iter().map(|(_, _, found)| found.n_positions()).sum()
    }

    pub fn n_intervals(&self) -> usize {
        self.parts.iter().map(|(_, _, found)| found.n_intervals()).sum()
    }

    /// Every interval with its segment and the number of the segment's first game.
    pub fn intervals(&self) -> impl Iterator<Item = (usize, &'a Segment, Posting)> + '_ {
        self.parts.iter().flat_map(|(first, segment, found)| {
            found.intervals(segment).map(|interval| (*first, *segment, interval))
        })
    }

    /// The numbers of the matching games, without repetition.
    pub fn games(&self) -> Vec<usize> {
        let mut games: Vec<usize> =
            self.intervals().map(|(first, _, interval)| first + interval.game as usize).collect();
        games.dedup();
        games
    }

    pub fn page(&self, skip: usize, n: usize) -> Result<Vec<Hit<'a>>, SegmentError> {
        let n_sides = self.collection.rules().rules().sides().len();
        self.intervals()
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
