//! The engine against slow twins on every game of two sides, known positions, and its limits.

use ashta_search::SearchWord;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ashta_position::notation::{read_coordinates, write_coordinates};
use ashta_position::{Action, AnyLine, CompiledRules, Game, Line, Move, Position, with_line};
use ashta_rules::{Delta, Rules, Setup, Side, Square, Wraps, game_names, load};
use ashta_search::engine::{
    Engine, EngineOptions, EngineValues, Evaluation, Limits, Noise, Score, SearchControl, SearchInfo, See,
    Selectivity, TimeLimit,
};

struct Lcg(u64);

impl Lcg {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

fn games_of_two() -> Vec<Rules> {
    let all = game_names().into_iter().map(|name| load(name).expect(name));
    all.filter(|rules| rules.sides().len() == 2 && rules.contest().is_none()).collect()
}

/// Positions met in random games.
fn walk(rules: &Rules, n_plies: usize, seed: u64, mut look: impl FnMut(&Game)) {
    let compiled = CompiledRules::new(rules.clone());
    let (mut game, mut random) = (Game::start(&compiled), Lcg(seed));
    for _ in 0..n_plies {
        look(&game);
        let moves = game.legal_moves();
        if moves.is_empty() || game.outcome().is_some() {
            game = Game::start(&compiled);
            continue;
        }
        game.play_unchecked(moves[random.below(moves.len())]);
    }
}

fn think(engine: &mut Engine, game: &Game, limits: &Limits) -> SearchInfo {
    let (start, stop) = (Instant::now(), AtomicBool::new(false));
    let elapsed = || start.elapsed();
    engine.search_game(game, limits, SearchControl { elapsed: &elapsed, stop: &stop }, |_| {})
}

fn depth(plies: u8) -> Limits {
    Limits { depth: Some(plies), ..Limits::default() }
}

/// Turned by half a circle, or carried halfway around a ring, with the sides exchanged.
fn turned(rules: &Rules, setup: &Setup) -> Setup {
    let grid = rules.grid();
    let mut other = setup.clone();
    for square in grid.squares() {
        let piece = setup.board[usize::from(square.0)].map(|(side, kind)| (Side(1 - side.0), kind));
        let around = || grid.step(square, Delta::new(grid.files() as i8 / 2, 0));
        let turned = match grid.wraps() {
            Wraps::No => grid.turned(square, 2),
            Wraps::Files => around().expect("a ring without holes"),
        };
        other.board[turned.index()] = piece;
    }
    other.hands.reverse();
    (other.turn, other.rights, other.en_passant) = (1 - setup.turn, 0, None);
    other
}

#[test]
fn evaluation_is_the_same_for_both_sides() {
    for rules in games_of_two() {
        let (evaluation, compiled) = (Evaluation::new(&rules, None), CompiledRules::new(rules.clone()));
        let value = |game: &Game| with_line!(game.line(), line => evaluation.value(line.position()));
        // A side that plays without a royal piece cannot change places with one that has it.
        if rules.has_royal_at_start(Side::FIRST) != rules.has_royal_at_start(Side::SECOND) {
            continue;
        }
        let mut n_compared = 0;
        walk(&rules, 120, 3, |game| {
            if let Ok(other) = Game::from_setup(&compiled, &turned(&rules, &game.setup())) {
                assert_eq!(value(game), value(&other), "{} {}", rules.id(), game.text());
                n_compared += 1;
            }
        });
        assert!(n_compared > 60, "{}: {n_compared}", rules.id());
    }
}

/// What capturing on comes to, found by trying: pieces attack what their own tables say, in any order but cheapest first.
fn slow_exchange<W: SearchWord>(
    position: &Position<W>,
    values: &EngineValues,
    square: Square,
    (occupied, side, stands): (W, Side, i32),
) -> i32 {
    let (state, reach) = (position.state(), position.piece_attacks());
    let attackers = (state.side(side) & occupied & !W::bit(square))
        .squares()
        .filter(|from| reach.attacks(state, side, state.kind_on(*from), *from, occupied).has(square));
    let worth = |from: Square| values.exchanged(state.kind_on(from).index());
    let Some(from) = attackers.min_by_key(|from| worth(*from)) else { return 0 };
    let left = (occupied & !W::bit(from), side.other(), worth(from));
    (stands - slow_exchange(position, values, square, left)).max(0)
}

/// A side's pieces minus the other's.
fn balance<W: SearchWord>(position: &Position<W>, values: &EngineValues, side: Side) -> i32 {
    let pieces = position.rules().grid().squares().filter_map(|square| position.piece(square));
    pieces.map(|(owner, kind)| values.exchanged(kind.index()) * if owner == side { 1 } else { -1 }).sum()
}

fn compare_exchanges<W: SearchWord>(position: &Position<W>, values: &EngineValues) -> usize {
    let mut n_compared = 0;
    let (me, before) = (position.turn(), balance(position, values, position.turn()));
    for mv in position.legal_moves() {
        let (Some(from), Some(to), Some(_)) = (mv.from(), mv.to(), position.victim(mv)) else {
            continue;
        };
        if mv.becomes().is_some() || position.piece(to).is_none() {
            continue;
        }
        // Where captures explode nothing is left to recapture.
        if position.has_explosions() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let slow = balance(&after, values, me) - before;
            assert_eq!(See(values).value(position, mv), slow, "{} {mv:?}", position.text());
            n_compared += 1;
            continue;
        }
        // A capture on the way is gone, and one who captures and returns stands on its own square.
        let on_way = match mv.action() {
            Action::TwoLegs { middle, .. } => W::bit(middle),
            _ => W::ZERO,
        };
        let left_behind = if from == to { W::ZERO } else { W::bit(from) };
        let state = position.state();
        let stands = values.exchanged(state.kind_on(from).index());
        let left = (state.occupied() & !(left_behind | on_way), state.turn().other(), stands);
        let captured: i32 = position.victims(mv).map(|kind| values.exchanged(kind.index())).sum();
        let slow = captured - slow_exchange(position, values, to, left);
        assert_eq!(See(values).value(position, mv), slow, "{} {mv:?}", position.text());
        n_compared += 1;
    }
    n_compared
}

