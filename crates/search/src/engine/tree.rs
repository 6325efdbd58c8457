//! Principal-variation search: alpha-beta with null windows, a transposition table, extensions and reductions.
//!
//! In: a line of play, a window, a depth. Out: a value, the principal variation. Never: iterative deepening and time
//! management, which are the root's.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ashta_position::{Line, Move, Outcome, Word};

use super::evaluation::Evaluation;
use super::history::{History, PieceTo};
use super::incremental::IncrementalScore;
use super::limits::{
    Limits, MATE, MATE_THRESHOLD, MAX_PLY, Noise, SearchControl, from_node_to_root, from_root_to_node,
};
use super::picker::{Picked, Picker, PickerHints, is_quiet};
use super::selectivity::{Reductions, Selectivity};
use crate::transposition::{Bound, Entry, TranspositionTable};
use crate::window::Window;

/// Nodes between two checks of the stop flag and the clock. A node of a crowded board can take 100 µs, so that `stop` is
/// obeyed within a few milliseconds.
const POLL_INTERVAL: u64 = 32;
/// The first iteration may exceed a smaller node limit up to this many nodes, so that the weakest levels still compare
/// all moves; beyond it the quiescence search is exploding.
const MAX_FIRST_ITERATION_NODES: u64 = 10_000;

/// Nodes between two checks of the node limit; fewer where few nodes are allowed.
pub(super) fn node_check_interval(limits: &Limits) -> u64 {
    limits.nodes.map_or(1024, |nodes| (nodes / 16).clamp(1, 1024))
}

/// Buckets of four entries: one cache line.
pub(super) type EngineTable = TranspositionTable<4>;

/// The search of one thread.
pub(super) struct Tree<'a, W> {
    pub evaluation: &'a Evaluation,
    pub table: &'a EngineTable,
    pub reductions: &'a Reductions,
    pub limits: &'a Limits,
    pub control: SearchControl<'a>,
    pub selectivity: Selectivity,
    pub noise: Noise,
    pub line: Line<W>,
    pub history: &'a mut History,
    pub pickers: Vec<Option<Box<Picker<W>>>>,
    /// The principal variation from each ply.
    pub pv: Vec<Vec<Move>>,
    /// The piece-to index of the move that led to each ply.
    pub previous: Vec<Option<PieceTo>>,
    /// Static evaluation at each ply.
    pub static_eval: Vec<i32>,
    /// Nodes not yet added to `n_all`.
    pub n_unshared: u64,
    pub node_check_interval: u64,
    /// Nodes of all threads up to their last checks of the node limit.
    pub n_all: &'a AtomicU64,
    pub seldepth: usize,
    /// The stop flag, the clock, or a runaway first iteration: obeyed at once.
    pub is_aborted: bool,
    pub is_over_node_limit: bool,
    /// The node limit does not cut the first iteration short: see `MAX_FIRST_ITERATION_NODES`.
    pub is_first_iteration: bool,
}

/// A node to search.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub window: Window,
    pub depth: i32,
    pub ply: usize,
    pub score: IncrementalScore,
    /// False after a null move: two in a row prove nothing.
    pub may_null_move: bool,
}

/// What is known of a node before its moves are searched.
pub(super) struct NodeInfo {
    pub entry: Option<Entry>,
    pub is_in_check: bool,
    pub static_eval: i32,
    /// Whether the static evaluation is better than two plies before.
    pub is_improving: bool,
}

