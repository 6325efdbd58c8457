//! Mate in one, the most frequent question of a mate search.
//!
//! In: a position of a game that only mate decides. Out: whether some check mates. Never: moves that give no check:
//! groups of moves are filtered by their target squares before any move is listed.

use ashta_position::{Move, MoveGroups, Position};
use ashta_search::SearchWord;

use super::checks::{Check, CheckTables};
use super::transposition::MateTranspositionTable;

pub struct MateInOne<W> {
    /// Small, so that it stays in the cache.
    table: MateTranspositionTable,
    groups: MoveGroups<W>,
    candidates: Vec<Move>,
}

/// The size of the table as a power of two.
const BITS: u32 = 14;

impl<W: SearchWord> MateInOne<W> {
    pub fn new() -> MateInOne<W> {
        let table = MateTranspositionTable::new(BITS, BITS);
        MateInOne { table, groups: MoveGroups::new(), candidates: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Whether some check mates; `key` stands for the position.
    #[inline]
    pub fn exists(&mut self, checks: &CheckTables<W>, position: &mut Position<W>, key: u64) -> bool {
        let bounds = self.table.get(key);
        bounds.answers(1).unwrap_or_else(|| {
            let mates = self.search(checks, position);
            self.table.store(bounds.with(1, mates));
            mates
        })
    }

    fn search(&mut self, checks: &CheckTables<W>, position: &mut Position<W>) -> bool {
        self.groups.clear();
        position.generate(&mut self.groups);
        self.candidates.clear();
        let checks = checks.of(position);
        checks.for_each_candidate(position, &self.groups, |mv| self.candidates.push(mv));
        self.candidates.iter().any(|mv| {
            let check = checks.check(position, *mv);
            if check == Check::No {
                return false;
            }
            let undo = position.play_unchecked(*mv);
            let mated = (check == Check::Yes || position.is_in_check()) && !position.has_legal_move();
            position.take_back(*mv, undo);
            mated
        })
    }
}
