//! Executes a plan on one segment.
//!
//! In: a plan, a segment. Out: intervals in order. Never: a position that the plan does not match; a naive evaluator
//! checks this in tests.
//!
//! Conjunctions of states come first, and games before plies: game sets are intersected, then spans are compared, and
//! intervals are read only where spans overlap and one has gaps. All other conditions are evaluated in the games that
//! are left.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_position::{CompiledRules, Game};
use rayon::prelude::*;

use super::conjunction::Conjunction;
use super::cost::{cost_rank, has_choices, list_time, max_games, replay_time, state_of, work_of};
use super::count::Count;
use super::filter::matching;
use super::interval_set::{after, complement, games_of, intersect};
use super::material_count::{LANES, MaterialCount};
use super::plan::Plan;
use super::position_bitmap::BitmapEvaluator;
use super::replay::Replay;
use super::run_error::QueryRunError;
use super::segment_matches::{Counted, SegmentMatches};
use super::shapes::{Shapes, is_pattern, parts_of};
use super::time_budget::TimeBudget;
use super::union::Union;
use crate::index::exact::Candidate;
use crate::index::postings::Posting;
use crate::index::states::StateSpace;
use crate::segment::{Column, Segment, SegmentError};

/// The games to search.
#[derive(Clone, Copy)]
enum Within<'a> {
    All,
    /// Sorted.
    These(&'a [u32]),
}

/// Alternatives per thread before their results are united.
const PARTS_PER_CORE: usize = 4;
/// The most games searched under a time budget.
const FIRST_GAMES: usize = 1 << 14;
/// Chunks of games per thread that a replay searches between two looks at the time budget.
const REPLAYED_CHUNKS: usize = 4;
/// Posting lists look for candidates first if that takes at most one part in so many of a replay's time.
const CANDIDATES_ONE_IN: usize = 3;
/// A position bitmap pays when more than one game in so many may match.
const COMMON_ONE_IN: usize = 16;

/// Executes a plan, unless `stop` is set meanwhile.
pub fn execute_plan<'a>(
    plan: &Plan,
    segment: &'a Segment,
    rules: &CompiledRules,
    stop: &AtomicBool,
) -> Result<SegmentMatches<'a>, QueryRunError> {
    Executor { segment, rules, stop }.answer(plan)
}

/// Executes a plan under a time budget: completely if it is cheap, else from the first game on until the budget is
/// spent. Returns the matches and the number of games searched.
pub fn execute_within_budget<'a>(
    plan: &Plan,
    segment: &'a Segment,
    rules: &CompiledRules,
    time_budget: &TimeBudget,
    stop: &AtomicBool,
) -> Result<(SegmentMatches<'a>, usize), QueryRunError> {
    let executor = Executor { segment, rules, stop };
    if work_of(plan, segment)? <= time_budget.cheap_work {
        return Ok((executor.answer(plan)?, segment.n_games()));
    }
    if executor.is_replayed(plan, Within::All)? {
        return executor.begin_replay(plan, time_budget);
    }
    let n_games = segment.n_games().min(FIRST_GAMES);
    let first: Vec<u32> = (0..n_games as u32).collect();
    let other = |part: &Plan| executor.eval(part, Within::These(&first));
    let (intervals, n_searched) =
        BitmapEvaluator::default().begin(plan, (segment, n_games), time_budget, stop, &other)?;
    Ok((SegmentMatches::Intervals(intervals), n_searched))
}

struct Executor<'a, 'r> {
    segment: &'a Segment,
    rules: &'r CompiledRules,
    stop: &'r AtomicBool,
}

