//! Castling of a variant, read off its start.
//!
//! In: the keys of castling and the castling letters of the start. Out: `[castling]`. Never: other first moves.

use ashta_messages::message;

use super::variant::{Lines, Variant, quoted};
use crate::grid::Side;
use crate::region::SquareSet;

/// Writes `[castling]`.
pub fn write(variant: &mut Variant) -> Lines {
    check_letters(variant);
    if !variant.settings.truth("castling", true) {
        return Lines::new();
    }
    if variant.settings.truth("chess960", false) {
        return from_any_file(variant);
    }
    let place = variant.settings.place_of("startFen");
    let rights = variant.start.rights.to_ascii_uppercase();
    let letters: Vec<char> = ['K', 'Q'].into_iter().filter(|letter| rights.contains(*letter)).collect();
    if letters.is_empty() {
        return Lines::new();
    }
    let mut lines: Lines = vec![(place.clone(), "\n[castling]".to_string())];
    for letter in letters {
        match way(variant, letter) {
            Some(way) => lines.push((place.clone(), format!("{letter} = \"{way}\""))),
            None => variant.settings.report("startFen", message!("rules.ini-castling", letter)),
        }
    }
    lines
}

/// The castling letters of a start, as our positions write them.
pub fn rights(variant: &mut Variant) -> String {
    let is_castling = variant.settings.truth("castling", true);
    let has_files = variant.settings.truth("chess960", false);
    let is_right = |c: &char| "KQkq".contains(*c) || has_files && c.is_ascii_alphabetic();
    let letters: String = variant.start.rights.chars().filter(|c| is_castling && is_right(c)).collect();
    if letters.is_empty() { "-".to_string() } else { letters }
}

/// Other letters are files of rooks, or of pieces that have a first move.
fn check_letters(variant: &mut Variant) {
    let files: String = variant.start.rights.chars().filter(|c| !"KQkq-".contains(*c)).collect();
    if variant.settings.truth("cambodianMoves", false) {
        let mut wanted: Vec<char> = Vec::new();
        for (side, base) in [(Side::FIRST, b'A'), (Side::SECOND, b'a')] {
            let movers =
                variant.pieces.iter().filter(|piece| ["king", "fers"].contains(&piece.fairy.as_str()));
            let squares =
                movers.flat_map(|piece| variant.starts_of(&piece.letter, side).iter().collect::<Vec<_>>());
            wanted.extend(squares.map(|square| char::from(base + variant.grid.file(square))));
        }
        let mut found: Vec<char> = files.chars().collect();
        wanted.sort_unstable();
        found.sort_unstable();
        if wanted != found {
            variant.settings.refuse("startFen");
        }
        return;
    }
    let is_said =
        variant.settings.truth("seirawanGating", false) || variant.settings.truth("chess960", false);
    if let Some(letter) = files.chars().next().filter(|_| !is_said) {
        variant.settings.report("startFen", message!("rules.ini-castling-letter", letter));
    }
}

/// `K = "?1g1 ?1f1"`.
fn from_any_file(variant: &mut Variant) -> Lines {
    let place = variant.settings.place_of("chess960");
    let partners = variant.piece_set_of_both("castlingRookPieces", &["rook"]).unwrap_or_default();
    let kings = kings(variant);
    let is_royal = |name: &String| variant.pieces.iter().any(|piece| piece.name == *name && piece.royal);
    let (true, [partner]) = (!kings.is_empty() && kings.iter().all(is_royal), partners.as_slice()) else {
        variant.settings.refuse("chess960");
        return Lines::new();
    };
    let mut lines: Lines = vec![(place.clone(), format!("\n[castling]\npartner = {}", quoted(partner)))];
    let rank = variant.settings.number("castlingRank", 1, 1..=16) as u8 - 1;
    for letter in ['K', 'Q'] {
        let Some((target, beside)) = targets(variant, letter) else { continue };
        let rank = variant.grid.rank_name(rank);
        let [target, beside] = [target, beside].map(|file| variant.grid.file_name(file));
        lines.push((place.clone(), format!("{letter} = \"?{rank}{target}{rank} ?{rank}{beside}{rank}\"")));
    }
    lines
}

/// The pieces that castle: royal ones, or any if no piece is royal, as nothing can then attack them on their way.
fn kings(variant: &mut Variant) -> Vec<String> {
    let royal: Vec<String> =
        variant.pieces.iter().filter(|piece| piece.royal).map(|piece| piece.name.clone()).collect();
    let kings = variant.piece_set_of_both("castlingKingPiece", &["king"]).unwrap_or_default();
    if !royal.is_empty() && kings.iter().any(|name| !royal.contains(name)) {
        variant.settings.refuse("castlingKingPieceWhite");
    }
    kings
}

/// The files on which the king and its partner arrive.
fn targets(variant: &mut Variant, letter: char) -> Option<(u8, u8)> {
    let (toward, default) = if letter == 'K' { ("Kingside", 6) } else { ("Queenside", 2) };
    let target = variant.settings.file(&format!("castling{toward}File"), default);
    let beside = if letter == 'K' { target.checked_sub(1)? } else { target + 1 };
    Some((target, beside))
}

/// `e1g1 h1f1`, as the first side that has the right castles: the king and the outermost partner on that side of it.
fn way(variant: &mut Variant, letter: char) -> Option<String> {
    let side = if variant.start.rights.contains(letter) { Side::FIRST } else { Side::SECOND };
    let rank = variant.settings.number("castlingRank", 1, 1..=16) as u8 - 1;
    let kings = kings(variant);
    let partners = variant.piece_set_of_both("castlingRookPieces", &["rook"]).unwrap_or_default();
    let (target, beside) = targets(variant, letter)?;
    let toward = if letter == 'K' { "Kingside" } else { "Queenside" };
    let king_file = fixed_file(variant, "castlingKingFile");
    let partner_file = fixed_file(variant, &format!("castlingRook{toward}File"));
    let grid = variant.grid;
    let own = if side == Side::FIRST { rank } else { (grid.ranks() - 1).checked_sub(rank)? };
    let on_rank = |names: &[String], fixed: Option<u8>| {
        let pieces = variant.pieces.iter().filter(|piece| names.contains(&piece.name));
        let squares = pieces.fold(SquareSet::EMPTY, |all, piece| {
            variant.starts_of(&piece.letter, side).iter().chain(all.iter()).collect()
        });
        let here = squares.iter().filter(|square| grid.rank(*square) == own).map(|square| grid.file(square));
        let mut files: Vec<u8> = here.filter(|file| fixed.is_none_or(|fixed| fixed == *file)).collect();
        files.sort_unstable();
        files
    };
    let king = *on_rank(&kings, king_file).first()?;
    let partners = on_rank(&partners, partner_file);
    let partner = match letter {
        'K' => *partners.iter().rev().find(|file| **file > king)?,
        _ => *partners.iter().find(|file| **file < king)?,
    };
    let name =
        |file: u8| grid.at(i16::from(file), i16::from(rank)).map(|square| grid.name(square).to_string());
    Some(format!("{}{} {}{}", name(king)?, name(target)?, name(partner)?, name(beside)?))
}

fn fixed_file(variant: &mut Variant, key: &str) -> Option<u8> {
    variant.settings.get(key).is_some().then(|| variant.settings.file(key, 0))
}
