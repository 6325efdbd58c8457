//! Exact alpha-beta on material with quiescence, generic over games.
//!
//! In: a position, a depth. Out: its minimax value and every move that has it. Never: random numbers; a choice among
//! equals; ends by repetition and by length, which belong to the game.
//!
//! The set of best moves is that of plain minimax: a null-window search asks of every move whether it is at least as good
//! as the best so far, a second one whether it is better. Table entries are used only for the same depth.

mod first_best;
mod last_ply;

use ashta_position::{Move, Outcome, Position, Word};
use ashta_rules::Rules;

use crate::ends::EndShape;
use crate::material::Material;
use crate::order::{Ordering, OrderingHints};
use crate::stop::StopFlag;
use crate::transposition::{Entry, TranspositionTable};
use crate::values::Values;
use crate::window::Window;

/// The value of a won game; a lost one is worth as much less than nothing.
pub const WIN: i32 = 1_000_000_000;
/// The value of a drawn game.
pub const DRAW: i32 = 0;

/// Table entries, as a power of two.
const TABLE_BITS: u32 = 14;
/// Steps between eras: odd, and far from any pattern of keys.
const ERA: u64 = 0x9E37_79B9_7F4A_7C15;
/// Countermoves, as a power of two.
const COUNTERMOVE_BITS: u32 = 12;

/// Search depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// Full-width plies.
    pub plies: u8,
    /// Quiescence plies after them.
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

/// What is evaluated at the leaves of the full-width search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// Whether the game is over there.
    SeeEnds,
    /// Nothing but material: mates beyond the full width are left to a mate search. Several times as fast, as a quiet
    /// last move need not be played.
    CountMaterial,
}

/// An exact searcher; its table is kept between the positions of one game.
#[derive(Debug)]
pub struct AlphaBeta {
    material: Material,
    shape: EndShape,
    leaves: Leaves,
    table: TranspositionTable<1>,
    /// Mixed into the keys: a new one invalidates all entries at once.
    era: u64,
    /// By ply.
    killers: Vec<[Option<Move>; 2]>,
    /// By a hash of the previous move.
    countermoves: Vec<Option<Move>>,
    n_nodes: u64,
    stop: StopFlag,
}

impl AlphaBeta {
    /// A searcher for a game, which sees ends wherever it looks.
    pub fn new(rules: &Rules, material: Material) -> AlphaBeta {
        AlphaBeta::with_leaves(rules, material, Leaves::SeeEnds)
    }

    /// A searcher for a game.
    pub fn with_leaves(rules: &Rules, material: Material, leaves: Leaves) -> AlphaBeta {
        let (table, shape) = (TranspositionTable::new(1 << TABLE_BITS), EndShape::of(rules));
        let countermoves = vec![None; 1 << COUNTERMOVE_BITS];
        let (killers, stop) = (Vec::new(), StopFlag::default());
        AlphaBeta { material, shape, leaves, table, era: 0, killers, countermoves, n_nodes: 0, stop }
    }

    /// Aborts searches when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// Replaces the piece values and clears the table.
    pub fn set_values(&mut self, rules: &Rules, values: Values) {
        self.material = Material::new(rules, values);
        self.next_era();
    }

    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Clears table, killers and countermoves, so that games do not depend on each other.
    pub fn new_game(&mut self) {
        self.next_era();
        self.killers.fill([None; 2]);
        self.countermoves.fill(None);
    }

    /// Invalidates all table entries without touching them: most games are shorter than that.
    fn next_era(&mut self) {
        self.era = self.era.wrapping_add(ERA) & (u64::MAX >> TABLE_BITS);
    }

    /// The key of a position in the table: its lowest bits choose the slot, in every era the same.
    fn table_key<W: Word>(&self, position: &Position<W>) -> u64 {
        position.key().rotate_right(TABLE_BITS) ^ self.era
    }

    /// Nodes searched since the searcher was made.
    pub fn n_nodes(&self) -> u64 {
        self.n_nodes
    }

    pub(crate) fn best_moves_generic<W: Word>(
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
        // In the order of generation, so that a random choice does not depend on the search.
        best.sort_by_key(|mv| moves.iter().position(|other| other == mv));
        highest
    }

