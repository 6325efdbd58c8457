//! Book-wide facts: its size and its transpositions.
//!
//! In: one walk through a book. Out: its size, the lines to any position. Never: a second walk; books have many moves.

use std::collections::HashMap;

use ashta_position::Move;

#[derive(Debug)]
pub struct BookSurvey {
    root: u64,
    n_moves: usize,
    /// By position key: the moves that lead to it with the keys of their positions, the first found first.
    into: HashMap<u64, Vec<(u64, Move)>>,
}

impl BookSurvey {
    /// Of a book with this root, before its moves are added.
    pub fn new(root: u64) -> BookSurvey {
        BookSurvey { root, n_moves: 0, into: HashMap::new() }
    }

    /// Adds a move, in the order of a walk.
    pub fn add(&mut self, before: u64, mv: Move, after: u64) {
        self.n_moves += 1;
        self.into.entry(after).or_default().push((before, mv));
    }

    /// Reachable positions and moves.
    pub fn size(&self) -> (usize, usize) {
        let n_others = self.into.len() - usize::from(self.into.contains_key(&self.root));
        (n_others + 1, self.n_moves)
    }

    /// How many moves of the book lead to a position.
    pub fn n_ways_to(&self, key: u64) -> usize {
        self.into.get(&key).map_or(0, Vec::len)
    }

    /// Lines to a position, at most `max`: one for every move that leads to it.
    pub fn ways_to(&self, key: u64, max: usize) -> Vec<Vec<Move>> {
        let ways = self.into.get(&key).map_or(&[][..], Vec::as_slice);
        ways.iter().take(max).map(|(before, mv)| [self.first_line_to(*before), vec![*mv]].concat()).collect()
    }

    /// The first line found to a position: each move on it was found from a position found before.
    fn first_line_to(&self, key: u64) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = key;
        while at != self.root {
            let Some((before, mv)) = self.into.get(&at).and_then(|ways| ways.first()) else { break };
            line.push(*mv);
            at = *before;
        }
        line.reverse();
        line
    }
}
