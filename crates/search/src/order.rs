//! Move ordering of the exact search.
//!
//! In: the moves of a node and what they gain. Out: the same moves, most promising first. Never: the value of a position.
//!
//! Captures and promotions come first, by what they gain; then what refuted a sister node; then the rest, which nobody
//! lists before it is asked for.

use ashta_position::{Move, MoveGroups, Position, TacticalMoves, Word};

use crate::material::Material;

/// The moves of a node, given one after another.
pub struct Ordering<W> {
    groups: MoveGroups<W>,
    taking: TacticalMoves<W>,
    exchanges: Vec<Scored>,
    quiet: Vec<Scored>,
    /// Moves to be looked at before all others and before quiet ones.
    hints: OrderingHints,
    /// The killer, once it was given.
    killed: Option<Move>,
    stage: OrderingStage,
    next: usize,
}

/// Moves to try early.
#[derive(Clone, Copy, Default, Debug)]
pub struct OrderingHints {
    pub hash_move: Option<Move>,
    pub killer: Option<Move>,
    /// Whether what the side to move has is enough: then a quiet move that keeps it comes before all captures.
    pub is_content: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum OrderingStage {
    #[default]
    HashMove,
    Killer,
    Exchanges,
    Quiet,
    Rest,
}

#[derive(Clone, Copy, Debug)]
struct Scored {
    score: i32,
    gain: i32,
    mv: Move,
}

impl<W: Word> Default for Ordering<W> {
    fn default() -> Ordering<W> {
        Ordering {
            groups: MoveGroups::new(),
            taking: TacticalMoves::default(),
            exchanges: Vec::new(),
            quiet: Vec::new(),
            hints: OrderingHints::default(),
            killed: None,
            stage: OrderingStage::default(),
            next: 0,
        }
    }
}

impl<W: Word> Ordering<W> {
    /// Lists the legal moves of a position; whether there are any.
    #[inline]
    pub fn generate(&mut self, position: &Position<W>) -> bool {
        self.groups.clear();
        position.generate(&mut self.groups);
        !self.groups.is_empty()
    }

    /// Begins with the moves generated.
    pub fn begin(&mut self, position: &Position<W>, material: &Material, hints: OrderingHints) {
        self.list_exchanges(position, material);
        (self.hints, self.killed, self.stage, self.next) = (hints, None, OrderingStage::HashMove, 0);
    }

    /// Begins with the captures and promotions among them that gain something; no others are given.
    pub fn begin_exchanges(&mut self, position: &Position<W>, material: &Material) {
        self.list_exchanges(position, material);
        (self.hints, self.killed, self.stage, self.next) =
            (OrderingHints::default(), None, OrderingStage::Exchanges, 0);
    }

    /// The same where no other moves were generated, and nobody asks whether there are any.
    pub fn begin_only_exchanges(&mut self, position: &Position<W>, material: &Material) {
        self.taking.begin(victims(position));
        position.generate(&mut self.taking);
        let (exchanges, quiet) = (&mut self.exchanges, &mut self.quiet);
        exchanges.clear();
        self.taking.for_each(|mv| classify(position, material, mv, exchanges, quiet));
        (self.hints, self.killed, self.stage, self.next) =
            (OrderingHints::default(), None, OrderingStage::Exchanges, 0);
    }

    /// Begins with the captures and promotions that gain more than so much; whether there is any capture or promotion.
    pub fn begin_gaining(&mut self, position: &Position<W>, material: &Material, least: i32) -> bool {
        self.taking.begin(victims(position));
        position.generate(&mut self.taking);
        let exchanges = &mut self.exchanges;
        exchanges.clear();
        self.taking.for_each(|mv| {
            let gain = material.exchanged(position, mv);
            if gain > least {
                exchanges.push(Scored { score: mvv_lva(position, material, mv, gain), gain, mv });
            }
        });
        (self.hints, self.killed, self.stage, self.next) =
            (OrderingHints::default(), None, OrderingStage::Exchanges, 0);
        !self.taking.is_empty()
    }

    /// The most that a capture or promotion gains; nothing if none gains anything.
    pub fn most_gained(&mut self, position: &Position<W>, material: &Material) -> i32 {
        self.taking.begin(victims(position));
        position.generate(&mut self.taking);
        let mut most = 0;
        self.taking.for_each(|mv| most = most.max(material.exchanged(position, mv)));
        most
    }

