//! Two games from one opening, with the sides exchanged.
//!
//! In: a match, the number of a pair. Out: the first competitor's points in each game. Never: other pairs, threads.

use ashta_search::SearchWord;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ashta_messages::message;
use ashta_play::{ExternalEngineError, Random};
use ashta_position::{Line, MoveList, Position, Tables, with_tables};
use ashta_rules::Side;

use super::competitor::Competitor;
use super::plan::Match;
use super::score::PairPlayed;
use crate::random_plies::play_random_plies;

/// Plays a pair; nothing if it was cancelled on the way, or if a competitor's first move was a fault in both games, which
/// cancels the match: `MatchLog::fatal` tells why.
pub fn play_pair(
    of: &Match,
    game: usize,
    pair: u32,
    competitors: &mut [Competitor; 2],
    cancel: &AtomicBool,
) -> Option<PairPlayed> {
    let runner = PairRunner { of, game, pair, cancel };
    with_tables!(&of.rules[game], tables => runner.pair(tables, competitors))
}

struct PairRunner<'a> {
    of: &'a Match,
    game: usize,
    pair: u32,
    cancel: &'a AtomicBool,
}

impl PairRunner<'_> {
    /// A stream for the opening and one for each game.
    fn random(&self, stream: u64) -> Random {
        Random::of_game(self.of.plan.seed, self.of.plan.purpose(self.game), u64::from(self.pair) * 3 + stream)
    }

    fn pair<W: SearchWord>(
        &self,
        tables: &Arc<Tables<W>>,
        competitors: &mut [Competitor; 2],
    ) -> Option<PairPlayed> {
        let opening = self.opening(tables);
        let mut played = PairPlayed { points: [0; 2], n_plies: [0; 2] };
        // Who broke the rules with its first move, game by game.
        let mut false_starts = [None; 2];
        for (exchanged, false_start) in false_starts.iter_mut().enumerate() {
            let mut line = opening.clone();
            let end = self.game(&mut line, exchanged, competitors)?;
            *false_start = end.false_start;
            played.n_plies[exchanged] = line.moves().len() as u32;
            played.points[exchanged] = match end.winner {
                None => 1,
                Some(side) if side.index() == exchanged => 2,
                Some(_) => 0,
            };
        }
        match false_starts {
            // It plays another game, or none: to score that would flatter the other.
            [Some(first), Some(second)] if first == second => self.abort_match(),
            _ => Some(played),
        }
    }

    /// Ends the match without this pair; the last fault tells why.
    fn abort_match<T>(&self) -> Option<T> {
        if let Ok(mut log) = self.of.log.lock() {
            log.fatal = log.faults.last().cloned();
        }
        self.cancel.store(true, Ordering::Relaxed);
        None
    }

    fn now(&self) -> Duration {
        self.of.clock.as_ref().map_or(Duration::ZERO, |clock| (clock.0)())
    }

    fn log_time(&self, who: usize, taken: Duration) {
        if let Ok(mut log) = self.of.log.lock() {
            log.taken[who] = (log.taken[who].0 + taken, log.taken[who].1 + 1);
        }
    }

    fn log_error(&self, fault: &ExternalEngineError) {
        if let Ok(mut log) = self.of.log.lock() {
            log.faults.push(message!("lab.match-fault", pair = self.pair + 1, fault));
        }
    }

    /// Where both games begin.
    fn opening<W: SearchWord>(&self, tables: &Arc<Tables<W>>) -> Line<W> {
        let mut line = Line::new(Position::start(tables.clone()));
        play_random_plies(&mut line, self.of.plan.n_opening_plies, &mut self.random(0));
        line
    }

    /// Plays to the end; competitor 0 has the side of this number.
    fn game<W: SearchWord>(
        &self,
        line: &mut Line<W>,
        exchanged: usize,
        competitors: &mut [Competitor; 2],
    ) -> Option<GameEnd> {
        let n_opening_plies = line.moves().len();
        let mut random = self.random(1 + exchanged as u64);
        competitors.iter_mut().for_each(Competitor::begin_game);
        let (mut moves, mut scratch) = (MoveList::new(), line.position().clone());
        while (line.moves().len() as u32) < self.of.plan.max_plies {
            if self.cancel.load(Ordering::Relaxed) {
                return None;
            }
            moves.clear();
            line.position().generate(&mut moves);
            if let Some(outcome) = line.outcome_knowing(!moves.is_empty()) {
                return Some(GameEnd::of(outcome.winner));
            }
            let turn = line.position().turn();
            let who = turn.index() ^ exchanged;
            let before = self.now();
            let chosen = competitors[who].choose(line, &mut scratch, &moves, &mut random);
            self.log_time(who, self.now().saturating_sub(before));
            match chosen {
                Ok(mv) => line.play_unchecked(mv),
                Err(ExternalEngineError::Resigned { .. }) => {
                    return Some(GameEnd::of(Some(Side(1 - turn.0))));
                }
                // Its rules are not ours; to believe it costs the other half a point at most.
                Err(claim @ ExternalEngineError::ClaimsDraw { .. }) => {
                    self.log_error(&claim);
                    return Some(GameEnd::of(None));
                }
                // Whoever has no move, or none that is legal, has lost.
                Err(fault) => {
                    self.log_error(&fault);
                    let is_its_first = line.moves().len() < n_opening_plies + 2;
                    let false_start = is_its_first.then_some(who);
                    return Some(GameEnd { winner: Some(Side(1 - turn.0)), false_start });
                }
            }
        }
        Some(GameEnd::of(line.outcome().and_then(|outcome| outcome.winner)))
    }
}

/// How one game of a pair ended.
struct GameEnd {
    winner: Option<Side>,
    /// The competitor whose first move was a fault.
    false_start: Option<usize>,
}

impl GameEnd {
    fn of(winner: Option<Side>) -> GameEnd {
        GameEnd { winner, false_start: None }
    }
}
