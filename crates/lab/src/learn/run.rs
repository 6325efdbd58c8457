//! Runs a learning plan on several threads and journals finished chunks.
//!
//! In: a plan, its journal, a number of threads. Out: the curves of every run, the same for any number of threads. Never:
//! the clock, the terminal; a callback reports every finished chunk.
//!
//! Where weights change after every move, a run is one chain and threads share out the runs; where they change after
//! batches, runs come one after another and threads share out the games of a batch.

use ashta_search::SearchWord;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use ashta_position::{Tables, with_tables};

use super::chunk::{Chunk, GameLearned};
use super::game::{LearningGame, LearningRunner};
use super::plan::{LearnCell, LearnPlan, Learning, Mode};
use crate::journal::{JournalError, JournalOf, UnitId};

/// Games in a chunk: what a kill can lose of a run.
const CHUNK: u32 = 20;

/// What every run has learned, game by game.
#[derive(Clone, Debug)]
pub struct Curves {
    /// The games of each cell, in order.
    pub games: Vec<Vec<GameLearned>>,
    /// The weights of each cell after the last of its games.
    pub weights: Vec<Vec<f64>>,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct LearnProgress<'a> {
    /// The cell that has just gone on.
    pub cell: usize,
    /// Its last games.
    pub chunk: &'a Chunk,
}

/// How learning ended.
#[derive(Debug)]
pub enum LearnEnd {
    /// Every game asked for was played.
    Complete(Curves),
    /// It was cancelled; what was finished is in the journal. How many games that are.
    Cancelled(usize),
}

/// Learns what the journal does not have yet.
pub fn learn(
    learning: &Learning,
    journal: &mut JournalOf<Chunk>,
    done: BTreeMap<UnitId, Chunk>,
    n_threads: usize,
    cancel: &AtomicBool,
    mut on_progress: impl FnMut(&LearnProgress<'_>),
) -> Result<LearnEnd, JournalError> {
    let (mut runs, behind_gaps) = runs(learning, done);
    behind_gaps.into_iter().for_each(|id| journal.forget(id));
    thread::scope(|scope| {
        let (report, results) = channel();
        let next = Arc::new(AtomicUsize::new(0));
        let (n_workers, n_each) = match learning.plan.mode {
            Mode::EveryMove => (n_threads.clamp(1, learning.cells.len().max(1)), 1),
            Mode::Batches(_) => (1, n_threads.max(1)),
        };
        let starts: Arc<Vec<LearningRun>> = Arc::new(runs.iter().map(LearningRun::end).collect());
        for _ in 0..n_workers {
            let (report, next, starts) = (report.clone(), next.clone(), starts.clone());
            scope.spawn(move || {
                while let Some(start) = starts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    resume(learning, start, n_each, cancel, &report);
                }
            });
        }
        drop(report);
        while let Ok((id, chunk)) = results.recv() {
            let kept = journal.append(id.cell, id.unit, &chunk);
            kept.inspect_err(|_| cancel.store(true, Ordering::Relaxed))?;
            on_progress(&LearnProgress { cell: id.cell as usize, chunk: &chunk });
            runs[id.cell as usize].add(chunk);
        }
        let n_games = runs.iter().map(|run| run.games.len()).sum();
        let is_whole = runs.iter().all(|run| run.games.len() >= learning.plan.n_games as usize);
        Ok(if is_whole { LearnEnd::Complete(curves(learning, runs)) } else { LearnEnd::Cancelled(n_games) })
    })
}

/// One run so far.
#[derive(Clone, Debug)]
struct LearningRun {
    cell: usize,
    n_chunks: u32,
    n_games: u32,
    games: Vec<GameLearned>,
    weights: Vec<f64>,
}

impl LearningRun {
    fn add(&mut self, chunk: Chunk) {
        self.n_chunks += 1;
        self.n_games += chunk.games.len() as u32;
        self.games.extend(chunk.games);
        self.weights = chunk.weights;
    }

    /// Where it stands, without what led there.
    fn end(&self) -> LearningRun {
        LearningRun { games: Vec::new(), weights: self.weights.clone(), ..*self }
    }
}

/// The chunks of the journal, one after another. One that follows a gap counts for nothing, as nobody knows where the gap
/// ends: those are the others.
fn runs(learning: &Learning, mut done: BTreeMap<UnitId, Chunk>) -> (Vec<LearningRun>, Vec<UnitId>) {
    let run = |(cell, of): (usize, &LearnCell)| {
        let weights = of.features.start();
        let mut run = LearningRun { cell, n_chunks: 0, n_games: 0, games: Vec::new(), weights };
        while let Some(chunk) = done.remove(&UnitId { cell: cell as u32, unit: run.n_chunks }) {
            run.add(chunk);
        }
        run
    };
    let runs = learning.cells.iter().enumerate().map(run).collect();
    (runs, done.into_keys().collect())
}