#[test]
fn exchanges_are_worth_what_trying_them_finds() {
    for rules in games_of_two() {
        // Attacks that depend on a first move, or along a file between royal pieces, are not in the tables by piece.
        let has_facing = rules.facing() == ashta_rules::Facing::Forbidden;
        if has_facing || !rules.first_move_squares().is_empty() {
            continue;
        }
        let (values, mut n_compared) = (EngineValues::new(&rules, None), 0);
        walk(&rules, 400, 11, |game| {
            n_compared += with_line!(game.line(), line => compare_exchanges(line.position(), &values));
        });
        assert!(n_compared > 20, "{}: {n_compared}", rules.id());
    }
}

/// Plain minimax: the value for the side to move.
fn minimax<W: SearchWord>(line: &mut Line<W>, evaluation: &Evaluation, depth: u32, height: i32) -> i32 {
    let moves = line.position().legal_moves();
    let me = line.position().turn();
    if height > 0
        && let Some(outcome) = line.outcome_knowing(!moves.is_empty())
    {
        return match outcome.winner {
            None => 0,
            Some(winner) if winner == me => 30_000 - height,
            Some(_) => height - 30_000,
        };
    }
    if depth == 0 {
        return evaluation.value(line.position());
    }
    let after = |mv: &Move| {
        line.play_unchecked(*mv);
        let value = -minimax(line, evaluation, depth - 1, height + 1);
        line.take_back();
        value
    };
    moves.iter().map(after).max().unwrap_or(0)
}

fn minimax_of(game: &Game, evaluation: &Evaluation, depth: u32) -> i32 {
    let mut game = game.clone();
    match game.line_mut() {
        AnyLine::W64(line) => minimax(line, evaluation, depth, 0),
        AnyLine::W128(line) => minimax(line, evaluation, depth, 0),
        AnyLine::W256(line) => minimax(line, evaluation, depth, 0),
    }
}

#[test]
fn with_nothing_left_out_the_value_is_that_of_minimax() {
    for rules in games_of_two() {
        let options =
            EngineOptions { selectivity: Selectivity::None, megabytes: 1, ..EngineOptions::default() };
        let mut engine = Engine::new(&rules, options);
        let (mut n_compared, mut n_seen) = (0, 0);
        walk(&rules, 60, 5, |game| {
            n_seen += 1;
            if n_seen % 12 != 1 || game.outcome().is_some() || game.legal_moves().is_empty() {
                return;
            }
            for plies in 1..=3 {
                if game.perft(plies) > 40_000 {
                    break;
                }
                engine.new_game();
                let expected = minimax_of(game, engine.evaluation(), plies);
                let found = think(&mut engine, game, &depth(plies as u8)).score().value();
                assert_eq!(found, expected, "{} {} depth {plies}", rules.id(), game.text());
                n_compared += 1;
            }
        });
        assert!(n_compared >= 6, "{}: {n_compared}", rules.id());
    }
}

