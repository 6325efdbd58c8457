//! Opening drill: the program plays one side from the book and asks a person for the other side's moves.
//!
//! In: a book, a side, a random generator, answers. Out: questions, whether an answer is in the book, a score. Never: a
//! move that is not in the book.

use ashta_play::Random;
use ashta_position::{Game, Move};
use ashta_rules::Side;

use super::book::{Book, BookMove};

#[derive(Debug)]
pub struct Drill<'b> {
    book: &'b Book,
    game: Game,
    side: Side,
    /// Questions, and those answered right at the first try.
    asked: u32,
    right: u32,
    missed: bool,
}

impl<'b> Drill<'b> {
    pub fn new(book: &'b Book, side: Side) -> Drill<'b> {
        Drill { book, game: book.root(), side, asked: 0, right: 0, missed: false }
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn moves(&self) -> &[BookMove] {
        self.book.node(&self.game).map_or(&[], |node| node.moves.as_slice())
    }

    /// Plays the other side's moves until the next question; false if the line has ended.
    pub fn advance(&mut self, random: &mut Random, played: &mut Vec<Move>) -> bool {
        while !self.moves().is_empty() {
            if self.game.turn() == self.side {
                return true;
            }
            let mv = choose(self.moves(), random);
            self.game.play_unchecked(mv);
            played.push(mv);
        }
        false
    }

    /// Plays an answer and returns true if it is in the book.
    pub fn answer(&mut self, mv: Move) -> bool {
        let known = self.moves().iter().any(|known| known.mv == mv);
        if known {
            self.asked += 1;
            self.right += u32::from(!self.missed);
            self.missed = false;
            self.game.play_unchecked(mv);
        } else {
            self.missed = true;
        }
        known
    }

    /// Gives up on a question: plays and returns the book's first move.
    pub fn reveal(&mut self) -> Option<Move> {
        let mv = self.moves().first()?.mv;
        self.missed = true;
        self.answer(mv);
        Some(mv)
    }

    /// Right at the first try, and questions.
    pub fn score(&self) -> (u32, u32) {
        (self.right, self.asked)
    }
}

/// A random move weighted by frequency; uniform without statistics. Requires a move.
pub fn choose(moves: &[BookMove], random: &mut Random) -> Move {
    let weight = |known: &BookMove| known.stats.n.clamp(1, 1 << 20) as u32;
    let total: u32 = moves.iter().map(weight).sum();
    let mut at = random.below(total);
    for known in moves {
        if at < weight(known) {
            return known.mv;
        }
        at -= weight(known);
    }
    moves[0].mv
}
