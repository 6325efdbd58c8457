//! How many turns there are, for every throw at once.

use ashta_rules::{DiceOrder, Pass};

use super::Throw;
use super::turns::TurnRules;

/// Most numbers on a die.
pub const MAX_CLASSES: usize = 8;

/// How many turns the side to move has, by classes of pieces: those of one number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Survey {
    pub(super) singles: [u32; MAX_CLASSES],
    /// First a piece of one class, then one of another; for a double, both of the same.
    pub(super) pairs: [[u32; MAX_CLASSES]; MAX_CLASSES],
    /// For a side that puts its royal piece back: on how many squares it may, and the class of its number.
    pub(super) returns: Option<(u32, u8)>,
}

impl Survey {
    /// Turns that a throw allows; without dice, all.
    #[inline(always)]
    pub(super) fn count(&self, throw: Option<Throw>, rules: &TurnRules) -> u32 {
        if let Some((n, class)) = self.returns {
            return if throw.is_none_or(|throw| throw.allows(class)) { n.max(1) } else { 1 };
        }
        let Some(throw) = throw else { return with_pass(self.singles[0], rules) };
        let first = throw.first as usize;
        let mut n = self.singles[first];
        if let Some(second) = throw.second.map(usize::from) {
            n += self.pairs[first][second];
            if second != first {
                n += self.singles[second];
                n += if rules.order == DiceOrder::Any { self.pairs[second][first] } else { 0 };
            }
        }
        n += throw.sum.map_or(0, |sum| self.singles[sum as usize]);
        with_pass(n, rules)
    }

    /// Twice the number of turns before the throw, when any piece may move: two dice are counted once, as the mean of
    /// their orders.
    #[inline]
    pub(super) fn count_before_doubled(&self, rules: &TurnRules) -> u32 {
        if let Some((n, _)) = self.returns {
            return 2 * (n + 1);
        }
        let (mut singles, mut doubles, mut rising, mut falling) = (0, 0, 0, 0);
        for class in 0..rules.n_classes.min(MAX_CLASSES) {
            singles += self.singles[class];
            doubles += self.pairs[class][class];
            falling += self.pairs[class][..class].iter().sum::<u32>();
            rising += self.pairs[class][class + 1..].iter().sum::<u32>();
        }
        let pairs_doubled = match rules.order {
            // Of a set one order is listed and has what both allow.
            DiceOrder::Thrown | DiceOrder::Set => rising + falling,
            DiceOrder::Rising => 2 * rising,
            DiceOrder::Any => 2 * (rising + falling),
        };
        let pass = match rules.pass {
            Pass::Allowed => 1,
            Pass::WhenStuck | Pass::No => u32::from(singles == 0),
        };
        2 * (pass + singles + doubles) + pairs_doubled
    }
}

/// In how many rolls each count of a survey is a turn: all rolls together are then one sum.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    singles: [u32; MAX_CLASSES],
    pairs: [[u32; MAX_CLASSES]; MAX_CLASSES],
    n_classes: usize,
    n_rolls: u32,
}

impl Weights {
    /// For these throws; nothing where passing depends on what else there is.
    pub fn of(throws: impl Iterator<Item = Throw>, rules: &TurnRules, n_classes: usize) -> Option<Weights> {
        let (singles, pairs) = ([0; MAX_CLASSES], [[0; MAX_CLASSES]; MAX_CLASSES]);
        let mut weights = Weights { singles, pairs, n_classes, n_rolls: 0 };
        for throw in throws {
            // A turn of one sort counted in a survey that has nothing else tells whether the throw allows it.
            let pass = Survey::default().count(Some(throw), rules);
            for first in 0..n_classes {
                let mut survey = Survey::default();
                survey.singles[first] = 1;
                weights.singles[first] += survey.count(Some(throw), rules) - pass;
                for second in 0..n_classes {
                    let mut survey = Survey::default();
                    survey.pairs[first][second] = 1;
                    weights.pairs[first][second] += survey.count(Some(throw), rules) - pass;
                }
            }
            weights.n_rolls += 1;
        }
        (rules.pass == Pass::Allowed).then_some(weights)
    }

    /// Turns summed over all rolls.
    #[inline]
    pub fn count(&self, survey: &Survey) -> u32 {
        let mut n = self.n_rolls;
        for class in 0..self.n_classes.min(MAX_CLASSES) {
            n += self.singles[class] * survey.singles[class];
            for second in 0..self.n_classes.min(MAX_CLASSES) {
                n += self.pairs[class][second] * survey.pairs[class][second];
            }
        }
        n
    }
}

#[inline(always)]
fn with_pass(n: u32, rules: &TurnRules) -> u32 {
    match rules.pass {
        Pass::Allowed => n + 1,
        Pass::WhenStuck | Pass::No => n.max(1),
    }
}
