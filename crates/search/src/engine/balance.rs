//! The part of an evaluation that moves change little by little: material, places, hands.
//!
//! In: a position and a move of it. Out: the balance after it, seen from the first side. Never: what pieces do to each
//! other.

use ashta_position::{Action, Move, Position, Word};
use ashta_rules::{Hand, KindId, Rules, Side, Square};

use super::places::{Pair, is_foot, place_values};
use super::worth::Worths;
use crate::values::Values;

/// Material and places of the first side minus those of the other, and how much is still in play.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Balance {
    /// Early and late.
    pub worth: Pair,
    /// What officers of both sides are worth.
    pub in_play: i32,
}

/// Numbers for pieces, ready to be summed.
#[derive(Clone, Debug)]
pub struct Scales {
    /// By side, kind and square; negative for the second side.
    on_board: Vec<Pair>,
    /// By side and kind.
    in_hand: Vec<Pair>,
    /// By kind.
    in_play: Vec<i32>,
    n_kinds: usize,
    n_squares: usize,
    captures_to_hand: bool,
}

/// A piece in hand can be anywhere soon.
const HAND_BONUS_PERCENT: i32 = 8;

impl Scales {
    /// Of a game of two sides.
    pub fn new(rules: &Rules, worths: &Worths, learned: Option<&Values>) -> Scales {
        let (n_kinds, n_squares) = (rules.kinds().len(), rules.grid().n_squares());
        let places = place_values(rules, worths, learned);
        let (mut on_board, mut in_hand) = (Vec::new(), Vec::new());
        for (n, side) in rules.sides().iter().enumerate() {
            let signed = |pair: Pair| if n == 0 { pair } else { Pair::default() - pair };
            for kind in rules.kind_ids() {
                for square in rules.grid().squares() {
                    let seen = rules.grid().turned(square, (4 - side.quarters % 4) % 4);
                    let place = places[kind.index() * n_squares + usize::from(seen.0)];
                    on_board.push(signed(Pair::both(worths.of(kind.index())) + place));
                }
                let held = worths.in_hand(kind.index()) * (100 + HAND_BONUS_PERCENT) / 100;
                in_hand.push(signed(Pair::both(held)));
            }
        }
        let officer = |kind: KindId| !rules.kind(kind).royal && !is_foot(rules, worths, kind);
        let in_play = rules.kind_ids().map(|kind| if officer(kind) { worths.of(kind.index()) } else { 0 });
        let captures_to_hand = rules.hand() == Hand::Captures;
        Scales { on_board, in_hand, in_play: in_play.collect(), n_kinds, n_squares, captures_to_hand }
    }

    #[inline(always)]
    fn piece(&self, side: Side, kind: KindId, square: Square) -> Pair {
        self.on_board[(side.index() * self.n_kinds + kind.index()) * self.n_squares + usize::from(square.0)]
    }

    #[inline(always)]
    fn held(&self, side: Side, kind: KindId) -> Pair {
        self.in_hand[side.index() * self.n_kinds + kind.index()]
    }

    /// Of a position, summed afresh.
    pub fn balance<W: Word>(&self, position: &Position<W>) -> Balance {
        let mut balance = Balance::default();
        for square in position.rules().grid().squares() {
            if let Some((side, kind)) = position.piece(square) {
                balance.worth += self.piece(side, kind, square);
                balance.in_play += self.in_play[kind.index()];
            }
        }
        if position.rules().hand() != Hand::None {
            for side in [Side(0), Side(1)] {
                for kind in position.rules().kind_ids() {
                    for _ in 0..position.in_hand(side, kind) {
                        balance.worth += self.held(side, kind);
                        balance.in_play += self.in_play[kind.index()];
                    }
                }
            }
        }
        balance
    }

    /// After a legal move of the position.
    #[inline]
    pub fn after<W: Word>(&self, position: &Position<W>, mv: Move, mut balance: Balance) -> Balance {
        let me = position.turn();
        match mv.action() {
            Action::Go { from, to, becomes } => {
                if from != to {
                    self.capture(position, to, &mut balance);
                }
                self.shift(position, (from, to), becomes, &mut balance);
            }
            Action::EnPassant { from, to, victim } => {
                self.capture(position, victim, &mut balance);
                self.shift(position, (from, to), None, &mut balance);
            }
            Action::Drop { kind, to } => {
                balance.worth += self.piece(me, kind, to) - self.held(me, kind);
            }
            Action::Castle { from, to } => {
                let castlings = position.rules().castlings();
                let castling = castlings.iter().find(|castling| castling.royal == (from, to));
                if let Some(castling) = castling {
                    self.shift(position, castling.partner, None, &mut balance);
                }
                self.shift(position, (from, to), None, &mut balance);
            }
            Action::Pass => {}
        }
        balance
    }

    #[inline(always)]
    fn shift<W: Word>(
        &self,
        position: &Position<W>,
        (from, to): (Square, Square),
        becomes: Option<KindId>,
        balance: &mut Balance,
    ) {
        let Some((side, kind)) = position.piece(from) else { return };
        let new = becomes.unwrap_or(kind);
        balance.worth += self.piece(side, new, to) - self.piece(side, kind, from);
        balance.in_play += self.in_play[new.index()] - self.in_play[kind.index()];
    }

    #[inline(always)]
    fn capture<W: Word>(&self, position: &Position<W>, square: Square, balance: &mut Balance) {
        let Some((side, kind)) = position.piece(square) else { return };
        balance.worth = balance.worth - self.piece(side, kind, square);
        balance.in_play -= self.in_play[kind.index()];
        if self.captures_to_hand {
            let demoted = position.rules().kind(kind).demoted;
            let drops = position.rules().kind(demoted).drop.is_some();
            if drops {
                balance.worth += self.held(position.turn(), demoted);
                balance.in_play += self.in_play[demoted.index()];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ashta_position::{CompiledRules, Game, Line, with_line};
    use ashta_rules::{game_names, load};

    fn check<W: Word>(scales: &Scales, line: &Line<W>) {
        let before = scales.balance(line.position());
        for mv in line.position().legal_moves() {
            let mut position = line.position().clone();
            let after = scales.after(&position, mv, before);
            position.play_unchecked(mv);
            assert_eq!(after, scales.balance(&position), "{} {mv:?}", line.position().text());
        }
    }

    #[test]
    fn changed_little_by_little_it_is_what_it_is_afresh() {
        for name in game_names() {
            let rules = load(name).expect(name);
            if rules.sides().len() != 2 || rules.contest().is_some() {
                continue;
            }
            let scales = Scales::new(&rules, &Worths::new(&rules, None), None);
            let compiled = CompiledRules::new(rules);
            let (mut game, mut seed) = (Game::start(&compiled), 9u64);
            for _ in 0..150 {
                with_line!(game.line(), line => check(&scales, line));
                let moves = game.legal_moves();
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
                match moves.get((seed >> 33) as usize % moves.len().max(1)) {
                    Some(mv) if game.outcome().is_none() => game.play_unchecked(*mv),
                    _ => game = Game::start(&compiled),
                }
            }
        }
    }
}
