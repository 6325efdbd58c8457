//! The players of contests choose exactly the turns that their definition gives, read word by word and searched in full.

use std::sync::Arc;

use ashta_position::{Answer, CompiledRules, Contest, Legs, Roll, Stage, Tables, Turn, Turns};
use ashta_rules::{Side, load};
use ashta_search::RoyalHunt;

type Board = Contest<u64>;

fn tables(game: &str) -> Arc<Tables<u64>> {
    match CompiledRules::new(load(game).unwrap_or_else(|problems| panic!("{game}: {problems}"))) {
        CompiledRules::W64(tables) => tables,
        _ => unreachable!("the board has 64 squares"),
    }
}

struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// Contests late in random games, dice thrown, with few men left.
fn late_contests(game: &str, seed: u64, wanted: usize) -> Vec<Board> {
    let start = Contest::start(tables(game)).expect("the game is a contest");
    let mut random = Lcg(seed);
    let mut found = Vec::new();
    while found.len() < wanted {
        let mut contest = start.clone();
        while contest.outcome().is_none() {
            match contest.stage() {
                Stage::Exchange(_) => {
                    contest.answer(if random.below(2) == 0 { Answer::Exchange } else { Answer::Keep });
                    continue;
                }
                Stage::Throw => {
                    let rolls = Roll::all(contest.rules().contest().expect("it is a contest"));
                    contest.throw(rolls[random.below(rolls.len())]);
                }
                Stage::Turn => {}
            }
            let few = contest.state().occupied().count_ones() <= 9;
            if few && found.len() < wanted && random.below(6) == 0 {
                found.push(contest.clone());
            }
            let turns = contest.legal_turns();
            contest.play_unchecked(turns[random.below(turns.len())]);
        }
    }
    found
}

/// The definition, searched in full.
struct Definition {
    legs: Legs,
}

impl Definition {
    fn seen(&self, turn: Turn) -> Turn {
        if self.legs == Legs::First { Turn::single(turn.first) } else { turn }
    }