#[test]
fn known_positions_are_solved() {
    for (game, position, nodes, expected, mate) in [
        ("chess", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 5_000, "d1d8", Some(1)),
        // Mate in two by a sacrifice.
        ("chess", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 20_000, "a1a6", Some(3)),
        (
            "chess",
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            5_000,
            "h5f7",
            Some(1),
        ),
        // Wins a rook by a fork.
        ("chess", "r3k3/7p/8/3N4/8/8/6PP/6K1 w - - 0 1", 20_000, "d5c7", None),
        // Stalemate must be seen: the only move that keeps the queen and mates soon.
        ("chess", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", 60_000, "", Some(5)),
        ("shogi", "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", 5_000, "G*5b", Some(1)),
        ("xiangqi", "3k5/R8/9/9/9/9/9/9/9/1R3K3 w - - 0 1", 20_000, "", Some(1)),
        // Baring the king wins at once.
        ("shatranj", "4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1", 5_000, "e2e7", None),
    ] {
        let rules = load(game).expect(game);
        let compiled = CompiledRules::new(rules.clone());
        let at = Game::from_text(&compiled, position).expect(position);
        let mut engine = Engine::new(&rules, EngineOptions::default());
        let found = think(&mut engine, &at, &Limits { nodes: Some(nodes), ..Limits::default() });
        let best = found.best().map(|mv| write_coordinates(&at, mv)).unwrap_or_default();
        assert!(expected.is_empty() || best == expected, "{game} {position}: {best}, not {expected}");
        if let Some(plies) = mate {
            assert!(
                matches!(found.score(), Score::WinIn(n) if n <= plies),
                "{position}: {:?}",
                found.score()
            );
        }
    }
}

#[test]
fn a_mate_is_proved_or_refuted() {
    let rules = load("chess").expect("it is there");
    let compiled = CompiledRules::new(rules.clone());
    let mut engine = Engine::new(&rules, EngineOptions::default());
    // Two knights' problem: mate in two, none in one.
    let at = Game::from_text(&compiled, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1").expect("a position");
    for (moves, score) in [(1, None), (2, Some(Score::WinIn(3))), (3, Some(Score::WinIn(3)))] {
        let found = think(&mut engine, &at, &Limits { mate: Some(moves), ..Limits::default() });
        match score {
            Some(score) => assert_eq!(found.score(), score, "mate {moves}"),
            None => assert!(!matches!(found.score(), Score::WinIn(_)), "mate {moves}: {:?}", found.score()),
        }
    }
}

#[test]
fn lines_are_legal_distinct_and_in_order() {
    for rules in games_of_two() {
        let mut engine = Engine::new(&rules, EngineOptions { megabytes: 1, ..EngineOptions::default() });
        let game = Game::start(&CompiledRules::new(rules.clone()));
        let found =
            think(&mut engine, &game, &Limits { n_lines: 3, nodes: Some(6_000), ..Limits::default() });
        assert!(!found.lines.is_empty(), "{}", rules.id());
        let firsts: Vec<Move> = found.lines.iter().map(|line| line.moves[0]).collect();
        assert!((1..firsts.len()).all(|n| !firsts[..n].contains(&firsts[n])), "{}", rules.id());
        assert!(found.lines.is_sorted_by_key(|line| -line.score.value()), "{}", rules.id());
        for line in &found.lines {
            let mut game = game.clone();
            assert!(line.moves.iter().all(|mv| game.play(*mv).is_ok()), "{} {line:?}", rules.id());
        }
    }
}

#[test]
fn only_wanted_moves_are_considered() {
    let rules = load("chess").expect("it is there");
    let game = Game::start(&CompiledRules::new(rules.clone()));
    let mut engine = Engine::new(&rules, EngineOptions::default());
    let wanted = read_coordinates(&game, "a2a3").expect("a move");
    let found = think(&mut engine, &game, &Limits { moves: vec![wanted], ..depth(5) });
    assert_eq!(found.best(), Some(wanted));
}

#[test]
fn limits_are_kept() {
    let rules = load("shogi").expect("it is there");
    let game = Game::start(&CompiledRules::new(rules.clone()));
    let mut engine = Engine::new(&rules, EngineOptions::default());
    for nodes in [1, 50, 5_000] {
        engine.new_game();
        let found = think(&mut engine, &game, &Limits { nodes: Some(nodes), ..Limits::default() });
        // The first depth is always finished.
        assert!(found.n_nodes <= nodes + nodes / 8 + 300, "{nodes}: {}", found.n_nodes);
        assert!(found.best().is_some());
    }
    let time = Some(TimeLimit::fixed(Duration::from_millis(80)));
    // It ends: there is no other limit.
    think(&mut engine, &game, &Limits { time, ..Limits::default() });
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            stop.store(true, Ordering::Relaxed);
        });
        let start = Instant::now();
        let elapsed = || start.elapsed();
        let watch = SearchControl { elapsed: &elapsed, stop: &stop };
        engine.search_game(&game, &Limits::default(), watch, |_| {});
    });
}

