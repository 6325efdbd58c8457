//! Pruning and late-move reductions.
//!
//! In: a node and its static evaluation. Out: a value without searching moves, whether to skip a move, how much to reduce
//! it. Never: prunes in check or, for whole nodes, in principal-variation nodes.

use ashta_position::{Move, Word};

use super::limits::MATE_THRESHOLD;
use super::picker::{Picked, Stage};
use super::see::See;
use super::selectivity::{Selectivity, futility_margin, lmp_count};
use super::tree::{Node, NodeInfo, Tree};

/// Deepest nodes that reverse futility pruning, razoring, late-move pruning, futility pruning, history pruning and SEE
/// pruning apply to.
const REVERSE_FUTILITY_DEPTH: i32 = 7;
const RAZORING_DEPTH: i32 = 2;
const LMP_DEPTH: i32 = 7;
const FUTILITY_DEPTH: i32 = 5;
const HISTORY_DEPTH: i32 = 3;
const SEE_DEPTH: i32 = 6;

impl<W: Word> Tree<'_, W> {
    /// Prunes a whole node: reverse futility pruning, razoring, null-move pruning.
    pub(super) fn prune_node(&mut self, node: &Node, info: &NodeInfo) -> Option<i32> {
        let Node { window, depth, ply, score, .. } = *node;
        if info.is_in_check || !window.is_null() || window.beta.abs() >= MATE_THRESHOLD {
            return None;
        }
        let margin = futility_margin(depth - i32::from(info.is_improving));
        if depth <= REVERSE_FUTILITY_DEPTH && info.static_eval - margin >= window.beta {
            return Some(info.static_eval);
        }
        if depth <= RAZORING_DEPTH && info.static_eval + futility_margin(2 * depth + 1) <= window.alpha {
            let value = self.quiescence(window, ply, score);
            if value <= window.alpha {
                return Some(value);
            }
        }
        self.null_move_pruning(node, info)
    }

    /// Null-move pruning; skipped in zugzwang-prone positions.
    fn null_move_pruning(&mut self, node: &Node, info: &NodeInfo) -> Option<i32> {
        let Node { window, depth, ply, score, may_null_move } = *node;
        let may_pass = may_null_move && !self.evaluation.must_capture();
        if depth < 3 || !may_pass || info.static_eval < window.beta || !self.has_non_pawn_material() {
            return None;
        }
        let reduction = 3 + depth / 4 + ((info.static_eval - window.beta) / 200).min(3);
        self.play(Move::PASS, ply);
        let child = Node {
            window: window.negated(),
            depth: depth - reduction,
            ply: ply + 1,
            score,
            may_null_move: false,
        };
        let value = -self.search(child);
        self.take_back();
        // A mate found after a null move is unproven.
        let bounded = if value >= MATE_THRESHOLD { window.beta } else { value };
        (value >= window.beta && !self.is_stopped()).then_some(bounded)
    }

    /// Whether the side to move has a piece that is neither royal nor pawn-like: zugzwang is then rare.
    fn has_non_pawn_material(&self) -> bool {
        let position = self.line.position();
        let (state, me) = (position.state(), position.state().turn());
        let pieces = state.side(me) & !position.royals(position.turn());
        pieces.squares().any(|square| !self.evaluation.is_pawn_like(state.kind_on(square).index()))
    }

    /// Prunes a move: late-move pruning, futility pruning, history pruning, SEE pruning.
    pub(super) fn is_pruned(&self, node: &Node, info: &NodeInfo, picked: &Picked, number: usize) -> bool {
        let searches_all = self.selectivity == Selectivity::None || self.evaluation.must_capture();
        if searches_all || info.is_in_check || !node.window.is_null() {
            return false;
        }
        let depth = node.depth;
        match picked.stage {
            Stage::Quiets => {
                let is_late = depth <= LMP_DEPTH && number >= lmp_count(depth, info.is_improving);
                let is_futile = depth <= FUTILITY_DEPTH
                    && info.static_eval + 60 + futility_margin(depth) <= node.window.alpha;
                let has_bad_history = depth <= HISTORY_DEPTH && picked.history < -4000 * depth;
                is_late || is_futile && number > 1 || has_bad_history
            }
            Stage::BadCaptures => {
                let see = See(self.evaluation.values());
                depth <= SEE_DEPTH && see.value(self.line.position(), picked.mv) < -60 * depth
            }
            Stage::HashMove | Stage::GoodCaptures | Stage::Killers | Stage::GenerateQuiets => false,
        }
    }

    /// Late-move reduction (LMR), in plies.
    pub(super) fn reduction(&self, node: &Node, info: &NodeInfo, picked: &Picked, number: usize) -> i32 {
        let is_late = number >= 3 && node.depth >= 3;
        if self.selectivity == Selectivity::None || !is_late || info.is_in_check {
            return 0;
        }
        let base = self.reductions.of(node.depth, number);
        let reduction = match picked.stage {
            Stage::Quiets => {
                base + i32::from(!info.is_improving)
                    - i32::from(!node.window.is_null())
                    - (picked.history / 6000).clamp(-2, 2)
            }
            Stage::BadCaptures | Stage::Killers => base - 1,
            Stage::HashMove | Stage::GoodCaptures | Stage::GenerateQuiets => 0,
        };
        reduction.clamp(0, node.depth - 2)
    }
}
