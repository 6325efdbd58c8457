//! Alpha-beta on material, with captures looked at beyond the depth, generic over games.
//!
//! In: a position, a depth. Out: its minimax value and every move that has it. Never: random numbers; who chooses among
//! equals is not asked here. Ends by repetition and by length are not looked at: they belong to the game.
//!
//! The set of best moves is the one of plain minimax: of every move is asked whether it is at least as good as the best
//! so far, and if it is, whether it is better; both questions have windows of no width. What is remembered is used only
//! for the same depth.

mod first_best;
mod last_ply;

use ashta_position::{Move, Outcome, Position, Word};
use ashta_rules::Rules;

use crate::ends::EndShape;
use crate::material::Material;
use crate::order::{Hints, Ordering};
use crate::stop::StopFlag;
use crate::table::{Bound, Entry, TranspositionTable};
use crate::values::Values;

/// The value of a won game; a lost one is worth as much less than nothing.
pub const WIN: i32 = 1_000_000_000;
/// The value of a drawn game.
pub const DRAW: i32 = 0;

/// Positions remembered, as a power of two.
const TABLE_BITS: u32 = 14;
/// Answers remembered, as a power of two.
const ANSWER_BITS: u32 = 12;

/// How deep to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// Plies in full width.
    pub plies: u8,
    /// Plies of captures and promotions after them.
    pub captures: u8,
}

impl Depth {
    fn after_a_move(self) -> Depth {
        match self.plies {
            0 => Depth { plies: 0, captures: self.captures.saturating_sub(1) },
            plies => Depth { plies: plies - 1, ..self },
        }
    }
}

/// What is looked for where the full width ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Whether the game is over there.
    SeeEnds,
    /// Nothing but material: mates beyond the full width are left to a mate search. Several times as fast, as a quiet
    /// last move need not be played.
    CountMaterial,
}

/// A searcher; it keeps its memory between positions of one game.
#[derive(Debug)]
pub struct AlphaBeta {
    material: Material,
    shape: EndShape,
    leaves: Leaves,
    table: TranspositionTable,
    /// What refuted last and what before it, by distance from the root.
    killers: Vec<[Option<Move>; 2]>,
    /// What refuted a move, by some bits of it; others may have taken its place.
    answers: Vec<Option<Move>>,
    n_nodes: u64,
    stop: StopFlag,
}

/// The interval in which a value is asked for.
#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    /// In which only whether a value reaches this one is asked.
    fn just_below(value: i32) -> Window {
        Window { alpha: value - 1, beta: value }
    }

    fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

impl AlphaBeta {
    /// A searcher for a game, which sees ends wherever it looks.
    pub fn new(rules: &Rules, material: Material) -> AlphaBeta {
        AlphaBeta::with_leaves(rules, material, Leaves::SeeEnds)
    }

    /// A searcher for a game.
    pub fn with_leaves(rules: &Rules, material: Material, leaves: Leaves) -> AlphaBeta {
        let (table, shape) = (TranspositionTable::new(TABLE_BITS), EndShape::of(rules));
        let answers = vec![None; 1 << ANSWER_BITS];
        let (killers, stop) = (Vec::new(), StopFlag::default());
        AlphaBeta { material, shape, leaves, table, killers, answers, n_nodes: 0, stop }
    }

    /// Breaks off what it is asked from now on when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// Other values from now on; what was found out with the old ones is forgotten.
    pub fn set_values(&mut self, rules: &Rules, values: Values) {
        self.material = Material::new(rules, values);
        self.table.clear();
    }

    /// What it thinks that pieces are worth.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Forgets what was found out, so that a game does not depend on those before it.
    pub fn forget(&mut self) {
        self.table.clear();
        self.killers.fill([None; 2]);
        self.answers.fill(None);
    }

