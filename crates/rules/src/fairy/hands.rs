//! Hands and drops of a variant.
//!
//! In: the keys of drops. Out: `hand`, and `drop` of each kind. Never: the pieces in hand at the start.

use super::promotion::Promotions;
use super::squares;
use super::variant::{HandKind, Piece, Sides, Variant};
use crate::region::SquareSet;

/// What hands are for in a variant.
pub fn kind_of_hand(variant: &mut Variant) -> HandKind {
    let [drops, captures, must] =
        ["pieceDrops", "capturesToHand", "mustDrop"].map(|key| variant.settings.truth(key, false));
    match (drops, captures, must) {
        (false, _, _) => HandKind::None,
        (true, true, false) => HandKind::Captures,
        (true, false, true) => HandKind::SetUp,
        (true, true, true) => {
            variant.settings.refuse("mustDrop");
            HandKind::Captures
        }
        // Pieces in hand that may wait, and nothing that joins them.
        (true, false, false) => {
            variant.settings.refuse("pieceDrops");
            HandKind::None
        }
    }
}

/// The line `drop` of a kind, if it says something, and the key that it comes from.
pub fn drop_rule(
    variant: &mut Variant,
    piece: &Piece,
    hand: HandKind,
    promotions: &Promotions,
) -> Option<(&'static str, String)> {
    if hand == HandKind::None {
        return None;
    }
    if hand == HandKind::Captures
        && promotions.has_form(&piece.name)
        && variant.settings.truth("dropLoop", false)
    {
        refuse_once(variant, "dropLoop");
    }
    let in_hand = variant.start.hands.as_deref().unwrap_or_default().to_ascii_uppercase();
    if hand == HandKind::SetUp && !in_hand.contains(&piece.letter) {
        return None;
    }
    let mut words: Vec<String> = region(variant, piece, promotions).into_iter().collect();
    let doubled = variant.settings.text("dropNoDoubled").unwrap_or("-").to_ascii_uppercase();
    if doubled == piece.letter {
        words.push(format!("per-file = {}", variant.settings.number("dropNoDoubledCount", 1, 1..=16)));
    }
    if piece.fairy == "shogiPawn" && variant.settings.truth("shogiPawnDropMateIllegal", false) {
        words.push("mate = \"forbidden\"".to_string());
    }
    if promotions.has_form(&piece.name) && variant.settings.truth("dropPromoted", false) {
        words.push("face = \"either\"".to_string());
    }
    if !variant.settings.truth("immobilityIllegal", false) {
        words.push("stuck = \"allowed\"".to_string());
    }
    (!words.is_empty() && piece.fairy != "king" || hand == HandKind::SetUp && !words.is_empty())
        .then(|| ("pieceDrops", format!("drop = {{ {} }}", words.join(", "))))
}

fn refuse_once(variant: &mut Variant, key: &str) {
    let place = variant.settings.place_of(key);
    if variant.settings.problems.iter().all(|problem| problem.place != place) {
        variant.settings.refuse(key);
    }
}

/// `region = "..."`, if a kind may not be dropped everywhere.
fn region(variant: &mut Variant, piece: &Piece, promotions: &Promotions) -> Option<String> {
    let grid = variant.grid;
    let everywhere = SquareSet::all(grid);
    let mut sides: Sides = variant.sides("dropRegion", [everywhere; 2]);
    let mut keep = |wanted: Sides| sides = [sides[0].and(&wanted[0]), sides[1].and(&wanted[1])];
    let without = |set: SquareSet| grid.squares().filter(|s| !set.has(*s)).collect::<SquareSet>();
    if promotions.pawns.contains(&piece.name) {
        if !variant.settings.truth("promotionZonePawnDrops", false) {
            let last = [7, 0].map(|n| grid.squares().filter(|s| grid.rank(*s) == n).collect::<SquareSet>());
            keep(variant.sides("promotionRegion", last).map(without));
        }
        if !variant.settings.truth("firstRankPawnDrops", false) {
            keep([false, true].map(|is_second| without(squares::ranks(grid, 0, 0, is_second))));
        }
    }
    if piece.fairy == "rook" && variant.settings.truth("sittuyinRookDrop", false) {
        keep([false, true].map(|is_second| squares::ranks(grid, 0, 0, is_second)));
    }
    let keys = ["White", "Black"].map(|side| super::settings::mobility_key(side, &piece.fairy));
    let mobility = keys.map(|key| variant.settings.squares(&key, grid).filter(|set| !set.is_empty()));
    keep(mobility.map(|set| set.unwrap_or(everywhere)));
    (sides != [everywhere; 2]).then(|| {
        let name = variant.region(&format!("{}-drops", piece.name), sides, "dropRegionWhite");
        format!("region = \"{name}\"")
    })
}
