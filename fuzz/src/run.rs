//! Runs targets over many inputs on every core.
//!
//! In: a target, how many inputs, a seed. Out: counts and findings; the input of each finding as a file. Never: inputs that
//! depend on the number of threads.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::mutate::Mutator;
use crate::targets::{Reading, Target};

/// An input that takes longer is a finding.
pub const SLOW: Duration = Duration::from_secs(2);
/// An input that takes longer has hung: the process tells which, and ends.
const HUNG: Duration = Duration::from_secs(60);
/// Time between two lines of progress.
const TOLD_EVERY: Duration = Duration::from_secs(20);
/// Different findings of a target that are kept.
const MAX_FINDINGS: usize = 20;

/// How a target is run.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// Number of inputs, the seeds included.
    pub n_inputs: u64,
    /// The same seed gives the same inputs.
    pub seed: u64,
    /// Worker threads.
    pub n_threads: usize,
    /// Where the inputs of findings are stored; nowhere if it is not said.
    pub folder: Option<PathBuf>,
}

/// A panic, or an input that is slow.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The number of the first input that has it.
    pub input: u64,
    /// The line that panicked; `slow` if none did. Inputs with the same place are one finding.
    pub place: String,
    /// The first of its messages.
    pub what: String,
    /// How many inputs have it.
    pub count: u64,
}

/// What a run came to.
#[derive(Clone, Debug, Default)]
pub struct TargetReport {
    /// Inputs that were read to the end.
    pub n_accepted: u64,
    /// Inputs that were refused.
    pub n_refused: u64,
    /// The slowest input: its number and its time.
    pub slowest: (u64, Duration),
    /// Time of the run.
    pub elapsed: Duration,
    /// What went wrong, by place.
    pub findings: Vec<Finding>,
}

/// Runs one target.
pub fn run_target(target: &Target, plan: &RunPlan) -> TargetReport {
    keep_quiet();
    let begun = Instant::now();
    let seeds = (target.seeds)();
    let mutator = Mutator::new(target.name, &seeds, target.words, target.max_bytes, plan.seed);
    let shared = Shared { target, plan, mutator: &mutator, next: AtomicU64::new(0), begun };
    let watches: Vec<Watch> = (0..plan.n_threads.max(1)).map(|_| Watch::default()).collect();
    let (mut report, mut told) = (TargetReport::default(), Instant::now());
    let shared = &shared;
    thread::scope(|scope| {
        let begin = |watch| {
            thread::Builder::new().name(WORKER.into()).spawn_scoped(scope, move || shared.work(watch))
        };
        let workers: Vec<_> = watches.iter().filter_map(|watch| begin(watch).ok()).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            thread::sleep(Duration::from_millis(5));
            watches.iter().for_each(|watch| shared.check(watch));
            shared.tell(&mut told);
        }
        let parts = workers.into_iter().filter_map(|worker| worker.join().ok());
        parts.for_each(|part| report.merge(part));
    });
    report.elapsed = begun.elapsed();
    report.findings.sort_by_key(|finding| finding.input);
    report
}

/// Runs one stored input, and lets its panic out.
pub fn replay(target: &Target, path: &Path) -> io::Result<Reading> {
    Ok((target.run)(&fs::read(path)?))
}

impl TargetReport {
    fn merge(&mut self, part: TargetReport) {
        self.n_accepted += part.n_accepted;
        self.n_refused += part.n_refused;
        self.slowest = slower(self.slowest, part.slowest);
        part.findings.into_iter().for_each(|finding| self.add(finding));
    }

    fn add(&mut self, finding: Finding) {
        if let Some(known) = self.findings.iter_mut().find(|known| known.place == finding.place) {
            known.count += finding.count;
            known.input = known.input.min(finding.input);
        } else if self.findings.len() < MAX_FINDINGS {
            self.findings.push(finding);
        }
    }
}

fn slower(one: (u64, Duration), other: (u64, Duration)) -> (u64, Duration) {
    if other.1 > one.1 { other } else { one }
}

