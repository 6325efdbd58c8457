//! Runs an experiment on several threads and journals finished units.
//!
//! In: an experiment, its journal, a number of threads. Out: a tally for every cell, the same for any number of threads.
//! Never: the clock, the terminal; a callback reports every finished unit.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::journal::{Journal, JournalError, UnitId};
use crate::plan::Experiment;
use crate::schedule::{Schedule, Shard};
use crate::tally::UnitTally;
use crate::work_unit::play_unit;

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

/// Plays what the journal does not have yet.
pub fn run(
    experiment: &Experiment,
    journal: &mut Journal,
    done: BTreeMap<UnitId, UnitTally>,
    division: Division,
    cancel: &AtomicBool,
    mut on_progress: impl FnMut(&Progress<'_>),
) -> Result<RunEnd, JournalError> {
    let conventions = experiment.plan.conventions;
    let mut schedule = Schedule::new(experiment, done, division.shard, division.n_threads);
    thread::scope(|scope| {
        let (report, results) = channel();
        let mut workers: Vec<Sender<UnitId>> = Vec::new();
        for worker in 0..division.n_threads.max(1) {
            let (give, tasks) = channel();
            workers.push(give);
            let report = report.clone();
            scope.spawn(move || run_worker(experiment, worker, &tasks, &report, cancel));
        }
        drop(report);
        let mut idle: Vec<usize> = (0..workers.len()).rev().collect();
        loop {
            while !cancel.load(Ordering::Relaxed)
                && let Some(worker) = idle.last().copied()
                && let Some(id) = schedule.next_unit()
            {
                idle.pop();
                // A worker that is gone has panicked; the scope passes that on.
                _ = workers[worker].send(id);
            }
            if idle.len() == workers.len() {
                break;
            }
            let Ok((worker, id, tally)) = results.recv() else { break };
            idle.push(worker);
            if let Some(tally) = tally {
                journal
                    .append(id.cell, id.unit, &tally)
                    .inspect_err(|_| cancel.store(true, Ordering::Relaxed))?;
                schedule.finished(id, tally, conventions);
                on_progress(&Progress { last: id, done: schedule.done() });
            }
        }
        if cancel.load(Ordering::Relaxed) {
            Ok(RunEnd::Cancelled(schedule))
        } else {
            Ok(RunEnd::Complete(schedule))
        }
    })
}

type UnitResult = (usize, UnitId, Option<UnitTally>);

fn run_worker(
    experiment: &Experiment,
    worker: usize,
    tasks: &Receiver<UnitId>,
    report: &Sender<UnitResult>,
    cancel: &AtomicBool,
) {
    while let Ok(id) = tasks.recv() {
        let tally = play_unit(experiment, id.cell as usize, id.unit, cancel);
        if report.send((worker, id, tally)).is_err() {
            return;
        }
    }
}