impl<W: Word> Tree<'_, W> {
    #[inline(always)]
    pub fn count_node(&mut self, ply: usize) {
        self.seldepth = self.seldepth.max(ply);
        self.n_unshared += 1;
        if self.n_unshared.is_multiple_of(POLL_INTERVAL) {
            self.poll();
        }
        if self.n_unshared >= self.node_check_interval {
            self.check_node_limit();
        }
    }

    /// Checks the stop flag and the clock.
    #[cold]
    pub fn poll(&mut self) {
        let is_late = self.limits.time.is_some_and(|time| (self.control.elapsed)() >= time.hard);
        self.is_aborted |= is_late || self.control.stop.load(Relaxed);
    }

    #[cold]
    fn check_node_limit(&mut self) {
        self.poll();
        let all = self.n_all.fetch_add(self.n_unshared, Relaxed) + self.n_unshared;
        self.n_unshared = 0;
        if let Some(limit) = self.limits.nodes {
            self.is_over_node_limit |= all >= limit;
            self.is_aborted |= all >= limit.max(MAX_FIRST_ITERATION_NODES);
        }
    }

    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.is_aborted || (self.is_over_node_limit && !self.is_first_iteration)
    }

    pub fn take_picker(&mut self, ply: usize) -> Box<Picker<W>> {
        self.pickers[ply].take().unwrap_or_default()
    }

    #[inline]
    pub fn play(&mut self, mv: Move, ply: usize) {
        self.previous[ply + 1] = self.history.piece_to(self.line.position().mover(mv), mv);
        self.line.play_unchecked(mv);
    }

    #[inline(always)]
    pub fn take_back(&mut self) {
        self.line.take_back();
    }

    pub fn hints(&self, ply: usize, hash_move: Option<Move>) -> PickerHints {
        let previous = self.previous[ply];
        let [first, second] = self.history.killers(ply);
        PickerHints { hash_move, killers: [first, second, self.history.countermove(previous)], previous }
    }

    /// Static evaluation, with the noise of weaker levels.
    pub fn evaluate(&self, score: IncrementalScore) -> i32 {
        let position = self.line.position();
        let value = self.evaluation.value_with(position, score);
        value + self.noise.of(position.key())
    }

    pub fn outcome_value(&self, outcome: Outcome, ply: usize) -> i32 {
        match outcome.winner {
            None => 0,
            Some(winner) if winner == self.line.position().turn() => MATE - ply as i32,
            Some(_) => ply as i32 - MATE,
        }
    }

    /// The value of a repetition by the rules of the game; the first one counts as the last.
    fn repetition_value(&self, ply: usize) -> Option<i32> {
        let repetition = self.line.position().rules().ends().repetition?;
        if self.line.occurrences() < 2 {
            return None;
        }
        Some(self.outcome_value(self.line.repetition_outcome(repetition), ply))
    }

    /// The value of a node for the side to move.
    pub fn search(&mut self, node: Node) -> i32 {
        let Node { window, depth, ply, score, .. } = node;
        // Without selectivity only as many repetitions as the rules require end the game.
        if self.selectivity == Selectivity::Full
            && let Some(value) = self.repetition_value(ply)
        {
            self.pv[ply].clear();
            return value;
        }
        if depth <= 0 && self.selectivity == Selectivity::Full {
            return self.quiescence(window, ply, score);
        }
        self.count_node(ply);
        self.pv[ply].clear();
        if self.is_stopped() {
            return 0;
        }
        // Mate-distance pruning.
        let (lost, won) = (ply as i32 - MATE, MATE - ply as i32 - 1);
        if self.selectivity == Selectivity::Full && (window.alpha >= won || window.beta <= lost) {
            return if window.alpha >= won { won } else { lost };
        }
        let mut picker = self.take_picker(ply);
        let has_move = picker.generate(self.line.position());
        let value = match self.line.outcome_knowing(has_move) {
            Some(outcome) => self.outcome_value(outcome, ply),
            None if depth <= 0 || ply >= MAX_PLY => self.evaluate(score),
            None => self.search_interior(node, &mut picker),
        };
        self.pickers[ply] = Some(picker);
        value
    }

    fn search_interior(&mut self, node: Node, picker: &mut Picker<W>) -> i32 {
        let Node { window, ply, score, .. } = node;
        let entry = self.entry(ply);
        if let Some(entry) = entry.filter(|entry| self.may_cut(entry, &node))
            && let Some(value) = window.cutoff_by(&entry)
        {
            return value;
        }
        let is_in_check = self.line.position().is_in_check();
        let static_eval = if is_in_check { -MATE } else { self.evaluate(score) };
        self.static_eval[ply] = static_eval;
        let is_improving = ply >= 2 && static_eval > self.static_eval[ply - 2];
        let info = NodeInfo { entry, is_in_check, static_eval, is_improving };
        if self.selectivity == Selectivity::Full
            && let Some(value) = self.prune_node(&node, &info)
        {
            return value;
        }
        let hints = self.hints(ply, entry.and_then(|entry| entry.best));
        picker.begin(self.line.position(), self.evaluation, hints);
        self.search_moves(node, &info, picker)
    }

    /// The table entry of the position, which is `ply` plies from the root.
    #[inline]
    pub fn entry(&self, ply: usize) -> Option<Entry> {
        let entry = self.table.get(self.line.position().key())?;
        Some(Entry { value: from_node_to_root(entry.value, ply), ..entry })
    }

    #[inline]
    pub fn store(&self, ply: usize, entry: Entry) {
        let value = from_root_to_node(entry.value, ply);
        self.table.set(self.line.position().key(), &Entry { value, ..entry });
    }

    /// Whether a table entry may end the search of a node.
    fn may_cut(&self, entry: &Entry, node: &Node) -> bool {
        match self.selectivity {
            // Values depend on the count of quiet plies, which is not in the key; mates do not.
            Selectivity::None => self.limits.mate.is_some() && i32::from(entry.depth) == node.depth,
            Selectivity::Full => i32::from(entry.depth) >= node.depth && node.window.is_null(),
        }
    }

    fn search_moves(&mut self, node: Node, info: &NodeInfo, picker: &mut Picker<W>) -> i32 {
        let Node { window, ply, .. } = node;
        let mut node = self.with_depth_adjusted(node, info);
        let (mut best, mut best_move) = (-MATE, None);
        let mut tried: Vec<Option<PieceTo>> = Vec::new();
        let mut number = 0;
        while let Some(picked) = picker.next_move(self.line.position(), self.evaluation, self.history) {
            let quiet = is_quiet(self.line.position(), picked.mv);
            if best > -MATE_THRESHOLD && self.is_pruned(&node, info, &picked, number) {
                number += 1;
                continue;
            }
            let value = self.search_move(&node, info, &picked, number);
            number += 1;
            if self.is_stopped() {
                return 0;
            }
            if value > best {
                (best, best_move) = (value, Some(picked.mv));
                if value > node.window.alpha {
                    node.window.alpha = value;
                    self.update_pv(picked.mv, ply);
                }
            }
            let piece_to = self.history.piece_to(self.line.position().mover(picked.mv), picked.mv);
            if best >= window.beta {
                if quiet {
                    let context = (self.line.position().turn().0, self.previous[ply]);
                    self.history.record_cutoff(ply, (picked.mv, piece_to), &tried, context, node.depth);
                }
                break;
            }
            if quiet {
                tried.push(piece_to);
            }
        }
        let bound = window.bound_of(best);
        let depth = node.depth.clamp(0, 255) as u8;
        let best_move = best_move.filter(|_| bound != Bound::AtMost);
        self.store(ply, Entry { best: best_move, value: best, depth, bound });
        best
    }

    /// Check extension and internal iterative reduction (one ply less without a hash move).
    fn with_depth_adjusted(&self, mut node: Node, info: &NodeInfo) -> Node {
        if self.selectivity == Selectivity::None {
            return node;
        }
        let has_hash_move = info.entry.is_some_and(|entry| entry.best.is_some());
        if info.is_in_check {
            node.depth += 1;
        } else if node.depth >= 4 && !has_hash_move {
            node.depth -= 1;
        }
        node
    }

    /// Principal-variation search of one move: a null window, reduced by LMR, then a full window if it fails high.
    fn search_move(&mut self, node: &Node, info: &NodeInfo, picked: &Picked, number: usize) -> i32 {
        let Node { window, depth, ply, score, .. } = *node;
        let after = self.evaluation.after(self.line.position(), picked.mv, score);
        let reduction = self.reduction(node, info, picked, number);
        self.play(picked.mv, ply);
        let child = |tree: &mut Self, window: Window, depth: i32| {
            let window = window.negated();
            -tree.search(Node { window, depth, ply: ply + 1, score: after, may_null_move: true })
        };
        let value = if number == 0 {
            child(self, window, depth - 1)
        } else {
            let null = Window::null_above(window.alpha);
            let gives_check = reduction > 0 && self.line.position().is_in_check();
            let reduction = if gives_check { reduction - 1 } else { reduction };
            let mut value = child(self, null, depth - 1 - reduction);
            if value > window.alpha && reduction > 0 {
                value = child(self, null, depth - 1);
            }
            if value > window.alpha && value < window.beta {
                value = child(self, window, depth - 1);
            }
            value
        };
        self.take_back();
        value
    }

    /// The principal variation from a ply is a move and the principal variation after it.
    pub fn update_pv(&mut self, mv: Move, ply: usize) {
        let (here, after) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(mv);
        here[ply].extend_from_slice(&after[0]);
    }
}
