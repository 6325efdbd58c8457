//! MoveGroups of kinds: each set of kinds that some table speaks of has a bitboard of its own in the state.
//!
//! In: sets of kinds. Out: numbers of bitboards, and for each kind the bitboards it is on. Never: sides.
//!
//! A move class shared by several kinds (the rook's lines of rook and queen) is then one load in the generator, and a move
//! changes the one or two bitboards of its piece. Uniting bitboards while generating cost chess a quarter.

use std::cell::RefCell;

use super::{KindTable, MoveClasses, SideTables};
use crate::word::Word;

/// A set of kinds with a bitboard of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KindGroup(u8);

impl KindGroup {
    /// How many groups a state has room for.
    pub const MAX: usize = 128;
    /// The group of no kind: always empty.
    pub const NONE: KindGroup = KindGroup(126);
    /// A group that is written and never read: it fills up lists of fixed length.
    pub const TRASH: KindGroup = KindGroup(127);

    /// As an index into a state's bitboards.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize & (KindGroup::MAX - 1)
    }
}

/// The groups made while compiling.
#[derive(Default)]
pub struct KindGroupRegistry {
    masks: RefCell<Vec<u64>>,
}

impl KindGroupRegistry {
    /// The group of a set of kinds.
    pub fn group(&self, kinds: u64) -> KindGroup {
        if kinds == 0 {
            return KindGroup::NONE;
        }
        let mut masks = self.masks.borrow_mut();
        let at = masks.iter().position(|mask| *mask == kinds).unwrap_or_else(|| {
            masks.push(kinds);
            masks.len() - 1
        });
        // Single kinds are at most 63 and every union replaces two groups, so numbers stay far below `NONE` once
        // settled; before that they may only be compared and united.
        KindGroup(at as u8)
    }

    /// Whether one more union can be numbered.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.masks.borrow().len() < KindGroup::NONE.index()
    }

    /// The group of all kinds of two groups.
    pub fn union(&self, a: KindGroup, b: KindGroup) -> KindGroup {
        let kinds = self.kinds(a) | self.kinds(b);
        self.group(kinds)
    }

    /// The kinds of a group.
    #[inline]
    pub fn kinds(&self, group: KindGroup) -> u64 {
        self.masks.borrow().get(group.index()).copied().unwrap_or(0)
    }

    /// Renumbers the groups that are still in use and tells every kind its groups.
    pub fn settle<W: Word>(&self, sides: &mut [SideTables<W>], kinds: &mut [KindTable]) {
        let mut used: Vec<KindGroup> = Vec::new();
        for side in sides.iter_mut() {
            side.each_group(&mut |group| {
                if *group != KindGroup::NONE && !used.contains(group) {
                    used.push(*group);
                }
            });
        }
        for side in sides.iter_mut() {
            side.each_group(&mut |group| {
                if let Some(at) = used.iter().position(|old| old == group) {
                    *group = KindGroup(at as u8);
                }
            });
        }
        for (kind, table) in kinds.iter_mut().enumerate() {
            let mut mine: Vec<KindGroup> = (0..used.len())
                .filter(|at| self.kinds(used[*at]) >> kind & 1 == 1)
                .map(|at| KindGroup(at as u8))
                .collect();
            table.more_groups = if mine.len() > 2 { mine.split_off(2) } else { Vec::new() };
            mine.resize(2, KindGroup::TRASH);
            table.groups = [mine[0], mine[1]];
        }
    }
}

impl<W: Word> MoveClasses<W> {
    fn each_group(&mut self, visit: &mut impl FnMut(&mut KindGroup)) {
        let steps = self.steps.iter_mut().map(|u| &mut u.class);
        let leaps = self.leaps.iter_mut().map(|u| &mut u.class);
        let rides = self.rides.iter_mut().map(|u| &mut u.class);
        let lame_leaps = self.lame_leaps.iter_mut().map(|u| &mut u.class);
        let hops = self.hops.iter_mut().map(|u| &mut u.class);
        let bent_rides = self.bent_rides.iter_mut().map(|u| &mut u.class);
        let two_legs = self.two_legs.iter_mut().flatten().map(|u| &mut u.class);
        let out_and_back = self.out_and_back.iter_mut().map(|u| &mut u.class);
        let plain = steps.chain(leaps).chain(rides);
        let special = lame_leaps.chain(hops).chain(bent_rides).chain(two_legs).chain(out_and_back);
        for class in plain.chain(special) {
            visit(&mut class.group);
            visit(&mut class.spares);
            if let Some(promotion) = &mut class.promotion {
                visit(promotion.exempt_mut());
            }
        }
        self.hops.iter_mut().for_each(|hops| visit(&mut hops.not_over_group));
        for overlapping in &mut self.overlapping {
            visit(&mut overlapping.class.group);
            overlapping.classes.each_group(visit);
        }
    }
}

impl<W: Word> SideTables<W> {
    fn each_group(&mut self, visit: &mut impl FnMut(&mut KindGroup)) {
        self.movers.each_group(visit);
        self.royals.each_group(visit);
        visit(&mut self.royal_group);
        visit(&mut self.spares_royals);
        self.royal_danger.groups_mut().for_each(&mut *visit);
        if let Some(merged) = &mut self.merged_leaps {
            visit(&mut merged.leapers);
            visit(&mut merged.steppers);
        }
        self.leap_attacks.iter_mut().for_each(|leap_attacks| visit(&mut leap_attacks.group));
        self.path_attacks
            .iter_mut()
            .chain(&mut self.hoppers)
            .for_each(|path_attacks| visit(&mut path_attacks.group));
        self.bans.iter_mut().for_each(|ban| visit(&mut ban.victims));
        self.passing.iter_mut().for_each(|passing| visit(&mut passing.group));
        self.drops.iter_mut().filter_map(|drop| drop.per_file.as_mut()).for_each(|(_, group)| visit(group));
        self.in_place.iter_mut().for_each(|(group, _)| visit(group));
        if let Some(contest) = &mut self.contest {
            contest
                .by_number
                .iter_mut()
                .chain(&mut contest.by_kind)
                .for_each(|classes| classes.each_group(visit));
            contest.kinds.iter_mut().for_each(&mut *visit);
            visit(&mut contest.block);
        }
    }
}
