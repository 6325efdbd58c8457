//! One contest from its start to its end, watched.

use ashta_position::{Answer, Contest, Outcome, Stage, Turn, Turns, Word};

use super::player::{ContestPlayer, safe_places};
use crate::random::Random;

/// Who watches a contest.
pub trait ContestObserver<W> {
    /// A contest in which a turn is about to be taken, what may be played in it, and the turn.
    fn turn(&mut self, contest: &Contest<W>, turns: &Turns<W>, turn: Turn);
    /// The contest after it.
    fn played(&mut self, contest: &Contest<W>);
    /// What a side said about an exchange.
    fn answered(&mut self, _answer: Answer) {}
    /// Whether the contest is to be broken off; asked before every turn.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Where contests are played one after another, in memory that is used again.
#[derive(Debug)]
pub struct ContestTable<W> {
    start: Contest<W>,
    contest: Contest<W>,
    turns: Turns<W>,
    list: Vec<Turn>,
    places: Vec<Turn>,
}

impl<W: Word> ContestTable<W> {
    /// A table at which contests begin so.
    pub fn new(start: Contest<W>) -> ContestTable<W> {
        let (contest, turns) = (start.clone(), Turns::new(&start));
        ContestTable { start, contest, turns, list: Vec::new(), places: Vec::new() }
    }

    /// The contest as it stands.
    pub fn contest(&self) -> &Contest<W> {
        &self.contest
    }

    /// Sets the pieces up anew.
    pub fn begin(&mut self) {
        self.contest.restart(&self.start);
    }

    /// Plays to the end, or to `max_turns` if the rules end it no sooner.
    pub fn play(
        &mut self,
        players: &mut [ContestPlayer<W>],
        max_turns: u32,
        random: &mut Random,
        observer: &mut impl ContestObserver<W>,
    ) -> Option<Outcome> {
        for _ in 0..max_turns {
            if observer.is_cancelled() {
                return None;
            }
            self.settle(players, random, observer);
            if let Some(outcome) = self.contest.outcome() {
                return Some(outcome);
            }
            let player = &mut players[self.contest.turn().index()];
            self.take_turn(player, random, observer);
        }
        self.contest.outcome()
    }

    /// Lets sides answer that are asked.
    fn settle(
        &mut self,
        players: &[ContestPlayer<W>],
        random: &mut Random,
        observer: &mut impl ContestObserver<W>,
    ) {
        while let Stage::Exchange(side) = self.contest.stage() {
            let answer = players[side.index()].answer(&mut self.contest, side, random);
            self.contest.answer(answer);
            observer.answered(answer);
        }
    }

    #[inline]
    fn take_turn(
        &mut self,
        player: &mut ContestPlayer<W>,
        random: &mut Random,
        observer: &mut impl ContestObserver<W>,
    ) {
        let n_rolls = self.turns.n_rolls();
        if n_rolls > 0 {
            let roll = self.turns.roll(random.below(n_rolls));
            self.contest.throw(roll);
        }
        let roll = self.contest.fate().roll();
        self.turns.look(&self.contest);
        let returning = self.contest.is_returning(self.contest.turn());
        let turn = if player.is_random() && !returning {
            self.turns.pick(&self.contest, roll, random.below(self.turns.count(roll)))
        } else {
            self.list.clear();
            self.turns.list(&self.contest, roll, &mut self.list);
            match returning {
                true => {
                    safe_places(&self.contest, &self.list, &mut self.places);
                    self.places[random.below(self.places.len() as u32) as usize % self.places.len()]
                }
                false => player.choose(&mut self.contest, &self.list, random),
            }
        };
        observer.turn(&self.contest, &self.turns, turn);
        self.contest.play_unchecked(turn);
        observer.played(&self.contest);
    }
}