    /// Positions looked at since the searcher was made.
    pub fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    /// Every move of `moves`, the legal moves, whose minimax value is the highest, and that value.
    pub fn best_moves<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        depth: Depth,
        best: &mut Vec<Move>,
    ) -> i32 {
        best.clear();
        if depth.plies == 0 {
            best.extend_from_slice(moves);
            return self.material.balance(position);
        }
        let highest = self.tree(position, depth).best_moves(best);
        // In the order of generation, so that whoever chooses does not depend on how it was searched.
        best.sort_by_key(|mv| moves.iter().position(|other| other == mv));
        highest
    }

    /// The first of `moves`, the legal moves in any order, that [`AlphaBeta::best_moves`] would give. Who wants one of
    /// the best, each as likely as any other, shuffles first: that most others are as good need not be found out.
    pub fn first_best<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        depth: Depth,
    ) -> Option<Move> {
        match depth.plies {
            0 => moves.first().copied(),
            _ => self.tree(position, depth).first_best(moves),
        }
    }

    fn tree<'a, W: Word>(&'a mut self, position: &'a mut Position<W>, depth: Depth) -> Tree<'a, W> {
        let height = usize::from(depth.plies) + usize::from(depth.captures) + 2;
        if self.killers.len() < height {
            self.killers.resize(height, [None; 2]);
        }
        let (orders, path) = ((0..height).map(|_| None).collect(), vec![Move::PASS; height]);
        let balance = self.material.balance(position);
        Tree { search: self, position, orders, path, balance, depth }
    }

    /// Whether a value may be remembered: the count of quiet plies is not in the key and must not matter.
    fn remembers<W: Word>(&self, position: &Position<W>, depth: Depth) -> bool {
        let plies = u32::from(depth.plies) + u32::from(depth.captures);
        let ends_soon = |quiet: u32| position.state().quiet() + plies >= quiet;
        depth.plies >= 2 && !self.shape.quiet_plies.is_some_and(ends_soon)
    }
}

/// One search: the searcher, the position it walks through, and the moves of each node on the way.
struct Tree<'a, W> {
    search: &'a mut AlphaBeta,
    position: &'a mut Position<W>,
    /// By distance from the root; boxed, as they are taken out while they are gone through.
    orders: Vec<Option<Box<Ordering<W>>>>,
    /// The moves that lead to where it is, by distance from the root.
    path: Vec<Move>,
    /// Of the root, for the side to move there.
    balance: i32,
    /// From the root.
    depth: Depth,
}

