//! The root: iterative deepening, aspiration windows, several principal variations, when to stop.
//!
//! In: a tree. Out: the principal variations of the last completed iteration, or of an aborted one that found a better
//! move. Never: moves excluded by `searchmoves`.

use std::sync::atomic::Ordering::Relaxed;

use ashta_position::{Move, Word};

use super::incremental::IncrementalScore;
use super::limits::{MATE, MATE_THRESHOLD, MAX_PLY, PrincipalVariation, Score, SearchInfo};
use super::selectivity::Selectivity;
use super::tree::{Node, Tree};
use crate::window::Window;

/// Half the width of the first aspiration window.
const ASPIRATION_WIDTH: i32 = 24;

/// A root move with its last value and principal variation.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// [`UNSEARCHED`] until a first search of the move is complete.
    value: i32,
    pv: Vec<Move>,
}

/// Below the value of any searched move: even being mated takes a ply.
const UNSEARCHED: i32 = -MATE;

/// The root's moves, best first.
pub(super) struct Root {
    moves: Vec<RootMove>,
}

impl Root {
    pub fn new(moves: &[Move]) -> Root {
        let unknown = |mv: &Move| RootMove { mv: *mv, value: UNSEARCHED, pv: vec![*mv] };
        Root { moves: moves.iter().map(unknown).collect() }
    }

    /// The principal variations; a move not searched yet has the static evaluation of the root.
    fn variations(&self, n_lines: usize, static_eval: i32) -> Vec<PrincipalVariation> {
        let variation = |root: &RootMove| {
            let value = if root.value == UNSEARCHED { static_eval } else { root.value };
            PrincipalVariation { score: Score::of(value), moves: root.pv.clone() }
        };
        self.moves.iter().take(n_lines.max(1)).map(variation).collect()
    }
}

