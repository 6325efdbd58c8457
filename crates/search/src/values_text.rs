//! Values as a small text file: lines `piece = number`, `hand piece = number`, `piece square = number`,
//! `mobility = number`.
//!
//! In: text and rules, or numbers. Out: [`Values`], or what is wrong with which line; the text again. Never: files.

use ashta_messages::{Message, Tell};
use ashta_rules::{Rules, Square, nearest};

use crate::values::{ValueNumbers, Values};

/// Why a text is not a table of values.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum ValuesError {
    /// A line is not `name = number`.
    #[code("search.values-line")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A name is not a kind of the game.
    #[code("search.values-kind")]
    Kind {
        /// Which line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A name is not a kind of the game, but one is like it.
    #[code("search.values-kind-near")]
    KindNear {
        /// Which line, from 1.
        line: usize,
        /// The name.
        name: String,
        /// A name of the game that is like it.
        nearest: String,
    },
    /// A kind that can be captured has no value.
    #[code("search.values-missing")]
    Missing {
        /// Its name.
        kind: Message,
    },
}

/// How kinds that the game does not have are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownKeys {
    Reject,
    /// One table then serves a family of games.
    Ignore,
}

/// Larger values are a mistake of writing.
const MOST: f64 = 1e5;

/// What a line gives a number to.
enum Meant {
    OnBoard(usize),
    InHand(usize),
    OnSquare(usize, Square),
    Mobility,
}

impl Values {
    /// From a text of lines `piece = number`; `#` begins a comment.
    ///
    /// A piece is worth in hand what it is on the board unless a line `hand piece = number` tells otherwise. Lines
    /// `piece square = number` add to it there, for the first side; other sides see the board from their own edge.
    /// `mobility = number` is what ten squares are worth that pieces attack.
    pub fn read(text: &str, rules: &Rules) -> Result<Values, ValuesError> {
        read_numbers(text, rules, UnknownKeys::Reject).map(|numbers| Values::of_numbers(&numbers))
    }
}

/// The numbers of such a text.
pub fn read_numbers(text: &str, rules: &Rules, unknown: UnknownKeys) -> Result<ValueNumbers, ValuesError> {
    let n_kinds = rules.kinds().len();
    let (mut on_board, mut in_hand, mut on_square) = (vec![None; n_kinds], vec![None; n_kinds], Vec::new());
    let mut mobility = 0.0;
    for (n, whole) in text.lines().enumerate() {
        let content = whole.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let wrong = || ValuesError::Line { line: n + 1, text: content.chars().take(60).collect() };
        let (name, number) = content.split_once('=').ok_or_else(wrong)?;
        let value: f64 = number.trim().parse().map_err(|_| wrong())?;
        if !value.is_finite() || value.abs() > MOST {
            return Err(wrong());
        }
        match read_name(name, rules).ok_or_else(wrong)? {
            Ok(Meant::OnBoard(kind)) => on_board[kind] = Some(value),
            Ok(Meant::InHand(kind)) => in_hand[kind] = Some(value),
            Ok(Meant::OnSquare(kind, square)) => on_square.push((kind, square, value)),
            Ok(Meant::Mobility) => mobility = value,
            Err(_) if unknown == UnknownKeys::Ignore => {}
            Err(name) => {
                let names = rules.kinds().iter().map(|kind| kind.name.as_str());
                let (line, nearest) = (n + 1, nearest(&name, names).map(str::to_string));
                return Err(match nearest {
                    Some(nearest) => ValuesError::KindNear { line, name, nearest },
                    None => ValuesError::Kind { line, name },
                });
            }
        }
    }
    let numbers = numbers(rules, &on_board, &in_hand, &on_square)?;
    Ok(ValueNumbers { mobility, ..numbers })
}

/// What the left side of a line means, or the name of a piece that nobody knows; nothing if it has too many words.
fn read_name(text: &str, rules: &Rules) -> Option<Result<Meant, String>> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches('"')).collect();
    let kind = |name: &str| rules.kinds().iter().position(|kind| kind.name == name).ok_or(name.to_string());
    match words.as_slice() {
        // A piece of that name comes first.
        ["mobility"] if kind("mobility").is_err() => Some(Ok(Meant::Mobility)),
        [name] => Some(kind(name).map(Meant::OnBoard)),
        ["hand", name] => Some(kind(name).map(Meant::InHand)),
        [name, square] => {
            let (square, _) = rules.grid().read_square(square).filter(|(_, rest)| rest.is_empty())?;
            Some(kind(name).map(|kind| Meant::OnSquare(kind, square)))
        }
        _ => None,
    }
}

fn numbers(
    rules: &Rules,
    on_board: &[Option<f64>],
    in_hand: &[Option<f64>],
    on_square: &[(usize, Square, f64)],
) -> Result<ValueNumbers, ValuesError> {
    let mut numbers = ValueNumbers::default();
    for (kind, (board, hand)) in rules.kinds().iter().zip(on_board.iter().zip(in_hand)) {
        let value = match (kind.royal, board) {
            (true, _) => 0.0,
            (false, Some(value)) => *value,
            (false, None) => return Err(ValuesError::Missing { kind: kind.message() }),
        };
        numbers.on_board.push(value);
        numbers.in_hand.push(hand.unwrap_or(value));
    }
    let n_squares = rules.grid().n_squares();
    if !on_square.is_empty() {
        numbers.on_square = vec![0.0; n_squares * rules.kinds().len()];
    }
    on_square.iter().for_each(|(kind, square, value)| {
        numbers.on_square[kind * n_squares + usize::from(square.0)] = *value
    });
    Ok(numbers)
}

/// Numbers as such a text, with as many decimals as asked for; what says nothing is left out.
pub fn write_numbers(numbers: &ValueNumbers, rules: &Rules, n_decimals: usize) -> String {
    let (mut text, grid) = (String::new(), rules.grid());
    for kind in rules.kind_ids().filter(|kind| !rules.kind(*kind).royal) {
        let (name, at) = (&rules.kind(kind).name, kind.index());
        text.push_str(&format!("{name} = {:.n_decimals$}\n", numbers.on_board[at]));
        if numbers.in_hand[at] != numbers.on_board[at] {
            text.push_str(&format!("hand {name} = {:.n_decimals$}\n", numbers.in_hand[at]));
        }
    }
    for (at, value) in numbers.on_square.iter().enumerate().filter(|(_, value)| **value != 0.0) {
        let (kind, square) = (at / grid.n_squares(), Square((at % grid.n_squares()) as u8));
        let name = &rules.kinds()[kind].name;
        text.push_str(&format!("{name} {} = {value:.n_decimals$}\n", grid.name(square)));
    }
    if numbers.mobility != 0.0 {
        text.push_str(&format!("mobility = {:.n_decimals$}\n", numbers.mobility));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let rules = ashta_rules::load("minishogi").expect("the library is sound");
        let text = "pawn = 1\nsilver = 2\ngold = 3\nbishop = 4\nrook = 5\ntokin = 6\npromoted-silver = 7\nhorse = 8\n\
                    dragon = 9\nhand rook = 5.5\npawn 3c = -0.5\nmobility = 0.25\n";
        let numbers = read_numbers(text, &rules, UnknownKeys::Reject).expect("values");
        assert_eq!((numbers.mobility, Values::of_numbers(&numbers).mobility()), (0.25, 25_000));
        let again = read_numbers(&write_numbers(&numbers, &rules, 5), &rules, UnknownKeys::Reject);
        assert_eq!(again, Ok(numbers));
    }
}
