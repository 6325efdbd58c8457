//! Cost estimates of plans.
//!
//! In: a plan, a segment. Out: upper bounds of games and intervals, and an order of evaluation. Never: a posting.

use super::plan::Plan;
use super::shapes::{Shapes, parts_of};
use crate::segment::{Segment, SegmentError};

/// An estimate of the intervals to be read in a segment.
pub fn work_of(plan: &Plan, segment: &Segment) -> Result<usize, SegmentError> {
    let n_pairs = |state: &u32| Ok(segment.list(*state)?.map_or(0, |list| list.n_pairs()));
    let sum = |parts: &[Plan]| parts.iter().try_fold(0, |sum, part| Ok(sum + work_of(part, segment)?));
    match plan {
        Plan::Everything | Plan::Nothing | Plan::Key(_) | Plan::Games(_) => Ok(0),
        Plan::Ply(..) => Ok(segment.n_games()),
        Plan::Turn(_) => Ok(segment.n_positions() / 4),
        Plan::State(state) => n_pairs(state),
        Plan::OneOf(states) | Plan::Count(states, ..) => {
            states.iter().try_fold(0, |sum, state| Ok(sum + n_pairs(state)?))
        }
        // The rarest state leaves few games to look up in the other lists.
        Plan::And(parts) if parts.iter().all(|part| state_of(part).is_some()) => {
            Ok(parts.len() * max_games(plan, segment)?)
        }
        Plan::And(parts) | Plan::Or(parts) => sum(parts),
        Plan::Not(part) | Plan::Lasting(part, ..) | Plan::Game(part) => work_of(part, segment),
        Plan::Then(first, second) => Ok(work_of(first, segment)? + work_of(second, segment)?),
    }
}

/// Estimated nanoseconds to find alternatives in so many games by posting lists: measured per look-up of a game in a list.
pub fn list_time(alternatives: &[&Plan], segment: &Segment, n_games: usize) -> Result<usize, SegmentError> {
    let (mut n_lookups, mut has_any_choices) = (0, false);
    for alternative in alternatives {
        n_lookups += parts_of(alternative).len() * max_games(alternative, segment)?.min(n_games);
        has_any_choices |= has_choices(alternative);
    }
    Ok(n_lookups * if has_any_choices { 40 } else { 4 })
}

/// Estimated nanoseconds to find shapes in so many games by a replay.
pub fn replay_time(shapes: &Shapes, segment: &Segment, n_games: usize) -> usize {
    let n_positions = segment.n_positions() / segment.n_games().max(1) * n_games;
    n_positions * (120 + 25 * shapes.sets.len() + 13 * shapes.n_cells()) / 100
}

/// An upper bound of the games of a segment with positions of a plan.
pub fn max_games(plan: &Plan, segment: &Segment) -> Result<usize, SegmentError> {
    let n_pairs = |state: u32| Ok(segment.list(state)?.map_or(0, |list| list.n_pairs()));
    let most = |part: &Plan| max_games(part, segment);
    match plan {
        Plan::State(state) => n_pairs(*state),
        Plan::OneOf(states) => states.iter().try_fold(0, |sum, state| Ok(sum + n_pairs(*state)?)),
        Plan::And(parts) => {
            parts.iter().try_fold(segment.n_games(), |least, part| Ok(least.min(most(part)?)))
        }
        Plan::Or(parts) => parts.iter().try_fold(0, |sum, part| Ok(sum + most(part)?)),
        Plan::Lasting(part, ..) | Plan::Game(part) => most(part),
        Plan::Nothing | Plan::Key(_) => Ok(0),
        Plan::Everything
        | Plan::Not(_)
        | Plan::Then(..)
        | Plan::Count(..)
        | Plan::Turn(_)
        | Plan::Ply(..)
        | Plan::Games(_) => Ok(segment.n_games()),
    }
}

/// Whether a plan consists of states alone and has alternatives or negations.
pub fn has_choices(plan: &Plan) -> bool {
    match plan {
        Plan::OneOf(_) => true,
        Plan::Not(part) => is_of_states(part),
        Plan::And(parts) => parts.iter().any(has_choices) && parts.iter().all(is_of_states),
        Plan::Or(parts) => parts.iter().any(has_choices) && parts.iter().all(is_of_states),
        Plan::Everything
        | Plan::Nothing
        | Plan::Then(..)
        | Plan::State(_)
        | Plan::Count(..)
        | Plan::Lasting(..)
        | Plan::Game(_)
        | Plan::Turn(_)
        | Plan::Ply(..)
        | Plan::Key(_)
        | Plan::Games(_) => false,
    }
}

fn is_of_states(plan: &Plan) -> bool {
    match plan {
        Plan::State(_) | Plan::OneOf(_) => true,
        Plan::And(parts) | Plan::Or(parts) => parts.iter().all(is_of_states),
        Plan::Not(part) => is_of_states(part),
        Plan::Everything
        | Plan::Nothing
        | Plan::Then(..)
        | Plan::Count(..)
        | Plan::Lasting(..)
        | Plan::Game(_)
        | Plan::Turn(_)
        | Plan::Ply(..)
        | Plan::Key(_)
        | Plan::Games(_) => false,
    }
}

pub fn state_of(plan: &Plan) -> Option<u32> {
    match plan {
        Plan::State(state) => Some(*state),
        _ => None,
    }
}

/// The order of evaluation: conditions that leave few games first.
pub fn cost_rank(plan: &Plan) -> u8 {
    match plan {
        Plan::Nothing | Plan::Key(_) => 0,
        Plan::State(_) | Plan::Games(_) | Plan::And(_) => 1,
        Plan::Or(_) | Plan::OneOf(_) => 2,
        Plan::Then(..) | Plan::Lasting(..) | Plan::Game(_) => 3,
        Plan::Not(_) | Plan::Count(..) => 4,
        Plan::Ply(..) | Plan::Turn(_) | Plan::Everything => 5,
    }
}
