//! Counting the turns of two moves without listing them.
//!
//! A first move takes a piece from one square and puts it on another. To a leaper of another number that opens the one
//! square and closes the other: if the pieces have the targets E and D, they have |E| |D| - |E and D| turns, in either order,
//! and |E| more if the leaper may go to where the first piece stood. Only riders must be looked at again, for what lies
//! beyond a square that was opened or closed.

use ashta_rules::{ComeBack, KindId, Side, Square, Target};

use super::Contest;
use super::survey::{MAX_CLASSES, Survey};
use crate::moves::Move;
use crate::tables::{AttackTable, ContestClasses, ContestTables, SlideTable, slide_method::LINES};
use crate::word::Word;

/// A piece and where it may go.
#[derive(Clone, Copy, Debug)]
struct Mover<W> {
    from: Square,
    kind: KindId,
    class: u8,
    /// Where to.
    ends: W,
    n_ends: u32,
    /// Where it may leap to if that square is empty.
    leaps: W,
    /// Ways to move it twice.
    n_twice: u32,
}

/// A piece that rides.
#[derive(Clone, Copy, Debug)]
struct Rider<W> {
    class: u8,
    kind: KindId,
    /// Which rides of its kind.
    rides: u8,
    square: Square,
    /// How far, before anything moves.
    reach: W,
}

/// What pieces of the side to move reach, in memory that is used again.
#[derive(Debug)]
pub struct Reaches<W> {
    /// By class.
    movers: Vec<Mover<W>>,
    riders: Vec<Rider<W>>,
    /// Where each class begins among the movers, and where the last ends.
    starts: [u16; MAX_CLASSES + 1],
    /// Kinds in the order of their classes, with these.
    kinds: Vec<(KindId, u8)>,
    back: ComeBack,
    board: Board<W>,
}

/// The squares before a turn.
#[derive(Clone, Copy, Debug)]
struct Board<W> {
    side: Side,
    occupied: W,
    /// Ends by target.
    ends: [W; 3],
}

impl<W: Word> Reaches<W> {
    pub fn new(contest: &Contest<W>, back: ComeBack) -> Reaches<W> {
        let class_of_kind = &contest.contest_tables().class_of_kind;
        let mut kinds: Vec<(KindId, u8)> =
            contest.rules().kind_ids().map(|kind| (kind, class_of_kind[kind.index()])).collect();
        kinds.sort_by_key(|(_, class)| *class);
        let board = Board { side: Side::FIRST, occupied: W::ZERO, ends: [W::ZERO; 3] };
        let starts = [0; MAX_CLASSES + 1];
        Reaches { movers: Vec::new(), riders: Vec::new(), starts, kinds, back, board }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.movers.clear();
        self.riders.clear();
        self.starts = [0; MAX_CLASSES + 1];
    }

