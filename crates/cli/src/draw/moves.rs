//! Every piece's moves as diagrams, drawn from the rules alone.
//!
//! Each piece stands on an otherwise empty board, where most of its moves can be drawn and then nearest the centre;
//! only the squares around it are drawn, those off the board as blanks.

use ashta_rules::{Delta, Diagram, KindId, Reach, Rules, Side, diagram_radius};

use super::{PAGE_WIDTH, Style, beside, left, list, right, width};

/// The marks of a diagram and what they say.
const LEGEND: [(&str, &str); 9] = [
    ("o", "moves or captures"),
    ("2", "moves or captures; may capture here and step again, or go back"),
    ("m", "moves only"),
    ("x", "captures only"),
    ("1", "first move only"),
    ("c", "moves, or captures over a piece"),
    ("h", "only over a piece"),
    ("|-/\\", "any distance"),
    ("*", "the same leap again, any number of times"),
];

/// Marks that do not show by themselves that a ride goes on.
const LETTERS: [char; 4] = ['m', 'x', 'c', 'h'];

/// The mark of a square.
fn mark(reach: Reach) -> char {
    match (reach.moves, reach.captures) {
        (true, true) if reach.captures_on_way => '2',
        (true, true) => reach.line.map_or('o', line_mark),
        (true, false) if reach.hop_captures => 'c',
        (true, false) => 'm',
        (false, true) => 'x',
        (false, false) if reach.first_move => '1',
        (false, false) if reach.hops => 'h',
        (false, false) => '.',
    }
}

/// Columns of one square.
const CELL: usize = 2;

/// A diagram for every kind of piece, several beside each other, and what the marks say.
pub fn piece_moves(rules: &Rules, style: Style) -> Vec<String> {
    let kinds: Vec<KindId> = rules.kind_ids().collect();
    let columns = CELL * (2 * diagram_radius(&kinds, rules) as usize + 1);
    let titles = kinds.iter().map(|kind| width(&title(*kind, rules, style)));
    let widest = titles.max().unwrap_or(0).max(columns);
    const GAP: usize = 3;
    let per_row = ((PAGE_WIDTH + GAP) / (widest + GAP)).max(1);
    let (mut lines, mut seen) = (Vec::new(), Vec::new());
    for row in kinds.chunks(per_row) {
        // Each row is as high as its pieces need.
        let radius = diagram_radius(row, rules);
        let pictures: Vec<Diagram> = row.iter().map(|kind| Diagram::of(*kind, radius, rules)).collect();
        seen.extend(pictures.iter().flat_map(Diagram::reaches));
        let drawn: Vec<Vec<String>> =
            pictures.iter().map(|picture| lines_of(picture, widest, style)).collect();
        lines.extend(beside(&drawn, GAP));
        lines.push(String::new());
    }
    lines.extend(legend(&seen));
    lines
}

fn title(id: KindId, rules: &Rules, style: Style) -> String {
    let (kind, sign) = (rules.kind(id), style.sign(Side::FIRST, id, rules));
    match style {
        Style::Letters => format!("{sign} {}", kind.name),
        Style::Kanji | Style::Glyphs if sign == kind.letter => format!("{sign} {}", kind.name),
        Style::Kanji | Style::Glyphs => format!("{sign} {} {}", kind.name, kind.letter),
    }
}

fn legend(seen: &[Reach]) -> Vec<String> {
    let used: String = seen.iter().map(|reach| mark(*reach)).collect();
    let marks = LEGEND.iter().filter(|(marks, _)| marks.chars().any(|mark| used.contains(mark)));
    let mut entries: Vec<String> = marks.map(|(marks, words)| format!("{marks} {words}")).collect();
    if seen.iter().any(|reach| reach.ends_line && mark(*reach) == 'o') {
        entries.push("a line that ends in o goes no farther".to_string());
    }
    let on = |letter: &char| seen.iter().any(|reach| reach.goes_on && mark(*reach) == *letter);
    let letters: Vec<String> = LETTERS.iter().filter(|letter| on(letter)).map(char::to_string).collect();
    if !letters.is_empty() {
        entries.push(format!("{} at the edge of a picture goes on", list(&letters, "or")));
    }
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if width(line) + 3 + width(&entry) <= PAGE_WIDTH => {
                *line = format!("{line}   {entry}")
            }
            _ => lines.push(entry),
        }
    }
    lines
}

fn lines_of(diagram: &Diagram, columns: usize, style: Style) -> Vec<String> {
    let sign = style.sign(Side::FIRST, diagram.kind, diagram.rules());
    let centre = if width(&sign) <= CELL { sign } else { "@".to_string() };
    let mut lines = vec![left(&title(diagram.kind, diagram.rules(), style), columns)];
    for up in (-diagram.radius..=diagram.radius).rev() {
        let cells = (-diagram.radius..=diagram.radius).map(|over| match diagram.square(over, up) {
            None => right("", CELL),
            Some(square) if square == diagram.origin => right(&centre, CELL),
            Some(square) => right(&mark(diagram.reach(square)).to_string(), CELL),
        });
        lines.push(cells.collect::<String>());
    }
    lines
}

/// How a line in a direction is drawn; leaps repeated have no line.
fn line_mark(step: Delta) -> char {
    let is_single = step.file.abs().max(step.rank.abs()) == 1;
    match (step.file, step.rank) {
        _ if !is_single => '*',
        (0, _) => '|',
        (_, 0) => '-',
        (file, rank) if file == rank => '/',
        _ => '\\',
    }
}
