//! Mates in 2, 3 and 4 with all keys proved, and mates by checks, beside Stockfish's `go mate`: asserts the answers.
//!
//! `cargo bench -p ashta-study --bench problems` uses `../shared/problems` where it is there, and Debian's `stockfish`.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ashta_position::notation::{read_coordinates, read_san};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::Setup;
use ashta_study::problem::{
    Detail, Futile, ProblemText, TsumeAnswer, read_problems, solve_mate, solve_tsume,
};

/// Median milliseconds allowed for mates in 2, 3 and 4.
const BARS_MS: [(u16, f64); 3] = [(2, 1.0), (3, 10.0), (4, 150.0)];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/problems");
    let folder = if folder.is_dir() { folder } else { "/work/shared/problems".into() };
    if !folder.is_dir() {
        eprintln!("NOTICE: {} is not there: nothing is measured", folder.display());
        return;
    }
    let mut ratios = Vec::new();
    for (n, bar) in BARS_MS {
        let problems = read(&folder, &format!("mate{n}"));
        let ours: Vec<f64> = problems.iter().map(|problem| chess(problem, n)).collect();
        let median = tell(&format!("mate in {n}, all keys"), &ours);
        assert!(median < bar, "mate in {n}: median {median} ms, at most {bar} is allowed");
        if let Some(theirs) = stockfish(&problems, n) {
            tell(&format!("mate in {n}, stockfish finds one"), &theirs);
            ratios.extend(ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs));
        }
    }
    if !ratios.is_empty() {
        let ratio = geometric_mean(&ratios);
        println!("ours / stockfish, geometric mean over {} problems: {ratio:.3}", ratios.len());
        assert!(ratio < 1.0, "stockfish is faster: {ratio}");
    }
    let shogi = CompiledRules::new(ashta_rules::load("shogi").expect("the library is sound"));
    let times: Vec<f64> = read(&folder, "tsume").iter().map(|problem| tsume(&shogi, problem)).collect();
    tell("mates by checks, 1 to 11 plies", &times);
}

fn read(folder: &Path, name: &str) -> Vec<ProblemText> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).expect("the folder is there").flatten().collect();
    paths.sort_by_key(|entry| entry.path());
    let paths = paths.iter().map(|entry| entry.path()).filter(|path| path.to_string_lossy().contains(name));
    let texts = paths.map(|path| std::fs::read_to_string(path).expect("a text"));
    texts.flat_map(|text| read_problems(&text)).map(|problem| problem.expect("a problem")).collect()
}

fn open(rules: &CompiledRules, problem: &ProblemText) -> Game {
    let setup = Setup::read(&problem.position, rules.rules()).expect("a position");
    Game::of_problem(rules, &setup).expect("a position that can be played from")
}

/// Milliseconds; the answer must be the file's.
fn chess(problem: &ProblemText, n: u16) -> f64 {
    thread_local!(static RULES: CompiledRules =
        CompiledRules::new(ashta_rules::load("chess").expect("the library is sound")));
    RULES.with(|rules| {
        let game = open(rules, problem);
        let start = Instant::now();
        let solution =
            solve_mate(&game, n, Detail::Keys, &AtomicBool::new(false)).expect("the stop flag is never set");
        let elapsed = start.elapsed().as_secs_f64() * 1e3;
        let keys: Vec<Move> = solution.keys.iter().map(|key| key.mv).collect();
        let mut wanted: Vec<Move> =
            problem.keys.iter().map(|key| read_san(&game, key).expect("a move")).collect();
        wanted.sort_unstable();
        assert_eq!((solution.moves, keys), (Some(n), wanted), "{problem:?}");
        elapsed
    })
}

fn tsume(rules: &CompiledRules, problem: &ProblemText) -> f64 {
    let game = open(rules, problem);
    let start = Instant::now();
    let answer =
        solve_tsume(&game, 61, Futile::Count, &AtomicBool::new(false)).expect("the stop flag is never set").0;
    let elapsed = start.elapsed().as_secs_f64() * 1e3;
    let TsumeAnswer::Mate(mate) = answer else { panic!("{problem:?}: {answer:?}") };
    let wanted: Vec<Move> =
        problem.keys.iter().map(|key| read_coordinates(&game, key).expect("a move")).collect();
    assert_eq!((Some(mate.plies), mate.keys), (problem.plies, wanted), "{problem:?}");
    elapsed
}

fn geometric_mean(values: &[f64]) -> f64 {
    (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp()
}

/// Prints and gives the median.
fn tell(what: &str, times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    let median = sorted[sorted.len() / 2];
    println!(
        "{what}: {} problems, median {median:.3} ms, geometric mean {:.3} ms, longest {:.1} ms",
        times.len(),
        geometric_mean(times),
        sorted[sorted.len() - 1]
    );
    median
}

/// Milliseconds from `go mate n` to the answer, one thread, a fresh game each; 3 seconds at most.
fn stockfish(problems: &[ProblemText], n: u16) -> Option<Vec<f64>> {
    let mut engine = Engine::start()?;
    let mut n_missed = 0;
    let times = problems.iter().map(|problem| {
        engine.say("ucinewgame\nisready");
        engine.wait_for("readyok");
        engine.say(&format!("position fen {} 0 1", problem.position));
        let start = Instant::now();
        engine.say(&format!("go mate {n} movetime 3000"));
        let found = engine.wait_for("bestmove");
        n_missed += usize::from(!found);
        start.elapsed().as_secs_f64() * 1e3
    });
    let times = times.collect();
    engine.say("quit");
    println!("stockfish misses {n_missed} of {}", problems.len());
    Some(times)
}

struct Engine {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Engine {
    fn start() -> Option<Engine> {
        let path = ["/usr/games/stockfish", "/usr/bin/stockfish"].into_iter().find(|p| Path::new(p).exists());
        let Some(path) = path else {
            eprintln!("NOTICE: stockfish is not installed: `apt-get install stockfish`");
            return None;
        };
        let mut child =
            Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        let mut engine = Engine { child, lines };
        engine.say("uci\nsetoption name Threads value 1\nsetoption name Hash value 64\nisready");
        engine.wait_for("readyok");
        Some(engine)
    }

    fn say(&mut self, text: &str) {
        let input = self.child.stdin.as_mut().expect("piped");
        writeln!(input, "{text}").and_then(|()| input.flush()).expect("it listens");
    }

    /// Whether a mate was told on the way to a line that begins so.
    fn wait_for(&mut self, word: &str) -> bool {
        let (mut line, mut told) = (String::new(), false);
        while !line.starts_with(word) {
            told |= line.contains("score mate ") && !line.contains("score mate -");
            line.clear();
            assert!(self.lines.read_line(&mut line).expect("it speaks") > 0, "stockfish has left");
        }
        told
    }
}