impl<'a> Executor<'a, '_> {
    /// Evaluates a plan from the first game on until the time budget is spent. Returns the matches and the number of games
    /// searched.
    fn begin_replay(
        &self,
        plan: &Plan,
        time_budget: &TimeBudget,
    ) -> Result<(SegmentMatches<'a>, usize), QueryRunError> {
        let (mut found, mut n_searched) = (Vec::new(), 0);
        let step = time_budget.chunk_games.max(1) * REPLAYED_CHUNKS * rayon::current_num_threads();
        while n_searched < self.segment.n_games() && (n_searched == 0 || !(time_budget.is_spent)()) {
            let end = self.segment.n_games().min(n_searched + step);
            let games: Vec<u32> = (n_searched as u32..end as u32).collect();
            found.extend(self.eval(plan, Within::These(&games))?);
            n_searched = end;
        }
        Ok((SegmentMatches::Intervals(found), n_searched))
    }

    /// Conjunctions and exact positions are counted first and listed on demand.
    fn answer(&self, plan: &Plan) -> Result<SegmentMatches<'a>, QueryRunError> {
        if let Plan::Key(key) = plan {
            return Ok(SegmentMatches::Exact(self.segment.find_key(self.rules, *key)?));
        }
        let parts = match plan {
            Plan::And(parts) => parts.as_slice(),
            other => std::slice::from_ref(other),
        };
        let Some(states) = parts.iter().map(state_of).collect::<Option<Vec<u32>>>() else {
            return Ok(SegmentMatches::Intervals(self.eval(plan, Within::All)?));
        };
        Ok(match self.conjunction(&states)? {
            Some(conjunction) => SegmentMatches::Counted(Counted::new(conjunction)),
            None => SegmentMatches::Intervals(Vec::new()),
        })
    }

    fn eval(&self, plan: &Plan, within: Within) -> Result<Vec<Posting>, QueryRunError> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(QueryRunError::Stopped);
        }
        let shapes = match plan {
            Plan::Or(parts) => self.shapes(parts, within)?,
            _ => None,
        };
        match plan {
            Plan::Nothing => Ok(Vec::new()),
            Plan::Everything => Ok(complement(self.games(within), &[])),
            Plan::State(state) => Ok(self.states(&[*state], within)?),
            // A part that is replayed needs no bitmaps.
            _ if shapes.is_none()
                && self.is_common(plan, within)?
                && !self.has_replayed_part(plan, within)? =>
            {
                Ok(only(within, self.eval_bitmap(plan)?))
            }
            Plan::And(parts) => self.and(parts, within),
            Plan::Or(parts) => self.or(parts, shapes, within),
            Plan::OneOf(states) => {
                let mut union = Union::new(self.segment);
                for state in states {
                    union.add(self.states(&[*state], within)?);
                }
                Ok(union.finish())
            }
            Plan::Not(inner) => Ok(complement(self.games(within), &self.eval(inner, within)?)),
            Plan::Then(first, second) => {
                let first = self.eval(first, within)?;
                let games = games_of(&first);
                Ok(after(&first, &self.eval(second, Within::These(&games))?))
            }
            Plan::Count(..) => self.counts(&[plan], within),
            Plan::Lasting(part, least, most) => {
                let mut intervals = self.eval(part, within)?;
                intervals.retain(|interval| (*least..=*most).contains(&(interval.to - interval.from)));
                Ok(intervals)
            }
            Plan::Game(part) => {
                let games = games_of(&self.eval(part, within)?);
                Ok(complement(self.games(Within::These(&games)), &[]))
            }
            Plan::Ply(..) | Plan::Turn(_) => Ok(self.narrow(plan, complement(self.games(within), &[]))?),
            Plan::Key(key) => Ok(self.key(*key, within)?),
            Plan::Games(filter) => {
                let games = common(within, matching(filter, self.segment)?);
                Ok(complement(self.games(Within::These(&games)), &[]))
            }
        }
    }

    /// Whether enough games may match a plan with alternatives for a position bitmap to pay.
    fn is_common(&self, plan: &Plan, within: Within) -> Result<bool, SegmentError> {
        let enough = self.segment.n_games() / COMMON_ONE_IN;
        let is_wide = match within {
            Within::All => true,
            Within::These(games) => games.len() > enough,
        };
        Ok(is_wide && has_choices(plan) && max_games(plan, self.segment)? > enough)
    }

    fn eval_bitmap(&self, plan: &Plan) -> Result<Vec<Posting>, QueryRunError> {
        BitmapEvaluator::default().answer(plan, self.segment, self.stop, &|part| self.eval(part, Within::All))
    }

    /// Alternatives that are plain conjunctions are faster one by one; the others share bitmaps, or are found by a replay.
    fn or(
        &self,
        parts: &[Plan],
        shapes: Option<Shapes>,
        within: Within,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let mut union = Union::new(self.segment);
        let mut rest = parts;
        let others: Vec<Plan>;
        if let Some(shapes) = shapes
            && let Some(replay) = Replay::new(self.segment, self.rules, &shapes)
        {
            let candidates = self.candidates(parts, &shapes, within)?;
            let found = match candidates.as_deref().map_or(within, Within::These) {
                Within::All => replay.of_all(self.stop)?,
                Within::These(games) => replay.of_games(games, self.stop)?,
            };
            if shapes.n_alternatives() == parts.len() {
                return Ok(found);
            }
            union.add(found);
            others = parts.iter().filter(|part| !self.is_pattern(part)).cloned().collect();
            rest = &others;
        }
        // A few per thread: all results at once may not fit into memory.
        for some in rest.chunks(PARTS_PER_CORE * rayon::current_num_threads()) {
            let found: Vec<_> =
                some.par_iter().map(|part| self.eval(part, within)).collect::<Result<_, _>>()?;
            found.into_iter().for_each(|intervals| union.add(intervals));
        }
        Ok(union.finish())
    }

    /// The shapes of the alternatives that are patterns, if a replay of the moves finds them sooner than posting lists.
    fn shapes(&self, parts: &[Plan], within: Within) -> Result<Option<Shapes>, SegmentError> {
        let patterns: Vec<&Plan> = parts.iter().filter(|part| self.is_pattern(part)).collect();
        let Some(shapes) = Shapes::of(&patterns, StateSpace::piece_types_of(self.rules.rules())) else {
            return Ok(None);
        };
        let n_games = self.n_games(within);
        let is_sooner =
            replay_time(&shapes, self.segment, n_games) < list_time(&patterns, self.segment, n_games)?;
        Ok(Some(shapes).filter(|_| is_sooner))
    }

    /// The games with the pieces of the patterns among some alternatives, marks left out, if posting lists find these in a
    /// fraction of the time of a replay: it then needs to visit no others.
    fn candidates(
        &self,
        parts: &[Plan],
        shapes: &Shapes,
        within: Within,
    ) -> Result<Option<Vec<u32>>, QueryRunError> {
        let of_pieces = |part: &Plan| {
            let states: Vec<Plan> =
                parts_of(part).iter().filter(|cell| state_of(cell).is_some()).cloned().collect();
            (states.len() > 1).then_some(Plan::And(states))
        };
        let patterns = parts.iter().filter(|part| self.is_pattern(part));
        let Some(pieces) = patterns.map(of_pieces).collect::<Option<Vec<Plan>>>() else { return Ok(None) };
        let n_games = self.n_games(within);
        let time = list_time(&pieces.iter().collect::<Vec<_>>(), self.segment, n_games)?;
        if time * CANDIDATES_ONE_IN > replay_time(shapes, self.segment, n_games) {
            return Ok(None);
        }
        Ok(Some(games_of(&self.or(&pieces, None, within)?)))
    }

    fn n_games(&self, within: Within) -> usize {
        match within {
            Within::All => self.segment.n_games(),
            Within::These(games) => games.len(),
        }
    }

    fn is_pattern(&self, plan: &Plan) -> bool {
        is_pattern(plan, StateSpace::piece_types_of(self.rules.rules()))
    }

    /// Whether a replay finds some alternatives of a plan.
    fn is_replayed(&self, plan: &Plan, within: Within) -> Result<bool, SegmentError> {
        match plan {
            Plan::Or(parts) if self.shapes(parts, within)?.is_some() => Ok(true),
            _ => self.has_replayed_part(plan, within),
        }
    }

    fn has_replayed_part(&self, plan: &Plan, within: Within) -> Result<bool, SegmentError> {
        match plan {
            Plan::Or(parts) | Plan::And(parts) => {
                parts.iter().try_fold(false, |sum, part| Ok(sum || self.is_replayed(part, within)?))
            }
            Plan::Not(part) => self.is_replayed(part, within),
            _ => Ok(false),
        }
    }

    /// Games with their numbers of positions.
    fn games<'w>(&'w self, within: Within<'w>) -> Box<dyn Iterator<Item = (u32, u16)> + 'w> {
        let sized = |game: u32| (game, (self.segment.n_plies(game) + 1) as u16);
        match within {
            Within::All => Box::new((0..self.segment.n_games() as u32).map(sized)),
            Within::These(games) => Box::new(games.iter().map(move |game| sized(*game))),
        }
    }

    fn and(&self, parts: &[Plan], within: Within) -> Result<Vec<Posting>, QueryRunError> {
        let mut kept: Option<Vec<u32>> = None;
        for part in parts {
            if let Plan::Games(filter) = part {
                let games = matching(filter, self.segment)?;
                kept = Some(match kept {
                    None => common(within, games),
                    Some(kept) => common(Within::These(&kept), games),
                });
            }
        }
        let within = kept.as_deref().map_or(within, Within::These);
        let states: Vec<u32> = parts.iter().filter_map(state_of).collect();
        let mut rest: Vec<&Plan> =
            parts.iter().filter(|part| !matches!(part, Plan::Games(_) | Plan::State(_))).collect();
        rest.sort_by_key(|part| (cost_rank(part), is_count(part)));
        // Counts are evaluated together: one pass over the material of a game answers all.
        let mut groups =
            rest.chunk_by(|one, next| is_count(one) && is_count(next)).flat_map(|run| run.chunks(LANES));
        let mut intervals = match (states.is_empty(), rest.first()) {
            (false, _) => self.states(&states, within)?,
            // A condition that can only restrict starts from everything.
            (true, None | Some(Plan::Ply(..) | Plan::Turn(_))) => complement(self.games(within), &[]),
            (true, Some(_)) => match groups.next() {
                Some(group) => self.group(group, within)?,
                None => Vec::new(),
            },
        };
        for group in groups {
            if intervals.is_empty() {
                break;
            }
            intervals = match group {
                [part @ (Plan::Ply(..) | Plan::Turn(_))] => self.narrow(part, intervals)?,
                group => {
                    let games = games_of(&intervals);
                    intersect(&intervals, &self.group(group, Within::These(&games))?)
                }
            };
        }
        Ok(intervals)
    }

    /// One part of a conjunction, or several counts.
    fn group(&self, group: &[&Plan], within: Within) -> Result<Vec<Posting>, QueryRunError> {
        match group {
            [part] => self.eval(part, within),
            counts => self.counts(counts, within),
        }
    }

    /// Restricts intervals to plies, or to the plies at which a side is to move.
    fn narrow(&self, plan: &Plan, intervals: Vec<Posting>) -> Result<Vec<Posting>, SegmentError> {
        let mut out = Vec::new();
        match plan {
            Plan::Ply(least, most) => {
                for interval in intervals {
                    let (from, to) = (interval.from.max(*least), interval.to.min(most.saturating_add(1)));
                    if from < to {
                        out.push(Posting { game: interval.game, from, to });
                    }
                }
            }
            Plan::Turn(side) => {
                let n_sides = self.rules.rules().sides().len() as u16;
                let usual = u16::from(Game::start(self.rules).turn().0);
                let mut last: Option<(u32, u16)> = None;
                for interval in intervals {
                    let first = match last.filter(|(game, _)| *game == interval.game) {
                        Some((_, turn)) => turn,
                        None => match self.segment.meta().named(Column::Start, interval.game)? {
                            None => usual,
                            Some(_) => u16::from(self.segment.begin(self.rules, interval.game)?.turn().0),
                        },
                    };
                    last = Some((interval.game, first));
                    let phase = (u16::from(side.0) + n_sides - first) % n_sides;
                    let wait = (phase + n_sides - interval.from % n_sides) % n_sides;
                    let plies = (interval.from + wait..interval.to).step_by(usize::from(n_sides));
                    out.extend(plies.map(|ply| Posting { game: interval.game, from: ply, to: ply + 1 }));
                }
            }
            _ => return Ok(intervals),
        }
        Ok(out)
    }

    fn key(&self, key: u64, within: Within) -> Result<Vec<Posting>, SegmentError> {
        let found = self.segment.find_key(self.rules, key)?;
        let at = |position: u32| {
            let (game, ply) = self.segment.game_and_ply(position);
            Posting { game, from: ply, to: ply + 1 }
        };
        let mut intervals: Vec<Posting> = match found {
            None => Vec::new(),
            Some(Candidate::Once(position)) => vec![at(position)],
            Some(Candidate::Repeated(group)) => group.positions(self.segment.n_results()).map(at).collect(),
        };
        if let Within::These(games) = within {
            intervals.retain(|interval| games.binary_search(&interval.game).is_ok());
        }
        Ok(intervals)
    }

    /// The intervals in which all states hold.
    fn states(&self, states: &[u32], within: Within) -> Result<Vec<Posting>, SegmentError> {
        let within = match within {
            Within::All => None,
            Within::These(games) => Some(games),
        };
        Ok(self.conjunction(states)?.map_or_else(Vec::new, |conjunction| conjunction.list(within)))
    }

    /// The intervals in which several counts, at most [`LANES`], are all within their bounds.
    fn counts(&self, plans: &[&Plan], within: Within) -> Result<Vec<Posting>, QueryRunError> {
        let material = self.segment.material()?;
        let count = material.and_then(|material| MaterialCount::new(material, self.segment, plans));
        if let Some(count) = count {
            return match within {
                Within::All => count.of_all(self.stop),
                Within::These(games) => count.of_games(games, self.stop),
            };
        }
        let mut intervals: Option<Vec<Posting>> = None;
        for plan in plans {
            let Plan::Count(states, least, most) = plan else { continue };
            intervals = Some(match intervals {
                None => self.count(states, *least..=*most, within)?,
                Some(found) => {
                    let games = games_of(&found);
                    intersect(&found, &self.count(states, *least..=*most, Within::These(&games))?)
                }
            });
        }
        Ok(intervals.unwrap_or_default())
    }

    /// The intervals in which the number of states that hold is within bounds.
    fn count(
        &self,
        states: &[u32],
        bounds: RangeInclusive<u16>,
        within: Within,
    ) -> Result<Vec<Posting>, QueryRunError> {
        let mut lists = Vec::with_capacity(states.len());
        for state in states {
            lists.extend(self.segment.list(*state)?);
        }
        let count = Count::new(lists, self.segment, bounds);
        match within {
            Within::All => count.of_all(self.stop),
            Within::These(games) => Ok(only(within, count.near(games, self.stop)?)),
        }
    }

    /// `None` if one of the states never holds.
    fn conjunction(&self, states: &[u32]) -> Result<Option<Conjunction<'a>>, SegmentError> {
        let mut lists = Vec::with_capacity(states.len());
        for state in states {
            match self.segment.list(*state)? {
                Some(list) => lists.push(list),
                None => return Ok(None),
            }
        }
        Ok(Some(Conjunction::new(lists, self.segment.n_games())))
    }
}

fn is_count(plan: &Plan) -> bool {
    matches!(plan, Plan::Count(..))
}

/// Restricts intervals to the searched games.
fn only(within: Within, mut intervals: Vec<Posting>) -> Vec<Posting> {
    if let Within::These(these) = within {
        let mut rest = these.iter().peekable();
        intervals.retain(|interval| {
            while rest.next_if(|other| **other < interval.game).is_some() {}
            rest.peek() == Some(&&interval.game)
        });
    }
    intervals
}

/// Restricts sorted games to the searched games.
fn common(within: Within, mut games: Vec<u32>) -> Vec<u32> {
    if let Within::These(these) = within {
        let mut rest = these.iter().peekable();
        games.retain(|game| {
            while rest.next_if(|other| *other < game).is_some() {}
            rest.peek() == Some(&game)
        });
    }
    games
}
