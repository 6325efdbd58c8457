//! The rules of a game as messages, part by part.

use ashta_messages::{Message, message};

use super::contest::company;
use super::region::{holes, region, square};
use super::{joined, listed, royal};
use crate::betza::{Path, Target};
use crate::ends::RoyalLoss;
use crate::grid::{Square, Wraps};
use crate::node::ChangeName;
use crate::region::SquareSet;
use crate::rule_parts::{
    CaptureDuty, Castling, CastlingStarts, Choice, DropFace, DropMate, DropRule, Facing, GivingCheck, Hand,
    InCheck, Kind, KindId, Part, Pass, PromotesOn, Promotion, RoyalInCheck, StuckDrop, Supply, Targets,
};
use crate::rules::Rules;

/// What holds for the first side; regions of the others are its turned by half or a quarter.
const SEEN_BY: usize = 0;

pub fn zone(sets: &[SquareSet], rules: &Rules) -> Message {
    region(&sets[SEEN_BY], rules.grid())
}

/// `queen, rook or knight`.
pub fn any_of<'a>(kinds: impl IntoIterator<Item = &'a KindId>, rules: &Rules) -> Message {
    let names = kinds.into_iter().map(|kind| rules.kind(*kind).message()).collect();
    listed(names, |first, second| message!("prose.or", first, second))
}

pub fn notes(notes: Vec<Message>) -> Message {
    joined(notes, |first, second| message!("prose.notes", first, second))
}

/// Where the rules come from, and which source has a change.
pub fn sources(rules: &Rules) -> Vec<Message> {
    let named = rules.sources().iter().map(|text| Message::name(text, text.clone()));
    let witness = |change: &ChangeName| {
        let witness = change.witness.as_ref()?;
        Some(message!("prose.witness", change = change.name, witness))
    };
    named.chain(rules.changes().iter().filter_map(witness)).collect()
}

/// What makes the board no plain rectangle.
pub fn board(rules: &Rules) -> Vec<Message> {
    let grid = rules.grid();
    let ring = match grid.wraps() {
        Wraps::No => None,
        Wraps::Files => {
            let [first, last] = [0, grid.files() - 1].map(|file| grid.file_name(file));
            Some(message!("prose.ring", first, last))
        }
    };
    let has_holes = !grid.holes().is_empty();
    ring.into_iter().chain(has_holes.then(|| message!("prose.holes", region = holes(grid)))).collect()
}

/// What a diagram of moves does not show.
pub fn pieces(rules: &Rules) -> Vec<Message> {
    rules.kinds().iter().filter_map(|kind| piece(kind, rules)).collect()
}

fn piece(kind: &Kind, rules: &Rules) -> Option<Message> {
    let mut said = Vec::new();
    if kind.royal {
        said.push(message!("prose.royal"));
    }
    if kind.moves.iter().any(|part| part.movement.en_passant) {
        said.push(message!("prose.en-passant"));
    }
    // A double step that is stopped by a piece on the way is what everyone expects.
    let lame = |part: &&Part| part.movement.path == Path::Lame && !part.movement.first_move_only;
    if kind.moves.iter().any(|part| lame(&part)) {
        said.push(message!("prose.lame"));
    }
    if kind.moves.iter().any(|part| matches!(part.movement.path, Path::Bent { least: 0, .. })) {
        said.push(message!("prose.bent"));
    }
    said.extend(shortest(kind));
    for part in &kind.moves {
        if let Path::TwoLegs { turns } = &part.movement.path {
            said.push(match turns.as_slice() {
                [0, 4] => message!("prose.two-legs-line"),
                _ => message!("prose.two-legs"),
            });
        }
    }
    if kind.moves.iter().any(|part| part.movement.path == Path::OutAndBack) {
        said.push(message!("prose.out-and-back"));
    }
    said.extend(hop(kind));
    if !kind.first_move_lost_to.is_empty() {
        let names = any_of(&kind.first_move_lost_to, rules);
        said.push(message!("prose.first-move-lost", names));
    }
    for note in kind.moves.iter().flat_map(|part| limits(part, kind, rules)) {
        if !said.contains(&note) {
            said.push(note);
        }
    }
    (!said.is_empty()).then(|| message!("prose.of", name = kind, notes = notes(said)))
}

