//! The expectimax player of contests wins what is won.

use ashta_position::{CompiledRules, Contest};
use ashta_rules::load;
use ashta_search::{Expectimax, Values};

/// Red may take Black's raja with its rook; Green is beaten already, and Yellow, Red's partner, has the strongest army. A
/// player that counts the partner's pieces as its own until the last enemy falls would rather keep the enemy alive.
const LAST_ENEMY: &str = "4yKyRyNyO/4yPyPyPyP/8/7bK/8/8/6bP1/3rK3rR r 40 4-4 g<r1";

#[test]
fn the_last_enemy_is_taken_though_the_partner_becomes_one() {
    let CompiledRules::W64(tables) = CompiledRules::new(load("four-handed").expect("it is in the library"))
    else {
        unreachable!("the board has 64 squares")
    };
    let values = Values::given(&tables.rules).expect("its file gives values");
    for depth in 1..=2 {
        let mut contest = Contest::read(tables.clone(), LAST_ENEMY).expect("a contest");
        let (all, mut best) = (contest.legal_turns(), Vec::new());
        Expectimax::new(&contest, depth, &values).best_turns(&mut contest, &all, &mut best);
        assert!(!best.is_empty());
        for turn in best {
            let text = contest.turn_text(turn);
            assert!(text.contains("h5"), "expect:{depth} plays {text}");
        }
    }
}
