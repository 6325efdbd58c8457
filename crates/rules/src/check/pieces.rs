//! The pieces of a game file: letters, moves, promotions, drops.

use ashta_messages::message;

use super::Context;
use super::contest::{read_company, read_waiting};
use crate::betza::{Movement, Path, Target, read_betza, turned_by_eighths};
use crate::fields::Fields;
use crate::grid::{Delta, Grid};
use crate::node::{Node, Value};
use crate::problem::{Place, Problem};
use crate::region::SquareSet;
use crate::rule_parts::{
    Choice, DropFace, DropMate, DropRule, Hand, InCheck, Kind, KindId, MAX_KINDS, Part, PromotesOn,
    Promotion, Region, StuckDrop, Supply, Targets,
};

/// The table [pieces].
pub fn table<'a>(root: &Fields<'a>) -> Option<Fields<'a>> {
    root.required_table("pieces", message!("rules.write-pieces"))
}

/// The names of all pieces, in the order of the file.
pub fn names<'a>(table: Option<&Fields<'a>>) -> Vec<&'a str> {
    table.map_or(&[][..], Fields::all).iter().map(|entry| entry.key.as_str()).collect()
}

/// Reads all pieces.
pub fn read(table: Option<&Fields>, context: &Context, hand: Hand) -> Vec<Kind> {
    let Some(table) = table else { return Vec::new() };
    if table.all().len() > MAX_KINDS {
        table.report(Problem::new(table.place().clone(), message!("rules.many-kinds", most = MAX_KINDS)));
        return Vec::new();
    }
    let mut kinds: Vec<Kind> = Vec::new();
    let mut demotes = Vec::new();
    for entry in table.all() {
        let fields = Fields::of(&entry.node, message!("rules.write-piece"), context.problems);
        let (letter, place) = fields.required_text("letter");
        // A letter that is missing is told as such.
        if fields.node("letter").is_some_and(|node| matches!(node.value, Value::Text(_))) {
            check_letter(letter, place, &kinds, context);
        }
        demotes.push(fields.text("demotes").map(|text| context.kind(text)));
        kinds.push(read_kind(&entry.key, letter, &fields, context, hand));
        fields.finish();
    }
    for n in 0..kinds.len() {
        let plain = kinds[n].letter.strip_prefix('+');
        let base = plain.and_then(|letter| kinds.iter().position(|kind| kind.letter == letter));
        kinds[n].demoted = demotes[n].or(base.map(|b| KindId(b as u8))).unwrap_or(KindId(n as u8));
        if kinds[n].demoted != KindId(n as u8) {
            kinds[n].drop = None;
        }
    }
    kinds
}

fn check_letter(letter: &str, place: &Place, kinds: &[Kind], context: &Context) {
    let plain = letter.strip_prefix('+').unwrap_or(letter);
    let plain = plain.strip_suffix(['\'', '!', '~']).unwrap_or(plain);
    if plain.len() != 1 || !plain.bytes().all(|b| b.is_ascii_uppercase()) {
        let hint = message!("rules.piece-letter.hint");
        context.report(place, message!("rules.piece-letter", letter), Some(hint));
    } else if let Some(other) = kinds.iter().find(|kind| kind.letter == letter) {
        context.report(place, message!("rules.piece-letter-twice", letter, kind = other), None);
    }
}

fn read_kind(name: &str, letter: &str, fields: &Fields, context: &Context, hand: Hand) -> Kind {
    let royal = fields.truth("royal").unwrap_or(false);
    let moves = read_moves(fields, context);
    if !moves.iter().all(|part| is_attacked_directly(part, &moves)) {
        let hint = message!("rules.two-legs-direct.hint");
        context.report(fields.place(), message!("rules.two-legs-direct", name), Some(hint));
    }
    let promotion = fields
        .table("promotes", message!("rules.write-promotes"))
        .map(|table| read_promotion(&table, context));
    let drop = match (fields.table("drop", message!("rules.write-drop")), hand) {
        (Some(table), Hand::Captures | Hand::SetUp) => Some(read_drop(&table, context)),
        (Some(table), Hand::None) => {
            let hint = message!("rules.no-hands.hint");
            context.report(table.place(), message!("rules.no-hands"), Some(hint));
            None
        }
        (None, Hand::Captures) if !royal => Some(anywhere(context)),
        (None, Hand::SetUp) => Some(anywhere(context)),
        (None, _) => None,
    };
    Kind {
        name: name.to_string(),
        letter: letter.to_string(),
        symbols: for_each_side(fields, "symbols", context),
        kanji: for_each_side(fields, "kanji", context),
        kif: read_name(fields, "kif", context),
        abbreviation: read_name(fields, "abbreviation", context),
        royal,
        moves,
        promotion,
        demoted: KindId(0),
        drop,
        first_move_lost_to: fields
            .texts("first-move-lost-to")
            .map(|texts| context.kinds(&texts))
            .unwrap_or_default(),
        number: fields.number("number", 1..=20).map(|number| number as u8),
        value: fields.real("value"),
    }
}

