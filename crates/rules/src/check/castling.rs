//! Castling, as a game file says it.

use ashta_messages::{Message, message};

use super::Context;
use crate::fields::Fields;
use crate::grid::{Grid, Side, Square};
use crate::node::Value;
use crate::problem::Place;
use crate::rule_parts::{Castling, CastlingStarts};

/// `K = "e1g1 h1f1"`: the royal piece's way and its partner's; the second side's is mirrored. `?` is any file: the partner
/// then starts on that side of the royal piece which it leaves.
pub fn read(root: &Fields, context: &Context) -> (Vec<Castling>, CastlingStarts) {
    let example = context.grid.map_or_else(|| "K = \"e1g1 h1f1\"".to_string(), example);
    let Some(table) = root.table("castling", message!("rules.write-castling", example)) else {
        return (Vec::new(), CastlingStarts::Fixed);
    };
    let partner = table.text("partner").map(|text| context.kind(text));
    let starts = partner.map_or(CastlingStarts::Fixed, |partner| CastlingStarts::AnyFile { partner });
    let mut castlings = Vec::new();
    for entry in table.all().iter().filter(|entry| entry.key != "partner") {
        match (&entry.node.value, entry.key.as_bytes()) {
            (Value::Text(text), [letter]) if letter.is_ascii_uppercase() => {
                castlings.extend(read_pair(*letter as char, (text, &entry.node.place), starts, context));
            }
            _ => {
                let hint = message!("rules.write", example);
                context.report(&entry.key_place, message!("rules.castling-entry"), Some(hint));
            }
        }
    }
    let firsts: Vec<&Castling> = castlings.iter().filter(|castling| castling.side == Side::FIRST).collect();
    for (n, one) in firsts.iter().enumerate() {
        let is_same = |other: &&&Castling| (other.royal, other.partner) == (one.royal, one.partner);
        if let Some(other) = firsts[..n].iter().find(is_same) {
            let what = message!("rules.castling-twice", one = one.letter, other = other.letter);
            context.report(table.place(), what, Some(message!("rules.leave-one-out")));
        }
    }
    castlings.sort_by_key(|castling| castling.side);
    number_rights(&mut castlings, starts, context.grid);
    // Each is a bit of a position's rights, of which there are 32.
    let n_rights = castlings.iter().map(|castling| usize::from(castling.right) + 1).max().unwrap_or(0);
    if n_rights > 32 || starts == CastlingStarts::Fixed && n_rights == 32 {
        context.report(table.place(), message!("rules.castling-count", n = castlings.len()), None);
    }
    (castlings, starts)
}

/// Each castling has a right; from any file, each square of a partner has one, and those of one royal square stand together.
fn number_rights(castlings: &mut [Castling], starts: CastlingStarts, grid: Option<Grid>) {
    match starts {
        CastlingStarts::Fixed => {
            castlings.iter_mut().zip(0..).for_each(|(castling, n)| castling.right = n);
        }
        CastlingStarts::AnyFile { .. } => {
            castlings.sort_by_key(|castling| (castling.side, castling.royal.0));
            let files = grid.map_or(0, Grid::files);
            for castling in castlings {
                let file = grid.map_or(0, |grid| grid.file(castling.partner.0));
                castling.right = castling.side.0 * files + file;
                castling.target = castling.partner.0;
            }
        }
    }
}

/// A castling of the first side, and the second side's.
fn read_pair(
    letter: char,
    (text, place): (&str, &Place),
    starts: CastlingStarts,
    context: &Context,
) -> Vec<Castling> {
    if context.quarters.len() != 2 {
        context.report(place, message!("rules.castling-sides"), None);
        return Vec::new();
    }
    let Some(grid) = context.grid else { return Vec::new() };
    let read = match starts {
        CastlingStarts::Fixed => read_ways(grid, text).map(|ways| vec![ways]),
        CastlingStarts::AnyFile { .. } => read_ways_from_any_file(grid, text),
    };
    let all = match read {
        Ok(all) => all,
        Err(what) => {
            let example = match starts {
                CastlingStarts::Fixed => example(grid),
                CastlingStarts::AnyFile { .. } => "K = \"?1g1 ?1f1\"".to_string(),
            };
            context.report(place, what, Some(message!("rules.such-as", example)));
            return Vec::new();
        }
    };
    let mirror = |square: Square| Square(square.0 + grid.ranks() - 1 - 2 * grid.rank(square));
    let both = |way: (Square, Square)| (mirror(way.0), mirror(way.1));
    let hole_of = |(royal, partner): &(Way, Way)| {
        hole_on_way(grid, *royal, *partner).or(hole_on_way(grid, both(*royal), both(*partner)))
    };
    if let Some(hole) = all.iter().find_map(hole_of) {
        let what = message!("rules.castling-hole", square = grid.name(hole).to_string());
        context.report(place, what, None);
        return Vec::new();
    }
    let second = letter.to_ascii_lowercase();
    let of = |side, letter, royal: Way, partner| Castling {
        side,
        letter,
        royal,
        partner,
        right: 0,
        target: royal.1,
    };
    let firsts = all.iter().map(|(royal, partner)| of(Side::FIRST, letter, *royal, *partner));
    let seconds = all.iter().map(|(royal, partner)| of(Side::SECOND, second, both(*royal), both(*partner)));
    firsts.chain(seconds).collect()
}

