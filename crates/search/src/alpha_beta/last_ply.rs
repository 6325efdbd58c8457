//! The last ply of full width and the captures beyond it, where leaves count material and a piece is worth the same
//! everywhere: then a quiet move changes nothing, and most moves need not even be listed.
//!
//! In: a node of such a search. Out: a value that answers the question its window asks, as the general search would.
//! Never: ends beyond the full width.
//!
//! Most of these nodes are refuted by what refuted a sister: that move is tried before any other is generated.

use ashta_position::{Move, Word};

use super::{Depth, Leaves, Tree, WIN, Window, value_of};
use crate::order::Ordering;

/// Moves tried before others are listed.
const N_HINTS: usize = 3;

impl<W: Word> Tree<'_, W> {
    /// Whether all this serves.
    pub(super) fn only_counts(&self) -> bool {
        self.search.leaves == Leaves::CountMaterial && self.search.material.is_plain()
    }

    /// The value of a node with one ply of full width left.
    pub(super) fn value_of_last_ply(
        &mut self,
        balance: i32,
        depth: Depth,
        window: Window,
        height: usize,
    ) -> i32 {
        if self.position.end_knowing(true).is_some() {
            let outcome = self.position.end_knowing(self.position.has_legal_move());
            return outcome.map_or(balance, |outcome| value_of(outcome, self.position));
        }
        let mut node = LastPly { balance, depth, window, height, highest: -WIN - 1, has_move: false };
        let mut tried = [None; N_HINTS];
        for (n, mv) in self.hints(height).into_iter().enumerate() {
            let Some(mv) = mv.filter(|mv| !tried[..n].contains(&Some(*mv))) else { continue };
            let gain = self.search.material.gain(self.position, mv);
            if balance + gain >= window.beta && self.position.is_legal(mv) {
                tried[n] = Some(mv);
                if self.try_last(&mut node, mv, gain) {
                    return node.highest;
                }
            }
        }
        let mut order = self.orders[height].take().unwrap_or_default();
        let value = self.value_of_others(node, &mut order, tried);
        self.orders[height] = Some(order);
        value
    }

    /// Plays one of a node's moves; whether the other side would not have gone here.
    #[inline]
    fn try_last(&mut self, node: &mut LastPly, mv: Move, gain: i32) -> bool {
        let LastPly { balance, depth, window, height, .. } = *node;
        let asked = Window { alpha: window.alpha.max(node.highest), beta: window.beta };
        let value = match depth.captures == 0 || balance + gain <= asked.alpha {
            true => balance + gain,
            false => self.value_after(mv, balance + gain, depth, asked, height),
        };
        (node.highest, node.has_move) = (node.highest.max(value), true);
        let refutes = node.highest >= window.beta;
        if refutes {
            self.remember_refutation(mv, height);
        }
        refutes
    }

    fn value_of_others(
        &mut self,
        mut node: LastPly,
        order: &mut Ordering<W>,
        tried: [Option<Move>; N_HINTS],
    ) -> i32 {
        let LastPly { balance, window, .. } = node;
        let least = window.alpha.max(node.highest).saturating_sub(balance).max(0);
        node.has_move |= order.begin_gaining(self.position, &self.search.material, least);
        while let Some((mv, gain)) = order.next_exchange() {
            if !tried.contains(&Some(mv)) && self.try_last(&mut node, mv, gain) {
                return node.highest;
            }
        }
        if balance > window.alpha.max(node.highest) {
            node.has_move |= order.generate(self.position);
            order.begin_others(self.position, &self.search.material);
            while let Some((mv, gain)) = order.next_move(self.position, &self.search.material) {
                if !tried.contains(&Some(mv)) && self.try_last(&mut node, mv, gain) {
                    return node.highest;
                }
            }
        }
        if !node.has_move && !self.position.has_legal_move() {
            let outcome = self.position.end_knowing(false);
            return outcome.map_or(balance, |outcome| value_of(outcome, self.position));
        }
        // What was left out is worth no more than either.
        node.highest.max(window.alpha)
    }

    /// Material, unless a capture does better than standing still.
    pub(super) fn value_of_captures(
        &mut self,
        balance: i32,
        depth: Depth,
        window: Window,
        height: usize,
    ) -> i32 {
        if depth.captures == 0 || balance >= window.beta {
            return balance;
        }
        // Nearly always it was the same capture in a sister node.
        if let Some((mv, gain)) = self.gaining_answer(balance, window, height) {
            let value = match depth.captures == 1 {
                true => balance + gain,
                false => self.value_after(mv, balance + gain, depth, window, height),
            };
            if value >= window.beta {
                return value;
            }
        }
        let mut highest = window.alpha.max(balance);
        let mut order = self.orders[height].take().unwrap_or_default();
        if depth.captures == 1 {
            highest = highest.max(balance + order.most_gained(self.position, &self.search.material));
        } else {
            order.begin_gaining(self.position, &self.search.material, highest.saturating_sub(balance));
            while highest < window.beta
                && let Some((mv, gain)) = order.next_exchange()
            {
                if balance + gain > highest {
                    let asked = Window { alpha: highest, beta: window.beta };
                    highest = highest.max(self.value_after(mv, balance + gain, depth, asked, height));
                    if highest >= window.beta {
                        self.remember_refutation(mv, height);
                    }
                }
            }
        }
        self.orders[height] = Some(order);
        highest
    }

    /// What refuted the move that leads here before, if it gains enough here too.
    fn gaining_answer(&self, balance: i32, window: Window, height: usize) -> Option<(Move, i32)> {
        let mv = self.answer(height)?;
        let gain = self.search.material.exchanged(self.position, mv);
        (balance + gain >= window.beta && self.position.is_legal(mv)).then_some((mv, gain))
    }

    /// What refuted before: the same move of the other side, and any at this distance from the root.
    fn hints(&self, height: usize) -> [Option<Move>; N_HINTS] {
        let [killer, older] = self.search.killers[height];
        [self.answer(height), killer, older]
    }
}

/// A node of the last ply on the way.
struct LastPly {
    balance: i32,
    depth: Depth,
    window: Window,
    height: usize,
    highest: i32,
    has_move: bool,
}
