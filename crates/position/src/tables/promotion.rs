//! Promotions as masks of destinations, so that counting moves needs no branch.
//!
//! In: a promotion rule, a side. Out: for a start square, where a piece may stay as it is and where it may become
//! something else. Never: which move is chosen.

use ashta_rules::{Choice, KindId, PromotesOn, Rules, Side, Square, SquareSet, Supply, Targets};

use super::KindGroup;
use crate::word::{PerSquare, Word, every_square};

/// Most kinds that one piece may choose from.
pub const MAX_TARGETS: usize = 16;

/// A promotion rule for one side.
#[derive(Clone, Debug)]
pub struct PromotionTable<W> {
    pub(crate) zone: W,
    /// Squares where a piece from outside the zone may or must become something else.
    pub(crate) area: W,
    /// Kinds that move by the same move class and do not promote.
    pub(crate) exempt: KindGroup,
    /// For starts outside the zone and inside it.
    pub(crate) views: [Masks<W>; 2],
    /// Whether choices depend on more than the squares of the move: on what is captured, or on pieces left.
    pub(crate) depends_on_state: bool,
    /// `views` for captures, where they promote more often.
    pub(crate) capture_views: Option<[Masks<W>; 2]>,
    /// `views` by start.
    pub(crate) by_start: PerSquare<Masks<W>>,
    pub(crate) targets: Vec<KindId>,
    /// How many kinds a piece may choose from.
    pub(crate) n_targets: u32,
    /// The kind, where there is never another.
    pub(crate) only_kind: Option<KindId>,
    pub(crate) by_square: Option<PerSquare<KindId>>,
    /// Bits of `targets` that are royal.
    pub(crate) royal_targets: u32,
    /// Squares of `by_square` with a royal kind.
    pub(crate) royal_squares: W,
    pub(crate) limits: Option<[u8; 64]>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Masks<W> {
    pub stay: W,
    pub become_other: W,
}

impl<W: Word> PromotionTable<W> {
    /// Compiles a kind's promotion for a side; `None` if it never promotes by moving or standing.
    pub fn new(rules: &Rules, kind: KindId, side: Side, stuck: W) -> Option<PromotionTable<W>> {
        let promotion = rules.kind(kind).promotion.as_ref()?;
        let grid = rules.grid();
        let all = W::from_set(&SquareSet::all(grid));
        let zone = W::from_set(&promotion.zone[side.index()]);
        let mut targets = Vec::new();
        let mut by_square = None;
        let mut possible = all;
        match &promotion.to {
            Targets::Kinds(kinds) => targets = kinds.iter().copied().take(MAX_TARGETS).collect(),
            Targets::ByFile(kinds) => {
                let mut table = PerSquare::filled(KindId(0));
                possible = W::ZERO;
                for square in grid.squares() {
                    if let Some(Some(kind)) = kinds.get(file_for(rules, side, square) as usize) {
                        *table.at_mut(square) = *kind;
                        possible |= W::bit(square);
                    }
                }
                by_square = Some(table);
            }
        }
        let masks = |targets: W| {
            let become_other = targets & possible;
            let stay = match promotion.choice {
                Choice::Must => !targets,
                Choice::May => W::ALL,
                Choice::MayUnlessStuck => !(targets & stuck),
            };
            Masks { stay, become_other }
        };
        let (mut outside, mut inside) = (W::ZERO, W::ZERO);
        for on in &promotion.on {
            let [from_outside, from_inside] = match on {
                PromotesOn::End => [zone, zone],
                PromotesOn::StartOrEnd => [zone, all],
                PromotesOn::Enter => [zone, W::ZERO],
                PromotesOn::LastRank => [W::from_set(&rules.last_rank(side)); 2],
                PromotesOn::Capture | PromotesOn::Stay => [W::ZERO; 2],
            };
            (outside, inside) = (outside | from_outside, inside | from_inside);
        }
        let views = [masks(outside), masks(inside)];
        let by_capture = promotion.on.contains(&PromotesOn::Capture);
        let capture_views = by_capture.then(|| [masks(outside | zone), masks(all)]);
        let limits = limits(rules, promotion.supply, side);
        let n_targets = if by_square.is_some() { 1 } else { targets.len() as u32 };
        let only_kind =
            if by_square.is_none() && targets.len() == 1 { targets.first().copied() } else { None };
        let royal = |kind: KindId| rules.kind(kind).royal;
        let royal_targets = (0..targets.len()).fold(0, |set, n| set | u32::from(royal(targets[n])) << n);
        let royal_squares = match &by_square {
            Some(table) => {
                possible.squares().filter(|s| royal(*table.at(*s))).fold(W::ZERO, |set, s| set | W::bit(s))
            }
            None => W::ZERO,
        };
        let only_kind = if royal_targets == 0 { only_kind } else { None };
        Some(PromotionTable {
            zone,
            area: met(views) | capture_views.map_or(W::ZERO, met),
            exempt: KindGroup::NONE,
            views,
            depends_on_state: capture_views.is_some() || limits.is_some(),
            capture_views,
            by_start: by_start(zone, views),
            targets,
            n_targets,
            only_kind,
            by_square,
            royal_targets,
            royal_squares,
            limits,
        })
    }

