//! Speed beside the peers, in one run, on one thread: `cargo bench -p ashta-position --bench peers`.
//!
//! Each line is our rate, the peer's, and their ratio: the turn with the middle ratio of many taken one after the other,
//! as these machines are noisy. Counts are asserted: a fast wrong answer fails.
//!
//! Peers: cozy-chess and haitaka, bulk counted, built with the same flags; Debian's fairy-stockfish where it is installed.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use ashta_position::{CompiledRules, Game, Groups, Position, Tables, Word, perft, with_line};
use ashta_rules::{Rules, Setup};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const LARGE_BOARD: &str = include_str!("large-board.toml");
const TURNS: usize = 21;
const MAX_PLIES: u32 = 1000;

fn main() {
    println!("flags: {}", flags());
    println!("{:<34} {:>10} {:>10} {:>7} {:>7}", "work", "ours M/s", "peer M/s", "ratio", "floor");
    chess_perft();
    shogi_perft();
    random_games();
    large_board();
    fairy_stockfish();
}

/// What both sides were compiled for. Ours also chooses BMI2 code when it runs, whatever the flags.
fn flags() -> String {
    let enabled = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi1", cfg!(target_feature = "bmi1")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
    ];
    let names: Vec<&str> = enabled.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
    let names =
        if names.is_empty() { "none of popcnt, bmi1, bmi2, avx2".to_string() } else { names.join(", ") };
    format!("opt-level 3, thin LTO, {}, target features {names}", std::env::consts::ARCH)
}

fn rate(mut work: impl FnMut() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let count = work();
    (count, count as f64 / start.elapsed().as_secs_f64() / 1e6)
}

/// Takes turns and prints the one with the middle ratio. Both are told the number of the turn.
fn compare(name: &str, floor: f64, ours: impl Fn(u64) -> u64, peer: impl Fn(u64) -> u64, same: bool) {
    let turn = |n| {
        let (our_count, our_rate) = rate(|| ours(n));
        let (peer_count, peer_rate) = rate(|| peer(n));
        assert!(!same || our_count == peer_count, "{name}: {our_count} against {peer_count}");
        (our_rate, peer_rate)
    };
    let mut turns: Vec<(f64, f64)> = (0..TURNS as u64).map(turn).collect();
    turns.sort_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)));
    let (our_rate, peer_rate) = turns[TURNS / 2];
    print_line(name, our_rate, peer_rate, floor);
}

fn print_line(name: &str, ours: f64, peer: f64, floor: f64) {
    println!("{name:<34} {ours:>10.1} {peer:>10.1} {:>7.2} {floor:>7.2}", ours / peer);
}

fn position<W: Word>(game: &str, text: Option<&str>) -> Position<W> {
    let rules = Arc::new(ashta_rules::load(game).expect("a game of the library"));
    let tables = Arc::new(Tables::new(rules.clone()));
    match text {
        None => Position::start(tables),
        Some(text) => Position::new(tables, &Setup::read(text, &rules).expect("reads")).expect("a position"),
    }
}

fn chess_perft() {
    for (name, text, depth, count) in [
        ("chess perft 5, start", None, 5, 4_865_609),
        ("chess perft 4, kiwipete", Some(KIWIPETE), 4, 4_085_603),
    ] {
        let ours = position::<u64>("chess", text);
        let peer = text.map_or(cozy_chess::Board::default(), |text| text.parse().expect("a position"));
        let checked = |_| {
            let found = perft(&mut ours.clone(), depth);
            assert_eq!(found, count, "{name}");
            found
        };
        compare(name, 1.0, checked, |_| cozy_perft(&peer, depth), true);
    }
}

fn shogi_perft() {
    for (name, text, depth, count) in
        [("shogi perft 4, start", None, 4, 719_731), ("shogi perft 3, matsuri", Some(MATSURI), 3, 4_809_015)]
    {
        let ours = position::<u128>("shogi", text);
        let peer = match text {
            None => haitaka::Board::startpos(),
            Some(text) => haitaka::Board::from_sfen(text).expect("a position"),
        };
        let checked = |_| {
            let found = perft(&mut ours.clone(), depth);
            assert_eq!(found, count, "{name}");
            found
        };
        compare(name, 1.8, checked, |_| haitaka_perft(&peer, depth), true);
    }
}

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut total = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            total += moves.len() as u64;
            false
        });
        return total;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            total += cozy_perft(&after, depth - 1);
        }
        false
    });
    total
}

