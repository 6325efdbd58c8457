//! Sets of squares as a variants.ini writes them: `d4 e4`, `*8` a rank, `e*` a file.
//!
//! In: text. Out: squares of a board, and their text in a game file. Never: which side they are for.

use crate::grid::{Grid, Square};
use crate::region::SquareSet;

/// Reads a set; squares outside the board are left out. The error is the word that is no square.
pub fn read(text: &str, grid: Grid) -> Result<SquareSet, String> {
    let mut set = SquareSet::EMPTY;
    for word in text.split_whitespace().take_while(|word| *word != "-") {
        let wanted = word_of(word).ok_or_else(|| word.to_string())?;
        grid.squares().filter(|square| is_at(grid, *square, wanted)).for_each(|square| set.insert(square));
    }
    Ok(set)
}

/// File and rank counted from 0, where the word says them.
type Wanted = (Option<u32>, Option<u32>);

fn word_of(word: &str) -> Option<Wanted> {
    let rank = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=99).contains(n)).map(|n| n - 1);
    if let Some(number) = word.strip_prefix('*') {
        return Some((None, Some(rank(number)?)));
    }
    let letter = word.chars().next()?.to_ascii_lowercase();
    let file = letter.is_ascii_lowercase().then(|| u32::from(letter) - u32::from('a'))?;
    match &word[1..] {
        "*" => Some((Some(file), None)),
        number => Some((Some(file), Some(rank(number)?))),
    }
}

fn is_at(grid: Grid, square: Square, (file, rank): Wanted) -> bool {
    file.is_none_or(|file| file == u32::from(grid.file(square)))
        && rank.is_none_or(|rank| rank == u32::from(grid.rank(square)))
}

/// The ranks from one to another, counted from 0 at the side's own edge.
pub fn ranks(grid: Grid, first: u8, last: u8, is_second: bool) -> SquareSet {
    let own = |square: &Square| match is_second {
        true => grid.ranks() - 1 - grid.rank(*square),
        false => grid.rank(*square),
    };
    grid.squares().filter(|square| (first..=last).contains(&own(square))).collect()
}

/// A set as a game file writes it: `ranks 6-8`, `d1-f3`, or single squares.
pub fn in_game_file(set: &SquareSet, grid: Grid) -> String {
    let squares: Vec<Square> = set.iter().collect();
    let count = |rank: u8| squares.iter().filter(|square| grid.rank(**square) == rank).count();
    let full: Vec<u8> = (0..grid.ranks()).filter(|rank| count(*rank) == usize::from(grid.files())).collect();
    if let Some(block) = rectangle(&squares, grid).filter(|_| full.is_empty()) {
        return block;
    }
    let mut words: Vec<String> = Vec::new();
    for run in full.chunk_by(|low, high| low + 1 == *high) {
        let [low, high] = [run[0], run[run.len() - 1]].map(|rank| grid.rank_name(rank));
        words.push(if low == high { format!("rank {low}") } else { format!("ranks {low}-{high}") });
    }
    let rest = squares.iter().filter(|square| !full.contains(&grid.rank(**square)));
    words.extend(rest.map(|square| grid.name(*square).to_string()));
    words.join(" ")
}

/// `d1-f3`, if the squares are a rectangle of more than two.
fn rectangle(squares: &[Square], grid: Grid) -> Option<String> {
    let files = squares.iter().map(|square| grid.file(*square));
    let ranks = squares.iter().map(|square| grid.rank(*square));
    let (left, right) = (files.clone().min()?, files.max()?);
    let (low, high) = (ranks.clone().min()?, ranks.max()?);
    let n = usize::from(right - left + 1) * usize::from(high - low + 1);
    let corner = |file: u8, rank: u8| grid.file_name(file) + &grid.rank_name(rank);
    (n == squares.len() && n > 2).then(|| format!("{}-{}", corner(left, low), corner(right, high)))
}

/// A set as a variants.ini writes it.
pub fn in_ini(set: &SquareSet, grid: Grid) -> String {
    let mut words: Vec<String> = Vec::new();
    for rank in 0..grid.ranks() {
        let here: Vec<Square> = set.iter().filter(|square| grid.rank(*square) == rank).collect();
        if here.len() == usize::from(grid.files()) {
            words.push(format!("*{}", rank + 1));
        } else {
            words.extend(here.iter().map(|square| square_name(grid, *square)));
        }
    }
    if words.is_empty() { "-".to_string() } else { words.join(" ") }
}

/// A square as XBoard and Fairy-Stockfish name it on every board.
pub fn square_name(grid: Grid, square: Square) -> String {
    format!("{}{}", char::from(b'a' + grid.file(square)), grid.rank(square) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Coordinates;
    use crate::region::read_region;

    #[test]
    fn sets_are_read_and_written() {
        let grid = Grid::new(9, 10, Coordinates::Letters).expect("a board");
        for (text, ours) in [
            ("*8 *9 *10", "ranks 8-10"),
            ("d1 e1 f1 d2 e2 f2 d3 e3 f3", "d1-f3"),
            ("a4 a5 *6 *7", "ranks 6-7 a4 a5"),
            ("*2 *4", "rank 2 rank 4"),
            ("e5", "e5"),
        ] {
            let set = read(text, grid).expect(text);
            assert_eq!(in_game_file(&set, grid), ours);
            assert_eq!(read_region(grid, ours), Ok(set));
            assert_eq!(read(&in_ini(&set, grid), grid), Ok(set));
        }
        assert_eq!(read("e* *20 m3", grid).map(|set| set.iter().count()), Ok(10));
        assert_eq!(read("e4 -", grid).map(|set| set.iter().count()), Ok(1));
        assert_eq!(read("e4 **", grid), Err("**".to_string()));
        assert_eq!(read("é4", grid), Err("é4".to_string()));
        assert!(read("-", grid).is_ok_and(|set| set.is_empty()));
    }
}
