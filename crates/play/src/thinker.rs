//! A player whose values may change while it plays: mates by checks first, then alpha-beta (paper 004).
//!
//! In: a position, values, random numbers. Out: a move. Never: how the values were found.

use ashta_position::{Move, Position, Word};
use ashta_rules::Rules;
use ashta_search::{AlphaBeta, Depth, Leaves, Material, Mates, Values};

use crate::random::Random;

/// How far it looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Plies in full width.
    pub depth: u8,
    /// Plies at which captures are looked at no further; those of full width are among them.
    pub quiescence: u8,
    /// Plies within which a mate by consecutive checks is looked for first.
    pub mate: u8,
}

/// The player.
#[derive(Debug)]
pub struct Thinker {
    search: AlphaBeta,
    mates: Mates,
    look: Look,
    best: Vec<Move>,
}

impl Thinker {
    /// Sits down to a game.
    pub fn new(rules: &Rules, values: Values, look: Look) -> Thinker {
        let search = AlphaBeta::with_leaves(rules, Material::new(rules, values), Leaves::CountMaterial);
        Thinker { search, mates: Mates::new(), look, best: Vec::new() }
    }

    /// Thinks that pieces are worth this from now on.
    pub fn set_values(&mut self, rules: &Rules, values: Values) {
        self.search.set_values(rules, values);
    }

    /// Forgets the game before, so that games do not depend on each other.
    pub fn begin_game(&mut self) {
        self.search.new_game();
    }

    /// Positions that its alpha-beta has looked at.
    pub fn n_nodes(&self) -> u64 {
        self.search.n_nodes()
    }

    /// A move, each of the best as likely as any other; `moves` are the legal moves.
    pub fn choose<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        random: &mut Random,
    ) -> Move {
        let best = &mut self.best;
        self.mates.mating_moves(position, moves, self.look.mate, best);
        if !best.is_empty() {
            return best[random.below(best.len() as u32) as usize];
        }
        // The first best one of the moves in random order is each of the best as often as any other.
        best.extend_from_slice(moves);
        for at in (1..best.len()).rev() {
            best.swap(at, random.below(at as u32 + 1) as usize);
        }
        let captures = self.look.quiescence.saturating_sub(self.look.depth);
        let depth = Depth { plies: self.look.depth, captures };
        self.search.first_best(position, best, depth).unwrap_or(Move::PASS)
    }
}
