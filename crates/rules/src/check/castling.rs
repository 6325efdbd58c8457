//! Castling, as a game file says it.

use super::Context;
use crate::definition::Value;
use crate::fields::Fields;
use crate::grid::{Grid, Side, Square};
use crate::problem::Place;
use crate::rules::Castling;

/// `K = "e1g1 h1f1"`: the royal piece's way and its partner's; the second side's is mirrored.
pub fn read(root: &Fields, context: &Context) -> Vec<Castling> {
    let example = context.grid.map_or_else(|| "K = \"e1g1 h1f1\"".to_string(), example);
    let Some(table) = root.table("castling", &format!("[castling] with {example}")) else {
        return Vec::new();
    };
    let mut castlings = Vec::new();
    for entry in table.all() {
        match (&entry.node.value, entry.key.as_bytes()) {
            (Value::Text(text), [letter]) if letter.is_ascii_uppercase() => {
                castlings.extend(read_pair(*letter as char, (text, &entry.node.place), context));
            }
            _ => {
                let what = "a castling is one capital letter and a text";
                context.report(&entry.key_place, what, Some(format!("write {example}")));
            }
        }
    }
    // Each is a bit of a position's rights, of which there are 32.
    if castlings.len() >= 32 {
        context.report(table.place(), format!("{} castlings, and 30 is the most", castlings.len()), None);
    }
    castlings.sort_by_key(|castling| castling.side);
    castlings
}

/// A castling of the first side, and the second side's.
fn read_pair(letter: char, (text, place): (&str, &Place), context: &Context) -> Vec<Castling> {
    if context.quarters.len() != 2 {
        context.report(place, "castling is for games of two sides", None);
        return Vec::new();
    }
    let Some(grid) = context.grid else { return Vec::new() };
    let ways: Option<Vec<(Square, Square)>> =
        text.split_whitespace().map(|way| read_way(grid, way)).collect();
    let Some(&[royal, partner]) = ways.as_deref() else {
        let what = "castling is two ways over squares of this board, the royal piece's and its partner's";
        context.report(place, what, Some(format!("such as {}", example(grid))));
        return Vec::new();
    };
    let mirror = |square: Square| {
        let (file, rank) = (grid.file(square) as i16, grid.rank(square) as i16);
        grid.at(file, grid.ranks() as i16 - 1 - rank).unwrap_or(square)
    };
    let both = |way: (Square, Square)| (mirror(way.0), mirror(way.1));
    let second = letter.to_ascii_lowercase();
    vec![
        Castling { side: Side::FIRST, letter, royal, partner },
        Castling { side: Side::SECOND, letter: second, royal: both(royal), partner: both(partner) },
    ]
}

fn read_way(grid: Grid, text: &str) -> Option<(Square, Square)> {
    let (from, rest) = grid.read_square(text)?;
    let (to, rest) = grid.read_square(rest)?;
    rest.is_empty().then_some((from, to))
}

/// From the middle two files to the right, and from the corner to the file between.
fn example(grid: Grid) -> String {
    let (middle, right) = (grid.files() / 2, grid.files() - 1);
    let name = |file: u8| format!("{}{}", grid.file_name(file.min(right)), grid.rank_name(0));
    let [royal, partner] = [(middle, middle + 2), (right, middle + 1)];
    format!("K = \"{}{} {}{}\"", name(royal.0), name(royal.1), name(partner.0), name(partner.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Coordinates;

    #[test]
    fn examples_have_the_names_of_the_board() {
        let on = |files, ranks, coordinates| example(Grid::new(files, ranks, coordinates).expect("a board"));
        assert_eq!(on(8, 8, Coordinates::Letters), "K = \"e1g1 h1f1\"");
        assert_eq!(on(9, 9, Coordinates::Numbers), "K = \"5i3i 1i4i\"");
        assert_eq!(on(1, 1, Coordinates::Numbers), "K = \"1a1a 1a1a\"");
    }
}
