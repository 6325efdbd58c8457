//! Ending practice: a uniformly drawn won position, the best defence, and a judgement of each move.
//!
//! In: tablebases, a random generator, moves. Out: positions, judgements, replies, a score. Never: a drawn position
//! offered as won, a defence that loses early.

use ashta_play::Random;
use ashta_position::{Game, IllegalMove, Move};
use ashta_rules::Side;

use super::ending_material::{EndingMaterial, MAX_PIECES};
use super::store::Endings;
use super::tablebase::TablebaseValue;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// No win is faster.
    Best,
    /// It still wins, this many plies later.
    Slower(u16),
    LostTheWin,
}

#[derive(Debug)]
pub struct Practice<'e> {
    endings: &'e Endings,
    game: Game,
    /// The side to win.
    side: Side,
    /// Distance to mate at the start.
    plies: u16,
    judged: Vec<Judgement>,
    played: u16,
}

/// Rejected samples before giving up: endings with so few wins are not practised.
const MAX_DRAWS: u32 = 50_000_000;
/// Samples after which to check that there are wins at all.
const LOOK_AFTER: u32 = 10_000;

/// A position that the side wins with the move, uniformly by rejection sampling.
pub fn draw_won(
    endings: &Endings,
    material: &EndingMaterial,
    side: Side,
    random: &mut Random,
) -> Option<Game> {
    let table = endings.table(material)?;
    let n_squares = endings.rules().rules().grid().n_squares() as u32;
    let n_pieces = material.n_pieces();
    for n_drawn in 0..MAX_DRAWS {
        if n_drawn == LOOK_AFTER && table.counts(side.0).wins == 0 {
            return None;
        }
        let mut squares = [0; MAX_PIECES];
        squares[..n_pieces].iter_mut().for_each(|square| *square = random.below(n_squares) as u8);
        let apart = (1..n_pieces).all(|n| !squares[..n].contains(&squares[n]));
        if apart && matches!(table.probe(side.0, &squares), Some(TablebaseValue::Win(plies)) if plies > 0) {
            return endings.game_at(material, &squares[..n_pieces], side);
        }
    }
    None
}

impl<'e> Practice<'e> {
    /// From a position that the side to move wins; `None` from others.
    pub fn new(endings: &'e Endings, game: Game) -> Option<Practice<'e>> {
        let TablebaseValue::Win(plies) = endings.probe(&game)? else { return None };
        let side = game.turn();
        Some(Practice { endings, game, side, plies, judged: Vec::new(), played: 0 })
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Distance to mate; `None` if the win is gone or complete.
    pub fn distance(&self) -> Option<u16> {
        match (self.endings.probe(&self.game)?, self.game.turn() == self.side) {
            (TablebaseValue::Win(plies), true) | (TablebaseValue::Loss(plies), false) => Some(plies),
            _ => None,
        }
    }

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

    /// Plays the longest defence; `None` if the game is over.
    pub fn reply(&mut self, random: &mut Random) -> Option<Move> {
        if self.game.outcome().is_some() {
            return None;
        }
        let moves = self.endings.moves(&self.game);
        let best = moves.first()?.1;
        let equal: Vec<Move> =
            moves.iter().filter(|(_, value)| value.rank() == best.rank()).map(|(mv, _)| *mv).collect();
        let mv = *equal.get(random.below(equal.len() as u32) as usize)?;
        self.game.play_unchecked(mv);
        self.played += 1;
        Some(mv)
    }

    pub fn best_moves(&self) -> Vec<Move> {
        let moves = self.endings.moves(&self.game);
        let best = moves.first().map(|(_, value)| value.rank());
        moves.iter().filter(|(_, value)| Some(value.rank()) == best).map(|(mv, _)| *mv).collect()
    }

    pub fn is_won(&self) -> bool {
        self.game.outcome().is_some_and(|outcome| outcome.winner == Some(self.side))
    }

    /// Out of 100: plies needed over plies played; 0 without the win.
    pub fn score(&self) -> u32 {
        if self.is_won() {
            100 * u32::from(self.plies) / u32::from(self.played.max(self.plies).max(1))
        } else {
            0
        }
    }

    pub fn judged(&self) -> &[Judgement] {
        &self.judged
    }
}
