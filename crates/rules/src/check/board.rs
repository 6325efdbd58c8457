//! The board of a game file: its shape, the sides around it, regions of it.

use ashta_messages::message;

use crate::fields::{Collected, Fields};
use crate::grid::{Coordinates, Delta, Grid, Wraps};
use crate::node::{Entry, Node, Value};
use crate::problem::{Place, Problem};
use crate::region::{SquareSet, far_ranks, read_region, region_hint};
use crate::rule_parts::Region;
use crate::rules::SideRules;
use crate::setup_board::holes_in_text;

// What to write when something else than a table stands there.
const ROWS: &str = r#"rows = { 1 = "RNBQKBNR" }"#;

/// The table `[board]`.
pub struct Board<'a> {
    /// The shape; `None` if its size is wrong, and then nothing can be said about squares.
    pub grid: Option<Grid>,
    /// How squares are named.
    pub coordinates: Coordinates,
    /// The start position as written.
    pub start: (String, &'a Place),
}

/// Reads the table `[board]`.
pub fn read<'a>(root: &Fields<'a>) -> Board<'a> {
    let Some(board) = root.required_table("board", message!("rules.write-board")) else {
        let start = (String::new(), root.place());
        return Board { grid: None, coordinates: Coordinates::Letters, start };
    };
    let length = |key: &'static str| {
        if board.node(key).is_none() {
            board.report(Problem::new(board.place().clone(), message!("rules.missing-key", key)));
        }
        board.number(key, 1..=16)
    };
    let size = length("files").zip(length("ranks"));
    let coordinates =
        board.choice("coordinates", &[("letters", Coordinates::Letters), ("numbers", Coordinates::Numbers)]);
    let wraps = board.choice("wraps", &[("no", Wraps::No), ("files", Wraps::Files)]);
    let (start, place) = board.required_text("start");
    let n_sides = root.node("sides").map_or(2, n_sides);
    let grid = size.and_then(|(files, ranks)| Grid::new(files as u8, ranks as u8, coordinates));
    let start = match board.table("rows", ROWS).zip(grid) {
        Some((rows, grid)) => (with_rows(start, &rows, grid), place),
        None => (start.to_string(), place),
    };
    board.finish();
    let grid = grid.map(|grid| grid.with_wraps(wraps).with_holes(holes_in_text(grid, &start.0, n_sides)));
    let grid = grid.filter(|grid| {
        let has_squares = grid.squares().next().is_some();
        if !has_squares {
            root.report(Problem::new(start.1.clone(), message!("rules.holes-only")));
        }
        has_squares
    });
    Board { grid, coordinates, start }
}

/// The start with some of its ranks written anew, so that each may be a change of its own.
fn with_rows(start: &str, rows: &Fields, grid: Grid) -> String {
    let (board, rest) = start.split_at(start.find([' ', '[']).unwrap_or(start.len()));
    let mut ranks: Vec<&str> = board.split('/').collect();
    for entry in rows.all() {
        let rank = (0..grid.ranks()).find(|rank| grid.rank_name(*rank) == entry.key);
        let at = rank.map(|rank| usize::from(grid.ranks() - 1 - rank));
        match (at.and_then(|at| ranks.get_mut(at)), &entry.node.value) {
            (Some(row), Value::Text(text)) if !text.contains(['/', ' ', '[']) => *row = text,
            _ => {
                let what = message!("rules.start-row", name = entry.key);
                let hint = message!("rules.such-as", example = ROWS);
                rows.report(Problem::new(entry.key_place.clone(), what).hint(hint));
            }
        }
    }
    format!("{}{rest}", ranks.join("/"))
}

/// How many sides the table `[sides]` names; its mistakes are told by [`read_sides`].
fn n_sides(table: &Node) -> usize {
    table.get("names").map_or(2, |names| match &names.value {
        Value::List(names) => names.len(),
        Value::Text(_) | Value::Number(_) | Value::Truth(_) | Value::Table(_) => 2,
    })
}

