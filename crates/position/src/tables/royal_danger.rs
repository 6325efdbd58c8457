//! What a side's pieces endanger near the other side's royal piece, all of them at once.
//!
//! In: the side's attacks and rides. Out: what each leaper near a royal piece attacks, and the lines of riders, kinds that
//! ride alike together. Never: which attacks are checks or pins.

use std::sync::Arc;

use ashta_rules::{Square, Target};

use super::kind_group::KindGroupRegistry;
use super::{KindGroup, SideTables, SlideTable};
use crate::word::{PerSquare, Word};

/// Everything with which a side attacks, but lame leapers, hoppers and bent riders.
#[derive(Debug)]
pub struct RoyalDanger<W> {
    /// Kinds that attack without a path.
    pub leapers: KindGroup,
    /// By the square of the other side's royal piece: from where a leaper attacks it or a square that it may go to.
    /// Few stand there, so it is quicker to look up what each of them is than to ask kind by kind.
    pub near: PerSquare<W>,
    /// Where leapers get to, a row for each sort; `rows` has the first entry of each kind's.
    targets: Vec<W>,
    rows: [u16; 64],
    /// Rides.
    pub rides: Vec<(KindGroup, Arc<SlideTable<W>>)>,
}

impl<W: Word> RoyalDanger<W> {
    /// Nothing.
    pub fn none() -> RoyalDanger<W> {
        RoyalDanger {
            leapers: KindGroup::NONE,
            near: PerSquare::filled(W::ZERO),
            targets: Vec::new(),
            rows: [0; 64],
            rides: Vec::new(),
        }
    }

    /// What `side` endangers of the squares that `enemy`'s royal piece may go to.
    pub fn new(
        side: &SideTables<W>,
        enemy: &SideTables<W>,
        n_squares: usize,
        groups: &KindGroupRegistry,
    ) -> RoyalDanger<W> {
        let mut royal_danger = RoyalDanger::none();
        let overlapping = side
            .movers
            .overlapping
            .iter()
            .chain(&side.royals.overlapping)
            .map(|overlapping| &overlapping.classes);
        for classes in [&side.movers, &side.royals].into_iter().chain(overlapping) {
            for rides in classes.rides.iter().filter(|rides| rides.class.target != Target::Empty) {
                royal_danger.add_rides(rides.class.group, &rides.slide, groups);
            }
        }
        royal_danger.add_leaps(side, n_squares, groups);
        for royal in (0..n_squares).map(|square| square as u8) {
            let zone = royal_zone(enemy, Square(royal)) | W::bit(royal);
            let attackers = |leap_attacks: &super::LeapAttack<W>| {
                zone.squares().fold(W::ZERO, |all, square| all | *leap_attacks.from.at(square))
            };
            *royal_danger.near.at_mut(royal) =
                side.leap_attacks.iter().fold(W::ZERO, |all, leap_attacks| all | attackers(leap_attacks));
        }
        royal_danger
    }

    /// Turns the tables of who attacks a square into those of which squares a piece attacks.
    fn add_leaps(&mut self, side: &SideTables<W>, n_squares: usize, groups: &KindGroupRegistry) {
        let mut leapers = 0;
        for kind in 0..64 {
            let mut row = vec![W::ZERO; n_squares];
            for leap_attacks in side
                .leap_attacks
                .iter()
                .filter(|leap_attacks| groups.kinds(leap_attacks.group) >> kind & 1 == 1)
            {
                for to in 0..n_squares {
                    leap_attacks
                        .from
                        .at(to as u8)
                        .squares()
                        .for_each(|from| row[from as usize] |= W::bit(to as u8));
                }
            }
            if row.iter().any(|targets| targets.any()) {
                leapers |= 1 << kind;
            }
            let known = self.targets.chunks(n_squares).position(|other| *other == row);
            let at = known.unwrap_or_else(|| {
                self.targets.extend(&row);
                self.targets.len() / n_squares - 1
            });
            self.rows[kind] = (at * n_squares) as u16;
        }
        self.leapers = groups.group(leapers);
    }

    fn add_rides(&mut self, group: KindGroup, slide: &Arc<SlideTable<W>>, groups: &KindGroupRegistry) {
        match self.rides.iter_mut().find(|(_, other)| groups.has_room() && other.same_as(slide)) {
            Some((shared, _)) => *shared = groups.union(*shared, group),
            None => self.rides.push((group, slide.clone())),
        }
    }

    /// Where a piece of a kind gets to without a path.
    #[inline(always)]
    pub fn leaps_of(&self, kind: usize, from: u8) -> W {
        let at = usize::from(self.rows[kind & 63]) + usize::from(from);
        self.targets.get(at).copied().unwrap_or(W::ZERO)
    }

    /// Every group that is spoken of.
    #[inline]
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut KindGroup> {
        std::iter::once(&mut self.leapers).chain(self.rides.iter_mut().map(|(group, _)| group))
    }
}

/// Squares that a royal piece may go to by leaping or castling.
fn royal_zone<W: Word>(side: &SideTables<W>, royal: Square) -> W {
    let castlings = side.castlings.iter().filter(|castling| castling.royal.0 == royal.0);
    let ways = castlings.fold(W::ZERO, |all, castling| all | castling.safe);
    side.royals.leaps.iter().fold(ways, |all, leaps| all | *leaps.to.at(royal.0))
}
