//! Endings: the known longest wins, a naive forward iteration, files, practice without pattern.

use std::sync::atomic::AtomicBool;

use ashta_play::Random;
use ashta_position::{CompiledRules, Game};
use ashta_rules::{Setup, Side, Square};
use ashta_study::ending::{EndingMaterial, Endings, Judgement, Practice, TablebaseValue, draw_won};

fn rules(name: &str) -> CompiledRules {
    CompiledRules::new(ashta_rules::load(name).expect("the library is sound"))
}

fn prepared(endings: &mut Endings, name: &str) -> EndingMaterial {
    let material = EndingMaterial::read(name, endings.rules().rules()).expect("an ending");
    endings.prepare(&material, &mut |_| {}, &AtomicBool::new(false)).expect("a table");
    material
}

/// Longest wins in plies, as everybody knows them.
#[test]
fn the_longest_wins_are_the_known_ones() {
    for (game, known) in
        [("chess", &[("KQK", 19), ("KRK", 31), ("KPK", 55)][..]), ("shatranj", &[("KRKQ", 40)])]
    {
        let rules = rules(game);
        let mut endings = Endings::new(&rules, None);
        for (name, plies) in known {
            let material = prepared(&mut endings, name);
            let longest = endings.table(&material).and_then(|table| table.longest(0, 1));
            assert_eq!(longest.map(|(plies, _)| plies), Some(*plies), "{game} {name}");
        }
    }
}

/// The other bars; shatranj's length is counted to the end of the game, the bared side's last move.
#[test]
fn the_longest_wins_of_four_pieces() {
    for (game, known) in
        [("chess", &[("KBBK", 37), ("KBNK", 65)][..]), ("shatranj", &[("KRKN", 54), ("KRKB", 32)])]
    {
        let rules = rules(game);
        let mut endings = Endings::new(&rules, None);
        for (name, plies) in known {
            let material = prepared(&mut endings, name);
            let longest = endings.table(&material).and_then(|table| table.longest(0, 1));
            assert_eq!(longest.map(|(plies, _)| plies), Some(*plies), "{game} {name}");
        }
    }
}

const SMALL: &str = r#"
name = "Small"
about = "Chess pieces on five by five squares."
extends = "BASE"
CASTLING
[board]
files = 5
ranks = 5
start = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"
[pieces.pawn.promotes]
zone = "rank 5"
"#;

fn small(base: &str) -> CompiledRules {
    let castling = if base == "chess" { "castling = \"none\"" } else { "" };
    let text = SMALL.replace("BASE", base).replace("CASTLING", castling);
    CompiledRules::new(ashta_rules::load_text("small.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}")))
}

/// A position of the naive iteration: over, or with the numbers of the positions that its moves lead to.
enum Spot {
    Over(TablebaseValue),
    Moves(Vec<usize>),
}

fn over(game: &Game) -> Option<TablebaseValue> {
    game.outcome().map(|outcome| match outcome.winner {
        None => TablebaseValue::Draw,
        Some(winner) if winner == game.turn() => TablebaseValue::Win(0),
        Some(_) => TablebaseValue::Loss(0),
    })
}

/// All positions of a material on a small board with their value, by passes forwards until nothing changes. What a capture
/// leads to becomes a position of its own, which must be over: so three pieces at most.
fn naive_values(rules: &CompiledRules, material: &EndingMaterial) -> Vec<(String, TablebaseValue)> {
    let n = rules.rules().grid().n_squares();
    let pieces: Vec<_> = material.pieces().collect();
    let (mut texts, mut places) = (Vec::new(), std::collections::HashMap::new());
    for number in 0..n.pow(pieces.len() as u32) * 2 {
        let (turn, mut rest) = ((number % 2) as u8, number / 2);
        let mut setup = Setup::empty(rules.rules());
        for man in &pieces {
            setup.board[rest % n] = Some(*man);
            rest /= n;
        }
        setup.turn = turn;
        let whole = setup.board.iter().flatten().count() == pieces.len();
        if let Some(game) = Game::from_setup(rules, &setup).ok().filter(|_| whole) {
            places.entry(game.key()).or_insert_with(|| {
                texts.push(game.text());
                texts.len() - 1
            });
        }
    }
    let mut spots: Vec<Spot> = Vec::new();
    let mut captured: Vec<Spot> = Vec::new();
    for text in &texts {
        let mut game = Game::from_text(rules, text).expect("it was written");
        spots.push(match over(&game) {
            Some(value) => Spot::Over(value),
            None => {
                let mut next = Vec::new();
                for mv in game.legal_moves() {
                    game.play_unchecked(mv);
                    next.push(*places.get(&game.key()).unwrap_or(&(texts.len() + captured.len())));
                    if !places.contains_key(&game.key()) {
                        captured.push(Spot::Over(over(&game).expect("nothing is left to win")));
                    }
                    game.take_back();
                }
                Spot::Moves(next)
            }
        });
    }
    spots.extend(captured);
    let known = iterate_values(&spots);
    texts.into_iter().zip(known).map(|(text, value)| (text, value.unwrap_or(TablebaseValue::Draw))).collect()
}

