//! A3 of Sasaki (about 2004; 004) for learning: mate search by checks, then alpha-beta on piece values that may change between moves.
//!
//! In: a position, values, random numbers. Out: a move. Never: how the values are learned.

use ashta_position::{Move, Position};
use ashta_rules::Rules;
use ashta_search::SearchWord;
use ashta_search::{AlphaBeta, Depth, Leaves, Material, Mates, Values};

use crate::random::Random;

/// Depths of the player's searches, in plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchDepths {
    /// Full width.
    pub depth: u8,
    /// End of the quiescence search, counted from the root.
    pub quiescence: u8,
    /// Mate search by consecutive checks.
    pub mate: u8,
}

#[derive(Debug)]
pub struct AlphaBetaPlayer {
    search: AlphaBeta,
    mates: Mates,
    depths: SearchDepths,
    best: Vec<Move>,
}

impl AlphaBetaPlayer {
    pub fn new(rules: &Rules, values: Values, depths: SearchDepths) -> AlphaBetaPlayer {
        let search = AlphaBeta::with_leaves(rules, Material::new(rules, values), Leaves::CountMaterial);
        AlphaBetaPlayer { search, mates: Mates::new(), depths, best: Vec::new() }
    }

    pub fn set_values(&mut self, rules: &Rules, values: Values) {
        self.search.set_values(rules, values);
    }

    /// Clears the search's state, so that games do not depend on each other.
    pub fn begin_game(&mut self) {
        self.search.new_game();
    }

    /// Nodes of the alpha-beta search; the mate search is not counted.
    pub fn n_nodes(&self) -> u64 {
        self.search.n_nodes()
    }

    /// A best move, uniformly at random; `moves` are the legal moves.
    pub fn choose<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        random: &mut Random,
    ) -> Move {
        let best = &mut self.best;
        self.mates.mating_moves(position, moves, self.depths.mate, best);
        if !best.is_empty() {
            return best[random.below(best.len() as u32) as usize];
        }
        // The first best move in random order is uniform among the best.
        best.extend_from_slice(moves);
        for at in (1..best.len()).rev() {
            best.swap(at, random.below(at as u32 + 1) as usize);
        }
        let captures = self.depths.quiescence.saturating_sub(self.depths.depth);
        let depth = Depth { plies: self.depths.depth, captures };
        self.search.first_best(position, best, depth).unwrap_or(Move::PASS)
    }
}
