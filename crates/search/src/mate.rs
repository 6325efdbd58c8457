//! Mates by consecutive checks (Sasaki, about 2004; A2 of 004).
//!
//! In: a position, a number of plies. Out: whether the side to move mates by checks alone within them, and with which
//! first moves. Never: moves that give no check, values of pieces.
//!
//! Depth-first, the shortest mates first. A prototype of proof-number search (df-pn with the depth in its key) took 0.4 of
//! the time where shogi has a mate of 7 plies (12 problems), as long for one of 5, and mostly 1.6 to 25 times as long where
//! there is none, which is what players ask most; in chess 0.4 to 0.9, of microseconds. It was not kept; longer problems
//! may want it.

use ashta_position::{Move, MoveList, Position, Word};

use crate::stop::StopFlag;

/// A solver of mates; its transposition table is kept between searches.
#[derive(Default, Debug)]
pub struct Mates {
    lists: Vec<MoveList>,
    /// Positions of the side that checks, with the plies within which they are known to mate or not.
    entries: Vec<MateEntry>,
    stop: StopFlag,
}

#[derive(Clone, Copy, Default, Debug)]
struct MateEntry {
    key: u64,
    /// It mates within so many plies; 0 if that is not known.
    mates_within: u8,
    /// It does not mate within so many plies.
    not_within: u8,
}

const TABLE_BITS: u32 = 14;

impl Mates {
    /// A solver.
    pub fn new() -> Mates {
        Mates { entries: vec![MateEntry::default(); 1 << TABLE_BITS], ..Mates::default() }
    }

    /// Breaks off what it is asked from now on when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    pub(crate) fn mating_moves_generic<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        plies: u8,
        mating: &mut Vec<Move>,
    ) {
        mating.clear();
        for mv in moves {
            let undo = position.play_unchecked(*mv);
            if plies > 0 && position.is_in_check() && self.cannot_escape(position, plies - 1) {
                mating.push(*mv);
            }
            position.take_back(*mv, undo);
        }
    }

    /// Whether the side to move mates by consecutive checks within `plies` plies, its own first.
    pub fn mates<W: Word>(&mut self, position: &mut Position<W>, plies: u8) -> bool {
        if plies == 0 || self.stop.is_set() {
            return false;
        }
        let slot = (position.key() >> (64 - TABLE_BITS)) as usize;
        let entry = self.entries[slot];
        if entry.key == position.key() {
            if entry.mates_within != 0 && entry.mates_within <= plies {
                return true;
            }
            if entry.not_within >= plies {
                return false;
            }
        }
        let mut moves = self.take_list();
        position.generate(&mut moves);
        let mut found = false;
        // The shortest mates first: a mate in one is found without looking at what the others lead to.
        for within in (1..=plies).step_by(2) {
            found = moves.iter().any(|mv| {
                let undo = position.play_unchecked(*mv);
                let mates = position.is_in_check() && self.cannot_escape(position, within - 1);
                position.take_back(*mv, undo);
                mates
            });
            if found {
                break;
            }
        }
        self.lists.push(moves);
        let before = Some(self.entries[slot]).filter(|entry| entry.key == position.key()).unwrap_or_default();
        self.entries[slot] = match found {
            true => MateEntry { key: position.key(), mates_within: plies, ..before },
            false => MateEntry { key: position.key(), not_within: plies, ..before },
        };
        found
    }

    /// Whether the side in check is mated, or whatever it does is mated within `plies` plies.
    fn cannot_escape<W: Word>(&mut self, position: &mut Position<W>, plies: u8) -> bool {
        if plies < 2 {
            return !position.has_legal_move();
        }
        let mut replies = self.take_list();
        position.generate(&mut replies);
        let caught = replies.iter().all(|mv| {
            let undo = position.play_unchecked(*mv);
            let caught = self.mates(position, plies - 1);
            position.take_back(*mv, undo);
            caught
        });
        self.lists.push(replies);
        caught
    }

    fn take_list(&mut self) -> MoveList {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        list
    }
}
