//! Binary search over the length finds the same mates as a linear search.

use std::sync::atomic::AtomicBool;

use ashta_position::{CompiledRules, Game, with_line};
use ashta_rules::Setup;

use super::tsume::{Futile, TsumeAnswer, TsumeSolver};

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
