//! Sets of squares in words: `ranks 6-8`, `d1-f3`, `a8 b7 c6`.

use ashta_messages::{Message, message};

use super::japanese_names::{rank_name, square_name};
use super::joined;
use crate::grid::{Coordinates, Grid, Square};
use crate::region::SquareSet;

/// More squares than this are counted, not named.
const MOST_NAMED: usize = 16;

/// A square by its name.
pub fn square(grid: Grid, square: Square) -> Message {
    Message::name(grid.name(square).to_string(), square_name(grid, square))
}

/// A set of squares in words.
pub fn region(set: &SquareSet, grid: Grid) -> Message {
    let squares: Vec<Square> = grid.squares().filter(|square| set.has(*square)).collect();
    let whole_rank = |rank: &u8| (0..grid.files()).all(|file| has(set, grid, file, *rank));
    let whole_file = |file: &u8| (0..grid.ranks()).all(|rank| has(set, grid, *file, rank));
    let ranks: Vec<u8> = (0..grid.ranks()).filter(whole_rank).collect();
    let files: Vec<u8> = (0..grid.files()).filter(whole_file).collect();
    if squares.len() == grid.n_squares() {
        return message!("prose.region-all");
    }
    if !ranks.is_empty() && ranks.len() * grid.files() as usize == squares.len() {
        let names = lines(&ranks, grid, |rank| Message::name(grid.rank_name(rank), rank_name(grid, rank)));
        return match ranks.len() {
            1 => message!("prose.region-rank", names),
            _ => message!("prose.region-ranks", names),
        };
    }
    if !files.is_empty() && files.len() * grid.ranks() as usize == squares.len() {
        let names = lines(&files, grid, |file| Message::name(grid.file_name(file), grid.file_name(file)));
        return match files.len() {
            1 => message!("prose.region-file", names),
            _ => message!("prose.region-files", names),
        };
    }
    if let Some((low, high)) = rectangle(&squares, grid) {
        return message!("prose.range", first = square(grid, low), last = square(grid, high));
    }
    match squares.len() {
        0 => message!("prose.region-none"),
        1..=MOST_NAMED => {
            let english = squares.iter().map(|square| grid.name(*square).to_string());
            let japanese = squares.iter().map(|square| square_name(grid, *square));
            Message::name(english.collect::<Vec<_>>().join(" "), japanese.collect::<Vec<_>>().join(" "))
        }
        n => message!("prose.region-count", n),
    }
}

fn has(set: &SquareSet, grid: Grid, file: u8, rank: u8) -> bool {
    grid.at(i16::from(file), i16::from(rank)).is_some_and(|square| set.has(square))
}

/// `8`, `6-8`, `1, 8`; the numbers of lines run with their names or against them.
fn lines(lines: &[u8], grid: Grid, name: impl Fn(u8) -> Message) -> Message {
    let mut names: Vec<Message> = lines.iter().map(|line| name(*line)).collect();
    if grid.coordinates() == Coordinates::Numbers {
        names.reverse();
    }
    let together = lines.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match (names.as_slice(), together) {
        ([first, .., last], true) => message!("prose.range", first, last),
        _ => joined(names, |first, second| message!("prose.comma", first, second)),
    }
}

/// The corners of a set that is a rectangle.
fn rectangle(squares: &[Square], grid: Grid) -> Option<(Square, Square)> {
    let files = || squares.iter().map(|square| grid.file(*square));
    let ranks = || squares.iter().map(|square| grid.rank(*square));
    let (west, east, south, north) = (files().min()?, files().max()?, ranks().min()?, ranks().max()?);
    let size = (east - west + 1) as usize * (north - south + 1) as usize;
    let corner = |file: u8, rank: u8| grid.at(i16::from(file), i16::from(rank));
    let (low, high) = (corner(west, south)?, corner(east, north)?);
    (size == squares.len() && size > 1).then_some((low, high))
}