/// The input that a worker has in hand, and when it began; nothing between inputs.
#[derive(Default)]
struct Watch(Mutex<Option<(u64, Instant)>>);

impl Watch {
    fn set(&self, at_work: Option<(u64, Instant)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = at_work;
    }
}

struct Shared<'a> {
    target: &'a Target,
    plan: &'a RunPlan,
    mutator: &'a Mutator<'a>,
    next: AtomicU64,
    begun: Instant,
}

/// Inputs that a worker takes at a time.
const BATCH: u64 = 64;

impl Shared<'_> {
    fn work(&self, watch: &Watch) -> TargetReport {
        let mut report = TargetReport::default();
        loop {
            let first = self.next.fetch_add(BATCH, Ordering::Relaxed);
            if first >= self.plan.n_inputs {
                watch.set(None);
                return report;
            }
            for n in first..(first + BATCH).min(self.plan.n_inputs) {
                self.one(n, watch, &mut report);
            }
        }
    }

    fn one(&self, n: u64, watch: &Watch, report: &mut TargetReport) {
        let bytes = self.mutator.input(n);
        let begun = Instant::now();
        watch.set(Some((n, begun)));
        let result = catch_unwind(AssertUnwindSafe(|| (self.target.run)(&bytes)));
        let elapsed = begun.elapsed();
        report.slowest = slower(report.slowest, (n, elapsed));
        let (place, what) = match result {
            Err(panic) => (panic_place(), panic_text(panic.as_ref())),
            Ok(reading) => {
                match reading {
                    Reading::Accepted => report.n_accepted += 1,
                    Reading::Refused => report.n_refused += 1,
                }
                if elapsed <= SLOW {
                    return;
                }
                ("slow".to_string(), format!("{:.1} s", elapsed.as_secs_f64()))
            }
        };
        if !report.findings.iter().any(|known| known.place == place) {
            self.store(n, &bytes);
        }
        report.add(Finding { input: n, place, what, count: 1 });
    }

    /// Where the input of a finding is.
    fn path(&self, n: u64) -> Option<PathBuf> {
        self.plan.folder.as_ref().map(|folder| folder.join(format!("{}-{n}.bin", self.target.name)))
    }

    fn store(&self, n: u64, bytes: &[u8]) {
        let Some(path) = self.path(n) else { return };
        let stored = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, bytes));
        if let Err(error) = stored {
            eprintln!("error: cannot store {}: {error}", path.display());
        }
    }

    /// Prints how far the run is, now and then.
    fn tell(&self, told: &mut Instant) {
        if told.elapsed() > TOLD_EVERY {
            *told = Instant::now();
            let n_done = self.next.load(Ordering::Relaxed).min(self.plan.n_inputs);
            eprintln!("{}: {n_done} of {} inputs", self.target.name, self.plan.n_inputs);
        }
    }

    /// Ends the process if an input has hung: its thread cannot be stopped.
    fn check(&self, watch: &Watch) {
        let at_work = *watch.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((n, _)) = at_work.filter(|(_, begun)| begun.elapsed() > HUNG) else { return };
        self.store(n, &self.mutator.input(n));
        eprintln!(
            "error: {} hangs on input {n} after {} s of its run{}",
            self.target.name,
            self.begun.elapsed().as_secs(),
            self.path(n).map_or(String::new(), |path| format!("; the input is {}", path.display())),
        );
        std::process::exit(1);
    }
}

/// What the threads that read inputs are called.
const WORKER: &str = "fuzz-worker";

thread_local! {
    /// Where the last panic of this thread was: its payload does not say.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Panics of workers are counted, not printed a million times; nobody catches those of other threads here.
fn keep_quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| match thread::current().name() {
            Some(WORKER) => {
                let place = info.location().map(ToString::to_string).unwrap_or_default();
                PLACE.with_borrow_mut(|last| *last = place);
            }
            _ => usual(info),
        }));
    });
}

fn panic_place() -> String {
    PLACE.with_borrow(Clone::clone)
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("panic").chars().take(300).collect()
}
