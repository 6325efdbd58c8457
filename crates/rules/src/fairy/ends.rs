//! How games of a variant end, and what a turn may be besides a move.
//!
//! In: the keys of ends. Out: `[ends]`, `pass` and `facing`. Never: check and mate, which every king has.

use ashta_messages::message;

use super::squares;
use super::variant::{GameText, Lines, Sides, Variant, list, quoted};
use crate::ends::Verdict;
use crate::region::SquareSet;

/// Writes `pass` and `facing`.
pub fn write_turns(variant: &mut Variant, out: &mut GameText) {
    for (key, word) in [("pass", "allowed"), ("passOnStalemate", "when-stuck")] {
        let white = format!("{key}White");
        match both(variant, key) {
            [true, true] => {
                out.line(&variant.settings.place_of(&white), &format!("pass = \"{word}\""));
                break;
            }
            [false, false] => {}
            [true, false] => variant.settings.refuse(&white),
            [false, true] => variant.settings.refuse(&format!("{key}Black")),
        }
    }
    let [flying, bikjang] = ["flyingGeneral", "bikjangRule"].map(|key| variant.settings.truth(key, false));
    match (flying, bikjang) {
        (true, _) => out.line(&variant.settings.place_of("flyingGeneral"), "facing = \"forbidden\""),
        (false, true) => out.line(&variant.settings.place_of("bikjangRule"), "facing = \"draw\""),
        (false, false) => {}
    }
}

fn both(variant: &mut Variant, key: &str) -> [bool; 2] {
    ["White", "Black"].map(|side| variant.settings.truth(&format!("{key}{side}"), false))
}

/// Writes a part of `[ends]`: the key that it comes from, and its line.
type EndPart = fn(&mut Variant) -> Option<(&'static str, String)>;

/// Writes `[ends]`.
pub fn write(variant: &mut Variant) -> Lines {
    let place = variant.settings.place.clone();
    let mut lines: Lines = vec![(place, "\n[ends]\nroyal = \"checkmate\"".to_string())];
    let stalemate = variant.settings.verdict("stalemateValue", Some(Verdict::Draw)).unwrap_or(Verdict::Draw);
    let line = format!("stalemate = \"{}\"", word(stalemate));
    lines.push((variant.settings.place_of("stalemateValue"), line));
    let parts: [EndPart; 8] = [goal, extinction, checks, repetition, quiet, passes, points, counting];
    for part in parts {
        if let Some((key, text)) = part(variant) {
            lines.push((variant.settings.place_of(key), text));
        }
    }
    lines
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Win => "win",
        Verdict::Loss => "loss",
        Verdict::Draw => "draw",
    }
}

/// `goal`: pieces that reach a region.
fn goal(variant: &mut Variant) -> Option<(&'static str, String)> {
    let key = "flagRegionWhite";
    let sides: Sides = variant.sides("flagRegion", [SquareSet::EMPTY; 2]);
    if sides.iter().all(SquareSet::is_empty) {
        return None;
    }
    let pieces = match variant.piece_set_of_both("flagPiece", &[]) {
        Some(names) if !names.is_empty() => names,
        _ => variant.pieces.iter().map(|piece| piece.name.clone()).collect(),
    };
    let place = if sides[0] == sides[1] {
        format!("squares = {}", quoted(&squares::in_game_file(&sides[0], variant.grid)))
    } else {
        format!("region = \"{}\"", variant.region("goal", sides, key))
    };
    let is_royal = pieces.iter().all(|name| variant.pieces.iter().any(|p| p.name == *name && p.royal));
    let pieces = variant.with_promoted(pieces);
    let reply = match (variant.settings.truth("flagMove", false), is_royal) {
        (false, _) => "",
        (true, true) => ", reply = \"equal-turns\"",
        (true, false) => ", reply = \"one-move\"",
    };
    let safe = match variant.settings.truth("flagPieceSafe", false) {
        true => ", safe = \"unattacked\"",
        false => "",
    };
    Some((key, format!("goal = {{ pieces = {}, {place}{reply}{safe} }}", list(&pieces))))
}

