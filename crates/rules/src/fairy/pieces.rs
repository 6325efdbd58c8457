//! The pieces of a variant: letters, moves with their regions, and the tables that say so.
//!
//! In: keys of pieces. Out: `[pieces.NAME]`. Never: what pieces become, which `promotion.rs` says.

use ashta_messages::message;

use super::hands;
use super::keys::PIECES;
use super::promotion::{self, Mark, Promotions};
use super::settings::{mobility_key, piece_names};
use super::squares;
use super::variant::{HandKind, Lines, Piece, Sides, Variant, quoted};
use crate::betza::{Movement, read_betza};
use crate::betza_text::{Dialect, write_betza};
use crate::betza_xboard::read_xboard_betza;
use crate::ends::Verdict;
use crate::grid::{Side, Square};
use crate::problem::{Place, Problem};
use crate::region::SquareSet;

/// The king, whose loss loses the game.
const KING: &str = "king";

/// Reads every piece.
pub fn read(variant: &mut Variant) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for fairy in piece_names() {
        let Some(setting) = variant.settings.get(&fairy).cloned() else { continue };
        let (letter, moves) = match setting.text.split_once(':') {
            Some((letter, moves)) => (letter.trim(), Some(moves)),
            None => (setting.text.trim(), None),
        };
        let letter: String = letter.chars().take(1).map(|c| c.to_ascii_uppercase()).collect();
        let named = PIECES.iter().find(|piece| piece.name == fairy).map(|piece| piece.moves);
        let text = if named.is_none() || fairy == KING { moves.or(named) } else { named };
        let Some(text) = text else {
            variant.settings.report(&fairy, message!("rules.ini-no-moves", key = fairy));
            continue;
        };
        let offset = moves.map_or(0, |moves| moves.as_ptr() as usize - setting.text.as_ptr() as usize);
        let movements = read_xboard_betza(text.trim_end()).unwrap_or_else(|error| {
            let place =
                Place { offset: setting.place.offset + offset + error.offset, ..setting.place.clone() };
            let hint = message!("rules.betza-help");
            variant.settings.problems.push(Problem::new(place, error.what).hint(hint));
            Vec::new()
        });
        let royal = fairy == KING;
        pieces.push(Piece { name: our_name(&fairy), fairy, letter, movements, royal, place: setting.place });
    }
    crown(variant, &mut pieces);
    // An older key gives the king the moves of another piece.
    if let Some(wanted) = variant.settings.text("kingType").map(str::to_ascii_uppercase)
        && let Some(like) =
            pieces.iter().find(|piece| piece.letter == wanted).map(|piece| piece.movements.clone())
    {
        pieces.iter_mut().filter(|piece| piece.fairy == KING).for_each(|king| king.movements = like.clone());
    }
    pieces
}

/// Makes a piece royal whose extinction may not be left to the other side's next move.
fn crown(variant: &mut Variant, pieces: &mut [Piece]) {
    let key = "extinctionPseudoRoyal";
    if !variant.settings.truth(key, false) {
        return;
    }
    let types = variant.settings.text("extinctionPieceTypes").unwrap_or_default().trim().to_ascii_uppercase();
    let is_last = variant.settings.number("extinctionPieceCount", 0, 0..=255) == 0;
    let loses = variant.settings.verdict("extinctionValue", None) == Some(Verdict::Loss);
    let has_king = pieces.iter().any(|piece| piece.royal);
    match pieces.iter_mut().find(|piece| piece.letter == types) {
        Some(piece) if is_last && loses && !has_king => piece.royal = true,
        Some(_) | None => variant.settings.refuse(key),
    }
}

