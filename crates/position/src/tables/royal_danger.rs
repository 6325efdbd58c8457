//! What a side's pieces endanger near the other side's royal piece, all of them at once.
//!
//! In: the side's attacks and rides. Out: what each leaper near a royal piece attacks, and the lines of riders, kinds that
//! ride alike together. Never: which attacks are checks or pins.

use std::sync::Arc;

use ashta_rules::{KindId, Square, Target};

use super::kind_group::KindGroupRegistry;
use super::{KindGroup, MoveClass, MoveClasses, PextTable, SideTables, SlideTable};
use crate::word::{PerSquare, Word};

/// Everything with which a side attacks, but bent riders.
#[derive(Debug)]
pub struct RoyalDanger<W> {
    /// Kinds that attack without a path.
    pub leapers: KindGroup,
    /// By the square of the other side's royal piece: from where a leaper attacks it or a square that it may go to.
    /// Few stand there, so it is quicker to look up what each of them is than to ask kind by kind.
    pub near: PerSquare<W>,
    /// By the same: from where a leaper attacks the royal piece itself.
    pub checks: PerSquare<W>,
    /// Whether these are all attacks without a path: none is of unmoved pieces alone.
    pub has_all_leaps: bool,
    /// Kinds that attack along paths, and by the square of the royal piece from where; only where some leap lamely or hop.
    pub path_starts: Option<(KindGroup, PerSquare<W>)>,
    /// Where leapers get to, a row for each sort; `rows` has the first entry of each kind's.
    targets: Vec<W>,
    rows: [u16; 64],
    /// Rides.
    pub rides: Vec<DangerRide<W>>,
    /// Lame leaps and hops.
    pub paths: Vec<DangerPath<W>>,
    /// Whether nothing else attacks a royal piece, so that all its targets are judged at once.
    pub is_complete: bool,
}

/// Rides.
#[derive(Debug)]
pub struct DangerRide<W> {
    pub group: KindGroup,
    pub slide: Arc<SlideTable<W>>,
    /// By the square of the other side's royal piece: from where it aims at a square that it may go to.
    pub near: PerSquare<W>,
}

/// Lame leaps or hops.
#[derive(Debug)]
pub struct DangerPath<W> {
    pub group: KindGroup,
    /// The same as of a ride.
    pub near: PerSquare<W>,
    pub packed: Arc<PextTable<W>>,
    /// Kinds that hops do not go over.
    pub not_over: KindGroup,
}

