//! The last full-width ply and its quiescence where leaves count plain material: a quiet move then changes nothing, and
//! most moves need not be generated.
//!
//! In: a node of such a search. Out: a value that decides its window as the general search would. Never: ends beyond the
//! full width.
//!
//! Most cutoffs come from the countermove or a killer, which are tried before any move is generated.

use ashta_position::{Move, Word};

use super::{Depth, ExactTree, Leaves, WIN, value_of};
use crate::order::Ordering;
use crate::window::Window;

/// Moves tried before generation: the countermove and two killers.
const N_HINTS: usize = 3;

impl<W: Word> ExactTree<'_, W> {
    /// Whether this search applies.
    pub(super) fn only_counts(&self) -> bool {
        self.search.leaves == Leaves::CountMaterial && self.search.material.is_plain()
    }

    /// The value of a node with one ply of full width left.
    pub(super) fn value_of_last_ply(
        &mut self,
        balance: i32,
        depth: Depth,
        window: Window,
        ply: usize,
    ) -> i32 {
        if self.position.end_knowing(true).is_some() {
            let outcome = self.position.end_knowing(self.position.has_legal_move());
            return outcome.map_or(balance, |outcome| value_of(outcome, self.position));
        }
        let mut node = LastPly { balance, depth, window, ply, highest: -WIN - 1, has_move: false };
        let mut tried = [None; N_HINTS];
        for (n, mv) in self.hints(ply).into_iter().enumerate() {
            let Some(mv) = mv.filter(|mv| !tried[..n].contains(&Some(*mv))) else { continue };
            let gain = self.search.material.gain(self.position, mv);
            if balance + gain >= window.beta && self.position.is_legal(mv) {
                tried[n] = Some(mv);
                if self.try_last(&mut node, mv, gain) {
                    return node.highest;
                }
            }
        }
        let mut order = self.orders[ply].take().unwrap_or_default();
        let value = self.value_of_others(node, &mut order, tried);
        self.orders[ply] = Some(order);
        value
    }

    /// Searches one of a node's moves; returns whether it causes a beta cutoff.
    #[inline]
    fn try_last(&mut self, node: &mut LastPly, mv: Move, gain: i32) -> bool {
        let LastPly { balance, depth, window, ply, .. } = *node;
        let rest = Window { alpha: window.alpha.max(node.highest), beta: window.beta };
        let value = match depth.captures == 0 || balance + gain <= rest.alpha {
            true => balance + gain,
            false => self.value_after(mv, balance + gain, depth, rest, ply),
        };
        (node.highest, node.has_move) = (node.highest.max(value), true);
        let is_cutoff = node.highest >= window.beta;
        if is_cutoff {
            self.record_cutoff(mv, ply);
        }
        is_cutoff
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
        // Skipped moves are worth no more than either.
        node.highest.max(window.alpha)
    }

    /// Quiescence on plain material.
    pub(super) fn value_of_captures(
        &mut self,
        balance: i32,
        depth: Depth,
        window: Window,
        ply: usize,
    ) -> i32 {
        if depth.captures == 0 || balance >= window.beta {
            return balance;
        }
        // The countermove causes nearly all cutoffs.
        if let Some((mv, gain)) = self.gaining_countermove(balance, window, ply) {
            let value = match depth.captures == 1 {
                true => balance + gain,
                false => self.value_after(mv, balance + gain, depth, window, ply),
            };
            if value >= window.beta {
                return value;
            }
        }
        let mut highest = window.alpha.max(balance);
        let mut order = self.orders[ply].take().unwrap_or_default();
        if depth.captures == 1 {
            highest = highest.max(balance + order.most_gained(self.position, &self.search.material));
        } else {
            order.begin_gaining(self.position, &self.search.material, highest.saturating_sub(balance));
            while highest < window.beta
                && let Some((mv, gain)) = order.next_exchange()
            {
                if balance + gain > highest {
                    let asked = Window { alpha: highest, beta: window.beta };
                    highest = highest.max(self.value_after(mv, balance + gain, depth, asked, ply));
                    if highest >= window.beta {
                        self.record_cutoff(mv, ply);
                    }
                }
            }
        }
        self.orders[ply] = Some(order);
        highest
    }

    /// The countermove, if it gains enough here.
    fn gaining_countermove(&self, balance: i32, window: Window, ply: usize) -> Option<(Move, i32)> {
        let mv = self.countermove(ply)?;
        let gain = self.search.material.exchanged(self.position, mv);
        (balance + gain >= window.beta && self.position.is_legal(mv)).then_some((mv, gain))
    }

    fn hints(&self, ply: usize) -> [Option<Move>; N_HINTS] {
        let [killer, older] = self.search.killers[ply];
        [self.countermove(ply), killer, older]
    }
}

/// The state of a node of the last ply.
struct LastPly {
    balance: i32,
    depth: Depth,
    window: Window,
    ply: usize,
    highest: i32,
    has_move: bool,
}
