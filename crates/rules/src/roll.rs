//! A throw of the dice and what it lets a side move.

use crate::contest::{ContestRules, Dice, DiceOrder, SumOfDice};

/// The numbers that dice show, in the order thrown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Roll {
    /// The first die.
    pub first: u8,
    /// The second, if two are thrown.
    pub second: Option<u8>,
}

/// What a roll lets a side move: classes of pieces, numbered as the numbers of the dice ascend.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Throw {
    /// The pieces that move first, or alone.
    pub first: u8,
    /// Those that move second, or alone; the same for a double.
    pub second: Option<u8>,
    /// The sum's, if some piece has that number.
    pub sum: Option<u8>,
}

impl Roll {
    /// Every roll, each as likely as any other.
    pub fn all(contest: &ContestRules) -> Vec<Roll> {
        let Some(dice) = &contest.dice else { return Vec::new() };
        let one = |first: &u8| -> Vec<Roll> {
            match dice.count {
                1 => vec![Roll { first: *first, second: None }],
                _ => dice.faces.iter().map(|n| Roll { first: *first, second: Some(*n) }).collect(),
            }
        };
        dice.faces.iter().flat_map(one).collect()
    }

    /// Whether both dice show one number.
    #[inline]
    pub fn is_double(self) -> bool {
        self.second == Some(self.first)
    }
}

impl Throw {
    /// What a roll means in a game whose pieces have these numbers, ascending.
    #[inline]
    pub fn of(roll: Roll, numbers: &[u8], dice: &Dice) -> Throw {
        let class = |number: u8| numbers.iter().position(|n| *n == number).map(|class| class as u8);
        let total = roll.second.filter(|_| dice.sum == SumOfDice::Allowed).map(|second| roll.first + second);
        let (first, second) = match (dice.order, roll.second) {
            (DiceOrder::Rising, Some(second)) => (roll.first.min(second), Some(roll.first.max(second))),
            (DiceOrder::Rising | DiceOrder::Thrown | DiceOrder::Any | DiceOrder::Set, second) => {
                (roll.first, second)
            }
        };
        Throw { first: class(first).unwrap_or(0), second: second.and_then(class), sum: total.and_then(class) }
    }

    /// Whether it lets a piece of a class move, alone or first or second.
    #[inline]
    pub fn allows(self, class: u8) -> bool {
        self.first == class || self.second == Some(class) || self.sum == Some(class)
    }
}

/// Chances of a throw, as numbers of rolls out of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chances {
    /// All rolls.
    pub n_rolls: usize,
    /// By number: rolls that let a piece of it move.
    pub one: Vec<(u8, usize)>,
    /// Rolls of two equal numbers that are given, and of two different ones.
    pub two: [usize; 2],
}

impl Chances {
    /// The chances of a game's dice; nothing if it has none.
    pub fn of(contest: &ContestRules) -> Option<Chances> {
        let dice = contest.dice.as_ref()?;
        let mut numbers = dice.faces.clone();
        numbers.sort_unstable();
        let rolls = Roll::all(contest);
        let allows =
            |class: u8| rolls.iter().filter(|roll| Throw::of(**roll, &numbers, dice).allows(class)).count();
        let both = |a: u8, b: u8| {
            let shows = |roll: &&Roll| match roll.second {
                Some(second) => (roll.first, second) == (a, b) || (roll.first, second) == (b, a),
                None => false,
            };
            rolls.iter().filter(shows).count()
        };
        let (first, last) = (numbers[0], numbers[numbers.len() - 1]);
        Some(Chances {
            n_rolls: rolls.len(),
            one: numbers.iter().zip(0..).map(|(number, class)| (*number, allows(class))).collect(),
            two: [both(first, first), if first == last { 0 } else { both(first, last) }],
        })
    }
}

impl std::fmt::Display for Roll {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.second {
            Some(second) => write!(f, "{}-{second}", self.first),
            None => write!(f, "{}", self.first),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::load;

    /// Tables 4 and 5 of Takeshita et al., *Programming Multi-player Games with Chance* (about 2000; 000).
    #[test]
    fn chances_are_those_of_the_paper() {
        let chances = |game: &str| {
            let rules = load(game).expect("the library is sound");
            rules.contest().and_then(Chances::of)
        };
        let four = chances("four-handed").expect("it has dice");
        assert_eq!((four.n_rolls, four.one), (16, vec![(2, 7), (3, 7), (4, 8), (5, 9)]));
        assert_eq!(four.two, [1, 2]);
        assert_eq!(chances("four-handed+no-sum").expect("it has dice").one[3], (5, 7));
        let one = chances("four-handed+one-die").expect("it has a die");
        assert_eq!((one.n_rolls, one.one[0], one.two), (4, (2, 1), [0, 0]));
        assert_eq!(chances("four-handed+no-dice"), None);
    }
}
