//! Where work units are played: here on threads; another process or a cluster implements the same trait.
//!
//! In: numbers of units of one plan. Out: their tallies as bytes, in any order. Never: which units are needed (`schedule`),
//! the journal (`run`).

use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;

use crate::journal::UnitId;
use crate::plan::Experiment;
use crate::tally_codec::write_tally;
use crate::work_unit::play_unit;

/// Plays the units of one plan. A unit depends on the plan and its number alone, so that it may be played anywhere, and
/// more than once: the second result of a unit is ignored.
pub trait UnitExecutor {
    /// How many units may be in progress at once.
    fn capacity(&self) -> usize;

    /// Begins a unit.
    fn submit(&mut self, id: UnitId);

    /// Waits until a unit is finished or lost; `None` if no worker is left.
    fn receive(&mut self) -> Option<UnitResult>;
}

/// A unit that is no longer in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitResult {
    pub id: UnitId,
    /// Its tally, as [`write_tally`] writes it; `None` if its worker gave up (cancelled, killed, disconnected).
    pub tally: Option<Vec<u8>>,
}

/// The executor of one process: some threads that share a queue of units.
#[derive(Debug)]
pub struct UnitThreads {
    n_threads: usize,
    queue: Sender<UnitId>,
    results: Receiver<UnitResult>,
}

impl UnitThreads {
    /// Starts the threads. They end when this is dropped; `cancel` makes them give up the units in progress.
    pub fn start<'scope>(
        scope: &'scope Scope<'scope, '_>,
        experiment: &'scope Experiment,
        n_threads: usize,
        cancel: &'scope AtomicBool,
    ) -> UnitThreads {
        let n_threads = n_threads.max(1);
        let (queue, tasks) = channel();
        let (report, results) = channel();
        let tasks = Arc::new(Mutex::new(tasks));
        for _ in 0..n_threads {
            let (tasks, report) = (tasks.clone(), report.clone());
            scope.spawn(move || {
                while let Some(id) = next_task(&tasks) {
                    let mut unit = UnitInProgress { id, tally: None, report: &report };
                    unit.tally = play_unit(experiment, id.cell as usize, id.unit, cancel).map(|tally| {
                        let mut bytes = Vec::new();
                        write_tally(&tally, &mut bytes);
                        bytes
                    });
                }
            });
        }
        UnitThreads { n_threads, queue, results }
    }
}

impl UnitExecutor for UnitThreads {
    fn capacity(&self) -> usize {
        self.n_threads
    }

    fn submit(&mut self, id: UnitId) {
        // Without receivers all threads have panicked, which `receive` reports.
        _ = self.queue.send(id);
    }

    fn receive(&mut self) -> Option<UnitResult> {
        self.results.recv().ok()
    }
}

/// Waits for a task; other idle threads wait for the lock meanwhile.
fn next_task(tasks: &Mutex<Receiver<UnitId>>) -> Option<UnitId> {
    tasks.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Reports its unit when dropped, so that a unit whose thread panics is reported as lost.
struct UnitInProgress<'a> {
    id: UnitId,
    tally: Option<Vec<u8>>,
    report: &'a Sender<UnitResult>,
}

impl Drop for UnitInProgress<'_> {
    fn drop(&mut self) {
        // Without a receiver the run has ended.
        _ = self.report.send(UnitResult { id: self.id, tally: self.tally.take() });
    }
}
