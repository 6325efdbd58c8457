//! Where a part of a piece's movement leads from each square of an empty board.
//!
//! In: a part of the rules and a side. Out: squares and paths. Never: other pieces.

use ashta_rules::{
    Delta, Grid, KindId, Part, Path, Rules, Side, Square, SquareSet, Wraps, crossed, is_outward,
    turned_by_eighths,
};

use super::BentPath;
use super::slide::Rays;
use crate::word::Word;

/// One part of a kind's movement, as a side sees it.
pub struct PartView<'a> {
    pub rules: &'a Rules,
    pub side: Side,
    pub kind: KindId,
    pub part: &'a Part,
}

impl PartView<'_> {
    fn grid(&self) -> Grid {
        self.rules.grid()
    }

    fn quarters(&self) -> u8 {
        self.rules.sides()[self.side.index()].quarters
    }

    fn steps(&self) -> impl Iterator<Item = Delta> {
        let quarters = self.quarters();
        self.part.movement.steps.iter().map(move |step| step.turned(quarters))
    }

    fn allows(&self, square: Square) -> bool {
        self.part.within.as_ref().is_none_or(|region| region[self.side.index()].has(square))
    }

    /// Whether the position must remember that the piece has not moved.
    #[inline]
    pub fn is_remembered_first_move(&self) -> bool {
        self.part.movement.first_move_only && !Rules::only_goes_forward(self.rules.kind(self.kind))
    }

    /// Squares from which the part may be used at all.
    pub fn starts(&self) -> SquareSet {
        let told_by_square = self.part.movement.first_move_only && !self.is_remembered_first_move();
        let begins =
            |square: Square| self.rules.start().board[square.index()] == Some((self.side, self.kind));
        let from = |square: Square| self.part.from.as_ref().is_none_or(|r| r[self.side.index()].has(square));
        self.grid()
            .squares()
            .filter(|s| self.allows(*s) && from(*s) && (!told_by_square || begins(*s)))
            .collect()
    }

    /// Ends of single steps.
    pub fn leaps(&self, from: Square) -> Vec<Square> {
        self.steps().filter_map(|step| self.grid().step(from, step)).filter(|to| self.allows(*to)).collect()
    }

    /// Ends of lame steps, with the squares crossed.
    pub fn lame_leaps(&self, from: Square) -> Vec<(Square, Vec<Square>)> {
        let mut ways = Vec::new();
        for step in self.steps() {
            let Some(to) = self.grid().step(from, step).filter(|to| self.allows(*to)) else { continue };
            let way: Option<_> = crossed(step).iter().map(|d| self.grid().step(from, *d)).collect();
            ways.extend(way.map(|way| (to, way)));
        }
        ways
    }

    fn ray(&self, from: Square, step: Delta, limit: u8) -> Vec<Square> {
        self.grid().ray(from, step).take_while(|to| self.allows(*to)).take(limit as usize).collect()
    }

    /// Whether the path is compiled end by end, each with the squares that must be empty: paths that stop nowhere near, and
    /// rides around a ring, which reach a square from two sides.
    pub fn is_compiled_by_ends(&self) -> bool {
        match &self.part.movement.path {
            Path::Lame => true,
            Path::Ride { .. } if self.grid().wraps() != Wraps::No => true,
            path => path.has_least(),
        }
    }

    /// Rays of a ride in groups of at most two lines: a line is a step and its opposite.
    pub fn rides(&self, limit: u8) -> Vec<Vec<Vec<Rays>>> {
        let mut lines: Vec<Vec<Delta>> = Vec::new();
        for step in self.steps() {
            match lines.iter_mut().find(|line| line[0] == step.reversed()) {
                Some(line) => line.push(step),
                None => lines.push(vec![step]),
            }
        }
        let starts = self.starts();
        let rays = |lines: &[Vec<Delta>], from: Square| -> Vec<Rays> {
            let of_line = |(n, line): (usize, &Vec<Delta>)| -> Vec<Rays> {
                line.iter().map(|step| Rays { line: n, squares: self.ray(from, *step, limit) }).collect()
            };
            match starts.has(from) {
                true => {
                    lines.iter().enumerate().flat_map(of_line).filter(|ray| !ray.squares.is_empty()).collect()
                }
                false => Vec::new(),
            }
        };
        lines.chunks(2).map(|lines| self.grid().places().map(|from| rays(lines, from)).collect()).collect()
    }

    /// Ends of hops, with the squares of which one must be occupied.
    pub fn hops(&self, from: Square, limit: u8) -> Vec<(Square, Vec<Square>)> {
        let mut ways = Vec::new();
        for step in self.steps() {
            let class = Delta::new(step.file.signum(), step.rank.signum());
            let leap = step.file.unsigned_abs().max(step.rank.unsigned_abs());
            if limit == 1 {
                let line = self.ray(from, class, leap);
                if line.len() == leap as usize {
                    ways.push((line[leap as usize - 1], line[..leap as usize - 1].to_vec()));
                }
                continue;
            }
            let line = self.ray(from, step, limit);
            for end in 1..line.len() {
                ways.push((line[end], line[..end].to_vec()));
            }
        }
        ways
    }

    /// Bent rides: the first square and the rays that lead outward from it.
    pub fn bent_rides(&self, from: Square, then: &[Delta]) -> Vec<BentPath> {
        let mut ways = Vec::new();
        for step in self.steps() {
            let Some(hinge) = self.grid().step(from, step).filter(|to| self.allows(*to)) else { continue };
            let rays = then
                .iter()
                .map(|leg| leg.turned(self.quarters()))
                .filter(|leg| is_outward(step, *leg))
                .map(|leg| self.ray(hinge, leg, u8::MAX))
                .filter(|ray| !ray.is_empty());
            ways.push(BentPath { hinge, rays: rays.collect() });
        }
        ways
    }

    /// Moves of two legs: each first square with the ends after it.
    pub fn two_legs<W: Word>(&self, from: Square, turns: &[u8]) -> Vec<(Square, W)> {
        let mut ways = Vec::new();
        for step in self.steps() {
            let Some(middle) = self.grid().step(from, step).filter(|to| self.allows(*to)) else { continue };
            let legs = turns.iter().filter_map(|turn| turned_by_eighths(step, *turn));
            let ends = legs.filter_map(|leg| self.grid().step(middle, leg)).filter(|to| self.allows(*to));
            ways.push((middle, word_of(ends)));
        }
        ways
    }

    /// Every end from a square, with the squares on the way: all that attack and stuckness need to know.
    pub fn ways(&self, from: Square) -> Vec<(Square, Vec<Square>)> {
        if self.starts().has(from) { self.ways_of_any(from) } else { Vec::new() }
    }

    /// The targets from every square, with the squares on the way as sets.
    pub fn ways_of_all<W: Word>(&self) -> Vec<Vec<(Square, W)>> {
        let ways = |from: Square| self.ways(from).into_iter().map(|(to, way)| (to, word_of(way))).collect();
        self.grid().places().map(ways).collect()
    }

    /// The same for a piece that may not start from this square.
    pub fn ways_of_any(&self, from: Square) -> Vec<(Square, Vec<Square>)> {
        let along = |ray: &[Square]| -> Vec<(Square, Vec<Square>)> {
            (0..ray.len()).map(|n| (ray[n], ray[..n].to_vec())).collect()
        };
        match &self.part.movement.path {
            Path::Leap => self.leaps(from).iter().map(|to| (*to, Vec::new())).collect(),
            Path::Lame => self.lame_leaps(from),
            Path::Ride { least, limit } => {
                let ends =
                    |step| along(&self.ray(from, step, *limit)).into_iter().skip(usize::from(*least) - 1);
                self.steps().flat_map(ends).collect()
            }
            Path::Hop { limit } => self.hops(from, *limit),
            // Moves of two legs capture only where the piece leaps as well.
            Path::TwoLegs { .. } | Path::OutAndBack => Vec::new(),
            Path::Bent { then, least } => {
                let mut ways = Vec::new();
                for way in self.bent_rides(from, then) {
                    ways.extend((*least == 0).then(|| (way.hinge, Vec::new())));
                    for ray in &way.rays {
                        let whole: Vec<Square> =
                            std::iter::once(way.hinge).chain(ray.iter().copied()).collect();
                        ways.extend(along(&whole).into_iter().skip(usize::from(*least).max(1)));
                    }
                }
                ways
            }
        }
    }
}

/// A set of squares as a word.
pub fn word_of<W: Word>(squares: impl IntoIterator<Item = Square>) -> W {
    squares.into_iter().fold(W::ZERO, |set, square| set | W::bit(square))
}

/// Squares where a kind of a side could never move again.
pub fn stuck<W: Word>(rules: &Rules, side: Side, kind: KindId) -> W {
    let moves = |from: Square| {
        rules.kind(kind).moves.iter().any(|part| !PartView { rules, side, kind, part }.ways(from).is_empty())
    };
    word_of(rules.grid().squares().filter(|square| !moves(*square)))
}
