//! What the notations of shogi share: names of pieces and numbers of squares.
//!
//! In: rules and kinds. Out: names, or what the notations have no words for. Never: moves.

use ashta_messages::{Message, message};
use ashta_rules::{Coordinates, Grid, Kind, KindId, Rules, Square};

use super::UnfitGame;

/// A piece in every notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceNames {
    /// As game files have it.
    pub letter: &'static str,
    /// As CSA has it.
    pub csa: &'static str,
    /// As KIF has it.
    pub kif: &'static str,
}

const fn names(letter: &'static str, csa: &'static str, kif: &'static str) -> PieceNames {
    PieceNames { letter, csa, kif }
}

/// Every piece that the notations can name.
pub const PIECES: [PieceNames; 14] = [
    names("P", "FU", "歩"),
    names("L", "KY", "香"),
    names("N", "KE", "桂"),
    names("S", "GI", "銀"),
    names("G", "KI", "金"),
    names("B", "KA", "角"),
    names("R", "HI", "飛"),
    names("K", "OU", "玉"),
    names("+P", "TO", "と"),
    names("+L", "NY", "成香"),
    names("+N", "NK", "成桂"),
    names("+S", "NG", "成銀"),
    names("+B", "UM", "馬"),
    names("+R", "RY", "龍"),
];

/// Other ways to write the pieces in KIF, and the usual one.
pub const KIF_ALIASES: [(&str, &str); 5] =
    [("王", "玉"), ("竜", "龍"), ("杏", "成香"), ("圭", "成桂"), ("全", "成銀")];

/// Ranks from the second side's edge.
pub const RANKS: [&str; 16] = [
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四", "十五",
    "十六",
];

/// Asks whether a notation has a number for every square and a name for every piece.
pub fn check_fits(rules: &Rules, notation: &'static str) -> Result<(), UnfitGame> {
    let grid = rules.grid();
    let unfit = |why: Message| Err(UnfitGame::new(rules, notation, why));
    if grid.coordinates() != Coordinates::Numbers || grid.files() > 9 || grid.ranks() > 9 {
        return unfit(message!("position.unfit-board"));
    }
    if rules.sides().len() != 2 {
        return unfit(message!("position.unfit-sides", n = rules.sides().len()));
    }
    match rules.kind_ids().find(|kind| names_of(rules, *kind).is_none()) {
        Some(kind) => unfit(message!("position.unfit-no-name-for", kind = rules.kind(kind))),
        None => Ok(()),
    }
}

/// The names of a kind, if it has any.
pub fn names_of(rules: &Rules, kind: KindId) -> Option<PieceNames> {
    PIECES.into_iter().find(|piece| piece.letter == rules.kind(kind).letter)
}

/// The kind with these names, if the game has it.
pub fn kind_of(rules: &Rules, piece: PieceNames) -> Option<KindId> {
    rules.kind_ids().find(|kind| rules.kind(*kind).letter == piece.letter)
}

/// The name of a kind in a diagram of a game that names its pieces itself: one character, after 成 where a plain piece has
/// the same; 杏 is a promoted pawn that shares its character with another piece.
pub fn diagram_name(rules: &Rules, kind: KindId) -> String {
    let is = rules.kind(kind);
    let character = |kind: &Kind| kind.kanji.as_ref().and_then(|kanji| kanji.first()).cloned();
    let Some(own) = character(is) else { return String::new() };
    let is_shared = is.letter.starts_with('+')
        && rules
            .kinds()
            .iter()
            .any(|other| !other.letter.starts_with('+') && character(other).as_ref() == Some(&own));
    match is_shared {
        true if is.letter == "+P" => "杏".to_string(),
        true => format!("成{own}"),
        false => own,
    }
}

/// File and rank of a square: files from the right, ranks from the second side's edge, both from 1.
pub fn numbers_of(grid: Grid, square: Square) -> (u8, u8) {
    (grid.files() - grid.file(square), grid.ranks() - grid.rank(square))
}

/// The square with these numbers, if it is on the board.
pub fn square_at(grid: Grid, file: u8, rank: u8) -> Option<Square> {
    grid.at(i16::from(grid.files()) - i16::from(file), i16::from(grid.ranks()) - i16::from(rank))
}

/// The square with two digits for its numbers.
pub fn read_digits(grid: Grid, file: char, rank: char) -> Option<Square> {
    square_at(grid, file.to_digit(10)? as u8, rank.to_digit(10)? as u8)
}
