//! Binary search over the length finds the same mates as a linear search; long searches refute what a full-width one does.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use ashta_position::{CompiledRules, Game, with_line};
use ashta_rules::Setup;

use super::tsume::{TsumeAnswer, TsumeSolver};
use super::tsume_moves::Futile;

/// Random positions, solved by linear search.
const MATES: [(&str, u16); 5] = [
    ("9/5S3/4p3k/5+P3/4r3G/9/9/9/9 b 2S 1", 11),
    ("7k1/9/4n1G2/6G2/7rl/9/9/9/9 b 2S 1", 9),
    ("8g/4+P2B1/5G1k1/9/9/9/9/9/9 b GN 1", 9),
    ("5b3/8k/6S2/9/4p1SGp/9/9/9/9 b 2S 1", 7),
    ("5B3/7k1/4N4/4b4/3+P3g1/9/9/9/9 b 2G 1", 5),
];

#[test]
fn halving_finds_what_stepping_finds() {
    let rules = CompiledRules::new(ashta_rules::load("shogi").expect("the library is sound"));
    for (text, plies) in MATES {
        let setup = Setup::read(text, rules.rules()).expect("a position");
        let mut game = Game::of_problem(&rules, &setup).expect("a problem");
        for linear_plies in [1, 5, 61] {
            let found = with_line!(game.line_mut(), line => {
                let mut position = line.position().clone();
                let stop = AtomicBool::new(false);
                let mut solver = TsumeSolver::new(&position.tables().clone(), Futile::Count, &stop);
                solver.linear_plies = linear_plies;
                solver.solve(&mut position, 16)
            });
            let Ok(TsumeAnswer::Mate(mate)) = found else { panic!("{text}: {found:?}") };
            assert_eq!((mate.plies, mate.line.len()), (plies, usize::from(plies)), "{text} {linear_plies}");
        }
    }
}

/// The slow twin: full width, with no table but the lengths already searched.
fn naive_mate(game: &mut Game, plies: u16, known: &mut HashMap<(u64, u16), bool>) -> bool {
    if plies == 0 {
        return false;
    }
    if let Some(mated) = known.get(&(game.key(), plies)) {
        return *mated;
    }
    let mated = game.legal_moves().into_iter().any(|mv| {
        game.play_unchecked(mv);
        let mated = game.is_in_check()
            && game.legal_moves().into_iter().all(|reply| {
                game.play_unchecked(reply);
                let mated = naive_mate(game, plies.saturating_sub(2), known);
                game.take_back();
                mated
            });
        game.take_back();
        mated
    });
    known.insert((game.key(), plies), mated);
    mated
}

/// Few men, so that a full-width search can afford lengths that are searched with estimates.
#[test]
fn long_refutations_are_those_of_a_naive_search() {
    let (mut seed, mut n_mates, mut n_refuted) = (9u64, 0, 0);
    let mut random = |n: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % n
    };
    for (name, end, men) in [
        ("chess", " w - - 0 1", ["k", "R", "R", "Q"]),
        ("chess", " w - - 0 1", ["k", "Q", "N", "r"]),
        ("minishogi", " b - 1", ["k", "R", "G", "p"]),
        ("minishogi", " b G 1", ["k", "S", "B", "s"]),
    ] {
        let rules = CompiledRules::new(ashta_rules::load(name).expect("the library is sound"));
        let size = rules.rules().grid().n_squares().isqrt();
        for _ in 0..25 {
            let mut board = vec![vec!["1"; size]; size];
            men.iter().for_each(|man| board[random(size)][random(size)] = man);
            let shorter = |text: String| {
                (2..=8).rev().fold(text, |text, n| text.replace(&"1".repeat(n), &n.to_string()))
            };
            let ranks: Vec<String> = board.iter().map(|rank| shorter(rank.concat())).collect();
            let text = ranks.join("/") + end;
            let Ok(mut game) = super::open_problem(&rules, &text) else { continue };
            let mut known = HashMap::new();
            let wanted = (1..=15).step_by(2).find(|plies| naive_mate(&mut game, *plies, &mut known));
            let answer = super::solve_tsume(&game, 15, Futile::Count, &AtomicBool::new(false));
            let found = match answer.expect("the stop flag is never set").0 {
                TsumeAnswer::Mate(mate) => Some(mate.plies),
                TsumeAnswer::NotWithin(_) | TsumeAnswer::Never => None,
            };
            assert_eq!(found, wanted, "{name} {text}");
            n_mates += usize::from(wanted.is_some());
            n_refuted += usize::from(wanted.is_none());
        }
    }
    assert!(n_mates > 3 && n_refuted > 10, "{n_mates} {n_refuted}");
}
