//! Counting the turns of two moves without listing them.
//!
//! A first move takes a piece from one square and puts it on another. To pieces of other numbers that opens the one square
//! and closes the other, so over all ends E of a first piece a leaper with the targets D has |E| |D| - |E and D| moves. Only
//! riders must be looked at again, for the squares beyond an end that stands in their way.

use ashta_rules::Target;

use super::Contest;
use super::survey::{MAX_CLASSES, Survey};
use crate::sink::{MoveList, Sink};
use crate::tables::{ContestUnits, Rides, Slide, Units};
use crate::word::Word;

/// A piece and where it may go.
#[derive(Clone, Copy, Debug)]
struct Mover<W> {
    from: u8,
    kind: u8,
    class: u8,
    ends: W,
}

/// What pieces of the side to move reach, in memory that is used again.
#[derive(Debug)]
pub struct Reaches<W> {
    movers: Vec<Mover<W>>,
    leapers: Vec<Leaper<W>>,
    riders: Vec<Rider<W>>,
}

/// A piece that leaps, or one step of many pieces.
#[derive(Clone, Copy, Debug)]
struct Leaper<W> {
    class: u8,
    target: Target,
    /// Where to.
    to: W,
}

/// A piece that rides.
#[derive(Clone, Copy, Debug)]
struct Rider<W> {
    class: u8,
    /// Which rides of its class.
    rides: u8,
    square: u8,
    /// How far, before anything moves.
    reach: W,
}

/// The board before a turn.
struct Before<'a, W> {
    units: &'a ContestUnits<W>,
    occupied: W,
    /// Ends by target.
    ends: [W; 3],
}

impl<W: Word> Reaches<W> {
    pub fn new() -> Reaches<W> {
        Reaches { movers: Vec::new(), leapers: Vec::new(), riders: Vec::new() }
    }

    /// Lists the first moves by class and counts all pairs: for a side that commands its own pieces alone, all of which
    /// step, leap or ride.
    #[inline(always)]
    pub fn survey<const GATHERS: bool>(
        &mut self,
        contest: &Contest<W>,
        spared: W,
        firsts: &mut [MoveList],
        survey: &mut Survey,
        always_back: bool,
    ) {
        let (me, occupied) = (contest.state.turn(), contest.state.occupied());
        let units = contest.tables.sides[me as usize & 3].contest.as_ref();
        let units = units.expect("every side of a contest has its units");
        let (empty, captured) = (contest.tables.board & !occupied, occupied & !spared);
        let before = Before { units, occupied, ends: [empty | captured, empty, captured] };
        self.gather::<GATHERS>(contest, me, &before);
        firsts.iter_mut().for_each(MoveList::clear);
        for at in 0..self.movers.len() {
            let mover = self.movers[at];
            let class = mover.class as usize;
            Sink::<W>::moves(&mut firsts[class], mover.from, mover.ends);
            survey.singles[class] += mover.ends.count();
            let row = &mut survey.pairs[class];
            let own = row[class];
            self.add_pairs::<GATHERS>(&before, mover, row);
            row[class] = own + before.twice::<GATHERS>(mover, always_back);
        }
    }

    #[inline(always)]
    fn gather<const GATHERS: bool>(&mut self, contest: &Contest<W>, me: u8, before: &Before<W>) {
        let tables = contest.contest_tables();
        let men = contest.state.side(me);
        self.movers.clear();
        for (kind, group) in before.units.kinds.iter().enumerate() {
            let class = tables.class_of_kind[kind & 63];
            let units = &before.units.by_kind[kind];
            for from in (group.pieces(&contest.state) & men).squares() {
                let ends = before.ends_of::<GATHERS>(units, from, before.occupied, before.ends);
                self.movers.push(Mover { from, kind: kind as u8, class, ends });
            }
        }
        self.leapers.clear();
        self.riders.clear();
        for (class, units) in before.units.by_number.iter().enumerate() {
            let class = class as u8;
            for steps in &units.steps {
                let (pieces, target) = (steps.unit.group.pieces(&contest.state) & men, steps.unit.target);
                let ends = steps.steps.iter().map(|step| (pieces & step.from).moved(step.by));
                self.leapers.extend(ends.map(|to| Leaper { class, target, to }));
            }
            for leaps in &units.leaps {
                let (pieces, target) = (leaps.unit.group.pieces(&contest.state) & men, leaps.unit.target);
                self.leapers.extend(pieces.squares().map(|from| Leaper {
                    class,
                    target,
                    to: *leaps.to.at(from),
                }));
            }
            for (at, rides) in units.rides.iter().enumerate() {
                for square in (rides.unit.group.pieces(&contest.state) & men).squares() {
                    let reach = rides.slide.reach::<GATHERS>(square, before.occupied);
                    self.riders.push(Rider { class, rides: at as u8, square, reach });
                }
            }
        }
    }

