//! Polyglot books: sixteen bytes per move, sorted by position key.
//!
//! In: a chess book, or bytes. Out: bytes, or an import. Never: another game, which the format cannot express.
//!
//! The format is specific to chess, so this file names pieces and castling: twelve kinds of pieces in the order pawn,
//! knight, bishop, rook, queen, king, black before white; castling as the king capturing its own rook.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use ashta_messages::{Message, Tell, message};
use ashta_position::{Action, Game, Move};
use ashta_rules::{Coordinates, Rules, Side, Square};

use super::book::{Book, Import, MoveStats, Step, Visited};

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum PolyglotError {
    #[code("study.polyglot-game")]
    OtherGame { game: String, what: Message },
    #[code("study.polyglot-length")]
    Length { length: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PolyglotEntry {
    key: u64,
    mv: u16,
    weight: u16,
}

const LETTERS: &str = "PNBRQK";
const PROMOTIONS: &str = " NBRQ";
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;
/// Limits the moves followed, so that a malformed book cannot fill the memory.
const MAX_MOVES: usize = 2_000_000;

fn numbers() -> &'static [u64] {
    static NUMBERS: OnceLock<Vec<u64>> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let lines = include_str!("polyglot-keys.txt").lines().filter(|line| !line.starts_with('#'));
        lines.map(|line| u64::from_str_radix(line, 16).unwrap_or(0)).collect()
    })
}

/// Whether the format can express a game: board, letters and castling must be those of chess.
pub fn check_game(rules: &Rules) -> Result<(), PolyglotError> {
    let no = |what: Message| Err(PolyglotError::OtherGame { game: rules.name().to_string(), what });
    let grid = rules.grid();
    if (grid.files(), grid.ranks(), grid.coordinates()) != (8, 8, Coordinates::Letters)
        || rules.sides().len() != 2
    {
        return no(message!("study.polyglot-board"));
    }
    match rules.kinds().iter().find(|kind| kind.letter.len() != 1 || !LETTERS.contains(&kind.letter)) {
        Some(kind) => no(message!("study.polyglot-piece", letter = kind.letter)),
        None if rules.castlings().len() != 4 => no(message!("study.polyglot-castling")),
        None => Ok(()),
    }
}

/// The Polyglot key of a position.
pub fn key(game: &Game) -> u64 {
    let (numbers, rules) = (numbers(), game.rules());
    let (grid, setup) = (rules.grid(), game.setup());
    let mut key = 0;
    for square in grid.squares() {
        if let Some((side, kind)) = game.piece(square) {
            let kind = LETTERS.find(&rules.kind(kind).letter).unwrap_or(0);
            let piece = 2 * kind + usize::from(side == Side::FIRST);
            key ^= numbers[64 * piece + square_number(rules, square)];
        }
    }
    for (n, castling) in rules.castlings().iter().enumerate() {
        if setup.rights >> n & 1 == 1 {
            key ^= numbers[CASTLING + "KQkq".find(castling.letter).unwrap_or(0)];
        }
    }
    if let Some(square) = setup.en_passant {
        key ^= numbers[EN_PASSANT + grid.file(square) as usize];
    }
    if setup.turn == 0 {
        key ^= numbers[TURN];
    }
    key
}

fn square_number(rules: &Rules, square: Square) -> usize {
    let grid = rules.grid();
    8 * grid.rank(square) as usize + grid.file(square) as usize
}

fn move_code(game: &Game, mv: Move) -> Option<u16> {
    let rules = game.rules();
    let (from, to, becomes) = match mv.action() {
        Action::Go { from, to, becomes } => (from, to, becomes),
        Action::EnPassant { from, to, .. } => (from, to, None),
        Action::Castle { from, to } => {
            let castling = rules.castling_of(game.turn(), from, to)?;
            (from, castling.partner.0, None)
        }
        Action::Drop { .. } | Action::TwoLegs { .. } | Action::Pass => return None,
    };
    let promotion = becomes.and_then(|kind| PROMOTIONS.find(&rules.kind(kind).letter)).unwrap_or(0);
    let number = |square: Square| square_number(rules, square) as u16;
    Some(number(to) | number(from) << 6 | (promotion as u16) << 12)
}

/// Weights are move counts, or 1.
pub fn write_polyglot(book: &Book) -> Result<Vec<u8>, PolyglotError> {
    check_game(book.rules().rules())?;
    let mut found: HashMap<(u64, u16), u64> = HashMap::new();
    book.walk(&book.root(), &mut |Visited { before: game, known, .. }| {
        if let Some(mv) = move_code(game, known.mv) {
            found.insert((key(game), mv), known.stats.n.max(1));
        }
    });
    let max = found.values().copied().max().unwrap_or(1).max(u64::from(u16::MAX));
    let scaled = |n: u64| (n * u64::from(u16::MAX) / max).max(1) as u16;
    let mut entries: Vec<PolyglotEntry> =
        found.into_iter().map(|((key, mv), n)| PolyglotEntry { key, mv, weight: scaled(n) }).collect();
    entries.sort_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.mv));
    let mut bytes = Vec::with_capacity(entries.len() * 16);
    for entry in entries {
        bytes.extend(entry.key.to_be_bytes());
        bytes.extend(entry.mv.to_be_bytes());
        bytes.extend(entry.weight.to_be_bytes());
        bytes.extend([0; 4]);
    }
    Ok(bytes)
}

/// The moves of a Polyglot book that are reachable from the start of `book`, with weights as counts.
pub fn read_polyglot(book: &Book, bytes: &[u8], source: &str) -> Result<Import, PolyglotError> {
    check_game(book.rules().rules())?;
    if !bytes.len().is_multiple_of(16) {
        return Err(PolyglotError::Length { length: bytes.len() });
    }
    let mut entries: HashMap<u64, Vec<(u16, u16)>> = HashMap::new();
    for entry in bytes.chunks_exact(16) {
        let word = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        let key = entry[..8].iter().fold(0u64, |key, byte| key << 8 | u64::from(*byte));
        entries.entry(key).or_default().push((word(8), word(10)));
    }
    for moves in entries.values_mut() {
        moves.sort_by_key(|(mv, weight)| (std::cmp::Reverse(*weight), *mv));
    }
    let mut import = Import { source: source.to_string(), steps: Vec::new() };
    let mut game = book.root();
    let mut seen = HashSet::from([game.key()]);
    read_below(&entries, &mut game, 0, &mut seen, &mut import.steps);
    Ok(import)
}

fn read_below(
    entries: &HashMap<u64, Vec<(u16, u16)>>,
    game: &mut Game,
    depth: usize,
    seen: &mut HashSet<u64>,
    steps: &mut Vec<Step>,
) {
    let Some(moves) = entries.get(&key(game)) else { return };
    let legal: Vec<(Option<u16>, Move)> =
        game.legal_moves().into_iter().map(|mv| (move_code(game, mv), mv)).collect();
    for (code, weight) in moves {
        let Some((_, mv)) = legal.iter().find(|(known, _)| *known == Some(*code)) else { continue };
        if steps.len() == MAX_MOVES {
            return;
        }
        let stats = MoveStats { n: u64::from(*weight), ..MoveStats::default() };
        steps.push(Step { depth, mv: *mv, stats, comment: None });
        game.play_unchecked(*mv);
        if seen.insert(game.key()) {
            read_below(entries, game, depth + 1, seen, steps);
        }
        game.take_back();
    }
}
