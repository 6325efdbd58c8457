//! P_i for n sides and chance (Takeshita, Hashimoto and Iida, about 2000; definition 1 of 000): takes royal pieces if it can
//! force that, keeps its own.
//!
//! A look ahead speaks of what some throw allows: another side may get any throw, and so may oneself. Depth is in turns;
//! with n living sides P1 looks one turn ahead, P2 n, P3 n + 1, P4 2n.
//!
//! - R1: turns after which an enemy's royal piece is taken whatever the others answer: at once, two before one; else with
//!   the most throws that do it in the worst case.
//! - R2: else all turns but those after which one's own is taken whatever oneself and one's partner play.
//!
//! [`Legs::Whole`] looks at whole turns, as defined; [`Legs::First`] at the first move of each, as the paper's program did.

use ashta_position::{Contest, ContestWord, Legs, MoveList, Roll, Stage, Turn, Turns};
use ashta_rules::{Pass, Side};

use crate::stop::StopFlag;

/// A player's look ahead, in memory that is used again.
#[derive(Debug)]
pub struct RoyalHunt<W> {
    depth: u32,
    legs: Legs,
    turns: Turns<W>,
    firsts: MoveList,
    /// Lists of turns that are not in use.
    lists: Vec<Vec<Turn>>,
    stop: StopFlag,
}

/// Who hunts whom.
#[derive(Clone, Copy)]
struct Hunt {
    me: Side,
    /// As bits.
    enemies: u8,
}

/// What a turn promises: royal pieces taken at once, then throws out of all that take one later.
type Promise = (u32, u32);

impl<W: ContestWord> RoyalHunt<W> {
    /// P_i with this i.
    pub fn new(contest: &Contest<W>, i: u32, legs: Legs) -> RoyalHunt<W> {
        let (turns, stop) = (Turns::new(contest), StopFlag::default());
        RoyalHunt { depth: i, legs, turns, firsts: MoveList::new(), lists: Vec::new(), stop }
    }

