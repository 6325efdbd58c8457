//! The move classes of each kind: how its pieces move, and which kinds move alike.

use std::sync::Arc;

use ashta_rules::{Delta, InCheck, KindId, Part, Path, Promotion, Square, Target};

use super::compile::{SideCompiler, kind_mask};
use super::features::steps_at_once;
use super::geometry::{PartView, stuck, word_of};
use super::kind_group::KindGroupRegistry;
use super::pext_table::Hurdles;
use super::slide::SlideTable;
use super::{
    BentRideClass, HopClass, KindGroup, LameLeapClass, LeapClass, MoveClass, MoveClasses, OutAndBackClass,
    OverlappingClass, PextTable, PromotionTable, RideClass, Step, StepClass, TwoLegClass,
};
use crate::word::{PerSquare, Word, every_square};

impl SideCompiler<'_> {
    /// Adds a kind's move classes: to those of its side, or to a mixed move class of its own if its movements overlap.
    pub(super) fn add_kind<W: Word>(&self, kind: KindId, classes: &mut MoveClasses<W>) {
        if !self.overlaps(kind) {
            return self.add_parts(kind, classes, Stepping::AtOnce);
        }
        let mut own = MoveClasses::empty();
        self.add_parts(kind, &mut own, Stepping::OneByOne);
        // Moves of two legs differ from all others by what they capture.
        classes.two_legs.append(&mut own.two_legs);
        classes.out_and_back.append(&mut own.out_and_back);
        let promotion = self.promotion(kind);
        let (group, spares) = (self.group(kind), KindGroup::NONE);
        let class = MoveClass {
            group,
            target: Target::Any,
            promotion,
            first_move: false,
            calm: false,
            spares,
            is_plain: true,
        };
        classes.overlapping.push(OverlappingClass { class, classes: own });
    }

    fn promotion<W: Word>(&self, kind: KindId) -> Option<PromotionTable<W>> {
        // In a contest a piece promotes when its turn has ended, not by its move.
        if self.rules.contest().is_some() {
            return None;
        }
        let in_place = self.rules.kind(kind).promotion.as_ref().is_some_and(Promotion::is_in_place);
        let stuck = stuck(self.rules, self.side, kind);
        if in_place { None } else { PromotionTable::new(self.rules, kind, self.side, stuck) }
    }

    /// Adds a kind's move classes, each piece by itself.
    pub(crate) fn add_kind_apart<W: Word>(&self, kind: KindId, classes: &mut MoveClasses<W>) {
        self.add_parts(kind, classes, Stepping::OneByOne);
    }

    /// Whether two movements of a kind may lead to the same square in one position.
    fn overlaps(&self, kind: KindId) -> bool {
        let parts = &self.rules.kind(kind).moves;
        let ways = |part: &Part, from: Square| {
            PartView { rules: self.rules, side: self.side, kind, part }.ways(from)
        };
        self.rules.grid().squares().any(|from| {
            let mut reached: Vec<(Square, &Part)> = Vec::new();
            parts.iter().any(|part| {
                let targets: Vec<Square> = ways(part, from).into_iter().map(|(to, _)| to).collect();
                let meets = targets
                    .iter()
                    .any(|to| reached.iter().any(|(end, other)| end == to && may_meet(part, other)));
                reached.extend(targets.into_iter().map(|to| (to, part)));
                meets
            })
        })
    }

    fn add_parts<W: Word>(&self, kind: KindId, classes: &mut MoveClasses<W>, stepping: Stepping) {
        let rules = self.rules.kind(kind);
        let promotion = self.promotion(kind);
        for part in &rules.moves {
            let view = PartView { rules: self.rules, side: self.side, kind, part };
            let (first_move, calm) = (view.is_remembered_first_move(), part.in_check == InCheck::Forbidden);
            let class = MoveClass {
                group: self.group(kind),
                target: part.movement.target,
                promotion: promotion.clone(),
                first_move,
                calm,
                spares: self.groups.group(kind_mask(&part.not_onto)),
                is_plain: !first_move && !calm && part.not_onto.is_empty(),
            };
            let all_at_once = stepping == Stepping::AtOnce
                && steps_at_once(self.rules, rules, part)
                && promotion.as_ref().is_none_or(|promotion| {
                    !promotion.depends_on_start(|from| word_of(view.ways(from).iter().map(|way| way.0)))
                });
            if !all_at_once && view.is_compiled_by_ends() {
                let ways = per_square(&view, Vec::new(), |from| lame_ways(&view, from));
                let packed = Arc::new(PextTable::new(&view.ways_of_all(), Hurdles::None));
                classes.lame_leaps.push(LameLeapClass { class, ways, packed });
                continue;
            }
            match (&part.movement.path, all_at_once) {
                (Path::Leap, true) | (Path::Lame, _) => {
                    let steps = self.steps(&view).into_iter();
                    classes
                        .steps
                        .extend(steps.map(|step| StepClass { class: class.for_ends(step.targets()), step }));
                }
                (Path::Leap, false) => {
                    let to = per_square(&view, W::ZERO, |from| word_of(view.leaps(from)));
                    classes.add_leaps(class, to);
                }
                (Path::Ride { limit, .. }, _) => {
                    let rides = view.rides(*limit);
                    classes.rides.extend(rides.iter().map(|rays| RideClass {
                        class: class.clone(),
                        slide: Arc::new(SlideTable::new(rays)),
                        only_attacks: false,
                    }));
                }
                (Path::Hop { limit }, _) => classes.hops.push(HopClass {
                    class,
                    ways: per_square(&view, Vec::new(), |from| {
                        view.hops(from, *limit).into_iter().map(|(to, way)| (to, word_of(way))).collect()
                    }),
                    packed: Arc::new(PextTable::new(&view.ways_of_all(), Hurdles::One)),
                    not_over: kind_mask(&part.not_over),
                    not_over_group: self.groups.group(kind_mask(&part.not_over)),
                }),
                (Path::TwoLegs { turns }, _) => {
                    let ways = per_square(&view, Vec::new(), |from| view.two_legs(from, turns));
                    let middles = per_square(&view, W::ZERO, |from| {
                        word_of(ways.at(from).iter().map(|(middle, _)| *middle))
                    });
                    classes.add_two_legs(TwoLegClass { class, ways, middles });
                }
                (Path::OutAndBack, _) => classes.out_and_back.push(OutAndBackClass {
                    class,
                    to: per_square(&view, W::ZERO, |from| word_of(view.leaps(from))),
                }),
                (Path::Bent { then, .. }, _) => {
                    classes.bent_rides.push(BentRideClass {
                        class,
                        ways: per_square(&view, Vec::new(), |from| view.bent_rides(from, then)),
                    });
                }
            }
        }
    }

    fn steps<W: Word>(&self, view: &PartView) -> Vec<Step<W>> {
        let grid = self.rules.grid();
        let quarters = self.rules.sides()[self.side.index()].quarters;
        let number = |d: Delta| i32::from(d.file) * i32::from(grid.ranks()) + i32::from(d.rank);
        let steps = view.part.movement.steps.iter().map(|step| step.turned(quarters));
        steps
            .map(|step| {
                let lame = view.part.movement.path == Path::Lame;
                let arrives = |from: &Square| {
                    grid.step(*from, step).is_some_and(|to| view.ways(*from).iter().any(|way| way.0 == to))
                };
                Step {
                    by: number(step),
                    over: if lame { number(step) / 2 } else { 0 },
                    from: word_of(view.starts().iter().filter(arrives)),
                }
            })
            .collect()
    }
}

