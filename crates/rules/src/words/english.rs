//! The rules of a game in English.

use super::english_contest::{company_in_words, contest_ends, contest_in_words};
use super::region::region;
use super::{Language, list};
use crate::betza::{Path, Target};
use crate::grid::Side;
use crate::rule_parts::{
    Bare, BareReply, Castling, Checker, Choice, DropMate, DropRule, Facing, Hand, Impasse, Kind, KindId,
    Material, Part, Pass, PromotesOn, Promotion, Quiet, Repetition, RoyalLoss, SideMaterial, StuckDrop,
    Supply, Targets, Verdict,
};
use crate::rules::Rules;

/// What holds for the first side; regions of the others are its turned by half or a quarter.
const SEEN_BY: usize = 0;

/// What a diagram of moves does not show.
pub fn pieces(rules: &Rules) -> Vec<String> {
    rules.kinds().iter().filter_map(|kind| piece(kind, rules)).collect()
}

fn piece(kind: &Kind, rules: &Rules) -> Option<String> {
    let mut notes = Vec::new();
    if kind.royal {
        notes.push("royal".to_string());
    }
    if kind.moves.iter().any(|part| part.movement.en_passant) {
        notes.push("captures in passing".to_string());
    }
    // A double step that is stopped by a piece on the way is what everyone expects.
    let lame = |part: &&Part| part.movement.path == Path::Lame && !part.movement.first_move_only;
    if kind.moves.iter().any(|part| lame(&part)) {
        notes.push("stopped by a piece on the way".to_string());
    }
    if kind.moves.iter().any(|part| matches!(part.movement.path, Path::Bent { .. })) {
        notes.push("goes on outward from the end of its first step, if that square is empty".to_string());
    }
    notes.extend(hop(kind));
    for note in kind.moves.iter().flat_map(|part| limits(part, kind, rules)) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    (!notes.is_empty()).then(|| format!("{}: {}", kind.name, notes.join("; ")))
}

fn hop(kind: &Kind) -> Option<String> {
    let hops: Vec<Target> = kind
        .moves
        .iter()
        .filter(|part| matches!(part.movement.path, Path::Hop { .. }))
        .map(|part| part.movement.target)
        .collect();
    let what = match (hops.is_empty(), hops.iter().all(|target| *target == Target::Capture)) {
        (true, _) => return None,
        (false, true) => "captures by hopping over one piece",
        (false, false) => "moves and captures by hopping over one piece",
    };
    Some(what.to_string())
}

/// The limits put on one movement, said of all movements when they share them.
fn limits(part: &Part, kind: &Kind, rules: &Rules) -> Vec<String> {
    let named = |kinds: &[KindId]| {
        list(&kinds.iter().map(|id| rules.kind(*id).name.as_str()).collect::<Vec<_>>(), "or")
    };
    let mut notes = Vec::new();
    let all_share = kind.moves.iter().all(|other| (&other.from, &other.within) == (&part.from, &part.within));
    let some = if all_share { "" } else { "some moves " };
    match (&part.from, &part.within) {
        (None, None) => {}
        (Some(from), Some(within)) if from == within => {
            notes.push(format!(
                "{some}only along {}",
                region(&within[SEEN_BY], rules.grid(), Language::English)
            ));
        }
        (from, within) => {
            if let Some(from) = from {
                notes.push(format!(
                    "{some}only from {}",
                    region(&from[SEEN_BY], rules.grid(), Language::English)
                ));
            }
            if let Some(within) = within {
                notes.push(format!(
                    "{some}only within {}",
                    region(&within[SEEN_BY], rules.grid(), Language::English)
                ));
            }
        }
    }
    if !part.not_over.is_empty() {
        notes.push(format!("not over a {}", named(&part.not_over)));
    }
    if !part.not_onto.is_empty() {
        notes.push(format!("does not capture a {}", named(&part.not_onto)));
    }
    notes
}

/// Kinds that promote under the same conditions share a sentence.
pub fn promotions(rules: &Rules) -> Vec<String> {
    let mut groups: Vec<(&Promotion, Vec<String>)> = Vec::new();
    for kind in rules.kinds() {
        let Some(promotion) = &kind.promotion else { continue };
        let text = format!("{} to {}", kind.name, targets(&promotion.to, rules));
        let same = |other: &Promotion| {
            (&other.zone, other.on, other.choice, other.supply)
                == (&promotion.zone, promotion.on, promotion.choice, promotion.supply)
        };
        match groups.iter_mut().find(|(other, _)| same(other)) {
            Some((_, texts)) => texts.push(text),
            None => groups.push((promotion, vec![text])),
        }
    }
    let mut sentences = Vec::new();
    for (promotion, texts) in groups {
        sentences.push(texts.join("; "));
        sentences.push(condition(promotion, rules));
        sentences.extend(company_in_words(&promotion.company, promotion.waiting, rules));
    }
    sentences
}

