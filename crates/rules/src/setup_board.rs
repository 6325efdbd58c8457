//! The board of a position as text: ranks from the second side's edge, separated by `/`.
//!
//! In: text and the rules that name its letters. Out: pieces on squares, holes. Never: hands, rights, counters.
//!
//! A `*` is a hole, as other programs write it. The start of a game says where its board has holes, and every position
//! of the game has them at the same places.

use std::fmt::Write as _;

use ashta_messages::message;

use crate::grid::{Grid, Side};
use crate::region::SquareSet;
use crate::rule_parts::KindId;
use crate::rules::Rules;
use crate::setup::Setup;
use crate::setup_text::{SetupError, error, piece_text, read_piece, shorten, unknown_piece};

const HOLE: char = '*';
/// A number counts at most so many empty squares.
const MAX_EMPTY: u32 = 16;

/// What stands next to each other on a rank.
enum Run {
    Empty(u32),
    Hole,
    Piece(Side, KindId),
}

impl Setup {
    /// Reads the board, which begins at byte `start` of the whole text.
    pub(crate) fn read_board(&mut self, start: usize, text: &str, rules: &Rules) -> Result<(), SetupError> {
        let grid = rules.grid;
        let (mut file, mut rank) = (0u32, grid.ranks() as i16 - 1);
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            if rest.starts_with('/') {
                full_rank(start + at, file, rank, rules)?;
                (file, rank, at) = (0, rank - 1, at + 1);
                if rank < 0 {
                    return Err(error(start + at - 1, message!("rules.setup-many-ranks", n = grid.ranks())));
                }
                continue;
            }
            let (run, length) = read_run(start + at, rest, rules)?;
            let n = if let Run::Empty(n) = run { n } else { 1 };
            if file + n > u32::from(grid.files()) {
                let end = if let Run::Piece(..) = run { at } else { at + length - 1 };
                return Err(too_wide(start + end, rank, rules));
            }
            self.place(start + at, &run, (file, rank), rules)?;
            (file, at) = (file + n, at + length);
        }
        full_rank(start + at, file, rank, rules)?;
        match rank {
            0 => Ok(()),
            _ => {
                let (n, ranks) = (grid.ranks() as i16 - rank, grid.ranks());
                Err(error(start + at, message!("rules.setup-few-ranks", n, ranks)))
            }
        }
    }

    /// Puts a run on the board; holes must be where the board has them.
    fn place(
        &mut self,
        at: usize,
        run: &Run,
        (file, rank): (u32, i16),
        rules: &Rules,
    ) -> Result<(), SetupError> {
        let name =
            |file: u32| format!("{}{}", rules.grid.file_name(file as u8), rules.grid.rank_name(rank as u8));
        let square = |file: u32| rules.grid.at(file as i16, rank);
        let is_hole = |what| error(at, message!("rules.setup-hole", square = what));
        match run {
            Run::Empty(n) => match (file..file + n).find(|file| square(*file).is_none()) {
                Some(hole) => Err(is_hole(name(hole))),
                None => Ok(()),
            },
            Run::Hole => match square(file) {
                Some(_) => Err(error(at, message!("rules.setup-no-hole", square = name(file)))),
                None => Ok(()),
            },
            Run::Piece(side, kind) => {
                let square = square(file).ok_or_else(|| is_hole(name(file)))?;
                self.board[square.index()] = Some((*side, *kind));
                Ok(())
            }
        }
    }

    /// Writes the board.
    pub(crate) fn write_board(&self, out: &mut String, rules: &Rules) {
        let grid = rules.grid;
        for rank in (0..grid.ranks()).rev() {
            let mut empty = 0;
            for file in 0..grid.files() {
                let square = grid.at(file as i16, rank as i16);
                let piece = square.and_then(|square| self.board[square.index()]);
                if square.is_some() && piece.is_none() {
                    empty += 1;
                    continue;
                }
                write_empty(out, &mut empty);
                match piece {
                    Some((side, kind)) => out.push_str(&piece_text(side, kind, rules)),
                    None => out.push(HOLE),
                }
            }
            write_empty(out, &mut empty);
            if rank > 0 {
                out.push('/');
            }
        }
    }
}

