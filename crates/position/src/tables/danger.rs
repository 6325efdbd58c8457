//! What a side's pieces endanger near the other side's royal piece, all of them at once.
//!
//! In: the side's attacks and rides. Out: what each leaper near a royal piece attacks, and the lines of riders, kinds that
//! ride alike together. Never: which attacks are checks or pins.

use std::sync::Arc;

use ashta_rules::{Square, Target};

use super::group::GroupRegistry;
use super::{Group, SideTables, Slide};
use crate::word::{PerSquare, Word};

/// Everything with which a side attacks, but lame leapers, hoppers and bent riders.
#[derive(Debug)]
pub struct Dangers<W> {
    /// Kinds that attack without a path.
    pub leapers: Group,
    /// By the square of the other side's royal piece: from where a leaper attacks it or a square that it may go to.
    /// Few stand there, so it is quicker to look up what each of them is than to ask kind by kind.
    pub near: PerSquare<W>,
    /// Where leapers get to, a row for each sort; `rows` has the first entry of each kind's.
    ends: Vec<W>,
    rows: [u16; 64],
    /// Rides.
    pub rides: Vec<(Group, Arc<Slide<W>>)>,
}

impl<W: Word> Dangers<W> {
    /// Nothing.
    pub fn none() -> Dangers<W> {
        Dangers {
            leapers: Group::NONE,
            near: PerSquare::filled(W::ZERO),
            ends: Vec::new(),
            rows: [0; 64],
            rides: Vec::new(),
        }
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
            for rides in units.rides.iter().filter(|rides| rides.unit.target != Target::Empty) {
                dangers.add_rides(rides.unit.group, &rides.slide, groups);
            }
        }
        dangers.add_leaps(side, n_squares, groups);
        for royal in (0..n_squares).map(|square| square as u8) {
            let zone = royal_zone(enemy, Square(royal)) | W::bit(royal);
            let attackers = |direct: &super::Direct<W>| {
                zone.squares().fold(W::ZERO, |all, square| all | *direct.from.at(square))
            };
            *dangers.near.at_mut(royal) =
                side.direct.iter().fold(W::ZERO, |all, direct| all | attackers(direct));
        }
        dangers
    }

    /// Turns the tables of who attacks a square into those of which squares a piece attacks.
    fn add_leaps(&mut self, side: &SideTables<W>, n_squares: usize, groups: &GroupRegistry) {
        let mut leapers = 0;
        for kind in 0..64 {
            let mut row = vec![W::ZERO; n_squares];
            for direct in side.direct.iter().filter(|direct| groups.kinds(direct.group) >> kind & 1 == 1) {
                for to in 0..n_squares {
                    direct
                        .from
                        .at(to as u8)
                        .squares()
                        .for_each(|from| row[from as usize] |= W::bit(to as u8));
                }
            }
            if row.iter().any(|ends| ends.any()) {
                leapers |= 1 << kind;
            }
            let known = self.ends.chunks(n_squares).position(|other| *other == row);
            let at = known.unwrap_or_else(|| {
                self.ends.extend(&row);
                self.ends.len() / n_squares - 1
            });
            self.rows[kind] = (at * n_squares) as u16;
        }
        self.leapers = groups.group(leapers);
    }

    fn add_rides(&mut self, group: Group, slide: &Arc<Slide<W>>, groups: &GroupRegistry) {
        match self.rides.iter_mut().find(|(_, other)| groups.has_room() && other.same_as(slide)) {
            Some((shared, _)) => *shared = groups.union(*shared, group),
            None => self.rides.push((group, slide.clone())),
        }
    }

    /// Where a piece of a kind gets to without a path.
    #[inline(always)]
    pub fn leaps_of(&self, kind: usize, from: u8) -> W {
        let at = usize::from(self.rows[kind & 63]) + usize::from(from);
        self.ends.get(at).copied().unwrap_or(W::ZERO)
    }

    /// Every group that is spoken of.
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut Group> {
        std::iter::once(&mut self.leapers).chain(self.rides.iter_mut().map(|(group, _)| group))
    }
}

/// Squares that a royal piece may go to by leaping or castling.
fn royal_zone<W: Word>(side: &SideTables<W>, royal: Square) -> W {
    let castlings = side.castlings.iter().filter(|castling| castling.royal.0 == royal.0);
    let ways = castlings.fold(W::ZERO, |all, castling| all | castling.safe);
    side.royals.leaps.iter().fold(ways, |all, leaps| all | *leaps.to.at(royal.0))
}
