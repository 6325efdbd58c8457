//! Plays a match on several threads, keeping what is done.
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

use super::pair::{PairPlayed, play_pair};
use super::plan::{Match, MatchPlan};
use super::score::{Score, Verdict};
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
    Whole(Vec<Vec<PairPlayed>>),
    /// It was cancelled; how many pairs are in the journal.
    Cancelled(usize),
    /// A competitor does not play this game: what its first move was in both games of a pair.
    Broken(String),
}

/// Pairs of a game that count: those in order without a gap, up to where a test is decided.
fn counted(plan: &MatchPlan, done: &BTreeMap<UnitId, PairPlayed>, game: usize) -> (Vec<PairPlayed>, bool) {
    let mut pairs = Vec::new();
    while pairs.len() < plan.n_pairs as usize {
        let id = UnitId { cell: game as u32, unit: pairs.len() as u32 };
        let Some(pair) = done.get(&id) else { return (pairs, false) };
        pairs.push(*pair);
        if let Some(sprt) = &plan.sprt
            && sprt.verdict(&Score::of(&pairs)) != Verdict::Open
        {
            return (pairs, true);
        }
    }
    (pairs, true)
}

/// What is left to do, handed out one pair at a time.
struct Desk {
    next: BTreeSet<UnitId>,
}

/// Plays what the journal does not have yet.
pub fn run_match(
    of: &Match,
    journal: &mut JournalOf<PairPlayed>,
    mut done: BTreeMap<UnitId, PairPlayed>,
    n_threads: usize,
    cancel: &AtomicBool,
    mut told: impl FnMut(&MatchProgress<'_>),
) -> Result<MatchEnd, JournalError> {
    let n_games = of.rules.len();
    let all =
        (0..n_games as u32).flat_map(|cell| (0..of.plan.n_pairs).map(move |unit| UnitId { cell, unit }));
    let is_open: Vec<bool> = (0..n_games).map(|game| !counted(&of.plan, &done, game).1).collect();
    let is_left = |id: &UnitId| !done.contains_key(id) && is_open[id.cell as usize];
    let desk = Mutex::new(Desk { next: all.filter(is_left).collect() });
    thread::scope(|scope| {
        let (report, results) = channel();
        for _ in 0..n_threads.max(1) {
            let (report, desk) = (report.clone(), &desk);
            scope.spawn(move || work(of, desk, cancel, &report));
        }
        drop(report);
        while let Ok((id, pair)) = results.recv() {
            let kept = journal.append(id.cell, id.unit, &pair);
            kept.inspect_err(|_| cancel.store(true, Ordering::Relaxed))?;
            done.insert(id, pair);
            told(&MatchProgress { game: id.cell as usize, done: &done });
            if of.plan.sprt.is_some() && counted(&of.plan, &done, id.cell as usize).1 {
                clear(&desk, id.cell);
            }
        }
        let games: Vec<_> = (0..n_games).map(|game| counted(&of.plan, &done, game)).collect();
        Ok(match games.iter().all(|(_, is_whole)| *is_whole) {
            true => MatchEnd::Whole(games.into_iter().map(|(pairs, _)| pairs).collect()),
            false => match of.seen.lock().ok().and_then(|seen| seen.fatal.clone()) {
                Some(fault) => MatchEnd::Broken(fault),
                None => MatchEnd::Cancelled(done.len()),
            },
        })
    })
}

/// Plays pairs until none are left.
fn work(of: &Match, desk: &Mutex<Desk>, cancel: &AtomicBool, report: &Sender<(UnitId, PairPlayed)>) {
    let mut seats = (usize::MAX, None);
    while let Some(id) = take(desk) {
        let game = id.cell as usize;
        if seats.0 != game {
            seats = (game, of.competitors(game));
        }
        let Some(competitors) = seats.1.as_mut() else { return };
        let Some(pair) = play_pair(of, game, id.unit, competitors, cancel) else { return };
        if report.send((id, pair)).is_err() {
            return;
        }
    }
}

fn take(desk: &Mutex<Desk>) -> Option<UnitId> {
    desk.lock().ok()?.next.pop_first()
}

fn clear(desk: &Mutex<Desk>, cell: u32) {
    if let Ok(mut desk) = desk.lock() {
        desk.next.retain(|id| id.cell != cell);
    }
}
