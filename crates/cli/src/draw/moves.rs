//! Every piece's moves as diagrams, drawn from the rules alone.
//!
//! Each piece stands on an otherwise empty board, where most of its moves can be drawn and then nearest the centre;
//! only the squares around it are drawn, those off the board as blanks.

use ashta_rules::{
    Delta, Kind, KindId, Part, Path, Rules, Side, Square, SquareSet, Target, crossed, is_outward, is_straight,
};

use super::{PAGE_WIDTH, Style, beside, left, right, width};

/// What a piece can do to one square.
#[derive(Clone, Copy, Default)]
struct Reach {
    moves: bool,
    captures: bool,
    first_move: bool,
    hops: bool,
    hop_captures: bool,
    line: Option<char>,
}

/// The marks of a diagram and what they say.
const LEGEND: [(&str, &str); 7] = [
    ("o", "moves or captures"),
    ("m", "moves only"),
    ("x", "captures only"),
    ("1", "first move only"),
    ("c", "moves, or captures over a piece"),
    ("h", "only over a piece"),
    ("|-/\\", "any distance"),
];

impl Reach {
    fn any(self) -> bool {
        self.moves || self.captures || self.first_move || self.hops
    }

    fn mark(self) -> char {
        match (self.moves, self.captures) {
            (true, true) => self.line.unwrap_or('o'),
            (true, false) if self.hop_captures => 'c',
            (true, false) => 'm',
            (false, true) => 'x',
            (false, false) if self.first_move => '1',
            (false, false) if self.hops => 'h',
            (false, false) => '.',
        }
    }
}

/// A diagram for every kind of piece, several beside each other, and what the marks say.
pub fn piece_moves(rules: &Rules, style: Style) -> Vec<String> {
    let radius = rules.kinds().iter().map(extent).max().unwrap_or(2).clamp(2, 7);
    let mut pictures: Vec<Vec<String>> =
        rules.kind_ids().map(|kind| diagram(kind, radius, rules, style)).collect();
    let widest = pictures.iter().flatten().map(|line| width(line)).max().unwrap_or(1);
    for title in pictures.iter_mut().filter_map(|lines| lines.first_mut()) {
        *title = left(title, widest);
    }
    const GAP: usize = 3;
    let per_row = ((PAGE_WIDTH + GAP) / (widest + GAP)).max(1);
    let mut lines = Vec::new();
    for row in pictures.chunks(per_row) {
        lines.extend(beside(row, GAP));
        lines.push(String::new());
    }
    lines.extend(legend(rules, radius));
    lines
}

fn legend(rules: &Rules, radius: i16) -> Vec<String> {
    let mut used = String::new();
    for kind in rules.kinds() {
        used.extend(reaches(kind, best_origin(kind, radius, rules), rules).into_iter().map(Reach::mark));
    }
    let used = LEGEND.iter().filter(|(marks, _)| marks.chars().any(|mark| used.contains(mark)));
    let mut lines: Vec<String> = Vec::new();
    for entry in used.map(|(marks, words)| format!("{marks} {words}")) {
        match lines.last_mut() {
            Some(line) if width(line) + 3 + width(&entry) <= PAGE_WIDTH => {
                *line = format!("{line}   {entry}")
            }
            _ => lines.push(entry),
        }
    }
    lines
}

/// How far from the piece a diagram must go to show what is particular to it.
fn extent(kind: &Kind) -> i16 {
    let length = |step: &Delta| i16::from(step.file.abs().max(step.rank.abs()));
    let of_part = |part: &Part| {
        let step = part.movement.steps.iter().map(length).max().unwrap_or(1);
        match part.movement.path {
            Path::Leap | Path::Lame => step,
            Path::Ride { limit } | Path::Hop { limit } if !is_endless(limit) => step * i16::from(limit),
            Path::Ride { .. } | Path::Hop { .. } => step * 2,
            Path::Bent { .. } => step + 2,
        }
    };
    kind.moves.iter().map(of_part).max().unwrap_or(1)
}

/// Whether a range means "as far as the board goes".
fn is_endless(limit: u8) -> bool {
    limit >= ashta_rules::MAX_LENGTH
}

fn diagram(id: KindId, radius: i16, rules: &Rules, style: Style) -> Vec<String> {
    let grid = rules.grid();
    let kind = rules.kind(id);
    let origin = best_origin(kind, radius, rules);
    let reaches = reaches(kind, origin, rules);
    let sign = style.sign(Side::FIRST, id, rules);
    const CELL: usize = 2;
    let centre = if width(&sign) <= CELL { sign.clone() } else { "@".to_string() };
    let title = match style {
        Style::Letters => format!("{sign} {}", kind.name),
        Style::Kanji | Style::Glyphs if sign == kind.letter => format!("{sign} {}", kind.name),
        Style::Kanji | Style::Glyphs => format!("{sign} {} {}", kind.name, kind.letter),
    };
    let mut lines = vec![title];
    let (file, rank) = (i16::from(grid.file(origin)), i16::from(grid.rank(origin)));
    for up in (-radius..=radius).rev() {
        let cells = (-radius..=radius).map(|over| match grid.at(file + over, rank + up) {
            None => right("", CELL),
            Some(square) if square == origin => right(&centre, CELL),
            Some(square) => right(&reaches[square.0 as usize].mark().to_string(), CELL),
        });
        lines.push(cells.collect::<String>());
    }
    lines
}

