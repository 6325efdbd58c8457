//! How games of a variant end, and what a turn may be besides a move.
//!
//! In: the keys of ends. Out: `[ends]`, `pass` and `facing`. Never: check and mate, which every king has.

use ashta_messages::message;

use super::game::{GameText, Lines, Sides, Variant, list, quoted};
use super::squares;
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

/// Writes `[ends]`.
pub fn write(variant: &mut Variant) -> Lines {
    let place = variant.settings.place.clone();
    let mut lines: Lines = vec![(place, "\n[ends]\nroyal = \"checkmate\"".to_string())];
    let stalemate = variant.settings.verdict("stalemateValue", Some(Verdict::Draw)).unwrap_or(Verdict::Draw);
    let line = format!("stalemate = \"{}\"", word(stalemate));
    lines.push((variant.settings.place_of("stalemateValue"), line));
    let parts: [fn(&mut Variant) -> Option<(&'static str, String)>; 7] =
        [goal, extinction, checks, repetition, quiet, passes, points];
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
    let is_royal = pieces == ["king"];
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
            let of = types.as_ref().map_or_else(String::new, |names| format!(", of = {}", list(names)));
            let each = match types.as_ref().map_or(0, Vec::len) {
                0 | 1 => "",
                _ => ", counted = \"each\"",
            };
            let below = if count > 0 { format!(", below = {}", count + 1) } else { String::new() };
            Some((key, format!("extinction = {{ verdict = \"{verdict_word}\"{of}{each}{below} }}")))
        }
        _ => {
            let other = if is_claimed { "extinctionClaim" } else { "extinctionOpponentPieceCount" };
            variant.settings.refuse(other);
            None
        }
    }
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
        Some(names) => format!(", progress = {}", list(&names)),
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
