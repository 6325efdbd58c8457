//! Every piece's moves as a diagram, drawn from the rules alone.
//!
//! In: rules, a kind. Out: what it can do to each square. Never: other pieces, signs, pictures.
//!
//! The piece stands on an otherwise empty board, where most of its moves can be drawn and then nearest the centre.

use crate::betza::{Path, Target, crossed, is_outward};
use crate::grid::{Delta, MAX_LENGTH, Side, Square};
use crate::region::SquareSet;
use crate::rule_parts::{Kind, KindId, Part};
use crate::rules::Rules;

/// What a piece can do to one square.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Reach {
    /// Whether it may go there if the square is empty.
    pub moves: bool,
    /// Whether it may capture there.
    pub captures: bool,
    /// Whether it may go there with its first move only.
    pub first_move: bool,
    /// Whether it may go there by hopping over a piece.
    pub hops: bool,
    /// Whether such a hop may capture.
    pub hop_captures: bool,
    /// Whether it may capture there and go on with a second step, or back.
    pub captures_on_way: bool,
    /// Whether a piece on the way stops it, though it goes there in one leap.
    pub lame: bool,
    /// The step of a ride that goes over the square or ends there by the edge of the board.
    pub line: Option<Delta>,
    /// Whether a line ends here by a rule of its own, not by the board.
    pub ends_line: bool,
    /// Whether a ride without limit may go on from here.
    pub goes_on: bool,
}

impl Reach {
    /// Whether the piece can come here at all.
    pub fn any(self) -> bool {
        self.moves || self.captures || self.first_move || self.hops
    }
}

/// How far the diagrams of these kinds go.
pub fn diagram_radius(kinds: &[KindId], rules: &Rules) -> i16 {
    kinds.iter().map(|kind| extent(rules.kind(*kind))).max().unwrap_or(2).clamp(2, 7)
}

/// A piece of the first side and the squares around it.
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    rules: &'a Rules,
    /// Which kind.
    pub kind: KindId,
    /// Squares that are drawn on each side of it.
    pub radius: i16,
    /// Where it stands.
    pub origin: Square,
    reaches: Vec<Reach>,
}

impl<'a> Diagram<'a> {
    /// The diagram of a kind.
    pub fn of(kind: KindId, radius: i16, rules: &'a Rules) -> Diagram<'a> {
        let origin = best_origin(rules.kind(kind), radius, rules);
        Diagram { rules, kind, radius, origin, reaches: reaches(rules.kind(kind), origin, rules) }
    }

    pub fn rules(&self) -> &'a Rules {
        self.rules
    }

    /// The square so many files and ranks from the piece, if it is on the board.
    pub fn square(&self, over: i16, up: i16) -> Option<Square> {
        let grid = self.rules.grid();
        grid.at(i16::from(grid.file(self.origin)) + over, i16::from(grid.rank(self.origin)) + up)
    }

    /// What the piece can do to a square.
    pub fn reach(&self, square: Square) -> Reach {
        self.reaches.get(usize::from(square.0)).copied().unwrap_or_default()
    }

    /// What is drawn.
    pub fn reaches(&self) -> impl Iterator<Item = Reach> {
        let side = -self.radius..=self.radius;
        let squares = side.clone().flat_map(move |over| side.clone().map(move |up| self.square(over, up)));
        squares.flatten().map(|square| self.reach(square))
    }
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
            Path::Ride { limit, .. } | Path::Hop { limit } if !is_endless(limit) => {
                step * i16::from(limit) + margin
            }
            Path::Ride { least, .. } => step * (i16::from(least) + 1) + margin_of_ride,
            Path::Hop { .. } => step * 2 + margin_of_ride,
            Path::Bent { least, .. } => step + i16::from(least.max(1)) + 1,
            Path::TwoLegs { .. } => 2,
            Path::OutAndBack => step,
        }
    };
    kind.moves.iter().map(of_part).max().unwrap_or(1)
}

/// Whether a range means "as far as the board goes".
fn is_endless(limit: u8) -> bool {
    limit >= MAX_LENGTH
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
            Path::Ride { least, limit } => self.ride(part, self.origin, step, (*least, *limit)),
            Path::Hop { limit } => {
                // The nearest square can only hold the piece that is hopped over.
                for (square, is_last) in self.ray(part, self.origin, step, *limit).into_iter().skip(1) {
                    self.mark(part, square).goes_on |= is_endless(*limit) && !is_last;
                }
            }
            Path::Bent { then, least } => {
                if *least == 0 {
                    self.mark_all(part, first);
                }
                let Some(corner) = first else { return };
                for leg in then.iter().filter(|leg| is_outward(step, **leg)) {
                    self.ride(part, corner, *leg, ((*least).max(1), MAX_LENGTH));
                }
            }
            Path::TwoLegs { .. } => {
                if let Some(square) = first {
                    self.reaches[square.0 as usize].captures_on_way = true;
                }
            }
            // Nothing of it can be seen on the board.
            Path::OutAndBack => {}
        }
    }

    /// A ride's squares, each with whether the ride must end there by a rule of its own.
    fn ray(&self, part: &Part, from: Square, step: Delta, limit: u8) -> Vec<(Square, bool)> {
        let grid = self.rules.grid();
        let within = part.within.as_ref().map(|region| &region[Side::FIRST.index()]);
        let allowed = grid.ray(from, step).take_while(|square| allows(within, *square));
        let squares: Vec<Square> = allowed.take(limit.into()).collect();
        let n_squares = squares.len();
        let has_end = within.is_some() || n_squares == usize::from(limit);
        let is_last = |(n, square): (usize, Square)| (square, has_end && n + 1 == n_squares);
        squares.into_iter().enumerate().map(is_last).collect()
    }

    /// Draws a ride as a line, with an `o` where it must end; nothing where it is still too short.
    fn ride(&mut self, part: &Part, from: Square, step: Delta, (least, limit): (u8, u8)) {
        let ray = self.ray(part, from, step, limit).into_iter().enumerate();
        for (n, (square, is_last)) in ray.skip(usize::from(least) - 1) {
            let reach = self.mark(part, square);
            reach.goes_on |= is_endless(limit) && !is_last;
            reach.ends_line |= n > 0 && is_last;
            if !is_last && !part.movement.first_move_only {
                reach.line = reach.line.or(Some(step));
            }
        }
    }

    fn mark_all(&mut self, part: &Part, squares: impl IntoIterator<Item = Square>) {
        squares.into_iter().for_each(|square| _ = self.mark(part, square));
    }

    fn mark(&mut self, part: &Part, square: Square) -> &mut Reach {
        let movement = &part.movement;
        let reach = &mut self.reaches[square.0 as usize];
        reach.lame |= movement.path == Path::Lame;
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