/// `extinction`, or `bare` where the last piece is the king.
fn extinction(variant: &mut Variant) -> Option<(&'static str, String)> {
    let key = "extinctionValue";
    let verdict = variant.settings.verdict(key, None)?;
    let count = variant.settings.number("extinctionPieceCount", 0, 0..=255);
    let against = variant.settings.number("extinctionOpponentPieceCount", 0, 0..=255);
    let is_claimed = variant.settings.truth("extinctionClaim", false);
    // A piece that no move may leave to be lost is royal.
    if variant.settings.truth("extinctionPseudoRoyal", false) {
        return None;
    }
    let types = variant.piece_set("extinctionPieceTypes", &[]);
    if types.as_ref().is_some_and(Vec::is_empty) {
        return None;
    }
    let has_king = variant.pieces.iter().any(|piece| piece.fairy == "king");
    let verdict_word = word(verdict);
    match (&types, has_king, count, against, is_claimed) {
        (None, true, 1, 2, true) if verdict == Verdict::Loss => {
            Some((key, "bare = { verdict = \"loss\", reply = \"bare-back\" }".to_string()))
        }
        (None, true, 1, 0, false) if verdict != Verdict::Win => {
            Some((key, format!("bare = {{ verdict = \"{verdict_word}\" }}")))
        }
        (_, _, _, 0, false) => {
            let counted = counted_types(variant, types);
            let below = if count > 0 { format!(", below = {}", count + 1) } else { String::new() };
            Some((key, format!("extinction = {{ verdict = \"{verdict_word}\"{counted}{below} }}")))
        }
        _ => {
            let other = if is_claimed { "extinctionClaim" } else { "extinctionOpponentPieceCount" };
            variant.settings.refuse(other);
            None
        }
    }
}

/// Which pieces are counted, and whether as one. `None` stands for all.
fn counted_types(variant: &mut Variant, types: Option<Vec<String>>) -> String {
    let n_types = types.as_ref().map_or(0, Vec::len);
    let all = types.map(|names| variant.with_promoted(names));
    if n_types > 1 && all.as_ref().is_some_and(|all| all.len() > n_types) {
        variant.settings.refuse("extinctionPieceTypes");
    }
    let of = all.map_or_else(String::new, |names| format!(", of = {}", list(&names)));
    let each = match n_types {
        0 | 1 => "",
        _ => ", counted = \"each\"",
    };
    of + each
}

/// `checks`: as many as the start says; without a number the first wins.
fn checks(variant: &mut Variant) -> Option<(&'static str, String)> {
    if !variant.settings.truth("checkCounting", false) {
        return None;
    }
    let (first, second) = variant.start.checks.unwrap_or((1, 1));
    if first != second {
        variant.settings.refuse("startFen");
    }
    Some(("checkCounting", format!("checks = {}", first.max(second))))
}

/// `repetition`.
fn repetition(variant: &mut Variant) -> Option<(&'static str, String)> {
    let fold = variant.settings.number("nFoldRule", 3, 0..=10);
    if fold == 0 {
        return None;
    }
    let verdict = variant.settings.verdict("nFoldValue", Some(Verdict::Draw)).unwrap_or(Verdict::Draw);
    let speaks_of = match verdict != Verdict::Draw && variant.settings.truth("nFoldValueAbsolute", false) {
        true => ", for = \"first-side\"",
        false => "",
    };
    let checker = match variant.settings.truth("perpetualCheckIllegal", false) {
        true => ", checker = \"loses\"",
        false => "",
    };
    let text =
        format!("repetition = {{ fold = {fold}, verdict = \"{}\"{speaks_of}{checker} }}", word(verdict));
    Some(("nFoldRule", text))
}

/// `quiet`, which counts plies; no rule is 0.
fn quiet(variant: &mut Variant) -> Option<(&'static str, String)> {
    let moves = variant.settings.number("nMoveRule", 50, 0..=5_000);
    if moves == 0 {
        return None;
    }
    let progress = variant.piece_set_of_both("nMoveRuleTypes", &["pawn"]);
    let progress = match progress {
        Some(names) if names.is_empty() => String::new(),
        Some(names) => format!(", progress = {}", list(&variant.with_promoted(names))),
        None => {
            variant.settings.refuse("nMoveRuleTypesWhite");
            String::new()
        }
    };
    Some(("nMoveRule", format!("quiet = {{ plies = {}, verdict = \"draw\"{progress} }}", 2 * moves)))
}

/// `passes`: two in a row end the game wherever passing is allowed.
fn passes(variant: &mut Variant) -> Option<(&'static str, String)> {
    (both(variant, "pass") == [true, true]).then(|| ("passWhite", "passes = 2".to_string()))
}

