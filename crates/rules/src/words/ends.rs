//! How games of two sides end, as messages.
//!
//! In: rules. Out: a sentence for each end. Never: ends of contests, which `contest.rs` tells.

use ashta_messages::{Message, message};

use super::sentences::{any_of, notes, zone};
use super::{counting, joined, listed, royal};
use crate::ends::{
    Attacker, Bare, BareAgainst, BareReply, BareWait, Chaser, Checker, CountedKinds, DeadPieces,
    DecidedByPoints, Extinction, GoalReply, GoalSafety, Impasse, JudgedSide, Material, Points, Quiet,
    RegionGoal, Repetition, RoyalLoss, SideMaterial, Verdict,
};
use crate::grid::Side;
use crate::rule_parts::{GivingCheck, Kind, KindId};
use crate::rules::Rules;

/// How games of two sides end.
pub fn ends(rules: &Rules) -> Vec<Message> {
    let ends = rules.ends();
    let n_royal_kinds = rules.kinds().iter().filter(|kind| kind.royal).count();
    let mut sentences = match (ends.royal_loss, n_royal_kinds) {
        (_, 0) => Vec::new(),
        _ if rules.giving_check() == GivingCheck::Forbidden => Vec::new(),
        (RoyalLoss::Checkmate, _) => vec![message!("prose.checkmate")],
        (RoyalLoss::Capture, 1) => vec![message!("prose.capture-royal", royal = royal(rules))],
        (RoyalLoss::Capture, _) => vec![message!("prose.capture-last-royal")],
    };
    sentences.extend(ends.goal.as_ref().map(|end| goal(end, rules)));
    sentences.extend(ends.extinction.as_ref().map(|end| extinction(end, rules)));
    sentences.extend(ends.checks.map(checks));
    sentences.push(message!("prose.stalemate", verdict = verdict(ends.stalemate)));
    sentences.extend(ends.bare.as_ref().map(|end| bare(end, rules)));
    sentences.extend(ends.repetition.map(|end| repetition(end, rules)));
    sentences.extend(ends.quiet.as_ref().map(|end| quiet(end, rules)));
    sentences.extend(ends.counting.iter().flat_map(|end| counting::counting(end, rules)));
    sentences.extend(ends.impasse.as_ref().map(|end| impasse(end, rules)));
    sentences.extend(ends.passes.map(|n| message!("prose.passes", n)));
    sentences.extend(ends.ply_cap.map(|n| message!("prose.ply-cap", n)));
    sentences.extend(ends.points.as_ref().map(|end| points(end, rules)));
    if !ends.insufficient.is_empty() {
        let materials: Vec<Message> = ends.insufficient.iter().map(|end| material(end, rules)).collect();
        sentences.push(message!("prose.insufficient", materials));
    }
    sentences
}

fn goal(end: &RegionGoal, rules: &Rules) -> Message {
    let pieces = any_of(&end.pieces, rules);
    let zone = zone(&end.squares, rules);
    let goal = match end.verdict {
        Verdict::Win => message!("prose.goal-wins", pieces, zone),
        Verdict::Draw => message!("prose.goal-draws", pieces, zone),
        Verdict::Loss => message!("prose.goal-loses", pieces, zone),
    };
    let mut said = vec![match end.safety {
        GoalSafety::Any => goal,
        GoalSafety::Unattacked => message!("prose.goal-unattacked", goal),
    }];
    match end.reply {
        GoalReply::None => {}
        GoalReply::EqualTurns => {
            said.push(message!("prose.goal-equal-turns", side = rules.side_message(Side::SECOND)));
        }
        GoalReply::OneMove => said.push(message!("prose.goal-one-move")),
    }
    notes(said)
}

fn extinction(end: &Extinction, rules: &Rules) -> Message {
    let verdict = verdict(end.verdict);
    let is_all = end.of.len() == rules.kinds().len();
    if end.counted == CountedKinds::Each && end.of.len() > 1 {
        let names = any_of(&end.of, rules);
        return match end.below {
            1 => message!("prose.extinct-each", names, verdict),
            n => message!("prose.extinct-each-below", n, names, verdict),
        };
    }
    match (is_all, end.below) {
        (true, 1) => message!("prose.extinct-all", verdict),
        (true, n) => message!("prose.extinct-all-below", n, verdict),
        (false, 1) => message!("prose.extinct", names = any_of(&end.of, rules), verdict),
        (false, n) => message!("prose.extinct-below", n, names = any_of(&end.of, rules), verdict),
    }
}

fn checks(n: u8) -> Message {
    match n {
        1 => message!("prose.first-check"),
        n => message!("prose.checks", n),
    }
}

fn points(end: &Points, rules: &Rules) -> Message {
    let decides = end.decides.iter().map(|end| match end {
        DecidedByPoints::Passes => message!("prose.points-passes"),
        DecidedByPoints::Facing => message!("prose.points-facing"),
        DecidedByPoints::Plies => message!("prose.points-plies"),
        DecidedByPoints::Quiet => message!("prose.points-quiet"),
        DecidedByPoints::Repetition => message!("prose.points-repetition"),
    });
    let decides = listed(decides.collect(), |first, second| message!("prose.or", first, second));
    let counted = rules.kinds().iter().zip(&end.half_points).filter(|(_, n)| **n > 0);
    let pieces = counted.map(|(kind, n)| message!("prose.points-of", n = written_points(*n), name = kind));
    let extra = rules.side_ids().zip(&end.extra_half_points).filter(|(_, n)| **n > 0);
    let extra = extra.map(|(side, n)| {
        message!("prose.points-extra", n = written_points(*n), side = rules.side_message(side))
    });
    message!("prose.points", decides, points = pieces.chain(extra).collect::<Vec<_>>())
}

