//! A throw of the dice and what it lets a side move.

use ashta_rules::{ContestRules, SumOfDice};

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
    /// The first die's pieces.
    pub first: u8,
    /// The second die's; the same for a double.
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
    pub fn is_double(self) -> bool {
        self.second == Some(self.first)
    }
}

impl Throw {
    /// What a roll means in a game whose pieces have these numbers, ascending.
    #[inline]
    pub fn of(roll: Roll, numbers: &[u8], sum: SumOfDice) -> Throw {
        let class = |number: u8| numbers.iter().position(|n| *n == number).map(|class| class as u8);
        let total = roll.second.filter(|_| sum == SumOfDice::Allowed).map(|second| roll.first + second);
        Throw {
            first: class(roll.first).unwrap_or(0),
            second: roll.second.and_then(class),
            sum: total.and_then(class),
        }
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
