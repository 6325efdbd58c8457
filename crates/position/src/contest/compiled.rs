//! What other crates call of contests: compiled here, once for each word.
//!
//! In: contests, turns. Out: calls of the generic functions, which no other crate compiles again. Never: rules.

use ashta_rules::{Side, Square};

use super::attack::Legs;
use super::turns::{Turn, Turns};
use super::{Contest, Mark, Roll};
use crate::compile_per_word;
use crate::sink::MoveList;
use crate::word::Word;

compile_per_word! {
    /// A word that contests are compiled for.
    pub trait ContestWord: Word {
        fn new_turns(contest: &Contest<Self>) -> Turns<Self> = Turns::new_generic;
        fn look(turns: &mut Turns<Self>, contest: &Contest<Self>) -> () = Turns::look_generic;
        fn list(turns: &mut Turns<Self>, contest: &Contest<Self>, roll: Option<Roll>, out: &mut Vec<Turn>) -> () = Turns::list_generic;
        fn list_all_rolls(turns: &mut Turns<Self>, contest: &Contest<Self>, out: &mut Vec<Turn>) -> () = Turns::list_all_rolls_generic;
        fn pick(turns: &mut Turns<Self>, contest: &Contest<Self>, roll: Option<Roll>, n: u32) -> Turn = Turns::pick_generic;
        fn play(contest: &mut Contest<Self>, turn: Turn) -> Mark = Contest::play_generic;
        fn attacks(contest: &Contest<Self>, by: Side, square: Square) -> bool = Contest::attacks_generic;
        fn can_take(contest: &Contest<Self>, victim: Side, legs: Legs, turns: &mut Turns<Self>, firsts: &mut MoveList) -> bool = Contest::can_take_generic;
        fn might_take(contest: &Contest<Self>, by: Side, victim: Side, legs: Legs) -> bool = Contest::might_take_generic;
    }
}

impl<W: ContestWord> Turns<W> {
    /// For contests of one game.
    #[inline]
    pub fn new(contest: &Contest<W>) -> Turns<W> {
        W::new_turns(contest)
    }

    /// Examines a contest: every other method refers to the one examined last.
    #[inline]
    pub fn look(&mut self, contest: &Contest<W>) {
        W::look(self, contest);
    }

    /// Adds every turn of a roll to a list; without dice, every turn.
    #[inline]
    pub fn list(&mut self, contest: &Contest<W>, roll: Option<Roll>, out: &mut Vec<Turn>) {
        W::list(self, contest, roll, out);
    }

    /// Adds every turn that some roll allows, each once; two dice in both orders, unless the lower one is always first.
    #[inline]
    pub fn list_all_rolls(&mut self, contest: &Contest<W>, out: &mut Vec<Turn>) {
        W::list_all_rolls(self, contest, out);
    }

    /// The nth turn of a roll; the order is that of [`Turns::list`].
    #[inline]
    pub fn pick(&mut self, contest: &Contest<W>, roll: Option<Roll>, n: u32) -> Turn {
        W::pick(self, contest, roll, n)
    }
}

impl<W: ContestWord> Contest<W> {
    /// Plays a legal turn. Any other leaves a meaningless contest, though memory stays sound.
    #[inline]
    pub fn play_unchecked(&mut self, turn: Turn) -> Mark {
        W::play(self, turn)
    }

    /// Whether a piece of a side attacks a square, its partner's pieces too if it commands them; whatever the dice.
    #[inline]
    pub fn attacks(&self, by: Side, square: Square) -> bool {
        W::attacks(self, by, square)
    }

    /// Whether some throw lets the side to move take another's last royal piece.
    #[inline]
    pub fn can_take(&self, victim: Side, legs: Legs, turns: &mut Turns<W>, firsts: &mut MoveList) -> bool {
        W::can_take(self, victim, legs, turns, firsts)
    }

    /// Whether a side's pieces could take another's royal piece if nothing stood in their way; false is certain.
    #[inline]
    pub fn might_take(&self, by: Side, victim: Side, legs: Legs) -> bool {
        W::might_take(self, by, victim, legs)
    }
}
