//! What one piece attacks from where it stands, kind by kind: for evaluations, not for the generator.
//!
//! In: rules, occupied squares. Out: squares attacked or guarded, squares that a quiet move leads to. Never: checks, pins,
//! rights of first moves.

use std::sync::Arc;

use ashta_rules::{KindId, Rules, Side, Target};

use super::compile::SideCompiler;
use super::group::GroupRegistry;
use super::{BentWay, Slide, Steps, Units};
use crate::state::{State, kind_of};
use crate::word::{PerSquare, Word};

/// What pieces reach, by side and kind.
#[derive(Debug)]
pub struct Reach<W> {
    attacks: Vec<Vec<KindReach<W>>>,
    /// Of the first side.
    quiet: Vec<KindReach<W>>,
}

/// The ways of one kind, put together.
#[derive(Debug)]
struct KindReach<W> {
    /// Everything that nothing can block.
    near: PerSquare<W>,
    slides: Vec<Arc<Slide<W>>>,
    lames: Vec<PerSquare<Vec<(W, W)>>>,
    hops: Vec<Hopping<W>>,
    bents: Vec<PerSquare<Vec<BentWay>>>,
    /// Whether there is anything but `near` and `slides`.
    is_rare: bool,
}

/// By start: each end with the squares between, of which one must be occupied; and kinds that cannot be hopped over.
type Hopping<W> = (PerSquare<Vec<(u8, W)>>, u64);

impl<W: Word> Reach<W> {
    /// Of a game.
    pub fn new(rules: &Rules) -> Reach<W> {
        let of = |side: u8, without: Target| -> Vec<KindReach<W>> {
            rules.kind_ids().map(|kind| KindReach::new(rules, Side(side), kind, without)).collect()
        };
        let sides = 0..rules.sides().len() as u8;
        Reach { attacks: sides.map(|side| of(side, Target::Empty)).collect(), quiet: of(0, Target::Capture) }
    }

    /// Squares on which a piece could capture, or guards its own.
    #[inline(always)]
    pub fn attacks(&self, state: &State<W>, side: u8, kind: usize, from: u8, occupied: W) -> W {
        self.attacks[side as usize][kind].ends(Some(state), from, occupied)
    }

    /// Squares on which a piece of the first side could capture, and empty ones to which it could go, where nobody knows
    /// what stands on the occupied squares.
    pub fn in_a_crowd(&self, kind: usize, from: u8, occupied: W) -> (W, W) {
        let quiet = self.quiet[kind].ends(None, from, occupied) & !occupied;
        (self.attacks[0][kind].ends(None, from, occupied), quiet)
    }
}

impl<W: Word> KindReach<W> {
    fn new(rules: &Rules, side: Side, kind: KindId, without: Target) -> KindReach<W> {
        let groups = GroupRegistry::default();
        let mut units = Units::empty();
        SideCompiler { rules, groups: &groups, side }.add_kind_apart(kind, &mut units);
        let mut reach = KindReach {
            near: PerSquare::filled(W::ZERO),
            slides: Vec::new(),
            lames: Vec::new(),
            hops: Vec::new(),
            bents: Vec::new(),
            is_rare: false,
        };
        reach.add(units, without);
        reach.is_rare = !(reach.lames.is_empty() && reach.hops.is_empty() && reach.bents.is_empty());
        reach
    }

    fn add(&mut self, units: Units<W>, without: Target) {
        let steps = units.steps.iter().filter(|steps| steps.unit.target != without && steps.step.over == 0);
        for Steps { step, .. } in steps {
            step.from.squares().for_each(|from| *self.near.at_mut(from) |= W::bit(from).moved(step.by));
        }
        for leaps in units.leaps.iter().filter(|leaps| leaps.unit.target != without) {
            (0..=255).for_each(|from| *self.near.at_mut(from) |= *leaps.to.at(from));
        }
        let rides = units.rides.into_iter().filter(|rides| rides.unit.target != without);
        self.slides.extend(rides.filter(|rides| !rides.only_attacks).map(|rides| rides.slide));
        let lames = units.lames.into_iter().filter(|lames| lames.unit.target != without);
        self.lames.extend(lames.map(|lames| lames.ways));
        let hops = units.hops.into_iter().filter(|hops| hops.unit.target != without);
        self.hops.extend(hops.map(|hops| (hops.ways, hops.not_over)));
        let bents = units.bents.into_iter().filter(|bents| bents.unit.target != without);
        self.bents.extend(bents.map(|bents| bents.ways));
        units.mixed.into_iter().for_each(|mixed| self.add(mixed.units, without));
    }

    #[inline(always)]
    fn ends(&self, state: Option<&State<W>>, from: u8, occupied: W) -> W {
        let mut ends = *self.near.at(from);
        for slide in &self.slides {
            ends |= slide.reach::<false>(from, occupied);
        }
        if self.is_rare { ends | self.rare_ends(state, from, occupied) } else { ends }
    }

    #[inline(never)]
    fn rare_ends(&self, state: Option<&State<W>>, from: u8, occupied: W) -> W {
        let mut ends = W::ZERO;
        for (way, to) in self.lames.iter().flat_map(|ways| ways.at(from)) {
            if (*way & occupied).is_empty() {
                ends |= *to;
            }
        }
        for (ways, not_over) in &self.hops {
            for (to, way) in ways.at(from) {
                let hurdles = *way & occupied;
                let may =
                    |hurdle: u8| state.is_none_or(|state| not_over >> kind_of(state.piece(hurdle)) & 1 == 0);
                if hurdles.any() && hurdles.is_single() && may(hurdles.lowest()) {
                    ends |= W::bit(*to);
                }
            }
        }
        for way in self.bents.iter().flat_map(|ways| ways.at(from)) {
            ends |= W::bit(way.hinge);
            if occupied.has(way.hinge) {
                continue;
            }
            for ray in &way.rays {
                let end = ray.iter().position(|square| occupied.has(*square)).map_or(ray.len(), |at| at + 1);
                ends = ray[..end].iter().fold(ends, |ends, square| ends | W::bit(*square));
            }
        }
        ends
    }
}
