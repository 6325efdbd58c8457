//! The engine as others see it: rules and options in, thinking with any number of threads.
//!
//! In: a line of play, limits, a watch. Out: progress, told as it comes. Never: the clock, which is given.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use ashta_position::{Game, Line, Move, Word, with_line};
use ashta_rules::Rules;

use super::evaluation::Evaluation;
use super::history::History;
use super::limits::{HIGHEST, Limits, Progress, Watch};
use super::memory::Memory;
use super::root::Root;
use super::selectivity::{Reductions, Selectivity};
use super::tree::{Tree, node_check_interval};
use crate::values::Values;

/// How an engine is set up.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineOptions {
    /// Megabytes of memory.
    pub megabytes: usize,
    /// Threads.
    pub n_threads: usize,
    /// What is left out of the tree.
    pub selectivity: Selectivity,
    /// How far off evaluations are.
    pub noise: Noise,
    /// Values of pieces in place of the game's own.
    pub values: Option<Values>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            megabytes: 16,
            n_threads: 1,
            selectivity: Selectivity::Full,
            noise: Noise::default(),
            values: None,
        }
    }
}

/// An error added to every evaluation, the same for a position whenever it is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Noise {
    /// At most so many hundredths of a man either way.
    pub most: i32,
    /// Other seeds give other errors.
    pub seed: u64,
}

impl Noise {
    /// The error of a position; two sums of a die make small ones likelier than large ones.
    #[inline(always)]
    pub(super) fn of(self, key: u64) -> i32 {
        if self.most == 0 {
            return 0;
        }
        let mixed = (key ^ self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let (a, b) = ((mixed >> 40) as i32 & 0xFFFF, (mixed >> 20) as i32 & 0xFFFF);
        ((a - b) as i64 * i64::from(self.most) / 0x1_0000) as i32
    }
}

/// The engine for one game.
#[derive(Debug)]
pub struct Engine {
    evaluation: Evaluation,
    memory: Memory,
    reductions: Reductions,
    histories: Vec<History>,
    options: EngineOptions,
    shape: (usize, usize),
}

impl Engine {
    /// For a game of two sides.
    pub fn new(rules: &Rules, options: EngineOptions) -> Engine {
        let shape = (rules.kinds().len(), rules.grid().n_squares());
        let histories = (0..options.n_threads.max(1)).map(|_| History::new(shape.0, shape.1)).collect();
        Engine {
            evaluation: Evaluation::new(rules, options.values.as_ref()),
            memory: Memory::new(options.megabytes),
            reductions: Reductions::new(),
            histories,
            options,
            shape,
        }
    }

    /// How it judges positions.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    /// How it was set up.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Another amount of memory; what was known is forgotten.
    pub fn set_megabytes(&mut self, megabytes: usize) {
        if megabytes != self.options.megabytes {
            self.memory = Memory::new(megabytes);
            self.options.megabytes = megabytes;
        }
    }

    /// Another number of threads.
    pub fn set_threads(&mut self, n_threads: usize) {
        let (kinds, squares) = self.shape;
        self.options.n_threads = n_threads.max(1);
        self.histories.resize_with(self.options.n_threads, || History::new(kinds, squares));
    }

    /// Another error.
    pub fn set_noise(&mut self, noise: Noise) {
        self.options.noise = noise;
    }

    /// Forgets the game before, so that games do not depend on each other.
    pub fn forget(&mut self) {
        self.memory.clear();
        self.histories.iter_mut().for_each(History::clear);
    }

    /// Thinks about the position of a game.
    pub fn think_of_game(
        &mut self,
        game: &Game,
        limits: &Limits,
        watch: Watch<'_>,
        told: impl FnMut(&Progress),
    ) -> Progress {
        with_line!(game.line(), line => self.think(line, limits, watch, told))
    }

    /// Thinks about the position of a line; `told` hears of every depth that was finished.
    pub fn think<W: Word>(
        &mut self,
        line: &Line<W>,
        limits: &Limits,
        watch: Watch<'_>,
        mut told: impl FnMut(&Progress),
    ) -> Progress {
        let legal = line.position().legal_moves();
        let wanted = |mv: &Move| limits.moves.is_empty() || limits.moves.contains(mv);
        let moves: Vec<Move> = legal.into_iter().filter(wanted).collect();
        let nothing = Progress {
            depth: 0,
            deepest: 0,
            n_nodes: 0,
            elapsed: (watch.elapsed)(),
            filled: 0,
            lines: Vec::new(),
        };
        if moves.is_empty() {
            return nothing;
        }
        self.memory.next_age();
        if limits.mate.is_some() {
            self.memory.clear();
        }
        self.histories.iter_mut().for_each(History::fade);
        let (n_all, done) = (AtomicU64::new(0), AtomicBool::new(false));
        let Engine { evaluation, memory, reductions, histories, options, .. } = self;
        let selectivity = if limits.mate.is_some() { Selectivity::None } else { options.selectivity };
        let shared = Shared { evaluation, memory, reductions, limits, selectivity, options, n_all: &n_all };
        let [first, helpers @ ..] = histories.as_mut_slice() else { return nothing };
        thread::scope(|scope| {
            for (n, history) in helpers.iter_mut().enumerate() {
                let (shared, moves, done) = (&shared, &moves, &done);
                scope.spawn(move || {
                    let watch = Watch { stop: done, ..watch };
                    let mut tree = shared.tree(line, watch, history);
                    tree.deepen(&mut Root::new(moves), (n % 2) as u8, |_| {});
                });
            }
            let mut tree = shared.tree(line, watch, first);
            let progress = tree.deepen(&mut Root::new(&moves), 0, &mut told);
            done.store(true, Relaxed);
            progress
        })
    }
}

/// What all threads of one thinking share.
struct Shared<'a> {
    evaluation: &'a Evaluation,
    memory: &'a Memory,
    reductions: &'a Reductions,
    limits: &'a Limits,
    selectivity: Selectivity,
    options: &'a EngineOptions,
    n_all: &'a AtomicU64,
}

impl Shared<'_> {
    fn tree<'t, W: Word>(
        &'t self,
        line: &Line<W>,
        watch: Watch<'t>,
        history: &'t mut History,
    ) -> Tree<'t, W> {
        let height = HIGHEST + 4;
        Tree {
            evaluation: self.evaluation,
            memory: self.memory,
            reductions: self.reductions,
            limits: self.limits,
            watch,
            selectivity: self.selectivity,
            noise: self.options.noise,
            line: line.clone(),
            history,
            pickers: (0..height).map(|_| None).collect(),
            lines: vec![Vec::new(); height],
            deeds: vec![None; height],
            standing: vec![0; height],
            n_unshared: 0,
            node_check_interval: node_check_interval(self.limits),
            n_all: self.n_all,
            deepest: 0,
            is_aborted: false,
            is_over_node_limit: false,
            is_first_iteration: true,
        }
    }
}
