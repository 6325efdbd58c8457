//! Laws of contests, on random play of every contest of the library and every change of it.
//!
//! Taking back restores everything, text reads back, the key is that of a fresh contest, and no turn breaks what the rules
//! promise of pieces, royal pieces, dice and order. `ASHTA_DEEP=1` plays a million turns.

use crate::walk;
use crate::walk::SplitMix64;
use ashta_position::{Action, Answer, Contest, Move, Roll, Stage, Turn, TurnState, Turns};
use ashta_rules::{DiceOrder, DoubleMoves, Freed, Rules, Side};

fn n_sides(contest: &Contest<u64>) -> u8 {
    contest.rules().sides().len() as u8
}

/// Everything that can be asked of a contest.
fn everything(contest: &Contest<u64>) -> (String, TurnState, u64, u32) {
    (contest.text(), *contest.turn_state(), contest.key(), contest.n_turns())
}

/// Writes and reads a contest: the same again, with the same key, fate and turns.
fn check_text(contest: &Contest<u64>) {
    let text = contest.text();
    let again = Contest::read(contest.tables().clone(), &text).unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(again.text(), text);
    assert_eq!(again.key(), contest.key(), "{text}");
    assert_eq!(again.stage(), contest.stage(), "{text}");
    assert_eq!(again.outcome(), contest.outcome(), "{text}");
    assert_eq!(again.legal_turns(), contest.legal_turns(), "{text}");
}

/// Plays and takes back every legal turn, and reads each from its text.
fn check_turns(contest: &mut Contest<u64>) {
    let before = everything(contest);
    for turn in contest.legal_turns() {
        let text = contest.turn_text(turn);
        assert_eq!(contest.read_turn(&text), Ok(turn), "{text} in {}", before.0);
        let mark = contest.play_unchecked(turn);
        let key = contest.key();
        let fresh = Contest::read(contest.tables().clone(), &contest.text());
        // A contest that is over may have nobody to move.
        if let Ok(fresh) = fresh {
            assert_eq!(fresh.key(), key, "{text} in {}", before.0);
        }
        contest.take_back(mark);
        assert_eq!(everything(contest), before, "{text}");
    }
}

/// Pieces and royal pieces of a side on the board.
fn men(contest: &Contest<u64>, side: u8) -> (usize, usize) {
    let rules = contest.rules();
    let own = |square| contest.piece(square).filter(|(owner, _)| *owner == Side(side));
    let kinds = rules.grid().squares().filter_map(own).map(|(_, kind)| rules.kind(kind).royal);
    kinds.fold((0, 0), |(n, royals), royal| (n + 1, royals + usize::from(royal)))
}

/// What must be true between any two turns.
fn check_state(contest: &Contest<u64>) {
    let place = || contest.text();
    let counts: Vec<(usize, usize)> = (0..n_sides(contest)).map(|side| men(contest, side)).collect();
    let total: usize = counts.iter().map(|(n, _)| n).sum();
    assert_eq!(contest.state().occupied().count_ones() as usize, total, "{}", place());
    for side in 0..n_sides(contest) {
        let (n, n_royal) = counts[side as usize];
        let fate = contest.turn_state();
        assert_eq!(contest.state().side(Side(side)).count_ones() as usize, n, "{}", place());
        assert_eq!(contest.royals(Side(side)).count_ones() as usize, n_royal, "{}", place());
        let (lives, returns) = (contest.is_living(Side(side)), fate.is_returning(Side(side)));
        assert_eq!(lives, returns || n_royal > 0, "{}: who lives", place());
        assert!(!returns || n_royal == 0, "{}: a royal piece that returns is there already", place());
        assert_eq!(lives, fate.holder(Side(side)).is_none(), "{}: who is held", place());
        if let Some(holder) = fate.holder(Side(side)) {
            assert_ne!(holder, Side(side), "{}: who holds", place());
            assert!(fate.n_taken(Side(side)) > 0, "{}", place());
        }
    }
    assert!(contest.n_living() == 0 || contest.is_living(contest.turn()), "{}: the beaten move", place());
}

