//! What a side's pieces endanger near the other side's royal piece, all of them at once.
//!
//! In: the side's units. Out: flat lists with everything about promotion and targets left out, kinds that attack alike
//! together. Never: which attacks are checks or pins.

use std::sync::Arc;

use ashta_rules::{Square, Target};

use super::geometry::word_of;
use super::group::GroupRegistry;
use super::{Group, SideTables, Slide};
use crate::word::{PerSquare, Word};

/// Everything with which a side attacks, but lame leapers, hoppers and bent riders.
#[derive(Debug)]
pub struct Dangers<W> {
    /// Steps of all pieces of a group in one direction.
    pub steps: Vec<StepDanger<W>>,
    /// Leaps.
    pub leaps: Vec<LeapDanger<W>>,
    /// Rides.
    pub rides: Vec<(Group, Arc<Slide<W>>)>,
}

/// One direction of a set-wise step.
#[derive(Debug)]
pub struct StepDanger<W> {
    /// Who.
    pub group: Group,
    /// By how many squares.
    pub by: i32,
    /// From where.
    pub from: W,
}

/// Leaps of a group.
#[derive(Debug)]
pub struct LeapDanger<W> {
    /// Who.
    pub group: Group,
    /// Where to.
    pub to: PerSquare<W>,
    /// By the square of the other side's royal piece: from where this attacks a square that it may go to. Most
    /// pieces are far from there and are not looked at.
    pub near: PerSquare<W>,
}

impl<W: Word> Dangers<W> {
    /// Nothing.
    pub fn none() -> Dangers<W> {
        Dangers { steps: Vec::new(), leaps: Vec::new(), rides: Vec::new() }
    }

    /// What `side` endangers of the squares that `enemy`'s royal piece may go to.
    pub fn new(
        side: &SideTables<W>,
        enemy: &SideTables<W>,
        n_squares: usize,
        groups: &GroupRegistry,
    ) -> Dangers<W> {
        let mut dangers = Dangers::none();
        let mixed = side.men.mixed.iter().chain(&side.royals.mixed).map(|mixed| &mixed.units);
        for units in [&side.men, &side.royals].into_iter().chain(mixed) {
            for steps in units.steps.iter().filter(|steps| steps.unit.target != Target::Empty) {
                let group = steps.unit.group;
                dangers.steps.extend(steps.steps.iter().map(|s| StepDanger {
                    group,
                    by: s.by,
                    from: s.from,
                }));
            }
            for leaps in units.leaps.iter().filter(|leaps| leaps.unit.target != Target::Empty) {
                dangers.add_leaps(leaps.unit.group, &leaps.to, groups);
            }
            for rides in units.rides.iter().filter(|rides| rides.unit.target != Target::Empty) {
                dangers.add_rides(rides.unit.group, &rides.slide, groups);
            }
        }
        for royal in (0..n_squares).map(|square| square as u8) {
            let zone = royal_zone(enemy, Square(royal));
            for leaps in &mut dangers.leaps {
                let reaches = |from: &u8| (*leaps.to.at(*from) & zone).any();
                *leaps.near.at_mut(royal) =
                    word_of((0..n_squares).map(|square| square as u8).filter(reaches));
            }
        }
        dangers
    }

    fn add_leaps(&mut self, group: Group, to: &PerSquare<W>, groups: &GroupRegistry) {
        let same = |other: &&mut LeapDanger<W>| (0..=255).all(|square| other.to.at(square) == to.at(square));
        match self.leaps.iter_mut().find(|other| groups.has_room() && same(other)) {
            Some(shared) => shared.group = groups.union(shared.group, group),
            None => self.leaps.push(LeapDanger { group, to: to.clone(), near: PerSquare::filled(W::ZERO) }),
        }
    }

    fn add_rides(&mut self, group: Group, slide: &Arc<Slide<W>>, groups: &GroupRegistry) {
        match self.rides.iter_mut().find(|(_, other)| groups.has_room() && other.same_as(slide)) {
            Some((shared, _)) => *shared = groups.union(*shared, group),
            None => self.rides.push((group, slide.clone())),
        }
    }

    /// Every group that is spoken of.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut Group> {
        let steps = self.steps.iter_mut().map(|steps| &mut steps.group);
        let leaps = self.leaps.iter_mut().map(|leaps| &mut leaps.group);
        steps.chain(leaps).chain(self.rides.iter_mut().map(|(group, _)| group))
    }
}

/// Squares that a royal piece may go to by leaping or castling.
fn royal_zone<W: Word>(side: &SideTables<W>, royal: Square) -> W {
    let castlings = side.castlings.iter().filter(|castling| castling.royal.0 == royal.0);
    let ways = castlings.fold(W::ZERO, |all, castling| all | castling.safe);
    side.royals.leaps.iter().fold(ways, |all, leaps| all | *leaps.to.at(royal.0))
}