fn iterate_values(spots: &[Spot]) -> Vec<Option<TablebaseValue>> {
    let mut known: Vec<Option<TablebaseValue>> = vec![None; spots.len()];
    for plies in 0.. {
        let value = |spot: &Spot| match spot {
            Spot::Over(value) => (plies == 0).then_some(*value),
            Spot::Moves(next) => {
                let wins =
                    next.iter().any(|p| matches!(known[*p], Some(TablebaseValue::Loss(n)) if n + 1 == plies));
                let lost = |place: &usize| match known[*place] {
                    Some(TablebaseValue::Win(n)) => Some(n + 1),
                    _ => None,
                };
                let longest: Option<Vec<u16>> = next.iter().map(lost).collect();
                match (wins, longest.and_then(|lengths| lengths.into_iter().max())) {
                    (true, _) => Some(TablebaseValue::Win(plies)),
                    (false, Some(longest)) if longest == plies => Some(TablebaseValue::Loss(plies)),
                    _ => None,
                }
            }
        };
        let found: Vec<(usize, TablebaseValue)> = (0..spots.len())
            .filter(|place| known[*place].is_none())
            .filter_map(|place| Some((place, value(&spots[place])?)))
            .collect();
        if found.is_empty() && plies > 2 {
            break;
        }
        found.into_iter().for_each(|(place, value)| known[place] = Some(value));
    }
    known
}

#[test]
fn tablebases_are_those_of_value_iteration() {
    for (base, name) in [("chess", "KQK"), ("chess", "KRK"), ("shatranj", "KRK"), ("chess", "KKR")] {
        let rules = small(base);
        let mut endings = Endings::new(&rules, None);
        let material = prepared(&mut endings, name);
        let mut n_decided = 0;
        for (text, value) in naive_values(&rules, &material) {
            let game = Game::from_text(&rules, &text).expect("it was written");
            assert_eq!(endings.probe(&game), Some(value), "{base} {name} {text}");
            n_decided += usize::from(value != TablebaseValue::Draw);
        }
        assert!(n_decided > 1000, "{base} {name}: {n_decided}");
    }
}

/// A table says the same of a position and of the best of its moves.
#[test]
fn every_value_follows_from_the_moves() {
    for (game, name) in [("chess", "KPK"), ("makruk", "KRK"), ("shatranj", "KRKQ"), ("chess", "KRK")] {
        let rules = rules(game);
        let mut endings = Endings::new(&rules, None);
        let material = prepared(&mut endings, name);
        let longest = endings.table(&material).and_then(|table| table.longest(0, 1));
        let known = [("KPK", 55), ("KRKQ", 40)].into_iter().find(|(known, _)| *known == name);
        assert!(known.is_none_or(|(_, plies)| longest.is_some_and(|(found, _)| found == plies)), "{name}");
        let mut random = Random::of_game(3, 0, 0);
        let n_men = material.n_pieces();
        let mut n_seen = 0;
        while n_seen < 3000 {
            let squares: Vec<u8> = (0..n_men).map(|_| random.below(64) as u8).collect();
            let Some(game) = endings.game_at(&material, &squares, Side(random.below(2) as u8)) else {
                continue;
            };
            let (Some(value), None) = (endings.probe(&game), game.outcome()) else { continue };
            n_seen += 1;
            let best = endings.moves(&game).first().map(|(_, value)| *value);
            assert_eq!(Some(value), best, "{name} {}", game.text());
        }
    }
}

#[test]
fn a_table_is_kept_and_a_damaged_one_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = rules("chess");
    let make = || {
        let mut endings = Endings::new(&rules, Some(folder.path().to_path_buf()));
        let mut n_told = 0;
        let material = EndingMaterial::read("KQK", rules.rules()).expect("an ending");
        endings.prepare(&material, &mut |_| n_told += 1, &AtomicBool::new(false)).expect("a table");
        let longest = endings.table(&material).and_then(|table| table.longest(0, 1));
        (n_told > 0, longest.map(|(plies, _)| plies))
    };
    assert_eq!(make(), (true, Some(19)), "made");
    assert_eq!(make(), (false, Some(19)), "read");
    let files: Vec<_> = std::fs::read_dir(folder.path()).expect("a folder").flatten().collect();
    assert_eq!(files.len(), 2, "the table and that of two kings");
    for file in files {
        let mut bytes = std::fs::read(file.path()).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x40;
        std::fs::write(file.path(), &bytes[..bytes.len() - 3]).expect("written");
    }
    assert_eq!(make(), (true, Some(19)), "made anew");
}

