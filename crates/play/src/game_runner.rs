//! Plays one game from its start to its end.
//!
//! In: a start, a player for each side, random numbers. Out: the outcome, and every ply to an observer. Never: statistics.

use ashta_position::{Line, Move, MoveGroups, MoveList, Outcome, PlyInfo, Position, play_randomly};
use ashta_search::SearchWord;

use crate::player::Player;
use crate::random::Random;

/// Receives the plies of a game.
pub trait Observer<W> {
    /// Called before each move is played; `seen` comes from move generation.
    fn ply(&mut self, line: &Line<W>, seen: PlyInfo, mv: Move);
    /// Aborts the game if true; called before every ply unless all players are random.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Plays games one after another in the same buffers.
///
/// ```
/// use ashta_play::{GameRunner, Observer, Player, PlayerPlan, Random};
/// use ashta_position::{CompiledRules, Game, Line, Move, PlyInfo, with_line};
///
/// struct CountPlies(usize);
/// impl<W> Observer<W> for CountPlies {
///     fn ply(&mut self, _: &Line<W>, _: PlyInfo, _: Move) {
///         self.0 += 1;
///     }
/// }
///
/// let rules = CompiledRules::new(ashta_rules::load("minishogi").unwrap());
/// let plan: PlayerPlan = "P1".parse().unwrap();
/// let mut players = [0, 1].map(|_| Player::new(&plan, rules.rules(), None).unwrap());
/// let mut plies = CountPlies(0);
/// with_line!(Game::start(&rules).line(), line => {
///     let mut runner = GameRunner::new(line.position().clone());
///     runner.begin();
///     runner.play(&mut players, 1000, &mut Random::of_game(1, 0, 0), &mut plies);
/// });
/// assert!(plies.0 > 1);
/// ```
pub struct GameRunner<W> {
    start: Position<W>,
    line: Line<W>,
    groups: MoveGroups<W>,
    moves: MoveList,
    scratch: Position<W>,
}

impl<W: SearchWord> GameRunner<W> {
    pub fn new(start: Position<W>) -> GameRunner<W> {
        let (line, scratch) = (Line::new(start.clone()), start.clone());
        GameRunner { start, line, groups: MoveGroups::new(), moves: MoveList::new(), scratch }
    }

    /// The line of the last game.
    pub fn line(&self) -> &Line<W> {
        &self.line
    }

    /// Resets to the start position.
    pub fn begin(&mut self) {
        self.line.restart(&self.start);
    }

    /// Plays the game to its end; `None` if it lasts longer than `max_plies` or is aborted.
    pub fn play(
        &mut self,
        players: &mut [Player],
        max_plies: u32,
        random: &mut Random,
        observer: &mut impl Observer<W>,
    ) -> Option<Outcome> {
        players.iter_mut().for_each(Player::begin_game);
        if players.iter().all(Player::is_random) {
            return self.play_at_random(max_plies, random, observer);
        }
        for _ in 0..max_plies {
            if observer.is_cancelled() {
                return None;
            }
            self.moves.clear();
            self.line.position().generate(&mut self.moves);
            if let Some(outcome) = self.line.outcome_knowing(!self.moves.is_empty()) {
                return Some(outcome);
            }
            let player = &mut players[self.line.position().turn().index()];
            let mv = player.choose_on_line(&self.line, &mut self.scratch, &self.moves, random);
            let seen = PlyInfo { n_moves: self.moves.len() as u32, is_check: None };
            observer.ply(&self.line, seen, mv);
            self.line.play_unchecked(mv);
        }
        self.line.outcome()
    }

    /// Fast path for random players: legal moves are counted, never listed.
    fn play_at_random(
        &mut self,
        max_plies: u32,
        random: &mut Random,
        observer: &mut impl Observer<W>,
    ) -> Option<Outcome> {
        let below = |n| random.below(n);
        let watch = |line: &Line<W>, seen, mv| observer.ply(line, seen, mv);
        play_randomly(&mut self.line, &mut self.groups, max_plies, below, watch)
    }
}
