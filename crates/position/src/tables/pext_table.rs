//! Targets that depend on a few squares, as tables read with BMI2's PEXT and PDEP: rides, lame leaps and hops.
//!
//! In: for each square the targets of a movement, each with the squares on its way. Out: the targets that some occupied
//! squares leave open. Never: who moves.

use ashta_rules::Square;

use crate::bmi2::Pext;
use crate::word::{PerSquare, Word, boxed};

/// A target, and the squares on the way to it.
pub type TargetPath<W> = (Square, W);

/// How many of the squares on the way to a target must be occupied for it to be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hurdles {
    None,
    One,
}

impl Hurdles {
    fn leave_open(self, occupied: usize) -> bool {
        match self {
            Hurdles::None => occupied == 0,
            // Quicker than counting: tables are made on processors without an instruction for it, too.
            Hurdles::One => occupied != 0 && occupied & (occupied - 1) == 0,
        }
    }
}

/// The targets of a movement from every square.
#[derive(Debug)]
pub struct PextTable<W> {
    first: PerSquare<PextGroup<W>>,
    second: PerSquare<PextGroup<W>>,
    n_groups: usize,
    /// Longer than any table, so that a masked index needs no check. Pages that are never written cost no memory.
    entries: Box<[u16; N_ENTRIES]>,
}

/// Some targets from one square, packed: blockers are gathered to an index, the entry is spread to a reach.
#[derive(Clone, Copy, Debug)]
struct PextGroup<W> {
    blockers: W,
    reach: W,
    offset: u32,
    /// How many of the blockers and of the reach are among the lowest 64 squares.
    low_blockers: u8,
    low_reach: u8,
}

/// A group is packed up to so many blockers: 4096 entries of two bytes for a square.
const MAX_BLOCKERS: u32 = 12;
/// An entry has so many bits.
const MAX_REACH: u32 = 16;
/// Room for the entries of all squares; a power of two.
const N_ENTRIES: usize = 1 << 18;
/// Beyond this many entries two small groups, which stay in the cache, are quicker than one.
const MAX_TOGETHER: usize = 1 << 17;

/// How the targets are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// All in one packed group.
    OneGroup,
    /// In two packed groups.
    TwoGroups,
    /// Line by line, each packed by itself (see `packed_line`).
    PackedLines,
    /// Not by this table: way by way, or by obstruction difference.
    Lines,
}

impl<W: Word> PextTable<W> {
    /// From the ways of every square.
    pub fn new(ways: &[Vec<TargetPath<W>>], hurdles: Hurdles) -> PextTable<W> {
        let none = PextGroup { blockers: W::ZERO, reach: W::ZERO, offset: 0, low_blockers: 0, low_reach: 0 };
        let (first, second) = (PerSquare::filled(none), PerSquare::filled(none));
        let mut table = PextTable { first, second, n_groups: 0, entries: boxed(0) };
        if !W::PACKS {
            return table;
        }
        for (n_groups, max_entries) in [(1, MAX_TOGETHER), (2, N_ENTRIES)] {
            let groups: Vec<_> = ways.iter().map(|ways| split(ways, n_groups)).collect();
            let n_entries =
                |ways: &Vec<TargetPath<W>>| 1usize << blockers(ways).count().min(MAX_BLOCKERS + 6);
            let packs = |ways: &Vec<TargetPath<W>>| {
                blockers(ways).count() <= MAX_BLOCKERS && reach(ways).count() <= MAX_REACH
            };
            let fits = groups.iter().flatten().map(n_entries).sum::<usize>() <= max_entries;
            if fits && groups.iter().flatten().all(packs) {
                table.pack(&groups, hurdles);
                table.n_groups = n_groups;
                break;
            }
        }
        table
    }

    fn pack(&mut self, groups: &[Vec<Vec<TargetPath<W>>>], hurdles: Hurdles) {
        let mut offset = 0;
        for (square, groups) in groups.iter().enumerate() {
            for (ways, of_squares) in groups.iter().zip([&mut self.first, &mut self.second]) {
                let (blockers, reach) = (blockers(ways), reach(ways));
                let place = |set: W, square: Square| set.squares().position(|s| s == square).unwrap_or(0);
                let bits = |over: &W| over.squares().fold(0, |set, s| set | 1usize << place(blockers, s));
                let packed: Vec<(u16, usize)> =
                    ways.iter().map(|(to, over)| (1 << place(reach, *to), bits(over))).collect();
                let n_entries = 1 << blockers.count();
                for (index, entry) in self.entries[offset..offset + n_entries].iter_mut().enumerate() {
                    let open = packed.iter().filter(|(_, over)| hurdles.leave_open(over & index));
                    *entry = open.fold(0, |all, (to, _)| all | to);
                }
                let low = |set: W| set.words()[0].count_ones() as u8;
                *of_squares.at_mut(Square(square as u8)) = PextGroup {
                    blockers,
                    reach,
                    offset: offset as u32,
                    low_blockers: low(blockers),
                    low_reach: low(reach),
                };
                offset += n_entries;
            }
        }
    }