/// Every move of a turn is of a piece whose number was thrown, in an order that the rules allow.
fn check_dice(contest: &Contest<u64>, roll: Option<Roll>, turn: Turn) {
    let place = || format!("{} in {}", contest.turn_text(turn), contest.text());
    let rules = contest.rules();
    let mut numbers = Vec::new();
    // Where the first piece stands now, and what it is.
    let mut moved = None;
    for mv in [turn.first, turn.second].into_iter().filter(|mv| *mv != Move::PASS) {
        let kind = match mv.action() {
            Action::Drop { kind, .. } => kind,
            Action::Go { from, to, becomes } => {
                let stood = moved.filter(|(at, _)| *at == from).map(|(_, kind)| kind);
                let kind = stood.or(contest.piece(from).map(|(_, kind)| kind));
                let kind = kind.unwrap_or_else(|| panic!("nothing moves: {}", place()));
                moved = Some((to, becomes.unwrap_or(kind)));
                kind
            }
            action => panic!("{action:?}: {}", place()),
        };
        numbers.push(rules.kind(kind).number);
    }
    let Some((roll, dice)) = roll.zip(rules.contest().and_then(|contest| contest.dice.as_ref())) else {
        assert!(numbers.len() <= 1, "{}", place());
        return;
    };
    let (first, second) = (Some(roll.first), roll.second);
    let sum = second.map(|second| roll.first + second);
    match numbers[..] {
        [] => {}
        [one] => assert!(one == first || one == second || one == sum, "{}", place()),
        [a, b] if dice.order == DiceOrder::Thrown => assert_eq!((a, b), (first, second), "{}", place()),
        [a, b] if dice.order == DiceOrder::Rising => {
            assert_eq!((a, b), (first.min(second), first.max(second)), "{}", place());
        }
        [a, b] => assert!([(first, second), (second, first)].contains(&(a, b)), "{}", place()),
        _ => panic!("{}", place()),
    }
    if numbers.len() == 2 && roll.is_double() && dice.double == DoubleMoves::SamePiece {
        let (Action::Go { to, .. }, Action::Go { from, .. }) = (turn.first.action(), turn.second.action())
        else {
            panic!("{}", place());
        };
        assert_eq!(to, from, "a double moves two pieces: {}", place());
    }
}

/// The living side that comes after another.
fn next_after(contest: &Contest<u64>, side: Side) -> Side {
    let mut others = (1..=n_sides(contest)).map(|by| Side((side.0 + by) % n_sides(contest)));
    others.find(|other| contest.is_living(*other)).unwrap_or(side)
}

/// Plays one turn and checks what it did.
fn play(contest: &mut Contest<u64>, roll: Option<Roll>, turn: Turn) {
    check_dice(contest, roll, turn);
    let before: Vec<usize> = (0..n_sides(contest)).map(|side| men(contest, side).0).collect();
    let (mover, n_turns, text) = (contest.turn(), contest.n_turns(), contest.text());
    let puts = matches!(turn.first.action(), Action::Drop { .. });
    contest.play_unchecked(turn);
    for side in 0..n_sides(contest) {
        let may_grow = usize::from(puts && Side(side) == mover);
        let after = men(contest, side).0;
        assert!(after <= before[side as usize] + may_grow, "{text} {}", contest.turn_text(turn));
    }
    assert_eq!(contest.n_turns(), n_turns + 1);
    assert_eq!(contest.turn_state().roll(), None);
    assert_eq!(contest.turn(), next_after(contest, mover), "{text}: who is next");
    check_state(contest);
}

/// A side answers at random; taking the answer back restores everything.
fn answer(contest: &mut Contest<u64>, random: &mut SplitMix64) {
    let before = everything(contest);
    for answer in [Answer::Keep, Answer::Exchange] {
        let mark = contest.answer(answer);
        check_state(contest);
        contest.take_back(mark);
        assert_eq!(everything(contest), before);
    }
    contest.answer([Answer::Keep, Answer::Exchange][random.below(2)]);
}

/// What was seen in random games, so that a law about what never happens is noticed.
#[derive(Default, Debug)]
struct Seen {
    turns: usize,
    exchanges: usize,
    returns: usize,
    blocks: usize,
    thorough: usize,
}

