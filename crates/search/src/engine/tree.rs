//! The tree: alpha-beta with windows of no width, and everything that makes it smaller.
//!
//! In: a line of play, a window, a depth. Out: a value, the best line. Never: when to stop thinking altogether, which the
//! root decides.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use ashta_position::{Line, Move, Outcome, Word};
use ashta_rules::{Checker, Verdict};

use super::balance::Balance;
use super::evaluation::Evaluation;
use super::history::{Deed, History};
use super::limits::{DECIDED, HIGHEST, Limits, MATE, Watch};
use super::memory::{Known, Memory};
use super::picker::{Hints, Picked, Picker, is_quiet};
use super::selectivity::{Reductions, Selectivity};
use super::think::Noise;
use crate::table::Bound;

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

/// The interval in which a value is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    pub fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// In which only whether a value is above this one is asked.
    pub fn just_above(value: i32) -> Window {
        Window { alpha: value, beta: value + 1 }
    }

    pub fn is_closed(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The value that may be returned at once.
    pub fn answered_by(self, known: &Known) -> Option<i32> {
        let answers = match known.bound {
            Bound::Exact => true,
            Bound::AtLeast => known.value >= self.beta,
            Bound::AtMost => known.value <= self.alpha,
        };
        answers.then_some(known.value)
    }
}

/// One thread's walk through the tree.
pub(super) struct Tree<'a, W> {
    pub evaluation: &'a Evaluation,
    pub memory: &'a Memory,
    pub reductions: &'a Reductions,
    pub limits: &'a Limits,
    pub watch: Watch<'a>,
    pub selectivity: Selectivity,
    pub noise: Noise,
    pub line: Line<W>,
    pub history: &'a mut History,
    pub pickers: Vec<Option<Box<Picker<W>>>>,
    /// The best line from each height.
    pub lines: Vec<Vec<Move>>,
    /// The deed that led to each height.
    pub deeds: Vec<Option<Deed>>,
    /// What each height's position was worth before any move.
    pub standing: Vec<i32>,
    /// Nodes not yet added to `n_all`.
    pub n_unshared: u64,
    pub node_check_interval: u64,
    /// Nodes of all threads up to their last checks of the node limit.
    pub n_all: &'a AtomicU64,
    pub deepest: usize,
    /// The stop flag, the clock, or a runaway first iteration: obeyed at once.
    pub is_aborted: bool,
    pub is_over_node_limit: bool,
    /// The node limit does not cut the first iteration short: see `MAX_FIRST_ITERATION_NODES`.
    pub is_first_iteration: bool,
}

/// A node to be looked at.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub window: Window,
    pub depth: i32,
    pub height: usize,
    pub balance: Balance,
    /// Whether passing may show that it is good enough.
    pub may_pass: bool,
}

/// What is found out at a node before its moves are tried.
pub(super) struct Glance {
    pub known: Option<Known>,
    pub is_in_check: bool,
    pub standing: i32,
    pub is_improving: bool,
}

