//! The rules of a game in Japanese.

use super::japanese_contest::{company_in_words, contest_ends, contest_in_words};
use super::japanese_names::{self, square_name};
use super::region::region;
use super::{Language, side_name};
use crate::betza::{Path, Target};
use crate::grid::Square;
use crate::region::SquareSet;
use crate::rule_parts::{
    Bare, BareReply, Castling, Checker, Choice, DropMate, DropRule, Facing, Hand, Impasse, Kind, KindId,
    Material, Part, Pass, PromotesOn, Promotion, Quiet, Repetition, RoyalLoss, SideMaterial, StuckDrop,
    Supply, Targets, Verdict,
};
use crate::rules::Rules;

/// What holds for the first side; regions of the others are its turned by half or a quarter.
const SEEN_BY: usize = 0;

/// The names of kinds with a word between them.
pub fn names(kinds: impl IntoIterator<Item = KindId>, rules: &Rules, between: &str) -> String {
    let name = |kind: KindId| japanese_names::kind(rules.kind(kind));
    kinds.into_iter().map(name).collect::<Vec<_>>().join(between)
}

fn place(set: &SquareSet, rules: &Rules) -> String {
    region(set, rules.grid(), Language::Japanese)
}

/// What a diagram of moves does not show.
pub fn pieces(rules: &Rules) -> Vec<String> {
    rules.kinds().iter().filter_map(|kind| piece(kind, rules)).collect()
}

fn piece(kind: &Kind, rules: &Rules) -> Option<String> {
    let mut notes = Vec::new();
    if kind.royal {
        notes.push("取られたら負けになる駒".to_string());
    }
    if kind.moves.iter().any(|part| part.movement.en_passant) {
        notes.push("通過した駒を取れる（アンパッサン）".to_string());
    }
    // A double step that is stopped by a piece on the way is what everyone expects.
    let lame = |part: &&Part| part.movement.path == Path::Lame && !part.movement.first_move_only;
    if kind.moves.iter().any(|part| lame(&part)) {
        notes.push("途中に駒があると進めない".to_string());
    }
    if kind.moves.iter().any(|part| matches!(part.movement.path, Path::Bent { .. })) {
        notes.push("一歩目のマスが空いていれば、そこから外側へ走れる".to_string());
    }
    notes.extend(hop(kind));
    for note in kind.moves.iter().flat_map(|part| limits(part, kind, rules)) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    (!notes.is_empty()).then(|| format!("{}：{}", japanese_names::kind(kind), notes.join("、")))
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
        (false, true) => "駒を一つ跳び越えて取る",
        (false, false) => "駒を一つ跳び越えて動き、取る",
    };
    Some(what.to_string())
}

/// The limits put on one movement, said of all movements when they share them.
fn limits(part: &Part, kind: &Kind, rules: &Rules) -> Vec<String> {
    let mut notes = Vec::new();
    let all_share = kind.moves.iter().all(|other| (&other.from, &other.within) == (&part.from, &part.within));
    let some = if all_share { "" } else { "一部の動きは" };
    match (&part.from, &part.within) {
        (None, None) => {}
        (Some(from), Some(within)) if from == within => {
            notes.push(format!("{some}{}に沿ってのみ", place(&within[SEEN_BY], rules)));
        }
        (from, within) => {
            if let Some(from) = from {
                notes.push(format!("{some}{}からのみ", place(&from[SEEN_BY], rules)));
            }
            if let Some(within) = within {
                notes.push(format!("{some}{}の中のみ", place(&within[SEEN_BY], rules)));
            }
        }
    }
    if !part.not_over.is_empty() {
        notes.push(format!("{}は跳び越えられない", names(part.not_over.iter().copied(), rules, "・")));
    }
    if !part.not_onto.is_empty() {
        notes.push(format!("{}は取れない", names(part.not_onto.iter().copied(), rules, "・")));
    }
    notes
}

/// Kinds that promote under the same conditions share a sentence.
pub fn promotions(rules: &Rules) -> Vec<String> {
    let mut groups: Vec<(&Promotion, Vec<String>)> = Vec::new();
    for kind in rules.kinds() {
        let Some(promotion) = &kind.promotion else { continue };
        let text = format!("{}→{}", japanese_names::kind(kind), targets(&promotion.to, rules));
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
        sentences.push(texts.join("、"));
        sentences.push(condition(promotion, rules));
        sentences.extend(company_in_words(&promotion.company, promotion.waiting, rules));
    }
    sentences
}

fn targets(targets: &Targets, rules: &Rules) -> String {
    match targets {
        Targets::Kinds(kinds) => names(kinds.iter().copied(), rules, "・"),
        Targets::ByFile(kinds) => {
            let files = kinds.iter().zip(0..).map(|(kind, file)| {
                let name = kind.map_or("なし".to_string(), |kind| japanese_names::kind(rules.kind(kind)));
                format!("{}筋では{name}", rules.grid().file_name(file))
            });
            format!("その筋の駒（{}）", files.collect::<Vec<_>>().join("、"))
        }
    }
}

