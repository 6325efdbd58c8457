//! Legal turns: counted for every throw at once, listed or picked for one.
//!
//! A turn is a pass, one move or two. Single moves are listed by class (pieces of one number); turns of two moves are counted
//! set by set where nothing but going and capturing can happen, and listed where more can.

use ashta_rules::{Choice, ComeBack, DiceOrder, DoubleMoves, Pass};

use super::compiled::ContestWord;
use super::setwise::{Reaches, counts_by_sets};
use super::survey::{Survey, Weights};
use super::view::View;
use super::{Contest, Stage};
use super::{Roll, Throw};
use crate::bmi2;
use crate::moves::Move;
use crate::sink::{MoveList, Sink};
use crate::tables::features;
use crate::word::Word;

/// A turn: no move, one or two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    /// The first move; [`Move::PASS`] if nothing moves.
    pub first: Move,
    /// The second; [`Move::PASS`] if only one piece moves.
    pub second: Move,
}

impl Turn {
    /// Nothing moves.
    pub const PASS: Turn = Turn { first: Move::PASS, second: Move::PASS };

    /// One piece moves.
    #[inline]
    pub fn single(first: Move) -> Turn {
        Turn { first, second: Move::PASS }
    }

    /// How many moves it has.
    #[inline]
    pub fn n_moves(self) -> u32 {
        u32::from(self.first != Move::PASS) + u32::from(self.second != Move::PASS)
    }
}

/// The turns of the side to move, in memory that is used again.
#[derive(Debug)]
pub struct Turns<W> {
    pub(super) survey: Survey,
    /// Single moves, by class; none where `reaches` has them.
    pub(super) firsts: Vec<MoveList>,
    pub(super) seconds: MoveList,
    throws: Vec<(Roll, Throw)>,
    /// By number: where the throws begin that have it first, and how far on is the one that has it second.
    places: [(u16, u16); 256],
    pub(super) rules: TurnRules,
    pub(super) reaches: Reaches<W>,
    weights: Option<Weights>,
    /// For first moves that must be played to see what may follow.
    pub(super) spare: Option<Box<Contest<W>>>,
}

/// What the rules say about turns.
#[derive(Clone, Copy, Debug)]
pub struct TurnRules {
    pub(super) order: DiceOrder,
    pub(super) double: DoubleMoves,
    pub(super) back: ComeBack,
    pub(super) pass: Pass,
    pub(super) n_classes: usize,
    has_pairs: bool,
    /// Whether a piece may choose to promote.
    pub(super) has_choices: bool,
    /// Whether pairs can be counted set by set.
    by_sets: bool,
    pub(super) features: u8,
    pub(super) has_pext: bool,
}

impl TurnRules {
    fn of<W: Word>(contest: &Contest<W>) -> TurnRules {
        let tables = contest.contest_tables();
        let dice = contest.contest_rules().dice.as_ref();
        let order = dice.map_or(DiceOrder::Thrown, |dice| dice.order);
        let double = dice.map_or(DoubleMoves::SamePiece, |dice| dice.double);
        let has_pairs = dice.is_some_and(|dice| dice.count == 2);
        let has_choices = tables.promoting.iter().any(|promoting| promoting.choice != Choice::Must);
        let mut units = contest.tables.sides.iter().filter_map(|side| side.contest.as_ref());
        let simple = double == DoubleMoves::SamePiece && order != DiceOrder::Set && !has_choices;
        TurnRules {
            order,
            double,
            back: dice.map_or(ComeBack::AfterCapture, |dice| dice.back),
            pass: contest.rules().pass(),
            n_classes: tables.numbers.len(),
            has_pairs,
            has_choices,
            by_sets: has_pairs && simple && units.all(counts_by_sets),
            features: tables.features,
            has_pext: bmi2::has_pext(),
        }
    }
}