/// A name that stands inside written moves: letters, perhaps with a `+` before them.
fn read_name(fields: &Fields, key: &'static str, context: &Context) -> Option<String> {
    let (name, place) = fields.text(key)?;
    let letters = name.strip_prefix('+').unwrap_or(name);
    if letters.is_empty() || letters.chars().count() > 4 || !letters.chars().all(char::is_alphabetic) {
        context.report(place, message!("rules.piece-name", key, name), None);
    }
    Some(name.to_string())
}

fn for_each_side(fields: &Fields, key: &'static str, context: &Context) -> Option<Vec<String>> {
    let texts = fields.texts(key)?;
    let n_sides = context.quarters.len();
    match texts.len() {
        1 => Some(vec![texts[0].0.to_string(); n_sides]),
        n if n == n_sides => Some(texts.iter().map(|(text, _)| text.to_string()).collect()),
        _ => {
            let what = message!("rules.each-side", key);
            context.report(fields.place(), what, None);
            None
        }
    }
}

fn read_moves(fields: &Fields, context: &Context) -> Vec<Part> {
    let Some(node) = fields.node("moves") else {
        if fields.all().iter().all(|entry| entry.key != "moves") {
            let problem = Problem::new(fields.place().clone(), message!("rules.missing-key", key = "moves"));
            fields.report(problem.hint(message!("rules.write-moves")));
        }
        return Vec::new();
    };
    let nodes: &[Node] = match &node.value {
        Value::List(nodes) => nodes,
        _ => std::slice::from_ref(node),
    };
    let mut parts: Vec<Part> = nodes.iter().flat_map(|node| read_part(node, context)).collect();
    parts.dedup();
    parts
}

/// Whether a part with two legs captures only where another part leaps: attacks are then those of the leaps alone.
fn is_attacked_directly(part: &Part, moves: &[Part]) -> bool {
    let Path::TwoLegs { turns } = &part.movement.path else { return true };
    let leaps_to = |to: Delta| {
        moves.iter().any(|leap| {
            leap.movement.path == Path::Leap
                && leap.movement.target != Target::Empty
                && leap.movement.steps.contains(&to)
                && (&leap.from, &leap.within, &leap.not_onto) == (&part.from, &part.within, &part.not_onto)
        })
    };
    let captures_at_end = part.movement.target != Target::Empty;
    part.movement.steps.iter().all(|first| {
        let ends = turns.iter().filter_map(|turn| turned_by_eighths(*first, *turn));
        let mut ends = ends.map(|leg| Delta::new(first.file + leg.file, first.rank + leg.rank));
        let is_start = |to: &Delta| *to == Delta::new(0, 0);
        leaps_to(*first) && (!captures_at_end || ends.all(|to| is_start(&to) || leaps_to(to)))
    })
}

fn read_part(node: &Node, context: &Context) -> Vec<Part> {
    let mut limits = Part {
        movement: read_betza("W")
            .map(|mut m| m.remove(0))
            .unwrap_or_else(|_| unreachable!("W is a movement")),
        from: None,
        within: None,
        not_over: Vec::new(),
        not_onto: Vec::new(),
        in_check: InCheck::Allowed,
    };
    let (text, place) = match &node.value {
        Value::Text(text) => (text.as_str(), &node.place),
        _ => {
            let fields = Fields::of(node, message!("rules.write-part"), context.problems);
            let moves = fields.required_text("moves");
            limits.from = fields.text("from").map(|text| context.region(text));
            limits.within = fields.text("within").map(|text| context.region(text));
            limits.not_over = fields.texts("not-over").map(|texts| context.kinds(&texts)).unwrap_or_default();
            limits.not_onto = fields.texts("not-onto").map(|texts| context.kinds(&texts)).unwrap_or_default();
            limits.in_check = fields
                .choice("in-check", &[("allowed", InCheck::Allowed), ("forbidden", InCheck::Forbidden)]);
            fields.finish();
            moves
        }
    };
    match read_betza(text) {
        Ok(movements) => {
            if movements.iter().any(|m| m.en_passant && m.target != Target::Capture) {
                context.report(place, message!("rules.en-passant-captures"), None);
            }
            let is_quiet = |m: &Movement| m.target == Target::Empty && m.path != Path::OutAndBack;
            if limits.in_check == InCheck::Forbidden && !movements.iter().all(is_quiet) {
                let hint = message!("rules.in-check-captures.hint");
                context.report(place, message!("rules.in-check-captures"), Some(hint));
            }
            movements.into_iter().map(|movement| Part { movement, ..limits.clone() }).collect()
        }
        Err(error) => {
            let inside = Place { offset: place.offset + 1 + error.offset, ..place.clone() };
            let hint = message!("rules.betza-help");
            context.report(&inside, error.what, Some(hint));
            Vec::new()
        }
    }
}

