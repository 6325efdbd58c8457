//! Alpha-beta on material, with captures looked at beyond the depth, generic over games.
//!
//! In: a position, a depth. Out: its minimax value and every move that has it. Never: random numbers; who chooses among
//! equals is not asked here. Ends by repetition and by length are not looked at: they belong to the game.
//!
//! The set of best moves is the one of plain minimax: of every move is asked whether it is at least as good as the best
//! so far, and if it is, whether it is better; both questions have windows of no width. What is remembered is used only
//! for the same depth.

use ashta_position::{Move, MoveList, Outcome, Position, Word};
use ashta_rules::Rules;

use crate::ends::EndShape;
use crate::material::Material;
use crate::order::Ordering;
use crate::table::{Bound, Entry, TranspositionTable};
use crate::values::Values;

/// The value of a won game; a lost one is worth as much less than nothing.
pub const WIN: i32 = 1_000_000_000;
/// The value of a drawn game.
pub const DRAW: i32 = 0;

/// Positions remembered, as a power of two.
const TABLE_BITS: u32 = 14;

/// How deep to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// Plies in full width.
    pub plies: u8,
    /// Plies of captures and promotions after them.
    pub captures: u8,
}

/// A searcher; it keeps its memory between positions of one game.
#[derive(Debug)]
pub struct AlphaBeta {
    material: Material,
    shape: EndShape,
    table: TranspositionTable,
    nodes: Vec<Node>,
    n_nodes: u64,
}

/// What a node needs, kept by its distance from the root.
#[derive(Default, Debug)]
struct Node {
    moves: MoveList,
    order: Ordering,
    killer: Option<Move>,
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
    /// A searcher for a game.
    pub fn new(rules: &Rules, material: Material) -> AlphaBeta {
        let (table, shape) = (TranspositionTable::new(TABLE_BITS), EndShape::of(rules));
        AlphaBeta { material, shape, table, nodes: Vec::new(), n_nodes: 0 }
    }

    /// Other values from now on; what was found out with the old ones is forgotten.
    pub fn set_values(&mut self, rules: &Rules, values: Values) {
        self.material = Material::new(rules, values);
        self.forget();
    }