fn condition(promotion: &Promotion, rules: &Rules) -> String {
    let zone = place(&promotion.zone[SEEN_BY], rules);
    let when = match promotion.on {
        PromotesOn::End => format!("{zone}に着く手で"),
        PromotesOn::StartOrEnd => format!("{zone}から動くか{zone}に着く手で"),
        PromotesOn::Enter => format!("{zone}に入る手で"),
        PromotesOn::Stay => format!("{zone}で動かずに一手を使って"),
    };
    let choice = match promotion.choice {
        Choice::Must => "必ず成る",
        Choice::May => "成るかどうかは自由",
        Choice::MayUnlessStuck => "成るかどうかは自由、ただし行き所がなくなるときは必ず成る",
    };
    let supply = match promotion.supply {
        Supply::Unlimited => String::new(),
        Supply::Lost => "。失った駒にだけ成れ、なければそこへは進めない".to_string(),
        Supply::AtMost(1) => "。自分の側にその駒がないときだけ".to_string(),
        Supply::AtMost(n) => format!("。自分の側のその駒が{n}枚より少ないときだけ"),
    };
    format!("… {when}、{choice}{supply}")
}

/// Castling moves of each side.
pub fn castlings(rules: &Rules) -> Vec<String> {
    let grid = rules.grid();
    let way =
        |(from, to): (Square, Square)| format!("{}〜{}", square_name(grid, from), square_name(grid, to));
    let of_side = |(at, side): (usize, _)| {
        let own = rules.castlings().iter().filter(|castling| castling.side.index() == at);
        let said = |c: &Castling| format!("{}と{}", way(c.royal), way(c.partner));
        let ways: Vec<String> = own.map(said).collect();
        let name = side_name(side, rules, Language::Japanese);
        (!ways.is_empty()).then(|| format!("{name}：{}", ways.join("、")))
    };
    rules.sides().iter().enumerate().filter_map(of_side).collect()
}

/// What becomes of captured pieces.
pub fn hands(rules: &Rules) -> Vec<String> {
    let mut sentences = match rules.hand() {
        Hand::None => return Vec::new(),
        Hand::Captures => vec!["取った駒は持ち駒になり、空いたマスに打てる".to_string()],
        Hand::SetUp => vec!["駒を動かす前に、持ち駒を一枚ずつ交互に並べる".to_string()],
    };
    sentences.extend(demotions(rules));
    let dropped = || rules.kinds().iter().filter_map(|kind| Some((kind, kind.drop.as_ref()?)));
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (kind, drop) in dropped() {
        let limits = drop_limits(drop, rules).join("、");
        match groups.iter_mut().find(|(other, _)| *other == limits) {
            Some((_, names)) => names.push(japanese_names::kind(kind)),
            None => groups.push((limits, vec![japanese_names::kind(kind)])),
        }
    }
    groups.retain(|(limits, _)| !limits.is_empty());
    sentences.extend(groups.into_iter().map(|(limits, names)| format!("{}：{limits}", names.join("・"))));
    if rules.hand() == Hand::Captures && dropped().any(|(_, drop)| drop.stuck == StuckDrop::Forbidden) {
        sentences.push("行き所のないマスには打てない".to_string());
    }
    sentences
}

/// What captured pieces are in hand, where that is not what they were on the board.
fn demotions(rules: &Rules) -> Option<String> {
    let kinds = rules.kind_ids().filter(|kind| rules.kind(*kind).demoted != *kind);
    let name = |kind: KindId| japanese_names::kind(rules.kind(kind));
    let names: Vec<String> =
        kinds.map(|kind| format!("{}→{}", name(kind), name(rules.kind(kind).demoted))).collect();
    let is_told = rules.hand() == Hand::Captures && !names.is_empty();
    is_told.then(|| format!("取られると元に戻る：{}", names.join("、")))
}

fn drop_limits(drop: &DropRule, rules: &Rules) -> Vec<String> {
    let grid = rules.grid();
    let mut limits = Vec::new();
    let zone = &drop.region[SEEN_BY];
    if grid.squares().any(|square| !zone.has(square)) {
        limits.push(format!("{}にだけ打てる", place(zone, rules)));
    }
    match drop.per_file {
        Some(1) => limits.push("同じ筋に二枚は打てない（二歩）".to_string()),
        Some(n) => limits.push(format!("同じ筋には{n}枚まで")),
        None => {}
    }
    match drop.mate {
        DropMate::Forbidden => limits.push("打って詰ますことはできない".to_string()),
        DropMate::Allowed => {}
    }
    limits
}

/// Who may pass, and who may not face whom.
pub fn turns(rules: &Rules) -> Vec<String> {
    let mut sentences = Vec::new();
    sentences.extend(match (rules.pass(), rules.contest()) {
        (Pass::No, None) => None,
        (Pass::Allowed, None) => Some("王手でなければパスできる".to_string()),
        (Pass::Allowed, Some(_)) => Some("パスできる".to_string()),
        (Pass::No, Some(_)) | (Pass::WhenStuck, _) => Some("ほかに手がなければパスする".to_string()),
    });
    match rules.facing() {
        Facing::Forbidden => {
            sentences.push(format!("間に駒のない筋で{}同士が向かい合ってはならない", royal(rules)));
        }
        Facing::Allowed => {}
    }
    sentences
}