    /// Begins with the moves generated that are no captures or promotions that gain something.
    pub fn begin_others(&mut self, position: &Position<W>, material: &Material) {
        self.list_exchanges(position, material);
        (self.hints, self.killed, self.stage, self.next) =
            (OrderingHints::default(), None, OrderingStage::Quiet, 0);
    }

    #[inline]
    fn list_exchanges(&mut self, position: &Position<W>, material: &Material) {
        let (exchanges, quiet) = (&mut self.exchanges, &mut self.quiet);
        exchanges.clear();
        quiet.clear();
        self.groups
            .for_each_tactical(victims(position), |mv| classify(position, material, mv, exchanges, quiet));
    }

    fn list_quiet(&mut self, position: &Position<W>, material: &Material) {
        let quiet = &mut self.quiet;
        self.groups.for_each_quiet(victims(position), |mv| {
            let gain = if material.is_plain() { 0 } else { material.gain(position, mv) };
            quiet.push(Scored { score: gain, gain, mv });
        });
        if !material.is_plain() {
            quiet.sort_by_key(|scored| std::cmp::Reverse(scored.score));
        }
    }

    /// The most promising move not yet given, with its gain; `position` is the node's.
    pub fn next_move(&mut self, position: &Position<W>, material: &Material) -> Option<(Move, i32)> {
        if self.stage == OrderingStage::HashMove {
            self.stage = OrderingStage::Killer;
            if let Some(mv) = self.hints.hash_move.filter(|mv| self.groups.contains(*mv)) {
                return Some((mv, material.gain(position, mv)));
            }
        }
        if self.stage == OrderingStage::Killer {
            self.stage = OrderingStage::Exchanges;
            let killer =
                self.hints.killer.filter(|mv| Some(*mv) != self.hints.hash_move && self.hints.is_content);
            if let Some(mv) = killer.filter(|mv| self.groups.contains(*mv)) {
                self.killed = Some(mv);
                return Some((mv, material.gain(position, mv)));
            }
        }
        if self.stage == OrderingStage::Exchanges {
            if let Some(found) = self.next_exchange() {
                return Some(found);
            }
            self.stage = OrderingStage::Quiet;
        }
        if self.stage == OrderingStage::Quiet {
            self.list_quiet(position, material);
            (self.stage, self.next) = (OrderingStage::Rest, 0);
            let killer = self.hints.killer;
            if let Some(at) = killer.and_then(|mv| self.quiet.iter().position(|scored| scored.mv == mv)) {
                self.quiet[..=at].rotate_right(1);
            }
        }
        while let Some(Scored { gain, mv, .. }) = self.quiet.get(self.next).copied() {
            self.next += 1;
            if !self.was_given(mv) {
                return Some((mv, gain));
            }
        }
        None
    }

    fn was_given(&self, mv: Move) -> bool {
        Some(mv) == self.hints.hash_move || Some(mv) == self.killed
    }

    /// The most promising capture or promotion not yet given. Few are asked for, so the list is never sorted whole.
    pub fn next_exchange(&mut self) -> Option<(Move, i32)> {
        loop {
            let rest = self.exchanges.get_mut(self.next..)?;
            let best = (0..rest.len()).min_by_key(|at| (std::cmp::Reverse(rest[*at].score), *at))?;
            rest.swap(0, best);
            let Scored { gain, mv, .. } = rest[0];
            self.next += 1;
            if !self.was_given(mv) {
                return Some((mv, gain));
            }
        }
    }
}

/// Sorts captures and promotions: those that gain no material are treated as quiet.
#[inline(always)]
fn classify<W: Word>(
    position: &Position<W>,
    material: &Material,
    mv: Move,
    exchanges: &mut Vec<Scored>,
    quiet: &mut Vec<Scored>,
) {
    let exchanged = material.exchanged(position, mv);
    let gain = if material.is_plain() { exchanged } else { material.gain(position, mv) };
    if exchanged <= 0 {
        quiet.push(Scored { score: gain, gain, mv });
        return;
    }
    exchanges.push(Scored { score: mvv_lva(position, material, mv, exchanged), gain, mv });
}

/// MVV-LVA: the most valuable victim, then the least valuable attacker.
#[inline(always)]
fn mvv_lva<W: Word>(position: &Position<W>, material: &Material, mv: Move, exchanged: i32) -> i32 {
    let at_risk = position.mover(mv).map_or(0, |kind| material.values().of(kind));
    exchanged.saturating_mul(16).saturating_sub(at_risk / 16)
}

/// Squares on which something may be captured.
#[inline(always)]
fn victims<W: Word>(position: &Position<W>) -> W {
    let state = position.state();
    state.occupied() & !state.side(state.turn())
}