    /// What it thinks that pieces are worth.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Forgets what was found out, so that a game does not depend on those before it.
    pub fn forget(&mut self) {
        self.table.clear();
        self.nodes.iter_mut().for_each(|node| node.killer = None);
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
        let balance = self.material.balance(position);
        let mut order = std::mem::take(&mut self.node(0).order);
        let before = self.table.get(position.key()).and_then(|entry| entry.best);
        order.fill(position, &self.material, moves, before, None);
        let mut highest = -WIN - 1;
        while let Some((mv, gain)) = order.next_move() {
            let mut ask = |window| self.value_after(position, mv, balance + gain, depth, window, 0);
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
        self.node(0).order = order;
        // In the order of generation, so that whoever chooses does not depend on how it was searched.
        best.sort_by_key(|mv| moves.iter().position(|other| other == mv));
        highest
    }

    fn node(&mut self, height: usize) -> &mut Node {
        while self.nodes.len() <= height {
            self.nodes.push(Node::default());
        }
        &mut self.nodes[height]
    }

    /// The value of a move for who makes it; `balance` is that side's after the move.
    fn value_after<W: Word>(
        &mut self,
        position: &mut Position<W>,
        mv: Move,
        balance: i32,
        depth: Depth,
        window: Window,
        height: usize,
    ) -> i32 {
        let undo = position.play_unchecked(mv);
        let depth = match depth.plies {
            0 => Depth { plies: 0, captures: depth.captures.saturating_sub(1) },
            plies => Depth { plies: plies - 1, ..depth },
        };
        let value = -self.value(position, -balance, depth, window.turned(), height + 1);
        position.take_back(mv, undo);
        value
    }

    fn value<W: Word>(
        &mut self,
        position: &mut Position<W>,
        balance: i32,
        depth: Depth,
        window: Window,
        height: usize,
    ) -> i32 {
        self.n_nodes += 1;
        if depth.plies == 0 {
            return self.value_when_quiet(position, balance, depth, window, height);
        }
        let (key, remembers) = (position.key(), self.remembers(position, depth));
        let known = if remembers { self.table.get(key).copied() } else { None };
        if let Some(value) = known.and_then(|entry| entry.answers(depth.plies, window.alpha, window.beta)) {
            return value;
        }
        let mut moves = std::mem::take(&mut self.node(height).moves);
        moves.clear();
        position.generate(&mut moves);
        if let Some(outcome) = position.end_knowing(!moves.is_empty()) {
            self.nodes[height].moves = moves;
            return value_of(outcome, position);
        }
        let mut order = std::mem::take(&mut self.nodes[height].order);
        let killer = self.nodes[height].killer;
        order.fill(position, &self.material, &moves, known.and_then(|entry| entry.best), killer);
        let (value, best) = self.highest(position, balance, depth, window, height, &mut order);
        let node = &mut self.nodes[height];
        (node.moves, node.order) = (moves, order);
        if remembers {
            let bound = match value {
                value if value <= window.alpha => Bound::AtMost,
                value if value >= window.beta => Bound::AtLeast,
                _ => Bound::Exact,
            };
            self.table.set(key, Entry { value, bound, depth: depth.plies, best });
        }
        value
    }

    /// The highest value among a node's moves, and the move; looking stops where the other side would not go.
    fn highest<W: Word>(
        &mut self,
        position: &mut Position<W>,
        balance: i32,
        depth: Depth,
        window: Window,
        height: usize,
        order: &mut Ordering,
    ) -> (i32, Option<Move>) {
        let (mut highest, mut best) = (-WIN - 1, None);
        while let Some((mv, gain)) = order.next_move() {
            let asked = Window { alpha: window.alpha.max(highest), beta: window.beta };
            let value = self.value_after(position, mv, balance + gain, depth, asked, height);
            if value > highest {
                (highest, best) = (value, Some(mv));
            }
            if highest >= window.beta {
                self.nodes[height].killer = Some(mv);
                break;
            }
        }
        (highest, best)
    }

    /// Material, unless the game is over or a capture does better than standing still.
    fn value_when_quiet<W: Word>(
        &mut self,
        position: &mut Position<W>,
        balance: i32,
        depth: Depth,
        window: Window,
        height: usize,
    ) -> i32 {
        if depth.captures == 0 || balance >= window.beta {
            // Standing still is enough, unless the game is over; who may stand still need not list the moves.
            let end = position.end_knowing(position.has_legal_move());
            return end.map_or(balance, |outcome| value_of(outcome, position));
        }
        let mut moves = std::mem::take(&mut self.node(height).moves);
        moves.clear();
        position.generate(&mut moves);
        if let Some(outcome) = position.end_knowing(!moves.is_empty()) {
            self.nodes[height].moves = moves;
            return value_of(outcome, position);
        }
        let mut order = std::mem::take(&mut self.nodes[height].order);
        order.fill(position, &self.material, &moves, None, None);
        order.keep_exchanges();
        let raised = Window { alpha: window.alpha.max(balance), beta: window.beta };
        let (value, _) = self.highest(position, balance, depth, raised, height, &mut order);
        self.nodes[height].order = order;
        self.nodes[height].moves = moves;
        balance.max(value)
    }

    /// Whether a value may be remembered: the count of quiet plies is not in the key and must not matter.
    fn remembers<W: Word>(&self, position: &Position<W>, depth: Depth) -> bool {
        let plies = u32::from(depth.plies) + u32::from(depth.captures);
        let ends_soon = |quiet: u32| position.state().quiet() + plies >= quiet;
        depth.plies >= 2 && !self.shape.quiet_plies.is_some_and(ends_soon)
    }
}

fn value_of<W: Word>(outcome: Outcome, position: &Position<W>) -> i32 {
    match outcome.winner {
        None => DRAW,
        Some(winner) if winner == position.turn() => WIN,
        Some(_) => -WIN,
    }
}
