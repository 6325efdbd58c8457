//! What pieces become.
//!
//! In: the keys of promotion. Out: `promotes` of each kind. Never: how the promoted forms move.

use ashta_messages::message;

use super::variant::{HandKind, Piece, Variant, list, quoted};
use crate::grid::Side;
use crate::region::SquareSet;

/// The promotions of a variant.
pub struct Promotions {
    /// Kinds that promote by arriving, as pawns do.
    pub pawns: Vec<String>,
    /// The lines for them.
    pawn_text: Option<String>,
    /// Kinds that are made for what pieces become.
    kinds: Vec<PromotedKind>,
    form_text: String,
}

/// A kind that is made for what a piece becomes.
pub struct PromotedKind {
    pub name: String,
    /// The piece that becomes it.
    pub plain: String,
    /// The piece that it moves like.
    pub like: String,
    pub mark: Mark,
    /// What else it says.
    pub line: Option<String>,
    /// The key that it comes from.
    pub key: &'static str,
}

/// How positions mark a promoted piece.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `+P`, a kind of its own in moves as well.
    Plus,
    /// `Q~`, a queen in moves.
    Tilde,
}

impl Promotions {
    /// The line `promotes` of a kind, and the key that it comes from.
    pub fn text_of(&self, name: &str) -> Option<(&'static str, String)> {
        if self.has_form(name) {
            let text = format!("promotes = {{ to = \"promoted-{name}\"{} }}", self.form_text);
            return Some(("promotedPieceType", text));
        }
        let text = self.pawn_text.clone().filter(|_| self.pawns.iter().any(|pawn| pawn == name))?;
        Some(("promotionPieceTypesWhite", text))
    }

    /// Whether a kind has a promoted form.
    pub fn has_form(&self, name: &str) -> bool {
        self.kinds.iter().any(|kind| kind.mark == Mark::Plus && kind.plain == name)
    }

    /// Kinds that are made for what pieces become.
    pub fn kinds(&self) -> &[PromotedKind] {
        &self.kinds
    }
}

/// Reads the promotions.
pub fn read(variant: &mut Variant, hand: HandKind) -> Promotions {
    let forms = read_forms(variant);
    let pawns = variant.piece_set_of_both("promotionPawnTypes", &["pawn"]).unwrap_or_default();
    let targets = targets(variant, &pawns);
    let zone = if forms.is_empty() && targets.is_empty() { None } else { zone(variant) };
    let Some(zone) = zone else {
        return Promotions { pawns, pawn_text: None, kinds: Vec::new(), form_text: String::new() };
    };
    check(variant, &forms, &pawns, &targets);
    let form_text = form_text(variant, &zone);
    let turns_back = variant.settings.truth("pieceDemotion", false);
    let mut kinds: Vec<PromotedKind> = Vec::new();
    for (plain, like) in forms {
        let line = turns_back.then(|| format!("promotes = {{ to = {}{form_text} }}", quoted(&plain)));
        let (name, key) = (format!("promoted-{plain}"), "promotedPieceType");
        kinds.push(PromotedKind { name, plain, like, mark: Mark::Plus, line, key });
    }
    let marked = marked_kinds(variant, hand, &pawns, &targets);
    let to: Vec<String> = match marked.is_empty() {
        true => targets.clone(),
        false => marked.iter().map(|kind| kind.name.clone()).collect(),
    };
    kinds.extend(marked);
    let supply = supply(variant, &targets);
    let pawn_text = pawn_text(variant, &to, &(zone + &supply));
    Promotions { pawns, pawn_text, kinds, form_text }
}

/// No piece promotes in two ways, and no promoted piece does so again.
fn check(variant: &mut Variant, forms: &[(String, String)], pawns: &[String], targets: &[String]) {
    let is_plain = |name: &String| forms.iter().any(|(plain, _)| plain == name);
    let twice = forms.iter().find(|(plain, form)| {
        pawns.contains(plain) && !targets.is_empty() || is_plain(form) || pawns.contains(form)
    });
    if let Some((name, _)) = twice {
        variant
            .settings
            .report("promotedPieceType", message!("rules.ini-promotes-twice", name = name.clone()));
    }
}

/// Where captured pieces change sides, what a pawn became is a pawn again when it is captured.
fn marked_kinds(
    variant: &mut Variant,
    hand: HandKind,
    pawns: &[String],
    targets: &[String],
) -> Vec<PromotedKind> {
    if hand != HandKind::Captures || variant.settings.truth("dropLoop", false) {
        return Vec::new();
    }
    let is_royal = |name: &String| variant.pieces.iter().any(|piece| piece.royal && piece.name == *name);
    let [pawn] = pawns else {
        if !targets.is_empty() {
            variant.settings.refuse("capturesToHand");
        }
        return Vec::new();
    };
    let is_limited = variant.settings.text("promotionLimit").is_some_and(|text| !text.trim().is_empty());
    if targets.iter().any(is_royal) || is_limited && !targets.is_empty() {
        variant.settings.refuse("capturesToHand");
    }
    let marked = |target: &String| PromotedKind {
        name: format!("promoted-{target}"),
        plain: pawn.clone(),
        like: target.clone(),
        mark: Mark::Tilde,
        line: Some(format!("demotes = {}", quoted(pawn))),
        key: "capturesToHand",
    };
    targets.iter().map(marked).collect()
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
    let is_it = |piece: &&Piece| piece.letter.eq_ignore_ascii_case(letter);
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
fn pawn_text(variant: &mut Variant, targets: &[String], zone_and_supply: &str) -> Option<String> {
    if targets.is_empty() {
        return None;
    }
    let is_stuck_illegal = variant.settings.truth("immobilityIllegal", false);
    let choice = match (variant.settings.truth("mandatoryPawnPromotion", true), is_stuck_illegal) {
        (true, _) => "",
        (false, true) => ", choice = \"may-unless-stuck\"",
        (false, false) => ", choice = \"may\"",
    };
    Some(format!("promotes = {{ to = {}{zone_and_supply}{choice} }}", list(targets)))
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
