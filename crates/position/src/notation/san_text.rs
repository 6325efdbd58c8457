//! What a text in algebraic notation may say, before anyone asks whether it is legal.
//!
//! In: rules and text. Out: every way to understand it, the likeliest first. Never: a position.

use ashta_rules::{Grid, Kind, KindId, Rules, Square};

/// What a text says.
pub(super) enum SanText {
    /// Nothing moves.
    Pass,
    /// The castling with this letter.
    Castling(char),
    /// A move of a piece, understood in one of these ways; none if the text is not a move at all.
    Readings(Vec<Reading>),
}

/// One way to understand a text.
pub(super) struct Reading {
    /// What moves; anything if `None`.
    pub kind: Option<KindId>,
    /// From where.
    pub origin: Origin,
    /// To where.
    pub to: Square,
    /// What is said of promotion.
    pub becoming: Becoming,
}

/// What is said of a piece's origin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// It comes from the hand.
    Hand,
    /// It comes from this file or rank, as far as said.
    Board { file: Option<u8>, rank: Option<u8> },
}

/// What is said of promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Becoming {
    /// Nothing.
    Unsaid,
    /// The piece stays as it is.
    Stays,
    /// It becomes what its own letter with a `+` stands for.
    Plus,
    /// It becomes what its own letter without the `+` stands for.
    Minus,
    /// It is of this kind after the move.
    Into(KindId),
}

impl Origin {
    pub fn unsaid(_: Grid, _: Square) -> Origin {
        Origin::Board { file: None, rank: None }
    }

    pub fn file(grid: Grid, square: Square) -> Origin {
        Origin::Board { file: Some(grid.file(square)), rank: None }
    }

    pub fn rank(grid: Grid, square: Square) -> Origin {
        Origin::Board { file: None, rank: Some(grid.rank(square)) }
    }

    pub fn square(grid: Grid, square: Square) -> Origin {
        Origin::Board { file: Some(grid.file(square)), rank: Some(grid.rank(square)) }
    }

    /// Whether a piece on this square may be meant.
    pub fn holds(self, grid: Grid, square: Square) -> bool {
        match self {
            Origin::Hand => false,
            Origin::Board { file, rank } => {
                file.is_none_or(|file| file == grid.file(square))
                    && rank.is_none_or(|rank| rank == grid.rank(square))
            }
        }
    }

    pub fn text(self, grid: Grid) -> String {
        match self {
            Origin::Hand => String::new(),
            Origin::Board { file, rank } => {
                let file = file.map(|file| grid.file_name(file)).unwrap_or_default();
                let rank = rank.map(|rank| grid.rank_name(rank)).unwrap_or_default();
                file + &rank
            }
        }
    }

    fn is_square(self) -> bool {
        matches!(self, Origin::Board { file: Some(_), rank: Some(_) })
    }
}

const DROP_SIGNS: [char; 2] = ['@', '*'];
const BETWEEN: [char; 5] = ['x', '-', ':', '×', '–'];
const BEFORE_PROMOTION: [char; 3] = ['=', '(', '/'];
/// What may follow a move without changing it: check, mate, praise and blame.
const AFTER: [&str; 9] = ["e.p.", "ep", "+", "#", "!", "?", "†", "‡", " "];

/// Understands a text that has no space around it.
pub(super) fn read_text(rules: &Rules, text: &str) -> SanText {
    if matches!(text, "--" | "0000" | "pass") {
        return SanText::Pass;
    }
    match read_castling(rules, text) {
        Some(letter) => SanText::Castling(letter),
        None => SanText::Readings(read_piece_move(rules, text)),
    }
}

/// `O-O`, `0-0-0`, `oo`: two rounds are the castling with letter K, three that with Q; `O-O/X` names another.
fn read_castling(rules: &Rules, text: &str) -> Option<char> {
    if rules.castlings().is_empty() {
        return None;
    }
    let (mut rest, mut n_rounds) = (text, 0);
    while let Some(after) = rest.strip_prefix(['O', 'o', '0']) {
        rest = after.strip_prefix('-').unwrap_or(after);
        n_rounds += 1;
    }
    let named = rest.strip_prefix('/').and_then(|rest| {
        let letter = rest.chars().next().filter(char::is_ascii_uppercase)?;
        Some((letter, &rest[1..]))
    });
    let (letter, rest) = match (n_rounds, named) {
        (2, Some(named)) => named,
        (2, None) => ('K', rest),
        (3, None) => ('Q', rest),
        _ => return None,
    };
    ends_well(rest).then_some(letter)
}

