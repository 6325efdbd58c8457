//! Plays one game from its start to its end.
//!
//! In: a start, a player for each side, random numbers. Out: the outcome, and every turn to an observer. Never: statistics.

use ashta_position::Outcome;

use crate::playable::{Observer, Playable};
use crate::random::Random;

/// Plays games one after another in the same buffers.
///
/// ```
/// use ashta_play::{GameRunner, Observer, Playable, PlayerPlan, Random};
/// use ashta_position::{CompiledRules, Game, with_line};
/// use ashta_search::StopFlag;
///
/// struct CountTurns(usize);
/// impl<G: Playable> Observer<G> for CountTurns {
///     fn turn(&mut self, _: &G, _: &G::Legal, _: G::Turn) {
///         self.0 += 1;
///     }
/// }
///
/// let rules = CompiledRules::new(ashta_rules::load("minishogi").unwrap());
/// let plan: PlayerPlan = "P1".parse().unwrap();
/// let mut turns = CountTurns(0);
/// with_line!(Game::start(&rules).line(), line => {
///     let mut players = [0, 1].map(|_| line.player(&plan, None, &StopFlag::default()).unwrap());
///     let mut runner = GameRunner::new(line.clone());
///     runner.play(&mut players, 1000, &mut Random::of_game(1, 0, 0), &mut turns);
/// });
/// assert!(turns.0 > 1);
/// ```
pub struct GameRunner<G: Playable> {
    start: G,
    game: G,
    legal: G::Legal,
}

impl<G: Playable> GameRunner<G> {
    pub fn new(start: G) -> GameRunner<G> {
        GameRunner { game: start.clone(), legal: start.new_legal(), start }
    }

    /// Plays a game to its end; `None` if it lasts longer than `max_turns` or is aborted.
    pub fn play(
        &mut self,
        players: &mut [G::Player],
        max_turns: u32,
        random: &mut Random,
        observer: &mut impl Observer<G>,
    ) -> Option<Outcome> {
        self.game.begin(&self.start, players, &mut self.legal);
        observer.begin(&self.game);
        let outcome = self.play_turns(players, max_turns, random, observer);
        observer.finish(&self.game, outcome);
        outcome
    }

    fn play_turns(
        &mut self,
        players: &mut [G::Player],
        max_turns: u32,
        random: &mut Random,
        observer: &mut impl Observer<G>,
    ) -> Option<Outcome> {
        let GameRunner { game, legal, .. } = self;
        for _ in 0..max_turns {
            if observer.is_cancelled() {
                return None;
            }
            if let Some(outcome) = game.prepare(players, legal, random, observer) {
                return Some(outcome);
            }
            let turn = game.choose(players, legal, random);
            observer.turn(game, legal, turn);
            game.play_turn(turn);
            observer.played(game);
        }
        game.outcome_now()
    }
}
