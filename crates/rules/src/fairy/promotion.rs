//! What pieces become.
//!
//! In: the keys of promotion. Out: `promotes` of each kind. Never: how the promoted forms move.

use ashta_messages::message;

use super::game::{Variant, list};
use crate::grid::Side;
use crate::region::SquareSet;

/// The promotions of a variant.
pub struct Promotions {
    /// Kinds that promote by arriving, as pawns do.
    pub pawns: Vec<String>,
    /// The lines for them.
    pawn_text: Option<String>,
    /// Kinds with a promoted form each.
    forms: Vec<(String, String)>,
    form_text: String,
}

impl Promotions {
    /// The line `promotes` of a kind, and the key that it comes from.
    pub fn text_of(&self, name: &str) -> Option<(&'static str, String)> {
        if self.forms.iter().any(|(plain, _)| plain == name) {
            return Some((
                "promotedPieceType",
                format!("promotes = {{ to = \"promoted-{name}\"{} }}", self.form_text),
            ));
        }
        let text = self.pawn_text.clone().filter(|_| self.pawns.iter().any(|pawn| pawn == name))?;
        Some(("promotionPieceTypesWhite", text))
    }

    /// Kinds with a promoted form, and the kind that it moves like.
    pub fn forms(&self) -> &[(String, String)] {
        &self.forms
    }

    /// Whether a pawn may become another kind, so that what it is on being captured matters.
    pub fn has_pawn_promotion(&self) -> bool {
        self.pawn_text.is_some()
    }
}

/// Reads the promotions.
pub fn read(variant: &mut Variant) -> Promotions {
    let forms = read_forms(variant);
    let pawns = variant.piece_set_of_both("promotionPawnTypes", &["pawn"]).unwrap_or_default();
    let targets = targets(variant, &pawns);
    let zone = if forms.is_empty() && targets.is_empty() { None } else { zone(variant) };
    let pawn_text = zone.as_ref().and_then(|zone| pawn_text(variant, &targets, zone));
    if let Some((both, _)) = forms.iter().find(|(plain, _)| pawns.contains(plain) && pawn_text.is_some()) {
        variant
            .settings
            .report("promotedPieceType", message!("rules.ini-promotes-twice", name = both.clone()));
    }
    let form_text = zone.as_ref().map(|zone| form_text(variant, zone)).unwrap_or_default();
    let forms = if zone.is_some() { forms } else { Vec::new() };
    Promotions { pawns, pawn_text, forms, form_text }
}

/// The zone of each side, as text; none if it has no square.
fn zone(variant: &mut Variant) -> Option<String> {
    let rank = |n: u8| -> SquareSet {
        variant.grid.squares().filter(|square| variant.grid.rank(*square) == n).collect()
    };
    let sides = [rank(7), rank(0)];
    let sides = variant.sides("promotionRegion", sides);
    if sides.iter().all(SquareSet::is_empty) {
        return None;
    }
    let name = variant.region("promotion-zone", sides, "promotionRegionWhite");
    Some(format!(", zone = \"{name}\""))
}

/// `p:g s:g`.
fn read_forms(variant: &mut Variant) -> Vec<(String, String)> {
    let key = "promotedPieceType";
    let Some(text) = variant.settings.text(key).map(str::to_string) else { return Vec::new() };
    let mut forms = Vec::new();
    for word in text.split_whitespace().filter(|word| *word != "-") {
        let pair = word.split_once(':').map(|(plain, form)| [plain, form]);
        let Some([plain, form]) = pair else {
            variant.settings.report(key, message!("rules.ini-pair", key, text = short(word)));
            continue;
        };
        let found = [plain, form].map(|letter| find(variant, letter));
        match found {
            [Some(_), None] if form == "-" => {}
            [Some(plain), Some(form)] => forms.push((plain, form)),
            [None, _] | [_, None] => {
                variant.settings.report(key, message!("rules.ini-piece", key, letter = short(word)))
            }
        }
    }
    forms
}

fn short(text: &str) -> String {
    text.chars().take(20).collect()
}

fn find(variant: &Variant, letter: &str) -> Option<String> {
    let is_it = |piece: &&super::pieces::Piece| piece.letter.eq_ignore_ascii_case(letter);
    variant.pieces.iter().find(is_it).map(|piece| piece.name.clone())
}

/// How pieces with a promoted form promote.
fn form_text(variant: &mut Variant, zone: &str) -> String {
    let on = match variant.settings.truth("piecePromotionOnCapture", false) {
        true => "capture",
        false => "start-or-end",
    };
    let is_stuck_illegal = variant.settings.truth("immobilityIllegal", false);
    let choice = match (variant.settings.truth("mandatoryPiecePromotion", false), is_stuck_illegal) {
        (true, _) => "must",
        (false, true) => "may-unless-stuck",
        (false, false) => "may",
    };
    format!("{zone}, on = \"{on}\", choice = \"{choice}\"")
}

/// What pawns may become.
fn targets(variant: &mut Variant, pawns: &[String]) -> Vec<String> {
    if pawns.is_empty() {
        return Vec::new();
    }
    let default = ["queen", "rook", "bishop", "knight"];
    variant.piece_set_of_both("promotionPieceTypes", &default).unwrap_or_default()
}

/// `promotes` of pawns; none if there is nothing to become.
fn pawn_text(variant: &mut Variant, targets: &[String], zone: &str) -> Option<String> {
    if targets.is_empty() {
        return None;
    }
    let is_stuck_illegal = variant.settings.truth("immobilityIllegal", false);
    let choice = match (variant.settings.truth("mandatoryPawnPromotion", true), is_stuck_illegal) {
        (true, _) => "",
        (false, true) => ", choice = \"may-unless-stuck\"",
        (false, false) => ", choice = \"may\"",
    };
    let supply = supply(variant, targets);
    Some(format!("promotes = {{ to = {}{zone}{choice}{supply} }}", list(targets)))
}

/// `q:1 r:2` as a limit: the same number for all, or as many as at the start.
fn supply(variant: &mut Variant, targets: &[String]) -> String {
    let key = "promotionLimit";
    let Some(text) = variant.settings.text(key).map(str::to_string) else { return String::new() };
    let mut limits: Vec<(String, u32)> = Vec::new();
    for word in text.split_whitespace() {
        let found =
            word.split_once(':').and_then(|(letter, n)| Some((find(variant, letter)?, n.parse().ok()?)));
        match found {
            Some(limit) => limits.push(limit),
            None => variant.settings.report(key, message!("rules.ini-pair", key, text = short(word))),
        }
    }
    let limit_of = |name: &String| limits.iter().find(|(other, _)| other == name).map_or(0, |(_, n)| *n);
    let wanted: Vec<u32> = targets.iter().map(limit_of).collect();
    if wanted.iter().all(|n| *n == 0) {
        return String::new();
    }
    let at_start = |name: &String| {
        let letter =
            variant.pieces.iter().find(|piece| piece.name == *name).map(|piece| piece.letter.as_str());
        let count = |side| letter.map_or(0, |letter| variant.starts_of(letter, side).iter().count() as u32);
        [count(Side::FIRST), count(Side::SECOND)]
    };
    if targets.iter().zip(&wanted).all(|(name, n)| at_start(name) == [*n; 2]) {
        return ", supply = \"lost\"".to_string();
    }
    match wanted.windows(2).all(|pair| pair[0] == pair[1]) {
        true => format!(", at-most = {}", wanted[0]),
        false => {
            variant.settings.refuse(key);
            String::new()
        }
    }
}