impl<W: Word> Turns<W> {
    pub(super) fn new_generic(contest: &Contest<W>) -> Turns<W> {
        let (tables, rules) = (contest.contest_tables(), contest.contest_rules());
        let dice = rules.dice.as_ref();
        let throw_of = |roll| Some((roll, Throw::of(roll, &tables.numbers, dice?)));
        let throws: Vec<(Roll, Throw)> = Roll::all(rules).into_iter().filter_map(throw_of).collect();
        let mut turns = Turns {
            survey: Survey::default(),
            firsts: vec![MoveList::new(); tables.numbers.len()],
            seconds: MoveList::new(),
            places: places(&throws),
            throws,
            rules: TurnRules::of(contest),
            reaches: Reaches::new(contest, dice.map_or(ComeBack::AfterCapture, |dice| dice.back)),
            weights: None,
            spare: None,
        };
        if !turns.throws.is_empty() {
            let throws = turns.throws.iter().map(|(_, throw)| *throw);
            turns.weights = Weights::of(throws, &turns.rules, turns.rules.n_classes);
        }
        turns
    }

    /// Every roll of the dice, each as likely as any other.
    #[inline]
    pub fn rolls(&self) -> impl ExactSizeIterator<Item = Roll> {
        self.throws.iter().map(|(roll, _)| *roll)
    }

    /// How many rolls there are.
    #[inline]
    pub fn n_rolls(&self) -> u32 {
        self.throws.len() as u32
    }

    /// The nth roll.
    #[inline]
    pub fn roll(&self, n: u32) -> Roll {
        self.throws[n as usize % self.throws.len().max(1)].0
    }

    pub(super) fn look_generic(&mut self, contest: &Contest<W>) {
        self.survey = Survey::default();
        if contest.is_returning(contest.turn()) {
            return self.look_at_return(contest);
        }
        match (self.rules.has_pext, self.rules.features) {
            // SAFETY: `has_pext` is true only if the processor has the instructions; without them a random contest takes
            // a third longer.
            #[expect(unsafe_code, reason = "see SAFETY")]
            (true, features::PLAIN) => unsafe { look_fast::<W, { features::PLAIN }>(self, contest) },
            #[expect(unsafe_code, reason = "see SAFETY")]
            (true, _) => unsafe { look_fast::<W, { features::EVERYTHING }>(self, contest) },
            (false, _) => look_anywhere(self, contest),
        }
    }

    fn look_at_return(&mut self, contest: &Contest<W>) {
        self.forget();
        let tables = contest.contest_tables();
        let class = tables.class_of_kind[tables.royal_kind.index()];
        let places = tables.returns[contest.turn().index()] & !contest.state.occupied();
        for to in places.squares() {
            Sink::<W>::single(&mut self.firsts[class as usize], Move::drop(tables.royal_kind, to));
        }
        self.survey.returns = Some((places.count(), class));
    }

    /// Whether a turn may have two moves.
    #[inline]
    pub fn has_pairs(&self) -> bool {
        self.rules.has_pairs
    }

    /// Whether two moves of a turn do no more than each alone: none promotes by choice, and a double moves one piece.
    #[inline]
    pub fn is_ordinary(&self) -> bool {
        !self.rules.has_choices && self.rules.double == DoubleMoves::SamePiece
    }

    /// The counts.
    #[inline]
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// How many turns a roll allows; without dice, how many there are.
    #[inline]
    pub fn count(&self, roll: Option<Roll>) -> u32 {
        self.survey.count(self.throw_of(roll), &self.rules)
    }

    #[inline(always)]
    pub(super) fn throw_of(&self, roll: Option<Roll>) -> Option<Throw> {
        let roll = roll?;
        let second = roll.second.map_or(0, |second| self.places[second as usize].1);
        let at = usize::from(self.places[roll.first as usize].0) + usize::from(second);
        self.throws.get(at).map(|(_, throw)| *throw)
    }