/// What pieces count at the end of a game of janggi.
const JANGGI_POINTS: &[(&str, &str)] = &[
    ("rook", "13"),
    ("janggiCannon", "7"),
    ("horse", "5"),
    ("janggiElephant", "3"),
    ("wazir", "3"),
    ("soldier", "2"),
];

/// `points`.
fn points(variant: &mut Variant) -> Option<(&'static str, String)> {
    let key = "materialCounting";
    let rule = variant.settings.text(key)?.to_string();
    let pieces: Vec<String> = match rule.as_str() {
        "janggi" => {
            let worth = |fairy: &str| JANGGI_POINTS.iter().find(|(name, _)| *name == fairy).map(|(_, n)| *n);
            let counted = variant.pieces.iter();
            counted.filter_map(|piece| Some(format!("{} = {}", piece.name, worth(&piece.fairy)?))).collect()
        }
        "unweighted" => variant.pieces.iter().map(|piece| format!("{} = 1", piece.name)).collect(),
        "none" => return None,
        "whitedrawodds" | "blackdrawodds" => {
            variant.settings.refuse(key);
            return None;
        }
        _ => {
            variant.settings.report(key, message!("rules.ini-counting"));
            return None;
        }
    };
    let mut decides = Vec::new();
    if both(variant, "pass") == [true, true] {
        decides.push("passes".to_string());
    }
    if variant.settings.truth("bikjangRule", false) && !variant.settings.truth("flyingGeneral", false) {
        decides.push("facing".to_string());
    }
    if variant.settings.number("nMoveRule", 50, 0..=5_000) > 0 {
        decides.push("quiet".to_string());
    }
    if variant.settings.number("nFoldRule", 3, 0..=10) > 0 {
        decides.push("repetition".to_string());
    }
    if decides.is_empty() {
        return None;
    }
    let extra = if rule == "janggi" { ", second-extra = 1.5" } else { "" };
    let text =
        format!("points = {{ pieces = {{ {} }}{extra}, decides = {} }}", pieces.join(", "), list(&decides));
    Some((key, text))
}

/// `counting`: what the three rules of the program say, about the pieces that it names.
fn counting(variant: &mut Variant) -> Option<(&'static str, String)> {
    let key = "countingRule";
    let text = variant.settings.text(key)?.to_string();
    let (others, limits, rest) = match text.as_str() {
        "makruk" => ("others = { moves = 64 }, ", MAKRUK_LIMITS, ", moves = 64, from = \"men\""),
        "cambodian" => {
            let others = "others = { moves = 63, men = 3, waits = \"no\" }, ";
            (others, CAMBODIAN_LIMITS, ", moves = 63, from = \"men\"")
        }
        "asean" => ("", ASEAN_LIMITS, ""),
        "none" => return None,
        _ => {
            variant.settings.report(key, message!("rules.ini-counting-rule"));
            return None;
        }
    };
    let mut written: Vec<String> = Vec::new();
    for (pieces, moves) in limits {
        let names: Vec<String> = pieces.iter().map(|fairy| variant.name_of(fairy)).collect();
        if names.iter().all(|name| !name.is_empty()) {
            written.push(format!("{} {moves}", names.join(" ")));
        }
    }
    let limits = written.iter().map(|limit| quoted(limit)).collect::<Vec<_>>().join(", ");
    let pawn = variant.name_of("pawn");
    let without = if pawn.is_empty() { String::new() } else { format!("without = {}, ", quoted(&pawn)) };
    Some((key, format!("counting = {{ {without}{others}bare = {{ limits = [{limits}]{rest} }} }}")))
}

/// Pieces that a side has, and the moves in which it must mate a bare king with them; the first that fits.
type Limits = &'static [(&'static [&'static str], u8)];

const MAKRUK_LIMITS: Limits = &[
    (&["rook", "rook"], 8),
    (&["rook"], 16),
    (&["silver", "silver"], 22),
    (&["knight", "knight"], 32),
    (&["silver"], 44),
];
const CAMBODIAN_LIMITS: Limits = &[
    (&["rook", "rook"], 7),
    (&["rook"], 15),
    (&["silver", "silver"], 21),
    (&["knight", "knight"], 31),
    (&["silver"], 43),
];
const ASEAN_LIMITS: Limits = &[(&["rook"], 16), (&["silver"], 44), (&["knight"], 64)];
