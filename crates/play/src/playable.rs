//! What games of two sides and contests have in common for whoever plays and watches them.
//!
//! In: players, random numbers. Out: turns. Never: a loop over a game.

use ashta_position::{
    Answer, Contest, Line, Move, MoveGroups, MoveList, Outcome, Position, Stage, Turn, Turns,
};
use ashta_search::{SearchWord, StopFlag, Values};

use crate::contest_player::ContestPlayer;
use crate::plan::PlayerPlan;
use crate::player::Player;
use crate::player_fit::UnfitPlayer;
use crate::random::Random;

/// A game under way: a [`Line`], whose turns are single moves, or a [`Contest`].
pub trait Playable: Clone {
    /// What a side plays at once.
    type Turn: Copy;
    type Player;
    /// Legal turns, and the buffers in which they are generated.
    type Legal;

    /// `values` replace the piece values of the game file; searches stop when the flag is set.
    fn player(
        &self,
        plan: &PlayerPlan,
        values: Option<&Values>,
        stop: &StopFlag,
    ) -> Result<Self::Player, UnfitPlayer>;
    fn new_legal(&self) -> Self::Legal;
    /// Resets the game to the start, and the players.
    fn begin(&mut self, start: &Self, players: &mut [Self::Player], legal: &mut Self::Legal);
    /// All that precedes a turn: pending answers, the dice, legal turns. The outcome if the game is over.
    fn prepare(
        &mut self,
        players: &[Self::Player],
        legal: &mut Self::Legal,
        random: &mut Random,
        observer: &mut impl Observer<Self>,
    ) -> Option<Outcome>;
    /// A legal turn, chosen by the player to move.
    fn choose(
        &mut self,
        players: &mut [Self::Player],
        legal: &mut Self::Legal,
        random: &mut Random,
    ) -> Self::Turn;
    fn play_turn(&mut self, turn: Self::Turn);
    fn outcome_now(&self) -> Option<Outcome>;
}

/// Receives the turns of a game.
pub trait Observer<G: Playable> {
    fn begin(&mut self, _game: &G) {}
    /// Called before each turn is played.
    fn turn(&mut self, _game: &G, _legal: &G::Legal, _turn: G::Turn) {}
    /// Called after each turn.
    fn played(&mut self, _game: &G) {}
    /// Called after a side accepts or declines an exchange of captives.
    fn answered(&mut self, _answer: Answer) {}
    /// Aborts the game if true; called before every turn.
    fn is_cancelled(&self) -> bool {
        false
    }
    /// Called at the end, with `None` for a game that is too long or aborted.
    fn finish(&mut self, _game: &G, _outcome: Option<Outcome>) {}
}

/// Legal moves of a game of two sides.
pub struct LegalMoves<W> {
    groups: MoveGroups<W>,
    list: MoveList,
    scratch: Position<W>,
    /// Moves are counted, never listed.
    all_random: bool,
    n_moves: u32,
    is_check: Option<bool>,
}

impl<W> LegalMoves<W> {
    #[inline(always)]
    pub fn n_moves(&self) -> u32 {
        self.n_moves
    }

    /// Whether the side to move is in check, if move generation found that out.
    #[inline(always)]
    pub fn is_check(&self) -> Option<bool> {
        self.is_check
    }
}

impl<W: SearchWord> Playable for Line<W> {
    type Turn = Move;
    type Player = Player;
    type Legal = LegalMoves<W>;

    fn player(
        &self,
        plan: &PlayerPlan,
        values: Option<&Values>,
        stop: &StopFlag,
    ) -> Result<Player, UnfitPlayer> {
        let mut player = Player::new(plan, self.position().rules(), values)?;
        player.set_stop(stop);
        Ok(player)
    }

    fn new_legal(&self) -> LegalMoves<W> {
        let (groups, list, scratch) = (MoveGroups::new(), MoveList::new(), self.position().clone());
        LegalMoves { groups, list, scratch, all_random: false, n_moves: 0, is_check: None }
    }