#[test]
fn the_same_question_has_the_same_answer_and_noise_depends_on_its_seed() {
    let rules = load("chess").expect("it is there");
    let game = Game::start(&CompiledRules::new(rules.clone()));
    let answer = |noise| {
        let mut engine = Engine::new(&rules, EngineOptions { noise, ..EngineOptions::default() });
        think(&mut engine, &game, &Limits { nodes: Some(3_000), ..Limits::default() }).lines
    };
    assert_eq!(answer(Noise::default()), answer(Noise::default()));
    let noisy = |seed| answer(Noise { most: 300, seed });
    assert_eq!(noisy(1), noisy(1));
    assert!((2..8).any(|seed| noisy(seed) != noisy(1)));
}

#[test]
fn several_threads_find_a_legal_move() {
    let rules = load("chess").expect("it is there");
    let game = Game::start(&CompiledRules::new(rules.clone()));
    let mut engine = Engine::new(&rules, EngineOptions { n_threads: 3, ..EngineOptions::default() });
    let found = think(&mut engine, &game, &depth(8));
    assert!(found.best().is_some_and(|mv| game.is_legal(mv)));
}

/// Sixteen queens a side: the quiescence search of one move does not end in hours.
const QUEENS: &str = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";

/// A start for each game of two sides, and one position in which depth 1 is out of reach.
fn positions_to_interrupt() -> Vec<Game> {
    let starts = games_of_two().into_iter().map(|rules| Game::start(&CompiledRules::new(rules)));
    let chess = CompiledRules::new(load("chess").expect("chess is in the library"));
    starts.chain([Game::from_text(&chess, QUEENS).expect("a legal position")]).collect()
}

#[test]
fn stop_is_obeyed_within_a_few_nodes_even_at_depth_one() {
    for game in positions_to_interrupt() {
        let mut engine = Engine::new(game.rules(), EngineOptions::default());
        let (elapsed, stop) = (|| Duration::ZERO, AtomicBool::new(true));
        let watch = SearchControl { elapsed: &elapsed, stop: &stop };
        let progress = engine.search_game(&game, &Limits::default(), watch, |_| {});
        assert!(progress.n_nodes <= 64, "{}: {} nodes", game.text(), progress.n_nodes);
        assert!(progress.best().is_some_and(|mv| game.legal_moves().contains(&mv)), "{}", game.text());
    }
}

#[test]
fn the_clock_is_obeyed_within_a_few_nodes_even_at_depth_one() {
    let limit = Duration::from_millis(10);
    for game in positions_to_interrupt() {
        let mut engine = Engine::new(game.rules(), EngineOptions::default());
        // Each look at the clock takes a millisecond.
        let (n_looks, stop) = (AtomicU64::new(0), AtomicBool::new(false));
        let elapsed = || Duration::from_millis(n_looks.fetch_add(1, Ordering::Relaxed));
        let limits = Limits { time: Some(TimeLimit::fixed(limit)), ..Limits::default() };
        let watch = SearchControl { elapsed: &elapsed, stop: &stop };
        let progress = engine.search_game(&game, &limits, watch, |_| {});
        assert!(progress.n_nodes <= 400, "{}: {} nodes", game.text(), progress.n_nodes);
        assert!(progress.best().is_some_and(|mv| game.legal_moves().contains(&mv)), "{}", game.text());
    }
}

#[test]
fn a_node_limit_ends_a_first_iteration_that_explodes() {
    for game in positions_to_interrupt() {
        let mut engine = Engine::new(game.rules(), EngineOptions::default());
        let progress = think(&mut engine, &game, &Limits { nodes: Some(20), ..Limits::default() });
        assert!(progress.n_nodes <= 11_100, "{}: {} nodes", game.text(), progress.n_nodes);
        assert!(matches!(progress.score(), Score::Centipawns(_)), "{}: {:?}", game.text(), progress.score());
    }
}
