//! What moves must do, may not do, and bring about in a variant.
//!
//! In: the keys of captures and checks. Out: `capture`, `check`, `royal-in-check` and `[explosion]`. Never: ends.

use super::variant::{GameText, Lines, Variant, list};

/// Writes `capture`, `check` and `royal-in-check`.
pub fn write(variant: &mut Variant, out: &mut GameText) {
    for (key, value, line) in [
        ("mustCapture", true, "capture = \"obligatory\""),
        ("checking", false, "check = \"forbidden\""),
        ("makpongRule", true, "royal-in-check = \"only-takes\""),
    ] {
        if variant.settings.truth(key, !value) == value {
            out.line(&variant.settings.place_of(key), line);
        }
    }
}

/// Writes `[explosion]`.
pub fn write_explosion(variant: &mut Variant) -> Lines {
    let key = "blastOnCapture";
    if !variant.settings.truth(key, false) {
        return Lines::new();
    }
    // What explodes would join a hand; and kings of its own kind may not stand next to each other.
    let has_king = variant.pieces.iter().any(|piece| piece.fairy == "king");
    if has_king || variant.settings.truth("capturesToHand", false) {
        variant.settings.refuse(key);
    }
    let spared: Vec<String> =
        variant.pieces.iter().filter(|piece| piece.fairy == "pawn").map(|piece| piece.name.clone()).collect();
    vec![(variant.settings.place_of(key), format!("\n[explosion]\nspares = {}", list(&spared)))]
}
