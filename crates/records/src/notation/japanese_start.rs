//! First positions of Japanese records: named handicaps, diagrams, hands.
//!
//! In: words and lines. Out: setups. Never: whether one is playable.

use ashta_messages::{Message, message};
use ashta_position::notation::has_own_names;
use ashta_position::notation::japanese::{
    KIF_ALIASES, PIECES, PieceNames, diagram_name, kind_of, read_digits, square_at,
};
use ashta_rules::{KindId, Rules, Setup, Side};

/// Handicaps by their KIF and JKF names, and the squares whose pieces are removed.
const HANDICAPS: [(&str, &str, &str); 17] = [
    ("平手", "HIRATE", ""),
    ("香落ち", "KY", "11"),
    ("右香落ち", "KY_R", "91"),
    ("角落ち", "KA", "22"),
    ("飛車落ち", "HI", "82"),
    ("飛香落ち", "HIKY", "82 11"),
    ("二枚落ち", "2", "82 22"),
    ("三枚落ち", "3", "82 22 91"),
    ("四枚落ち", "4", "82 22 11 91"),
    ("五枚落ち", "5", "82 22 11 91 81"),
    ("左五枚落ち", "5_L", "82 22 11 91 21"),
    ("六枚落ち", "6", "82 22 11 91 81 21"),
    ("左七枚落ち", "7_L", "82 22 11 91 81 21 31"),
    ("右七枚落ち", "7_R", "82 22 11 91 81 21 71"),
    ("七枚落ち", "7", "82 22 11 91 81 21 71"),
    ("八枚落ち", "8", "82 22 11 91 81 21 71 31"),
    ("十枚落ち", "10", "82 22 11 91 81 21 71 31 61 41"),
];

/// The start of a handicap by either name; the side that gives it moves first.
pub fn handicap(rules: &Rules, name: &str) -> Option<Setup> {
    if rules.kif_name() == Some(name) {
        return Some(rules.start().clone());
    }
    let (kif, _, squares) = HANDICAPS.iter().find(|(kif, jkf, _)| *kif == name || *jkf == name)?;
    let mut setup = rules.start().clone();
    for square in squares.split_whitespace() {
        let mut digits = square.chars();
        let square = read_digits(rules.grid(), digits.next()?, digits.next()?)?;
        *setup.board.get_mut(square.0 as usize)? = None;
    }
    setup.turn = u8::from(*kif != HANDICAPS[0].0);
    Some(setup)
}

pub fn kind_of_csa(rules: &Rules, name: &str) -> Option<KindId> {
    PIECES.into_iter().find(|piece| piece.csa == name).and_then(|piece| kind_of(rules, piece))
}

/// Parses the Japanese name of a piece; returns the rest.
pub fn kind_in_japanese<'t>(rules: &Rules, text: &'t str) -> Option<(KindId, &'t str)> {
    if has_own_names(rules) {
        return own_kind(rules, text);
    }
    let usual = PIECES.into_iter().map(|piece| (piece.kif, piece.kif));
    let (name, rest) =
        usual.chain(KIF_ALIASES).find_map(|(name, usual)| Some((usual, text.strip_prefix(name)?)))?;
    let piece: PieceNames = PIECES.into_iter().find(|piece| piece.kif == name)?;
    Some((kind_of(rules, piece)?, rest))
}

/// The kind with the longest name at the start of a text, in a game that names its pieces itself; plain before promoted.
fn own_kind<'t>(rules: &Rules, text: &'t str) -> Option<(KindId, &'t str)> {
    let mut found: Option<(KindId, &str)> = None;
    for kind in rules.kind_ids() {
        let is = rules.kind(kind);
        let others = is.kanji.iter().flatten().chain(&is.kif).cloned();
        for name in std::iter::once(diagram_name(rules, kind)).chain(others) {
            let rest = text.strip_prefix(name.as_str()).filter(|_| !name.is_empty());
            if let Some(rest) =
                rest.filter(|rest| found.is_none_or(|(_, shortest)| rest.len() < shortest.len()))
            {
                found = Some((kind, rest));
            }
        }
    }
    found
}

/// One rank of a diagram: `| ・v飛 ・ 歩|一`, or with three columns a square `|  ・v 飛v成獅|一`. Returns `false` if it is malformed.
pub fn read_diagram_rank(setup: &mut Setup, rules: &Rules, rank: u8, line: &str) -> bool {
    let Some(inner) = line.trim_start().strip_prefix('|').and_then(|rest| rest.split('|').next()) else {
        return false;
    };
    let grid = rules.grid();
    let (mut rest, mut file) = (inner, grid.files());
    while file > 0 {
        let (side, after) = match rest.strip_prefix('v') {
            Some(after) => (Side::SECOND, after),
            None => (Side::FIRST, rest.strip_prefix([' ', '^']).unwrap_or(rest)),
        };
        let after = after.trim_start_matches(' ');
        let Some(square) = square_at(grid, file, rank) else { return false };
        if let Some(after) = after.strip_prefix('・') {
            rest = after;
        } else if let Some((kind, after)) = kind_in_japanese(rules, after) {
            setup.board[square.0 as usize] = Some((side, kind));
            rest = after;
        } else {
            return false;
        }
        file -= 1;
    }
    true
}

/// A hand: `飛　角　金二　歩十八`, `なし`. The error is the part that cannot be parsed.
pub fn read_hand(setup: &mut Setup, rules: &Rules, side: Side, text: &str) -> Result<(), Message> {
    for word in text.split([' ', '　', '\t']).filter(|word| !word.is_empty() && *word != "なし") {
        let unknown = || message!("records.not-in-hand", word);
        let (kind, number) = kind_in_japanese(rules, word).ok_or_else(unknown)?;
        let count = read_japanese_number(number).ok_or_else(unknown)?;
        let hand = setup.hands.get_mut(side.index()).and_then(|hand| hand.get_mut(kind.index()));
        if let Some(held) = hand {
            *held = held.saturating_add(count);
        }
    }
    Ok(())
}

/// `三`, `十八`, `2`, nothing for one.
fn read_japanese_number(text: &str) -> Option<u8> {
    const DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    if text.is_empty() {
        return Some(1);
    }
    if let Ok(number) = text.parse::<u8>() {
        return Some(number);
    }
    let mut total = 0u8;
    for c in text.chars() {
        total = match c {
            '十' if total == 0 => 10,
            '十' => total.checked_mul(10)?,
            _ => total.checked_add(DIGITS.iter().position(|digit| *digit == c)? as u8 + 1)?,
        };
    }
    Some(total)
}
