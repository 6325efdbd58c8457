//! The moves of a node with their scores: the part of move ordering that the exact search and the engine share.
//!
//! In: a position, piece values. Out: captures and promotions that gain material, best first; the other moves. Never: the
//! stages, which are each search's own.

use ashta_position::{Move, MoveGroups, Position, TacticalMoves, Word};

use crate::exchange::ExchangeValues;

/// The moves of a node; its buffers are reused.
pub struct Candidates<W> {
    groups: MoveGroups<W>,
    tactical: TacticalMoves<W>,
    /// Captures and promotions that gain material.
    captures: Vec<Scored>,
    pub quiets: Vec<Scored>,
    /// The next move of the list in use.
    pub next: usize,
}

/// A move with its place in the order.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    pub score: i32,
    /// What it adds to the mover's balance.
    pub gain: i32,
    pub mv: Move,
}

impl<W: Word> Default for Candidates<W> {
    fn default() -> Candidates<W> {
        Candidates {
            groups: MoveGroups::new(),
            tactical: TacticalMoves::default(),
            captures: Vec::new(),
            quiets: Vec::new(),
            next: 0,
        }
    }
}

impl<W: Word> Candidates<W> {
    /// Generates the legal moves; returns whether there are any.
    #[inline]
    pub fn generate(&mut self, position: &Position<W>) -> bool {
        self.groups.clear();
        position.generate(&mut self.groups);
        !self.groups.is_empty()
    }

    /// Whether a move is among those generated.
    #[inline]
    pub fn contains(&self, mv: Move) -> bool {
        self.groups.contains(mv)
    }

    /// Lists the captures and promotions among the moves generated; those that gain no material are quiet.
    #[inline]
    pub fn list_captures<V: ExchangeValues>(
        &mut self,
        position: &Position<W>,
        values: &V,
        gain: impl Fn(Move, i32) -> i32,
    ) {
        let (captures, quiets) = (&mut self.captures, &mut self.quiets);
        captures.clear();
        quiets.clear();
        self.next = 0;
        self.groups.for_each_tactical(victims(position), |mv| {
            classify(position, values, mv, &gain, captures, quiets)
        });
    }

    /// Generates and lists captures and promotions alone.
    pub fn generate_captures<V: ExchangeValues>(
        &mut self,
        position: &Position<W>,
        values: &V,
        gain: impl Fn(Move, i32) -> i32,
    ) {
        self.generate_tactical(position);
        let (captures, quiets) = (&mut self.captures, &mut self.quiets);
        captures.clear();
        quiets.clear();
        self.tactical.for_each(|mv| classify(position, values, mv, &gain, captures, quiets));
    }

    /// Generates captures and promotions and lists those that gain more than so much; returns whether there are any at all.
    pub fn generate_gaining<V: ExchangeValues>(
        &mut self,
        position: &Position<W>,
        values: &V,
        least: i32,
    ) -> bool {
        self.generate_tactical(position);
        let captures = &mut self.captures;
        captures.clear();
        self.tactical.for_each(|mv| {
            let gain = values.exchanged(position, mv);
            if gain > least {
                captures.push(Scored { score: mvv_lva(position, values, mv, gain), gain, mv });
            }
        });
        !self.tactical.is_empty()
    }

    /// The most that a capture or promotion gains; nothing if none gains anything.
    pub fn most_gained<V: ExchangeValues>(&mut self, position: &Position<W>, values: &V) -> i32 {
        self.generate_tactical(position);
        let mut most = 0;
        self.tactical.for_each(|mv| most = most.max(values.exchanged(position, mv)));
        most
    }

    #[inline]
    fn generate_tactical(&mut self, position: &Position<W>) {
        self.next = 0;
        self.tactical.begin(victims(position));
        position.generate(&mut self.tactical);
    }

    /// Adds the quiet moves to those that gain no material.
    #[inline]
    pub fn list_quiets(&mut self, position: &Position<W>, gain: impl Fn(Move) -> i32) {
        let quiets = &mut self.quiets;
        self.next = 0;
        self.groups.for_each_quiet(victims(position), |mv| {
            let gain = gain(mv);
            quiets.push(Scored { score: gain, gain, mv });
        });
    }

    /// Raises the score of a capture above all others.
    pub fn prefer_capture(&mut self, mv: Move) {
        let preferred = self.captures.iter_mut().filter(|scored| scored.mv == mv);
        preferred.for_each(|scored| scored.score += 1 << 24);
    }

    /// The next capture or promotion, best first.
    #[inline]
    pub fn next_capture(&mut self) -> Option<Scored> {
        let found = take_best(&mut self.captures, self.next)?;
        self.next += 1;
        Some(found)
    }

    /// The next quiet move, best first.
    #[inline]
    pub fn next_best_quiet(&mut self) -> Option<Scored> {
        let found = take_best(&mut self.quiets, self.next)?;
        self.next += 1;
        Some(found)
    }
}

/// Selection sort, one step at a time: after a cutoff the rest is never sorted.
#[inline(always)]
fn take_best(list: &mut [Scored], next: usize) -> Option<Scored> {
    let rest = list.get_mut(next..)?;
    let mut best = 0;
    for at in 1..rest.len() {
        if rest[at].score > rest[best].score {
            best = at;
        }
    }
    rest.swap(0, best.min(rest.len().checked_sub(1)?));
    rest.first().copied()
}

/// Sorts captures and promotions: those that gain no material are treated as quiet.
#[inline(always)]
fn classify<W: Word, V: ExchangeValues>(
    position: &Position<W>,
    values: &V,
    mv: Move,
    gain: impl Fn(Move, i32) -> i32,
    captures: &mut Vec<Scored>,
    quiets: &mut Vec<Scored>,
) {
    let exchanged = values.exchanged(position, mv);
    let gain = gain(mv, exchanged);
    if exchanged > 0 {
        captures.push(Scored { score: mvv_lva(position, values, mv, exchanged), gain, mv });
    } else {
        quiets.push(Scored { score: gain, gain, mv });
    }
}

/// MVV-LVA: the most valuable victim, then the least valuable attacker.
#[inline(always)]
fn mvv_lva<W: Word, V: ExchangeValues>(position: &Position<W>, values: &V, mv: Move, exchanged: i32) -> i32 {
    let at_risk = position.mover(mv).map_or(0, |kind| values.on_board(kind));
    exchanged.saturating_mul(16).saturating_sub(at_risk / 16)
}

/// Squares of pieces that may be captured.
#[inline(always)]
fn victims<W: Word>(position: &Position<W>) -> W {
    let state = position.state();
    state.occupied() & !state.side(state.turn())
}