fn haitaka_perft(board: &haitaka::Board, depth: u32) -> u64 {
    let mut total = 0;
    if depth == 1 {
        let mut count = |moves: haitaka::PieceMoves| {
            total += moves.into_iter().len() as u64;
            false
        };
        board.generate_board_moves(&mut count);
        board.generate_drops(&mut count);
        return total;
    }
    let mut play = |moves: haitaka::PieceMoves| {
        for mv in moves {
            let mut after = board.clone();
            after.play_unchecked(mv);
            total += haitaka_perft(&after, depth - 1);
        }
        false
    };
    board.generate_board_moves(&mut play);
    board.generate_drops(&mut play);
    total
}

/// The same cheap generator for all.
struct Random(u64);

impl Random {
    /// Other games every turn: the few of one seed may be dear or cheap.
    fn of_turn(turn: u64) -> Random {
        Random((turn + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

fn random_games() {
    let chess = position::<u64>("chess", None);
    let ours = |turn| random_ours(&chess, turn, 400, 100);
    compare("chess, random games (plies)", 1.2, ours, |turn| random_cozy(turn, 400), false);
    let shogi = position::<u128>("shogi", None);
    let ours = |turn| random_ours(&shogi, turn, 100, u32::MAX);
    compare("shogi, random games (plies)", 2.0, ours, |turn| random_haitaka(turn, 100), false);
}

/// Random games to the last move, 100 plies without progress (chess) or 1000 plies; the number of legal moves is
/// known at every ply.
fn random_ours<W: Word>(start: &Position<W>, turn: u64, n_games: u32, max_quiet: u32) -> u64 {
    let (mut random, mut groups, mut plies, mut n_moves) = (Random::of_turn(turn), Groups::new(), 0, 0);
    for _ in 0..n_games {
        let mut position = start.clone();
        for _ in 0..MAX_PLIES {
            groups.clear();
            position.generate(&mut groups);
            if groups.is_empty() || position.state().quiet() >= max_quiet {
                break;
            }
            n_moves += u64::from(groups.len());
            plies += 1;
            position.play_unchecked(groups.pick(random.below(groups.len())));
        }
    }
    black_box(n_moves);
    plies
}

fn random_cozy(turn: u64, n_games: u32) -> u64 {
    let (mut random, mut groups, mut plies, mut n_moves) = (Random::of_turn(turn), Vec::new(), 0, 0);
    for _ in 0..n_games {
        let mut board = cozy_chess::Board::default();
        for _ in 0..MAX_PLIES {
            groups.clear();
            let mut total = 0;
            board.generate_moves(|moves| {
                total += moves.len() as u32;
                groups.push((moves, total));
                false
            });
            if total == 0 || board.halfmove_clock() >= 100 {
                break;
            }
            n_moves += u64::from(total);
            plies += 1;
            board.play_unchecked(pick(&groups, random.below(total)));
        }
    }
    black_box(n_moves);
    plies
}

fn random_haitaka(turn: u64, n_games: u32) -> u64 {
    let (mut random, mut groups, mut plies, mut n_moves) = (Random::of_turn(turn), Vec::new(), 0, 0);
    for _ in 0..n_games {
        let mut board = haitaka::Board::startpos();
        for _ in 0..MAX_PLIES {
            groups.clear();
            let mut total = 0;
            let mut take = |moves: haitaka::PieceMoves| {
                total += moves.into_iter().len() as u32;
                groups.push((moves, total));
                false
            };
            board.generate_board_moves(&mut take);
            board.generate_drops(&mut take);
            if total == 0 {
                break;
            }
            n_moves += u64::from(total);
            plies += 1;
            board.play_unchecked(pick(&groups, random.below(total)));
        }
    }
    black_box(n_moves);
    plies
}

fn pick<G: Copy + IntoIterator<Item = M>, M>(groups: &[(G, u32)], n: u32) -> M {
    let at = groups.iter().position(|(_, until)| n < *until).expect("n is below the total");
    let before = if at == 0 { 0 } else { groups[at - 1].1 };
    groups[at].0.into_iter().nth((n - before) as usize).expect("the group has so many")
}

/// Twenty kinds on 12x12 against chess: the cost of one generated move, which may be four times as high.
fn large_board() {
    let rules = ashta_rules::load_text("large-board.toml", LARGE_BOARD, &[]).expect("the file checks");
    let n_kinds = rules.kinds().len();
    assert!(n_kinds >= 20 && rules.grid().n_squares() == 144, "{n_kinds} kinds");
    let large = game(rules);
    let chess = game(ashta_rules::load("chess").expect("a game of the library"));
    compare("12x12, 20 kinds, perft 3 / chess 5", 0.25, |_| large.perft(3), |_| chess.perft(5), false);
}

fn game(rules: Rules) -> Game {
    Game::start(&CompiledRules::new(rules))
}

/// Every game that Debian's fairy-stockfish knows: (ours, its name, depth).
const FAIRY_GAMES: [(&str, &str, u32); 12] = [
    ("chess", "chess", 5),
    ("shatranj", "shatranj", 5),
    ("makruk", "makruk", 5),
    ("shogi", "shogi", 4),
    ("minishogi", "minishogi", 5),
    ("sho-shogi", "shoshogi", 4),
    ("xiangqi", "xiangqi", 4),
    ("janggi", "janggi", 2),
    ("capablanca", "capablanca", 4),
    ("courier", "courier", 4),
    ("shatar", "shatar", 5),
    ("sittuyin", "sittuyin", 3),
];

fn fairy_stockfish() {
    let path = ["/usr/games/fairy-stockfish", "/usr/bin/fairy-stockfish"]
        .into_iter()
        .find(|p| std::path::Path::new(p).exists());
    let Some(path) = path else {
        println!(
            "fairy-stockfish is not installed: its lines are left out (apt-get install fairy-stockfish)"
        );
        return;
    };
    for (ours, theirs, depth) in FAIRY_GAMES {
        let name = format!("{ours} perft {depth} / fairy-stockfish");
        let Some((count, seconds)) = fairy_perft(path, theirs, depth) else {
            println!("{name:<34} not known to this fairy-stockfish");
            continue;
        };
        let game = game(ashta_rules::load(ours).expect("a game of the library"));
        let (mut best, mut found) = (0f64, 0);
        for _ in 0..TURNS {
            let (counted, our_rate) =
                rate(|| with_line!(game.line(), line => perft(&mut line.position().clone(), depth)));
            (best, found) = (best.max(our_rate), counted);
        }
        assert_eq!(found, count, "{name}");
        print_line(&name, best, count as f64 / seconds / 1e6, 10.0);
    }
}

/// Its count and the seconds of its better run of two.
fn fairy_perft(path: &str, game: &str, depth: u32) -> Option<(u64, f64)> {
    let mut child =
        Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut input = child.stdin.take()?;
    let mut lines = BufReader::new(child.stdout.take()?).lines();
    writeln!(input, "uci").ok()?;
    let mut known = game == "chess";
    for line in lines.by_ref().map_while(Result::ok) {
        known |= line.contains("UCI_Variant") && line.split(' ').any(|word| word == game);
        if line == "uciok" {
            break;
        }
    }
    if !known {
        return None;
    }
    writeln!(input, "setoption name UCI_Variant value {game}\nposition startpos").ok()?;
    let (mut count, mut seconds) = (0, f64::INFINITY);
    for _ in 0..2 {
        let start = Instant::now();
        writeln!(input, "go perft {depth}").ok()?;
        let line = lines.by_ref().map_while(Result::ok).find(|line| line.starts_with("Nodes searched"))?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
        count = line.rsplit(' ').next()?.parse().ok()?;
    }
    writeln!(input, "quit").ok()?;
    child.wait().ok()?;
    Some((count, seconds))
}