fn curves(learning: &Learning, runs: Vec<LearningRun>) -> Curves {
    let n_games = learning.plan.n_games as usize;
    let weights = runs.iter().map(|run| run.weights.clone()).collect();
    let games = runs.into_iter().map(|mut run| {
        run.games.truncate(n_games);
        run.games
    });
    Curves { games: games.collect(), weights }
}

type Report = Sender<(UnitId, Chunk)>;

/// Goes on with a run until it has its games.
fn resume(learning: &Learning, start: &LearningRun, n_threads: usize, cancel: &AtomicBool, report: &Report) {
    let cell = &learning.cells[start.cell];
    let runner = RunWorker { plan: &learning.plan, cell, n_threads, cancel };
    with_tables!(&cell.rules, tables => runner.resume(tables, start, report))
}

struct RunWorker<'a> {
    plan: &'a LearnPlan,
    cell: &'a LearnCell,
    n_threads: usize,
    cancel: &'a AtomicBool,
}

impl RunWorker<'_> {
    fn resume<W: SearchWord>(&self, tables: &Arc<Tables<W>>, start: &LearningRun, report: &Report) {
        let n_runners = match self.plan.mode {
            Mode::EveryMove => 1,
            Mode::Batches(size) => self.n_threads.min(size as usize).max(1),
        };
        let mut runners: Vec<LearningRunner<'_, W>> =
            (0..n_runners).map(|_| LearningRunner::new(self.plan, self.cell, tables)).collect();
        let (mut weights, mut unit, mut game) = (start.weights.clone(), start.n_chunks, start.n_games);
        while game < self.plan.n_games {
            let chunk = match self.plan.mode {
                Mode::EveryMove => self.chunk(&mut runners[0], game, &mut weights),
                Mode::Batches(size) => self.batch(&mut runners, game, size, &mut weights),
            };
            let Some(chunk) = chunk else { return };
            game += chunk.games.len() as u32;
            if report.send((UnitId { cell: start.cell as u32, unit }, chunk)).is_err() {
                return;
            }
            unit += 1;
        }
    }

    fn row(&self, played: LearningGame, weights: &[f64]) -> GameLearned {
        let worths = weights[..self.cell.features.n_worths()].to_vec();
        GameLearned { n_plies: played.n_plies, result: played.result, worths }
    }

    fn chunk<W: SearchWord>(
        &self,
        runner: &mut LearningRunner<'_, W>,
        first: u32,
        weights: &mut Vec<f64>,
    ) -> Option<Chunk> {
        let mut games = Vec::new();
        for number in first..self.plan.n_games.min(first + CHUNK) {
            let played = runner.play(number, weights, self.cancel)?;
            games.push(self.row(played, weights));
        }
        Some(Chunk { games, weights: weights.clone() })
    }

    /// Plays a batch with the weights of its start; the changes are added in the order of the games.
    fn batch<W: SearchWord>(
        &self,
        runners: &mut [LearningRunner<'_, W>],
        first: u32,
        size: u32,
        weights: &mut [f64],
    ) -> Option<Chunk> {
        let (next, start) = (AtomicUsize::new(0), weights.to_vec());
        let mut results: Vec<(usize, LearningGame, Vec<f64>)> = thread::scope(|scope| {
            let play = |runner: &mut LearningRunner<'_, W>| {
                let mut played = Vec::new();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= size as usize {
                        return Some(played);
                    }
                    let mut after = start.clone();
                    let how = runner.play(first + at as u32, &mut after, self.cancel)?;
                    played.push((at, how, after));
                }
            };
            let workers: Vec<_> =
                runners.iter_mut().map(|runner| scope.spawn(move || play(runner))).collect();
            let joined = workers.into_iter().map(|worker| worker.join().ok().flatten());
            joined.collect::<Option<Vec<_>>>().map(|all| all.into_iter().flatten().collect())
        })?;
        results.sort_by_key(|(at, ..)| *at);
        let mut games = Vec::new();
        for (_, played, after) in results {
            for ((weight, after), before) in weights.iter_mut().zip(after).zip(&start) {
                *weight += after - before;
            }
            games.push(self.row(played, weights));
        }
        Some(Chunk { games, weights: weights.to_vec() })
    }
}