fn read_promotion(fields: &Fields, context: &Context) -> Promotion {
    let to = match (fields.texts("to"), fields.texts("by-file")) {
        (Some(names), None) => Targets::Kinds(context.kinds(&names)),
        (None, Some(names)) => {
            if let Some(files) = context.grid.map(Grid::files).filter(|files| names.len() != *files as usize)
            {
                let what = message!("rules.by-file-count", n = files);
                context.report(fields.place(), what, Some(message!("rules.write-no-promotion")));
            }
            Targets::ByFile(names.iter().map(|text| (text.0 != "-").then(|| context.kind(*text))).collect())
        }
        _ => {
            context.report(fields.place(), message!("rules.promotion-target"), None);
            Targets::Kinds(Vec::new())
        }
    };
    let zone = match fields.text("zone") {
        Some(text) => context.region(text),
        None => last_ranks(context),
    };
    let on = read_promotes_on(fields, context);
    let choice = fields.choice(
        "choice",
        &[("must", Choice::Must), ("may", Choice::May), ("may-unless-stuck", Choice::MayUnlessStuck)],
    );
    let supply = match fields.number("at-most", 1..=255) {
        Some(limit) => Supply::AtMost(limit as u8),
        None => fields.choice("supply", &[("unlimited", Supply::Unlimited), ("lost", Supply::Lost)]),
    };
    let company = read_company(fields, context);
    let (waiting, waiting_count) = read_waiting(fields);
    let promotion = Promotion { to, zone, on, choice, supply, company, waiting, waiting_count };
    fields.finish();
    promotion
}

const PROMOTES_ON: [(&str, PromotesOn); 6] = [
    ("end", PromotesOn::End),
    ("start-or-end", PromotesOn::StartOrEnd),
    ("enter", PromotesOn::Enter),
    ("capture", PromotesOn::Capture),
    ("last-rank", PromotesOn::LastRank),
    ("stay", PromotesOn::Stay),
];

/// One word or a list of them; `end` if there is none.
fn read_promotes_on(fields: &Fields, context: &Context) -> Vec<PromotesOn> {
    let Some(texts) = fields.texts("on") else { return vec![PromotesOn::End] };
    let mut on = Vec::new();
    for (text, place) in texts {
        match PROMOTES_ON.iter().find(|(word, _)| *word == text) {
            Some((_, moves)) => on.push(*moves),
            None => {
                let hint = message!("rules.choices", names = PROMOTES_ON.map(|(word, _)| word).to_vec());
                context.report(place, message!("rules.wrong-choice", key = "on", text), Some(hint));
            }
        }
    }
    if on.len() > 1 && on.contains(&PromotesOn::Stay) {
        context.report(fields.place(), message!("rules.promotes-stay-alone"), None);
    }
    on
}

/// The rank farthest from each side.
fn last_ranks(context: &Context) -> Region {
    let last = |grid: Grid| grid.squares().filter(|square| grid.rank(*square) == grid.ranks() - 1).collect();
    context.turned_for_each_side(last)
}

fn anywhere(context: &Context) -> DropRule {
    DropRule {
        region: context.turned_for_each_side(SquareSet::all),
        per_file: None,
        mate: DropMate::Allowed,
        stuck: StuckDrop::Forbidden,
        face: DropFace::Own,
    }
}

fn read_drop(fields: &Fields, context: &Context) -> DropRule {
    let region = fields.text("region").map(|text| context.region(text));
    let rule = DropRule {
        region: region.unwrap_or_else(|| anywhere(context).region),
        per_file: fields.number("per-file", 1..=16).map(|n| n as u8),
        mate: fields.choice("mate", &[("allowed", DropMate::Allowed), ("forbidden", DropMate::Forbidden)]),
        stuck: fields
            .choice("stuck", &[("forbidden", StuckDrop::Forbidden), ("allowed", StuckDrop::Allowed)]),
        face: fields.choice("face", &[("own", DropFace::Own), ("either", DropFace::Either)]),
    };
    fields.finish();
    rule
}