    /// Every turn of every throw, as far as it is looked at.
    fn replies(&self, contest: &Board) -> Vec<Turn> {
        let mut turns = Turns::new(contest);
        turns.look(contest);
        let mut all = Vec::new();
        turns.list_all_rolls(contest, &mut all);
        let mut seen: Vec<Turn> = all.into_iter().map(|turn| self.seen(turn)).collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    fn rolls(contest: &Board) -> Vec<Roll> {
        Roll::all(contest.rules().contest().expect("it is a contest"))
    }

    fn enemies(contest: &Board, me: Side) -> Vec<usize> {
        let sides = (0..4u8).map(Side);
        let enemy = |side: &Side| *side != me && contest.is_living(*side) && !contest.are_partners(me, *side);
        sides.filter(enemy).map(Side::index).collect()
    }

    fn taken(contest: &Board, enemies: &[usize]) -> u32 {
        enemies.iter().map(|side| u32::from(contest.turn_state().n_taken(Side(*side as u8)))).sum()
    }

    fn is_over(contest: &Board, me: Side) -> bool {
        contest.outcome().is_some() || !contest.is_living(me) || matches!(contest.stage(), Stage::Exchange(_))
    }

    fn after(contest: &Board, turn: Turn) -> Board {
        let mut after = contest.clone();
        after.play_unchecked(turn);
        after
    }

    /// Throws that take a royal piece at my next turn, in the worst case.
    fn worst(&self, contest: &Board, me: Side, enemies: &[usize], later: u32) -> u32 {
        if Definition::is_over(contest, me) {
            return 0;
        }
        if contest.turn() != me {
            let replies = self.replies(contest).into_iter();
            let worst =
                replies.map(|reply| self.worst(&Definition::after(contest, reply), me, enemies, later)).min();
            return worst.unwrap_or(0);
        }
        let takes = |roll: &Roll| {
            let mut thrown = contest.clone();
            thrown.throw(*roll);
            thrown.legal_turns().into_iter().any(|turn| {
                let after = Definition::after(&thrown, self.seen(turn));
                Definition::taken(&after, enemies) > Definition::taken(contest, enemies)
                    || later > 1 && self.worst(&after, me, enemies, later - 1) > 0
            })
        };
        Definition::rolls(contest).iter().filter(|roll| takes(roll)).count() as u32
    }

    fn is_lost(&self, contest: &Board, me: Side, rounds: u32) -> bool {
        if !contest.is_living(me) {
            return true;
        }
        if Definition::is_over(contest, me) {
            return false;
        }
        let rounds = if contest.turn() == me { rounds - 1 } else { rounds };
        if rounds == 0 {
            return false;
        }
        let mut replies = self.replies(contest).into_iter();
        let lost = |reply: Turn| self.is_lost(&Definition::after(contest, reply), me, rounds);
        match contest.turn() == me || contest.are_partners(me, contest.turn()) {
            true => replies.all(lost),
            false => replies.any(lost),
        }
    }

    fn best(&self, contest: &Board, i: u32) -> Vec<Turn> {
        let (me, all) = (contest.turn(), contest.legal_turns());
        let enemies = Definition::enemies(contest, me);
        let promise = |turn: &Turn| {
            let after = Definition::after(contest, self.seen(*turn));
            let now = Definition::taken(&after, &enemies) - Definition::taken(contest, &enemies);
            let later = (i - 1) / 2;
            let chance = if now == 0 && later > 0 { self.worst(&after, me, &enemies, later) } else { 0 };
            (now, chance)
        };
        let promises: Vec<(u32, u32)> = all.iter().map(promise).collect();
        let highest = promises.iter().max().copied().unwrap_or_default();
        if highest > (0, 0) {
            let best = all.iter().zip(&promises).filter(|(_, promise)| **promise == highest);
            return best.map(|(turn, _)| *turn).collect();
        }
        let lost = |turn: &&Turn| !self.is_lost(&Definition::after(contest, self.seen(**turn)), me, i / 2);
        let safe: Vec<Turn> = all.iter().filter(lost).copied().collect();
        if safe.is_empty() { all } else { safe }
    }
}

fn compare(game: &str, legs: Legs, depths: std::ops::RangeInclusive<u32>, wanted: usize) {
    let (mut n_choosy, mut n_takes) = (0, 0);
    for mut contest in late_contests(game, 7, wanted) {
        let all = contest.legal_turns();
        if contest.is_returning(contest.turn()) {
            continue;
        }
        for i in depths.clone() {
            let mut best = Vec::new();
            RoyalHunt::new(&contest, i, legs).best_turns(&mut contest, &all, &mut best);
            let wanted = Definition { legs }.best(&contest, i);
            let texts =
                |turns: &[Turn]| -> Vec<String> { turns.iter().map(|t| contest.turn_text(*t)).collect() };
            assert_eq!(texts(&best), texts(&wanted), "{game} P{i} {legs:?} {}", contest.text());
            n_choosy += u32::from(best.len() < all.len());
            n_takes += u32::from(i == 3 && best.len() * 2 < all.len());
        }
    }
    // A test that compares nothing proves nothing.
    assert!(n_choosy > 5, "{game} {legs:?}: players chose {n_choosy} times, {n_takes} times few of many");
}

#[test]
fn first_moves_are_looked_at_as_defined() {
    compare("four-handed", Legs::First, 1..=3, 48);
    compare("four-handed+partner-raja-spared", Legs::First, 1..=3, 12);
    compare("four-handed+no-dice", Legs::First, 1..=3, 12);
}

#[test]
fn whole_turns_are_looked_at_as_defined() {
    compare("four-handed", Legs::Whole, 1..=2, 16);
    compare("four-handed+double-moves-two", Legs::Whole, 1..=2, 16);
    compare("four-handed+partner-raja-spared+lower-die-first", Legs::Whole, 1..=2, 32);
}