/// `?1g1 ?1f1`: every two files of the rank on which the partner stands to the right, as it leaves the royal piece to the left.
fn read_ways_from_any_file(grid: Grid, text: &str) -> Result<Vec<(Way, Way)>, Message> {
    let starts: Vec<&str> = text.split_whitespace().collect();
    if starts.is_empty() || !starts.iter().all(|way| way.starts_with('?')) {
        return Err(message!("rules.castling-any-file"));
    }
    // The leftmost and the rightmost file stand for any two.
    let [left, right] = [0, grid.files().saturating_sub(1)].map(|file| grid.file_name(file));
    let written = |royal: &str, partner: &str| {
        let ways = starts.iter().zip([royal, partner]).map(|(way, file)| way.replacen('?', file, 1));
        ways.collect::<Vec<String>>().join(" ")
    };
    let (royal, partner) = read_ways(grid, &written(&left, &right))?;
    let is_right = grid.file(partner.1) < grid.file(royal.1);
    let on_rank = |file: u8| grid.at(i16::from(file), i16::from(grid.rank(royal.0)));
    let mut all = Vec::new();
    for (one, other) in (0..grid.files()).flat_map(|file| (0..file).map(move |left| (left, file))) {
        let (royal_file, partner_file) = if is_right { (one, other) } else { (other, one) };
        if let (Some(from), Some(with)) = (on_rank(royal_file), on_rank(partner_file)) {
            all.push(((from, royal.1), (with, partner.1)));
        }
    }
    Ok(all)
}

type Way = (Square, Square);

/// The royal piece's way and its partner's, or what is wrong with them.
fn read_ways(grid: Grid, text: &str) -> Result<(Way, Way), Message> {
    let ways: Vec<Way> = text.split_whitespace().map(|way| read_way(grid, way)).collect::<Result<_, _>>()?;
    let &[royal, partner] = ways.as_slice() else {
        return Err(message!("rules.castling-two-paths"));
    };
    let ranks = [royal.0, royal.1, partner.0, partner.1].map(|square| grid.rank(square));
    match () {
        () if ranks.iter().any(|rank| *rank != ranks[0]) => Err(message!("rules.castling-one-rank")),
        () if royal.0 == partner.0 => Err(message!("rules.castling-same-start")),
        () if royal.1 == partner.1 => Err(message!("rules.castling-same-end")),
        () if royal.0 == royal.1 && partner.0 == partner.1 => Err(message!("rules.castling-no-move")),
        () => Ok((royal, partner)),
    }
}

/// A hole that two pieces on one rank would cross.
fn hole_on_way(grid: Grid, royal: Way, partner: Way) -> Option<Square> {
    let squares = [royal.0, royal.1, partner.0, partner.1];
    let files = || squares.iter().map(|square| grid.file(*square));
    let is_crossed = |hole: &Square| {
        grid.rank(*hole) == grid.rank(royal.0)
            && Some(grid.file(*hole)) >= files().min()
            && Some(grid.file(*hole)) <= files().max()
    };
    grid.holes().iter().find(is_crossed)
}

fn read_way(grid: Grid, text: &str) -> Result<Way, Message> {
    let square = |text| grid.read_square(text).ok_or_else(|| message!("rules.no-square", text));
    let (from, rest) = square(text)?;
    let (to, rest) = square(rest)?;
    match rest.is_empty() {
        true => Ok((from, to)),
        false => Err(message!("rules.castling-rest", rest)),
    }
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
    fn ways_that_make_no_sense_are_told() {
        let grid = Grid::new(10, 8, Coordinates::Letters).expect("a board");
        let told = |text| read_ways(grid, text).expect_err(text).to_string();
        assert!(read_ways(grid, "f1i1 j1h1").is_ok());
        // The partner, or the royal piece, may be where it belongs already.
        assert!(read_ways(grid, "f1h1 g1g1").is_ok() && read_ways(grid, "h1h1 j1g1").is_ok());
        assert_eq!(told("f1i1"), "a castling must have two paths, the royal piece's and its partner's");
        assert_eq!(told("f1k1 j1h1"), "`k1` is not a square of this board");
        assert_eq!(told("f1i1e1 j1h1"), "unexpected `e1`: a path is two squares");
        assert_eq!(told("f1i3 j1h1"), "a castling must stay on one rank");
        assert_eq!(told("f1i1 f1h1"), "the royal piece and its partner start on the same square");
        assert_eq!(told("f1i1 j1i1"), "the royal piece and its partner end on the same square");
        assert_eq!(told("f1f1 j1j1"), "neither piece moves in this castling");
    }

    #[test]
    fn examples_have_the_names_of_the_board() {
        let on = |files, ranks, coordinates| example(Grid::new(files, ranks, coordinates).expect("a board"));
        assert_eq!(on(8, 8, Coordinates::Letters), "K = \"e1g1 h1f1\"");
        assert_eq!(on(9, 9, Coordinates::Numbers), "K = \"5i3i 1i4i\"");
        assert_eq!(on(1, 1, Coordinates::Numbers), "K = \"1a1a 1a1a\"");
    }
}
