//! One game from its start to its end, watched.
//!
//! In: a start, a player for each side, random numbers. Out: the outcome; every ply is shown to an observer. Never:
//! statistics.

use ashta_position::{Groups, Line, Move, MoveList, Outcome, Position, Seen, Word, play_randomly};

use crate::player::Player;
use crate::random::Random;

/// Who watches a game.
pub trait Observer<W> {
    /// A position in which a move is about to be made, what its legal moves told, and the move.
    fn ply(&mut self, line: &Line<W>, seen: Seen, mv: Move);
    /// Whether the game is to be broken off; asked before every ply of players that think.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Where games are played one after another, in memory that is used again.
pub struct Table<W> {
    start: Position<W>,
    line: Line<W>,
    groups: Groups<W>,
    moves: MoveList,
    thinking: Position<W>,
}

impl<W: Word> Table<W> {
    /// A table at which games begin from this position.
    pub fn new(start: Position<W>) -> Table<W> {
        let (line, thinking) = (Line::new(start.clone()), start.clone());
        Table { start, line, groups: Groups::new(), moves: MoveList::new(), thinking }
    }

    /// The line of the last game.
    pub fn line(&self) -> &Line<W> {
        &self.line
    }

    /// Sets the pieces up for a new game.
    pub fn begin(&mut self) {
        self.line.restart(&self.start);
    }

    /// Plays the game to its end, or to `max_plies` if its rules end it no sooner; nothing is then said of its outcome.
    pub fn play(
        &mut self,
        players: &mut [Player],
        max_plies: u32,
        random: &mut Random,
        observer: &mut impl Observer<W>,
    ) -> Option<Outcome> {
        players.iter_mut().for_each(Player::begin_game);
        if players.iter().all(Player::is_random) {
            return self.play_at_random(max_plies, random, observer);
        }
        for _ in 0..max_plies {
            if observer.is_cancelled() {
                return None;
            }
            self.moves.clear();
            self.line.position().generate(&mut self.moves);
            if let Some(outcome) = self.line.outcome_knowing(!self.moves.is_empty()) {
                return Some(outcome);
            }
            let player = &mut players[self.line.position().turn().index()];
            let mv = player.choose_on_line(&self.line, &mut self.thinking, &self.moves, random);
            let seen = Seen { n_moves: self.moves.len() as u32, is_check: None };
            observer.ply(&self.line, seen, mv);
            self.line.play_unchecked(mv);
        }
        self.line.outcome()
    }

    /// The same where nobody looks at the moves: they are counted, never listed.
    fn play_at_random(
        &mut self,
        max_plies: u32,
        random: &mut Random,
        observer: &mut impl Observer<W>,
    ) -> Option<Outcome> {
        let below = |n| random.below(n);
        let watch = |line: &Line<W>, seen, mv| observer.ply(line, seen, mv);
        play_randomly(&mut self.line, &mut self.groups, max_plies, below, watch)
    }
}