/// How far rides go at least, of the movements that stop nowhere near.
fn shortest(kind: &Kind) -> Vec<Message> {
    let mut said = Vec::new();
    for part in &kind.moves {
        let note = match &part.movement.path {
            Path::Ride { least: 0..=1, .. } | Path::Bent { least: 0, .. } => continue,
            Path::Ride { least, .. } => message!("prose.at-least", n = *least),
            Path::Bent { least, .. } => message!("prose.bent-at-least", n = *least),
            Path::Leap | Path::Lame | Path::Hop { .. } | Path::TwoLegs { .. } | Path::OutAndBack => continue,
        };
        if !said.contains(&note) {
            said.push(note);
        }
    }
    said
}

fn hop(kind: &Kind) -> Option<Message> {
    let mut hops = kind
        .moves
        .iter()
        .filter(|part| matches!(part.movement.path, Path::Hop { .. }))
        .map(|part| part.movement.target)
        .peekable();
    hops.peek()?;
    Some(match hops.all(|target| target == Target::Capture) {
        true => message!("prose.hop-captures"),
        false => message!("prose.hop"),
    })
}

/// The limits put on one movement, said of all movements when they share them.
fn limits(part: &Part, kind: &Kind, rules: &Rules) -> Vec<Message> {
    let mut said = Vec::new();
    match (&part.from, &part.within) {
        (Some(from), Some(within)) if from == within => {
            said.push(message!("prose.along", region = zone(within, rules)));
        }
        (from, within) => {
            said.extend(from.as_ref().map(|from| message!("prose.from", region = zone(from, rules))));
            said.extend(within.as_ref().map(|within| message!("prose.within", region = zone(within, rules))));
        }
    }
    let all_share = kind.moves.iter().all(|other| (&other.from, &other.within) == (&part.from, &part.within));
    if !all_share {
        said = said.into_iter().map(|limit| message!("prose.some-moves", limit)).collect();
    }
    match part.in_check {
        InCheck::Allowed => {}
        InCheck::Forbidden => {
            said.push(message!("prose.some-moves", limit = message!("prose.not-in-check")));
        }
    }
    if !part.not_over.is_empty() {
        said.push(message!("prose.not-over", names = any_of(&part.not_over, rules)));
    }
    if !part.not_onto.is_empty() {
        said.push(message!("prose.not-onto", names = any_of(&part.not_onto, rules)));
    }
    said
}

/// Kinds that promote under the same conditions share a sentence.
pub fn promotions(rules: &Rules) -> Vec<Message> {
    let mut groups: Vec<(&Promotion, Vec<Message>)> = Vec::new();
    for kind in rules.kinds() {
        let Some(promotion) = &kind.promotion else { continue };
        let said = message!("prose.promotes-to", name = kind, targets = targets(&promotion.to, rules));
        let same = |other: &Promotion| {
            (&other.zone, &other.on, other.choice, other.supply)
                == (&promotion.zone, &promotion.on, promotion.choice, promotion.supply)
        };
        match groups.iter_mut().find(|(other, _)| same(other)) {
            Some((_, all)) => all.push(said),
            None => groups.push((promotion, vec![said])),
        }
    }
    let mut sentences = Vec::new();
    for (promotion, said) in groups {
        sentences.push(notes(said));
        sentences.push(condition(promotion, rules));
        sentences.extend(company(&promotion.company, promotion.waiting, rules));
    }
    sentences
}

fn targets(targets: &Targets, rules: &Rules) -> Message {
    match targets {
        Targets::Kinds(kinds) => any_of(kinds, rules),
        Targets::ByFile(kinds) => {
            let on_file = |(kind, file): (&Option<KindId>, u8)| {
                let name = kind.map_or_else(|| message!("prose.nothing"), |kind| rules.kind(kind).message());
                message!("prose.on-file", name, file = rules.grid().file_name(file))
            };
            let files: Vec<Message> = kinds.iter().zip(0..).map(on_file).collect();
            message!("prose.by-file", files)
        }
    }
}

