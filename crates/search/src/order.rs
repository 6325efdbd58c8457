//! Move ordering of the exact search: its stages.
//!
//! In: the moves of a node and what they gain. Out: the same moves, most promising first. Never: the value of a position.
//!
//! Captures and promotions come first, by what they gain; then what refuted a sister node; then the rest, which nobody
//! lists before it is asked for.

use ashta_position::{Move, Position, Word};

use crate::candidates::{Candidates, Scored};
use crate::material::Material;

/// The moves of a node, given one after another.
pub struct Ordering<W> {
    candidates: Candidates<W>,
    /// Moves to be looked at before all others and before quiet ones.
    hints: OrderingHints,
    /// The killer, once it was given.
    killed: Option<Move>,
    stage: OrderingStage,
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

impl<W: Word> Default for Ordering<W> {
    fn default() -> Ordering<W> {
        Ordering {
            candidates: Candidates::default(),
            hints: OrderingHints::default(),
            killed: None,
            stage: OrderingStage::default(),
        }
    }
}

impl<W: Word> Ordering<W> {
    /// Generates the legal moves; returns whether there are any.
    #[inline]
    pub fn generate(&mut self, position: &Position<W>) -> bool {
        self.candidates.generate(position)
    }

    /// Begins with the moves generated.
    pub fn begin(&mut self, position: &Position<W>, material: &Material, hints: OrderingHints) {
        self.candidates.list_captures(position, material, gain_of(position, material));
        self.start(OrderingStage::HashMove, hints);
    }

    /// Begins with the captures and promotions among them that gain something; no others are given.
    pub fn begin_exchanges(&mut self, position: &Position<W>, material: &Material) {
        self.candidates.list_captures(position, material, gain_of(position, material));
        self.start(OrderingStage::Exchanges, OrderingHints::default());
    }

    /// The same where no other moves were generated, and nobody asks whether there are any.
    pub fn begin_only_exchanges(&mut self, position: &Position<W>, material: &Material) {
        self.candidates.generate_captures(position, material, gain_of(position, material));
        self.start(OrderingStage::Exchanges, OrderingHints::default());
    }

    /// Begins with the captures and promotions that gain more than so much; whether there is any capture or promotion.
    pub fn begin_gaining(&mut self, position: &Position<W>, material: &Material, least: i32) -> bool {
        self.start(OrderingStage::Exchanges, OrderingHints::default());
        self.candidates.generate_gaining(position, material, least)
    }

    /// The most that a capture or promotion gains; nothing if none gains anything.
    pub fn most_gained(&mut self, position: &Position<W>, material: &Material) -> i32 {
        self.candidates.most_gained(position, material)
    }

    /// Begins with the moves generated that are no captures or promotions that gain something.
    pub fn begin_others(&mut self, position: &Position<W>, material: &Material) {
        self.candidates.list_captures(position, material, gain_of(position, material));
        self.start(OrderingStage::Quiet, OrderingHints::default());
    }

    #[inline(always)]
    fn start(&mut self, stage: OrderingStage, hints: OrderingHints) {
        (self.hints, self.killed, self.stage) = (hints, None, stage);
    }

    fn list_quiet(&mut self, position: &Position<W>, material: &Material) {
        if material.is_plain() {
            return self.candidates.list_quiets(position, |_| 0);
        }
        self.candidates.list_quiets(position, |mv| material.gain(position, mv));
        self.candidates.quiets.sort_by_key(|scored| std::cmp::Reverse(scored.score));
    }

    /// The most promising move not yet given, with its gain; `position` is the node's.
    pub fn next_move(&mut self, position: &Position<W>, material: &Material) -> Option<(Move, i32)> {
        if self.stage == OrderingStage::HashMove {
            self.stage = OrderingStage::Killer;
            if let Some(mv) = self.hints.hash_move.filter(|mv| self.candidates.contains(*mv)) {
                return Some((mv, material.gain(position, mv)));
            }
        }
        if self.stage == OrderingStage::Killer {
            self.stage = OrderingStage::Exchanges;
            let killer =
                self.hints.killer.filter(|mv| Some(*mv) != self.hints.hash_move && self.hints.is_content);
            if let Some(mv) = killer.filter(|mv| self.candidates.contains(*mv)) {
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
            self.stage = OrderingStage::Rest;
            let (killer, quiets) = (self.hints.killer, &mut self.candidates.quiets);
            if let Some(at) = killer.and_then(|mv| quiets.iter().position(|scored| scored.mv == mv)) {
                quiets[..=at].rotate_right(1);
            }
        }
        while let Some(Scored { gain, mv, .. }) = self.candidates.quiets.get(self.candidates.next).copied() {
            self.candidates.next += 1;
            if !self.was_given(mv) {
                return Some((mv, gain));
            }
        }
        None
    }

    fn was_given(&self, mv: Move) -> bool {
        Some(mv) == self.hints.hash_move || Some(mv) == self.killed
    }

    /// The most promising capture or promotion not yet given.
    pub fn next_exchange(&mut self) -> Option<(Move, i32)> {
        loop {
            let Scored { gain, mv, .. } = self.candidates.next_capture()?;
            if !self.was_given(mv) {
                return Some((mv, gain));
            }
        }
    }
}

/// What a move gains, knowing what it exchanges.
#[inline(always)]
fn gain_of<W: Word>(position: &Position<W>, material: &Material) -> impl Fn(Move, i32) -> i32 {
    move |mv, exchanged| if material.is_plain() { exchanged } else { material.gain(position, mv) }
}
