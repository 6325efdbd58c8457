//! Solvers agree with naive searches that have no check tables, no transposition table and no move ordering.

use std::sync::atomic::AtomicBool;

use ashta_position::notation::{read_coordinates, write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::Setup;
use ashta_study::problem::{
    Detail, Futile, Stopped, Threat, TsumeAnswer, mate_lines, solve_mate, solve_tsume,
};

fn rules(name: &str) -> CompiledRules {
    CompiledRules::new(ashta_rules::load(name).expect("the library is sound"))
}

fn open(rules: &CompiledRules, text: &str) -> Game {
    let setup = Setup::read(text, rules.rules()).unwrap_or_else(|error| panic!("{text}: {error}"));
    Game::of_problem(rules, &setup).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn go() -> AtomicBool {
    AtomicBool::new(false)
}

/// Naive search: whether the side to move wins within n moves, by the game's own ends.
fn wins(game: &mut Game, n: u16) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner == Some(game.turn());
    }
    n > 0
        && game.legal_moves().into_iter().any(|mv| {
            game.play_unchecked(mv);
            let lost = is_lost(game, n - 1);
            game.take_back();
            lost
        })
}

fn is_lost(game: &mut Game, n: u16) -> bool {
    if let Some(outcome) = game.outcome() {
        return outcome.winner.is_some_and(|winner| winner != game.turn());
    }
    n > 0
        && game.legal_moves().into_iter().all(|mv| {
            game.play_unchecked(mv);
            let won = wins(game, n);
            game.take_back();
            won
        })
}

fn naive_keys(game: &Game, n: u16) -> Vec<Move> {
    let mut game = game.clone();
    let mut keys: Vec<Move> = game
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            game.play_unchecked(*mv);
            let lost = is_lost(&mut game, n - 1);
            game.take_back();
            lost
        })
        .collect();
    keys.sort_unstable();
    keys
}

fn keys(game: &Game, n: u16) -> (Option<u16>, Vec<Move>) {
    let solution = solve_mate(game, n, Detail::Keys, &go()).expect("the stop flag is never set");
    (solution.moves, solution.keys.iter().map(|key| key.mv).collect())
}

pub fn random(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) as usize
}

/// Positions of random games with few men left, where mates are near: of every game with the ends that it has.
#[test]
fn keys_are_those_of_a_naive_search_in_many_games() {
    let (mut seed, mut n_mates) = (11, 0);
    for name in ["chess", "shatranj", "makruk", "xiangqi", "minishogi", "shatar", "janggi"] {
        let rules = rules(name);
        let mut n_asked = 0;
        while n_asked < 60 {
            let mut game = Game::start(&rules);
            for _ in 0..30 + random(&mut seed) % 200 {
                let moves = game.legal_moves();
                if game.outcome().is_some() || moves.is_empty() {
                    break;
                }
                game.play_unchecked(moves[random(&mut seed) % moves.len()]);
            }
            if game.outcome().is_some() {
                // One step before the end somebody could win.
                game.take_back();
            }
            let game = Game::from_setup(&rules, &game.setup()).expect("it was played");
            if game.outcome().is_some() {
                continue;
            }
            n_asked += 1;
            let most = if game.legal_moves().len() < 12 { 2 } else { 1 };
            let first = (1..=most).map(|n| (n, naive_keys(&game, n))).find(|(_, keys)| !keys.is_empty());
            let wanted = first.map_or((None, Vec::new()), |(n, keys)| (Some(n), keys));
            n_mates += usize::from(wanted.0.is_some());
            assert_eq!(keys(&game, most), wanted, "{name} {}", game.text());
        }
    }
    assert!(n_mates > 30, "{n_mates}");
}

/// Problems of our own and classics of the nineteenth century: game, position, moves, keys.
const MATES: [(&str, &str, u16, &str); 8] = [
    ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6"),
    ("chess", "8/8/8/8/8/2k5/7r/K7 b - - 0 1", 2, "c3b3"),
    ("chess", "7k/8/4K3/6R1/8/8/8/8 w - - 0 1", 2, "e6f7"),
    ("chess", "k7/2K5/8/8/8/8/8/1R6 w - - 0 1", 1, "b1a1"),
    // The rook mates; no queen is needed.
    ("makruk", "k7/8/1K6/8/8/8/8/7R w - - 0 1", 1, "h1h8"),
    // A bare king that cannot bare back has lost, but only when it has had its move.
    ("shatranj", "k7/8/8/8/8/8/4p3/K3R3 w - - 0 1", 2, "e1e2"),
    // The other side has no move and loses by that.
    ("shatranj", "k7/p7/P2K4/8/8/8/8/8 w - - 0 1", 1, "d6c7"),
    // The soldier takes the general's last squares, and who cannot move has lost.
    ("xiangqi", "3k5/9/4P4/9/9/9/9/9/9/R4K3 w - - 0 1", 1, "e8e9"),
];

#[test]
fn mates_of_several_games() {
    for (name, position, n, wanted) in MATES {
        let rules = rules(name);
        let game = open(&rules, position);
        let (found, keys) = keys(&game, n);
        let texts: Vec<String> = keys.iter().map(|mv| write_coordinates(&game, *mv)).collect();
        assert_eq!((found, texts.join(" ")), (Some(n), wanted.to_string()), "{name} {position}");
        assert_eq!(keys, naive_keys(&game, n), "{name} {position}");
    }
}

