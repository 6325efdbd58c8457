//! Practice: a won position drawn evenly from all of them, the best defence, and what each move was worth.
//!
//! In: tables, random numbers from outside, moves. Out: positions, judgements, replies, a score. Never: a drawn position
//! offered as won, a defence that gives in early.

use ashta_play::Random;
use ashta_position::{Game, IllegalMove, Move};
use ashta_rules::Side;

use super::material::{MAX_MEN, Material};
use super::store::Endings;
use super::table::Worth;

/// What a move did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// There is no quicker win.
    Best,
    /// It still wins, so many plies later.
    Slower(u16),
    /// The win is gone.
    LostTheWin,
}

/// One ending played out.
#[derive(Debug)]
pub struct Practice<'e> {
    endings: &'e Endings,
    game: Game,
    /// Who is to win.
    side: Side,
    /// Plies in which it can be won.
    plies: u16,
    judged: Vec<Judgement>,
    /// Plies played.
    played: u16,
}

/// Draws thrown away before giving up: endings with so few wins are not practised.
const MOST_DRAWS: u32 = 50_000_000;
/// Draws after which it is time to ask whether there is anything to be won.
const LOOK_AFTER: u32 = 10_000;

/// A position that a side, which is to move, wins; each of them is as likely as any other.
pub fn draw_won(endings: &Endings, material: &Material, side: Side, random: &mut Random) -> Option<Game> {
    let table = endings.table(material)?;
    let n_squares = endings.rules().rules().grid().n_squares() as u32;
    let n_men = material.n_men();
    for n_drawn in 0..MOST_DRAWS {
        if n_drawn == LOOK_AFTER && table.counts(side.0).wins == 0 {
            return None;
        }
        let mut squares = [0; MAX_MEN];
        squares[..n_men].iter_mut().for_each(|square| *square = random.below(n_squares) as u8);
        let apart = (1..n_men).all(|n| !squares[..n].contains(&squares[n]));
        if apart && matches!(table.worth(side.0, &squares), Some(Worth::Win(plies)) if plies > 0) {
            return endings.game_at(material, &squares[..n_men], side);
        }
    }
    None
}

impl<'e> Practice<'e> {
    /// From a position that the side to move wins; none from others.
    pub fn new(endings: &'e Endings, game: Game) -> Option<Practice<'e>> {
        let Worth::Win(plies) = endings.worth(&game)? else { return None };
        let side = game.turn();
        Some(Practice { endings, game, side, plies, judged: Vec::new(), played: 0 })
    }

    /// Where it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Plies in which the win can be had from here; none if it is gone or had.
    pub fn distance(&self) -> Option<u16> {
        match (self.endings.worth(&self.game)?, self.game.turn() == self.side) {
            (Worth::Win(plies), true) | (Worth::Loss(plies), false) => Some(plies),
            _ => None,
        }
    }

    /// Plays a move of the person, and says what it did.
    pub fn play(&mut self, mv: Move) -> Result<Judgement, IllegalMove> {
        let before = self.distance();
        self.game.play(mv)?;
        self.played += 1;
        let judgement = match (before, self.distance()) {
            (Some(before), Some(after)) if after < before => Judgement::Best,
            (Some(before), Some(after)) => Judgement::Slower(after + 1 - before),
            _ => Judgement::LostTheWin,
        };
        self.judged.push(judgement);
        Ok(judgement)
    }

    /// The defence's best reply, played; none if the game is over.
    pub fn reply(&mut self, random: &mut Random) -> Option<Move> {
        if self.game.outcome().is_some() {
            return None;
        }
        let moves = self.endings.moves(&self.game);
        let best = moves.first()?.1;
        let equal: Vec<Move> =
            moves.iter().filter(|(_, worth)| worth.rank() == best.rank()).map(|(mv, _)| *mv).collect();
        let mv = *equal.get(random.below(equal.len() as u32) as usize)?;
        self.game.play_unchecked(mv);
        self.played += 1;
        Some(mv)
    }

    /// Moves that win quickest.
    pub fn best_moves(&self) -> Vec<Move> {
        let moves = self.endings.moves(&self.game);
        let best = moves.first().map(|(_, worth)| worth.rank());
        moves.iter().filter(|(_, worth)| Some(worth.rank()) == best).map(|(mv, _)| *mv).collect()
    }

    /// Whether the person has won.
    pub fn is_won(&self) -> bool {
        self.game.outcome().is_some_and(|outcome| outcome.winner == Some(self.side))
    }

    /// Out of 100: the plies that were needed of those that were played, nothing without the win.
    pub fn score(&self) -> u32 {
        if self.is_won() {
            100 * u32::from(self.plies) / u32::from(self.played.max(self.plies).max(1))
        } else {
            0
        }
    }

    /// What each move of the person did.
    pub fn judged(&self) -> &[Judgement] {
        &self.judged
    }
}
