//! Setups that are no game: studies without royal pieces are played like games, diagrams are at least looked at.

use ashta_position::{CompiledRules, Game, SetupUse};
use ashta_rules::{Setup, Side};

/// SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n.max(1) as u64) as usize
    }
}

/// Any pieces anywhere, royal ones too, as often as they come.
fn any_setup(rules: &CompiledRules, numbers: &mut Numbers) -> Setup {
    let rules = rules.rules();
    let mut setup = Setup::empty(rules);
    let kinds: Vec<_> = rules.kind_ids().collect();
    for _ in 0..numbers.below(30) {
        let square = numbers.below(setup.board.len());
        let side = Side(numbers.below(rules.sides().len()) as u8);
        setup.board[square] = Some((side, kinds[numbers.below(kinds.len())]));
    }
    setup.turn = numbers.below(rules.sides().len()) as u8;
    setup
}

fn games() -> impl Iterator<Item = (&'static str, CompiledRules)> {
    [
        "shogi",
        "minishogi",
        "chess",
        "xiangqi",
        "makruk",
        "janggi",
        "courier",
        "sho-shogi",
        "tori-shogi",
        "wa-shogi",
    ]
    .into_iter()
    .map(|name| (name, CompiledRules::new(ashta_rules::load(name).expect("a game of the library"))))
}

#[test]
fn any_diagram_is_looked_at() {
    for (name, rules) in games() {
        let mut numbers = Numbers(1);
        for n in 0..300 {
            let setup = any_setup(&rules, &mut numbers);
            let game = Game::for_use(&rules, &setup, SetupUse::Diagram)
                .unwrap_or_else(|e| panic!("{name} {n}: {e}"));
            assert_eq!(game.setup().board, setup.board, "{name} {n}");
            // What they give means nothing; that they give it is all.
            let _ = (game.legal_moves(), game.is_in_check(), game.outcome(), game.text());
        }
    }
}

#[test]
fn studies_without_royal_pieces_are_played() {
    for (name, rules) in games() {
        let (mut numbers, mut n_played) = (Numbers(2), 0);
        for n in 0..200 {
            let mut setup = any_setup(&rules, &mut numbers);
            let is_royal = |piece: &Option<(Side, ashta_rules::KindId)>| {
                piece.is_some_and(|(_, kind)| rules.rules().kind(kind).royal)
            };
            setup.board.iter_mut().filter(|piece| is_royal(piece)).for_each(|piece| *piece = None);
            let Ok(mut game) = Game::for_use(&rules, &setup, SetupUse::Study) else { continue };
            let begin = (game.text(), game.key());
            let mut n_plies = 0;
            while n_plies < 20 {
                let moves = game.legal_moves();
                let Some(mv) = moves.get(numbers.below(moves.len())).copied() else { break };
                assert!(game.is_legal(mv), "{name} {n}");
                game.play_unchecked(mv);
                n_plies += 1;
                let again = Game::for_use(&rules, &game.setup(), SetupUse::Diagram).expect("a position");
                assert_eq!(again.key(), game.key(), "{name} {n}: {}", game.text());
            }
            n_played += n_plies;
            (0..n_plies).for_each(|_| _ = game.take_back());
            assert_eq!((game.text(), game.key()), begin, "{name} {n}");
        }
        assert!(n_played > 500 || name == "wa-shogi", "{name}: {n_played}");
    }
}
