//! The root: deeper and deeper, the lines that are wanted, when to stop.
//!
//! In: a tree. Out: the best lines of the last depth that was finished, or of one broken off after it found something.
//! Never: moves that are not wanted.

use std::sync::atomic::Ordering::Relaxed;

use ashta_position::{Move, Word};

use super::limits::{DECIDED, HIGHEST, MATE, PrincipalLine, Progress, Score};
use super::selectivity::Selectivity;
use super::tree::{Node, Tree, Window};

/// Half the width of the first window around the value of the depth before.
const FIRST_WIDTH: i32 = 24;

/// A move of the root with what is known of it.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Move,
    /// [`UNSEARCHED`] until a first search of the move is complete.
    value: i32,
    line: Vec<Move>,
}

/// Below the value of any searched move: even being mated takes a ply.
const UNSEARCHED: i32 = -MATE;

/// The root's moves, best first.
pub(super) struct Root {
    moves: Vec<RootMove>,
}

impl Root {
    pub fn new(moves: &[Move]) -> Root {
        let unknown = |mv: &Move| RootMove { mv: *mv, value: UNSEARCHED, line: vec![*mv] };
        Root { moves: moves.iter().map(unknown).collect() }
    }

    /// The best lines; a move not searched yet has the static evaluation of the root.
    fn lines(&self, n_lines: usize, static_eval: i32) -> Vec<PrincipalLine> {
        let line = |root: &RootMove| {
            let value = if root.value == UNSEARCHED { static_eval } else { root.value };
            PrincipalLine { score: Score::of(value), moves: root.line.clone() }
        };
        self.moves.iter().take(n_lines.max(1)).map(line).collect()
    }
}

impl<W: Word> Tree<'_, W> {
    /// Looks deeper and deeper. `step` tells helpers apart: they look at other depths than the first thread.
    pub fn deepen(&mut self, root: &mut Root, step: u8, mut told: impl FnMut(&Progress)) -> Progress {
        let n_lines = self.limits.n_lines.max(1).min(root.moves.len());
        let last = self.last_depth();
        self.standing[0] = self.evaluate(self.evaluation.balance(self.line.position()));
        let mut progress = self.progress(root, 0, n_lines);
        for depth in (1 + step.min(1)..=last).step_by(1 + usize::from(step)) {
            self.deepest = 0;
            self.is_first_iteration = depth == 1 + step.min(1);
            for first in 0..n_lines {
                self.aspire(root, first, i32::from(depth));
                if self.is_stopped() {
                    break;
                }
                root.moves[..=first].sort_by_key(|root| std::cmp::Reverse(root.value));
            }
            if !self.is_stopped() || self.limits.n_lines <= 1 {
                progress = self.progress(root, if self.is_stopped() { depth - 1 } else { depth }, n_lines);
            }
            if self.is_stopped() {
                break;
            }
            told(&progress);
            if self.is_enough(&progress, root.moves.len()) {
                break;
            }
        }
        Progress { n_nodes: self.all_nodes(), elapsed: (self.watch.elapsed)(), ..progress }
    }

    fn last_depth(&self) -> u8 {
        let most = HIGHEST as u8 - 20;
        let mate =
            self.limits.mate.map_or(most, |moves| (2 * moves).saturating_sub(1).clamp(1, most.into()) as u8);
        self.limits.depth.unwrap_or(most).clamp(1, most).min(mate)
    }

    fn all_nodes(&self) -> u64 {
        self.n_all.load(Relaxed) + self.n_unshared
    }

    fn progress(&self, root: &Root, depth: u8, n_lines: usize) -> Progress {
        Progress {
            depth,
            deepest: self.deepest.max(usize::from(depth)) as u8,
            n_nodes: self.all_nodes(),
            elapsed: (self.watch.elapsed)(),
            filled: self.memory.filled(),
            lines: root.lines(n_lines, self.standing[0]),
        }
    }

    /// Whether a deeper look can be expected to change nothing, or cannot be finished in time.
    fn is_enough(&self, progress: &Progress, n_moves: usize) -> bool {
        let has_mate = match (self.limits.mate, progress.score()) {
            (Some(_), Score::WinIn(_)) => true,
            // A win within the plies looked at cannot become shorter.
            (None, Score::WinIn(plies)) => plies <= u32::from(progress.depth) && self.limits.n_lines <= 1,
            _ => false,
        };
        let is_late = self.limits.time.is_some_and(|time| progress.elapsed >= time.soft);
        let is_only = n_moves == 1 && self.limits.time.is_some() && progress.depth >= 6;
        has_mate && (self.limits.time.is_some() || self.limits.mate.is_some()) || is_late || is_only
    }

    /// Asks with a narrow window around what is expected, and with wider ones where the value lies outside.
    fn aspire(&mut self, root: &mut Root, first: usize, depth: i32) {
        let expected = root.moves[first].value;
        let narrow = depth >= 5 && self.selectivity == Selectivity::Full && expected.abs() < DECIDED;
        let mut width = FIRST_WIDTH;
        let mut window = match (narrow, self.limits.mate) {
            (true, _) => Window { alpha: expected - width, beta: expected + width },
            // Whoever looks for a mate is not interested in less.
            (false, Some(moves)) => Window { alpha: MATE - 2 * moves.min(60) as i32, beta: MATE },
            (false, None) => Window { alpha: -MATE, beta: MATE },
        };
        loop {
            let value = self.root_value(root, first, depth, window);
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

    /// The value of the best of the root's moves from the `first` on, which is put there.
    fn root_value(&mut self, root: &mut Root, first: usize, depth: i32, window: Window) -> i32 {
        let balance = self.evaluation.balance(self.line.position());
        self.standing[0] = self.evaluate(balance);
        let mut asked = window;
        let mut best = -MATE;
        for number in first..root.moves.len() {
            let mv = root.moves[number].mv;
            let value = self.value_of_root_move(mv, number - first, depth, asked, balance);
            if self.is_stopped() {
                return best;
            }
            if number > first && value <= best {
                continue;
            }
            best = best.max(value);
            if number == first || value > asked.alpha {
                let line: Vec<Move> = std::iter::once(mv).chain(self.lines[1].iter().copied()).collect();
                root.moves[number] = RootMove { mv, value, line };
                root.moves[first..=number].rotate_right(1);
            }
            asked.alpha = asked.alpha.max(value);
            if value >= window.beta {
                break;
            }
        }
        best
    }

    fn value_of_root_move(
        &mut self,
        mv: Move,
        number: usize,
        depth: i32,
        window: Window,
        balance: super::balance::Balance,
    ) -> i32 {
        let after = self.evaluation.after(self.line.position(), mv, balance);
        let late = number >= 4 && depth >= 3 && self.selectivity == Selectivity::Full;
        let reduced = if late { (self.reductions.of(depth, number) - 1).clamp(0, depth - 2) } else { 0 };
        self.play(mv, 0);
        let mut ask = |window: Window, depth: i32| {
            -self.value(Node { window: window.turned(), depth, height: 1, balance: after, may_pass: true })
        };
        let narrow = Window::just_above(window.alpha);
        let mut value = if number == 0 { ask(window, depth - 1) } else { ask(narrow, depth - 1 - reduced) };
        if number > 0 && reduced > 0 && value > window.alpha {
            value = ask(narrow, depth - 1);
        }
        if number > 0 && value > window.alpha && value < window.beta {
            value = ask(window, depth - 1);
        }
        self.take_back();
        value
    }
}