fn targets(targets: &Targets, rules: &Rules) -> String {
    match targets {
        Targets::Kinds(kinds) => {
            list(&kinds.iter().map(|kind| rules.kind(*kind).name.as_str()).collect::<Vec<_>>(), "or")
        }
        Targets::ByFile(kinds) => {
            let files = kinds.iter().zip(0..).map(|(kind, file)| {
                let name = kind.map_or("nothing", |kind| rules.kind(kind).name.as_str());
                format!("{name} on {}", rules.grid().file_name(file))
            });
            format!("the piece of its file ({})", files.collect::<Vec<_>>().join(", "))
        }
    }
}

fn condition(promotion: &Promotion, rules: &Rules) -> String {
    let zone = region(&promotion.zone[SEEN_BY], rules.grid(), Language::English);
    let when = match promotion.on {
        PromotesOn::End => format!("by a move that ends on {zone}"),
        PromotesOn::StartOrEnd => format!("by a move that starts or ends on {zone}"),
        PromotesOn::Enter => format!("by a move that enters {zone}"),
        PromotesOn::Stay => format!("by a turn spent on {zone} without moving"),
    };
    let choice = match promotion.choice {
        Choice::Must => "always",
        Choice::May => "if its side likes",
        Choice::MayUnlessStuck => "if its side likes, and always where it could never move again",
    };
    let supply = match promotion.supply {
        Supply::Unlimited => String::new(),
        Supply::Lost => "; only to pieces its side has lost, or it may not go there".to_string(),
        Supply::AtMost(1) => "; only while its side has none".to_string(),
        Supply::AtMost(n) => format!("; only while its side has fewer than {n} of them"),
    };
    format!("... {when}, {choice}{supply}")
}

/// Castling moves of each side.
pub fn castlings(rules: &Rules) -> Vec<String> {
    let (castlings, grid): (&[Castling], _) = (rules.castlings(), rules.grid());
    let way = |(from, to)| format!("{}-{}", grid.name(from), grid.name(to));
    (0..rules.sides().len() as u8)
        .map(Side)
        .filter_map(|side| {
            let own = castlings.iter().filter(|castling| castling.side == side);
            let ways: Vec<String> =
                own.map(|c| format!("{} with {}", way(c.royal), way(c.partner))).collect();
            (!ways.is_empty()).then(|| format!("{}: {}", rules.sides()[side.index()].name, ways.join(", ")))
        })
        .collect()
}

/// What becomes of captured pieces.
pub fn hands(rules: &Rules) -> Vec<String> {
    let mut sentences = match rules.hand() {
        Hand::None => return Vec::new(),
        Hand::Captures => {
            vec!["captured pieces change sides and may be dropped on empty squares".to_string()]
        }
        Hand::SetUp => {
            vec!["the men in hand are placed first, one at a time in turn, before anything moves".to_string()]
        }
    };
    sentences.extend(demotions(rules));
    let dropped = || rules.kinds().iter().filter_map(|kind| Some((kind, kind.drop.as_ref()?)));
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (kind, drop) in dropped() {
        let limits = drop_limits(drop, rules).join(", ");
        match groups.iter_mut().find(|(other, _)| *other == limits) {
            Some((_, names)) => names.push(&kind.name),
            None => groups.push((limits, vec![&kind.name])),
        }
    }
    groups.retain(|(limits, _)| !limits.is_empty());
    sentences.extend(groups.into_iter().map(|(limits, names)| format!("{}: {limits}", names.join(", "))));
    if rules.hand() == Hand::Captures && dropped().any(|(_, drop)| drop.stuck == StuckDrop::Forbidden) {
        sentences.push("nothing is dropped where it could never move".to_string());
    }
    sentences
}

/// What captured pieces are in hand, where that is not what they were on the board.
fn demotions(rules: &Rules) -> Option<String> {
    let kinds = rules.kind_ids().filter(|kind| rules.kind(*kind).demoted != *kind);
    let name = |kind: KindId| rules.kind(kind).name.as_str();
    let names: Vec<String> =
        kinds.map(|kind| format!("{} becomes {}", name(kind), name(rules.kind(kind).demoted))).collect();
    let is_told = rules.hand() == Hand::Captures && !names.is_empty();
    is_told.then(|| format!("captured, {}", names.join("; ")))
}

fn drop_limits(drop: &DropRule, rules: &Rules) -> Vec<String> {
    let grid = rules.grid();
    let mut limits = Vec::new();
    let zone = &drop.region[SEEN_BY];
    if grid.squares().any(|square| !zone.has(square)) {
        limits.push(format!("only on {}", region(zone, grid, Language::English)));
    }
    if let Some(n) = drop.per_file {
        limits.push(format!("at most {n} of a side on a file"));
    }
    if drop.mate == DropMate::Forbidden {
        limits.push("not to give mate".to_string());
    }
    limits
}

/// Who may pass, and who may not face whom.
pub fn turns(rules: &Rules) -> Vec<String> {
    let mut sentences = Vec::new();
    sentences.extend(match (rules.pass(), rules.contest()) {
        (Pass::No, None) => None,
        (Pass::Allowed, None) => Some("a side that is not in check may pass".to_string()),
        (Pass::Allowed, Some(_)) => Some("a side may pass".to_string()),
        (Pass::No, Some(_)) | (Pass::WhenStuck, _) => {
            Some("a side passes when nothing else is left".to_string())
        }
    });
    if rules.facing() == Facing::Forbidden {
        sentences.push(format!("two {}s may not face each other along an open file", royal(rules)));
    }
    sentences
}

