//! A work unit: a few games of one cell, determined by the plan and the number of the unit.
//!
//! In: a cell, a seed, the number of the unit. Out: its tally; the moves of any one game. Never: other units, threads.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ashta_play::{ContestObserver, ContestPlayer, ContestRunner, GameRunner, Player, Random};
use ashta_position::{Answer, CompiledRules, Contest, Game, Move, Outcome, Position, Tables, Turn, Turns};
use ashta_search::StopFlag;

use crate::contest::ContestTallyObserver;
use crate::plan::{Cell, Experiment};
use crate::tally::UnitTally;
use crate::tally_observer::TallyObserver;

/// Plays a unit; `None` if cancelled.
pub fn play_unit(experiment: &Experiment, cell: usize, unit: u32, cancel: &AtomicBool) -> Option<UnitTally> {
    let unit_runner = UnitRunner { experiment, cell: &experiment.cells[cell], cancel };
    match &unit_runner.cell.rules {
        CompiledRules::W64(tables) => unit_runner.play(tables, unit),
        CompiledRules::W128(tables) => unit_runner.play(tables, unit),
        CompiledRules::W256(tables) => unit_runner.play(tables, unit),
    }
}

/// Replays one game of a cell for its moves; only some of them if stopped.
pub fn replay(
    experiment: &Experiment,
    cell: usize,
    game: u32,
    stop: &StopFlag,
) -> (Vec<Move>, Option<Outcome>) {
    let cell = &experiment.cells[cell];
    let replay =
        Replay { unit_runner: UnitRunner { experiment, cell, cancel: &AtomicBool::new(false) }, stop };
    match &cell.rules {
        CompiledRules::W64(tables) => replay.play(tables, game),
        CompiledRules::W128(tables) => replay.play(tables, game),
        CompiledRules::W256(tables) => replay.play(tables, game),
    }
}

/// Replays one contest of a cell for its turns; `None` if the game is no contest.
pub fn replay_contest(
    experiment: &Experiment,
    cell: usize,
    game: u32,
    stop: &StopFlag,
) -> Option<ContestRecord> {
    let cell = &experiment.cells[cell];
    let replay =
        Replay { unit_runner: UnitRunner { experiment, cell, cancel: &AtomicBool::new(false) }, stop };
    match &cell.rules {
        CompiledRules::W64(tables) => replay.play_contest(tables, game),
        CompiledRules::W128(tables) => replay.play_contest(tables, game),
        CompiledRules::W256(tables) => replay.play_contest(tables, game),
    }
}

/// A contest as text: throws and turns, `2-3:a1c3+b1c3`, and answers, `exchange` or `keep`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ContestRecord {
    pub words: Vec<String>,
    pub outcome: Option<Outcome>,
}

struct ContestRecorder<'a> {
    record: ContestRecord,
    stop: &'a StopFlag,
}

impl<W: SearchWord> ContestObserver<W> for ContestRecorder<'_> {
    fn turn(&mut self, contest: &Contest<W>, _: &Turns<W>, turn: Turn) {
        let roll = contest.turn_state().roll().map_or_else(String::new, |roll| format!("{roll}:"));
        self.record.words.push(format!("{roll}{}", contest.turn_text(turn)));
    }

    fn played(&mut self, _: &Contest<W>) {}

    fn answered(&mut self, answer: Answer) {
        self.record.words.push(match answer {
            Answer::Exchange => "exchange".to_string(),
            Answer::Keep => "keep".to_string(),
        });
    }

    fn is_cancelled(&self) -> bool {
        self.stop.is_set()
    }
}

/// The start of a cell's games.
pub fn start(cell: &Cell) -> Game {
    Game::start(&cell.rules)
}

struct UnitRunner<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    cancel: &'a AtomicBool,
}

