//! How games of two sides end, as messages.
//!
//! In: rules. Out: a sentence for each end. Never: ends of contests, which `contest.rs` tells.

use ashta_messages::{Message, message};

use super::sentences::{any_of, notes, zone};
use super::{joined, royal};
use crate::ends::{
    Attacker, Bare, BareAgainst, BareReply, BareWait, Checker, DeadPieces, Impasse, Material, Quiet,
    Repetition, RoyalLoss, SideMaterial, Verdict,
};
use crate::rule_parts::Kind;
use crate::rules::Rules;

/// How games of two sides end.
pub fn ends(rules: &Rules) -> Vec<Message> {
    let ends = rules.ends();
    let n_royal_kinds = rules.kinds().iter().filter(|kind| kind.royal).count();
    let mut sentences = vec![
        match ends.royal_loss {
            RoyalLoss::Checkmate => message!("prose.checkmate"),
            RoyalLoss::Capture if n_royal_kinds > 1 => message!("prose.capture-last-royal"),
            RoyalLoss::Capture => message!("prose.capture-royal", royal = royal(rules)),
        },
        message!("prose.stalemate", verdict = verdict(ends.stalemate)),
    ];
    sentences.extend(ends.bare.as_ref().map(|end| bare(end, rules)));
    sentences.extend(ends.repetition.map(repetition));
    sentences.extend(ends.quiet.as_ref().map(|end| quiet(end, rules)));
    sentences.extend(ends.impasse.as_ref().map(|end| impasse(end, rules)));
    sentences.extend(ends.ply_cap.map(|n| message!("prose.ply-cap", n)));
    if !ends.insufficient.is_empty() {
        let materials: Vec<Message> = ends.insufficient.iter().map(|end| material(end, rules)).collect();
        sentences.push(message!("prose.insufficient", materials));
    }
    sentences
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

fn repetition(end: Repetition) -> Message {
    let ordinal = match end.fold {
        2 => "second".to_string(),
        3 => "third".to_string(),
        4 => "fourth".to_string(),
        n => format!("{n}th"),
    };
    let fold = Message::name(ordinal, end.fold.to_string());
    let repetition = match end.verdict {
        Verdict::Draw => message!("prose.repetition-draw", fold),
        Verdict::Win | Verdict::Loss => message!("prose.repetition", fold, verdict = verdict(end.verdict)),
    };
    let repetition = match end.checker {
        Checker::Ignored => repetition,
        Checker::Loses => message!("prose.repetition-checks", repetition),
    };
    let repetition = match end.attacker {
        Attacker::Ignored => repetition,
        Attacker::Loses => message!("prose.repetition-attacks", repetition),
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
