//! What a piece may become at its destinations, as masks, so that counting moves needs no branch.
//!
//! In: a promotion table, a start square, a state. Out: where the piece may stay as it is and where it may promote, to what.
//! Never: which move is chosen.

use ashta_rules::{KindId, Square};

use crate::state::State;
use crate::tables::{KindGroup, Masks, PromotionTable, features};
use crate::word::Word;

/// What a piece on one square may do at its destinations.
pub struct PromotionChoices<'a, W> {
    /// Where it may stay as it is.
    pub stay: W,
    /// Where it may become one of `n_targets` kinds.
    pub become_other: W,
    /// How many kinds it may choose from.
    pub n_targets: u32,
    /// Bits of `promotion.targets` that may be chosen.
    available: u32,
    promotion: &'a PromotionTable<W>,
}

impl<W: Word> PromotionChoices<'_, W> {
    /// The kinds that a piece may become on a square of `become_other`.
    #[inline(always)]
    pub fn kinds(&self, to: Square) -> impl Iterator<Item = KindId> {
        let by_square = self.promotion.by_square.as_ref().map(|table| *table.at(to));
        let available = if by_square.is_some() { 0 } else { self.available };
        let listed = self.promotion.targets.iter().enumerate();
        let listed = listed.filter(move |(n, _)| available >> n & 1 == 1).map(|(_, kind)| *kind);
        by_square.into_iter().chain(listed)
    }

    /// The one kind that a piece may become, whatever the square.
    #[inline(always)]
    pub fn only_kind(&self) -> Option<KindId> {
        self.promotion.only_kind
    }

    /// Without the promotions that make a royal piece.
    pub fn only_to_non_royals(self) -> Self {
        let (targets, squares) = (self.promotion.royal_targets, self.promotion.royal_squares);
        self.keeping(!targets, !squares)
    }

    /// Only the promotions that make a royal piece.
    pub fn only_to_royals(self) -> Self {
        let (targets, squares) = (self.promotion.royal_targets, self.promotion.royal_squares);
        PromotionChoices { stay: W::ZERO, ..self.keeping(targets, squares) }
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

impl<W: Word> PromotionTable<W> {
    /// What a piece on `from` may do.
    #[inline(always)]
    pub fn view<const F: u8>(&self, from: Square, state: &State<W>) -> PromotionChoices<'_, W> {
        match F == features::EVERYTHING && self.depends_on_state {
            true => self.view_in(Some(from), state),
            false => self.choices(self.masks(from, state)),
        }
    }

    /// Whether a move from `from` to these squares neither may nor must promote, as the squares alone tell.
    #[inline(always)]
    pub fn is_out_of_reach(&self, from: Square, targets: W) -> bool {
        !self.zone.has(from) && (targets & self.area).is_empty()
    }

    #[inline(always)]
    fn masks(&self, from: Square, state: &State<W>) -> Masks<W> {
        match self.is_exempt(from, state) {
            true => Masks { stay: W::ALL, become_other: W::ZERO },
            // On large boards a table by start is too large for the cache (1 to 2% slower on 12x12).
            false if W::SQUARES > 128 => self.views[usize::from(self.zone.has(from))],
            false => *self.by_start.at(from),
        }
    }

    #[inline(always)]
    fn is_exempt(&self, from: Square, state: &State<W>) -> bool {
        self.exempt != KindGroup::NONE && self.exempt.pieces(state).has(from)
    }

    /// Whether a piece on `from` may become another on one of these squares.
    #[inline(always)]
    pub fn may_become<const F: u8>(&self, from: Square, targets: W, state: &State<W>) -> bool {
        (targets & self.view::<F>(from, state).become_other).any()
    }

    /// What pieces may do whose start does not matter (see [`Promotion::depends_on_start`]).
    #[inline(always)]
    pub fn view_of_all<const F: u8>(&self, state: &State<W>) -> PromotionChoices<'_, W> {
        match F == features::EVERYTHING && self.depends_on_state {
            true => self.view_in(None, state),
            false => self.choices(self.views[0]),
        }
    }

    #[inline(always)]
    fn choices(&self, Masks { stay, become_other }: Masks<W>) -> PromotionChoices<'_, W> {
        let available = (1u32 << self.targets.len()) - 1;
        PromotionChoices { stay, become_other, n_targets: self.n_targets, available, promotion: self }
    }

    /// The same where captures promote more often than other moves, or a target may be used up.
    #[inline(never)]
    fn view_in(&self, from: Option<Square>, state: &State<W>) -> PromotionChoices<'_, W> {
        let masks = match (from, &self.capture_views) {
            (Some(from), Some(captures)) if !self.is_exempt(from, state) => {
                self.by_victims(usize::from(self.zone.has(from)), captures, state)
            }
            (Some(from), _) => self.masks(from, state),
            (None, Some(captures)) => self.by_victims(0, captures, state),
            (None, None) => self.views[0],
        };
        match &self.limits {
            Some(limits) => self.with_supply(self.choices(masks), limits, state),
            None => self.choices(masks),
        }
    }

    fn by_victims(&self, from_zone: usize, captures: &[Masks<W>; 2], state: &State<W>) -> Masks<W> {
        let victims = state.occupied() & !state.side(state.turn());
        let (quiet, captures) = (self.views[from_zone], captures[from_zone]);
        Masks {
            stay: (quiet.stay & !victims) | (captures.stay & victims),
            become_other: (quiet.become_other & !victims) | (captures.become_other & victims),
        }
    }

    #[cold]
    fn with_supply<'a>(
        &'a self,
        mut view: PromotionChoices<'a, W>,
        limits: &[u8; 64],
        state: &State<W>,
    ) -> PromotionChoices<'a, W> {
        let free = |kind: KindId| state.count_of(state.turn(), kind) < u32::from(limits[kind.index() & 63]);
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
}