/// `1.5`.
fn written_points(half_points: u32) -> String {
    (f64::from(half_points) / 2.0).to_string()
}

fn verdict(verdict: Verdict) -> Message {
    match verdict {
        Verdict::Win => message!("prose.wins"),
        Verdict::Loss => message!("prose.loses"),
        Verdict::Draw => message!("prose.draws"),
    }
}

fn bare(end: &Bare, rules: &Rules) -> Message {
    let bare = message!("prose.bare", royal = royal(rules), verdict = verdict(end.verdict));
    let mut said = vec![match end.reply {
        BareReply::None => bare,
        BareReply::BareBack => message!("prose.bare-back", bare),
    }];
    match end.against {
        BareAgainst::Some => {}
        BareAgainst::One => said.push(message!("prose.bare-against-one")),
    }
    if !end.uncounted.is_empty() {
        said.push(message!("prose.bare-uncounted", names = any_of(&end.uncounted, rules)));
    }
    match end.dead {
        DeadPieces::Counted => {}
        DeadPieces::Uncounted => said.push(message!("prose.bare-dead")),
    }
    said.extend(end.waits.iter().map(|wait| match wait {
        BareWait::Check => message!("prose.bare-waits-check"),
        BareWait::Retake => message!("prose.bare-waits-retake"),
    }));
    notes(said)
}

fn repetition(end: Repetition, rules: &Rules) -> Message {
    let ordinal = match end.fold {
        2 => "second".to_string(),
        3 => "third".to_string(),
        4 => "fourth".to_string(),
        n => format!("{n}th"),
    };
    let fold = Message::name(ordinal, end.fold.to_string());
    let repetition = match (end.verdict, end.judged) {
        (Verdict::Draw, _) => message!("prose.repetition-draw", fold),
        (Verdict::Win | Verdict::Loss, JudgedSide::ToMove) => {
            message!("prose.repetition", fold, verdict = verdict(end.verdict))
        }
        (Verdict::Win | Verdict::Loss, JudgedSide::First) => {
            let side = rules.side_message(Side::FIRST);
            message!("prose.repetition-first", fold, side, verdict = verdict(end.verdict))
        }
    };
    let repetition = match end.checker {
        Checker::Ignored => repetition,
        Checker::Loses => message!("prose.repetition-checks", repetition),
    };
    let repetition = match end.attacker {
        Attacker::Ignored => repetition,
        Attacker::Loses => message!("prose.repetition-attacks", repetition),
    };
    let repetition = match end.chaser {
        Chaser::Ignored => repetition,
        Chaser::Loses { by, of } => {
            let kinds = |set: u64| -> Vec<KindId> {
                rules.kind_ids().filter(|kind| set >> kind.0 & 1 == 1).collect()
            };
            let (by, of) = (any_of(&kinds(by), rules), any_of(&kinds(of), rules));
            message!("prose.repetition-chases", repetition, by, of)
        }
    };
    match end.plies {
        0 => repetition,
        n => message!("prose.repetition-plies", repetition, n),
    }
}

fn quiet(end: &Quiet, rules: &Rules) -> Message {
    let progress = match end.progress.is_empty() {
        true => message!("prose.no-capture"),
        false => message!("prose.no-progress", names = any_of(&end.progress, rules)),
    };
    match end.verdict {
        Verdict::Draw => message!("prose.quiet-draw", n = end.plies, progress),
        Verdict::Win => message!("prose.quiet-win", n = end.plies, progress),
        Verdict::Loss => message!("prose.quiet-loss", n = end.plies, progress),
    }
}

fn impasse(end: &Impasse, rules: &Rules) -> Message {
    let needed = rules.side_ids().zip(&end.points);
    let points: Vec<Message> = needed
        .map(|(side, n)| message!("prose.impasse-points", n, side = rules.side_message(side)))
        .collect();
    message!("prose.impasse", royal = royal(rules), zone = zone(&end.zone, rules), n = end.n_pieces, points)
}

fn material(end: &Material, rules: &Rules) -> Message {
    let of_side = |side: &SideMaterial| {
        let mut kinds: Vec<&Kind> = side.kinds.iter().map(|kind| rules.kind(*kind)).collect();
        kinds.sort_by_key(|kind| !kind.royal);
        let counted = kinds.into_iter().map(Kind::message);
        let any =
            side.any_number_of.iter().map(|kind| message!("prose.any-number", name = rules.kind(*kind)));
        joined(counted.chain(any).collect(), |first, second| message!("prose.with", first, second))
    };
    let [one, other] = &end.sides;
    let material = message!("prose.material", first = of_side(one), second = of_side(other));
    if end.one_colour { message!("prose.one-colour", material) } else { material }
}