fn read_piece_move(rules: &Rules, text: &str) -> Vec<Reading> {
    let grid = rules.grid();
    let pawn = rules.kind_ids().find(|kind| rules.kind(*kind).letter == "P");
    let mut readings = Vec::new();
    let heads = kinds_at(rules, text, spellings).into_iter().map(|(kind, rest)| (Some(kind), rest));
    for (named, rest) in heads.chain([(None, text)]) {
        if let Some(rest) = rest.strip_prefix(DROP_SIGNS) {
            let landing = grid.read_square(rest).filter(|(_, tail)| ends_well(tail));
            let (kind, origin, becoming) = (named.or(pawn), Origin::Hand, Becoming::Unsaid);
            readings.extend(landing.map(|(to, _)| Reading { kind, origin, to, becoming }));
            continue;
        }
        for (origin, rest) in origins_at(grid, rest) {
            let rest = rest.strip_prefix(BETWEEN).unwrap_or(rest);
            let Some((to, tail)) = grid.read_square(rest) else { continue };
            // Two squares are enough to say which piece moves; one alone speaks of a pawn.
            let kind = if origin.is_square() { named } else { named.or(pawn) };
            let becomings = becomings_at(rules, tail).into_iter();
            readings.extend(becomings.map(|becoming| Reading { kind, origin, to, becoming }));
        }
    }
    readings
}

/// What the start of a text may say of the origin, and what follows. Nothing comes first: on a board of eleven files
/// `R11a` goes to the eleventh, though it could come from the first.
fn origins_at(grid: Grid, text: &str) -> Vec<(Origin, &str)> {
    let mut origins = vec![(Origin::Board { file: None, rank: None }, text)];
    origins.extend(grid.read_square(text).map(|(square, rest)| (Origin::square(grid, square), rest)));
    origins.extend((0..grid.files()).filter_map(|file| {
        let rest = text.strip_prefix(&grid.file_name(file))?;
        Some((Origin::Board { file: Some(file), rank: None }, rest))
    }));
    origins.extend((0..grid.ranks()).filter_map(|rank| {
        let rest = text.strip_prefix(&grid.rank_name(rank))?;
        Some((Origin::Board { file: None, rank: Some(rank) }, rest))
    }));
    origins
}

/// What the end of a text may say of promotion; nothing if it cannot be the end of a move.
fn becomings_at(rules: &Rules, tail: &str) -> Vec<Becoming> {
    let tail = tail.trim_start();
    let said = tail.strip_prefix(BEFORE_PROMOTION).unwrap_or(tail);
    let mut becomings = Vec::new();
    for (kind, rest) in kinds_at(rules, said, letters) {
        if ends_well(rest.strip_prefix(')').unwrap_or(rest)) {
            becomings.push(Becoming::Into(kind));
        }
    }
    if tail.strip_prefix('-').is_some_and(ends_well) {
        becomings.push(Becoming::Minus);
    }
    if said.strip_prefix('+').is_some_and(ends_well) {
        becomings.push(Becoming::Plus);
    }
    if tail.strip_prefix('=').is_some_and(ends_well) {
        becomings.push(Becoming::Stays);
    }
    if ends_well(tail) {
        becomings.push(Becoming::Unsaid);
    }
    becomings
}

fn letters(rules: &Rules, kind: KindId) -> Vec<String> {
    let letter = &rules.kind(kind).letter;
    vec![letter.clone(), letter.to_ascii_lowercase()]
}

fn spellings(rules: &Rules, kind: KindId) -> Vec<String> {
    let is = rules.kind(kind);
    let symbols = is.symbols.iter().flatten().cloned();
    [is.letter.clone(), name_in_text(rules, kind)].into_iter().chain(symbols).collect()
}

/// What is written for a kind: its abbreviation or letter; of a promoted piece, that of the plain one after a `+`.
pub(super) fn name_in_text(rules: &Rules, kind: KindId) -> String {
    let own = |kind: &Kind| kind.abbreviation.clone();
    let letter = rules.kind(kind).move_letter();
    let plain =
        letter.strip_prefix('+').and_then(|plain| rules.kinds().iter().find(|kind| kind.letter == plain));
    let promoted = || plain.and_then(own).map(|name| format!("+{name}"));
    own(rules.kind(kind)).or_else(promoted).unwrap_or_else(|| letter.to_string())
}

/// The kinds named at the start of a text and what follows, the longest name first.
fn kinds_at<'t>(
    rules: &Rules,
    text: &'t str,
    names: fn(&Rules, KindId) -> Vec<String>,
) -> Vec<(KindId, &'t str)> {
    let mut found: Vec<(KindId, &str)> = Vec::new();
    for kind in rules.kind_ids() {
        let rests = names(rules, kind).into_iter().filter_map(|name| text.strip_prefix(&name));
        found.extend(rests.map(|rest| (kind, rest)));
    }
    found.sort_by_key(|(_, rest)| rest.len());
    found.dedup();
    found
}

fn ends_well(mut rest: &str) -> bool {
    while let Some(shorter) = AFTER.iter().find_map(|sign| rest.strip_prefix(sign)) {
        rest = shorter;
    }
    rest.is_empty()
}
