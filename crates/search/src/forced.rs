//! Forced wins and losses within some plies, judged by won and lost ends alone (Takeshita and others, 2001; definition 1 of 001).
//!
//! In: a position, a depth. Out: whether the side to move wins or loses by force; the moves that the semi-random player
//! chooses among. Never: values of pieces. Ends by repetition and by length are not looked at: they belong to the game,
//! not to the position.
//!
//! Two questions answer each other: a side can win if some move leaves the other lost; it is lost if every move leaves
//! the other able to win. Most answers come from the first reply that refutes.

use ashta_position::{Move, MoveList, Position, Word};

use crate::ends::EndShape;
use crate::stop::StopFlag;

/// A solver of forced wins; its table is kept between searches.
#[derive(Debug)]
pub struct Forced {
    shape: EndShape,
    lists: Vec<MoveList>,
    table: AnswerTable,
    stop: StopFlag,
}

/// Answers given before, by key and depth.
#[derive(Debug)]
struct AnswerTable {
    /// A key mixed with the depth and the question, and the answer in the lowest bit.
    entries: Vec<u64>,
}

const TABLE_BITS: u32 = 14;

/// The two questions.
#[derive(Clone, Copy)]
enum Question {
    CanWin,
    IsLost,
}

impl AnswerTable {
    fn tag(key: u64, depth: u32, question: Question) -> u64 {
        let mixed = key ^ (u64::from(depth) * 2 + question as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed & !1
    }

    #[inline(always)]
    fn slot(tag: u64) -> usize {
        (tag >> (64 - TABLE_BITS)) as usize
    }

    fn get(&self, tag: u64) -> Option<bool> {
        let entry = self.entries[AnswerTable::slot(tag)];
        (entry & !1 == tag).then_some(entry & 1 == 1)
    }

    fn set(&mut self, tag: u64, answer: bool) {
        self.entries[AnswerTable::slot(tag)] = tag | u64::from(answer);
    }
}

impl Forced {
    /// A solver for a game whose ends are these.
    pub fn new(shape: EndShape) -> Forced {
        let table = AnswerTable { entries: vec![0; 1 << TABLE_BITS] };
        Forced { shape, lists: Vec::new(), table, stop: StopFlag::default() }
    }

    /// Breaks off what it is asked from now on when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    pub(crate) fn best_moves_generic<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        depth: u32,
        best: &mut Vec<Move>,
    ) {
        best.clear();
        if depth == 0 {
            best.extend_from_slice(moves);
            return;
        }
        self.keep(position, moves, best, |forced, after| forced.is_lost(after, depth - 1));
        if best.is_empty() {
            self.keep(position, moves, best, |forced, after| !forced.can_win(after, depth - 1));
        }
        if best.is_empty() {
            best.extend_from_slice(moves);
        }
    }

    fn keep<W: Word>(
        &mut self,
        position: &mut Position<W>,
        moves: &[Move],
        kept: &mut Vec<Move>,
        is_good: impl Fn(&mut Forced, &mut Position<W>) -> bool,
    ) {
        for mv in moves {
            let undo = position.play_unchecked(*mv);
            if is_good(self, position) {
                kept.push(*mv);
            }
            position.take_back(*mv, undo);
        }
    }

    /// Whether the side to move has won or can force a win within `depth` plies.
    pub fn can_win<W: Word>(&mut self, position: &mut Position<W>, depth: u32) -> bool {
        // A win comes with one's own move, unless the other side's own move may lose.
        let depth = if self.shape.own_move_may_lose || !depth.is_multiple_of(2) {
            depth
        } else {
            depth.saturating_sub(1)
        };
        if depth == 0 && !self.shape.own_move_may_lose {
            return false;
        }
        let mut moves = self.take_list();
        position.generate(&mut moves);
        let answer = match position.end_knowing(!moves.is_empty()) {
            Some(outcome) => outcome.winner == Some(position.turn()),
            None if depth == 0 => false,
            None => self.remembered(position, depth, Question::CanWin, |forced, position| {
                moves.iter().any(|mv| forced.after(position, *mv, |f, after| f.is_lost(after, depth - 1)))
            }),
        };
        self.lists.push(moves);
        answer
    }

    /// Whether the side to move has lost or loses by force within `depth` plies.
    pub fn is_lost<W: Word>(&mut self, position: &mut Position<W>, depth: u32) -> bool {
        let depth = if self.shape.own_move_may_lose || depth.is_multiple_of(2) { depth } else { depth - 1 };
        if depth == 0 {
            return self.shape.is_lost(position);
        }
        let mut moves = self.take_list();
        position.generate(&mut moves);
        let answer = match position.end_knowing(!moves.is_empty()) {
            Some(outcome) => outcome.winner.is_some_and(|winner| winner != position.turn()),
            None => self.remembered(position, depth, Question::IsLost, |forced, position| {
                moves.iter().all(|mv| forced.after(position, *mv, |f, after| f.can_win(after, depth - 1)))
            }),
        };
        self.lists.push(moves);
        answer
    }

    fn after<W: Word>(
        &mut self,
        position: &mut Position<W>,
        mv: Move,
        ask: impl FnOnce(&mut Forced, &mut Position<W>) -> bool,
    ) -> bool {
        let undo = position.play_unchecked(mv);
        let answer = ask(self, position);
        position.take_back(mv, undo);
        answer
    }

    /// Answers from memory, unless the count of quiet plies, which is not in the key, could matter.
    fn remembered<W: Word>(
        &mut self,
        position: &mut Position<W>,
        depth: u32,
        question: Question,
        ask: impl FnOnce(&mut Forced, &mut Position<W>) -> bool,
    ) -> bool {
        if self.stop.is_set() {
            return false;
        }
        let near_quiet_end =
            self.shape.quiet_plies.is_some_and(|plies| position.state().quiet() + depth >= plies);
        if near_quiet_end {
            return ask(self, position);
        }
        let tag = AnswerTable::tag(position.key(), depth, question);
        if let Some(answer) = self.table.get(tag) {
            return answer;
        }
        let answer = ask(self, position);
        self.table.set(tag, answer);
        answer
    }

    fn take_list(&mut self) -> MoveList {
        let mut list = self.lists.pop().unwrap_or_default();
        list.clear();
        list
    }
}