impl<W: Word> RoyalDanger<W> {
    /// Nothing.
    pub fn none() -> RoyalDanger<W> {
        RoyalDanger {
            leapers: KindGroup::NONE,
            near: PerSquare::filled(W::ZERO),
            checks: PerSquare::filled(W::ZERO),
            has_all_leaps: false,
            path_starts: None,
            targets: Vec::new(),
            rows: [0; 64],
            rides: Vec::new(),
            paths: Vec::new(),
            is_complete: false,
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
            royal_danger.add_paths(classes);
        }
        royal_danger.has_all_leaps = side.leap_attacks.iter().all(|leap_attacks| !leap_attacks.first_move);
        royal_danger.note_path_starts(side, n_squares, groups);
        royal_danger.is_complete = royal_danger.is_complete(side, enemy, groups);
        royal_danger.add_leaps(side, n_squares, groups);
        for royal in (0..n_squares).map(|square| Square(square as u8)) {
            let zone = royal_zone(enemy, royal) | W::bit(royal);
            let attackers_of = |square: Square| {
                side.leap_attacks
                    .iter()
                    .fold(W::ZERO, |all, leap_attacks| all | *leap_attacks.from.at(square))
            };
            *royal_danger.near.at_mut(royal) =
                zone.squares().fold(W::ZERO, |all, square| all | attackers_of(square));
            *royal_danger.checks.at_mut(royal) = attackers_of(royal);
            royal_danger.note_aims(royal, zone, n_squares);
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
                        .at(Square(to as u8))
                        .squares()
                        .for_each(|from| row[from.index()] |= W::bit(Square(to as u8)));
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
        match self.rides.iter_mut().find(|other| groups.has_room() && other.slide.same_as(slide)) {
            Some(shared) => shared.group = groups.union(shared.group, group),
            None => {
                let (slide, near) = (slide.clone(), PerSquare::filled(W::ZERO));
                self.rides.push(DangerRide { group, slide, near });
            }
        }
    }

    fn note_path_starts(&mut self, side: &SideTables<W>, n_squares: usize, groups: &KindGroupRegistry) {
        if self.paths.is_empty() {
            return;
        }
        let kinds = side.path_attacks.iter().fold(0, |all, path| all | groups.kinds(path.group));
        let mut starts = PerSquare::filled(W::ZERO);
        for royal in (0..n_squares).map(|square| Square(square as u8)) {
            *starts.at_mut(royal) =
                side.path_attacks.iter().fold(W::ZERO, |all, path| all | *path.from.at(royal));
        }
        self.path_starts = Some((groups.group(kinds), starts));
    }

    /// From where riders, lame leapers and hoppers aim at a zone.
    fn note_aims(&mut self, royal: Square, zone: W, n_squares: usize) {
        let aiming = |aims: &dyn Fn(Square) -> W| {
            let from =
                (0..n_squares).map(|square| Square(square as u8)).filter(|from| (aims(*from) & zone).any());
            from.fold(W::ZERO, |all, from| all | W::bit(from))
        };
        for ride in &mut self.rides {
            *ride.near.at_mut(royal) = aiming(&|from| ride.slide.aims(from));
        }
        for path in &mut self.paths {
            *path.near.at_mut(royal) = aiming(&|from| path.packed.aims(from));
        }
    }

    fn add_paths(&mut self, classes: &MoveClasses<W>) {
        for lame in classes.lame_leaps.iter().filter(|lame| lame.class.target != Target::Empty) {
            let (group, not_over) = (lame.class.group, KindGroup::NONE);
            let (near, packed) = (PerSquare::filled(W::ZERO), lame.packed.clone());
            self.paths.push(DangerPath { group, near, packed, not_over });
        }
        for hops in classes.hops.iter().filter(|hops| hops.class.target != Target::Empty) {
            let (group, not_over) = (hops.class.group, hops.not_over_group);
            let (near, packed) = (PerSquare::filled(W::ZERO), hops.packed.clone());
            self.paths.push(DangerPath { group, near, packed, not_over });
        }
    }

    /// No bent rides, no attacks by unmoved pieces alone, none that spare royal pieces, and every path packed.
    fn is_complete(&self, side: &SideTables<W>, enemy: &SideTables<W>, groups: &KindGroupRegistry) -> bool {
        let spares_royals =
            |class: &MoveClass<W>| groups.kinds(class.spares) & groups.kinds(enemy.royal_group) != 0;
        let plain = |class: &MoveClass<W>| !class.first_move && !spares_royals(class);
        let overlapping = side.movers.overlapping.iter().chain(&side.royals.overlapping);
        let classes = [&side.movers, &side.royals].into_iter().chain(overlapping.map(|class| &class.classes));
        self.paths.iter().all(|path| path.packed.is_packed())
            && enemy.royals.only_leaps().is_some()
            && self.has_all_leaps
            && classes.into_iter().all(|classes| {
                let rides = classes.rides.iter().map(|rides| &rides.class);
                let lame_leaps = classes.lame_leaps.iter().map(|lame_leaps| &lame_leaps.class);
                let hops = classes.hops.iter().map(|hops| &hops.class);
                classes.bent_rides.is_empty() && rides.chain(lame_leaps).chain(hops).all(plain)
            })
    }

    /// Where a piece of a kind gets to without a path.
    #[inline(always)]
    pub fn leaps_of(&self, kind: KindId, from: Square) -> W {
        let at = usize::from(self.rows[kind.index() & 63]) + from.index();
        self.targets.get(at).copied().unwrap_or(W::ZERO)
    }

    /// Every group that is spoken of.
    #[inline]
    pub fn groups_mut(&mut self) -> impl Iterator<Item = &mut KindGroup> {
        let paths = self.paths.iter_mut().flat_map(|path| [&mut path.group, &mut path.not_over]);
        std::iter::once(&mut self.leapers)
            .chain(self.path_starts.iter_mut().map(|(movers, _)| movers))
            .chain(self.rides.iter_mut().map(|ride| &mut ride.group))
            .chain(paths)
    }
}

/// Squares that a royal piece may go to by leaping or castling.
fn royal_zone<W: Word>(side: &SideTables<W>, royal: Square) -> W {
    let castlings = side.castlings.iter().filter(|castling| castling.royal.0 == royal);
    let ways = castlings.fold(W::ZERO, |all, castling| all | castling.safe);
    side.royals.leaps.iter().fold(ways, |all, leaps| all | *leaps.to.at(royal))
}
