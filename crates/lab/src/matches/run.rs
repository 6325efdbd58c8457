//! Runs a match on several threads and journals finished pairs.
//!
//! In: a match, its journal, a number of threads. Out: every pair in order, the same for any number of threads. Never: the
//! clock, the terminal.
//!
//! With a sequential test a game's match ends at the first pair, in their order, at which the test is decided; pairs that
//! were played beyond it are not counted.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use ashta_messages::Message;

use super::pair::play_pair;
use super::plan::{Match, MatchPlan};
use super::score::{PairPlayed, Score, SprtDecision};
use crate::journal::{JournalError, JournalOf, UnitId};

/// How far a match has come.
#[derive(Clone, Copy, Debug)]
pub struct MatchProgress<'a> {
    /// The game that has just gone on.
    pub game: usize,
    /// Pairs of all games.
    pub done: &'a BTreeMap<UnitId, PairPlayed>,
}

/// How a match ended.
#[derive(Debug)]
pub enum MatchEnd {
    /// The pairs of each game that count.
    Complete(Vec<Vec<PairPlayed>>),
    /// It was cancelled; how many pairs are in the journal.
    Cancelled(usize),
    /// A competitor does not play this game: what its first move was in both games of a pair.
    Broken(Message),
}

/// Pairs of a game that count: those in order without a gap, up to where a test is decided.
fn counted(plan: &MatchPlan, done: &BTreeMap<UnitId, PairPlayed>, game: usize) -> (Vec<PairPlayed>, bool) {
    let mut pairs = Vec::new();
    while pairs.len() < plan.n_pairs as usize {
        let id = UnitId { cell: game as u32, unit: pairs.len() as u32 };
        let Some(pair) = done.get(&id) else { return (pairs, false) };
        pairs.push(*pair);
        if let Some(sprt) = &plan.sprt
            && sprt.decision(&Score::of(&pairs)) != SprtDecision::Open
        {
            return (pairs, true);
        }
    }
    (pairs, true)
}

/// What is left to do, handed out one pair at a time.
struct PairQueue {
    next: BTreeSet<UnitId>,
}

/// Plays what the journal does not have yet.
pub fn run_match(
    of: &Match,
    journal: &mut JournalOf<PairPlayed>,
    mut done: BTreeMap<UnitId, PairPlayed>,
    n_threads: usize,
    cancel: &AtomicBool,
    mut on_progress: impl FnMut(&MatchProgress<'_>),
) -> Result<MatchEnd, JournalError> {
    let n_games = of.rules.len();
    let all =
        (0..n_games as u32).flat_map(|cell| (0..of.plan.n_pairs).map(move |unit| UnitId { cell, unit }));
    let is_open: Vec<bool> = (0..n_games).map(|game| !counted(&of.plan, &done, game).1).collect();
    let is_left = |id: &UnitId| !done.contains_key(id) && is_open[id.cell as usize];
    let queue = Mutex::new(PairQueue { next: all.filter(is_left).collect() });
    thread::scope(|scope| {
        let (report, results) = channel();
        for _ in 0..n_threads.max(1) {
            let (report, queue) = (report.clone(), &queue);
            scope.spawn(move || run_worker(of, queue, cancel, &report));
        }
        drop(report);
        while let Ok((id, pair)) = results.recv() {
            let kept = journal.append(id.cell, id.unit, &pair);
            kept.inspect_err(|_| cancel.store(true, Ordering::Relaxed))?;
            done.insert(id, pair);
            on_progress(&MatchProgress { game: id.cell as usize, done: &done });
            if of.plan.sprt.is_some() && counted(&of.plan, &done, id.cell as usize).1 {
                clear(&queue, id.cell);
            }
        }
        let games: Vec<_> = (0..n_games).map(|game| counted(&of.plan, &done, game)).collect();
        Ok(if games.iter().all(|(_, is_whole)| *is_whole) {
            MatchEnd::Complete(games.into_iter().map(|(pairs, _)| pairs).collect())
        } else {
            match of.log.lock().ok().and_then(|log| log.fatal.clone()) {
                Some(fault) => MatchEnd::Broken(fault),
                None => MatchEnd::Cancelled(done.len()),
            }
        })
    })
}

/// Plays pairs until none are left.
fn run_worker(
    of: &Match,
    queue: &Mutex<PairQueue>,
    cancel: &AtomicBool,
    report: &Sender<(UnitId, PairPlayed)>,
) {
    let mut competitors_of_game = (usize::MAX, None);
    while let Some(id) = take(queue) {
        let game = id.cell as usize;
        if competitors_of_game.0 != game {
            competitors_of_game = (game, of.competitors(game));
        }
        let Some(competitors) = competitors_of_game.1.as_mut() else { return };
        let Some(pair) = play_pair(of, game, id.unit, competitors, cancel) else { return };
        if report.send((id, pair)).is_err() {
            return;
        }
    }
}

fn take(queue: &Mutex<PairQueue>) -> Option<UnitId> {
    queue.lock().ok()?.next.pop_first()
}

fn clear(queue: &Mutex<PairQueue>, cell: u32) {
    if let Ok(mut queue) = queue.lock() {
        queue.next.retain(|id| id.cell != cell);
    }
}
