//! KIF of games that name their pieces themselves, as lishogi and Chu Shogi Lite write it: `4六奔王 （←7六）`, and a line for each
//! leg of a move of two: `一歩目 3四飛鷲 （←4五）`, `二歩目 4五飛鷲（居食い） （←3四）`.
//!
//! In: a game whose file has `kif` names for all pieces, and a move or text. Out: lines of text, or a legal move. Never: the
//! names of shogi's pieces, which [`super::japanese`] has.

use ashta_messages::{Message, message};
use ashta_rules::{Grid, Rules, Square};

use super::japanese::{RANKS, numbers_of, square_at};
use super::kif_text::{SIDE_MARKS, last_to, plain_text};
use super::{
    MoveTextError, UnfitGame, only_one, promotes, read_coordinates, unreadable, write_coordinates, write_ki2,
};
use crate::game::Game;
use crate::moves::{Action, Move};

const LEGS: [&str; 2] = ["一歩目", "二歩目"];
/// Between the legs where they share a line.
const BETWEEN_LEGS: &str = " / ";

/// Whether a game has names of its own for all pieces.
pub fn has_own_names(rules: &Rules) -> bool {
    rules.kinds().iter().all(|kind| kind.kif.is_some())
}

/// Writes a legal move, a line for each leg.
pub fn write_large_kif(game: &Game, mv: Move) -> Result<Vec<String>, UnfitGame> {
    let (rules, grid) = (game.rules(), game.rules().grid());
    let squares = squares_of(game, mv).ok_or_else(|| UnfitGame::no_piece_move(rules, "KIF"))?;
    let kind = game.piece(squares[0]).map(|(_, kind)| rules.kind(kind));
    let name = kind.and_then(|kind| kind.kif.as_deref()).unwrap_or_default();
    let first_place = match last_to(game) == Some(squares[1]) {
        true => "仝".to_string(),
        false => place(grid, squares[1]),
    };
    let [from, middle] = [squares[0], squares[1]].map(|square| place(grid, square));
    let [.., end] = squares[..] else { return Err(UnfitGame::no_piece_move(rules, "KIF")) };
    Ok(match squares.len() {
        2 => vec![format!("{first_place}{name}{} （←{from}）", if promotes(mv) { "成" } else { "" })],
        _ => {
            let returns = match (end == squares[0], mv == Move::PASS) {
                (_, true) => "(じっと)",
                (true, false) => "（居食い）",
                (false, false) => "",
            };
            let end = place(grid, end);
            vec![
                format!("{} {first_place}{name} （←{from}）", LEGS[0]),
                format!("{} {end}{name}{returns} （←{middle}）", LEGS[1]),
            ]
        }
    })
}

/// The same in one line.
pub(super) fn write_line(game: &Game, mv: Move) -> Result<String, UnfitGame> {
    Ok(write_large_kif(game, mv)?.join(BETWEEN_LEGS))
}

/// Origin, square on the way if there is one, and end. A pass is a step out and back.
fn squares_of(game: &Game, mv: Move) -> Option<Vec<Square>> {
    match mv.action() {
        Action::Drop { .. } => None,
        Action::Castle { from, to } | Action::EnPassant { from, to, .. } | Action::Go { from, to, .. } => {
            Some(vec![from, to])
        }
        Action::TwoLegs { from, middle, to } => Some(vec![from, middle, to]),
        Action::Pass => {
            let grid = game.rules().grid();
            let text = write_coordinates(game, mv);
            let (from, rest) = grid.read_square(&text)?;
            let (middle, _) = grid.read_square(rest)?;
            Some(vec![from, middle, from])
        }
    }
}

/// `12十一`: the file in digits, the rank in Japanese.
fn place(grid: Grid, square: Square) -> String {
    let (file, rank) = numbers_of(grid, square);
    format!("{file}{}", RANKS.get(usize::from(rank).wrapping_sub(1)).copied().unwrap_or_default())
}

