//! Sets of squares as a game file names them: `rank 8`, `ranks 7-9`, `d1-f3`, `e2`.
//!
//! In: text. Out: square sets. Never: sides (a region is turned for each side by its reader).

use ashta_messages::{Message, message};

use crate::grid::{Coordinates, Grid};
pub use crate::square_set::SquareSet;

impl SquareSet {
    /// Every square of a board.
    pub fn all(grid: Grid) -> SquareSet {
        grid.squares().collect()
    }
}

/// Reads a region; the error says what could not be read.
pub fn read_region(grid: Grid, text: &str) -> Result<SquareSet, Message> {
    let mut set = SquareSet::EMPTY;
    let mut words = text.split([' ', ',']).filter(|word| !word.is_empty());
    while let Some(word) = words.next() {
        let squares: SquareSet = match word {
            "all" => SquareSet::all(grid),
            "rank" | "ranks" | "file" | "files" => {
                let range = words.next().ok_or_else(|| message!("rules.region-range", word))?;
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                lines(grid, word.starts_with("rank"), first, last)?
            }
            _ => {
                let (first, last) = word.split_once('-').unwrap_or((word, word));
                rectangle(grid, first, last)?
            }
        };
        squares.iter().for_each(|square| set.insert(square));
    }
    match set.is_empty() {
        true => Err(message!("rules.region-empty")),
        false => Ok(set),
    }
}

fn lines(grid: Grid, ranks: bool, first: &str, last: &str) -> Result<SquareSet, Message> {
    let count = if ranks { grid.ranks() } else { grid.files() };
    let name = |n: u8| if ranks { grid.rank_name(n) } else { grid.file_name(n) };
    let unknown = |name: &str| {
        if ranks { message!("rules.no-rank", name) } else { message!("rules.no-file", name) }
    };
    let find = |wanted: &str| (0..count).find(|n| name(*n) == wanted).ok_or_else(|| unknown(wanted));
    let (a, b) = (find(first)?, find(last)?);
    let wanted = a.min(b)..=a.max(b);
    Ok(grid
        .squares()
        .filter(|s| wanted.contains(&if ranks { grid.rank(*s) } else { grid.file(*s) }))
        .collect())
}

fn rectangle(grid: Grid, first: &str, last: &str) -> Result<SquareSet, Message> {
    let find = |wanted: &str| match grid.read_square(wanted) {
        Some((square, "")) => Ok(square),
        _ => Err(message!("rules.no-square", text = wanted)),
    };
    let (a, b) = (find(first)?, find(last)?);
    let files = grid.file(a).min(grid.file(b))..=grid.file(a).max(grid.file(b));
    let ranks = grid.rank(a).min(grid.rank(b))..=grid.rank(a).max(grid.rank(b));
    Ok(grid.squares().filter(|s| files.contains(&grid.file(*s)) && ranks.contains(&grid.rank(*s))).collect())
}

/// Whether a text can only be the name of a region: every square has a number in its name.
pub fn is_region_name(text: &str) -> bool {
    let is_word = !text.is_empty() && !text.contains([' ', ',']);
    let is_keyword = matches!(text, "all" | "rank" | "ranks" | "file" | "files");
    is_word && !is_keyword && !text.contains(|c: char| c.is_ascii_digit())
}

/// What regions look like, for a hint that is true on this board.
pub fn region_hint(grid: Grid) -> Message {
    let [rank, ranks, block, squares] = examples(grid);
    message!("rules.region-examples", rank, ranks, block, squares)
}

/// One or more of the ranks that promotion is usually on.
pub fn far_ranks(grid: Grid) -> String {
    let top = grid.ranks() - 1;
    let (first, last) = match grid.coordinates() {
        Coordinates::Letters => (top.saturating_sub(2), top),
        Coordinates::Numbers => (top, top.saturating_sub(2)),
    };
    format!("ranks {}-{}", grid.rank_name(first), grid.rank_name(last))
}

fn examples(grid: Grid) -> [String; 4] {
    let (top, right, middle) = (grid.ranks() - 1, grid.files() - 1, grid.files() / 2);
    let name = |file: u8, rank: u8| format!("{}{}", grid.file_name(file), grid.rank_name(rank));
    [
        format!("rank {}", grid.rank_name(top)),
        far_ranks(grid),
        format!("{}-{}", name(middle.saturating_sub(1), 0), name(right.min(middle + 1), top.min(2))),
        format!("{} {}", name(0, 0), name(right, 0)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions() {
        let grid = Grid::new(9, 10, Coordinates::Letters).expect("a board");
        let count = |text: &str| {
            read_region(grid, text).map(|set| set.iter().count()).map_err(|what| what.to_string())
        };
        assert_eq!(count("d1-f3"), Ok(9));
        assert_eq!(count("d1 f1, e2"), Ok(3));
        assert_eq!(count("ranks 6-10"), Ok(45));
        assert_eq!(count("rank 1 file a"), Ok(18));
        assert_eq!(count("all"), Ok(90));
        assert_eq!(count("ranks 6-11"), Err("this board has no rank `11`".into()));
        assert_eq!(count("k1"), Err("`k1` is not a square of this board".into()));
        assert_eq!(count(""), Err("a region must have at least one square".into()));
    }
    #[test]
    fn hints_are_true_on_every_board() {
        for coordinates in [Coordinates::Letters, Coordinates::Numbers] {
            for (files, ranks) in (1..=16).flat_map(|files| (1..=16).map(move |ranks| (files, ranks))) {
                let grid = Grid::new(files, ranks, coordinates).expect("a board");
                for example in examples(grid) {
                    assert!(read_region(grid, &example).is_ok(), "{example} on {files}x{ranks}");
                }
            }
        }
    }

    #[test]
    fn names_of_regions_are_told_from_squares() {
        for name in ["zone", "near-river", "palace"] {
            assert!(is_region_name(name), "{name}");
        }
        for text in ["all", "ranks", "e4", "5e", "d1-f3", "zone e4", ""] {
            assert!(!is_region_name(text), "{text}");
        }
    }
}
