//! Groups of kinds: each set of kinds that some table speaks of has a bitboard of its own in the state.
//!
//! In: sets of kinds. Out: numbers of bitboards, and for each kind the bitboards it is on. Never: sides.
//!
//! A unit shared by several kinds (the rook's lines of rook and queen) is then one load in the generator, and a move
//! changes the one or two bitboards of its piece. Uniting bitboards while generating cost chess a quarter.

use std::cell::RefCell;

use super::{KindTable, SideTables, Units};
use crate::state::State;
use crate::word::Word;

/// A set of kinds with a bitboard of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group(u8);

impl Group {
    /// How many groups a state has room for.
    pub const MAX: usize = 128;
    /// The group of no kind: always empty.
    pub const NONE: Group = Group(126);
    /// A group that is written and never read: it fills up lists of fixed length.
    pub const TRASH: Group = Group(127);

    /// All pieces of the group, of all sides.
    #[inline(always)]
    pub fn pieces<W: Word>(self, state: &State<W>) -> W {
        state.group(self.index())
    }

    /// As an index into a state's bitboards.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize & (Group::MAX - 1)
    }
}

/// The groups made while compiling.
#[derive(Default)]
pub struct GroupRegistry {
    masks: RefCell<Vec<u64>>,
}

impl GroupRegistry {
    /// The group of a set of kinds.
    pub fn group(&self, kinds: u64) -> Group {
        if kinds == 0 {
            return Group::NONE;
        }
        let mut masks = self.masks.borrow_mut();
        let at = masks.iter().position(|mask| *mask == kinds).unwrap_or_else(|| {
            masks.push(kinds);
            masks.len() - 1
        });
        // Single kinds are at most 63 and every union replaces two groups, so numbers stay far below `NONE` once
        // settled; before that they may only be compared and united.
        Group(at as u8)
    }

    /// Whether one more union can be numbered.
    pub fn has_room(&self) -> bool {
        self.masks.borrow().len() < Group::NONE.index()
    }

    /// The group of all kinds of two groups.
    pub fn union(&self, a: Group, b: Group) -> Group {
        let kinds = self.kinds(a) | self.kinds(b);
        self.group(kinds)
    }

    /// The kinds of a group.
    pub fn kinds(&self, group: Group) -> u64 {
        self.masks.borrow().get(group.index()).copied().unwrap_or(0)
    }

    /// Renumbers the groups that are still in use and tells every kind its groups.
    pub fn settle<W: Word>(&self, sides: &mut [SideTables<W>], kinds: &mut [KindTable]) {
        let mut used: Vec<Group> = Vec::new();
        for side in sides.iter_mut() {
            side.each_group(&mut |group| {
                if *group != Group::NONE && !used.contains(group) {
                    used.push(*group);
                }
            });
        }
        for side in sides.iter_mut() {
            side.each_group(&mut |group| {
                if let Some(at) = used.iter().position(|old| old == group) {
                    *group = Group(at as u8);
                }
            });
        }
        for (kind, table) in kinds.iter_mut().enumerate() {
            let mut mine: Vec<Group> = (0..used.len())
                .filter(|at| self.kinds(used[*at]) >> kind & 1 == 1)
                .map(|at| Group(at as u8))
                .collect();
            table.more_groups = if mine.len() > 2 { mine.split_off(2) } else { Vec::new() };
            mine.resize(2, Group::TRASH);
            table.groups = [mine[0], mine[1]];
        }
    }
}

impl<W: Word> Units<W> {
    fn each_group(&mut self, visit: &mut impl FnMut(&mut Group)) {
        let steps = self.steps.iter_mut().map(|u| &mut u.unit);
        let leaps = self.leaps.iter_mut().map(|u| &mut u.unit);
        let rides = self.rides.iter_mut().map(|u| &mut u.unit);
        let lames = self.lames.iter_mut().map(|u| &mut u.unit);
        let hops = self.hops.iter_mut().map(|u| &mut u.unit);
        let bents = self.bents.iter_mut().map(|u| &mut u.unit);
        for unit in steps.chain(leaps).chain(rides).chain(lames).chain(hops).chain(bents) {
            visit(&mut unit.group);
            visit(&mut unit.spares);
            if let Some(promotion) = &mut unit.promotion {
                visit(promotion.exempt_mut());
            }
        }
        for mixed in &mut self.mixed {
            visit(&mut mixed.unit.group);
            mixed.units.each_group(visit);
        }
    }
}

impl<W: Word> SideTables<W> {
    fn each_group(&mut self, visit: &mut impl FnMut(&mut Group)) {
        self.men.each_group(visit);
        self.royals.each_group(visit);
        visit(&mut self.royal_group);
        self.dangers.groups_mut().for_each(&mut *visit);
        self.direct.iter_mut().for_each(|direct| visit(&mut direct.group));
        self.distant.iter_mut().chain(&mut self.hoppers).for_each(|distant| visit(&mut distant.group));
        self.passing.iter_mut().for_each(|passing| visit(&mut passing.group));
        self.drops.iter_mut().filter_map(|drop| drop.per_file.as_mut()).for_each(|(_, group)| visit(group));
        self.in_place.iter_mut().for_each(|(group, _)| visit(group));
        if let Some(contest) = &mut self.contest {
            contest
                .by_number
                .iter_mut()
                .chain(&mut contest.by_kind)
                .for_each(|units| units.each_group(visit));
            contest.kinds.iter_mut().for_each(&mut *visit);
            visit(&mut contest.block);
        }
    }
}