impl<W: Word> Tree<'_, W> {
    /// Iterative deepening. `step` staggers the depths of helper threads (lazy SMP).
    pub fn iterative_deepening(
        &mut self,
        root: &mut Root,
        step: u8,
        mut on_iteration: impl FnMut(&SearchInfo),
    ) -> SearchInfo {
        let n_lines = self.limits.n_lines.max(1).min(root.moves.len());
        let last = self.last_depth();
        self.static_eval[0] = self.evaluate(self.evaluation.score(self.line.position()));
        let mut info = self.info(root, 0, n_lines);
        for depth in (1 + step.min(1)..=last).step_by(1 + usize::from(step)) {
            self.seldepth = 0;
            self.is_first_iteration = depth == 1 + step.min(1);
            for first in 0..n_lines {
                self.aspiration_search(root, first, i32::from(depth));
                if self.is_stopped() {
                    break;
                }
                root.moves[..=first].sort_by_key(|root| std::cmp::Reverse(root.value));
            }
            if !self.is_stopped() || self.limits.n_lines <= 1 {
                info = self.info(root, if self.is_stopped() { depth - 1 } else { depth }, n_lines);
            }
            if self.is_stopped() {
                break;
            }
            on_iteration(&info);
            if self.is_enough(&info, root.moves.len()) {
                break;
            }
        }
        SearchInfo { n_nodes: self.all_nodes(), elapsed: (self.control.elapsed)(), ..info }
    }

    fn last_depth(&self) -> u8 {
        let most = MAX_PLY as u8 - 20;
        let mate =
            self.limits.mate.map_or(most, |moves| (2 * moves).saturating_sub(1).clamp(1, most.into()) as u8);
        self.limits.depth.unwrap_or(most).clamp(1, most).min(mate)
    }

    fn all_nodes(&self) -> u64 {
        self.n_all.load(Relaxed) + self.n_unshared
    }

    fn info(&self, root: &Root, depth: u8, n_lines: usize) -> SearchInfo {
        SearchInfo {
            depth,
            seldepth: self.seldepth.max(usize::from(depth)) as u8,
            n_nodes: self.all_nodes(),
            elapsed: (self.control.elapsed)(),
            hashfull: self.table.hashfull(),
            lines: root.variations(n_lines, self.static_eval[0]),
        }
    }

    /// Whether another iteration is useless or unlikely to end in time.
    fn is_enough(&self, info: &SearchInfo, n_moves: usize) -> bool {
        let has_mate = match (self.limits.mate, info.score()) {
            (Some(_), Score::WinIn(_)) => true,
            // A mate within the searched depth cannot become shorter.
            (None, Score::WinIn(plies)) => plies <= u32::from(info.depth) && self.limits.n_lines <= 1,
            _ => false,
        };
        let is_late = self.limits.time.is_some_and(|time| info.elapsed >= time.soft);
        let is_only = n_moves == 1 && self.limits.time.is_some() && info.depth >= 6;
        has_mate && (self.limits.time.is_some() || self.limits.mate.is_some()) || is_late || is_only
    }

    /// Searches with a narrow window around the value of the last iteration, widened when it fails high or low.
    fn aspiration_search(&mut self, root: &mut Root, first: usize, depth: i32) {
        let expected = root.moves[first].value;
        let narrow = depth >= 5 && self.selectivity == Selectivity::Full && expected.abs() < MATE_THRESHOLD;
        let mut width = ASPIRATION_WIDTH;
        let mut window = match (narrow, self.limits.mate) {
            (true, _) => Window { alpha: expected - width, beta: expected + width },
            // A search for a mate needs no other values.
            (false, Some(moves)) => Window { alpha: MATE - 2 * moves.min(60) as i32, beta: MATE },
            (false, None) => Window { alpha: -MATE, beta: MATE },
        };
        loop {
            let value = self.search_root(root, first, depth, window);
            if self.is_stopped() {
                return;
            }
            width *= 3;
            match value {
                value if value <= window.alpha && window.alpha > -MATE && self.limits.mate.is_none() => {
                    window.alpha = if width > 1000 { -MATE } else { (value - width).max(-MATE) };
                }
                value if value >= window.beta && window.beta < MATE => {
                    window.beta = if width > 1000 { MATE } else { (value + width).min(MATE) };
                }
                _ => return,
            }
        }
    }

    /// Searches the root moves from `first` on and puts the best of them there.
    fn search_root(&mut self, root: &mut Root, first: usize, depth: i32, window: Window) -> i32 {
        let score = self.evaluation.score(self.line.position());
        self.static_eval[0] = self.evaluate(score);
        let mut rest = window;
        let mut best = -MATE;
        for number in first..root.moves.len() {
            let mv = root.moves[number].mv;
            let value = self.search_root_move(mv, number - first, depth, rest, score);
            if self.is_stopped() {
                return best;
            }
            if number > first && value <= best {
                continue;
            }
            best = best.max(value);
            if number == first || value > rest.alpha {
                let pv = std::iter::once(mv).chain(self.pv[1].iter().copied()).collect();
                root.moves[number] = RootMove { mv, value, pv };
                root.moves[first..=number].rotate_right(1);
            }
            rest.alpha = rest.alpha.max(value);
            if value >= window.beta {
                break;
            }
        }
        best
    }

    fn search_root_move(
        &mut self,
        mv: Move,
        number: usize,
        depth: i32,
        window: Window,
        score: IncrementalScore,
    ) -> i32 {
        let after = self.evaluation.after(self.line.position(), mv, score);
        let late = number >= 4 && depth >= 3 && self.selectivity == Selectivity::Full;
        let reduction = if late { (self.reductions.of(depth, number) - 1).clamp(0, depth - 2) } else { 0 };
        self.play(mv, 0);
        let mut child = |window: Window, depth: i32| {
            let window = window.negated();
            -self.search(Node { window, depth, ply: 1, score: after, may_null_move: true })
        };
        let null = Window::null_above(window.alpha);
        let mut value =
            if number == 0 { child(window, depth - 1) } else { child(null, depth - 1 - reduction) };
        if number > 0 && reduction > 0 && value > window.alpha {
            value = child(null, depth - 1);
        }
        if number > 0 && value > window.alpha && value < window.beta {
            value = child(window, depth - 1);
        }
        self.take_back();
        value
    }
}
