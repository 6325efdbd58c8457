//! Sets of squares in words: `ranks 6-8`, `d1-f3`, `a8 b7 c6`.

use ashta_rules::{Coordinates, Grid, Square, SquareSet};

/// More squares than this are counted, not named.
const MOST_NAMED: usize = 16;

/// A set of squares in words.
pub fn region(set: &SquareSet, grid: Grid) -> String {
    let squares: Vec<Square> = grid.squares().filter(|square| set.has(*square)).collect();
    if squares.len() == grid.n_squares() {
        return "any square".to_string();
    }
    let whole_rank = |rank: &u8| (0..grid.files()).all(|file| has(set, grid, file, *rank));
    let whole_file = |file: &u8| (0..grid.ranks()).all(|rank| has(set, grid, *file, rank));
    let ranks: Vec<u8> = (0..grid.ranks()).filter(whole_rank).collect();
    let files: Vec<u8> = (0..grid.files()).filter(whole_file).collect();
    if !ranks.is_empty() && ranks.len() * grid.files() as usize == squares.len() {
        return run("rank", &ranks, |rank| grid.rank_name(rank), grid.coordinates() == Coordinates::Numbers);
    }
    if !files.is_empty() && files.len() * grid.ranks() as usize == squares.len() {
        return run("file", &files, |file| grid.file_name(file), grid.coordinates() == Coordinates::Numbers);
    }
    rectangle(&squares, grid).unwrap_or_else(|| match squares.len() {
        0 => "no square".to_string(),
        1..=MOST_NAMED => squares.iter().map(|s| grid.name(*s).to_string()).collect::<Vec<_>>().join(" "),
        n => format!("{n} squares"),
    })
}

fn has(set: &SquareSet, grid: Grid, file: u8, rank: u8) -> bool {
    grid.at(i16::from(file), i16::from(rank)).is_some_and(|square| set.has(square))
}

/// `rank 8`, `ranks 6-8`, `ranks 1, 8`; the numbers of lines run with their names or against them.
fn run(word: &str, lines: &[u8], name: impl Fn(u8) -> String, against: bool) -> String {
    let mut names: Vec<String> = lines.iter().map(|line| name(*line)).collect();
    if against {
        names.reverse();
    }
    let together = lines.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match (names.as_slice(), together) {
        ([one], _) => format!("{word} {one}"),
        ([first, .., last], true) => format!("{word}s {first}-{last}"),
        (names, _) => format!("{word}s {}", names.join(", ")),
    }
}

fn rectangle(squares: &[Square], grid: Grid) -> Option<String> {
    let files = || squares.iter().map(|square| grid.file(*square));
    let ranks = || squares.iter().map(|square| grid.rank(*square));
    let (west, east, south, north) = (files().min()?, files().max()?, ranks().min()?, ranks().max()?);
    let size = (east - west + 1) as usize * (north - south + 1) as usize;
    let corner =
        |file: u8, rank: u8| grid.at(i16::from(file), i16::from(rank)).map(|square| grid.name(square));
    let (low, high) = (corner(west, south)?, corner(east, north)?);
    (size == squares.len() && size > 1).then(|| format!("{low}-{high}"))
}