/// The sides, White and Black if the file does not say.
pub fn read_sides(root: &Fields, board: &Board) -> Vec<SideRules> {
    let default: [(&str, char); 2] = match board.coordinates {
        Coordinates::Letters => [("White", 'w'), ("Black", 'b')],
        Coordinates::Numbers => [("Black", 'b'), ("White", 'w')],
    };
    // Around a ring all sides look to the middle: what is turned is where they sit.
    let is_ring = board.grid.is_some_and(|grid| grid.wraps() != Wraps::No);
    let side = |name: &str, letter, team, quarters| {
        let quarters = if is_ring { 0 } else { quarters };
        SideRules { name: name.to_string(), letter, team, quarters }
    };
    let Some(table) = root.table("sides", message!("rules.write-sides")) else {
        return vec![side(default[0].0, default[0].1, 0, 0), side(default[1].0, default[1].1, 1, 2)];
    };
    let names = table.texts("names").unwrap_or_default();
    let letters = table.texts("letters").unwrap_or_default();
    let teams = table.texts("teams").unwrap_or_else(|| names.clone());
    let place = table.place().clone();
    table.finish();
    let count = names.len();
    let single = |text: &str| text.len() == 1 && text.bytes().all(|b| b.is_ascii_lowercase());
    let mut problem = None;
    if !matches!(count, 2 | 4) || letters.len() != count || teams.len() != count {
        problem = Some(message!("rules.sides-count"));
    } else if !letters.iter().all(|(text, _)| single(text)) {
        problem = Some(message!("rules.side-letter"));
    } else if (1..count).any(|n| letters[..n].iter().any(|(text, _)| *text == letters[n].0)) {
        problem = Some(message!("rules.side-letter-twice"));
    } else if count == 4 && board.grid.is_some_and(|grid| grid.files() != grid.ranks()) {
        problem = Some(message!("rules.four-sides-square"));
    }
    if let Some(what) = problem {
        root.report(Problem::new(place, what));
        return vec![side("First", 'w', 0, 0), side("Second", 'b', 1, 2)];
    }
    let team_of = |n: usize| teams.iter().position(|(team, _)| *team == teams[n].0).unwrap_or(n) as u8;
    let quarters = |n: usize| (n * 4 / count) as u8;
    (0..count)
        .map(|n| side(names[n].0, letters[n].0.chars().next().unwrap_or('w'), team_of(n), quarters(n)))
        .collect()
}

/// The named regions; without a board they have names and no squares.
pub fn read_regions<'a>(root: &Fields<'a>, grid: Option<Grid>, quarters: &[u8]) -> Vec<(&'a str, Region)> {
    let zone = grid.map_or_else(|| "rank 8".to_string(), far_ranks);
    let Some(table) = root.table("regions", message!("rules.write-regions", zone)) else { return Vec::new() };
    let nowhere = || vec![SquareSet::EMPTY; quarters.len()];
    let region = |entry: &Entry| match grid {
        Some(grid) => read_named(entry, grid, quarters, root.problems()).unwrap_or_else(nowhere),
        None => nowhere(),
    };
    let is_there = |entry: &&Entry| !matches!(&entry.node.value, Value::Text(text) if text == "none");
    table.all().iter().filter(is_there).map(|entry| (entry.key.as_str(), region(entry))).collect()
}

fn read_named(entry: &Entry, grid: Grid, quarters: &[u8], problems: &Collected) -> Option<Region> {
    let nodes = match &entry.node.value {
        Value::List(nodes) => nodes.as_slice(),
        _ => std::slice::from_ref(&entry.node),
    };
    let texts = nodes.iter().map(|node| match &node.value {
        Value::Text(text) => Some((text.as_str(), &node.place)),
        _ => None,
    });
    let texts: Vec<(&str, &Place)> = texts.collect::<Option<_>>().unwrap_or_default();
    match texts.as_slice() {
        [text] => Some(turned(squares(grid, *text, problems), grid, quarters)),
        texts if texts.len() == quarters.len() => {
            Some(texts.iter().map(|text| squares(grid, *text, problems)).collect())
        }
        _ => {
            let what = message!("rules.region-type");
            problems.borrow_mut().push(Problem::new(entry.node.place.clone(), what).hint(region_hint(grid)));
            None
        }
    }
}

fn squares(grid: Grid, (text, place): (&str, &Place), problems: &Collected) -> SquareSet {
    read_region(grid, text).unwrap_or_else(|what| {
        problems.borrow_mut().push(Problem::new(place.clone(), what).hint(region_hint(grid)));
        SquareSet::EMPTY
    })
}

/// A region given from the first side's view, turned for each side; on a ring, carried around it.
pub fn turned(first: SquareSet, grid: Grid, quarters: &[u8]) -> Region {
    let n_sides = quarters.len();
    let for_side = |(side, turns): (usize, &u8)| -> SquareSet {
        let places = first.iter().filter_map(|square| match grid.wraps() {
            Wraps::No => Some(grid.turned(square, *turns)),
            Wraps::Files => {
                let around = side * usize::from(grid.files()) / n_sides;
                grid.step(square, Delta::new(around as i8, 0))
            }
        });
        places.filter(|place| !grid.holes().has(*place)).collect()
    };
    quarters.iter().enumerate().map(for_side).collect()
}