fn condition(promotion: &Promotion, rules: &Rules) -> Message {
    let is_everywhere = rules.grid().squares().all(|square| promotion.zone[SEEN_BY].has(square));
    let zone = zone(&promotion.zone, rules);
    let when = promotion.on.iter().map(|on| match on {
        PromotesOn::End | PromotesOn::StartOrEnd if is_everywhere => message!("prose.by-any-move"),
        PromotesOn::Capture if is_everywhere => message!("prose.by-any-capture"),
        PromotesOn::End => message!("prose.ends-on", zone),
        PromotesOn::StartOrEnd => message!("prose.starts-or-ends-on", zone),
        PromotesOn::Enter => message!("prose.enters", zone),
        PromotesOn::Capture => message!("prose.captures-on", zone),
        PromotesOn::LastRank => message!("prose.ends-on-last-rank"),
        PromotesOn::Stay => message!("prose.stays-on", zone),
    });
    let when = listed(when.collect(), |first, second| message!("prose.or", first, second));
    let choice = match promotion.choice {
        Choice::Must => message!("prose.must"),
        Choice::May => message!("prose.may"),
        Choice::MayUnlessStuck => message!("prose.may-unless-stuck"),
    };
    let condition = message!("prose.condition", when, choice);
    match promotion.supply {
        Supply::Unlimited => condition,
        Supply::Lost => message!("prose.supply-lost", condition),
        Supply::AtMost(1) => message!("prose.supply-none", condition),
        Supply::AtMost(n) => message!("prose.supply-fewer", condition, n),
    }
}

/// Castling moves of each side.
pub fn castlings(rules: &Rules) -> Vec<Message> {
    let grid = rules.grid();
    let way = |(from, to): (Square, Square)| {
        message!("prose.range", first = square(grid, from), last = square(grid, to))
    };
    let said = |castling: &Castling| {
        message!("prose.castling", royal = way(castling.royal), partner = way(castling.partner))
    };
    if let CastlingStarts::AnyFile { partner } = rules.castling_starts() {
        return castlings_from_any_file(rules.kind(partner), rules);
    }
    let of_side = |side| {
        let own = rules.castlings().iter().filter(|castling| castling.side == side);
        let ways: Vec<Message> = own.map(said).collect();
        (!ways.is_empty()).then(|| message!("prose.of", name = rules.side_message(side), notes = ways))
    };
    rules.side_ids().filter(|side| rules.has_royal_at_start(*side)).filter_map(of_side).collect()
}

fn castlings_from_any_file(partner: &Kind, rules: &Rules) -> Vec<Message> {
    let mut letters: Vec<&Castling> = Vec::new();
    for castling in rules.castlings() {
        if letters.iter().all(|other| other.letter != castling.letter) {
            letters.push(castling);
        }
    }
    let said = |castling: &Castling| {
        let grid = rules.grid();
        let [royal_end, partner_end] = [castling.royal.1, castling.partner.1].map(|at| square(grid, at));
        let side = rules.side_message(castling.side);
        message!("prose.castling-any-file", side, royal = royal(rules), partner, royal_end, partner_end)
    };
    letters.into_iter().map(said).collect()
}

/// What becomes of captured pieces.
pub fn hands(rules: &Rules) -> Vec<Message> {
    let mut sentences = match rules.hand() {
        Hand::None => return Vec::new(),
        Hand::Captures => vec![message!("prose.captures-to-hand")],
        Hand::SetUp => vec![message!("prose.set-up")],
    };
    sentences.extend(demotions(rules));
    let dropped = || rules.kinds().iter().filter_map(|kind| Some((kind, kind.drop.as_ref()?)));
    let mut groups: Vec<(Vec<Message>, Vec<Message>)> = Vec::new();
    for (kind, drop) in dropped() {
        let limits = drop_limits(drop, rules);
        match groups.iter_mut().find(|(other, _)| *other == limits) {
            Some((_, names)) => names.push(kind.message()),
            None => groups.push((limits, vec![kind.message()])),
        }
    }
    for (notes, names) in groups.into_iter().filter(|(limits, _)| !limits.is_empty()) {
        let name = joined(names, |first, second| message!("prose.comma", first, second));
        sentences.push(message!("prose.of", name, notes));
    }
    if rules.hand() == Hand::Captures && dropped().any(|(_, drop)| drop.stuck == StuckDrop::Forbidden) {
        sentences.push(message!("prose.drop-not-stuck"));
    }
    sentences
}

