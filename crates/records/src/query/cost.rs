//! What a plan costs, before it is answered.
//!
//! In: a plan, a segment. Out: numbers of games and intervals, and what is looked at first. Never: a posting.

use super::plan::Plan;
use crate::segment::{Segment, SegmentError};

/// How much there is to look at in a segment, in intervals.
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
        // The rarest state leaves little to look at in the lists of the others.
        Plan::And(parts) if parts.iter().all(|part| state_of(part).is_some()) => {
            Ok(parts.len() * max_games(plan, segment)?)
        }
        Plan::And(parts) | Plan::Or(parts) => sum(parts),
        Plan::Not(part) | Plan::Lasting(part, ..) | Plan::Game(part) => work_of(part, segment),
        Plan::Then(first, second) => Ok(work_of(first, segment)? + work_of(second, segment)?),
    }
}

/// At most how many games of a segment have positions of a plan.
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

/// Whether a plan asks for more than states that hold together, and for nothing but states.
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

/// Whether a plan asks for nothing but states.
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

/// The state that a plan is, if it is one.
pub fn state_of(plan: &Plan) -> Option<u32> {
    match plan {
        Plan::State(state) => Some(*state),
        _ => None,
    }
}

/// What is looked at first: what leaves few games.
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