#[test]
fn no_mate_is_proved_too() {
    let rules = rules("chess");
    let game = open(&rules, "7k/8/5K2/6R1/8/8/8/8 w - - 0 1");
    assert_eq!(keys(&game, 1), (None, Vec::new()));
    let stop = AtomicBool::new(true);
    assert_eq!(solve_mate(&Game::start(&rules), 3, Detail::Keys, &stop), Err(Stopped));
}

/// Every defence is there, and every continuation wins.
#[test]
fn the_tree_is_complete() {
    let rules = rules("chess");
    let game = open(&rules, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let solution = solve_mate(&game, 2, Detail::Tries, &go()).expect("the stop flag is never set");
    let key = &solution.keys[0];
    let mut after = game.clone();
    after.play_unchecked(key.mv);
    assert_eq!(key.defences.len(), after.legal_moves().len());
    assert_eq!(key.threat, Threat::Zugzwang);
    for defence in &key.defences {
        let mut game = after.clone();
        game.play_unchecked(defence.mv);
        assert!(!defence.continuations.is_empty() && defence.moves == 1, "{}", write_san(&after, defence.mv));
        for attack in &defence.continuations {
            let mut game = game.clone();
            game.play(attack.mv).expect("a legal move");
            assert!(game.outcome().is_some_and(|end| end.winner == Some(ashta_rules::Side::FIRST)));
        }
    }
    assert_eq!(solution.tries.len() + 1, game.legal_moves().len());
    let lines = mate_lines(&rules, &game, &solution);
    assert_eq!(lines[..2], ["mate in 2 moves, one key, no shorter mate", "1.Ra6!  zugzwang"]);
}

/// Naive tsume search: checks only, plies counted, plain rules.
fn naive_tsume(game: &mut Game, plies: u16) -> bool {
    plies > 0
        && game.legal_moves().into_iter().any(|mv| {
            game.play_unchecked(mv);
            let caught = game.is_in_check()
                && game.legal_moves().into_iter().all(|reply| {
                    game.play_unchecked(reply);
                    let caught = plies > 2 && naive_tsume(game, plies - 2);
                    game.take_back();
                    caught
                });
            game.take_back();
            caught
        })
}

fn tsume(game: &Game, most: u16, futile: Futile) -> TsumeAnswer {
    solve_tsume(game, most, futile, &go()).expect("the stop flag is never set").0
}

#[test]
fn mates_by_checks_are_those_of_a_naive_search() {
    let rules = rules("shogi");
    let (mut seed, mut n_mates) = (5, [0; 3]);
    let men = ["G", "S", "R", "B", "N", "L", "P", "+P", "+R", "+B"];
    for _ in 0..400 {
        let mut board: Vec<Vec<String>> = vec![vec!["1".into(); 9]; 9];
        board[random(&mut seed) % 3][random(&mut seed) % 4 + 5] = "k".into();
        for n in 0..5 {
            let cell = &mut board[random(&mut seed) % 4 + 1][random(&mut seed) % 5 + 4];
            if cell == "1" {
                let man = men[random(&mut seed) % men.len()];
                *cell = if n < 3 { man.to_string() } else { man.to_lowercase() };
            }
        }
        let rank = |rank: &Vec<String>| {
            let text = rank.concat();
            (2..=9).rev().fold(text, |text, n| text.replace(&"1".repeat(n), &n.to_string()))
        };
        let ranks: Vec<String> = board.iter().map(rank).collect();
        let hand = ["G", "S", "RG", "2G", "BP"][random(&mut seed) % 5];
        let text = format!("{} b {hand}2g3p 1", ranks.join("/"));
        let setup = Setup::read(&text, rules.rules()).expect("a position");
        let Ok(mut game) = Game::of_problem(&rules, &setup) else { continue };
        let wanted = [1, 3, 5].into_iter().find(|plies| *plies < 5 && naive_tsume(&mut game, *plies));
        match (tsume(&game, 3, Futile::Count), wanted) {
            (TsumeAnswer::Mate(mate), Some(plies)) => {
                assert_eq!(mate.plies, plies, "{text}");
                assert_eq!(mate.line.len(), usize::from(plies), "{text}");
                n_mates[usize::from(plies) / 2] += 1;
            }
            (TsumeAnswer::NotWithin(_) | TsumeAnswer::Never, None) => {}
            (found, wanted) => panic!("{text}: {found:?}, the naive search says {wanted:?}"),
        }
    }
    assert!(n_mates[0] > 10 && n_mates[1] > 10, "{n_mates:?}");
}

/// A rook's check along the first rank, which a drop between only delays.
#[test]
fn a_futile_interposition_is_a_defence_only_by_plain_rules() {
    let rules = rules("shogi");
    let game = open(&rules, "8k/6S2/4R2G1/9/9/9/9/9/9 b g 1");
    for (futile, wanted) in [(Futile::Count, 3), (Futile::Ignore, 1)] {
        match tsume(&game, 9, futile) {
            TsumeAnswer::Mate(mate) => assert_eq!(mate.plies, wanted, "{futile:?}"),
            other => panic!("{futile:?}: {other:?}"),
        }
    }
}

#[test]
fn no_mate_of_any_length_is_reported() {
    let rules = rules("shogi");
    // The gold checks once, from everywhere it can be dropped, and is lost or lets the king go.
    let game = open(&rules, "9/9/9/4k4/9/9/9/9/9 b P 1");
    assert_eq!(tsume(&game, 31, Futile::Count), TsumeAnswer::Never);
    assert!(read_coordinates(&game, "P*5e").is_ok());
}