    /// Turns summed over all rolls: divided by the number of rolls, the expected number.
    #[inline]
    pub fn count_all_rolls(&self) -> u32 {
        match (&self.weights, self.survey.returns) {
            (Some(weights), None) => weights.count(&self.survey),
            _ if self.throws.is_empty() => self.count(None),
            _ => self.throws.iter().map(|(_, throw)| self.survey.count(Some(*throw), &self.rules)).sum(),
        }
    }

    /// Twice the number of turns before the throw, when any piece may move: two dice are counted once, as the mean of
    /// their orders.
    #[inline]
    pub fn count_before_doubled(&self) -> u32 {
        if self.throws.is_empty() {
            return 2 * self.count(None);
        }
        self.survey.count_before_doubled(&self.rules)
    }

    /// The single moves of a class.
    fn moves_of(&self, class: usize) -> impl Iterator<Item = Move> {
        self.firsts[class].iter().copied().chain(self.reaches.moves(class))
    }

    /// Lists what was counted set by set.
    fn unfold(&mut self) {
        for (class, list) in self.firsts.iter_mut().enumerate() {
            self.reaches.moves(class).for_each(|mv| Sink::<W>::single(list, mv));
        }
        self.reaches.clear();
    }

    fn forget(&mut self) {
        self.firsts.iter_mut().for_each(MoveList::clear);
        self.reaches.clear();
    }

    pub(super) fn list_generic(&mut self, contest: &Contest<W>, roll: Option<Roll>, out: &mut Vec<Turn>) {
        let (before, throw) = (out.len(), self.throw_of(roll));
        if self.survey.returns.is_some() {
            let n = self.count(roll);
            return (0..n).for_each(|at| out.push(self.pick_generic(contest, roll, at)));
        }
        self.unfold();
        if self.rules.pass == Pass::Allowed {
            out.push(Turn::PASS);
        }
        let (classes, n_classes) = single_classes(throw);
        for class in &classes[..n_classes] {
            out.extend(self.firsts[*class as usize].iter().map(|mv| Turn::single(*mv)));
        }
        if let Some((first, second)) = throw.and_then(|t| t.second.map(|second| (t.first, second))) {
            self.list_pairs(contest, first, second, out);
            if self.rules.order == DiceOrder::Any && first != second {
                self.list_pairs(contest, second, first, out);
            }
        }
        if out.len() == before {
            out.push(Turn::PASS);
        }
    }

    /// Adds the pass and every turn of one move, whatever the dice.
    pub fn list_singles(&self, out: &mut Vec<Turn>) {
        let before = out.len();
        if self.rules.pass == Pass::Allowed || self.survey.returns.is_some() {
            out.push(Turn::PASS);
        }
        out.extend((0..self.firsts.len()).flat_map(|class| self.moves_of(class)).map(Turn::single));
        if out.len() == before {
            out.push(Turn::PASS);
        }
    }

    pub(super) fn list_all_rolls_generic(&mut self, contest: &Contest<W>, out: &mut Vec<Turn>) {
        self.unfold();
        self.list_singles(out);
        if self.survey.returns.is_some() || !self.rules.has_pairs {
            return;
        }
        let n_classes = self.rules.n_classes as u8;
        for first in 0..n_classes {
            let lowest = if self.rules.order == DiceOrder::Rising { first } else { 0 };
            (lowest..n_classes).for_each(|second| self.list_pairs(contest, first, second, out));
        }
    }

    /// Adds the turns of two moves, first of one class and then of another; where their order does not matter, also those
    /// that only the other order allows.
    pub(super) fn list_pairs(&mut self, contest: &Contest<W>, first: u8, second: u8, out: &mut Vec<Turn>) {
        let before = out.len();
        self.list_ordered(contest, first, second, out);
        if self.rules.order == DiceOrder::Set {
            if first != second {
                self.list_ordered(contest, second, first, out);
            }
            leave_sets(out, before);
        }
    }

