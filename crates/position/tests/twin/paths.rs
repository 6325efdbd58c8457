//! Where a movement can end: geometry and blocking, before asking what stands on the last square.

use ashta_rules::{
    Delta, KindId, MAX_LENGTH, Part, Path, Region, Rules, Setup, Side, Square, Wraps, crossed, is_outward,
};

use super::Twin;

impl<'r> Twin<'r> {
    /// The movements that the piece on `from` still has: first-move ones go with the first move.
    pub(super) fn usable_parts(
        &self,
        from: Square,
        side: Side,
        kind: KindId,
    ) -> impl Iterator<Item = &'r Part> {
        let unmoved = self.has_not_moved(from, side, kind);
        self.rules.kind(kind).moves.iter().filter(move |part| unmoved || !part.movement.first_move_only)
    }

    fn has_not_moved(&self, square: Square, side: Side, kind: KindId) -> bool {
        if Rules::only_goes_forward(self.rules.kind(kind)) {
            return self.rules.start().board[square.0 as usize] == Some((side, kind));
        }
        let right = self.rules.first_move_squares().iter().position(|home| *home == square);
        right.is_some_and(|n| self.has_right(self.rules.n_castling_rights() + n))
    }

    pub(super) fn has_right(&self, n: usize) -> bool {
        self.now.rights >> n & 1 == 1
    }

    /// Every square on which the movement can end, were it allowed to stop or capture there.
    pub(super) fn landings(&self, part: &Part, side: Side, from: Square) -> Vec<Square> {
        if !is_in(&part.from, side, from) || !is_in(&part.within, side, from) {
            return Vec::new();
        }
        part.movement.steps.iter().flat_map(|step| self.landings_of_step(part, side, from, *step)).collect()
    }

    fn landings_of_step(&self, part: &Part, side: Side, from: Square, step: Delta) -> Vec<Square> {
        let line = Line { part, side, step: self.turned(step, side) };
        match &part.movement.path {
            Path::Leap => self.ride(&line, from, 1),
            Path::Lame => {
                let is_empty = |by: Delta| {
                    let at = self.rules.grid().step(from, self.turned(by, side));
                    at.is_some_and(|square| self.at(square).is_none())
                };
                if crossed(step).into_iter().all(is_empty) { self.ride(&line, from, 1) } else { Vec::new() }
            }
            Path::Ride { least, limit } => {
                let mut squares = self.ride(&line, from, *limit);
                squares.drain(..squares.len().min(usize::from(*least) - 1));
                squares
            }
            Path::Hop { limit } => self.hop(&line, from, *limit),
            // Attacks and single moves are those of the leaps; `two_legs.rs` has the rest.
            Path::TwoLegs { .. } | Path::OutAndBack => Vec::new(),
            Path::Bent { then, least } => {
                let mut squares = self.ride(&line, from, 1);
                let corner = squares.first().copied().filter(|square| self.at(*square).is_none());
                for leg in then.iter().filter(|leg| is_outward(step, **leg)) {
                    let leg = Line { step: self.turned(*leg, side), ..line };
                    let rides = corner.iter().map(|corner| self.ride(&leg, *corner, MAX_LENGTH));
                    squares
                        .extend(rides.flat_map(|ride| ride.into_iter().skip(usize::from(*least).max(1) - 1)));
                }
                // The corner itself came first.
                if *least > 0 {
                    squares.drain(..squares.len().min(1));
                }
                squares
            }
        }
    }

    /// The step again and again, up to and including the first piece met.
    fn ride(&self, line: &Line, from: Square, limit: u8) -> Vec<Square> {
        let mut squares = Vec::new();
        let mut at = from;
        while squares.len() < limit as usize {
            let Some(next) = self.rules.grid().step(at, line.step).filter(|next| line.may_touch(*next))
            else {
                break;
            };
            // Around a ring.
            if next == from {
                break;
            }
            squares.push(next);
            if self.at(next).is_some() {
                break;
            }
            at = next;
        }
        squares
    }

    /// Ends of one to `limit` steps that have exactly one piece, a hurdle, between them and the start.
    fn hop(&self, line: &Line, from: Square, limit: u8) -> Vec<Square> {
        let mut squares = Vec::new();
        for n in 1..=limit as i8 {
            let by = Delta::new(line.step.file * n, line.step.rank * n);
            let Some(end) = self.rules.grid().step(from, by) else { break };
            let Some(way) = self.between(from, end) else { break };
            if !line.may_touch(end) || !way.iter().all(|square| line.may_touch(*square)) {
                break;
            }
            let hurdles: Vec<KindId> =
                way.iter().filter_map(|square| self.at(*square)).map(|(_, k)| k).collect();
            if hurdles.len() == 1 && !line.part.not_over.contains(&hurdles[0]) {
                squares.push(end);
            }
        }
        squares
    }

    /// The squares strictly between the ends of a straight line, from the first end on; nothing if there is a hole.
    pub(super) fn between(&self, from: Square, to: Square) -> Option<Vec<Square>> {
        let by = self.delta(from, to);
        let unit = Delta::new(by.file.signum(), by.rank.signum());
        let mut squares = Vec::new();
        let mut at = self.rules.grid().step(from, unit)?;
        while at != to {
            squares.push(at);
            at = self.rules.grid().step(at, unit)?;
        }
        Some(squares)
    }

    pub(super) fn delta(&self, from: Square, to: Square) -> Delta {
        let grid = self.rules.grid();
        let file = grid.file(to) as i8 - grid.file(from) as i8;
        Delta::new(file, grid.rank(to) as i8 - grid.rank(from) as i8)
    }

    /// The same, around a ring the shorter way.
    pub(super) fn nearest_delta(&self, from: Square, to: Square) -> Delta {
        let (grid, by) = (self.rules.grid(), self.delta(from, to));
        let around = match grid.wraps() {
            Wraps::No => return by,
            Wraps::Files if by.file > 0 => by.file - grid.files() as i8,
            Wraps::Files => by.file + grid.files() as i8,
        };
        Delta::new(if around.abs() < by.file.abs() { around } else { by.file }, by.rank)
    }

    /// Whether a piece could never leave this square, even on an empty board.
    pub(super) fn is_stuck(&self, side: Side, kind: KindId, square: Square) -> bool {
        let leaves = |part: &Part, step: Delta| {
            if part.movement.path.has_least() {
                let empty = Twin { now: Setup::empty(self.rules), ..self.clone() };
                return !empty.landings_of_step(part, side, square, step).is_empty();
            }
            let end = self.rules.grid().step(square, self.turned(step, side));
            end.is_some_and(|end| is_in(&part.within, side, end))
        };
        // Where the square alone tells that a piece has not moved, no other square gives a first move.
        let begins = self.rules.start().board[square.0 as usize] == Some((side, kind));
        let has_first_move = begins || !Rules::only_goes_forward(self.rules.kind(kind));
        !self.rules.kind(kind).moves.iter().any(|part| {
            (has_first_move || !part.movement.first_move_only)
                && is_in(&part.from, side, square)
                && is_in(&part.within, side, square)
                && part.movement.steps.iter().any(|step| leaves(part, *step))
        })
    }
}

/// One direction of a movement, as its side sees it.
struct Line<'a> {
    part: &'a Part,
    side: Side,
    step: Delta,
}

impl Line<'_> {
    fn may_touch(&self, square: Square) -> bool {
        is_in(&self.part.within, self.side, square)
    }
}

fn is_in(region: &Option<Region>, side: Side, square: Square) -> bool {
    region.as_ref().is_none_or(|squares| squares[side.index()].has(square))
}
