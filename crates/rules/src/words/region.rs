//! Sets of squares in words: `ranks 6-8`, `d1-f3`, `a8 b7 c6`.

use ashta_messages::{Message, message};

use super::japanese_names::{rank_name, square_name};
use super::joined;
use crate::grid::{Coordinates, Grid, Square};
use crate::region::SquareSet;

/// More squares than this are counted, not named.
const MOST_NAMED: usize = 16;

/// So many squares of a board with holes are named even where they are a whole line.
const FEW: usize = 4;

/// A square by its name.
pub fn square(grid: Grid, square: Square) -> Message {
    Message::name(grid.name(square).to_string(), square_name(grid, square))
}

/// A set of squares in words.
pub fn region(set: &SquareSet, grid: Grid) -> Message {
    let squares: Vec<Square> = grid.squares().filter(|square| set.has(*square)).collect();
    if squares.len() == grid.squares().count() {
        return message!("prose.region-all");
    }
    // On a board with holes a line may be a square or two, which are then named.
    let has_lines = grid.holes().is_empty() || squares.len() > FEW;
    let (ranks, n_on_ranks) = whole_lines(set, grid, (grid.ranks(), Grid::rank));
    if has_lines && !ranks.is_empty() && n_on_ranks == squares.len() {
        let names = lines(&ranks, grid, |rank| Message::name(grid.rank_name(rank), rank_name(grid, rank)));
        return match ranks.len() {
            1 => message!("prose.region-rank", names),
            _ => message!("prose.region-ranks", names),
        };
    }
    let (files, n_on_files) = whole_lines(set, grid, (grid.files(), Grid::file));
    if has_lines && !files.is_empty() && n_on_files == squares.len() {
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

/// The lines of which every square is in the set, and how many squares they have; lines of holes alone are left out.
fn whole_lines(set: &SquareSet, grid: Grid, lines: (u8, fn(Grid, Square) -> u8)) -> (Vec<u8>, usize) {
    let (n_lines, line_of) = lines;
    let on_line = |line: u8| grid.squares().filter(move |square| line_of(grid, *square) == line);
    let is_whole = |line: &u8| on_line(*line).count() > 0 && on_line(*line).all(|square| set.has(square));
    let whole: Vec<u8> = (0..n_lines).filter(is_whole).collect();
    let n_squares = whole.iter().map(|line| on_line(*line).count()).sum();
    (whole, n_squares)
}

/// The places of a board where it has no squares, in as few blocks as are found from left to right: `a2-a11 b1-k1`.
pub fn holes(grid: Grid) -> Message {
    let whole = grid.with_holes(SquareSet::EMPTY);
    let mut left: Vec<Square> = grid.holes().iter().collect();
    let mut blocks = Vec::new();
    while let Some(low) = left.first().copied() {
        let is_left = |file: u8, rank: u8| {
            whole.at(i16::from(file), i16::from(rank)).is_some_and(|square| left.contains(&square))
        };
        let (west, south) = (whole.file(low), whole.rank(low));
        let north = (south..whole.ranks()).take_while(|rank| is_left(west, *rank)).last().unwrap_or(south);
        let is_column = |file: &u8| (south..=north).all(|rank| is_left(*file, rank));
        let east = (west..whole.files()).take_while(is_column).last().unwrap_or(west);
        let in_block = |at: &Square| {
            (west..=east).contains(&whole.file(*at)) && (south..=north).contains(&whole.rank(*at))
        };
        let high = left.iter().copied().rfind(in_block).unwrap_or(low);
        left.retain(|square| !in_block(square));
        blocks.push(match low == high {
            true => square(whole, low),
            false => message!("prose.range", first = square(whole, low), last = square(whole, high)),
        });
    }
    joined(blocks, |first, second| message!("prose.comma", first, second))
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
