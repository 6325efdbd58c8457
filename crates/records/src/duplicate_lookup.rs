//! Looks up possible duplicates of a record by its moves and players.
//!
//! In: games in order of their numbers, each with its key and its players. Out: the first game that a record may
//! duplicate. Never: a search that grows with the collection, however many games have the same moves.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Games with the same moves that are all compared. Beyond this (`1. e4` and a forfeit) only games with the same
/// players are.
const MAX_SAME_MOVES: usize = 8;

/// Games with the same moves and players that are compared: only their dates differ.
const MAX_SAME_PLAYERS: usize = 64;

const NONE: u32 = u32::MAX;

#[derive(Default)]
pub struct GameLookup {
    /// By key of the moves: the first games, in order.
    by_moves: Chains,
    /// By key of the moves and players: the games beyond `MAX_SAME_MOVES`.
    by_players: Chains,
    n_games: usize,
}

/// Linked lists of games that share a key, each game in at most one.
#[derive(Default)]
struct Chains {
    heads: HashMap<u64, Chain>,
    /// The next game in the list, by game number.
    next: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Chain {
    first: u32,
    last: u32,
    length: u32,
}

impl Chains {
    fn length(&self, key: u64) -> usize {
        self.heads.get(&key).map_or(0, |chain| chain.length as usize)
    }

    fn push(&mut self, key: u64, game: u32) {
        match self.heads.entry(key) {
            Entry::Vacant(vacant) => _ = vacant.insert(Chain { first: game, last: game, length: 1 }),
            Entry::Occupied(mut chain) => {
                let chain = chain.get_mut();
                let last = std::mem::replace(&mut chain.last, game) as usize;
                chain.length += 1;
                if self.next.len() <= last {
                    self.next.resize(last + 1, NONE);
                }
                self.next[last] = game;
            }
        }
    }

    fn games(&self, key: u64) -> impl Iterator<Item = u32> + '_ {
        let first = self.heads.get(&key).map(|chain| chain.first);
        std::iter::successors(first, |game| {
            self.next.get(*game as usize).copied().filter(|next| *next != NONE)
        })
    }
}

impl GameLookup {
    /// Adds the next game; `players_key` is called only where many games have the same moves.
    pub fn push<E>(&mut self, key: u64, players_key: impl FnOnce() -> Result<u64, E>) -> Result<(), E> {
        let game = self.n_games as u32;
        self.n_games += 1;
        if self.by_moves.length(key) < MAX_SAME_MOVES {
            self.by_moves.push(key, game)
        } else {
            self.by_players.push(key ^ players_key()?, game)
        }
        Ok(())
    }

    /// The first game with these moves for which `is_same` holds.
    pub fn find<E>(
        &self,
        key: u64,
        players_key: impl FnOnce() -> u64,
        is_same: impl Fn(usize) -> Result<bool, E>,
    ) -> Result<Option<usize>, E> {
        let many_key = (self.by_moves.length(key) == MAX_SAME_MOVES).then(|| key ^ players_key());
        let same_players =
            many_key.into_iter().flat_map(|key| self.by_players.games(key).take(MAX_SAME_PLAYERS));
        for game in self.by_moves.games(key).chain(same_players).map(|game| game as usize) {
            if is_same(game)? {
                return Ok(Some(game));
            }
        }
        Ok(None)
    }
}
