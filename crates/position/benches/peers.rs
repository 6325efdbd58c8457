//! Speed beside the peers, in one run, on one thread: `cargo bench -p ashta-position --bench peers`.
//!
//! Each line is our rate, the peer's, and their ratio: the turn with the median ratio of many taken one after the other,
//! as these machines are noisy. Counts are asserted: a fast wrong answer fails.
//!
//! The peers are met at their best: cozy-chess and haitaka run in processes of their own, built with `-C target-cpu=native`, fat
//! LTO and each of their two slider algorithms, which differ by little. Each turn meets both builds, and a line shows the one with
//! the lower ratio. Ours is the plain release build that users have.
//! Debian's fairy-stockfish, which is asked where it is installed, takes turns in the same way.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

use std::cell::RefCell;
use std::cmp::Ordering;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use ashta_position::{CompiledRules, Game, MoveGroups, Position, Tables, Word, perft, with_line};
use ashta_rules::{Rules, Setup};

const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const SHOGI: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
const LARGE_BOARD: &str = include_str!("large-board.toml");
const N_TURNS: u64 = 31;
const MAX_PLIES: u32 = 1000;

fn main() {
    println!("{:<38} {:>10} {:>10} {:>7} {:>7}", "work", "ours M/s", "peer M/s", "ratio", "bar");
    chess(&["", "pext"].map(|features| Peer::build("cozy", features)));
    shogi(&["", "qugiy"].map(|features| Peer::build("haitaka", features)));
    large_board();
    fairy_stockfish();
}