/// `fersAlfil` as `fers-alfil`.
fn our_name(fairy: &str) -> String {
    let mut out = String::new();
    for c in fairy.replace("customPiece", "custom-").chars() {
        if c.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// Writes every piece, and the promoted forms of those that have some.
pub fn write(variant: &mut Variant, hand: HandKind) -> Lines {
    let mut lines = Lines::new();
    let promotions = promotion::read(variant, hand);
    let en_passant = en_passant_types(variant);
    for piece in variant.pieces.clone() {
        let moves = moves(variant, &piece, &en_passant);
        lines
            .push((piece.place.clone(), format!("\n[pieces.{}]\nletter = \"{}\"", piece.name, piece.letter)));
        lines.push((piece.place.clone(), format!("moves = {moves}")));
        if piece.royal {
            lines.push((piece.place.clone(), "royal = true".to_string()));
            lines.extend(leap_lost_to(variant, &piece));
        }
        if let Some((key, text)) = promotions.text_of(&piece.name) {
            lines.push((variant.settings.place_of(key), text));
        }
        if let Some((key, text)) = hands::drop_rule(variant, &piece, hand, &promotions) {
            lines.push((variant.settings.place_of(key), text));
        }
    }
    lines.extend(promoted_kinds(variant, &promotions, &en_passant));
    lines
}

/// The kinds that pieces become, where they are not pieces of the start: they move as such a piece does.
fn promoted_kinds(variant: &mut Variant, promotions: &Promotions, en_passant: &[String]) -> Lines {
    let mut lines = Lines::new();
    for form in promotions.kinds() {
        let of = |name: &str| variant.pieces.iter().find(|piece| piece.name == name).cloned();
        let (Some(plain), Some(like)) = (of(&form.plain), of(&form.like)) else { continue };
        let moves = moves(variant, &like, en_passant);
        let letter = match form.mark {
            Mark::Plus => format!("+{}", plain.letter),
            Mark::Tilde => format!("{}~", like.letter),
        };
        let place = variant.settings.place_of(form.key);
        lines.push((
            place.clone(),
            format!("\n[pieces.{}]\nletter = \"{letter}\"\nmoves = {moves}", form.name),
        ));
        lines.extend(form.line.iter().map(|line| (place.clone(), line.clone())));
        variant.promoted.push((form.name.clone(), form.like.clone()));
    }
    lines
}

/// The pieces of the other side that end the right of a king to its first leap.
fn leap_lost_to(variant: &mut Variant, king: &Piece) -> Lines {
    let key = "cambodianMoves";
    let is_leaping = king.fairy == KING && variant.settings.truth(key, false);
    let rook = Some(variant.name_of("rook")).filter(|name| is_leaping && !name.is_empty());
    let line = rook.map(|name| format!("first-move-lost-to = {}", quoted(&name)));
    line.map(|line| (variant.settings.place_of(key), line)).into_iter().collect()
}

/// The kinds that capture in passing, if any can.
fn en_passant_types(variant: &mut Variant) -> Vec<String> {
    let mut types = variant.piece_set_of_both("enPassantTypes", &["pawn"]).unwrap_or_default();
    // A piece whose moves say so captures in passing, too.
    for piece in &variant.pieces {
        if piece.movements.iter().any(|movement| movement.en_passant) && !types.contains(&piece.name) {
            types.push(piece.name.clone());
        }
    }
    let everywhere = SquareSet::all(variant.grid);
    let region = variant.sides("enPassantRegion", [everywhere; 2]);
    if region.iter().all(SquareSet::is_empty) {
        return Vec::new();
    }
    if region != [everywhere; 2] && !types.is_empty() {
        for key in ["enPassantRegionWhite", "enPassantRegionBlack"] {
            if variant.settings.get(key).is_some() {
                variant.settings.refuse(key);
            }
        }
    }
    types
}

/// The value of `moves`.
fn moves(variant: &mut Variant, piece: &Piece, en_passant: &[String]) -> String {
    let within = mobility(variant, piece);
    let mut parts: Vec<String> = Vec::new();
    let rank = variant.settings.number("soldierPromotionRank", 1, 1..=16) as u8;
    match piece.fairy.as_str() {
        "soldier" if rank > 1 => {
            let top = variant.grid.ranks();
            let beyond =
                [false, true].map(|is_second| squares::ranks(variant.grid, rank - 1, top - 1, is_second));
            let region = variant.region("beyond", beyond, "soldierPromotionRank");
            parts.push(part(&["fW"], None, within.as_deref()));
            parts.push(part(&["sW"], Some(&region), within.as_deref()));
        }
        "janggiCannon" => {
            let limits = format!("not-over = \"{0}\", not-onto = \"{0}\"", piece.name);
            let within = within.as_ref().map_or_else(String::new, |name| format!(", within = \"{name}\""));
            parts.push(format!("{{ moves = \"pR\", {limits}{within} }}"));
        }
        _ => parts.extend(plain_parts(variant, piece, en_passant, within.as_deref())),
    }
    parts.extend(along_lines(variant, piece));
    if variant.settings.truth("cambodianMoves", false) {
        parts.extend(first_leap(&piece.fairy, within.as_deref()));
    }
    match parts.as_slice() {
        [part] => part.clone(),
        parts => format!("[{}]", parts.join(", ")),
    }
}

/// The leap that a piece may make once, in the games of Cambodia.
fn first_leap(fairy: &str, within: Option<&str>) -> Option<String> {
    let limit = within.map_or_else(String::new, |name| format!(", within = {}", quoted(name)));
    match fairy {
        KING => Some(format!("{{ moves = \"imlfNimrfN\", in-check = \"forbidden\"{limit} }}")),
        "fers" => Some(part(&["imfD"], None, within)),
        _ => None,
    }
}

/// The moves of a piece as its notation says them, and the double step of pawns.
fn plain_parts(
    variant: &mut Variant,
    piece: &Piece,
    en_passant: &[String],
    within: Option<&str>,
) -> Vec<String> {
    let (mut first, mut always): (Vec<Movement>, Vec<Movement>) =
        piece.movements.iter().cloned().partition(|movement| movement.first_move_only);
    let takes_in_passing = en_passant.contains(&piece.name);
    for movement in always.iter_mut().chain(&mut first) {
        movement.en_passant = takes_in_passing && movement.target == crate::betza::Target::Capture;
    }
    if piece.fairy == "pawn" && variant.settings.truth("doubleStep", true) {
        first.extend(read_betza("imfnD").unwrap_or_default());
    }
    let texts = [&always, &first].map(|movements| write_betza(movements, Dialect::Ours));
    let [always_text, first_text] = match texts {
        [Ok(always), Ok(first)] => [always, first],
        [Err(what), _] | [_, Err(what)] => {
            variant.settings.problems.push(Problem::new(piece.place.clone(), what));
            return Vec::new();
        }
    };
    let mut parts = Vec::new();
    let steps =
        if first.is_empty() { Steps::None } else { double_step(variant, piece, !en_passant.is_empty()) };
    match steps {
        Steps::None => {}
        Steps::Anywhere => return vec![part(&[&always_text, &first_text], None, within)],
        Steps::From(region) => parts.push(part(&[&first_text], Some(&region), within)),
        Steps::WheneverFrom(region) => {
            parts.push(part(&[&first_text.replace('i', "")], Some(&region), within))
        }
    }
    if !always_text.is_empty() || parts.is_empty() {
        parts.insert(0, part(&[&always_text], None, within));
    }
    parts
}

/// From where a piece may make its first-move steps.
enum Steps {
    None,
    /// From wherever it starts.
    Anywhere,
    /// From those squares of a region on which it starts.
    From(String),
    /// From a region, however often it comes there.
    WheneverFrom(String),
}

/// Fairy-Stockfish allows double steps from a region, our rules from squares on which the piece starts.
fn double_step(variant: &mut Variant, piece: &Piece, can_be_taken: bool) -> Steps {
    // The second rank and the seventh, also of boards with other numbers of ranks.
    let rank = |n: u8| variant.grid.squares().filter(|s| variant.grid.rank(*s) == n).collect::<SquareSet>();
    let default = [rank(1), rank(6)];
    let region = variant.sides("doubleStepRegion", default);
    let starts = [Side::FIRST, Side::SECOND].map(|side| variant.starts_of(&piece.letter, side));
    let minus =
        |set: &SquareSet, other: &SquareSet| set.iter().filter(|s| !other.has(*s)).collect::<SquareSet>();
    let stray = [0, 1].map(|n| minus(&region[n], &starts[n]));
    let outside = [0, 1].map(|n| minus(&starts[n], &region[n]));
    let is_covered = (0..2).all(|n| !comes_there(variant, piece, &stray[n], &starts[n], n == 1));
    if !can_be_taken {
        return match region.iter().all(SquareSet::is_empty) {
            true => Steps::None,
            false => Steps::WheneverFrom(variant.region("double-step", region, "doubleStepRegionWhite")),
        };
    }
    let only_forward = piece.movements.iter().all(|m| m.steps.iter().all(|step| step.rank > 0));
    let is_used = (0..2).any(|n| !region[n].and(&starts[n]).is_empty());
    if !is_covered || is_used && !only_forward {
        let key = if piece.fairy == "pawn" { "doubleStep" } else { &piece.fairy };
        variant.settings.report(key, message!("rules.ini-double-step", name = piece.name));
        return Steps::None;
    }
    match (is_used, outside.iter().all(SquareSet::is_empty)) {
        (false, _) => Steps::None,
        (true, true) => Steps::Anywhere,
        (true, false) => Steps::From(variant.region("double-step", region, "doubleStepRegionWhite")),
    }
}

/// Whether a piece may come to one of these squares, where none starts: from behind, or from the hand.
fn comes_there(
    variant: &mut Variant,
    piece: &Piece,
    squares: &SquareSet,
    starts: &SquareSet,
    is_second: bool,
) -> bool {
    let grid = variant.grid;
    let own =
        |square: Square| if is_second { grid.ranks() - grid.rank(square) } else { grid.rank(square) + 1 };
    let is_behind = squares.iter().any(|square| starts.iter().any(|start| own(start) < own(square)));
    let hands = variant.start.hands.clone().unwrap_or_default();
    let is_in_hand = hands.to_ascii_uppercase().contains(&piece.letter);
    let is_dropped = variant.settings.truth("pieceDrops", false)
        && (variant.settings.truth("capturesToHand", false) || is_in_hand);
    is_behind || is_dropped && !squares.is_empty()
}

/// A part of `moves`: a text, or a table with regions.
fn part(texts: &[&str], from: Option<&str>, within: Option<&str>) -> String {
    let mut out = format!("moves = {}", quoted(&texts.concat()));
    if from.is_none() && within.is_none() {
        return quoted(&texts.concat());
    }
    for (key, region) in [("from", from), ("within", within)] {
        if let Some(name) = region {
            out += &format!(", {key} = {}", quoted(name));
        }
    }
    format!("{{ {out} }}")
}

/// The region that a piece may not leave; an empty one stands for none.
fn mobility(variant: &mut Variant, piece: &Piece) -> Option<String> {
    let keys = ["White", "Black"].map(|side| mobility_key(side, &piece.fairy));
    let grid = variant.grid;
    let sets = [0, 1].map(|n| variant.settings.squares(&keys[n], grid).unwrap_or(SquareSet::EMPTY));
    let everywhere = SquareSet::all(grid);
    let sets: Sides = sets.map(|set| if set.is_empty() { everywhere } else { set });
    (sets != [everywhere; 2]).then(|| variant.region(&format!("{}-region", piece.name), sets, &keys[0]))
}

/// Steps along the diagonal lines of palaces, for the pieces that follow them.
fn along_lines(variant: &mut Variant, piece: &Piece) -> Vec<String> {
    let grid = variant.grid;
    let Some(lines) = variant.settings.squares("diagonalLines", grid).filter(|lines| !lines.is_empty())
    else {
        return Vec::new();
    };
    let is_wazir = read_betza("W").is_ok_and(|wazir| wazir == piece.movements);
    let (moves, limits) = match piece.fairy.as_str() {
        "soldier" => ("fF", String::new()),
        "rook" => ("B", String::new()),
        "janggiCannon" => ("pB", format!(", not-over = \"{0}\", not-onto = \"{0}\"", piece.name)),
        _ if is_wazir => ("F", String::new()),
        _ => return Vec::new(),
    };
    let name = variant.region("lines", [lines; 2], "diagonalLines");
    vec![format!("{{ moves = \"{moves}\", from = \"{name}\", within = \"{name}\"{limits} }}")]
}