    /// Counts what all pieces may do after each move of one; what its own class may do means nothing.
    #[inline(always)]
    fn add_pairs<const GATHERS: bool>(
        &self,
        before: &Before<W>,
        mover: Mover<W>,
        row: &mut [u32; MAX_CLASSES],
    ) {
        let (from, ends) = (W::bit(mover.from), mover.ends);
        let n_ends = ends.count();
        // The mover's square is open now, to be gone to but not to be captured on.
        let open = [before.ends[0] | from, before.ends[1] | from, before.ends[2]];
        for leaper in &self.leapers {
            let reached = leaper.to & open[leaper.target as usize];
            row[leaper.class as usize & 7] += n_ends * reached.count() - (reached & ends).count();
        }
        let occupied = before.occupied ^ from;
        for rider in self.riders.iter().filter(|rider| rider.class != mover.class) {
            let rides = &before.units.by_number[rider.class as usize].rides[rider.rides as usize];
            let open = open[rides.unit.target as usize];
            let reached = match (rider.reach & from).any() {
                true => rides.slide.reach::<GATHERS>(rider.square, occupied),
                false => rider.reach,
            };
            let n = &mut row[rider.class as usize & 7];
            *n += n_ends * (reached & open).count() - (reached & open & ends).count();
            *n -= hidden::<W, GATHERS>(&rides.slide, rider.square, occupied, reached, open, ends);
        }
    }
}

/// Squares that a rider no longer reaches when one of the ends stands in its way, summed over the ends.
#[inline(always)]
fn hidden<W: Word, const GATHERS: bool>(
    slide: &Slide<W>,
    rider: u8,
    occupied: W,
    reached: W,
    open: W,
    ends: W,
) -> u32 {
    let mut n = 0;
    for end in (ends & reached & !occupied).squares() {
        let still = slide.reach::<GATHERS>(rider, occupied | W::bit(end));
        n += (reached & !still & open).count();
    }
    n
}

impl<W: Word> Before<'_, W> {
    /// Where a piece gets to that steps, leaps or rides.
    #[inline(always)]
    fn ends_of<const GATHERS: bool>(&self, units: &Units<W>, from: u8, occupied: W, ends: [W; 3]) -> W {
        let mut all = W::ZERO;
        for leaps in &units.leaps {
            all |= *leaps.to.at(from) & ends[leaps.unit.target as usize];
        }
        for Rides { unit, slide, .. } in &units.rides {
            all |= slide.reach::<GATHERS>(from, occupied) & ends[unit.target as usize];
        }
        all
    }

    /// Ways to move a piece twice; back to its square only after a capture, unless it always may.
    #[inline(always)]
    fn twice<const GATHERS: bool>(&self, mover: Mover<W>, always_back: bool) -> u32 {
        let units = &self.units.by_kind[mover.kind as usize];
        let from = W::bit(mover.from);
        let mut n = 0;
        for to in mover.ends.squares() {
            let captured = self.occupied.has(to);
            let occupied = self.occupied & !from | W::bit(to);
            let open = if captured || always_back { from } else { W::ZERO };
            let closed = from | W::bit(to);
            let ends = [self.ends[0] & !closed | open, self.ends[1] & !closed | open, self.ends[2] & !closed];
            n += self.ends_of::<GATHERS>(units, to, occupied, ends).count();
        }
        n
    }
}

/// Whether pairs can be counted set by set: no piece steps over squares that must be empty.
pub fn counts_by_sets<W>(units: &ContestUnits<W>) -> bool {
    units
        .by_number
        .iter()
        .all(|units| units.steps.iter().all(|steps| steps.steps.iter().all(|step| step.over == 0)))
}
