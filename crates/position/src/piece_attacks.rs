//! What one piece attacks from where it stands, kind by kind: for evaluations, not for the generator.
//!
//! In: rules, occupied squares. Out: squares attacked or guarded, squares that a quiet move leads to. Never: checks, pins,
//! rights of first moves.

use std::sync::Arc;

use ashta_rules::{KindId, Rules, Side, Square, Target};

use crate::state::State;
use crate::tables::compile::SideCompiler;
use crate::tables::kind_group::KindGroupRegistry;
use crate::tables::{BentPath, MoveClasses, SlideTable, StepClass};
use crate::word::{PerSquare, Word, every_square};

/// What pieces reach, by side and kind.
#[derive(Debug)]
pub struct PieceAttacks<W> {
    attacks: Vec<Vec<KindReach<W>>>,
    /// Of the first side.
    quiet: Vec<KindReach<W>>,
}

/// The ways of one kind, put together.
#[derive(Debug)]
struct KindReach<W> {
    /// Everything that nothing can block.
    near: PerSquare<W>,
    slides: Vec<Arc<SlideTable<W>>>,
    lame_leaps: Vec<PerSquare<Vec<(W, W)>>>,
    hops: Vec<Hopping<W>>,
    bent_rides: Vec<PerSquare<Vec<BentPath>>>,
    /// Whether there is anything but `near` and `slides`.
    is_special: bool,
}

/// By start: each end with the squares between, of which one must be occupied; and kinds that cannot be hopped over.
type Hopping<W> = (PerSquare<Vec<(Square, W)>>, u64);

impl<W: Word> PieceAttacks<W> {
    /// Of a game.
    pub fn new(rules: &Rules) -> PieceAttacks<W> {
        let of = |side: Side, without: Target| -> Vec<KindReach<W>> {
            rules.kind_ids().map(|kind| KindReach::new(rules, side, kind, without)).collect()
        };
        let sides = (0..rules.sides().len() as u8).map(Side);
        PieceAttacks {
            attacks: sides.map(|side| of(side, Target::Empty)).collect(),
            quiet: of(Side::FIRST, Target::Capture),
        }
    }

    /// Squares on which a piece could capture, or guards its own.
    #[inline(always)]
    pub fn attacks(&self, state: &State<W>, side: Side, kind: KindId, from: Square, occupied: W) -> W {
        self.attacks[side.index()][kind.index()].targets(Some(state), from, occupied)
    }

    /// Squares on which a piece of the first side could capture, and empty ones to which it could go, where nobody knows
    /// what stands on the occupied squares.
    pub fn in_a_crowd(&self, kind: KindId, from: Square, occupied: W) -> (W, W) {
        let quiet = self.quiet[kind.index()].targets(None, from, occupied) & !occupied;
        (self.attacks[0][kind.index()].targets(None, from, occupied), quiet)
    }
}

impl<W: Word> KindReach<W> {
    fn new(rules: &Rules, side: Side, kind: KindId, without: Target) -> KindReach<W> {
        let groups = KindGroupRegistry::default();
        let mut classes = MoveClasses::empty();
        SideCompiler { rules, groups: &groups, side }.add_kind_apart(kind, &mut classes);
        let mut reach = KindReach {
            near: PerSquare::filled(W::ZERO),
            slides: Vec::new(),
            lame_leaps: Vec::new(),
            hops: Vec::new(),
            bent_rides: Vec::new(),
            is_special: false,
        };
        reach.add(classes, without);
        reach.is_special =
            !(reach.lame_leaps.is_empty() && reach.hops.is_empty() && reach.bent_rides.is_empty());
        reach
    }

    fn add(&mut self, classes: MoveClasses<W>, without: Target) {
        let steps =
            classes.steps.iter().filter(|steps| steps.class.target != without && steps.step.over == 0);
        for StepClass { step, .. } in steps {
            step.from.squares().for_each(|from| *self.near.at_mut(from) |= W::bit(from).moved(step.by));
        }
        for leaps in classes.leaps.iter().filter(|leaps| leaps.class.target != without) {
            every_square().for_each(|from| *self.near.at_mut(from) |= *leaps.to.at(from));
        }
        let rides = classes.rides.into_iter().filter(|rides| rides.class.target != without);
        self.slides.extend(rides.filter(|rides| !rides.only_attacks).map(|rides| rides.slide));
        let lame_leaps =
            classes.lame_leaps.into_iter().filter(|lame_leaps| lame_leaps.class.target != without);
        self.lame_leaps.extend(lame_leaps.map(|lame_leaps| lame_leaps.ways));
        let hops = classes.hops.into_iter().filter(|hops| hops.class.target != without);
        self.hops.extend(hops.map(|hops| (hops.ways, hops.not_over)));
        let bent_rides =
            classes.bent_rides.into_iter().filter(|bent_rides| bent_rides.class.target != without);
        self.bent_rides.extend(bent_rides.map(|bent_rides| bent_rides.ways));
        classes.overlapping.into_iter().for_each(|overlapping| self.add(overlapping.classes, without));
    }

    #[inline(always)]
    fn targets(&self, state: Option<&State<W>>, from: Square, occupied: W) -> W {
        let mut targets = *self.near.at(from);
        for slide in &self.slides {
            targets |= slide.reach::<false>(from, occupied);
        }
        if self.is_special { targets | self.special_targets(state, from, occupied) } else { targets }
    }

    #[inline(never)]
    fn special_targets(&self, state: Option<&State<W>>, from: Square, occupied: W) -> W {
        let mut targets = W::ZERO;
        for (way, to) in self.lame_leaps.iter().flat_map(|ways| ways.at(from)) {
            if (*way & occupied).is_empty() {
                targets |= *to;
            }
        }
        for (ways, not_over) in &self.hops {
            for (to, way) in ways.at(from) {
                let hurdles = *way & occupied;
                let may =
                    |hurdle: Square| state.is_none_or(|state| not_over >> state.kind_on(hurdle).0 & 1 == 0);
                if hurdles.any() && hurdles.is_single() && may(hurdles.lowest()) {
                    targets |= W::bit(*to);
                }
            }
        }
        for way in self.bent_rides.iter().flat_map(|ways| ways.at(from)) {
            targets |= W::bit(way.hinge);
            if occupied.has(way.hinge) {
                continue;
            }
            for ray in &way.rays {
                let end = ray.iter().position(|square| occupied.has(*square)).map_or(ray.len(), |at| at + 1);
                targets = ray[..end].iter().fold(targets, |targets, square| targets | W::bit(*square));
            }
        }
        targets
    }
}