/// Whether set-wise steps may be used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stepping {
    AtOnce,
    OneByOne,
}

/// Whether two parts that lead to one square may both be played onto it.
fn may_meet(a: &Part, b: &Part) -> bool {
    let class =
        |part: &Part| part.movement.steps.iter().all(|step| step.file.abs().max(step.rank.abs()) == 1);
    let ride_and_hop = matches!(
        (&a.movement.path, &b.movement.path),
        (Path::Ride { .. }, Path::Hop { .. }) | (Path::Hop { .. }, Path::Ride { .. })
    );
    // A rider stops at the first piece on a line and a hopper begins beyond it.
    let apart_by_path = ride_and_hop && class(a) && class(b);
    let apart_by_target = matches!(
        (a.movement.target, b.movement.target),
        (Target::Empty, Target::Capture) | (Target::Capture, Target::Empty)
    );
    !apart_by_path && !apart_by_target
}

/// A table over the squares from which a part may be used; others hold `nothing`.
fn per_square<T: Clone>(view: &PartView, nothing: T, make: impl Fn(Square) -> T) -> PerSquare<T> {
    let mut table = PerSquare::filled(nothing);
    view.starts().iter().for_each(|from| *table.at_mut(from) = make(from));
    table
}

/// Ends of paths that must be empty, those with the same squares on the way together.
fn lame_ways<W: Word>(view: &PartView, from: Square) -> Vec<(W, W)> {
    let mut grouped: Vec<(W, W)> = Vec::new();
    for (to, way) in view.ways_of_any(from) {
        let way: W = word_of(way);
        match grouped.iter_mut().find(|(legs, _)| *legs == way) {
            Some((_, targets)) => *targets |= W::bit(to),
            None => grouped.push((way, W::bit(to))),
        }
    }
    grouped
}

