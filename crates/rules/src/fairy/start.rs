//! The start position of a variant, as `startFen` writes it.
//!
//! In: a FEN with hands in brackets. Out: letters on squares. Never: which pieces they are.

use ashta_messages::{Message, message};

use crate::grid::{Grid, Side, Square};

/// A position in letters.
pub struct StartFen {
    /// By square: whose, and its letter, with `+` before it for a promoted piece.
    pub board: Vec<Option<(Side, String)>>,
    /// The board as written, without marks that a start needs not.
    pub board_text: String,
    /// Letters of pieces in hand, if the text has brackets.
    pub hands: Option<String>,
    /// `w` or `b`.
    pub turn: String,
    /// Castling letters; `-` for none.
    pub rights: String,
    /// The checks that a side must give.
    pub checks: Option<(u8, u8)>,
}

/// Reads a start.
pub fn read(text: &str, grid: Grid) -> Result<StartFen, Message> {
    let mut words = text.split_whitespace();
    let placed = words.next().ok_or_else(|| message!("rules.setup-empty"))?;
    let (placed, hands) = match placed.split_once('[') {
        Some((placed, rest)) => (placed, Some(rest.trim_end_matches(']').replace('-', ""))),
        None => (placed, None),
    };
    let turn = words.next().unwrap_or("w").to_string();
    let rest: Vec<&str> = words.collect();
    // Positions of shogi have no field for castling.
    let rights = rest.first().filter(|word| !is_number(word)).copied().unwrap_or("-");
    let checks = rest.iter().find_map(|word| {
        let (first, second) = word.strip_prefix('+').unwrap_or(word).split_once('+')?;
        Some((first.parse().ok()?, second.parse().ok()?))
    });
    Ok(StartFen {
        board: read_board(placed, grid)?,
        board_text: placed.replace('~', ""),
        hands,
        turn,
        rights: rights.to_string(),
        checks,
    })
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

fn read_board(text: &str, grid: Grid) -> Result<Vec<Option<(Side, String)>>, Message> {
    let mut board = vec![None; grid.n_squares()];
    let (mut file, mut rank) = (0i16, i16::from(grid.ranks()) - 1);
    let mut number = 0i16;
    let mut plus = "";
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = number.saturating_mul(10).saturating_add(digit as i16);
            continue;
        }
        file = file.saturating_add(std::mem::take(&mut number));
        match c {
            '/' => (file, rank) = (0, rank.saturating_sub(1)),
            '+' => plus = "+",
            '~' => {}
            // A hole, at the same place in every position.
            '*' => file = file.saturating_add(1),
            c if c.is_ascii_alphabetic() => {
                let square: Square = grid.at(file, rank).ok_or_else(|| message!("rules.ini-start-size"))?;
                let side = if c.is_ascii_uppercase() { Side::FIRST } else { Side::SECOND };
                board[square.index()] = Some((side, format!("{plus}{}", c.to_ascii_uppercase())));
                (file, plus) = (file.saturating_add(1), "");
            }
            letter => return Err(message!("rules.setup-piece", letter)),
        }
    }
    Ok(board)
}
