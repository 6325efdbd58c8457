//! Every turn of a roll, in the plainest way: first moves one by one, each played to see what may follow.

use ashta_position::Roll;
use ashta_rules::{ComeBack, Dice, DiceOrder, DoubleMoves, KindId, Pass, Square, SumOfDice};

use super::{ContestTwin, Leg, TwinTurn};

/// What is settled when a turn begins.
#[derive(Clone, Copy)]
struct Mover {
    me: usize,
    partner: Option<usize>,
    is_final: bool,
}

impl ContestTwin<'_> {
    /// Every roll, each as likely as any other; one of nothing without dice.
    pub fn rolls(&self) -> Vec<Option<Roll>> {
        let Some(dice) = &self.contest().dice else { return vec![None] };
        let seconds: Vec<Option<u8>> = match dice.count {
            1 => vec![None],
            _ => dice.faces.iter().map(|n| Some(*n)).collect(),
        };
        let pairs = dice.faces.iter().flat_map(|first| seconds.iter().map(move |second| (*first, *second)));
        pairs.map(|(first, second)| Some(Roll { first, second })).collect()
    }

    /// The legal turns of a roll.
    pub fn legal_turns(&self, roll: Option<Roll>) -> Vec<TwinTurn> {
        if self.fates[self.turn].returning {
            return self.returns(roll);
        }
        let mut turns = self.moving_turns(roll);
        if self.may_pass(&turns) {
            turns.push(Vec::new());
        }
        turns
    }

    fn may_pass(&self, others: &[TwinTurn]) -> bool {
        match self.rules.0.pass() {
            Pass::Allowed => true,
            Pass::No | Pass::WhenStuck => others.is_empty(),
        }
    }

    fn moving_turns(&self, roll: Option<Roll>) -> Vec<TwinTurn> {
        let (Some(dice), Some(roll)) = (&self.contest().dice, roll) else {
            return self.first_legs(None).into_iter().map(|leg| vec![leg]).collect();
        };
        let single = |number: u8| self.first_legs(Some(number)).into_iter().map(|leg| vec![leg]);
        let mut turns: Vec<TwinTurn> = single(roll.first).collect();
        let Some(second) = roll.second else { return turns };
        if second != roll.first {
            turns.extend(single(second));
        }
        if dice.sum == SumOfDice::Allowed {
            turns.extend(single(roll.first + second));
        }
        turns.extend(self.pairs_of_roll(roll.first, second, dice));
        turns
    }

    /// Turns of two moves that a roll allows.
    fn pairs_of_roll(&self, first: u8, second: u8, dice: &Dice) -> Vec<TwinTurn> {
        let (first, second) = match dice.order {
            DiceOrder::Rising if second < first => (second, first),
            _ => (first, second),
        };
        let mut pairs = self.pairs(first, second, dice);
        if first != second && matches!(dice.order, DiceOrder::Any | DiceOrder::Set) {
            pairs.extend(self.pairs(second, first, dice));
        }
        if dice.order == DiceOrder::Set {
            let mut once: Vec<TwinTurn> = Vec::new();
            for pair in pairs {
                if !once.contains(&vec![pair[1], pair[0]]) {
                    once.push(pair);
                }
            }
            return once;
        }
        pairs
    }

    /// A piece of one number moves, then one of another; of equal numbers, the same piece twice unless any may.
    pub fn pairs(&self, first: u8, second: u8, dice: &Dice) -> Vec<TwinTurn> {
        let mover = self.mover();
        let mut turns = Vec::new();
        for leg in self.legs(Some(first), mover) {
            let Leg::Go { from, to, .. } = leg else { continue };
            let mut after = self.clone();
            after.play_leg(&leg);
            let captured = after.pieces().len() < self.pieces().len();
            for next in after.legs(Some(second), mover) {
                let Leg::Go { from: next_from, to: end, .. } = next else { continue };
                let same_piece = next_from == to;
                let may_be_it = match dice.double {
                    DoubleMoves::SamePiece => first != second || same_piece,
                    DoubleMoves::AnyPiece => true,
                };
                let comes_back = first == second && same_piece && end == from;
                if may_be_it && (!comes_back || captured || dice.back == ComeBack::Always) {
                    turns.push(vec![leg, next]);
                }
            }
        }
        turns
    }

    fn mover(&self) -> Mover {
        let me = self.turn;
        Mover { me, partner: self.commanded_partner(me), is_final: self.is_final() }
    }

    /// Moves with which a turn may begin, of pieces of one number or of all.
    pub fn first_legs(&self, number: Option<u8>) -> Vec<Leg> {
        self.legs(number, self.mover())
    }

    fn legs(&self, number: Option<u8>, mover: Mover) -> Vec<Leg> {
        let may_move = |(_, side, kind): &(Square, usize, KindId)| {
            (*side == mover.me || Some(*side) == mover.partner)
                && number.is_none_or(|number| self.rules.0.kind(*kind).number == Some(number))
        };
        let movable = self.pieces().into_iter().filter(may_move);
        movable.flat_map(|(from, ..)| self.legs_of(from, mover.me, mover.is_final)).collect()
    }

    /// A side whose royal piece comes back puts it on the board when a number of the roll is its own, and else passes.
    fn returns(&self, roll: Option<Roll>) -> Vec<TwinTurn> {
        let kinds = self.rules.0.kinds();
        let kind = kinds.iter().position(|kind| kind.royal).expect("a contest has royal pieces");
        let shows = roll.is_none_or(|roll| {
            let sum = self.contest().dice.as_ref().is_some_and(|dice| dice.sum == SumOfDice::Allowed);
            let total = roll.second.filter(|_| sum).map(|second| roll.first + second);
            [Some(roll.first), roll.second, total].contains(&kinds[kind].number)
        });
        let place = &self.contest().captives.place[self.turn];
        let free = |square: &Square| shows && place.has(*square) && self.at(*square).is_none();
        let put = |to: Square| vec![Leg::Put { kind: KindId(kind as u8), to }];
        let turns: Vec<TwinTurn> = self.rules.0.grid().squares().filter(free).map(put).collect();
        if turns.is_empty() { vec![Vec::new()] } else { turns }
    }

    /// Turns of all rolls together.
    pub fn count_all_rolls(&self) -> usize {
        self.rolls().into_iter().map(|roll| self.legal_turns(roll).len()).sum()
    }

    /// Twice the number of turns when any piece may move: a pass, single moves, the same number twice, and two numbers.
    /// Those are counted once, as the mean of their orders, where a player does not choose the order.
    pub fn count_before_doubled(&self) -> usize {
        let Some(dice) = &self.contest().dice else { return 2 * self.legal_turns(None).len() };
        if self.fates[self.turn].returning {
            let places = self.rolls().into_iter().flat_map(|roll| self.returns(roll));
            let most = places.filter(|turn| !turn.is_empty()).map(|turn| self.turn_text(&turn));
            return 2 + 2 * most.collect::<std::collections::BTreeSet<String>>().len();
        }
        let singles = self.first_legs(None);
        let mut n = 2 * singles.len();
        for (at, first) in dice.faces.iter().enumerate().filter(|_| dice.count == 2) {
            n += 2 * self.pairs_of_roll(*first, *first, dice).len();
            for second in &dice.faces[at + 1..] {
                n += match dice.order {
                    DiceOrder::Thrown => {
                        self.pairs(*first, *second, dice).len() + self.pairs(*second, *first, dice).len()
                    }
                    DiceOrder::Rising | DiceOrder::Any | DiceOrder::Set => {
                        2 * self.pairs_of_roll(*first, *second, dice).len()
                    }
                };
            }
        }
        let some: Vec<TwinTurn> = singles.into_iter().map(|leg| vec![leg]).collect();
        n + 2 * usize::from(self.may_pass(&some))
    }
}