impl<W: Word> MoveClasses<W> {
    pub(crate) fn empty() -> MoveClasses<W> {
        MoveClasses {
            steps: Vec::new(),
            leaps: Vec::new(),
            rides: Vec::new(),
            lame_leaps: Vec::new(),
            hops: Vec::new(),
            bent_rides: Vec::new(),
            two_legs: Vec::new(),
            out_and_back: Vec::new(),
            overlapping: Vec::new(),
        }
    }

    /// Leaps of one kind onto the same targets become one table.
    fn add_leaps(&mut self, class: MoveClass<W>, to: PerSquare<W>) {
        let same =
            |leaps: &&mut LeapClass<W>| leaps.class.group == class.group && leaps.class.moves_as(&class);
        match self.leaps.iter_mut().find(same) {
            Some(leaps) => every_square().for_each(|square| *leaps.to.at_mut(square) |= *to.at(square)),
            None => self.leaps.push(LeapClass { class, to }),
        }
    }

    fn add_two_legs(&mut self, two_legs: TwoLegClass<W>) {
        let same_kind = |parts: &&mut Vec<TwoLegClass<W>>| parts[0].class.group == two_legs.class.group;
        match self.two_legs.iter_mut().find(same_kind) {
            Some(parts) => parts.push(two_legs),
            None => self.two_legs.push(vec![two_legs]),
        }
    }

    /// Kinds whose moves are the same are generated in one loop.
    pub(super) fn share(&mut self, groups: &KindGroupRegistry) {
        let mut leaps: Vec<LeapClass<W>> = Vec::new();
        for class in self.leaps.drain(..) {
            let same = |other: &&mut LeapClass<W>| {
                other.class.can_share(&class.class)
                    && every_square().all(|square| other.to.at(square) == class.to.at(square))
            };
            match leaps.iter_mut().find(|other| groups.has_room() && same(other)) {
                Some(shared) => shared.class.group = groups.union(shared.class.group, class.class.group),
                None => leaps.push(class),
            }
        }
        self.leaps = leaps;
        let mut rides: Vec<RideClass<W>> = Vec::new();
        for class in self.rides.drain(..) {
            let same = |other: &&mut RideClass<W>| {
                other.class.can_share(&class.class)
                    && other.only_attacks == class.only_attacks
                    && other.slide.same_as(&class.slide)
            };
            match rides.iter_mut().find(|other| groups.has_room() && same(other)) {
                Some(shared) => shared.class.group = groups.union(shared.class.group, class.class.group),
                None => rides.push(class),
            }
        }
        self.rides = Vec::new();
        for class in rides {
            self.add_shared_rides(class, groups);
        }
    }

    /// Riders that promote and riders that do not, on the same lines: one loop fewer costs less than what each looks up.
    fn add_shared_rides(&mut self, rides: RideClass<W>, groups: &KindGroupRegistry) {
        let same = |other: &&mut RideClass<W>| {
            other.class.moves_as(&rides.class)
                && other.class.promotion.is_some() != rides.class.promotion.is_some()
                && other.only_attacks == rides.only_attacks
                && other.slide.same_as(&rides.slide)
        };
        let Some(shared) = self.rides.iter_mut().find(|other| groups.has_room() && same(other)) else {
            return self.rides.push(rides);
        };
        let (exempt, promotion) = match shared.class.promotion.take() {
            None => (shared.class.group, rides.class.promotion),
            Some(promotion) => (rides.class.group, Some(promotion)),
        };
        shared.class.promotion = promotion.map(|promotion| promotion.sparing(exempt));
        shared.class.group = groups.union(shared.class.group, rides.class.group);
    }
}

impl<W: Word> MoveClass<W> {
    /// The same for moves of many pieces at once that have these targets only: the double step of a pawn never promotes.
    fn for_ends(&self, targets: W) -> MoveClass<W> {
        let promotion = self.promotion.clone().filter(|promotion| promotion.is_met_at(targets));
        MoveClass { promotion, ..self.clone() }
    }

    fn moves_as(&self, other: &MoveClass<W>) -> bool {
        let how = |class: &Self| (class.target, class.first_move, class.calm, class.spares);
        how(self) == how(other)
    }

    fn can_share(&self, other: &MoveClass<W>) -> bool {
        let promotes_as = match (&self.promotion, &other.promotion) {
            (Some(a), Some(b)) => a.same_as(b),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        promotes_as && self.moves_as(other)
    }
}