    fn list_ordered(&mut self, contest: &Contest<W>, first: u8, second: u8, out: &mut Vec<Turn>) {
        for at in 0..self.firsts[first as usize].len() {
            let mv = self.firsts[first as usize][at];
            self.list_seconds(contest, mv, first, second);
            out.extend(self.seconds.iter().map(|second| Turn { first: mv, second: *second }));
        }
    }

    #[inline(always)]
    fn look_body<const F: u8, const PEXT: bool>(&mut self, contest: &Contest<W>) {
        let view = View::new(contest);
        if F == features::PLAIN
            && self.rules.by_sets
            && let Some(spared) = view.spared_by_one_army()
        {
            self.firsts.iter_mut().for_each(MoveList::clear);
            return self.reaches.survey(contest, spared, &mut self.survey);
        }
        self.reaches.clear();
        for class in 0..self.rules.n_classes {
            let list = &mut self.firsts[class];
            list.clear();
            view.give::<_, F, PEXT>(class, list);
            if self.rules.has_choices {
                view.add_choices(list);
            }
            self.survey.singles[class] = list.len() as u32;
        }
        if self.rules.has_pairs {
            self.count_pairs_by_listing(contest);
        }
    }

    /// The slow way, for whatever may happen in the middle of a turn.
    #[cold]
    fn count_pairs_by_listing(&mut self, contest: &Contest<W>) {
        let mut pairs = Vec::new();
        for first in 0..self.rules.n_classes as u8 {
            for second in 0..self.rules.n_classes as u8 {
                pairs.clear();
                self.list_pairs(contest, first, second, &mut pairs);
                self.survey.pairs[first as usize][second as usize] = pairs.len() as u32;
            }
        }
    }
}

/// By number: where the throws begin that have it first, and how far on is the one that has it second; beyond all of them
/// for a number that no die has.
fn places(throws: &[(Roll, Throw)]) -> [(u16, u16); 256] {
    std::array::from_fn(|number| {
        let first = throws.iter().position(|(roll, _)| usize::from(roll.first) == number);
        let second = throws.iter().position(|(roll, _)| roll.second.map(usize::from) == Some(number));
        let place = |at: Option<usize>| at.map_or(u16::MAX, |at| at as u16);
        (place(first), place(second))
    })
}

/// The classes of which one piece may move alone; without dice there is one class.
#[inline(always)]
pub(super) fn single_classes(throw: Option<Throw>) -> ([u8; 3], usize) {
    let Some(throw) = throw else { return ([0; 3], 1) };
    let mut classes = [throw.first; 3];
    let mut n = 1;
    for class in [throw.second.filter(|second| *second != throw.first), throw.sum].into_iter().flatten() {
        classes[n] = class;
        n += 1;
    }
    (classes, n)
}

/// Of the turns from `before` on, takes out those whose two moves are an earlier turn in the other order.
fn leave_sets(turns: &mut Vec<Turn>, before: usize) {
    let mut kept = before;
    for at in before..turns.len() {
        let turned = Turn { first: turns[at].second, second: turns[at].first };
        if !turns[before..kept].contains(&turned) {
            turns[kept] = turns[at];
            kept += 1;
        }
    }
    turns.truncate(kept);
}

#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt"))]
fn look_fast<W: Word, const F: u8>(turns: &mut Turns<W>, contest: &Contest<W>) {
    turns.look_body::<F, true>(contest);
}

#[inline(never)]
fn look_anywhere<W: Word>(turns: &mut Turns<W>, contest: &Contest<W>) {
    turns.look_body::<{ features::EVERYTHING }, false>(contest);
}

impl<W: ContestWord> Contest<W> {
    /// The legal turns now; none while a throw or an answer is awaited. Loops use [`Turns`] instead.
    pub fn legal_turns(&self) -> Vec<Turn> {
        let mut list = Vec::new();
        if self.stage() == Stage::Turn {
            let mut turns = Turns::new(self);
            turns.look(self);
            turns.list(self, self.turn_state.roll, &mut list);
        }
        list
    }
}