    pub(crate) fn first_best_generic<W: Word>(
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

    fn tree<'a, W: Word>(&'a mut self, position: &'a mut Position<W>, depth: Depth) -> ExactTree<'a, W> {
        let n_plies = usize::from(depth.plies) + usize::from(depth.captures) + 2;
        if self.killers.len() < n_plies {
            self.killers.resize(n_plies, [None; 2]);
        }
        let (orders, path) = ((0..n_plies).map(|_| None).collect(), vec![Move::PASS; n_plies]);
        let balance = self.material.balance(position);
        ExactTree { search: self, position, orders, path, balance, depth }
    }

    /// Whether the table may be used: the count of quiet plies is not in the key and must not matter.
    fn uses_table<W: Word>(&self, position: &Position<W>, depth: Depth) -> bool {
        let plies = u32::from(depth.plies) + u32::from(depth.captures);
        let ends_soon = |quiet: u32| position.state().quiet() + plies >= quiet;
        depth.plies >= 2 && !self.shape.quiet_plies.is_some_and(ends_soon)
    }
}

/// One search from a root position.
struct ExactTree<'a, W> {
    search: &'a mut AlphaBeta,
    position: &'a mut Position<W>,
    /// By ply; boxed, as they are taken out while in use.
    orders: Vec<Option<Box<Ordering<W>>>>,
    /// The moves from the root, by ply.
    path: Vec<Move>,
    /// Material balance of the root for the side to move.
    balance: i32,
    depth: Depth,
}

