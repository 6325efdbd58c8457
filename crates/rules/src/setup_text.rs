//! A position as written, not yet checked: FEN, SFEN and the one form for any board that contains both.
//!
//! In: text and the rules that name its letters. Out: pieces on squares. Never: whether such a position can be played.
//!
//! Ranks are written from the second side's edge, separated by `/`; a number of any length counts empty squares, `*` is
//! a hole; hands follow the board in brackets (FEN) or as a field of their own (SFEN, on boards with shogi coordinates).

use std::fmt::{self, Write as _};

use ashta_messages::{Message, Tell, message};

use crate::grid::{Coordinates, Side, Square};
use crate::rule_parts::{Castling, Hand, KindId};
use crate::rules::Rules;
use crate::setup::Setup;

/// What is wrong with a position's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// Byte offset in the text.
    pub offset: usize,
    /// What is wrong.
    pub what: Message,
}

impl Tell for SetupError {
    fn message(&self) -> Message {
        message!("rules.at-character", what = self.what, n = self.offset + 1)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for SetupError {}

const MAX_COUNTER: u32 = 1_000_000;
const MAX_IN_HAND: u8 = 99;

impl Setup {
    /// A board without pieces.
    pub fn empty(rules: &Rules) -> Setup {
        Setup {
            board: vec![None; rules.grid.n_squares()],
            hands: vec![vec![0; rules.kinds.len()]; rules.sides.len()],
            ..Setup::default()
        }
    }

    /// Reads a position.
    pub fn read(text: &str, rules: &Rules) -> Result<Setup, SetupError> {
        let mut fields = SetupFields { text, at: 0 };
        let mut setup = Setup::empty(rules);
        let (at, board) = fields.next().ok_or_else(|| error(0, message!("rules.setup-empty")))?;
        let (board, hand) = match board.find('[') {
            Some(open) if board.ends_with(']') => {
                (&board[..open], Some((at + open + 1, &board[open + 1..board.len() - 1])))
            }
            Some(open) => return Err(error(at + open, message!("rules.setup-hand-open"))),
            None => split_last_rank(at, board, rules),
        };
        setup.read_board(at, board, rules)?;
        if let Some((at, hand)) = hand {
            setup.read_hands(at, hand, rules)?;
        }
        setup.turn = match fields.next() {
            Some((at, letter)) => read_turn(at, letter, rules)?,
            None => 0,
        };
        setup.rights = rules.side_ids().fold(0, |all, side| all | rules.check_rights(side));
        match rules.grid.coordinates() {
            Coordinates::Numbers => setup.read_sfen_tail(&mut fields, rules)?,
            Coordinates::Letters => setup.read_fen_tail(&mut fields, rules)?,
        }
        match fields.next() {
            Some((at, rest)) => Err(error(at, message!("rules.setup-rest", text = shorten(rest)))),
            None => Ok(setup),
        }
    }

    fn read_sfen_tail(&mut self, fields: &mut SetupFields, rules: &Rules) -> Result<(), SetupError> {
        if let Some((at, field)) = fields.next() {
            match rules.grid.read_square(field) {
                // As lishogi writes chu shogi, which has no hands.
                Some((square, "")) if rules.remembered_capture().is_some() => {
                    self.remembered_capture = Some(square);
                }
                _ => self.read_hands(at, field, rules)?,
            }
        }
        if let Some((at, number)) = fields.next() {
            self.ply = read_counter(at, number)?.saturating_sub(1);
        }
        self.rights |= self.unmoved_rights(rules);
        self.read_checks(fields, rules)?;
        self.read_sfen_count(fields, rules)
    }

    fn read_fen_tail(&mut self, fields: &mut SetupFields, rules: &Rules) -> Result<(), SetupError> {
        match fields.next() {
            Some((at, rights)) => self.read_rights(at, rights, rules)?,
            None => self.rights |= self.unmoved_rights(rules),
        }
        if let Some((at, square)) = fields.next().filter(|(_, text)| *text != "-") {
            match rules.grid.read_square(square) {
                _ if self.read_count_limit(at, square, rules)? => {}
                Some((square, "")) if rules.remembered_capture().is_some() => {
                    self.remembered_capture = Some(square);
                }
                Some((square, "")) => self.en_passant = Some(square),
                _ => return Err(error(at, message!("rules.no-square", text = shorten(square)))),
            }
        }
        self.read_checks(fields, rules)?;
        if let Some((at, quiet)) = fields.next() {
            self.read_plies(at, quiet)?;
        }
        let n_sides = rules.sides.len() as u32;
        let rounds = match fields.next() {
            Some((at, number)) => read_counter(at, number)?.saturating_sub(1),
            None => 0,
        };
        self.ply = rounds * n_sides + u32::from(self.turn);
        self.read_checks(fields, rules)
    }

    /// Checks that each side must still give, `3+3`, or has given, `+0+0`, where the game counts them.
    fn read_checks(&mut self, fields: &mut SetupFields, rules: &Rules) -> Result<(), SetupError> {
        let Some(needed) = rules.ends().checks else { return Ok(()) };
        let Some((at, field)) = fields.peek().filter(|(_, field)| field.contains('+')) else { return Ok(()) };
        fields.next();
        let (counts, are_given) = match field.strip_prefix('+') {
            Some(counts) => (counts, true),
            None => (field, false),
        };
        let counts: Option<Vec<u8>> =
            counts.split('+').map(|n| n.parse().ok().filter(|n| *n <= needed)).collect();
        let counts = counts
            .filter(|counts| counts.len() == rules.sides.len())
            .ok_or_else(|| error(at, message!("rules.setup-checks", text = shorten(field), most = needed)))?;
        for (count, side) in counts.into_iter().zip(rules.side_ids()) {
            let rights = rules.check_rights(side);
            let n_given = if are_given { count } else { needed - count };
            self.rights = self.rights & !rights | rights & rights >> n_given;
        }
        Ok(())
    }

    fn read_hands(&mut self, start: usize, text: &str, rules: &Rules) -> Result<(), SetupError> {
        if text == "-" || text.is_empty() {
            return Ok(());
        }
        if rules.hand == Hand::None {
            return Err(error(start, message!("rules.setup-no-hands")));
        }
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let count = match digits {
                0 => 1,
                _ => rest[..digits].parse::<u8>().ok().filter(|n| (1..=MAX_IN_HAND).contains(n)).ok_or_else(
                    || error(start + at, message!("rules.setup-count", text = shorten(&rest[..digits]))),
                )?,
            };
            let letter = &rest[digits..];
            let (side, kind, length) =
                read_piece(letter, rules).ok_or_else(|| unknown_piece(start + at + digits, letter))?;
            if rules.kind(kind).drop.is_none() {
                return Err(error(start + at, message!("rules.setup-not-in-hand", kind = rules.kind(kind))));
            }
            let held = &mut self.hands[side.index()][kind.index()];
            *held = held
                .checked_add(count)
                .filter(|n| *n <= MAX_IN_HAND)
                .ok_or_else(|| error(start + at, message!("rules.setup-many-in-hand", most = MAX_IN_HAND)))?;
            at += digits + length;
        }
        Ok(())
    }

    /// Castling letters, then `@` and the squares of pieces that have not moved; `-` for none. Other programs name such pieces by
    /// letters of files.
    fn read_rights(&mut self, at: usize, text: &str, rules: &Rules) -> Result<(), SetupError> {
        let (letters, squares) = match text.split_once('@') {
            Some((letters, squares)) => (letters, Some(squares)),
            None => (text, None),
        };
        let mut names_first_moves = false;
        for (n, letter) in letters.char_indices().filter(|(_, c)| *c != '-') {
            match (self.castling_right(letter, rules), self.first_move_right(letter, rules)) {
                (Some(right), _) => self.rights |= 1 << right,
                (None, Some(right)) => (self.rights, names_first_moves) = (self.rights | 1 << right, true),
                (None, None) => return Err(error(at + n, message!("rules.setup-castling", letter))),
            }
        }
        if names_first_moves {
            return Ok(());
        }
        let first_moves = !(((1u64 << rules.n_castling_rights()) - 1) as u32);
        let Some(mut squares) = squares else {
            self.rights |= self.unmoved_rights(rules) & first_moves;
            return Ok(());
        };
        while !squares.is_empty() && squares != "-" {
            let place = at + text.len() - squares.len();
            let (square, rest) = rules
                .grid
                .read_square(squares)
                .ok_or_else(|| error(place, message!("rules.setup-first-move-square")))?;
            let right = rules.first_move_squares.iter().position(|s| *s == square);
            let right = right.ok_or_else(|| error(place, message!("rules.setup-first-move")))?;
            self.rights |= 1 << (rules.n_castling_rights() + right);
            squares = rest;
        }
        Ok(())
    }

    /// The rights of a position whose pieces have not moved from where they stand at the start.
    pub(crate) fn unmoved_rights(&self, rules: &Rules) -> u32 {
        let unmoved = |square: Square| {
            let start = rules.start.board.get(square.0 as usize).copied().flatten();
            start.is_some() && self.board[square.0 as usize] == start
        };
        let has =
            |c: &&Castling| rules.stand_to_castle(c, self) && unmoved(c.royal.0) && unmoved(c.partner.0);
        let castlings = rules.castlings.iter().filter(has).fold(0, |rights, c| rights | 1 << c.right);
        let first = rules.first_move_squares.iter().zip(rules.n_castling_rights()..);
        first.fold(castlings, |rights, (square, n)| rights | u32::from(unmoved(*square)) << n)
    }

    /// The position as text: SFEN on boards with shogi coordinates, FEN on others.
    pub fn write(&self, rules: &Rules) -> String {
        let mut out = String::new();
        self.write_board(&mut out, rules);
        let turn = rules.sides[self.turn as usize].letter;
        match rules.grid.coordinates() {
            Coordinates::Numbers => {
                let hands = self.hands_text(rules);
                let hands = match self.remembered_capture {
                    Some(square) => rules.grid.name(square).to_string(),
                    None if hands.is_empty() => "-".to_string(),
                    None => hands,
                };
                let (checks, count) = (self.checks_text(rules), self.sfen_count());
                _ = write!(out, " {turn} {hands} {}{checks}{count}", self.ply + 1);
            }
            Coordinates::Letters => {
                if rules.hand != Hand::None {
                    _ = write!(out, "[{}]", self.bracketed_hands(rules));
                }
                let square = self.en_passant.or(self.remembered_capture);
                let square = square.map_or("-".to_string(), |square| rules.grid.name(square).to_string());
                let round = self.ply / rules.sides.len() as u32 + 1;
                let (rights, checks) = (self.rights_text(rules), self.checks_text(rules));
                let (square, plies) = self.count_texts().unwrap_or((square, self.quiet));
                _ = write!(out, " {turn} {rights} {square}{checks} {plies} {round}");
            }
        }
        out
    }

    /// Hands as FEN has them: a letter for each piece, no numbers, which is all that other programs read.
    fn bracketed_hands(&self, rules: &Rules) -> String {
        let mut out = String::new();
        for (side, hand) in self.hands.iter().enumerate() {
            for (kind, count) in hand.iter().enumerate().rev() {
                let piece = piece_text(Side(side as u8), KindId(kind as u8), rules);
                out.push_str(&piece.repeat(usize::from(*count)));
            }
        }
        out
    }

    /// Hands as SFEN has them: a number before the letter of a kind held more than once.
    fn hands_text(&self, rules: &Rules) -> String {
        let mut out = String::new();
        for (side, hand) in self.hands.iter().enumerate() {
            // Strongest first, as SFEN has it: kinds stand in the file from the weakest to the strongest.
            for (kind, count) in hand.iter().enumerate().rev().filter(|(_, count)| **count > 0) {
                if *count > 1 {
                    _ = write!(out, "{count}");
                }
                out.push_str(&piece_text(Side(side as u8), KindId(kind as u8), rules));
            }
        }
        out
    }

    /// ` 3+3`: the checks that each side must still give, where the game counts them.
    fn checks_text(&self, rules: &Rules) -> String {
        if rules.ends().checks.is_none() {
            return String::new();
        }
        let left = |side| (self.rights & rules.check_rights(side)).count_ones().to_string();
        format!(" {}", rules.side_ids().map(left).collect::<Vec<_>>().join("+"))
    }

    fn rights_text(&self, rules: &Rules) -> String {
        let has = |n: usize| self.rights >> n & 1 == 1;
        let mut out = self.castling_letters(rules);
        if !rules.first_move_squares.is_empty() {
            out.push('@');
            for (n, square) in rules.first_move_squares.iter().enumerate() {
                if has(rules.n_castling_rights() + n) {
                    _ = write!(out, "{}", rules.grid.name(*square));
                }
            }
        }
        if out.is_empty() { "-".into() } else { out }
    }
}

/// Hands after the board as one more rank, as lichess writes them.
fn split_last_rank<'t>(at: usize, board: &'t str, rules: &Rules) -> (&'t str, Option<(usize, &'t str)>) {
    let n_slashes = board.bytes().filter(|byte| *byte == b'/').count();
    match board.rsplit_once('/') {
        Some((ranks, hand)) if rules.hand != Hand::None && n_slashes == usize::from(rules.grid.ranks()) => {
            (ranks, Some((at + ranks.len() + 1, hand)))
        }
        _ => (board, None),
    }
}