/// What captured pieces are in hand, where that is not what they were on the board.
fn demotions(rules: &Rules) -> Option<Message> {
    let demoted =
        rules.kind_ids().filter(|kind| rules.kind(*kind).demoted != *kind).map(|kind| rules.kind(kind));
    let said = |kind: &Kind| message!("prose.demotion", name = kind, demoted = rules.kind(kind.demoted));
    let names: Vec<Message> = demoted.map(said).collect();
    let is_told = rules.hand() == Hand::Captures && !names.is_empty();
    is_told.then(|| message!("prose.demotions", names = notes(names)))
}

fn drop_limits(drop: &DropRule, rules: &Rules) -> Vec<Message> {
    let mut limits = Vec::new();
    if rules.grid().squares().any(|square| !drop.region[SEEN_BY].has(square)) {
        limits.push(message!("prose.drop-region", region = zone(&drop.region, rules)));
    }
    limits.extend(drop.per_file.map(|n| match n {
        1 => message!("prose.drop-one-per-file"),
        n => message!("prose.drop-per-file", n),
    }));
    match drop.mate {
        DropMate::Forbidden => limits.push(message!("prose.drop-no-mate")),
        DropMate::Allowed => {}
    }
    match drop.face {
        DropFace::Either => limits.push(message!("prose.drop-either-face")),
        DropFace::Own => {}
    }
    limits
}

/// Who may pass, and who may not face whom.
pub fn turns(rules: &Rules) -> Vec<Message> {
    let mut sentences = Vec::new();
    match (rules.pass(), rules.contest()) {
        (Pass::No, None) => {}
        (Pass::Allowed, None) => sentences.push(message!("prose.pass-not-in-check")),
        (Pass::Allowed, Some(_)) => sentences.push(message!("prose.pass")),
        (Pass::No, Some(_)) | (Pass::WhenStuck, _) => sentences.push(message!("prose.pass-when-stuck")),
    }
    match rules.facing() {
        Facing::Forbidden => sentences.push(message!("prose.facing", royal = royal(rules))),
        Facing::Draws => sentences.push(match rules.ends().royal_loss {
            RoyalLoss::Checkmate => message!("prose.facing-draws", royal = royal(rules)),
            RoyalLoss::Capture => message!("prose.facing-left-draws", royal = royal(rules)),
        }),
        Facing::Allowed => {}
    }
    match rules.royal_in_check() {
        RoyalInCheck::Moves => {}
        RoyalInCheck::OnlyTakes => sentences.push(message!("prose.royal-only-takes", royal = royal(rules))),
    }
    sentences.extend(effects(rules));
    sentences
}

/// What moves must do, may not do and bring about.
fn effects(rules: &Rules) -> Vec<Message> {
    let mut sentences = Vec::new();
    match rules.capture_duty() {
        CaptureDuty::Free => {}
        CaptureDuty::Obligatory => sentences.push(message!("prose.capture-duty")),
    }
    match rules.giving_check() {
        GivingCheck::Allowed => {}
        GivingCheck::Forbidden => sentences.push(message!("prose.no-giving-check")),
    }
    let Some(explosion) = rules.explosion() else { return sentences };
    sentences.push(match explosion.spares.is_empty() {
        true => message!("prose.explosion"),
        false => message!("prose.explosion-spares", names = any_of(&explosion.spares, rules)),
    });
    if rules.kinds().iter().any(|kind| kind.royal) {
        sentences.push(message!("prose.explosion-royals", royal = royal(rules)));
    }
    sentences
}