impl<W: Word> ExactTree<'_, W> {
    fn best_moves(&mut self, best: &mut Vec<Move>) -> i32 {
        let mut order = self.root_order();
        let mut highest = -WIN - 1;
        while let Some((mv, gain)) = order.next_move(self.position, &self.search.material) {
            let mut search_window = |window| self.value_at_root(mv, gain, window);
            if highest >= -WIN && search_window(Window::null_below(highest)) < highest {
                continue;
            }
            if highest >= -WIN && search_window(Window::null_below(highest + 1)) <= highest {
                best.push(mv);
                continue;
            }
            highest = search_window(Window { alpha: highest, beta: WIN + 1 });
            best.clear();
            best.push(mv);
        }
        highest
    }

    fn root_order(&mut self) -> Box<Ordering<W>> {
        let mut order = self.orders[0].take().unwrap_or_default();
        order.generate(self.position);
        let key = self.search.table_key(self.position);
        let hash_move = self.search.table.get(key).and_then(|entry| entry.best);
        order.begin(
            self.position,
            &self.search.material,
            OrderingHints { hash_move, ..OrderingHints::default() },
        );
        order
    }

    fn value_at_root(&mut self, mv: Move, gain: i32, window: Window) -> i32 {
        self.value_after(mv, self.balance + gain, self.depth, window, 0)
    }

    /// The value of a move for the side that makes it; `balance` is that side's after the move.
    #[inline]
    fn value_after(&mut self, mv: Move, balance: i32, depth: Depth, window: Window, ply: usize) -> i32 {
        self.path[ply] = mv;
        let undo = self.position.play_unchecked(mv);
        let value = -self.value(-balance, depth.after_a_move(), window.negated(), ply + 1);
        self.position.take_back(mv, undo);
        value
    }

    fn value(&mut self, balance: i32, depth: Depth, window: Window, ply: usize) -> i32 {
        self.search.n_nodes += 1;
        if self.search.stop.is_set() {
            return balance;
        }
        if depth.plies <= 1 && self.only_counts() {
            return match depth.plies {
                0 => self.value_of_captures(balance, depth, window, ply),
                _ => self.value_of_last_ply(balance, depth, window, ply),
            };
        }
        if depth.plies == 0 {
            return self.quiescence(balance, depth, window, ply);
        }
        let (key, uses_table) =
            (self.search.table_key(self.position), self.search.uses_table(self.position, depth));
        let entry = if uses_table { self.search.table.get(key) } else { None };
        // Entries answer only searches of the same depth, so that values stay exact.
        let same_depth = entry.filter(|entry| entry.depth == depth.plies);
        if let Some(value) = same_depth.and_then(|entry| window.cutoff_by(&entry)) {
            return value;
        }
        let mut order = self.orders[ply].take().unwrap_or_default();
        let has_move = order.generate(self.position);
        if let Some(outcome) = self.position.end_knowing(has_move) {
            self.orders[ply] = Some(order);
            return value_of(outcome, self.position);
        }
        let hash_move = entry.and_then(|entry| entry.best).or(self.countermove(ply));
        let is_content = balance >= window.beta;
        let hints = OrderingHints { hash_move, killer: self.search.killers[ply][0], is_content };
        order.begin(self.position, &self.search.material, hints);
        let (value, best) = self.highest(balance, depth, window, ply, &mut order);
        self.orders[ply] = Some(order);
        if uses_table {
            let bound = window.bound_of(value);
            self.search.table.set(key, &Entry { value, bound, depth: depth.plies, best });
        }
        value
    }

    /// The highest value among a node's moves, and the move; stops at a beta cutoff.
    fn highest(
        &mut self,
        balance: i32,
        depth: Depth,
        window: Window,
        ply: usize,
        order: &mut Ordering<W>,
    ) -> (i32, Option<Move>) {
        let (mut highest, mut best) = (-WIN - 1, None);
        while let Some((mv, gain)) = order.next_move(self.position, &self.search.material) {
            let rest = Window { alpha: window.alpha.max(highest), beta: window.beta };
            let value = match self.is_decided(balance + gain, depth, rest) {
                true => balance + gain,
                false => self.value_after(mv, balance + gain, depth, rest, ply),
            };
            if value > highest {
                (highest, best) = (value, Some(mv));
            }
            if highest >= window.beta {
                self.record_cutoff(mv, ply);
                break;
            }
        }
        (highest, best)
    }

    fn countermove_slot(&self, ply: usize) -> usize {
        let mixed = self.path[ply - 1].to_bits().wrapping_mul(0x9E37_79B1) >> (32 - COUNTERMOVE_BITS);
        mixed as usize ^ self.position.turn().index()
    }

    fn countermove(&self, ply: usize) -> Option<Move> {
        self.search.countermoves[self.countermove_slot(ply)]
    }

    fn record_cutoff(&mut self, mv: Move, ply: usize) {
        let slot = self.countermove_slot(ply);
        self.search.countermoves[slot] = Some(mv);
        let [killer, older] = &mut self.search.killers[ply];
        if *killer != Some(mv) {
            (*older, *killer) = (*killer, Some(mv));
        }
    }

    /// Whether a move that leaves its side with this balance need not be played: it is the last ply, or it fails low
    /// even if the other side stands pat.
    #[inline]
    fn is_decided(&self, balance: i32, depth: Depth, window: Window) -> bool {
        let is_last = depth.plies + depth.captures == 1;
        let leads_to_leaf = depth.plies <= 1;
        let only_counts =
            self.search.leaves == Leaves::CountMaterial && !self.search.material.counts_mobility();
        only_counts && leads_to_leaf && (is_last || balance <= window.alpha)
    }

    /// Quiescence: stand pat or capture, unless the game is over.
    fn quiescence(&mut self, balance: i32, depth: Depth, window: Window, ply: usize) -> i32 {
        let sees_ends = self.search.leaves == Leaves::SeeEnds;
        let stand_pat = balance + self.search.material.mobility(self.position);
        if depth.captures == 0 || stand_pat >= window.beta {
            // Standing pat suffices unless the game is over; then moves need not be listed.
            let ended = |position: &Position<W>| position.end_knowing(position.has_legal_move());
            let end = if sees_ends { ended(self.position) } else { None };
            return end.map_or(stand_pat, |outcome| value_of(outcome, self.position));
        }
        let mut order = self.orders[ply].take().unwrap_or_default();
        if sees_ends {
            let has_move = order.generate(self.position);
            if let Some(outcome) = self.position.end_knowing(has_move) {
                self.orders[ply] = Some(order);
                return value_of(outcome, self.position);
            }
            order.begin_exchanges(self.position, &self.search.material);
        } else {
            order.begin_only_exchanges(self.position, &self.search.material);
        }
        let mut highest = stand_pat;
        while highest < window.beta
            && let Some((mv, gain)) = order.next_exchange()
        {
            let rest = Window { alpha: window.alpha.max(highest), beta: window.beta };
            highest = highest.max(match self.is_decided(balance + gain, depth, rest) {
                true => balance + gain,
                false => self.value_after(mv, balance + gain, depth, rest, ply),
            });
        }
        self.orders[ply] = Some(order);
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