/// One build of a peer, as a process.
struct Peer {
    name: &'static str,
    sliders: &'static str,
    child: Child,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Peer {
    fn build(name: &'static str, features: &'static str) -> Peer {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peer-process/Cargo.toml");
        let folder = target_folder().join(format!("peer-process-{features}"));
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--release", "--features", features, "--manifest-path"])
            .arg(manifest)
            .env("RUSTFLAGS", "-C target-cpu=native")
            .env("CARGO_TARGET_DIR", &folder)
            .status();
        assert!(built.is_ok_and(|status| status.success()), "the peers cannot be built");
        let mut child = Command::new(folder.join("release/peer-process"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the peers can be started");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let sliders = if features.is_empty() { "magic" } else { features };
        Peer { name, sliders, child, pipes: RefCell::new((input, BufReader::new(output))) }
    }

    /// The count of some work and its rate in millions a second.
    fn rate(&self, question: &str) -> (u64, f64) {
        let (input, output) = &mut *self.pipes.borrow_mut();
        writeln!(input, "{} {question}", self.name).and_then(|()| input.flush()).expect("the peer listens");
        let mut line = String::new();
        output.read_line(&mut line).expect("the peer answers");
        let (count, nanoseconds) = line.trim().split_once(' ').expect("a count and a time");
        let (count, nanoseconds) =
            (count.parse::<u64>().expect("a count"), nanoseconds.parse::<f64>().expect("a time"));
        (count, count as f64 * 1e3 / nanoseconds)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

fn target_folder() -> PathBuf {
    let program = std::env::current_exe().expect("a running program has a path");
    // .../target/release/deps/peers-...
    program.ancestors().nth(3).expect("benchmarks are below target").to_path_buf()
}

fn rate(mut work: impl FnMut() -> u64) -> (u64, f64) {
    let start = Instant::now();
    let count = work();
    (count, count as f64 / start.elapsed().as_secs_f64() / 1e6)
}

/// Takes turns with one opponent and prints the turn with the median ratio.
fn compare(name: &str, bar: f64, ours: impl Fn(u64) -> (u64, f64), theirs: impl Fn(u64) -> (u64, f64)) {
    let (our_rate, their_rate) = medians(ours, &[theirs])[0];
    print_line(name, (our_rate, their_rate), bar, "");
}

/// Takes turns with every build of a peer and prints the line of the build that does best against us.
fn compare_builds(
    name: &str,
    bar: f64,
    ours: impl Fn(u64) -> (u64, f64),
    peers: &[Peer],
    theirs: impl Fn(&Peer, u64) -> (u64, f64),
) {
    let theirs: Vec<_> = peers.iter().map(|peer| |turn| theirs(peer, turn)).collect();
    let builds = medians(ours, &theirs).into_iter().zip(peers);
    if let Some((rates, peer)) = builds.min_by(|(a, _), (b, _)| by_ratio(a, b)) {
        print_line(name, rates, bar, peer.sliders);
    }
}

/// Our rate and theirs in the turn with the median ratio, for each opponent. All are told the number of the turn, after one that
/// warms up.
fn medians(ours: impl Fn(u64) -> (u64, f64), opponents: &[impl Fn(u64) -> (u64, f64)]) -> Vec<(f64, f64)> {
    let mut turns = vec![Vec::new(); opponents.len()];
    for turn in std::iter::once(0).chain(0..N_TURNS) {
        let our_rate = ours(turn).1;
        for (turns, theirs) in turns.iter_mut().zip(opponents) {
            turns.push((our_rate, theirs(turn).1));
        }
    }
    let median = |turns: &mut Vec<(f64, f64)>| {
        turns.remove(0);
        turns.sort_by(by_ratio);
        turns[turns.len() / 2]
    };
    turns.iter_mut().map(median).collect()
}

fn by_ratio(a: &(f64, f64), b: &(f64, f64)) -> Ordering {
    (a.0 / a.1).total_cmp(&(b.0 / b.1))
}

fn print_line(name: &str, (ours, peer): (f64, f64), bar: f64, build: &str) {
    println!("{name:<38} {ours:>10.1} {peer:>10.1} {:>7.2} {bar:>7.2} {build}", ours / peer);
}

/// Perft of both, in turns; both counts must be the published one.
fn compare_perft<W: Word>(
    name: &str,
    bar: f64,
    peers: &[Peer],
    (game, text): (&str, &str),
    (depth, count): (u32, u64),
) {
    let rules = Arc::new(ashta_rules::load(game).expect("a game of the library"));
    let setup = Setup::read(text, &rules).expect("it reads");
    let position = Position::<W>::new(Arc::new(Tables::new(rules)), &setup).expect("a position");
    let question = format!("perft {depth} {text}");
    let checked = |(found, rate): (u64, f64)| {
        assert_eq!(found, count, "{name}");
        (found, rate)
    };
    let ours = |_| checked(rate(|| perft(&mut position.clone(), depth)));
    compare_builds(name, bar, ours, peers, |peer, _| checked(peer.rate(&question)));
}

fn chess(peers: &[Peer]) {
    compare_perft::<u64>("chess perft 5, start", 1.2, peers, ("chess", CHESS), (5, 4_865_609));
    compare_perft::<u64>("chess perft 4, kiwipete", 1.2, peers, ("chess", KIWIPETE), (4, 4_085_603));
    let start = start::<u64>("chess");
    let ours = |turn| rate(|| random_games(&start, turn, 400, 100));
    let theirs = |peer: &Peer, turn| peer.rate(&format!("random {turn} 400"));
    compare_builds("chess, random games (plies)", 1.4, ours, peers, theirs);
}

fn shogi(peers: &[Peer]) {
    compare_perft::<u128>("shogi perft 4, start", 2.5, peers, ("shogi", SHOGI), (4, 719_731));
    compare_perft::<u128>("shogi perft 3, matsuri", 1.7, peers, ("shogi", MATSURI), (3, 4_809_015));
    let start = start::<u128>("shogi");
    let ours = |turn| rate(|| random_games(&start, turn, 100, u32::MAX));
    let theirs = |peer: &Peer, turn| peer.rate(&format!("random {turn} 100"));
    compare_builds("shogi, random games (plies)", 2.2, ours, peers, theirs);
}

fn start<W: Word>(game: &str) -> Position<W> {
    Position::start(Arc::new(Tables::new(Arc::new(ashta_rules::load(game).expect("a game of the library")))))
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

/// Random games to the last move, 100 plies without progress (chess) or 1000 plies; the number of legal moves is
/// known at every ply.
fn random_games<W: Word>(start: &Position<W>, turn: u64, n_games: u32, max_quiet: u32) -> u64 {
    let (mut random, mut groups, mut plies, mut n_moves) = (Random::of_turn(turn), MoveGroups::new(), 0, 0);
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

/// Twenty kinds on 12x12 against chess: the cost of one generated move, which may be four times as high.
fn large_board() {
    let rules = ashta_rules::load_text("large-board.toml", LARGE_BOARD, &[]).expect("the file checks");
    let n_kinds = rules.kinds().len();
    assert!(n_kinds >= 20 && rules.grid().n_squares() == 144, "{n_kinds} kinds");
    let large = game(rules);
    let chess = game(ashta_rules::load("chess").expect("a game of the library"));
    let (large, chess) = (|_| rate(|| large.perft(3)), |_| rate(|| chess.perft(5)));
    compare("12x12, 20 kinds, perft 3 / chess 5", 0.25, large, chess);
}

fn game(rules: Rules) -> Game {
    Game::start(&CompiledRules::new(rules))
}

/// A game that Debian's fairy-stockfish knows.
struct FairyGame {
    name: &'static str,
    /// Its name for it.
    variant: &'static str,
    depth: u32,
    bar: f64,
    /// Its own count, where it counts by other rules: janggi's draws by facing generals and by two passes.
    differs: Option<u64>,
}

impl FairyGame {
    const fn new(name: &'static str, depth: u32, bar: f64) -> FairyGame {
        FairyGame { name, variant: name, depth, bar, differs: None }
    }
}

const FAIRY_GAMES: [FairyGame; 12] = [
    FairyGame::new("chess", 5, 30.0),
    FairyGame::new("shatranj", 5, 30.0),
    FairyGame::new("makruk", 5, 30.0),
    FairyGame::new("shogi", 4, 30.0),
    FairyGame::new("minishogi", 5, 30.0),
    FairyGame { variant: "shoshogi", ..FairyGame::new("sho-shogi", 4, 30.0) },
    FairyGame::new("xiangqi", 4, 20.0),
    FairyGame { differs: Some(1_065_277), ..FairyGame::new("janggi", 4, 25.0) },
    FairyGame::new("capablanca", 4, 35.0),
    FairyGame::new("courier", 4, 30.0),
    FairyGame::new("shatar", 5, 30.0),
    FairyGame::new("sittuyin", 3, 30.0),
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
    for FairyGame { name, variant, depth, bar, differs } in FAIRY_GAMES {
        let line = format!("{name} perft {depth} / fairy-stockfish");
        let Some(peer) = Fairy::start(path, variant) else {
            println!("{line:<38} not known to this fairy-stockfish");
            continue;
        };
        let game = game(ashta_rules::load(name).expect("a game of the library"));
        let count = with_line!(game.line(), line => perft(&mut line.position().clone(), depth));
        let ours = |_| rate(|| with_line!(game.line(), line => perft(&mut line.position().clone(), depth)));
        let theirs = |_| {
            let (found, rate) = peer.perft(depth).expect("fairy-stockfish answers");
            assert_eq!(found, differs.unwrap_or(count), "{line}");
            (found, rate)
        };
        compare(&line, bar, ours, theirs);
    }
}

/// Debian's fairy-stockfish, playing one game.
struct Fairy {
    child: Child,
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Fairy {
    fn start(path: &str, game: &str) -> Option<Fairy> {
        let mut child = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut input = child.stdin.take()?;
        let mut output = BufReader::new(child.stdout.take()?);
        writeln!(input, "uci").ok()?;
        let mut known = game == "chess";
        for line in output.by_ref().lines().map_while(Result::ok) {
            known |= line.contains("UCI_Variant") && line.split(' ').any(|word| word == game);
            if line == "uciok" {
                break;
            }
        }
        writeln!(input, "setoption name UCI_Variant value {game}\nposition startpos").ok()?;
        let fairy = Fairy { child, pipes: RefCell::new((input, output)) };
        known.then_some(fairy)
    }

    /// Its count and its rate in millions a second.
    fn perft(&self, depth: u32) -> Option<(u64, f64)> {
        let (input, output) = &mut *self.pipes.borrow_mut();
        let start = Instant::now();
        writeln!(input, "go perft {depth}").ok()?;
        let mut lines = output.by_ref().lines().map_while(Result::ok);
        let line = lines.find(|line| line.starts_with("Nodes searched"))?;
        let count: u64 = line.rsplit(' ').next()?.parse().ok()?;
        Some((count, count as f64 / start.elapsed().as_secs_f64() / 1e6))
    }
}

impl Drop for Fairy {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}