/// What the royal piece is called; `王` when there are several kinds.
fn royal(rules: &Rules) -> String {
    let mut royals = rules.kinds().iter().filter(|kind| kind.royal);
    match (royals.next(), royals.next()) {
        (Some(kind), None) => japanese_names::kind(kind),
        _ => "王".to_string(),
    }
}

/// Teams and dice.
pub fn contest(rules: &Rules) -> Vec<String> {
    rules.contest().map_or_else(Vec::new, |contest| contest_in_words(contest, &royal(rules), rules))
}

/// How games end.
pub fn ends(rules: &Rules) -> Vec<String> {
    let (ends, royal) = (rules.ends(), royal(rules));
    if let Some(contest) = rules.contest() {
        return contest_ends(contest, &royal, rules);
    }
    let mut sentences = vec![match ends.royal_loss {
        RoyalLoss::Checkmate => "詰ませば勝ち".to_string(),
        RoyalLoss::Capture => format!("{royal}を取れば勝ち"),
    }];
    sentences.push(format!("王手でなく指せる手のない側は{}", verdict(ends.stalemate)));
    sentences.extend(ends.bare.map(|bare| bare_words(bare, &royal)));
    sentences.extend(ends.repetition.map(repetition_words));
    sentences.extend(ends.quiet.as_ref().map(|quiet| quiet_words(quiet, rules)));
    sentences.extend(ends.impasse.as_ref().map(|impasse| impasse_words(impasse, &royal, rules)));
    sentences.extend(ends.ply_cap.map(|cap| format!("{cap}手で引き分け")));
    if !ends.insufficient.is_empty() {
        let materials: Vec<String> =
            ends.insufficient.iter().map(|material| material_words(material, rules)).collect();
        sentences.push(format!("直ちに引き分け：{}", materials.join("、")));
    }
    sentences
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "勝ち",
        Verdict::Loss => "負け",
        Verdict::Draw => "引き分け",
    }
}

fn bare_words(bare: Bare, royal: &str) -> String {
    let reply = match bare.reply {
        BareReply::None => "",
        BareReply::BareBack => "、ただし次の手で相手も裸にすれば別",
    };
    format!("{royal}だけになった側は{}{reply}", verdict(bare.verdict))
}

fn repetition_words(repetition: Repetition) -> String {
    let whose = match repetition.verdict {
        Verdict::Draw => "引き分け".to_string(),
        Verdict::Win | Verdict::Loss => format!("手番の側の{}", verdict(repetition.verdict)),
    };
    let checker = match repetition.checker {
        Checker::Ignored => "",
        Checker::Loses => "、ただし王手を続けた側は負け",
    };
    format!("同じ局面が{}回現れると{whose}{checker}", repetition.fold)
}

fn quiet_words(quiet: &Quiet, rules: &Rules) -> String {
    let progress = match quiet.progress.is_empty() {
        true => "駒が取られない".to_string(),
        false => format!("駒が取られず{}も動かない", names(quiet.progress.iter().copied(), rules, "・")),
    };
    let whose = match quiet.verdict {
        Verdict::Draw => "引き分け".to_string(),
        Verdict::Win | Verdict::Loss => format!("手番の側の{}", verdict(quiet.verdict)),
    };
    format!("{progress}まま{}手続くと{whose}", quiet.plies)
}

fn impasse_words(impasse: &Impasse, royal: &str, rules: &Rules) -> String {
    let zone = place(&impasse.zone[SEEN_BY], rules);
    let sides = rules.sides().iter().zip(&impasse.points);
    let points: Vec<String> = sides
        .map(|(side, points)| format!("{}は{points}点", side_name(side, rules, Language::Japanese)))
        .collect();
    let (men, points) = (impasse.n_pieces, points.join("、"));
    format!(
        "{royal}が{zone}にあって王手でなく、ほかに{men}枚がそこにあり、点が足りれば勝ち（入玉）：{points}"
    )
}

fn material_words(material: &Material, rules: &Rules) -> String {
    let side = |side: &SideMaterial| {
        let mut kinds: Vec<&Kind> = side.kinds.iter().map(|kind| rules.kind(*kind)).collect();
        kinds.sort_by_key(|kind| !kind.royal);
        let counted = kinds.into_iter().map(|kind| japanese_names::kind(kind).to_string());
        let any = side.any_number_of.iter();
        let any = any.map(|kind| format!("任意枚数の{}", japanese_names::kind(rules.kind(*kind))));
        counted.chain(any).collect::<Vec<_>>().join("と")
    };
    let [one, other] = &material.sides;
    let colour = if material.one_colour { "（同じ色のマス）" } else { "" };
    format!("{}対{}{colour}", side(one), side(other))
}
