//! Plays one contest from its start to its end.

use ashta_position::{Answer, Contest, Outcome, Stage, Turn, Turns};
use ashta_search::SearchWord;

use super::player::{ContestPlayer, safe_places};
use crate::random::Random;

/// Receives the turns of a contest.
pub trait ContestObserver<W> {
    /// Called before each turn is played.
    fn turn(&mut self, contest: &Contest<W>, turns: &Turns<W>, turn: Turn);
    /// Called after each turn.
    fn played(&mut self, contest: &Contest<W>);
    /// Called after a side accepts or declines an exchange of captives.
    fn answered(&mut self, _answer: Answer) {}
    /// Aborts the contest if true; called before every turn.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Plays contests one after another in the same buffers.
#[derive(Debug)]
pub struct ContestRunner<W> {
    start: Contest<W>,
    contest: Contest<W>,
    turns: Turns<W>,
    list: Vec<Turn>,
    places: Vec<Turn>,
}

impl<W: SearchWord> ContestRunner<W> {
    pub fn new(start: Contest<W>) -> ContestRunner<W> {
        let (contest, turns) = (start.clone(), Turns::new(&start));
        ContestRunner { start, contest, turns, list: Vec::new(), places: Vec::new() }
    }

    pub fn contest(&self) -> &Contest<W> {
        &self.contest
    }

    /// Resets to the start position.
    pub fn begin(&mut self) {
        self.contest.restart(&self.start);
    }

    /// Plays to the end; `None` if it lasts longer than `max_turns` or is aborted.
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
            self.answer_exchanges(players, random, observer);
            if let Some(outcome) = self.contest.outcome() {
                return Some(outcome);
            }
            let player = &mut players[self.contest.turn().index()];
            self.take_turn(player, random, observer);
        }
        self.contest.outcome()
    }

    /// Asks the players about pending exchanges.
    fn answer_exchanges(
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
        let roll = self.contest.turn_state().roll();
        self.turns.look(&self.contest);
        let returning = self.contest.is_returning(self.contest.turn());
        let turn = if player.is_random() && !returning {
            self.turns.pick(&self.contest, roll, random.below(self.turns.count(roll)))
        } else {
            self.list.clear();
            self.turns.list(&self.contest, roll, &mut self.list);
            if returning {
                safe_places(&self.contest, &self.list, &mut self.places);
                self.places[random.below(self.places.len() as u32) as usize % self.places.len()]
            } else {
                player.choose(&mut self.contest, &self.list, random)
            }
        };
        observer.turn(&self.contest, &self.turns, turn);
        self.contest.play_unchecked(turn);
        observer.played(&self.contest);
    }
}
