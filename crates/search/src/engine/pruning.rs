//! What is left out of the tree, and by how much other moves are looked at less deeply.
//!
//! In: a node and what was found out at a glance. Out: a value without trying moves, whether to try one, how deeply.
//! Never: anything where a royal piece is attacked, or where the exact value is asked for.

use ashta_position::{Move, Word};

use super::exchange::Exchange;
use super::limits::DECIDED;
use super::picker::{Picked, Stage};
use super::selectivity::{Selectivity, margin, most_quiet};
use super::tree::{Glance, Node, Tree};

impl<W: Word> Tree<'_, W> {
    /// A value for which no move needs to be tried.
    pub(super) fn value_without_moves(&mut self, node: &Node, glance: &Glance) -> Option<i32> {
        let Node { window, depth, height, balance, .. } = *node;
        if glance.is_in_check || !window.is_closed() || window.beta.abs() >= DECIDED {
            return None;
        }
        if depth <= 7 && glance.standing - margin(depth - i32::from(glance.is_improving)) >= window.beta {
            return Some(glance.standing);
        }
        if depth <= 2 && glance.standing + margin(2 * depth + 1) <= window.alpha {
            let value = self.quiet_value(window, height, balance);
            if value <= window.alpha {
                return Some(value);
            }
        }
        self.value_of_passing(node, glance)
    }

    /// Whether even passing is good enough; where having to move may be bad, that says nothing.
    fn value_of_passing(&mut self, node: &Node, glance: &Glance) -> Option<i32> {
        let Node { window, depth, height, balance, may_pass } = *node;
        if depth < 3 || !may_pass || glance.standing < window.beta || !self.has_officers() {
            return None;
        }
        let less = 3 + depth / 4 + ((glance.standing - window.beta) / 200).min(3);
        self.play(Move::PASS, height);
        let next = Node {
            window: window.turned(),
            depth: depth - less,
            height: height + 1,
            balance,
            may_pass: false,
        };
        let value = -self.value(next);
        self.take_back();
        // A win that needs the other side to stand still is not believed.
        let believed = if value >= DECIDED { window.beta } else { value };
        (value >= window.beta && !self.is_stopped()).then_some(believed)
    }

    /// Whether the side to move has a piece besides royal ones and the foot, so that it hardly ever wants to pass.
    fn has_officers(&self) -> bool {
        let position = self.line.position();
        let (state, me) = (position.state(), position.state().turn());
        let men = state.side(me) & !position.royals(position.turn());
        let is_officer = |square: u8| !self.evaluation.is_foot(state.kind_on(square));
        men.squares().any(is_officer)
    }

    /// Whether a move needs not be tried: late among the quiet ones, or hopeless, with little depth left.
    pub(super) fn is_left_out(&self, node: &Node, glance: &Glance, picked: &Picked, number: usize) -> bool {
        if self.selectivity == Selectivity::None || glance.is_in_check || !node.window.is_closed() {
            return false;
        }
        match picked.stage {
            Stage::Quiet => {
                let is_late = node.depth <= 7 && number >= most_quiet(node.depth, glance.is_improving);
                let is_hopeless =
                    node.depth <= 5 && glance.standing + 60 + margin(node.depth) <= node.window.alpha;
                is_late || is_hopeless && number > 1 || node.depth <= 3 && picked.number < -4000 * node.depth
            }
            Stage::Unsound => {
                let exchange = Exchange(self.evaluation.worths());
                node.depth <= 6 && exchange.value(self.line.position(), picked.mv) < -60 * node.depth
            }
            Stage::Before | Stage::Sound | Stage::Killer | Stage::List => false,
        }
    }

    pub(super) fn reduction(&self, node: &Node, glance: &Glance, picked: &Picked, number: usize) -> i32 {
        let is_late = number >= 3 && node.depth >= 3;
        if self.selectivity == Selectivity::None || !is_late || glance.is_in_check {
            return 0;
        }
        let plain = self.reductions.of(node.depth, number);
        let by = match picked.stage {
            Stage::Quiet => {
                plain + i32::from(!glance.is_improving)
                    - i32::from(!node.window.is_closed())
                    - (picked.number / 6000).clamp(-2, 2)
            }
            Stage::Unsound => plain - 1,
            Stage::Killer => plain - 1,
            Stage::Before | Stage::Sound | Stage::List => 0,
        };
        by.clamp(0, node.depth - 2)
    }
}