impl<W: Word> Tree<'_, W> {
    #[inline(always)]
    pub fn count_node(&mut self, height: usize) {
        self.deepest = self.deepest.max(height);
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
        let is_late = self.limits.time.is_some_and(|time| (self.watch.elapsed)() >= time.hard);
        self.is_aborted |= is_late || self.watch.stop.load(Relaxed);
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

    pub fn take_picker(&mut self, height: usize) -> Box<Picker<W>> {
        self.pickers[height].take().unwrap_or_default()
    }

    #[inline]
    pub fn play(&mut self, mv: Move, height: usize) {
        self.deeds[height + 1] = self.history.deed(self.line.position().mover(mv), mv);
        self.line.play_unchecked(mv);
    }

    #[inline(always)]
    pub fn take_back(&mut self) {
        self.line.take_back();
    }

    pub fn hints(&self, height: usize, before: Option<Move>) -> Hints {
        let last = self.deeds[height];
        let [first, second] = self.history.killers(height);
        Hints { before, killers: [first, second, self.history.answer(last)], last }
    }

    /// How the position stands, and a little off it for players who see less than all.
    pub fn evaluate(&self, balance: Balance) -> i32 {
        let position = self.line.position();
        let value = self.evaluation.value_with(position, balance);
        value + self.noise.of(position.key())
    }

    pub fn value_of(&self, outcome: Outcome, height: usize) -> i32 {
        match outcome.winner {
            None => 0,
            Some(winner) if winner == self.line.position().turn() => MATE - height as i32,
            Some(_) => height as i32 - MATE,
        }
    }

    /// What coming back to a position means, if it means anything; the first return is taken for the last.
    fn value_of_return(&self, height: usize) -> Option<i32> {
        let repetition = self.line.position().rules().ends().repetition?;
        if self.line.occurrences() < 2 {
            return None;
        }
        let me = self.line.position().state().turn();
        let verdict = match (repetition.checker, self.line.perpetual_checker()) {
            (Checker::Loses, Some(side)) if side == me => Verdict::Loss,
            (Checker::Loses, Some(_)) => Verdict::Win,
            _ => repetition.verdict,
        };
        Some(match verdict {
            Verdict::Draw => 0,
            Verdict::Win => MATE - height as i32,
            Verdict::Loss => height as i32 - MATE,
        })
    }

    /// The value of a node for the side to move.
    pub fn value(&mut self, node: Node) -> i32 {
        let Node { window, depth, height, balance, .. } = node;
        // Where nothing is left out, only as many returns as the rules want end a game.
        if self.selectivity == Selectivity::Full
            && let Some(value) = self.value_of_return(height)
        {
            self.lines[height].clear();
            return value;
        }
        if depth <= 0 && self.selectivity == Selectivity::Full {
            return self.quiet_value(window, height, balance);
        }
        self.count_node(height);
        self.lines[height].clear();
        if self.is_stopped() {
            return 0;
        }
        let (lost, won) = (height as i32 - MATE, MATE - height as i32 - 1);
        if self.selectivity == Selectivity::Full && (window.alpha >= won || window.beta <= lost) {
            return if window.alpha >= won { won } else { lost };
        }
        let mut picker = self.take_picker(height);
        let has_move = picker.generate(self.line.position());
        let value = match self.line.outcome_knowing(has_move) {
            Some(outcome) => self.value_of(outcome, height),
            None if depth <= 0 || height >= HIGHEST => self.evaluate(balance),
            None => self.value_by_moves(node, &mut picker),
        };
        self.pickers[height] = Some(picker);
        value
    }

    fn value_by_moves(&mut self, node: Node, picker: &mut Picker<W>) -> i32 {
        let Node { window, height, balance, .. } = node;
        let known = self.memory.get(self.line.position().key(), height);
        if let Some(known) = known.filter(|known| self.may_use(known, &node))
            && let Some(value) = window.answered_by(&known)
        {
            return value;
        }
        let is_in_check = self.line.position().is_in_check();
        let standing = if is_in_check { -MATE } else { self.evaluate(balance) };
        self.standing[height] = standing;
        let is_improving = height >= 2 && standing > self.standing[height - 2];
        let glance = Glance { known, is_in_check, standing, is_improving };
        if self.selectivity == Selectivity::Full
            && let Some(value) = self.value_without_moves(&node, &glance)
        {
            return value;
        }
        picker.begin(
            self.line.position(),
            self.evaluation,
            self.hints(height, known.and_then(|known| known.best)),
        );
        self.try_moves(node, &glance, picker)
    }

    fn may_use(&self, known: &Known, node: &Node) -> bool {
        match self.selectivity {
            // Values depend a little on how long nothing has happened, which is not in the key; wins do not.
            Selectivity::None => self.limits.mate.is_some() && i32::from(known.depth) == node.depth,
            Selectivity::Full => i32::from(known.depth) >= node.depth && node.window.is_closed(),
        }
    }

    fn try_moves(&mut self, node: Node, glance: &Glance, picker: &mut Picker<W>) -> i32 {
        let Node { window, height, .. } = node;
        let mut node = self.adjusted(node, glance);
        let (mut best, mut best_move) = (-MATE, None);
        let mut tried: Vec<Option<Deed>> = Vec::new();
        let mut number = 0;
        while let Some(picked) = picker.next_move(self.line.position(), self.evaluation, self.history) {
            let quiet = is_quiet(self.line.position(), picked.mv);
            if best > -DECIDED && self.is_left_out(&node, glance, &picked, number) {
                number += 1;
                continue;
            }
            let value = self.value_of_move(&node, glance, &picked, number);
            number += 1;
            if self.is_stopped() {
                return 0;
            }
            if value > best {
                (best, best_move) = (value, Some(picked.mv));
                if value > node.window.alpha {
                    node.window.alpha = value;
                    self.keep_line(picked.mv, height);
                }
            }
            let deed = self.history.deed(self.line.position().mover(picked.mv), picked.mv);
            if best >= window.beta {
                if quiet {
                    let who = (self.line.position().state().turn(), self.deeds[height]);
                    self.history.refuted(height, (picked.mv, deed), &tried, who, node.depth);
                }
                break;
            }
            if quiet {
                tried.push(deed);
            }
        }
        let bound = match best {
            best if best >= window.beta => Bound::AtLeast,
            best if best > window.alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        let depth = node.depth.clamp(0, 255) as u8;
        let known = Known { best: best_move.filter(|_| bound != Bound::AtMost), value: best, depth, bound };
        self.memory.set(self.line.position().key(), height, &known);
        best
    }

    /// Deeper where there is a check, less deep where nothing is known yet.
    fn adjusted(&self, mut node: Node, glance: &Glance) -> Node {
        if self.selectivity == Selectivity::Full {
            let knows = glance.known.is_some_and(|known| known.best.is_some());
            match glance.is_in_check {
                true => node.depth += 1,
                false if node.depth >= 4 && !knows => node.depth -= 1,
                false => {}
            }
        }
        node
    }

    /// The value of a move: first whether it is better than the best so far, then how much.
    fn value_of_move(&mut self, node: &Node, glance: &Glance, picked: &Picked, number: usize) -> i32 {
        let Node { window, depth, height, balance, .. } = *node;
        let after = self.evaluation.after(self.line.position(), picked.mv, balance);
        let reduced = self.reduction(node, glance, picked, number);
        self.play(picked.mv, height);
        let ask = |tree: &mut Self, window: Window, depth: i32| {
            let node =
                Node { window: window.turned(), depth, height: height + 1, balance: after, may_pass: true };
            -tree.value(node)
        };
        let value = if number == 0 {
            ask(self, window, depth - 1)
        } else {
            let narrow = Window::just_above(window.alpha);
            let gives_check = reduced > 0 && self.line.position().is_in_check();
            let reduced = if gives_check { reduced - 1 } else { reduced };
            let mut value = ask(self, narrow, depth - 1 - reduced);
            if value > window.alpha && reduced > 0 {
                value = ask(self, narrow, depth - 1);
            }
            match value > window.alpha && value < window.beta {
                true => ask(self, window, depth - 1),
                false => value,
            }
        };
        self.take_back();
        value
    }

    /// The best line from a height is a move and the best line after it.
    pub fn keep_line(&mut self, mv: Move, height: usize) {
        let (here, after) = self.lines.split_at_mut(height + 1);
        here[height].clear();
        here[height].push(mv);
        here[height].extend_from_slice(&after[0]);
    }
}