/// Where most of a piece's moves can be drawn; of such squares, the one nearest the centre of the board.
fn best_origin(kind: &Kind, radius: i16, rules: &Rules) -> Square {
    let grid = rules.grid();
    let from_centre = |square: Square| {
        let off = |n: u8, length: u8| (2 * i32::from(n) - (i32::from(length) - 1)).pow(2);
        off(grid.file(square), grid.files()) + off(grid.rank(square), grid.ranks())
    };
    let apart = |a: u8, b: u8| i16::from(a.abs_diff(b));
    let n_drawn = |origin: Square| {
        let reaches = reaches(kind, origin, rules);
        let near = |square: &Square| {
            apart(grid.file(*square), grid.file(origin)).max(apart(grid.rank(*square), grid.rank(origin)))
                <= radius
        };
        grid.squares().filter(near).filter(|square| reaches[square.0 as usize].any()).count()
    };
    grid.squares().max_by_key(|square| (n_drawn(*square), -from_centre(*square))).unwrap_or(Square(0))
}

/// What the first side's piece can do to every square from `origin`, on a board that is empty but for what it takes.
fn reaches(kind: &Kind, origin: Square, rules: &Rules) -> Vec<Reach> {
    let mut drawing = Drawing { rules, origin, reaches: vec![Reach::default(); rules.grid().n_squares()] };
    for part in &kind.moves {
        if part.from.as_ref().is_none_or(|region| region[Side::FIRST.index()].has(origin)) {
            for step in &part.movement.steps {
                drawing.add(part, *step);
            }
        }
    }
    drawing.reaches
}

struct Drawing<'a> {
    rules: &'a Rules,
    origin: Square,
    reaches: Vec<Reach>,
}

impl Drawing<'_> {
    fn add(&mut self, part: &Part, step: Delta) {
        let grid = self.rules.grid();
        let within = part.within.as_ref().map(|region| &region[Side::FIRST.index()]);
        let first = grid.step(self.origin, step).filter(|square| allows(within, *square));
        match &part.movement.path {
            Path::Leap => self.mark_all(part, first, None),
            Path::Lame => {
                let mut crossed = crossed(step).into_iter().map(|delta| grid.step(self.origin, delta));
                if crossed.all(|square| square.is_some_and(|square| allows(within, square))) {
                    self.mark_all(part, first, None);
                }
            }
            Path::Ride { limit } => {
                let line = line_mark(step).filter(|_| is_endless(*limit));
                let squares = self.ray(self.origin, step, *limit, within);
                self.mark_all(part, squares, line);
            }
            Path::Hop { limit } => {
                // The nearest square can only hold the piece that is hopped over.
                let squares = self.ray(self.origin, step, *limit, within);
                self.mark_all(part, squares.into_iter().skip(1), None);
            }
            Path::Bent { then } => {
                self.mark_all(part, first, None);
                let Some(corner) = first else { return };
                for leg in then.iter().filter(|leg| is_outward(step, **leg)) {
                    let squares = self.ray(corner, *leg, ashta_rules::MAX_LENGTH, within);
                    self.mark_all(part, squares, line_mark(*leg));
                }
            }
        }
    }

    fn ray(&self, from: Square, step: Delta, limit: u8, within: Option<&SquareSet>) -> Vec<Square> {
        let grid = self.rules.grid();
        let next = |square: &Square| grid.step(*square, step).filter(|square| allows(within, *square));
        std::iter::successors(next(&from), next).take(limit.into()).collect()
    }

    fn mark_all(&mut self, part: &Part, squares: impl IntoIterator<Item = Square>, line: Option<char>) {
        let movement = &part.movement;
        for square in squares {
            let reach = &mut self.reaches[square.0 as usize];
            if matches!(movement.path, Path::Hop { .. }) {
                reach.hops = true;
                reach.hop_captures |= movement.target != Target::Empty;
            } else if movement.first_move_only {
                reach.first_move = true;
            } else {
                reach.moves |= movement.target != Target::Capture;
                reach.captures |= movement.target != Target::Empty;
                reach.line = reach.line.or(line);
            }
        }
    }
}

fn allows(within: Option<&SquareSet>, square: Square) -> bool {
    within.is_none_or(|set| set.has(square))
}

/// How a line in a direction is drawn; leaps repeated have no line.
fn line_mark(step: Delta) -> Option<char> {
    let single = is_straight(step) && step.file.abs().max(step.rank.abs()) == 1;
    single.then_some(match (step.file, step.rank) {
        (0, _) => '|',
        (_, 0) => '-',
        (file, rank) if file == rank => '/',
        _ => '\\',
    })
}
