//! Every piece's moves as diagrams, drawn from the rules alone.
//!
//! Each piece stands on an otherwise empty board, where most of its moves can be drawn and then nearest the centre;
//! only the squares around it are drawn, those off the board as blanks.

use ashta_rules::{
    Delta, Kind, KindId, Part, Path, Rules, Side, Square, SquareSet, Target, crossed, is_outward,
};

use super::{PAGE_WIDTH, Style, beside, left, list, right, width};

/// What a piece can do to one square.
#[derive(Clone, Copy, Default)]
struct Reach {
    moves: bool,
    captures: bool,
    first_move: bool,
    hops: bool,
    hop_captures: bool,
    line: Option<char>,
    /// Whether a line ends here by a rule of its own, not by the board.
    ends_line: bool,
    /// Whether a ride without limit may go on from here.
    goes_on: bool,
}

/// The marks of a diagram and what they say.
const LEGEND: [(&str, &str); 8] = [
    ("o", "moves or captures"),
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

/// Columns of one square.
const CELL: usize = 2;

/// A diagram for every kind of piece, several beside each other, and what the marks say.
pub fn piece_moves(rules: &Rules, style: Style) -> Vec<String> {
    let kinds: Vec<KindId> = rules.kind_ids().collect();
    let columns = CELL * (2 * radius(&kinds, rules) as usize + 1);
    let titles = kinds.iter().map(|kind| width(&title(*kind, rules, style)));
    let widest = titles.max().unwrap_or(0).max(columns);
    const GAP: usize = 3;
    let per_row = ((PAGE_WIDTH + GAP) / (widest + GAP)).max(1);
    let (mut lines, mut seen) = (Vec::new(), Vec::new());
    for row in kinds.chunks(per_row) {
        // Each row is as high as its pieces need.
        let radius = radius(row, rules);
        let pictures: Vec<Picture> = row.iter().map(|kind| Picture::of(*kind, radius, rules)).collect();
        seen.extend(pictures.iter().flat_map(Picture::reaches));
        let drawn: Vec<Vec<String>> = pictures.iter().map(|picture| picture.lines(widest, style)).collect();
        lines.extend(beside(&drawn, GAP));
        lines.push(String::new());
    }
    lines.extend(legend(&seen));
    lines
}

/// How far the pictures of these kinds go.
fn radius(kinds: &[KindId], rules: &Rules) -> i16 {
    kinds.iter().map(|kind| extent(rules.kind(*kind))).max().unwrap_or(2).clamp(2, 7)
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
    let used: String = seen.iter().map(|reach| reach.mark()).collect();
    let marks = LEGEND.iter().filter(|(marks, _)| marks.chars().any(|mark| used.contains(mark)));
    let mut entries: Vec<String> = marks.map(|(marks, words)| format!("{marks} {words}")).collect();
    if seen.iter().any(|reach| reach.ends_line && reach.mark() == 'o') {
        entries.push("a line that ends in o goes no farther".to_string());
    }
    let on = |letter: &char| seen.iter().any(|reach| reach.goes_on && reach.mark() == *letter);
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

/// How far from the piece a diagram must go to show what is particular to it.
fn extent(kind: &Kind) -> i16 {
    let length = |step: &Delta| i16::from(step.file.abs().max(step.rank.abs()));
    let of_part = |part: &Part| {
        let movement = &part.movement;
        let step = movement.steps.iter().map(length).max().unwrap_or(1);
        let is_letter = matches!(movement.path, Path::Hop { .. }) || movement.target != Target::Any;
        // Letters at the edge go on, so those that end must end before it.
        let margin = i16::from(is_letter && !movement.first_move_only);
        let margin_of_ride = if part.within.is_some() { margin } else { 0 };
        match movement.path {
            Path::Leap | Path::Lame => step + margin,
            Path::Ride { limit } | Path::Hop { limit } if !is_endless(limit) => {
                step * i16::from(limit) + margin
            }
            Path::Ride { .. } | Path::Hop { .. } => step * 2 + margin_of_ride,
            Path::Bent { .. } => step + 2,
        }
    };
    kind.moves.iter().map(of_part).max().unwrap_or(1)
}

/// Whether a range means "as far as the board goes".
fn is_endless(limit: u8) -> bool {
    limit >= ashta_rules::MAX_LENGTH
}

/// A piece and the squares around it.
struct Picture<'a> {
    rules: &'a Rules,
    kind: KindId,
    radius: i16,
    origin: Square,
    reaches: Vec<Reach>,
}

impl<'a> Picture<'a> {
    fn of(kind: KindId, radius: i16, rules: &'a Rules) -> Picture<'a> {
        let origin = best_origin(rules.kind(kind), radius, rules);
        Picture { rules, kind, radius, origin, reaches: reaches(rules.kind(kind), origin, rules) }
    }

    /// The square so many files and ranks from the piece, if it is on the board.
    fn square(&self, over: i16, up: i16) -> Option<Square> {
        let grid = self.rules.grid();
        grid.at(i16::from(grid.file(self.origin)) + over, i16::from(grid.rank(self.origin)) + up)
    }

    /// What is drawn.
    fn reaches(&self) -> impl Iterator<Item = Reach> {
        let side = -self.radius..=self.radius;
        let squares = side.clone().flat_map(move |over| side.clone().map(move |up| self.square(over, up)));
        squares.flatten().map(|square| self.reaches[square.0 as usize])
    }

    fn lines(&self, columns: usize, style: Style) -> Vec<String> {
        let sign = style.sign(Side::FIRST, self.kind, self.rules);
        let centre = if width(&sign) <= CELL { sign } else { "@".to_string() };
        let mut lines = vec![left(&title(self.kind, self.rules, style), columns)];
        for up in (-self.radius..=self.radius).rev() {
            let cells = (-self.radius..=self.radius).map(|over| match self.square(over, up) {
                None => right("", CELL),
                Some(square) if square == self.origin => right(&centre, CELL),
                Some(square) => right(&self.reaches[square.0 as usize].mark().to_string(), CELL),
            });
            lines.push(cells.collect::<String>());
        }
        lines
    }
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
            Path::Leap => self.mark_all(part, first),
            Path::Lame => {
                let mut crossed = crossed(step).into_iter().map(|delta| grid.step(self.origin, delta));
                if crossed.all(|square| square.is_some_and(|square| allows(within, square))) {
                    self.mark_all(part, first);
                }
            }
            Path::Ride { limit } => self.ride(part, self.origin, step, *limit),
            Path::Hop { limit } => {
                // The nearest square can only hold the piece that is hopped over.
                for (square, is_last) in self.ray(part, self.origin, step, *limit).into_iter().skip(1) {
                    self.mark(part, square).goes_on |= is_endless(*limit) && !is_last;
                }
            }
            Path::Bent { then } => {
                self.mark_all(part, first);
                let Some(corner) = first else { return };
                for leg in then.iter().filter(|leg| is_outward(step, **leg)) {
                    self.ride(part, corner, *leg, ashta_rules::MAX_LENGTH);
                }
            }
        }
    }

    /// A ride's squares, each with whether the ride must end there by a rule of its own.
    fn ray(&self, part: &Part, from: Square, step: Delta, limit: u8) -> Vec<(Square, bool)> {
        let grid = self.rules.grid();
        let within = part.within.as_ref().map(|region| &region[Side::FIRST.index()]);
        let next = |square: &Square| grid.step(*square, step).filter(|square| allows(within, *square));
        let squares: Vec<Square> = std::iter::successors(next(&from), next).take(limit.into()).collect();
        let n_squares = squares.len();
        let has_end = within.is_some() || n_squares == usize::from(limit);
        let is_last = |(n, square): (usize, Square)| (square, has_end && n + 1 == n_squares);
        squares.into_iter().enumerate().map(is_last).collect()
    }

    /// Draws a ride as a line, with an `o` where it must end.
    fn ride(&mut self, part: &Part, from: Square, step: Delta, limit: u8) {
        for (n, (square, is_last)) in self.ray(part, from, step, limit).into_iter().enumerate() {
            let reach = self.mark(part, square);
            reach.goes_on |= is_endless(limit) && !is_last;
            reach.ends_line |= n > 0 && is_last;
            if !is_last && !part.movement.first_move_only {
                reach.line = reach.line.or(Some(line_mark(step)));
            }
        }
    }

    fn mark_all(&mut self, part: &Part, squares: impl IntoIterator<Item = Square>) {
        squares.into_iter().for_each(|square| _ = self.mark(part, square));
    }

    fn mark(&mut self, part: &Part, square: Square) -> &mut Reach {
        let movement = &part.movement;
        let reach = &mut self.reaches[square.0 as usize];
        if matches!(movement.path, Path::Hop { .. }) {
            reach.hops = true;
            reach.hop_captures |= movement.target != Target::Empty;
        } else if movement.first_move_only {
            reach.first_move = true;
        } else {
            reach.moves |= movement.target != Target::Capture;
            reach.captures |= movement.target != Target::Empty;
        }
        reach
    }
}

fn allows(within: Option<&SquareSet>, square: Square) -> bool {
    within.is_none_or(|set| set.has(square))
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