    /// Whether nothing is known.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.movers.is_empty()
    }

    /// What the side to move may not capture, if anything is known.
    #[inline(always)]
    pub fn spared(&self) -> Option<W> {
        (!self.movers.is_empty()).then_some(self.board.occupied & !self.board.ends[Target::Capture as usize])
    }

    /// The moves of a class, in the order of their numbers.
    pub fn moves(&self, class: usize) -> impl Iterator<Item = Move> {
        self.of_class(class).iter().flat_map(|mover| mover.ends.squares().map(|to| Move::go(mover.from, to)))
    }

    #[inline(always)]
    fn of_class(&self, class: usize) -> &[Mover<W>] {
        self.movers.get(self.starts[class] as usize..self.starts[class + 1] as usize).unwrap_or(&[])
    }

    /// The nth move of a class, or how many fewer there are.
    #[inline]
    pub fn pick(&self, class: usize, n: u32) -> Result<Move, u32> {
        let mut rest = n;
        for mover in self.of_class(class) {
            if rest < mover.n_ends {
                return Ok(Move::go(mover.from, mover.ends.nth(rest).lowest()));
            }
            rest -= mover.n_ends;
        }
        Err(rest)
    }

    /// Of the pairs of two classes the nth one's first move, and which of that move's pairs it is.
    #[inline(always)]
    pub fn pick_first(&self, contest: &Contest<W>, first: u8, second: u8, n: u32) -> Option<(Move, u32)> {
        let tables = contest.contest_tables();
        let count = |mover: &Mover<W>| match first == second {
            true => mover.n_twice,
            false => self.count_after(tables, mover, second),
        };
        let mut rest = n;
        for mover in self.of_class(first as usize) {
            let n_pairs = count(mover);
            if rest >= n_pairs {
                rest -= n_pairs;
                continue;
            }
            for to in mover.ends.squares() {
                let n_seconds = match first == second {
                    true => self.board.twice(
                        tables.attack_tables.of(self.board.side, mover.kind),
                        mover.from,
                        W::bit(to),
                        self.back,
                    ),
                    false => {
                        let only = Mover { ends: W::bit(to), n_ends: 1, ..*mover };
                        self.count_after(tables, &only, second)
                    }
                };
                if rest < n_seconds {
                    return Some((Move::go(mover.from, to), rest));
                }
                rest -= n_seconds;
            }
        }
        None
    }

    /// What the pieces of another class may do after each move of one piece.
    #[inline(always)]
    fn count_after(&self, tables: &ContestTables<W>, mover: &Mover<W>, then: u8) -> u32 {
        let mut n = 0;
        for other in self.of_class(then as usize) {
            let n_open = other.n_ends + u32::from(other.leaps.has(mover.from));
            n += mover.n_ends * n_open - (mover.ends & other.ends).count();
        }
        for rider in self.riders.iter().filter(|rider| rider.class == then) {
            n = n.wrapping_add_signed(self.board.rides_after(tables, rider, mover));
        }
        n
    }

    /// Counts single moves and all pairs: for a side that commands its own pieces alone, all of which step, leap or ride.
    #[inline(always)]
    pub fn survey(&mut self, contest: &Contest<W>, spared: W, survey: &mut Survey) {
        let (side, occupied) = (contest.state.turn(), contest.state.occupied());
        let (empty, captured) = (contest.tables.board & !occupied, occupied & !spared);
        self.board = Board { side, occupied, ends: [empty | captured, empty, captured] };
        self.gather(contest);
        let tables = contest.contest_tables();
        for mover in &self.movers {
            let class = mover.class as usize & 7;
            survey.singles[class] += mover.n_ends;
            survey.pairs[class][class] += mover.n_twice;
        }
        self.count_pairs(survey);
        for rider in &self.riders {
            for mover in self.movers.iter().filter(|mover| mover.class != rider.class) {
                let n = &mut survey.pairs[mover.class as usize & 7][rider.class as usize & 7];
                *n = n.wrapping_add_signed(self.board.rides_after(tables, rider, mover));
            }
        }
    }

    /// Counts pairs of different classes in both orders as if nobody rode.
    #[inline(always)]
    fn count_pairs(&self, survey: &mut Survey) {
        for b in &self.movers {
            let second = b.class as usize & 7;
            // One piece against all of earlier classes: of most classes there is one piece, and a loop for each would end
            // sooner than the processor can guess.
            for a in &self.movers[..self.starts[second] as usize] {
                let first = a.class as usize & 7;
                let both = a.n_ends * b.n_ends - (a.ends & b.ends).count();
                survey.pairs[first][second] += both + u32::from(b.leaps.has(a.from)) * a.n_ends;
                survey.pairs[second][first] += both + u32::from(a.leaps.has(b.from)) * b.n_ends;
            }
        }
    }

    #[inline(always)]
    fn gather(&mut self, contest: &Contest<W>) {
        let (tables, side) = (contest.contest_tables(), self.board.side);
        let own = contest.state.side(side);
        let groups = &contest.units(side).kinds;
        self.clear();
        for (kind, class) in self.kinds.iter().copied() {
            let attack_table = tables.attack_tables.of(side, kind);
            for from in (groups[kind.index()].pieces(&contest.state) & own).squares() {
                let [any, empty, _] = *attack_table.leaps.at(from);
                let mut ends = attack_table.leaps(from, self.board.ends);
                for (rides, (target, slide)) in attack_table.rides.iter().enumerate() {
                    let reach = slide.reach_by::<LINES>(from, self.board.occupied);
                    ends |= reach & self.board.ends[*target as usize];
                    self.riders.push(Rider { class, kind, rides: rides as u8, square: from, reach });
                }
                let n_twice = self.board.twice(attack_table, from, ends, self.back);
                self.movers.push(Mover {
                    from,
                    kind,
                    class,
                    ends,
                    n_ends: ends.count(),
                    leaps: any | empty,
                    n_twice,
                });
            }
            self.starts[class as usize + 1] = self.movers.len() as u16;
        }
        for class in 1..=MAX_CLASSES {
            self.starts[class] = self.starts[class].max(self.starts[class - 1]);
        }
    }
}

