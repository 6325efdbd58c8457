//! Runs an experiment and journals finished units.
//!
//! In: an experiment, its journal, an executor. Out: a tally for every cell, the same for any executor and number of threads.
//! Never: the clock, the terminal, how units are played; a callback reports every finished unit.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ashta_messages::Tell;

use crate::byte_reader::TallyError;
use crate::journal::{Journal, JournalError, UnitId};
use crate::plan::Experiment;
use crate::schedule::{Schedule, Shard};
use crate::tally::UnitTally;
use crate::tally_codec::read_tally;
use crate::unit_executor::{UnitExecutor, UnitResult, UnitThreads};

/// How the work is divided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Division {
    pub n_threads: usize,
    /// The part of the work that is done here.
    pub shard: Shard,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The unit that has just been finished.
    pub last: UnitId,
    /// Every unit done, those of earlier runs included.
    pub done: &'a BTreeMap<UnitId, UnitTally>,
}

/// How a run ended.
#[derive(Debug)]
pub enum RunEnd {
    /// Every unit asked for was played.
    Complete(Schedule),
    /// It was cancelled; what was finished is in the journal.
    Cancelled(Schedule),
}

/// Why a run could not go on. What was finished is in the journal.
#[derive(Debug, Tell)]
pub enum RunError {
    #[code(transparent)]
    Journal(#[from] JournalError),
    #[code("lab.no-worker-left")]
    NoWorkerLeft { n_units: usize },
    #[code("lab.unit-lost")]
    UnitLost { cell: u32, unit: u32, n_attempts: usize },
    #[code("lab.strange-tally")]
    StrangeTally { cell: u32, unit: u32, source: TallyError },
}

/// A unit that is lost so often is given up: a worker that fails for another reason would fail forever.
const MAX_ATTEMPTS: usize = 3;

/// Plays what the journal does not have yet on threads of this process.
pub fn run(
    experiment: &Experiment,
    journal: &mut Journal,
    done: BTreeMap<UnitId, UnitTally>,
    division: Division,
    cancel: &AtomicBool,
    on_progress: impl FnMut(&Progress<'_>),
) -> Result<RunEnd, RunError> {
    thread::scope(|scope| {
        let mut threads = UnitThreads::start(scope, experiment, division.n_threads, cancel);
        let run = Run::new(experiment, journal, done, division.shard, cancel);
        let ended = run.play_on(&mut threads, on_progress);
        // After an error, threads give up what they play.
        ended.inspect_err(|_| cancel.store(true, Ordering::Relaxed))
    })
}

/// A run of what the journal does not have yet, on any executor.
#[derive(Debug)]
pub struct Run<'a> {
    experiment: &'a Experiment,
    journal: &'a mut Journal,
    done: BTreeMap<UnitId, UnitTally>,
    shard: Shard,
    cancel: &'a AtomicBool,
}

impl<'a> Run<'a> {
    pub fn new(
        experiment: &'a Experiment,
        journal: &'a mut Journal,
        done: BTreeMap<UnitId, UnitTally>,
        shard: Shard,
        cancel: &'a AtomicBool,
    ) -> Run<'a> {
        Run { experiment, journal, done, shard, cancel }
    }

    /// Submits units as long as any is needed, and journals their tallies as they arrive. Lost units are submitted again.
    pub fn play_on(
        self,
        executor: &mut impl UnitExecutor,
        mut on_progress: impl FnMut(&Progress<'_>),
    ) -> Result<RunEnd, RunError> {
        let mut schedule = Schedule::new(self.experiment, self.done, self.shard, executor.capacity());
        let mut in_progress = BTreeSet::new();
        let mut lost = LostUnits::default();
        let is_cancelled = || self.cancel.load(Ordering::Relaxed);
        loop {
            while !is_cancelled()
                && in_progress.len() < executor.capacity()
                && let Some(id) = lost.again.pop().or_else(|| schedule.next_unit())
            {
                in_progress.insert(id);
                executor.submit(id);
            }
            if in_progress.is_empty() {
                break;
            }
            let left = RunError::NoWorkerLeft { n_units: in_progress.len() };
            let UnitResult { id, tally } = executor.receive().ok_or(left)?;
            if !in_progress.remove(&id) {
                continue;
            }
            match tally {
                Some(bytes) => {
                    let tally = tally_of(id, &bytes)?;
                    self.journal.append(id.cell, id.unit, &tally)?;
                    schedule.finished(id, tally, self.experiment.plan.conventions);
                    on_progress(&Progress { last: id, done: schedule.done() });
                }
                None if is_cancelled() => {}
                None => lost.add(id)?,
            }
        }
        Ok(if is_cancelled() { RunEnd::Cancelled(schedule) } else { RunEnd::Complete(schedule) })
    }
}

fn tally_of(id: UnitId, bytes: &[u8]) -> Result<UnitTally, RunError> {
    read_tally(bytes).map_err(|source| RunError::StrangeTally { cell: id.cell, unit: id.unit, source })
}

/// Units whose workers gave up.
#[derive(Default)]
struct LostUnits {
    n_attempts: BTreeMap<UnitId, usize>,
    again: Vec<UnitId>,
}

impl LostUnits {
    fn add(&mut self, id: UnitId) -> Result<(), RunError> {
        let n_attempts = self.n_attempts.entry(id).or_default();
        *n_attempts += 1;
        if *n_attempts == MAX_ATTEMPTS {
            return Err(RunError::UnitLost { cell: id.cell, unit: id.unit, n_attempts: MAX_ATTEMPTS });
        }
        self.again.push(id);
        Ok(())
    }
}
