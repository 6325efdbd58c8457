//! Runs on executors that are not threads: units in any order, lost, played twice, damaged.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use ashta_lab::{
    Experiment, Journal, Run, RunEnd, RunError, Shard, Stop, UnitExecutor, UnitId, UnitResult, UnitTally,
    play_unit, write_tally,
};

use super::runs::{cell, experiment, plan};

fn two_games() -> Experiment {
    experiment(plan(vec![cell("minishogi", "P0"), cell("shatranj", "P0")], Stop::Games(400)))
}

fn tally_bytes(experiment: &Experiment, id: UnitId) -> Vec<u8> {
    let tally =
        play_unit(experiment, id.cell as usize, id.unit, &AtomicBool::new(false)).expect("nobody cancels");
    let mut bytes = Vec::new();
    write_tally(&tally, &mut bytes);
    bytes
}

/// A queue on an unreliable network: `answer` has the unit and how often it was submitted.
struct Unreliable<F> {
    submitted: Vec<UnitId>,
    n_submitted: BTreeMap<UnitId, usize>,
    twice: Option<UnitResult>,
    answer: F,
}

impl<F: FnMut(UnitId, usize) -> Option<Option<Vec<u8>>>> UnitExecutor for Unreliable<F> {
    fn capacity(&self) -> usize {
        5
    }

    fn submit(&mut self, id: UnitId) {
        assert!(self.submitted.len() < 5, "never more than the capacity");
        assert!(!self.submitted.contains(&id), "{id:?} is in progress already");
        self.submitted.push(id);
        *self.n_submitted.entry(id).or_default() += 1;
    }

    /// The unit that was submitted last comes first, and every result comes twice.
    fn receive(&mut self) -> Option<UnitResult> {
        if let Some(result) = self.twice.take() {
            return Some(result);
        }
        let id = self.submitted.pop().expect("nobody waits for nothing");
        let tally = (self.answer)(id, self.n_submitted[&id])?;
        let result = UnitResult { id, tally };
        self.twice = result.tally.is_some().then(|| result.clone());
        Some(result)
    }
}

/// The units that were journaled, or why the run failed.
fn run_with(
    answer: impl FnMut(UnitId, usize) -> Option<Option<Vec<u8>>>,
) -> Result<BTreeMap<UnitId, UnitTally>, RunError> {
    let (experiment, folder) = (two_games(), tempfile::tempdir().expect("a folder"));
    let text = serde_json::to_string(&experiment.plan).expect("plans can be written");
    let open = || Journal::open_or_create(folder.path().join("journal"), experiment.plan.digest(), &text);
    let (mut journal, contents) = open().unwrap_or_else(|error| panic!("{error}"));
    let cancel = AtomicBool::new(false);
    let run = Run::new(&experiment, &mut journal, contents.units, Shard { index: 0, of: 1 }, &cancel);
    let mut executor =
        Unreliable { submitted: Vec::new(), n_submitted: BTreeMap::new(), twice: None, answer };
    let ended = run.play_on(&mut executor, |_| ())?;
    assert!(matches!(ended, RunEnd::Complete(_)));
    drop(journal);
    Ok(open().unwrap_or_else(|error| panic!("{error}")).1.units)
}

#[test]
fn order_losses_and_duplicates_do_not_change_the_tallies() {
    let experiment = two_games();
    let expected =
        run_with(|id, _| Some(Some(tally_bytes(&experiment, id)))).unwrap_or_else(|error| panic!("{error}"));
    assert!(expected.len() > 10, "{} units", expected.len());
    // Every third unit is lost at the first attempt, every sixth at the second too.
    let lossy = run_with(|id, attempt| {
        let is_lost = (id.unit % 3 == 0 && attempt == 1) || (id.unit % 6 == 0 && attempt == 2);
        Some((!is_lost).then(|| tally_bytes(&experiment, id)))
    });
    assert_eq!(lossy.unwrap_or_else(|error| panic!("{error}")), expected);
}

#[test]
fn a_unit_that_is_always_lost_ends_the_run() {
    let experiment = two_games();
    let lost = UnitId { cell: 1, unit: 2 };
    let error = run_with(|id, _| Some((id != lost).then(|| tally_bytes(&experiment, id))))
        .expect_err("a unit is missing");
    assert_eq!(error.to_string(), "unit 2 of cell 1 was lost 3 times");
}

#[test]
fn a_run_without_workers_ends() {
    let error = run_with(|_, _| None).expect_err("nobody plays");
    assert_eq!(error.to_string(), "all workers have stopped; 5 units in progress are lost");
}

#[test]
fn bytes_that_are_no_tally_end_the_run() {
    let error = run_with(|_, _| Some(Some(vec![1, 0, 0, 0]))).expect_err("no tally");
    assert!(error.to_string().starts_with("the tally of unit "), "{error}");
}