    /// The same rule for a move class that kinds without promotion share.
    #[inline]
    pub fn sparing(self, exempt: KindGroup) -> PromotionTable<W> {
        PromotionTable { exempt, ..self }
    }

    /// The kinds of its move class that do not promote.
    #[inline]
    pub fn exempt_mut(&mut self) -> &mut KindGroup {
        &mut self.exempt
    }

    /// What every promotion leads to, if always the same.
    #[inline(always)]
    pub fn only_kind(&self) -> Option<KindId> {
        self.only_kind
    }

    /// Where a promotion by standing still is made.
    #[inline]
    pub fn zone(&self) -> W {
        self.zone
    }

    /// Whether a piece inside the zone has other choices than one outside, at a destination that it can reach.
    pub fn depends_on_start(&self, reach: impl Fn(Square) -> W) -> bool {
        let between = |[outside, inside]: [Masks<W>; 2]| {
            (outside.stay ^ inside.stay) | (outside.become_other ^ inside.become_other)
        };
        let differ = between(self.views) | self.capture_views.map_or(W::ZERO, between);
        self.zone.squares().any(|from| (reach(from) & differ).any())
    }

    /// Whether a piece whose start does not matter may or must become something else at one of these destinations.
    #[inline]
    pub fn is_met_at(&self, targets: W) -> bool {
        (targets & self.area).any()
    }

    /// Whether two rules lead to the same promotions.
    pub fn same_as(&self, other: &PromotionTable<W>) -> bool {
        let tables = |p: &PromotionTable<W>| {
            p.by_square.as_ref().map(|table| every_square().map(|s| *table.at(s)).collect::<Vec<_>>())
        };
        (self.zone, self.exempt, self.views, self.capture_views, &self.targets, self.limits)
            == (other.zone, other.exempt, other.views, other.capture_views, &other.targets, other.limits)
            && tables(self) == tables(other)
    }

    /// The same rule for a piece that stays where it is.
    pub fn in_place(self) -> PromotionTable<W> {
        let masks = Masks { stay: W::ZERO, become_other: self.zone };
        PromotionTable {
            views: [masks; 2],
            depends_on_state: self.limits.is_some(),
            capture_views: None,
            by_start: PerSquare::filled(masks),
            ..self
        }
    }
}

/// Where a piece from outside the zone may or must become something else.
fn met<W: Word>([outside, _]: [Masks<W>; 2]) -> W {
    outside.become_other | !outside.stay
}

fn by_start<W: Word>(zone: W, [outside, inside]: [Masks<W>; 2]) -> PerSquare<Masks<W>> {
    let mut table = PerSquare::filled(outside);
    zone.squares().for_each(|from| *table.at_mut(from) = inside);
    table
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