    /// Breaks off what it is asked from now on when the flag is set.
    pub fn set_stop(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    pub(crate) fn best_turns_generic(
        &mut self,
        contest: &mut Contest<W>,
        all: &[Turn],
        best: &mut Vec<Turn>,
    ) {
        best.clear();
        if self.depth == 0 || contest.is_returning(contest.turn()) {
            return best.extend_from_slice(all);
        }
        self.winning(contest, all, best);
        if best.is_empty() {
            self.keep_safe(contest, all, best);
        }
        if best.is_empty() {
            best.extend_from_slice(all);
        }
    }

    /// What is looked at of a turn.
    fn seen(&self, turn: Turn) -> Turn {
        match self.legs {
            Legs::First => Turn::single(turn.first),
            Legs::Whole => turn,
        }
    }

    /// R1: the turns with the highest promise, if it is more than nothing.
    fn winning(&mut self, contest: &mut Contest<W>, all: &[Turn], best: &mut Vec<Turn>) {
        let mut highest: Promise = (0, 0);
        let mut known: Option<(Turn, Promise)> = None;
        for turn in all {
            let seen = self.seen(*turn);
            let promise = match known {
                Some((same, promise)) if same == seen => promise,
                _ => self.promise(contest, seen, highest),
            };
            known = Some((seen, promise));
            if promise > highest {
                highest = promise;
                best.clear();
            }
            if promise == highest && promise > (0, 0) {
                best.push(*turn);
            }
        }
    }

    /// What a turn promises; less than `known` need not be exact.
    fn promise(&mut self, contest: &mut Contest<W>, turn: Turn, known: Promise) -> Promise {
        let me = contest.turn();
        let enemies = living_enemies(contest, me);
        let before = n_taken(contest, enemies);
        let mark = contest.play_unchecked(turn);
        let now = n_taken(contest, enemies) - before;
        // Own turns to come within the depth: P3 and P4 have one, P5 and P6 two.
        let later = (self.depth.saturating_sub(1)) / 2;
        let hunt = Hunt { me, enemies };
        let promise = match now {
            0 if later > 0 && known.0 == 0 && self.is_forced(contest, hunt, later) => {
                (0, self.worst_chance(contest, hunt, later, known.1.saturating_sub(1)))
            }
            _ => (now, 0),
        };
        contest.take_back(mark);
        promise
    }

    /// Whether an enemy's royal piece can be taken at one's next turn, or within `later` turns of one's own, whatever
    /// the others do.
    fn is_forced(&mut self, contest: &mut Contest<W>, hunt: Hunt, later: u32) -> bool {
        if self.stop.is_set()
            || contest.outcome().is_some()
            || !contest.is_living(hunt.me)
            || is_asked(contest)
        {
            return false;
        }
        if contest.turn() == hunt.me {
            let can = sides(hunt.enemies)
                .any(|enemy| contest.can_take(enemy, self.legs, &mut self.turns, &mut self.firsts));
            return can
                || later > 1
                    && self.all_rolls().into_iter().any(|roll| self.takes_with(contest, roll, hunt, later));
        }
        self.is_true_of_all(contest, |hunter, contest| hunter.is_forced(contest, hunt, later))
    }

    /// Throws, in the worst case, that take an enemy's royal piece; exact if more than `enough`.
    fn worst_chance(&mut self, contest: &mut Contest<W>, hunt: Hunt, later: u32, enough: u32) -> u32 {
        if self.stop.is_set()
            || contest.outcome().is_some()
            || !contest.is_living(hunt.me)
            || is_asked(contest)
        {
            return 0;
        }
        if contest.turn() == hunt.me {
            let rolls = self.all_rolls();
            return rolls.into_iter().filter(|roll| self.takes_with(contest, *roll, hunt, later)).count()
                as u32;
        }
        let mut worst = u32::MAX;
        let mut replies = self.replies(contest);
        for reply in replies.drain(..) {
            let mark = contest.play_unchecked(reply);
            worst = worst.min(self.worst_chance(contest, hunt, later, enough));
            contest.take_back(mark);
            if worst <= enough {
                break;
            }
        }
        self.lists.push(replies);
        worst
    }

    /// Whether a throw lets one take an enemy's royal piece, or prepare it.
    fn takes_with(&mut self, contest: &mut Contest<W>, roll: Option<Roll>, hunt: Hunt, later: u32) -> bool {
        let mut list = self.lists.pop().unwrap_or_default();
        self.turns.look(contest);
        self.turns.list(contest, roll, &mut list);
        let before = n_taken(contest, hunt.enemies);
        let found = list.drain(..).any(|turn| {
            let mark = contest.play_unchecked(self.seen(turn));
            let wins = n_taken(contest, hunt.enemies) > before
                || later > 1 && self.is_forced(contest, hunt, later - 1);
            contest.take_back(mark);
            wins
        });
        self.lists.push(list);
        found
    }

    fn all_rolls(&self) -> Vec<Option<Roll>> {
        match self.turns.n_rolls() {
            0 => vec![None],
            _ => self.turns.rolls().map(Some).collect(),
        }
    }

    /// Whether something is true after every turn that some throw allows. What refutes most often is asked first: a
    /// pass, then moves of the royal piece, which stands last among the kinds.
    fn is_true_of_all(
        &mut self,
        contest: &mut Contest<W>,
        mut is_true: impl FnMut(&mut Self, &mut Contest<W>) -> bool,
    ) -> bool {
        let may_pass = contest.rules().pass() == Pass::Allowed && !contest.is_returning(contest.turn());
        if may_pass {
            let mark = contest.play_unchecked(Turn::PASS);
            let still = is_true(self, contest);
            contest.take_back(mark);
            if !still {
                return false;
            }
        }
        let mut replies = self.replies(contest);
        let refuted = replies.drain(..).rev().any(|reply| {
            let mark = contest.play_unchecked(reply);
            let still = is_true(self, contest);
            contest.take_back(mark);
            !still
        });
        self.lists.push(replies);
        !refuted
    }

    /// R2: the turns after which one's own royal piece is not lost by force.
    fn keep_safe(&mut self, contest: &mut Contest<W>, all: &[Turn], best: &mut Vec<Turn>) {
        let me = contest.turn();
        let rounds = self.depth / 2;
        let mut known: Option<(Turn, bool)> = None;
        for turn in all {
            let seen = self.seen(*turn);
            let lost = match known {
                Some((same, lost)) if same == seen => lost,
                _ => {
                    let mark = contest.play_unchecked(seen);
                    let lost = self.is_lost(contest, me, rounds);
                    contest.take_back(mark);
                    lost
                }
            };
            known = Some((seen, lost));
            if !lost {
                best.push(*turn);
            }
        }
    }

    /// Whether enemies can force the capture of one's royal piece before one has had `rounds` more turns.
    fn is_lost(&mut self, contest: &mut Contest<W>, me: Side, rounds: u32) -> bool {
        if !contest.is_living(me) {
            return true;
        }
        if self.stop.is_set() || contest.outcome().is_some() || is_asked(contest) {
            return false;
        }
        let side = contest.turn();
        let rounds = if side == me { rounds.saturating_sub(1) } else { rounds };
        if rounds == 0 {
            return false;
        }
        if side == me || contest.are_partners(me, side) {
            return self.is_true_of_all(contest, |hunter, contest| hunter.is_lost(contest, me, rounds));
        }
        if contest.can_take(me, self.legs, &mut self.turns, &mut self.firsts) {
            return true;
        }
        if rounds == 1 && !self.others_may_take(contest, me) {
            return false;
        }
        !self.is_true_of_all(contest, |hunter, contest| !hunter.is_lost(contest, me, rounds))
    }

    /// Whether another enemy moves before oneself who could take one's royal piece if nothing stood in its way.
    fn others_may_take(&self, contest: &Contest<W>, me: Side) -> bool {
        let n = contest.rules().sides().len() as u8;
        let after = (1..n).map(|k| Side((contest.turn().0 + k) % n)).take_while(|side| *side != me);
        after.into_iter().any(|side| {
            let fights = contest.is_living(side) && !contest.are_partners(me, side);
            fights && contest.might_take(side, me, self.legs)
        })
    }

    /// Every turn that some throw allows, as far as it is looked at.
    fn replies(&mut self, contest: &Contest<W>) -> Vec<Turn> {
        let mut list = self.lists.pop().unwrap_or_default();
        self.turns.look(contest);
        match self.legs {
            Legs::First => self.turns.list_singles(&mut list),
            Legs::Whole => self.turns.list_all_rolls(contest, &mut list),
        }
        list
    }
}

fn is_asked<W: ContestWord>(contest: &Contest<W>) -> bool {
    matches!(contest.stage(), Stage::Exchange(_))
}

fn sides(set: u8) -> impl Iterator<Item = Side> {
    (0..4).filter(move |side| set >> side & 1 == 1).map(Side)
}

/// Living sides that are not one's partners.
fn living_enemies<W: ContestWord>(contest: &Contest<W>, me: Side) -> u8 {
    let n = contest.rules().sides().len() as u8;
    let enemy = |side: &u8| {
        let side = Side(*side);
        side != me && contest.is_living(side) && !contest.are_partners(me, side)
    };
    (0..n).filter(enemy).fold(0, |set, side| set | 1 << side)
}

/// How often the last royal pieces of some sides were taken.
fn n_taken<W: ContestWord>(contest: &Contest<W>, of: u8) -> u32 {
    sides(of).map(|side| u32::from(contest.turn_state().n_taken(side))).sum()
}