/// Reads a legal move, its legs joined in one line. Brackets and digits of any width, `同`, and names of one character are
/// understood, and so is a move as books have it.
pub(super) fn read_line(game: &Game, text: &str) -> Result<Move, MoveTextError> {
    let plain = plain_text(text);
    let legal = game.legal_moves();
    if !plain.contains('←') {
        return read_book_text(game, &legal, text, plain.trim().trim_start_matches(SIDE_MARKS));
    }
    let legs: Result<Vec<Leg>, Message> = plain
        .split(BETWEEN_LEGS.trim())
        .filter(|leg| leg.contains('←'))
        .map(|leg| Leg::read(game, leg))
        .collect();
    let legs = legs.map_err(|why| unreadable(text, why))?;
    legs.first().map_or(Ok(()), |leg| leg.check_name(game)).map_err(|why| unreadable(text, why))?;
    let grid = game.rules().grid();
    let name = |square: Square| grid.name(square).to_string();
    match &legs[..] {
        [leg] if !plain.contains(LEGS[0]) => {
            let is_it = |mv: &Move| {
                (mv.from(), mv.to()) == (Some(leg.from), Some(leg.to))
                    && promotes(*mv) == leg.promotes
                    && !matches!(mv.action(), Action::TwoLegs { .. })
            };
            let found: Vec<Move> = legal.into_iter().filter(is_it).collect();
            only_one(game, text, &found)
        }
        [first, second] if second.from == first.to => {
            let coordinates = format!("{}{}{}", name(first.from), name(first.to), name(second.to));
            read_coordinates(game, &coordinates)
        }
        _ => Err(unreadable(text, message!("position.move-example", example = "7八歩兵 （←7九）"))),
    }
}

/// A move as books have it, which is found by writing every legal move.
fn read_book_text(game: &Game, legal: &[Move], text: &str, plain: &str) -> Result<Move, MoveTextError> {
    let is_written_so = |mv: &&Move| write_ki2(game, **mv).is_ok_and(|ki2| plain_text(&ki2) == plain);
    match legal.iter().find(is_written_so) {
        Some(mv) => Ok(*mv),
        None => Err(unreadable(text, message!("position.move-example", example = "7八歩兵 （←7九）"))),
    }
}

/// What a line says of one leg.
struct Leg {
    from: Square,
    to: Square,
    promotes: bool,
    name: String,
}

impl Leg {
    /// `一歩目 3四飛鷲 (←4五)`, in plain text.
    fn read(game: &Game, text: &str) -> Result<Leg, Message> {
        let grid = game.rules().grid();
        let example = || message!("position.move-example", example = "7八歩兵 （←7九）");
        let text = text.trim().trim_start_matches(SIDE_MARKS);
        let text = LEGS.iter().fold(text, |text, leg| text.strip_prefix(leg).unwrap_or(text)).trim();
        let (going, origin) = text.split_once("(←").ok_or_else(example)?;
        let (from, _) = read_place(grid, origin).ok_or_else(|| message!("position.kif-origin"))?;
        let (to, name) = match going.strip_prefix(['同', '仝']) {
            Some(rest) => (last_to(game).ok_or_else(|| message!("position.kif-no-move-before"))?, rest),
            None => read_place(grid, going).ok_or_else(example)?,
        };
        let name = name
            .trim()
            .trim_end_matches("(居食い)")
            .trim_end_matches("(居喰い)")
            .trim_end_matches("(じっと)");
        let (name, promotes) = match name.trim_end_matches("まで").trim_end_matches("不成").strip_suffix('成')
        {
            Some(name) => (name, true),
            None => (name.trim_end_matches("まで").trim_end_matches("不成"), false),
        };
        Ok(Leg { from, to, promotes, name: name.trim().to_string() })
    }

    /// Asks whether the piece on its origin has its name.
    fn check_name(&self, game: &Game) -> Result<(), Message> {
        let is_called_so = game.piece(self.from).is_some_and(|(_, kind)| {
            let kind = game.rules().kind(kind);
            kind.kif.iter().chain(kind.kanji.iter().flatten()).any(|name| *name == self.name)
        });
        if is_called_so { Ok(()) } else { Err(message!("position.kif-no-piece", name = &self.name)) }
    }
}

/// A place at the start of a text, and the rest.
fn read_place(grid: Grid, text: &str) -> Option<(Square, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let file = text[..digits].parse().ok()?;
    let rest = &text[digits..];
    // The longest name first: 十 begins 十一.
    let ranks = RANKS.iter().zip(1..=RANKS.len() as u8).rev();
    let (rank, rest) = ranks.filter_map(|(name, rank)| Some((rank, rest.strip_prefix(name)?))).next()?;
    Some((square_at(grid, file, rank)?, rest))
}
