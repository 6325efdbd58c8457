//! The opening explorer: every next move of a position with counts and results.
//!
//! In: a query, usually for one position. Out: moves, the most frequent first. Never: a limit on the depth of the
//! position.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::Move;

use crate::collection::Collection;
use crate::index::exact::{Candidate, NextCounts};
use crate::query::{Query, QueryRunError};
use crate::record::GameResult;
use crate::segment::{Segment, SegmentError};

/// Example games per move.
const EXAMPLES: usize = 3;

/// Occurrences that are scanned for examples.
const EXAMPLE_SCAN: usize = 4000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NextMove {
    /// `None` where the record ends.
    pub mv: Option<Move>,
    pub n: u64,
    /// By result code.
    pub by_result: Vec<u64>,
    /// Game numbers in the collection.
    pub examples: Vec<usize>,
}

impl NextMove {
    pub fn with(&self, result: GameResult) -> u64 {
        self.by_result.get(usize::from(result.code())).copied().unwrap_or(0)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    pub n_positions: u64,
    pub n_games: u64,
    /// The most frequent first.
    pub moves: Vec<NextMove>,
}

impl Collection {
    pub fn explore(&self, query: &Query) -> Result<Explored, QueryRunError> {
        self.explore_unless(query, &AtomicBool::new(false))
    }

    /// The same, unless `stop` is set before it is done.
    pub fn explore_unless(&self, query: &Query, stop: &AtomicBool) -> Result<Explored, QueryRunError> {
        let mut counter = NextMoveCounter {
            n_results: self.rules().rules().sides().len() + 2,
            ..NextMoveCounter::default()
        };
        if let Query::Position(setup) = query {
            let key = Query::key_of(setup, self.rules())?;
            for (first, segment) in self.segments() {
                let found = segment.find_key(self.rules(), key)?;
                counter.add_exact(first, segment, found)?;
            }
            return Ok(counter.finish());
        }
        let answer = self.find_unless(query, stop)?;
        counter.n_games = answer.n_games() as u64;
        for (first, segment, interval) in answer.intervals() {
            if stop.load(Ordering::Relaxed) {
                return Err(QueryRunError::Stopped);
            }
            let base = segment.base(interval.game) as u32;
            for ply in interval.from..interval.to {
                counter.add_position(first, segment, base + u32::from(ply))?;
            }
        }
        Ok(counter.finish())
    }
}

#[derive(Default)]
struct NextMoveCounter {
    n_results: usize,
    n_positions: u64,
    n_games: u64,
    moves: BTreeMap<Option<Move>, NextMove>,
}

impl NextMoveCounter {
    fn entry(&mut self, mv: Option<Move>) -> &mut NextMove {
        let n_results = self.n_results;
        let new = || NextMove { mv, n: 0, by_result: vec![0; n_results], examples: Vec::new() };
        self.moves.entry(mv).or_insert_with(new)
    }

    fn add_position(&mut self, first: usize, segment: &Segment, position: u32) -> Result<(), SegmentError> {
        let mv = segment.move_of(segment.next_code(position)?);
        let (game, _) = segment.game_and_ply(position);
        let code = usize::from(segment.result(game).code()).min(self.n_results - 1);
        self.n_positions += 1;
        let entry = self.entry(mv);
        entry.n += 1;
        entry.by_result[code] += 1;
        add_example(entry, first + game as usize);
        Ok(())
    }

    fn add_exact(
        &mut self,
        first: usize,
        segment: &Segment,
        found: Option<Candidate>,
    ) -> Result<(), SegmentError> {
        let group = match found {
            None => return Ok(()),
            Some(Candidate::Once(position)) => {
                self.n_games += 1;
                return self.add_position(first, segment, position);
            }
            Some(Candidate::Repeated(group)) => group,
        };
        self.n_games += group.n_games as u64;
        let Some(counts) = group.counts(self.n_results) else {
            return group
                .positions(self.n_results)
                .try_for_each(|position| self.add_position(first, segment, position));
        };
        self.n_positions += group.n_positions as u64;
        self.add_counts(segment, counts);
        for position in group.positions(self.n_results).take(EXAMPLE_SCAN) {
            let mv = segment.move_of(segment.next_code(position)?);
            let entry = self.entry(mv);
            if entry.examples.len() < EXAMPLES {
                add_example(entry, first + segment.game_and_ply(position).0 as usize);
            }
        }
        Ok(())
    }

    fn add_counts(&mut self, segment: &Segment, counts: NextCounts) {
        for (code, by_result) in counts {
            let entry = self.entry(segment.move_of(code));
            entry.n += by_result.iter().sum::<u64>();
            entry.by_result.iter_mut().zip(by_result).for_each(|(sum, n)| *sum += n);
        }
    }

    fn finish(self) -> Explored {
        let mut moves: Vec<NextMove> = self.moves.into_values().collect();
        moves.sort_by_key(|next| (std::cmp::Reverse(next.n), next.mv));
        Explored { n_positions: self.n_positions, n_games: self.n_games, moves }
    }
}

fn add_example(entry: &mut NextMove, game: usize) {
    if entry.examples.len() < EXAMPLES && entry.examples.last() != Some(&game) {
        entry.examples.push(game);
    }
}
