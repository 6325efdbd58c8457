//! Promotions as masks of destinations, so that counting moves needs no branch.
//!
//! In: a promotion rule, a side. Out: for a start square, where a piece may stay as it is and where it may become
//! something else. Never: which move is chosen.

use ashta_rules::{Choice, KindId, PromotesOn, Rules, Side, Square, SquareSet, Supply, Targets};

use super::{Group, features};
use crate::state::State;
use crate::word::{PerSquare, Word};

/// Most kinds that one piece may choose from.
pub const MAX_TARGETS: usize = 16;

/// A promotion rule for one side.
#[derive(Clone, Debug)]
pub struct Promotion<W> {
    zone: W,
    /// Kinds that move by the same unit and do not promote.
    exempt: Group,
    /// For starts outside the zone, inside it, and for those who do not promote.
    views: [Masks<W>; 3],
    targets: Vec<u8>,
    /// How many kinds a piece may choose from.
    n_targets: u32,
    /// The kind, where there is never another.
    only_kind: Option<u8>,
    by_square: Option<PerSquare<u8>>,
    /// Bits of `targets` that are royal.
    royal_targets: u32,
    /// Squares of `by_square` with a royal kind.
    royal_squares: W,
    limits: Option<[u8; 64]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Masks<W> {
    stay: W,
    become_other: W,
}

/// What a piece on one square may do at its destinations.
pub struct View<'a, W> {
    /// Where it may stay as it is.
    pub stay: W,
    /// Where it may become one of `n_targets` kinds.
    pub become_other: W,
    /// How many kinds it may choose from.
    pub n_targets: u32,
    /// Bits of `promotion.targets` that may be chosen.
    available: u32,
    promotion: &'a Promotion<W>,
}

impl<W: Word> View<'_, W> {
    /// The kinds that a piece may become on a square of `become_other`.
    #[inline(always)]
    pub fn kinds(&self, to: u8) -> impl Iterator<Item = u8> {
        let by_square = self.promotion.by_square.as_ref().map(|table| *table.at(to));
        let available = if by_square.is_some() { 0 } else { self.available };
        let listed = self.promotion.targets.iter().enumerate();
        let listed = listed.filter(move |(n, _)| available >> n & 1 == 1).map(|(_, kind)| *kind);
        by_square.into_iter().chain(listed)
    }

    /// The one kind that a piece may become, whatever the square.
    #[inline(always)]
    pub fn only_kind(&self) -> Option<u8> {
        self.promotion.only_kind
    }

    /// Without the promotions that make a royal piece.
    pub fn only_to_men(self) -> Self {
        let (targets, squares) = (self.promotion.royal_targets, self.promotion.royal_squares);
        self.keeping(!targets, !squares)
    }

    /// Only the promotions that make a royal piece.
    pub fn only_to_royals(self) -> Self {
        let (targets, squares) = (self.promotion.royal_targets, self.promotion.royal_squares);
        View { stay: W::ZERO, ..self.keeping(targets, squares) }
    }

    fn keeping(mut self, targets: u32, squares: W) -> Self {
        if self.promotion.by_square.is_some() {
            self.become_other &= squares;
            return self;
        }
        self.available &= targets;
        self.n_targets = self.available.count_ones();
        if self.n_targets == 0 {
            self.become_other = W::ZERO;
        }
        self
    }
}

impl<W: Word> Promotion<W> {
    /// Compiles a kind's promotion for a side; `None` if it never promotes by moving or standing.
    pub fn new(rules: &Rules, kind: KindId, side: Side, stuck: W) -> Option<Promotion<W>> {
        let promotion = rules.kind(kind).promotion.as_ref()?;
        let grid = rules.grid();
        let all = W::from_set(&SquareSet::all(grid));
        let zone = W::from_set(&promotion.zone[side.index()]);
        let mut targets = Vec::new();
        let mut by_square = None;
        let mut possible = all;
        match &promotion.to {
            Targets::Kinds(kinds) => targets = kinds.iter().map(|kind| kind.0).take(MAX_TARGETS).collect(),
            Targets::ByFile(kinds) => {
                let mut table = PerSquare::filled(0);
                possible = W::ZERO;
                for square in grid.squares() {
                    if let Some(Some(kind)) = kinds.get(file_for(rules, side, square) as usize) {
                        *table.at_mut(square.0) = kind.0;
                        possible |= W::bit(square.0);
                    }
                }
                by_square = Some(table);
            }
        }
        let masks = |ends: W| {
            let become_other = ends & possible;
            let stay = match promotion.choice {
                Choice::Must => !ends,
                Choice::May => W::ALL,
                Choice::MayUnlessStuck => !(ends & stuck),
            };
            Masks { stay, become_other }
        };
        let [outside, inside] = match promotion.on {
            PromotesOn::End => [zone, zone],
            PromotesOn::StartOrEnd => [zone, all],
            PromotesOn::Enter => [zone, W::ZERO],
            PromotesOn::Stay => [W::ZERO, W::ZERO],
        };
        let views = [masks(outside), masks(inside), Masks { stay: W::ALL, become_other: W::ZERO }];
        let limits = limits(rules, promotion.supply, side);
        let n_targets = if by_square.is_some() { 1 } else { targets.len() as u32 };
        let only_kind =
            if by_square.is_none() && targets.len() == 1 { targets.first().copied() } else { None };
        let royal = |kind: u8| rules.kind(KindId(kind)).royal;
        let royal_targets = (0..targets.len()).fold(0, |set, n| set | u32::from(royal(targets[n])) << n);
        let royal_squares = match &by_square {
            Some(table) => {
                possible.squares().filter(|s| royal(*table.at(*s))).fold(W::ZERO, |set, s| set | W::bit(s))
            }
            None => W::ZERO,
        };
        let only_kind = if royal_targets == 0 { only_kind } else { None };
        Some(Promotion {
            zone,
            exempt: Group::NONE,
            views,
            targets,
            n_targets,
            only_kind,
            by_square,
            royal_targets,
            royal_squares,
            limits,
        })
    }

