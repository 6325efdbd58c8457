//! Counting sequences of throws and turns.

use super::compiled::ContestWord;
use super::{Answer, Contest, Stage, Turns};

impl<W: ContestWord> Contest<W> {
    /// How many sequences of `depth` throws and turns follow; both answers to a question count, and take no depth.
    pub fn perft(&mut self, turns: &mut Turns<W>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome().is_some() {
            return 0;
        }
        if matches!(self.stage(), Stage::Exchange(_)) {
            let after = |contest: &mut Contest<W>, answer, turns: &mut Turns<W>| {
                let mark = contest.answer(answer);
                let nodes = contest.perft(turns, depth);
                contest.take_back(mark);
                nodes
            };
            return after(self, Answer::Exchange, turns) + after(self, Answer::Keep, turns);
        }
        let rolls = match (self.stage(), self.turn_state.roll()) {
            (Stage::Turn, roll) => vec![roll],
            _ => turns.rolls().map(Some).collect(),
        };
        let mut nodes = 0;
        let mut list = Vec::new();
        for roll in rolls {
            let mark = self.mark();
            self.turn_state.roll = roll;
            turns.look(self);
            if depth == 1 {
                nodes += u64::from(turns.count(roll));
            } else {
                turns.list(self, roll, &mut list);
                for turn in list.drain(..) {
                    let before = self.play_unchecked(turn);
                    nodes += self.perft(turns, depth - 1);
                    self.take_back(before);
                }
            }
            self.take_back(mark);
        }
        nodes
    }
}
