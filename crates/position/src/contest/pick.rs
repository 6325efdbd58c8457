//! The nth turn of a roll, without listing those before it where they were counted set by set.

use ashta_rules::{DiceOrder, Pass};

use super::setwise::Reaches;
use super::turns::{Turn, Turns, single_classes};
use super::{Contest, Roll};
use crate::moves::Move;
use crate::word::Word;

impl<W: Word> Turns<W> {
    pub(super) fn pick_generic(&mut self, contest: &Contest<W>, roll: Option<Roll>, n: u32) -> Turn {
        let throw = self.throw_of(roll);
        let mut rest = n;
        if self.survey.returns.is_some() {
            let lists =
                throw.is_none_or(|throw| self.survey.returns.is_some_and(|(_, class)| throw.allows(class)));
            let class = self.survey.returns.map_or(0, |(_, class)| class as usize);
            let chosen = self.firsts[class].get(n as usize).filter(|_| lists);
            return chosen.map_or(Turn::PASS, |mv| Turn::single(*mv));
        }
        if self.rules.pass == Pass::Allowed {
            if rest == 0 {
                return Turn::PASS;
            }
            rest -= 1;
        }
        let (classes, n_classes) = single_classes(throw);
        for class in &classes[..n_classes] {
            let moves = &self.firsts[*class as usize];
            if let Some(mv) = moves.get(rest as usize) {
                return Turn::single(*mv);
            }
            match self.reaches.pick(*class as usize, rest - moves.len() as u32) {
                Ok(mv) => return Turn::single(mv),
                Err(left) => rest = left,
            }
        }
        let Some((first, second)) = throw.and_then(|t| t.second.map(|second| (t.first, second))) else {
            return Turn::PASS;
        };
        if self.rules.order != DiceOrder::Set {
            let n_pairs = self.survey.pairs[first as usize][second as usize];
            return match rest < n_pairs {
                true => self.pick_pair(contest, first, second, rest),
                false => self.pick_pair(contest, second, first, rest - n_pairs),
            };
        }
        let mut pairs = Vec::new();
        self.list_pairs(contest, first, second, &mut pairs);
        pairs.get(rest as usize).copied().unwrap_or(Turn::PASS)
    }

    fn pick_pair(&mut self, contest: &Contest<W>, first: u8, second: u8, n: u32) -> Turn {
        if !self.reaches.is_empty() {
            let chosen = self.pick_first(contest, first, second, n);
            return chosen.map_or(Turn::PASS, |(mv, rest)| {
                self.list_seconds(contest, mv, first, second);
                Turn { first: mv, second: self.seconds.get(rest as usize).copied().unwrap_or(Move::PASS) }
            });
        }
        let mut rest = n as usize;
        for at in 0..self.firsts[first as usize].len() {
            let mv = self.firsts[first as usize][at];
            self.list_seconds(contest, mv, first, second);
            if rest < self.seconds.len() {
                return Turn { first: mv, second: self.seconds[rest] };
            }
            rest -= self.seconds.len();
        }
        Turn::PASS
    }

    fn pick_first(&self, contest: &Contest<W>, first: u8, second: u8, n: u32) -> Option<(Move, u32)> {
        match self.rules.has_pext {
            // SAFETY: `has_pext` is true only if the processor has the instructions that this is compiled for.
            #[expect(unsafe_code, reason = "see SAFETY")]
            true => unsafe { pick_first_fast(&self.reaches, contest, first, second, n) },
            false => self.reaches.pick_first(contest, first, second, n),
        }
    }
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
fn pick_first_fast<W: Word>(
    reaches: &Reaches<W>,
    contest: &Contest<W>,
    first: u8,
    second: u8,
    n: u32,
) -> Option<(Move, u32)> {
    reaches.pick_first(contest, first, second, n)
}