    /// What a piece on `from` may do.
    #[inline(always)]
    pub fn view<const F: u8>(&self, from: u8, state: &State<W>) -> View<'_, W> {
        self.limited::<F>(self.masks(from, state), state)
    }

    #[inline(always)]
    fn masks(&self, from: u8, state: &State<W>) -> Masks<W> {
        let is_exempt = self.exempt.pieces(state).has(from);
        self.views[if is_exempt { 2 } else { usize::from(self.zone.has(from)) }]
    }

    /// The same rule for a unit that kinds without promotion share.
    pub fn sparing(self, exempt: Group) -> Promotion<W> {
        Promotion { exempt, ..self }
    }

    /// The kinds of its unit that do not promote.
    pub fn exempt_mut(&mut self) -> &mut Group {
        &mut self.exempt
    }

    /// What every promotion leads to, if always the same.
    #[inline(always)]
    pub fn only_kind(&self) -> Option<u8> {
        self.only_kind
    }

    /// Whether a piece on `from` may become another on one of these squares.
    #[inline(always)]
    pub fn may_become(&self, from: u8, ends: W, state: &State<W>) -> bool {
        (ends & self.masks(from, state).become_other).any()
    }

    /// What pieces may do whose start does not matter (see [`Promotion::depends_on_start`]).
    #[inline(always)]
    pub fn view_of_all<const F: u8>(&self, state: &State<W>) -> View<'_, W> {
        self.limited::<F>(self.views[0], state)
    }

    #[inline(always)]
    fn limited<const F: u8>(&self, masks: Masks<W>, state: &State<W>) -> View<'_, W> {
        let every = (1u32 << self.targets.len()) - 1;
        let Masks { stay, become_other } = masks;
        let view = View { stay, become_other, n_targets: self.n_targets, available: every, promotion: self };
        match &self.limits {
            Some(limits) if F == features::EVERYTHING => self.with_supply(view, limits, state),
            _ => view,
        }
    }

    #[cold]
    fn with_supply<'a>(&'a self, mut view: View<'a, W>, limits: &[u8; 64], state: &State<W>) -> View<'a, W> {
        let free = |kind: u8| state.count_of(state.turn(), kind) < u32::from(limits[kind as usize & 63]);
        match &self.by_square {
            Some(table) => {
                let closed = view.become_other.squares().filter(|square| !free(*table.at(*square)));
                view.become_other = closed.fold(view.become_other, |set, square| set & !W::bit(square));
            }
            None => {
                view.available =
                    (0..self.targets.len()).fold(0, |set, n| set | u32::from(free(self.targets[n])) << n);
                view.n_targets = view.available.count_ones();
                if view.n_targets == 0 {
                    view.become_other = W::ZERO;
                }
            }
        }
        view
    }

    /// Where a promotion by standing still is made.
    pub fn zone(&self) -> W {
        self.zone
    }

    /// Whether a piece inside the zone has other choices than one outside, at a destination that it can reach.
    pub fn depends_on_start(&self, reach: impl Fn(u8) -> W) -> bool {
        let differ = (self.views[0].stay ^ self.views[1].stay)
            | (self.views[0].become_other ^ self.views[1].become_other);
        self.zone.squares().any(|from| (reach(from) & differ).any())
    }

    /// Whether a piece whose start does not matter may or must become something else at one of these destinations.
    pub fn is_met_at(&self, ends: W) -> bool {
        (ends & (self.views[0].become_other | !self.views[0].stay)).any()
    }

    /// Whether two rules lead to the same promotions.
    pub fn same_as(&self, other: &Promotion<W>) -> bool {
        let tables = |p: &Promotion<W>| {
            p.by_square.as_ref().map(|table| (0..=255).map(|s| *table.at(s)).collect::<Vec<_>>())
        };
        (self.zone, self.exempt, self.views, &self.targets, self.limits)
            == (other.zone, other.exempt, other.views, &other.targets, other.limits)
            && tables(self) == tables(other)
    }

    /// The same rule for a piece that stays where it is.
    pub fn in_place(self) -> Promotion<W> {
        let masks = Masks { stay: W::ZERO, become_other: self.zone };
        Promotion { views: [masks; 3], ..self }
    }
}

fn limits(rules: &Rules, supply: Supply, side: Side) -> Option<[u8; 64]> {
    match supply {
        Supply::Unlimited => None,
        Supply::AtMost(limit) => Some([limit; 64]),
        Supply::Lost => {
            let mut counts = [0; 64];
            for (s, kind) in rules.start().board.iter().flatten().filter(|(s, _)| *s == side) {
                debug_assert_eq!(*s, side);
                counts[kind.index()] += 1;
            }
            Some(counts)
        }
    }
}

/// The file of a square as a side sees the board.
pub(super) fn file_for(rules: &Rules, side: Side, square: Square) -> u8 {
    let (grid, quarters) = (rules.grid(), rules.sides()[side.index()].quarters);
    grid.file(grid.turned(square, 4 - quarters))
}
