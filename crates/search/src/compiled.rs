//! What other crates call of the searches: compiled here, once for each word.
//!
//! In: positions, lines, contests. Out: calls of the generic searches, which no other crate compiles again. Never: a search.

use ashta_position::{Contest, ContestWord, Line, Move, Position, Turn, compile_per_word};

use crate::alpha_beta::{AlphaBeta, Depth};
use crate::baba::{Baba, Parts, Points};
use crate::contest::{Expectimax, RoyalHunt};
use crate::engine::{Engine, Limits, SearchControl, SearchInfo};
use crate::forced::Forced;
use crate::mate::Mates;

compile_per_word! {
    /// A word that searches are compiled for.
    pub trait SearchWord: ContestWord {
        fn search(engine: &mut Engine, line: &Line<Self>, limits: &Limits, control: SearchControl<'_>, on_iteration: &mut dyn FnMut(&SearchInfo)) -> SearchInfo = Engine::search_generic;
        fn exact_best_moves(search: &mut AlphaBeta, position: &mut Position<Self>, moves: &[Move], depth: Depth, best: &mut Vec<Move>) -> i32 = AlphaBeta::best_moves_generic;
        fn exact_first_best(search: &mut AlphaBeta, position: &mut Position<Self>, moves: &[Move], depth: Depth) -> Option<Move> = AlphaBeta::first_best_generic;
        fn forced_moves(forced: &mut Forced, position: &mut Position<Self>, moves: &[Move], depth: u32, best: &mut Vec<Move>) -> () = Forced::best_moves_generic;
        fn mating_moves(mates: &mut Mates, position: &mut Position<Self>, moves: &[Move], plies: u8, mating: &mut Vec<Move>) -> () = Mates::mating_moves_generic;
        fn baba_best_moves(baba: &mut Baba, position: &mut Position<Self>, moves: &[Move], plies: u8, best: &mut Vec<Move>) -> i32 = Baba::best_moves_generic;
        fn baba_points(baba: &mut Baba, position: &mut Position<Self>, mv: Move, plies: u8, depth: i32) -> i32 = Baba::points_of_generic;
        fn parts_of_move(points: &Points, position: &mut Position<Self>, mv: Move) -> Parts = Points::of_move_generic;
        fn hunting_turns(hunt: &mut RoyalHunt<Self>, contest: &mut Contest<Self>, all: &[Turn], best: &mut Vec<Turn>) -> () = RoyalHunt::best_turns_generic;
        fn expected_turns(search: &mut Expectimax<Self>, contest: &mut Contest<Self>, all: &[Turn], best: &mut Vec<Turn>) -> f64 = Expectimax::best_turns_generic;
    }
}

impl Engine {
    /// Searches the position of a line; `on_iteration` is called after every completed iteration.
    pub fn search<W: SearchWord>(
        &mut self,
        line: &Line<W>,
        limits: &Limits,
        control: SearchControl<'_>,
        mut on_iteration: impl FnMut(&SearchInfo),
    ) -> SearchInfo {
        W::search(self, line, limits, control, &mut on_iteration)
    }
}

impl AlphaBeta {
    /// Every move of `moves`, the legal moves, whose minimax value is the highest, and that value.
    pub fn best_moves<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        depth: Depth,
        best: &mut Vec<Move>,
    ) -> i32 {
        W::exact_best_moves(self, position, moves, depth, best)
    }

    /// The first of `moves`, the legal moves in any order, that [`AlphaBeta::best_moves`] would give. To choose uniformly
    /// among the best, shuffle first: this is faster than finding all of them.
    pub fn first_best<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        depth: Depth,
    ) -> Option<Move> {
        W::exact_first_best(self, position, moves, depth)
    }
}

impl Forced {
    /// The moves among which the semi-random player of a depth chooses: those that win by force; if none does, those
    /// that do not lose by force; if all do, all of `moves`, which are the legal moves.
    pub fn best_moves<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        depth: u32,
        best: &mut Vec<Move>,
    ) {
        W::forced_moves(self, position, moves, depth, best);
    }
}

impl Mates {
    /// Every move of `moves`, the legal moves, that mates by consecutive checks within `plies` plies.
    pub fn mating_moves<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        plies: u8,
        mating: &mut Vec<Move>,
    ) {
        W::mating_moves(self, position, moves, plies, mating);
    }
}

impl Baba {
    /// Every move of `moves`, the legal moves, that has most points within `plies` plies, and the points.
    pub fn best_moves<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        plies: u8,
        best: &mut Vec<Move>,
    ) -> i32 {
        W::baba_best_moves(self, position, moves, plies, best)
    }

    /// The true points of a move: its own, minus the best that the other side can then have.
    pub fn points_of<W: SearchWord>(
        &mut self,
        position: &mut Position<W>,
        mv: Move,
        plies: u8,
        depth: i32,
    ) -> i32 {
        W::baba_points(self, position, mv, plies, depth)
    }
}

impl Points {
    /// The points of a legal move.
    pub fn of_move<W: SearchWord>(&self, position: &mut Position<W>, mv: Move) -> Parts {
        W::parts_of_move(self, position, mv)
    }
}

impl<W: SearchWord> RoyalHunt<W> {
    /// The best of the legal turns `all`, of a contest whose dice are thrown.
    #[inline]
    pub fn best_turns(&mut self, contest: &mut Contest<W>, all: &[Turn], best: &mut Vec<Turn>) {
        W::hunting_turns(self, contest, all, best);
    }
}

impl<W: SearchWord> Expectimax<W> {
    /// The best of the legal turns `all`; returns what they are expected to be worth to the side to move.
    #[inline]
    pub fn best_turns(&mut self, contest: &mut Contest<W>, all: &[Turn], best: &mut Vec<Turn>) -> f64 {
        W::expected_turns(self, contest, all, best)
    }
}