/// What the royal piece is called; `royal piece` when there are several kinds.
fn royal(rules: &Rules) -> &str {
    let mut royals = rules.kinds().iter().filter(|kind| kind.royal);
    match (royals.next(), royals.next()) {
        (Some(kind), None) => &kind.name,
        _ => "royal piece",
    }
}

/// Teams and dice.
pub fn contest(rules: &Rules) -> Vec<String> {
    rules.contest().map_or_else(Vec::new, |contest| contest_in_words(contest, royal(rules), rules))
}

/// How games end.
pub fn ends(rules: &Rules) -> Vec<String> {
    let ends = rules.ends();
    let royal = royal(rules);
    if let Some(contest) = rules.contest() {
        return contest_ends(contest, royal, rules);
    }
    let mut sentences = vec![match ends.royal_loss {
        RoyalLoss::Checkmate => "checkmate wins".to_string(),
        RoyalLoss::Capture => format!("capturing the {royal} wins"),
    }];
    sentences.push(format!("a side without a legal move, not in check, {}", verb(ends.stalemate)));
    sentences.extend(ends.bare.map(|bare| bare_words(bare, royal)));
    sentences.extend(ends.repetition.map(repetition_words));
    sentences.extend(ends.quiet.as_ref().map(|quiet| quiet_words(quiet, rules)));
    sentences.extend(ends.impasse.as_ref().map(|impasse| impasse_words(impasse, royal, rules)));
    sentences.extend(ends.ply_cap.map(|cap| format!("a game of {cap} plies is a draw")));
    if !ends.insufficient.is_empty() {
        let materials: Vec<String> =
            ends.insufficient.iter().map(|material| material_words(material, rules)).collect();
        sentences.push(format!("drawn at once: {}", materials.join(", ")));
    }
    sentences
}

fn verb(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "wins",
        Verdict::Loss => "loses",
        Verdict::Draw => "draws",
    }
}

fn bare_words(bare: Bare, royal: &str) -> String {
    let reply = match bare.reply {
        BareReply::None => "",
        BareReply::BareBack => ", unless its next move bares the other side too",
    };
    format!("a side with nothing but its {royal} {}{reply}", verb(bare.verdict))
}

fn repetition_words(repetition: Repetition) -> String {
    let fold = match repetition.fold {
        2 => "second".to_string(),
        3 => "third".to_string(),
        4 => "fourth".to_string(),
        n => format!("{n}th"),
    };
    let verdict = match repetition.verdict {
        Verdict::Draw => "is a draw".to_string(),
        Verdict::Win | Verdict::Loss => format!("{} for the side to move", verb(repetition.verdict)),
    };
    let checker = match repetition.checker {
        Checker::Ignored => "",
        Checker::Loses => ", but a side that only gave check loses",
    };
    format!("the {fold} occurrence of a position {verdict}{checker}")
}

fn quiet_words(quiet: &Quiet, rules: &Rules) -> String {
    let names: Vec<&str> = quiet.progress.iter().map(|kind| rules.kind(*kind).name.as_str()).collect();
    let progress = match names.is_empty() {
        true => String::new(),
        false => format!(" or a move of a {}", list(&names, "or")),
    };
    let verdict = match quiet.verdict {
        Verdict::Draw => "are a draw".to_string(),
        Verdict::Win => "win for the side to move".to_string(),
        Verdict::Loss => "lose for the side to move".to_string(),
    };
    format!("{} plies without a capture{progress} {verdict}", quiet.plies)
}

fn impasse_words(impasse: &Impasse, royal: &str, rules: &Rules) -> String {
    let zone = region(&impasse.zone[SEEN_BY], rules.grid(), Language::English);
    let points: Vec<String> = rules
        .sides()
        .iter()
        .zip(&impasse.points)
        .map(|(side, points)| format!("{points} points for {}", side.name))
        .collect();
    format!(
        "a {royal} on {zone}, not in check, with {} men and enough points wins: {}",
        impasse.n_pieces,
        points.join(", ")
    )
}

fn material_words(material: &Material, rules: &Rules) -> String {
    let side = |side: &SideMaterial| {
        let mut kinds: Vec<&Kind> = side.kinds.iter().map(|kind| rules.kind(*kind)).collect();
        kinds.sort_by_key(|kind| !kind.royal);
        let counted = kinds.iter().map(|kind| kind.name.clone());
        let any = side.any_number_of.iter().map(|kind| format!("any number of {}s", rules.kind(*kind).name));
        counted.chain(any).collect::<Vec<_>>().join(" and ")
    };
    let [one, other] = &material.sides;
    let colour = if material.one_colour { " on squares of one colour" } else { "" };
    format!("{} v {}{colour}", side(one), side(other))
}