impl UnitRunner<'_> {
    fn players(&self) -> Vec<Player> {
        let rules = self.cell.rules.rules();
        let players =
            self.cell.players.iter().map(|plan| Player::new(plan, rules, self.cell.values.as_ref()));
        players.map(|player| player.expect("a plan's players are checked when it is compiled")).collect()
    }

    fn random(&self, game: u32) -> Random {
        Random::of_game(self.experiment.plan.seed, self.cell.purpose, game.into())
    }

    fn play<W: SearchWord>(&self, tables: &Arc<Tables<W>>, unit: u32) -> Option<UnitTally> {
        if let Some(start) = Contest::start(tables.clone()) {
            return self.play_contests(start, unit);
        }
        let mut observer = TallyObserver::new(&self.cell.lead, tables.rules.kinds().len(), self.cancel);
        let mut runner = GameRunner::new(Position::start(tables.clone()));
        let mut players = self.players();
        let first = unit * self.cell.games_per_unit;
        for game in first..first + self.cell.games_per_unit {
            runner.begin();
            observer.begin(runner.line());
            let max_plies = self.experiment.plan.max_plies;
            let outcome = runner.play(&mut players, max_plies, &mut self.random(game), &mut observer);
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            observer.finish(runner.line(), outcome);
        }
        Some(observer.into_tally())
    }

    fn play_contests<W: SearchWord>(&self, start: Contest<W>, unit: u32) -> Option<UnitTally> {
        let rules = start.rules();
        let worth = rules.kind_ids().map(|kind| self.cell.lead.values().of(kind)).collect();
        let mut observer = ContestTallyObserver::new(worth, self.cancel);
        let mut players = self.contest_players(&start);
        let mut runner = ContestRunner::new(start);
        let first = unit * self.cell.games_per_unit;
        for game in first..first + self.cell.games_per_unit {
            runner.begin();
            observer.begin(runner.contest());
            let max_turns = self.experiment.plan.max_plies;
            let outcome = runner.play(&mut players, max_turns, &mut self.random(game), &mut observer);
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            observer.finish(runner.contest(), outcome);
        }
        Some(observer.into_tally())
    }

    fn contest_players<W: SearchWord>(&self, start: &Contest<W>) -> Vec<ContestPlayer<W>> {
        let values = self.cell.values.as_ref();
        let players = self.cell.players.iter().map(|plan| ContestPlayer::new(plan, start, values));
        players.map(|player| player.expect("a plan's players are checked when it is compiled")).collect()
    }
}

/// A game that is played again.
struct Replay<'a> {
    unit_runner: UnitRunner<'a>,
    stop: &'a StopFlag,
}

impl Replay<'_> {
    fn play_contest<W: SearchWord>(&self, tables: &Arc<Tables<W>>, game: u32) -> Option<ContestRecord> {
        let start = Contest::start(tables.clone())?;
        let mut players = self.unit_runner.contest_players(&start);
        players.iter_mut().for_each(|player| player.set_stop(self.stop));
        let mut runner = ContestRunner::new(start);
        let mut recorder = ContestRecorder { record: ContestRecord::default(), stop: self.stop };
        let (max_turns, mut random) =
            (self.unit_runner.experiment.plan.max_plies, self.unit_runner.random(game));
        let outcome = runner.play(&mut players, max_turns, &mut random, &mut recorder);
        Some(ContestRecord { outcome, ..recorder.record })
    }

    fn play<W: SearchWord>(&self, tables: &Arc<Tables<W>>, game: u32) -> (Vec<Move>, Option<Outcome>) {
        let mut runner = GameRunner::new(Position::start(tables.clone()));
        runner.begin();
        let mut players = self.unit_runner.players();
        players.iter_mut().for_each(|player| player.set_stop(self.stop));
        let (max_plies, mut random) =
            (self.unit_runner.experiment.plan.max_plies, self.unit_runner.random(game));
        let outcome = runner.play(&mut players, max_plies, &mut random, &mut NoObserver(self.stop));
        (runner.line().moves().collect(), outcome)
    }
}

struct NoObserver<'a>(&'a StopFlag);

impl<W> ashta_play::Observer<W> for NoObserver<'_> {
    fn ply(&mut self, _: &ashta_position::Line<W>, _: ashta_position::PlyInfo, _: Move) {}

    fn is_cancelled(&self) -> bool {
        self.0.is_set()
    }
}
