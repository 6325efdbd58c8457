//! Sets of squares in words: `ranks 6-8`, `d1-f3`, `a8 b7 c6`.

use super::Language;
use super::japanese_names::{rank_name, square_name};
use crate::grid::{Coordinates, Grid, Square};
use crate::region::SquareSet;

/// More squares than this are counted, not named.
const MOST_NAMED: usize = 16;

/// Files or ranks.
#[derive(Clone, Copy)]
enum Lines {
    Files,
    Ranks,
}

/// A set of squares in words.
pub fn region(set: &SquareSet, grid: Grid, language: Language) -> String {
    let squares: Vec<Square> = grid.squares().filter(|square| set.has(*square)).collect();
    let whole_rank = |rank: &u8| (0..grid.files()).all(|file| has(set, grid, file, *rank));
    let whole_file = |file: &u8| (0..grid.ranks()).all(|rank| has(set, grid, *file, rank));
    let ranks: Vec<u8> = (0..grid.ranks()).filter(whole_rank).collect();
    let files: Vec<u8> = (0..grid.files()).filter(whole_file).collect();
    let square_name = |square: Square| match language {
        Language::English => grid.name(square).to_string(),
        Language::Japanese => square_name(grid, square),
    };
    if squares.len() == grid.n_squares() {
        return said(language, "any square", "すべてのマス").to_string();
    }
    if !ranks.is_empty() && ranks.len() * grid.files() as usize == squares.len() {
        return run(Lines::Ranks, &ranks, grid, language);
    }
    if !files.is_empty() && files.len() * grid.ranks() as usize == squares.len() {
        return run(Lines::Files, &files, grid, language);
    }
    if let Some((low, high)) = rectangle(&squares, grid) {
        let to = said(language, "-", "〜");
        return format!("{}{to}{}", square_name(low), square_name(high));
    }
    match (squares.len(), language) {
        (0, _) => said(language, "no square", "なし").to_string(),
        (1..=MOST_NAMED, _) => {
            squares.iter().map(|square| square_name(*square)).collect::<Vec<_>>().join(" ")
        }
        (n, Language::English) => format!("{n} squares"),
        (n, Language::Japanese) => format!("{n}マス"),
    }
}

fn said(language: Language, english: &'static str, japanese: &'static str) -> &'static str {
    match language {
        Language::English => english,
        Language::Japanese => japanese,
    }
}

fn has(set: &SquareSet, grid: Grid, file: u8, rank: u8) -> bool {
    grid.at(i16::from(file), i16::from(rank)).is_some_and(|square| set.has(square))
}

/// `rank 8`, `ranks 6-8`, `ranks 1, 8`; the numbers of lines run with their names or against them.
fn run(sort: Lines, lines: &[u8], grid: Grid, language: Language) -> String {
    let name = |line: &u8| match (sort, language) {
        (Lines::Files, _) => grid.file_name(*line),
        (Lines::Ranks, Language::English) => grid.rank_name(*line),
        (Lines::Ranks, Language::Japanese) => rank_name(grid, *line),
    };
    let mut names: Vec<String> = lines.iter().map(name).collect();
    if grid.coordinates() == Coordinates::Numbers {
        names.reverse();
    }
    let (word, after) = match (sort, language) {
        (Lines::Files, Language::English) => ("file", ""),
        (Lines::Ranks, Language::English) => ("rank", ""),
        (Lines::Files, Language::Japanese) => ("", "筋"),
        (Lines::Ranks, Language::Japanese) => ("", "段目"),
    };
    let (several, to, between) = match language {
        Language::English => (format!("{word}s "), "-", ", "),
        Language::Japanese => (String::new(), "〜", "・"),
    };
    let together = lines.windows(2).all(|pair| pair[1] == pair[0] + 1);
    match (names.as_slice(), together) {
        ([one], _) => format!("{word} {one}{after}").trim_start().to_string(),
        ([first, .., last], true) => format!("{several}{first}{to}{last}{after}"),
        (names, _) => format!("{several}{}{after}", names.join(between)),
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