/// A piece as positions write it: in upper case for the first side, with the side's letter before it in games of four.
pub fn piece_text(side: Side, kind: KindId, rules: &Rules) -> String {
    let letter = &rules.kind(kind).letter;
    match (rules.sides.len(), side) {
        (2, Side::FIRST) => letter.clone(),
        (2, _) => letter.to_ascii_lowercase(),
        _ => format!("{}{letter}", rules.sides[side.index()].letter),
    }
}

pub(crate) fn read_piece(text: &str, rules: &Rules) -> Option<(Side, KindId, usize)> {
    let mut best: Option<(Side, KindId, usize)> = None;
    for side in (0..rules.sides.len() as u8).map(Side) {
        for kind in rules.kind_ids() {
            let written = piece_text(side, kind, rules);
            if text.starts_with(&written) && best.is_none_or(|(.., length)| written.len() > length) {
                best = Some((side, kind, written.len()));
            }
        }
    }
    best
}

fn read_turn(at: usize, text: &str, rules: &Rules) -> Result<u8, SetupError> {
    let mut letters = text.chars();
    let found = match (letters.next(), letters.next()) {
        (Some(letter), None) => rules.sides.iter().position(|side| side.letter == letter),
        _ => None,
    };
    found.map(|side| side as u8).ok_or_else(|| {
        let letters: Vec<char> = rules.sides.iter().map(|side| side.letter).collect();
        error(at, message!("rules.setup-side", letters, text = shorten(text)))
    })
}

pub(crate) fn read_counter(at: usize, text: &str) -> Result<u32, SetupError> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse::<u32>().ok()).flatten().filter(|n| *n <= MAX_COUNTER);
    number.ok_or_else(|| error(at, message!("rules.setup-counter", text = shorten(text))))
}

pub(crate) fn unknown_piece(at: usize, rest: &str) -> SetupError {
    let letter: String = rest.chars().take(1).collect();
    error(at, message!("rules.setup-piece", letter))
}

pub(crate) fn error(offset: usize, what: Message) -> SetupError {
    SetupError { offset, what }
}

pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(20) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

/// Words of a text, with their places.
pub(crate) struct SetupFields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> SetupFields<'a> {
    pub(crate) fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = &self.text[self.at..];
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let length = self.text[start..].find(char::is_whitespace).unwrap_or(self.text.len() - start);
        self.at = start + length;
        Some((start, &self.text[start..self.at]))
    }

    pub(crate) fn peek(&self) -> Option<(usize, &'a str)> {
        SetupFields { ..*self }.next()
    }
}