    fn begin(&mut self, start: &Line<W>, players: &mut [Player], legal: &mut LegalMoves<W>) {
        self.restart(start.position());
        players.iter_mut().for_each(Player::begin_game);
        legal.all_random = players.iter().all(Player::is_random);
    }

    #[inline(always)]
    fn prepare(
        &mut self,
        _: &[Player],
        legal: &mut LegalMoves<W>,
        _: &mut Random,
        _: &mut impl Observer<Self>,
    ) -> Option<Outcome> {
        if legal.all_random {
            legal.groups.clear();
            self.position().generate(&mut legal.groups);
            (legal.n_moves, legal.is_check) = (legal.groups.len(), legal.groups.is_check());
        } else {
            legal.list.clear();
            self.position().generate(&mut legal.list);
            (legal.n_moves, legal.is_check) = (legal.list.len() as u32, None);
        }
        self.outcome_knowing(legal.n_moves > 0)
    }

    #[inline(always)]
    fn choose(&mut self, players: &mut [Player], legal: &mut LegalMoves<W>, random: &mut Random) -> Move {
        if legal.all_random {
            return legal.groups.pick(random.below(legal.n_moves));
        }
        let player = &mut players[self.position().turn().index()];
        player.choose_on_line(self, &mut legal.scratch, &legal.list, random)
    }

    #[inline(always)]
    fn play_turn(&mut self, mv: Move) {
        self.play_unchecked(mv);
    }

    fn outcome_now(&self) -> Option<Outcome> {
        self.outcome()
    }
}

/// Legal turns of a contest.
pub struct LegalTurns<W> {
    /// After [`Turns::look`].
    pub turns: Turns<W>,
    list: Vec<Turn>,
}

impl<W: SearchWord> Playable for Contest<W> {
    type Turn = Turn;
    type Player = ContestPlayer<W>;
    type Legal = LegalTurns<W>;

    fn player(
        &self,
        plan: &PlayerPlan,
        values: Option<&Values>,
        stop: &StopFlag,
    ) -> Result<ContestPlayer<W>, UnfitPlayer> {
        let mut player = ContestPlayer::new(plan, self, values)?;
        player.set_stop(stop);
        Ok(player)
    }

    fn new_legal(&self) -> LegalTurns<W> {
        LegalTurns { turns: Turns::new(self), list: Vec::new() }
    }

    fn begin(&mut self, start: &Contest<W>, _: &mut [ContestPlayer<W>], _: &mut LegalTurns<W>) {
        self.restart(start);
    }

    #[inline]
    fn prepare(
        &mut self,
        players: &[ContestPlayer<W>],
        legal: &mut LegalTurns<W>,
        random: &mut Random,
        observer: &mut impl Observer<Self>,
    ) -> Option<Outcome> {
        while let Stage::Exchange(side) = self.stage() {
            let answer = players[side.index()].answer(self, side, random);
            self.answer(answer);
            observer.answered(answer);
        }
        let outcome = self.outcome();
        if outcome.is_none() {
            let n_rolls = legal.turns.n_rolls();
            if n_rolls > 0 {
                self.throw(legal.turns.roll(random.below(n_rolls)));
            }
            legal.turns.look(self);
        }
        outcome
    }

    #[inline]
    fn choose(
        &mut self,
        players: &mut [ContestPlayer<W>],
        legal: &mut LegalTurns<W>,
        random: &mut Random,
    ) -> Turn {
        let (side, roll) = (self.turn(), self.turn_state().roll());
        let player = &mut players[side.index()];
        if player.is_random() && !self.is_returning(side) {
            return legal.turns.pick(self, roll, random.below(legal.turns.count(roll)));
        }
        legal.list.clear();
        legal.turns.list(self, roll, &mut legal.list);
        player.choose(self, &legal.list, random)
    }

    #[inline]
    fn play_turn(&mut self, turn: Turn) {
        self.play_unchecked(turn);
    }

    fn outcome_now(&self) -> Option<Outcome> {
        self.outcome()
    }
}
