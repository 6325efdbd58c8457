//! The engine's interface: options, transposition table, lazy SMP.
//!
//! In: a line of play, limits, a clock and a stop flag. Out: search information after each iteration. Never: reads the
//! clock of the machine.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use ashta_position::{Game, Line, Move, Word, with_line};
use ashta_rules::Rules;

use super::evaluation::Evaluation;
use super::history::History;
use super::limits::{Limits, MAX_PLY, Noise, SearchControl, SearchInfo};
use super::root::Root;
use super::selectivity::{Reductions, Selectivity};
use super::tree::{EngineTable, Tree, node_check_interval};
use crate::values::Values;

/// Options of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineOptions {
    /// Size of the transposition table.
    pub megabytes: usize,
    pub n_threads: usize,
    pub selectivity: Selectivity,
    pub noise: Noise,
    /// Piece values in place of those of the game file.
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

/// The engine for one game.
#[derive(Debug)]
pub struct Engine {
    evaluation: Evaluation,
    table: EngineTable,
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
            table: table_of(options.megabytes),
            reductions: Reductions::new(),
            histories,
            options,
            shape,
        }
    }

    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }

    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Resizes the transposition table, which clears it.
    pub fn set_megabytes(&mut self, megabytes: usize) {
        if megabytes != self.options.megabytes {
            self.table = table_of(megabytes);
            self.options.megabytes = megabytes;
        }
    }

    pub fn set_threads(&mut self, n_threads: usize) {
        let (kinds, squares) = self.shape;
        self.options.n_threads = n_threads.max(1);
        self.histories.resize_with(self.options.n_threads, || History::new(kinds, squares));
    }

    pub fn set_noise(&mut self, noise: Noise) {
        self.options.noise = noise;
    }

    /// Clears table and history, so that games do not depend on each other.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(History::clear);
    }

    /// Searches the position of a game.
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    /// use std::time::Duration;
    ///
    /// use ashta_position::notation::write_coordinates;
    /// use ashta_position::{CompiledRules, Game};
    /// use ashta_search::engine::{Engine, EngineOptions, Limits, Score, SearchControl};
    ///
    /// let rules = CompiledRules::new(ashta_rules::load("chess").unwrap());
    /// let game = Game::from_text(&rules, "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1").unwrap();
    /// let mut engine = Engine::new(game.rules(), EngineOptions { megabytes: 1, ..EngineOptions::default() });
    /// let limits = Limits { depth: Some(3), ..Limits::default() };
    /// let control = SearchControl { elapsed: &|| Duration::ZERO, stop: &AtomicBool::new(false) };
    /// let found = engine.search_game(&game, &limits, control, |_| ());
    /// assert_eq!(found.best().map(|mv| write_coordinates(&game, mv)).as_deref(), Some("d1d8"));
    /// assert_eq!(found.score(), Score::WinIn(1));
    /// ```
    pub fn search_game(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: SearchControl<'_>,
        mut on_iteration: impl FnMut(&SearchInfo),
    ) -> SearchInfo {
        with_line!(game.line(), line => self.search_generic(line, limits, control, &mut on_iteration))
    }

    pub(crate) fn search_generic<W: Word>(
        &mut self,
        line: &Line<W>,
        limits: &Limits,
        control: SearchControl<'_>,
        on_iteration: &mut dyn FnMut(&SearchInfo),
    ) -> SearchInfo {
        let legal = line.position().legal_moves();
        let wanted = |mv: &Move| limits.moves.is_empty() || limits.moves.contains(mv);
        let moves: Vec<Move> = legal.into_iter().filter(wanted).collect();
        let empty = SearchInfo {
            depth: 0,
            seldepth: 0,
            n_nodes: 0,
            elapsed: (control.elapsed)(),
            hashfull: 0,
            lines: Vec::new(),
        };
        if moves.is_empty() {
            return empty;
        }
        self.table.next_age();
        if limits.mate.is_some() {
            self.table.clear();
        }
        self.histories.iter_mut().for_each(History::age);
        let (n_all, done) = (AtomicU64::new(0), AtomicBool::new(false));
        let Engine { evaluation, table, reductions, histories, options, .. } = self;
        let selectivity = if limits.mate.is_some() { Selectivity::None } else { options.selectivity };
        let shared = Shared { evaluation, table, reductions, limits, selectivity, options, n_all: &n_all };
        let [first, helpers @ ..] = histories.as_mut_slice() else { return empty };
        thread::scope(|scope| {
            for (n, history) in helpers.iter_mut().enumerate() {
                let (shared, moves, done) = (&shared, &moves, &done);
                scope.spawn(move || {
                    let control = SearchControl { stop: done, ..control };
                    let mut tree = shared.tree(line, control, history);
                    tree.iterative_deepening(&mut Root::new(moves), (n % 2) as u8, |_| {});
                });
            }
            let mut tree = shared.tree(line, control, first);
            let info = tree.iterative_deepening(&mut Root::new(&moves), 0, on_iteration);
            done.store(true, Relaxed);
            info
        })
    }
}

fn table_of(megabytes: usize) -> EngineTable {
    EngineTable::new((megabytes.max(1) << 20) / 16)
}

/// What all threads of a search share.
struct Shared<'a> {
    evaluation: &'a Evaluation,
    table: &'a EngineTable,
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
        control: SearchControl<'t>,
        history: &'t mut History,
    ) -> Tree<'t, W> {
        let n_plies = MAX_PLY + 4;
        Tree {
            evaluation: self.evaluation,
            table: self.table,
            reductions: self.reductions,
            limits: self.limits,
            control,
            selectivity: self.selectivity,
            noise: self.options.noise,
            line: line.clone(),
            history,
            pickers: (0..n_plies).map(|_| None).collect(),
            pv: vec![Vec::new(); n_plies],
            previous: vec![None; n_plies],
            static_eval: vec![0; n_plies],
            n_unshared: 0,
            node_check_interval: node_check_interval(self.limits),
            n_all: self.n_all,
            seldepth: 0,
            is_aborted: false,
            is_over_node_limit: false,
            is_first_iteration: true,
        }
    }
}
