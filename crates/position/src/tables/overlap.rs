//! Movements of one kind that say the same twice, such as the steps of a king beside the lines of a rook.
//!
//! In: the parts of a kind. Out: parts of which no two give one move, as far as can be told without a board. Never:
//! another set of moves.

use ashta_rules::{Part, Path, Target};

/// Leaves out steps that another part makes anyway; where that one only moves or only captures, the rest stays.
pub fn without_overlaps(parts: &[Part]) -> Vec<Part> {
    let mut apart: Vec<Part> = Vec::new();
    for (n, part) in parts.iter().enumerate() {
        let first = apart.len();
        for step in &part.movement.steps {
            let others = parts.iter().enumerate().filter(|(m, other)| {
                // Of two that say the same the first stays.
                let is_better = *m < n || (*m > n && !covers(part, other));
                is_better && other.movement.steps.contains(step) && covers(other, part)
            });
            let left = others.fold(Some(part.movement.target), |left, (_, other)| {
                left.and_then(|left| without(left, other.movement.target))
            });
            let Some(target) = left else { continue };
            match apart[first..].iter_mut().find(|p| p.movement.target == target) {
                Some(same) => same.movement.steps.push(*step),
                None => {
                    let mut rest = part.clone();
                    rest.movement.target = target;
                    rest.movement.steps = vec![*step];
                    apart.push(rest);
                }
            }
        }
    }
    apart
}

/// Whether every square that `part` reaches by some step `other` reaches by the same step, whatever stands where.
fn covers(other: &Part, part: &Part) -> bool {
    let goes_as_far = match (&other.movement.path, &part.movement.path) {
        (Path::Leap, Path::Leap | Path::Lame) | (Path::Ride { .. }, Path::Leap) => true,
        (Path::Ride { limit }, Path::Ride { limit: shorter }) => limit >= shorter,
        (a, b) => a == b,
    };
    let spares_less = |of: fn(&Part) -> &Vec<_>| of(other).iter().all(|kind| of(part).contains(kind));
    goes_as_far
        && (!other.movement.first_move_only || part.movement.first_move_only)
        && (other.from.is_none() || other.from == part.from)
        && (other.within.is_none() || other.within == part.within)
        && spares_less(|p| &p.not_onto)
        && spares_less(|p| &p.not_over)
}

/// What is left of a target when another movement serves `taken`.
fn without(target: Target, taken: Target) -> Option<Target> {
    match (target, taken) {
        (_, Target::Any) | (Target::Empty, Target::Empty) | (Target::Capture, Target::Capture) => None,
        (Target::Any | Target::Capture, Target::Empty) => Some(Target::Capture),
        (Target::Any | Target::Empty, Target::Capture) => Some(Target::Empty),
    }
}