    /// Whether the targets are packed.
    #[inline]
    pub fn is_packed(&self) -> bool {
        self.n_groups > 0
    }

    /// Every target from a square, if it is packed.
    #[inline(always)]
    pub fn aims(&self, from: Square) -> W {
        self.first.at(from).reach | self.second.at(from).reach
    }

    /// How to find the targets on this processor; loops over pieces ask once.
    #[inline(always)]
    pub(crate) fn method<const PEXT: bool>(&self) -> Method {
        match (PEXT && W::PACKS, self.n_groups) {
            (true, 1) => Method::OneGroup,
            (true, 2) => Method::TwoGroups,
            _ => Method::Lines,
        }
    }

    /// The open targets, where the method is [`Method::OneGroup`].
    #[inline(always)]
    pub(crate) fn one_group(&self, from: Square, occupied: W) -> W {
        self.open(self.first.at(from), occupied)
    }

    /// The open targets, where the method is [`Method::TwoGroups`].
    #[inline(always)]
    pub(crate) fn two_groups(&self, from: Square, occupied: W) -> W {
        self.open(self.first.at(from), occupied) | self.open(self.second.at(from), occupied)
    }

    /// How many of some targets are open, where the method is [`Method::OneGroup`].
    #[inline(always)]
    pub(crate) fn count_one_group(&self, from: Square, occupied: W, targets: W) -> u32 {
        self.count_open(self.first.at(from), occupied, targets)
    }

    /// How many of some targets are open, where the method is [`Method::TwoGroups`].
    #[inline(always)]
    pub(crate) fn count_two_groups(&self, from: Square, occupied: W, targets: W) -> u32 {
        self.count_open(self.first.at(from), occupied, targets)
            + self.count_open(self.second.at(from), occupied, targets)
    }

    /// The open targets, or `otherwise` where they are not packed.
    #[inline(always)]
    pub(crate) fn targets<const PEXT: bool>(
        &self,
        from: Square,
        occupied: W,
        otherwise: impl FnOnce() -> W,
    ) -> W {
        match self.method::<PEXT>() {
            Method::OneGroup => self.one_group(from, occupied),
            Method::TwoGroups => self.two_groups(from, occupied),
            Method::PackedLines | Method::Lines => otherwise(),
        }
    }

    #[inline(always)]
    fn open(&self, group: &PextGroup<W>, occupied: W) -> W {
        W::pdep(self.entry(group, occupied), group.reach, group.low_reach, pext())
    }

    /// Packs the targets instead of unpacking the entry: they are known before the table has answered.
    #[inline(always)]
    fn count_open(&self, group: &PextGroup<W>, occupied: W, targets: W) -> u32 {
        let packed = targets.pext(group.reach, group.low_reach, pext()) as u64;
        (self.entry(group, occupied) & packed).count_ones()
    }

    #[inline(always)]
    fn entry(&self, group: &PextGroup<W>, occupied: W) -> u64 {
        let index = group.offset as usize + occupied.pext(group.blockers, group.low_blockers, pext());
        u64::from(self.entries[index & (N_ENTRIES - 1)])
    }
}

#[inline(always)]
pub(super) fn pext() -> Pext {
    // SAFETY: packed methods are chosen only where `PEXT` is true, below functions chosen because of `has_pext`.
    #[expect(unsafe_code, reason = "see SAFETY")]
    unsafe {
        Pext::assume()
    }
}

fn blockers<W: Word>(ways: &[TargetPath<W>]) -> W {
    ways.iter().fold(W::ZERO, |all, (_, over)| all | *over)
}

fn reach<W: Word>(ways: &[TargetPath<W>]) -> W {
    ways.iter().fold(W::ZERO, |all, (to, _)| all | W::bit(*to))
}

/// Splits ways into groups with few blockers each; ways that meet, as those of one ray do, stay together.
fn split<W: Word>(ways: &[TargetPath<W>], n_groups: usize) -> Vec<Vec<TargetPath<W>>> {
    let mut bundles: Vec<Vec<TargetPath<W>>> = Vec::new();
    for way in ways {
        let (mut meeting, others): (Vec<_>, Vec<_>) =
            bundles.into_iter().partition(|bundle| (blockers(bundle) & way.1).any());
        meeting.push(vec![*way]);
        bundles = others;
        bundles.push(meeting.concat());
    }
    bundles.sort_by_key(|bundle| std::cmp::Reverse(blockers(bundle).count()));
    let mut groups: Vec<Vec<TargetPath<W>>> = vec![Vec::new(); n_groups];
    for bundle in bundles {
        let smallest = groups.iter_mut().min_by_key(|ways| (blockers(ways).count(), ways.len()));
        smallest.into_iter().for_each(|ways| ways.extend(&bundle));
    }
    groups
}
