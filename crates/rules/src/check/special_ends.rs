//! Ends that only some games have, as a game file says them: goals, extinction, counted checks, points.
//!
//! In: tables inside `[ends]`. Out: checked parts. Never: how royal pieces are lost.

use ashta_messages::message;

use super::Context;
use crate::ends::{
    CountedKinds, DecidedByPoints, Ends, Extinction, GoalReply, GoalSafety, Points, RegionGoal, Verdict,
};
use crate::fields::Fields;
use crate::node::Value;
use crate::problem::Place;
use crate::region::SquareSet;
use crate::rule_parts::{Facing, Kind, KindId, Pass, Region};

/// Each check that is still to be given is a right of the position, and there are 32 rights.
pub const MAX_CHECKS: u32 = 10;

/// Most points of one kind, which keeps their sum far from the limits of a number.
const MAX_POINTS: f64 = 1000.0;

// What to write when something else than a table stands there.
pub const EXTINCTION: &str = r#"extinction = { verdict = "loss" }"#;
pub const POINTS: &str = r#"points = { pieces = { rook = 13, knight = 5 }, decides = ["passes"] }"#;

const DECIDES: [(&str, DecidedByPoints); 5] = [
    ("passes", DecidedByPoints::Passes),
    ("facing", DecidedByPoints::Facing),
    ("plies", DecidedByPoints::Plies),
    ("quiet", DecidedByPoints::Quiet),
    ("repetition", DecidedByPoints::Repetition),
];

pub fn read_goal(fields: &Fields, context: &Context, kinds: &[Kind]) -> RegionGoal {
    let goal = RegionGoal {
        pieces: match fields.texts("pieces") {
            Some(texts) => context.kinds(&texts),
            None => kinds_that(kinds, |kind| kind.royal),
        },
        squares: read_goal_squares(fields, context),
        verdict: fields.choice("verdict", &[("win", Verdict::Win), ("draw", Verdict::Draw)]),
        reply: fields.choice(
            "reply",
            &[
                ("none", GoalReply::None),
                ("equal-turns", GoalReply::EqualTurns),
                ("one-move", GoalReply::OneMove),
            ],
        ),
        safety: fields.choice("safe", &[("any", GoalSafety::Any), ("unattacked", GoalSafety::Unattacked)]),
    };
    if goal.pieces.is_empty() {
        context.report(
            fields.place(),
            message!("rules.goal-pieces"),
            Some(message!("rules.goal-pieces.hint")),
        );
    }
    fields.finish();
    goal
}

/// `region` is turned for the second side, `squares` are the same for both.
fn read_goal_squares(fields: &Fields, context: &Context) -> Region {
    match (fields.text("region"), fields.text("squares")) {
        (Some(region), None) => context.region(region),
        (None, Some(squares)) => {
            let set = context.region(squares).first().copied().unwrap_or(SquareSet::EMPTY);
            vec![set; context.quarters.len()]
        }
        (Some(_), Some(_)) | (None, None) => {
            context.report(fields.place(), message!("rules.goal-squares"), None);
            vec![SquareSet::EMPTY; context.quarters.len()]
        }
    }
}

pub fn read_extinction(fields: &Fields, context: &Context, kinds: &[Kind]) -> Extinction {
    let extinction = Extinction {
        verdict: fields
            .choice("verdict", &[("loss", Verdict::Loss), ("win", Verdict::Win), ("draw", Verdict::Draw)]),
        of: match fields.texts("of") {
            Some(texts) => context.kinds(&texts),
            None => kinds_that(kinds, |_| true),
        },
        below: fields.number("below", 1..=256).unwrap_or(1),
        counted: fields
            .choice("counted", &[("together", CountedKinds::Together), ("each", CountedKinds::Each)]),
    };
    fields.finish();
    extinction
}

pub fn read_points(fields: &Fields, context: &Context, kinds: &[Kind]) -> Points {
    let mut half_points = vec![0; kinds.len()];
    for entry in fields.table("pieces", POINTS).iter().flat_map(Fields::all) {
        let kind = context.kind((&entry.key, &entry.key_place));
        if let (Some(n), Some(slot)) =
            (half_points_of(&entry.node.value, &entry.node.place, context), half_points.get_mut(kind.index()))
        {
            *slot = n;
        }
    }
    let extra = |key| {
        let node = fields.node(key);
        node.and_then(|node| half_points_of(&node.value, &node.place, context)).unwrap_or(0)
    };
    let extra_half_points = vec![extra("first-extra"), extra("second-extra")];
    let decides = fields.texts("decides").unwrap_or_default();
    let decides = decides.into_iter().filter_map(|text| read_decided(text, context)).collect();
    fields.finish();
    Points { half_points, extra_half_points, decides }
}

fn read_decided((text, place): (&str, &Place), context: &Context) -> Option<DecidedByPoints> {
    let found = DECIDES.iter().find(|(word, _)| *word == text).map(|(_, end)| *end);
    if found.is_none() {
        let hint = message!("rules.choices", names = DECIDES.map(|(word, _)| word).to_vec());
        context.report(place, message!("rules.wrong-choice", key = "decides", text), Some(hint));
    }
    found
}

/// Points are whole or half.
fn half_points_of(value: &Value, place: &Place, context: &Context) -> Option<u32> {
    match value {
        Value::Number(n) if (0.0..=MAX_POINTS).contains(n) && (n * 2.0).fract() == 0.0 => {
            Some((n * 2.0) as u32)
        }
        _ => {
            context.report(place, message!("rules.points"), None);
            None
        }
    }
}

fn kinds_that(kinds: &[Kind], condition: impl Fn(&Kind) -> bool) -> Vec<KindId> {
    let numbered = kinds.iter().zip(0..);
    numbered.filter(|(kind, _)| condition(kind)).map(|(_, n)| KindId(n)).collect()
}

/// Reports ends that cannot happen by the other rules.
pub fn check(ends: &Ends, pass: Pass, facing: Facing, place: &Place, context: &Context) {
    let decides = |end| ends.points.as_ref().is_some_and(|points| points.decides.contains(&end));
    if ends.passes.is_some() && pass != Pass::Allowed {
        context.report(place, message!("rules.passes"), Some(message!("rules.passes.hint")));
    }
    for (end, can_happen, key) in [
        (DecidedByPoints::Passes, ends.passes.is_some(), "passes"),
        (DecidedByPoints::Facing, facing == Facing::Draws, "facing"),
        (DecidedByPoints::Plies, ends.ply_cap.is_some(), "plies"),
        (
            DecidedByPoints::Quiet,
            ends.quiet.as_ref().is_some_and(|end| end.verdict == Verdict::Draw),
            "quiet",
        ),
        (
            DecidedByPoints::Repetition,
            ends.repetition.is_some_and(|end| end.verdict == Verdict::Draw),
            "repetition",
        ),
    ] {
        if decides(end) && !can_happen {
            context.report(place, message!("rules.points-decide", key), None);
        }
    }
    if ends.points.as_ref().is_some_and(|points| points.decides.is_empty()) {
        context.report(place, message!("rules.points-decide-nothing"), None);
    }
}