impl<W: Word> Tree<'_, W> {
    fn best_moves(&mut self, best: &mut Vec<Move>) -> i32 {
        let mut order = self.root_order();
        let mut highest = -WIN - 1;
        while let Some((mv, gain)) = order.next_move(self.position, &self.search.material) {
            let mut ask = |window| self.value_at_root(mv, gain, window);
            if highest >= -WIN && ask(Window::just_below(highest)) < highest {
                continue;
            }
            if highest >= -WIN && ask(Window::just_below(highest + 1)) <= highest {
                best.push(mv);
                continue;
            }
            highest = ask(Window { alpha: highest, beta: WIN + 1 });
            best.clear();
            best.push(mv);
        }
        highest
    }

    fn root_order(&mut self) -> Box<Ordering<W>> {
        let mut order = self.orders[0].take().unwrap_or_default();
        order.generate(self.position);
        let before = self.search.table.get(self.position.key()).and_then(|entry| entry.best);
        order.begin(self.position, &self.search.material, Hints { before, ..Hints::default() });
        order
    }

    fn value_at_root(&mut self, mv: Move, gain: i32, window: Window) -> i32 {
        self.value_after(mv, self.balance + gain, self.depth, window, 0)
    }

    /// The value of a move for who makes it; `balance` is that side's after the move.
    #[inline]
    fn value_after(&mut self, mv: Move, balance: i32, depth: Depth, window: Window, height: usize) -> i32 {
        self.path[height] = mv;
        let undo = self.position.play_unchecked(mv);
        let value = -self.value(-balance, depth.after_a_move(), window.turned(), height + 1);
        self.position.take_back(mv, undo);
        value
    }

    fn value(&mut self, balance: i32, depth: Depth, window: Window, height: usize) -> i32 {
        self.search.n_nodes += 1;
        if self.search.stop.is_set() {
            return balance;
        }
        if depth.plies <= 1 && self.only_counts() {
            return match depth.plies {
                0 => self.value_of_captures(balance, depth, window, height),
                _ => self.value_of_last_ply(balance, depth, window, height),
            };
        }
        if depth.plies == 0 {
            return self.value_when_quiet(balance, depth, window, height);
        }
        let (key, remembers) = (self.position.key(), self.search.remembers(self.position, depth));
        let known = if remembers { self.search.table.get(key).copied() } else { None };
        if let Some(value) = known.and_then(|entry| entry.answers(depth.plies, window.alpha, window.beta)) {
            return value;
        }
        let mut order = self.orders[height].take().unwrap_or_default();
        let has_move = order.generate(self.position);
        if let Some(outcome) = self.position.end_knowing(has_move) {
            self.orders[height] = Some(order);
            return value_of(outcome, self.position);
        }
        let before = known.and_then(|entry| entry.best).or(self.answer(height));
        let is_content = balance >= window.beta;
        let hints = Hints { before, killer: self.search.killers[height][0], is_content };
        order.begin(self.position, &self.search.material, hints);
        let (value, best) = self.highest(balance, depth, window, height, &mut order);
        self.orders[height] = Some(order);
        if remembers {
            let bound = match value {
                value if value <= window.alpha => Bound::AtMost,
                value if value >= window.beta => Bound::AtLeast,
                _ => Bound::Exact,
            };
            self.search.table.set(key, Entry { value, bound, depth: depth.plies, best });
        }
        value
    }

    /// The highest value among a node's moves, and the move; looking stops where the other side would not go.
    fn highest(
        &mut self,
        balance: i32,
        depth: Depth,
        window: Window,
        height: usize,
        order: &mut Ordering<W>,
    ) -> (i32, Option<Move>) {
        let (mut highest, mut best) = (-WIN - 1, None);
        while let Some((mv, gain)) = order.next_move(self.position, &self.search.material) {
            let asked = Window { alpha: window.alpha.max(highest), beta: window.beta };
            let value = match self.is_decided(balance + gain, depth, asked) {
                true => balance + gain,
                false => self.value_after(mv, balance + gain, depth, asked, height),
            };
            if value > highest {
                (highest, best) = (value, Some(mv));
            }
            if highest >= window.beta {
                self.remember_refutation(mv, height);
                break;
            }
        }
        (highest, best)
    }

    fn answer_slot(&self, height: usize) -> usize {
        let mixed = self.path[height - 1].to_bits().wrapping_mul(0x9E37_79B1) >> (32 - ANSWER_BITS);
        mixed as usize ^ self.position.turn().index()
    }

    /// What refuted the move that leads here, when it was played last.
    fn answer(&self, height: usize) -> Option<Move> {
        self.search.answers[self.answer_slot(height)]
    }

    fn remember_refutation(&mut self, mv: Move, height: usize) {
        let slot = self.answer_slot(height);
        self.search.answers[slot] = Some(mv);
        let [killer, older] = &mut self.search.killers[height];
        if *killer != Some(mv) {
            (*older, *killer) = (*killer, Some(mv));
        }
    }

    /// Whether a move that leaves its side with this balance needs not be played: it is the last that is looked at, or
    /// the other side would stand still after it and it would still not be enough.
    #[inline]
    fn is_decided(&self, balance: i32, depth: Depth, window: Window) -> bool {
        let is_last = depth.plies + depth.captures == 1;
        let leads_to_leaf = depth.plies <= 1;
        let only_counts =
            self.search.leaves == Leaves::CountMaterial && !self.search.material.counts_mobility();
        only_counts && leads_to_leaf && (is_last || balance <= window.alpha)
    }

    /// Material, unless the game is over or a capture does better than standing still.
    fn value_when_quiet(&mut self, balance: i32, depth: Depth, window: Window, height: usize) -> i32 {
        let sees_ends = self.search.leaves == Leaves::SeeEnds;
        let standing = balance + self.search.material.mobility(self.position);
        if depth.captures == 0 || standing >= window.beta {
            // Standing still is enough, unless the game is over; who may stand still need not list the moves.
            let ended = |position: &Position<W>| position.end_knowing(position.has_legal_move());
            let end = if sees_ends { ended(self.position) } else { None };
            return end.map_or(standing, |outcome| value_of(outcome, self.position));
        }
        let mut order = self.orders[height].take().unwrap_or_default();
        if sees_ends {
            let has_move = order.generate(self.position);
            if let Some(outcome) = self.position.end_knowing(has_move) {
                self.orders[height] = Some(order);
                return value_of(outcome, self.position);
            }
            order.begin_exchanges(self.position, &self.search.material);
        } else {
            order.begin_only_exchanges(self.position, &self.search.material);
        }
        let mut highest = standing;
        while highest < window.beta
            && let Some((mv, gain)) = order.next_exchange()
        {
            let asked = Window { alpha: window.alpha.max(highest), beta: window.beta };
            highest = highest.max(match self.is_decided(balance + gain, depth, asked) {
                true => balance + gain,
                false => self.value_after(mv, balance + gain, depth, asked, height),
            });
        }
        self.orders[height] = Some(order);
        highest
    }
}

fn value_of<W: Word>(outcome: Outcome, position: &Position<W>) -> i32 {
    match outcome.winner {
        None => DRAW,
        Some(winner) if winner == position.turn() => WIN,
        Some(_) => -WIN,
    }
}