fn write_empty(out: &mut String, n: &mut u32) {
    if *n > 0 {
        _ = write!(out, "{n}");
    }
    *n = 0;
}

/// What stands first in a text, and how many bytes it takes.
fn read_run(at: usize, text: &str, rules: &Rules) -> Result<(Run, usize), SetupError> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let n = text[..digits].parse::<u32>().ok().filter(|n| (1..=MAX_EMPTY).contains(n));
        let wrong = || error(at, message!("rules.setup-empty-squares", text = shorten(&text[..digits])));
        return Ok((Run::Empty(n.ok_or_else(wrong)?), digits));
    }
    if text.starts_with(HOLE) {
        return Ok((Run::Hole, HOLE.len_utf8()));
    }
    let (side, kind, length) = read_piece(text, rules).ok_or_else(|| unknown_piece(at, text))?;
    Ok((Run::Piece(side, kind), length))
}

/// The holes of a board that is written before its pieces are known; [`Setup::read`] then reports its mistakes.
pub fn holes_in_text(grid: Grid, text: &str, n_sides: usize) -> SquareSet {
    let board = text.split_whitespace().next().unwrap_or("");
    let board = board.split('[').next().unwrap_or("");
    let mut holes = SquareSet::EMPTY;
    for (rank, line) in board.split('/').take(usize::from(grid.ranks())).enumerate() {
        let mut file = 0;
        let mut rest = line;
        while let Some(first) = rest.chars().next().filter(|_| file < usize::from(grid.files())) {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (n, length) = match digits {
                0 => (1, if first == HOLE { 1 } else { piece_length(rest, n_sides) }),
                _ => (rest[..digits].parse::<usize>().unwrap_or(usize::MAX), digits),
            };
            let square = grid.at(file as i16, i16::from(grid.ranks()) - 1 - rank as i16);
            square.filter(|_| first == HOLE).into_iter().for_each(|square| holes.insert(square));
            (file, rest) = (file.saturating_add(n), &rest[length..]);
        }
    }
    holes
}

/// The bytes of a piece whatever its letter: `P`, `+P`, `P'`, and with the side's letter before it in games of four.
fn piece_length(text: &str, n_sides: usize) -> usize {
    let side = if n_sides > 2 { 1 } else { 0 };
    let mut length = 0;
    for (n, c) in text.char_indices() {
        let is_prefix = n < side || c == '+';
        length = n + c.len_utf8();
        if !is_prefix {
            break;
        }
    }
    length + usize::from(text[length..].starts_with(['\'', '!']))
}

fn full_rank(at: usize, file: u32, rank: i16, rules: &Rules) -> Result<(), SetupError> {
    let files = u32::from(rules.grid.files());
    if file == files {
        return Ok(());
    }
    let rank = rules.grid.rank_name(rank.max(0) as u8);
    Err(error(at, message!("rules.setup-rank-length", rank, n = file, files)))
}

fn too_wide(at: usize, rank: i16, rules: &Rules) -> SetupError {
    let rank = rules.grid.rank_name(rank.max(0) as u8);
    error(at, message!("rules.setup-rank-long", rank, files = rules.grid.files()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Coordinates;

    #[test]
    fn holes_are_found_before_pieces_are_known() {
        let grid = Grid::new(4, 2, Coordinates::Letters).expect("4x2 is a board");
        let names = |text: &str, n_sides: usize| {
            let holes = holes_in_text(grid, text, n_sides);
            holes.iter().map(|square| grid.name(square).to_string()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names("*2*/+P*q'*[R] w", 2), "a2 b1 d1 d2");
        assert_eq!(names("r+P*b*/4", 4), "b2");
        assert_eq!(names("9999999999999999999999*/*", 2), "a1");
        assert_eq!(names("é*ü*/", 2), "b2 d2");
        assert_eq!(names("*****/****/****", 2), "a1 a2 b1 b2 c1 c2 d1 d2");
    }
}