impl<W: Word> Board<W> {
    /// By how much a rider's moves after each move of another piece differ from those of a leaper with the same targets.
    #[inline(always)]
    fn rides_after(&self, tables: &ContestTables<W>, rider: &Rider<W>, mover: &Mover<W>) -> i32 {
        let (target, slide) = &tables.attack_tables.of(self.side, rider.kind).rides[rider.rides as usize];
        let open = self.ends[*target as usize];
        if !rider.reach.has(mover.from) {
            return -(hidden(slide, rider.square, self.occupied, rider.reach, open, mover.ends) as i32);
        }
        let from = W::bit(mover.from);
        let occupied = self.occupied ^ from;
        let reach = slide.reach_by::<LINES>(rider.square, occupied);
        let opened = if *target == Target::Capture { open } else { open | from };
        let n_turns = |ends: W| (mover.n_ends * ends.count()) as i32 - (ends & mover.ends).count() as i32;
        let n_hidden = hidden(slide, rider.square, occupied, reach, opened, mover.ends);
        n_turns(reach & opened) - n_turns(rider.reach & open) - n_hidden as i32
    }

    /// Ways to move a piece twice; back to its square only after a capture, unless it always may.
    #[inline(always)]
    fn twice(&self, attack_table: &AttackTable<W>, from: Square, ends: W, back: ComeBack) -> u32 {
        let returning = if back == ComeBack::Always { ends } else { ends & self.occupied };
        let open = |to: Square| if returning.has(to) { W::bit(from) } else { W::ZERO };
        ends.squares().map(|to| self.again(attack_table, from, to, open(to))).sum()
    }

    /// Ways to move a piece on from one of its targets; `open` is its square, if it may come back.
    #[inline(always)]
    fn again(&self, attack_table: &AttackTable<W>, from: Square, to: Square, open: W) -> u32 {
        let ends = [self.ends[0] | open, self.ends[1] | open, self.ends[2]];
        let mut n = attack_table.leaps(to, ends).count();
        for (target, slide) in &attack_table.rides {
            let reach = slide.reach_by::<LINES>(to, self.occupied & !W::bit(from) | W::bit(to));
            n += (reach & ends[*target as usize]).count();
        }
        n
    }
}

/// Squares that a rider no longer reaches when a piece on one of the targets blocks it, summed over the targets.
#[inline(always)]
fn hidden<W: Word>(slide: &SlideTable<W>, rider: Square, occupied: W, reached: W, open: W, ends: W) -> u32 {
    let mut n = 0;
    for end in (ends & reached & !occupied).squares() {
        let still = slide.reach_by::<LINES>(rider, occupied | W::bit(end));
        n += (reached & !still & open).count();
    }
    n
}

/// Whether pairs can be counted set by set: no piece steps over squares that must be empty.
pub fn counts_by_sets<W>(units: &ContestClasses<W>) -> bool {
    units.by_number.iter().all(|units| units.steps.iter().all(|steps| steps.step.over == 0))
}