fn wander(spec: &str, n_turns: usize, thorough_one_in: usize) -> Seen {
    let rules = walk::compile(spec);
    let mut random = SplitMix64(rules.rules().digest());
    let mut contest = walk::start_contest(&rules);
    let mut turns = Turns::new(&contest);
    let mut seen = Seen::default();
    while seen.turns < n_turns {
        if contest.outcome().is_some() {
            seen.blocks += usize::from(contest.turn_state().n_blocks());
            seen.exchanges += usize::from(contest.turn_state().n_exchanges());
            contest = walk::start_contest(&rules);
        }
        if let Stage::Exchange(_) = contest.stage() {
            check_text(&contest);
            answer(&mut contest, &mut random);
            continue;
        }
        let roll = (contest.stage() == Stage::Throw)
            .then(|| turns.roll(random.below(turns.n_rolls() as usize) as u32));
        if let Some(roll) = roll {
            let before = everything(&contest);
            let mark = contest.throw(roll);
            assert_eq!(contest.key(), before.2, "the throw is no part of the key");
            contest.take_back(mark);
            assert_eq!(everything(&contest), before);
            contest.throw(roll);
        }
        if random.below(thorough_one_in) == 0 {
            check_text(&contest);
            check_turns(&mut contest);
            seen.thorough += 1;
        }
        turns.look(&contest);
        let turn = turns.pick(&contest, roll, random.below(turns.count(roll) as usize) as u32);
        seen.returns += usize::from(matches!(turn.first.action(), Action::Drop { .. }));
        play(&mut contest, roll, turn);
        seen.turns += 1;
    }
    seen
}

/// Plays a game and takes it back to its start, mark by mark.
fn there_and_back(rules: &ashta_position::CompiledRules, seed: u64) {
    let mut random = SplitMix64(seed);
    let mut contest = walk::start_contest(rules);
    let mut turns = Turns::new(&contest);
    let mut past = Vec::new();
    while contest.outcome().is_none() {
        let before = everything(&contest);
        let mark = match contest.stage() {
            Stage::Exchange(_) => contest.answer([Answer::Keep, Answer::Exchange][random.below(2)]),
            Stage::Throw => contest.throw(turns.roll(random.below(turns.n_rolls() as usize) as u32)),
            Stage::Turn => {
                turns.look(&contest);
                let roll = contest.turn_state().roll();
                let n = random.below(turns.count(roll) as usize) as u32;
                let turn = turns.pick(&contest, roll, n);
                contest.play_unchecked(turn)
            }
        };
        past.push((before, mark));
    }
    while let Some((before, mark)) = past.pop() {
        contest.take_back(mark);
        assert_eq!(everything(&contest), before);
    }
}

fn frees(rules: &Rules) -> bool {
    rules.contest().is_some_and(|contest| contest.captives.freed != Freed::Never)
}

#[test]
fn random_contests_keep_the_laws() {
    let specs = walk::every_contest_and_change();
    let n_turns = if walk::is_deep() { 100_000 } else { 4_000 };
    let seen = walk::in_parallel(&specs, |spec| wander(spec, n_turns, 40));
    assert!(seen.iter().all(|seen| seen.thorough > 0), "{seen:?}");
}

#[test]
fn a_long_wander_meets_everything() {
    let n_turns = if walk::is_deep() { 1_000_000 } else { 200_000 };
    let seen = wander("four-handed", n_turns, 2_000);
    assert!(seen.exchanges > 0 && seen.returns > 0 && seen.thorough > 0, "{seen:?}");
    assert!(seen.blocks > 0 || n_turns < 1_000_000, "{seen:?}");
    let rules = walk::compile("four-handed+freed-by-capture");
    assert!(frees(rules.rules()));
    assert!(wander("four-handed+freed-by-capture", 10_000, 500).returns > 10);
}

#[test]
fn a_contest_is_taken_back_to_its_start() {
    for spec in walk::every_contest_and_change() {
        let rules = walk::compile(&spec);
        (0..3).for_each(|seed| there_and_back(&rules, seed));
    }
}
