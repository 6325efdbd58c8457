//! A work unit: a few games of one cell, determined by the plan and the number of the unit.
//!
//! In: a cell, a seed, the number of the unit. Out: its tally; the turns of any one game. Never: other units, threads.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_play::{GameRunner, LegalTurns, Observer, Playable, Random};
use ashta_position::{Answer, Contest, Game, Line, Move, Outcome, Position, Tables, Turn, with_tables};
use ashta_search::{SearchWord, StopFlag};

use crate::plan::{Cell, Experiment};
use crate::tally::UnitTally;
use crate::tally_observer::TallyObserver;

/// Plays a unit; `None` if cancelled.
pub fn play_unit(experiment: &Experiment, cell: usize, unit: u32, cancel: &AtomicBool) -> Option<UnitTally> {
    let cell = &experiment.cells[cell];
    let first = unit * cell.games_per_unit;
    let numbers = first..first + cell.games_per_unit;
    let games = CellGames { experiment, cell, numbers, stop: &StopFlag::default() };
    let observer = TallyObserver::new(&cell.lead, cell.rules.rules().kinds().len(), cancel);
    let observer = with_tables!(&cell.rules, tables => games.play(tables, observer));
    (!cancel.load(Ordering::Relaxed)).then(|| observer.into_tally())
}

/// Replays one game of a cell; only some of its turns if stopped.
pub fn replay(experiment: &Experiment, cell: usize, game: u32, stop: &StopFlag) -> Replay {
    let cell = &experiment.cells[cell];
    let games = CellGames { experiment, cell, numbers: game..game + 1, stop };
    let recorder = Recorder { replay: Replay::default(), stop };
    with_tables!(&cell.rules, tables => games.play(tables, recorder)).replay
}

/// A game played again.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Replay {
    pub moves: Vec<Move>,
    /// A contest in place of moves: throws and turns, `2-3:a1c3+b1c3`, and answers, `exchange` or `keep`.
    pub contest: Option<Vec<String>>,
    pub outcome: Option<Outcome>,
}

/// The start of a cell's games.
pub fn start(cell: &Cell) -> Game {
    Game::start(&cell.rules)
}

/// Some games of a cell.
struct CellGames<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    numbers: Range<u32>,
    stop: &'a StopFlag,
}

impl CellGames<'_> {
    fn play<W: SearchWord, O: Observer<Line<W>> + Observer<Contest<W>>>(
        self,
        tables: &Arc<Tables<W>>,
        mut observer: O,
    ) -> O {
        match Contest::start(tables.clone()) {
            Some(start) => self.play_from(start, &mut observer),
            None => self.play_from(Line::new(Position::start(tables.clone())), &mut observer),
        }
        observer
    }

    fn play_from<G: Playable>(self, start: G, observer: &mut impl Observer<G>) {
        let values = self.cell.values.as_ref();
        let players = self.cell.players.iter().map(|plan| start.player(plan, values, self.stop));
        let mut players: Vec<G::Player> =
            players.map(|player| player.expect("a plan's players are checked when it is compiled")).collect();
        let mut runner = GameRunner::new(start);
        let plan = &self.experiment.plan;
        for game in self.numbers {
            if observer.is_cancelled() {
                return;
            }
            let mut random = Random::of_game(plan.seed, self.cell.purpose, game.into());
            runner.play(&mut players, plan.max_plies, &mut random, observer);
        }
    }
}

struct Recorder<'a> {
    replay: Replay,
    stop: &'a StopFlag,
}

impl<W: SearchWord> Observer<Line<W>> for Recorder<'_> {
    fn is_cancelled(&self) -> bool {
        self.stop.is_set()
    }

    fn finish(&mut self, line: &Line<W>, outcome: Option<Outcome>) {
        (self.replay.moves, self.replay.outcome) = (line.moves().collect(), outcome);
    }
}

impl<W: SearchWord> Observer<Contest<W>> for Recorder<'_> {
    fn turn(&mut self, contest: &Contest<W>, _: &LegalTurns<W>, turn: Turn) {
        let roll = contest.turn_state().roll().map_or_else(String::new, |roll| format!("{roll}:"));
        self.replay.contest.get_or_insert_default().push(format!("{roll}{}", contest.turn_text(turn)));
    }

    fn answered(&mut self, answer: Answer) {
        let word = match answer {
            Answer::Exchange => "exchange",
            Answer::Keep => "keep",
        };
        self.replay.contest.get_or_insert_default().push(word.to_string());
    }

    fn is_cancelled(&self) -> bool {
        self.stop.is_set()
    }

    fn finish(&mut self, _: &Contest<W>, outcome: Option<Outcome>) {
        self.replay.contest.get_or_insert_default();
        self.replay.outcome = outcome;
    }
}