/// 10,000 practice positions: every square as often as the won positions have it, for every man, by chi-square.
#[test]
fn practice_positions_have_no_pattern() {
    let rules = rules("chess");
    let mut endings = Endings::new(&rules, None);
    let material = prepared(&mut endings, "KRK");
    let table = endings.table(&material).expect("prepared");
    let mut random = Random::of_game(1, 2, 3);
    const N: usize = 10_000;
    let pieces: Vec<_> = material.pieces().collect();
    let mut seen = vec![[0u32; 64]; pieces.len()];
    let mut positions = std::collections::HashSet::new();
    for _ in 0..N {
        let game = draw_won(&endings, &material, Side::FIRST, &mut random).expect("a won position");
        assert!(matches!(endings.probe(&game), Some(TablebaseValue::Win(_))), "{}", game.text());
        positions.insert(game.key());
        for square in 0..64 {
            if let Some(man) = game.piece(Square(square)) {
                let place = pieces.iter().position(|known| *known == man).expect("one of the pieces");
                seen[place][usize::from(square)] += 1;
            }
        }
    }
    let mut wanted = vec![[0f64; 64]; pieces.len()];
    let mut total = 0.0;
    for a in 0..64 {
        for b in 0..64 {
            for c in 0..64 {
                let squares = [a, b, c, 0];
                let apart = a != b && b != c && a != c;
                if apart && matches!(table.probe(0, &squares), Some(TablebaseValue::Win(_))) {
                    (0..3).for_each(|man| wanted[man][usize::from(squares[man])] += 1.0);
                    total += 1.0;
                }
            }
        }
    }
    for man in 0..pieces.len() {
        let chi_square: f64 = (0..64)
            .map(|square| {
                let expected = wanted[man][square] * N as f64 / total;
                (f64::from(seen[man][square]) - expected).powi(2) / expected
            })
            .sum();
        // 63 degrees of freedom: 99.9% lie below 103.
        assert!(chi_square < 103.4, "man {man}: {chi_square}");
    }
    // So many of all positions were seen as even draws would see: n(1 - (1 - 1/n)^N), within five deviations.
    let expected = total * (1.0 - (1.0 - 1.0 / total).powi(N as i32));
    assert!((positions.len() as f64 - expected).abs() < 80.0, "{} of {expected}", positions.len());
}

#[test]
fn practice_judges_and_defends() {
    let rules = rules("chess");
    let mut endings = Endings::new(&rules, None);
    let material = prepared(&mut endings, "KRK");
    let mut random = Random::of_game(9, 0, 0);
    for _ in 0..20 {
        let game = draw_won(&endings, &material, Side::FIRST, &mut random).expect("a won position");
        let mut practice = Practice::new(&endings, game).expect("a won position");
        while practice.game().outcome().is_none() {
            let mv = practice.best_moves()[0];
            assert_eq!(practice.play(mv), Ok(Judgement::Best));
            practice.reply(&mut random);
        }
        assert!(practice.is_won());
        assert_eq!(practice.score(), 100);
    }
    let game = Game::from_text(&rules, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1").expect("a position");
    let mut practice = Practice::new(&endings, game).expect("a won position");
    let away = ashta_position::notation::read_san(practice.game(), "Rb8").expect("a move");
    assert!(matches!(practice.play(away), Ok(Judgement::Slower(_) | Judgement::Best)));
    let drawn = Game::from_text(&rules, "8/8/8/8/8/1k6/1R6/K7 b - - 0 1").expect("a position");
    assert!(Practice::new(&endings, drawn).is_none());
}

#[test]
fn what_cannot_be_an_ending_is_said() {
    let chess = rules("chess");
    for (text, said) in [
        ("KXK", "Chess has no piece with the letter `X`"),
        ("QK", "does not name both sides"),
        ("KQ", "does not name both sides"),
        ("KQRBKN", "has 6 pieces; tablebases have at most 4"),
    ] {
        let error = EndingMaterial::read(text, chess.rules()).expect_err(text).to_string();
        assert!(error.contains(said), "{error}");
    }
    let shogi = rules("shogi");
    let material = EndingMaterial::read("KGK", shogi.rules()).expect("an ending");
    let mut endings = Endings::new(&shogi, None);
    let error = endings.prepare(&material, &mut |_| {}, &AtomicBool::new(false)).expect_err("no table");
    assert_eq!(error.to_string(), "no tablebase can be built for Shogi: captured pieces can be dropped");
}
