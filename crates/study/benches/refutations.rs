//! "No mate by checks within 25 plies", on open boards and in middle games: how long the proofs take, by processor time.
//!
//! `cargo bench -p ashta-study --bench refutations -- [PLIES] [SECONDS] [FAMILY]`: a longest length (25), a limit for each
//! position (60), and only the families whose name contains the last. Answers of short lengths are those of a naive search.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ashta_position::{CompiledRules, Game};
use ashta_study::problem::{Futile, TsumeAnswer, open_problem, solve_tsume};

/// Where positions come from.
enum Source {
    /// Games of random moves: the fewest plies, and as many more at most.
    Random(usize, usize),
    /// Pieces placed at random: ranks, files, the pieces of the attacker and of the defender, one of these ends of the text.
    Placed { ranks: usize, files: usize, ours: Pieces, theirs: Pieces, ends: &'static [&'static str] },
}

/// The royal piece, the squares it may stand on (as rank and file from, rank and file to), and the pieces drawn from.
struct Pieces {
    royal: &'static str,
    home: [usize; 4],
    pieces: &'static [&'static str],
    least: usize,
    more: usize,
}

struct Family {
    name: &'static str,
    game: &'static str,
    n: usize,
    source: Source,
    /// The length that the naive search can afford.
    naive_plies: u16,
}

const WHOLE_BOARD: [usize; 4] = [0, 0, 8, 8];
const PALACE: [usize; 4] = [0, 3, 3, 6];
const OWN_PALACE: [usize; 4] = [7, 3, 10, 6];

fn families() -> Vec<Family> {
    let chess = |pieces, least, more, royal| Pieces { royal, home: WHOLE_BOARD, pieces, least, more };
    let shogi = |pieces, least, more| Pieces { royal: "k", home: [0, 0, 9, 9], pieces, least, more };
    let heavy: &[&str] = &["Q", "R", "R", "B", "N", "Q"];
    let placed = |ours, theirs| Source::Placed { ranks: 8, files: 8, ours, theirs, ends: &[" w - - 0 1"] };
    let defenders: &[&str] = &["r", "b", "n", "q", "p"];
    let hands: &[&str] =
        &[" b - 1", " b Gg2p 1", " b 2Sr3p 1", " b GS2g3p 1", " b R2g4p 1", " b BNPgs2n 1", " b 3P2gb 1"];
    let pieces: &[&str] = &["R", "B", "+R", "+B", "G", "S", "N"];
    let family = |name, game, n, naive_plies, source| Family { name, game, n, source, naive_plies };
    vec![
        family("chess middle games", "chess", 60, 5, Source::Random(10, 90)),
        family(
            "chess open boards",
            "chess",
            60,
            5,
            placed(chess(heavy, 2, 3, "K"), chess(defenders, 0, 4, "k")),
        ),
        family(
            "chess problems without a king",
            "chess",
            40,
            5,
            placed(chess(heavy, 2, 3, ""), chess(defenders, 0, 5, "k")),
        ),
        family("shogi middle games", "shogi", 60, 3, Source::Random(20, 140)),
        family(
            "shogi open boards",
            "shogi",
            80,
            3,
            Source::Placed {
                ranks: 9,
                files: 9,
                ours: Pieces { royal: "", home: [0; 4], pieces, least: 2, more: 3 },
                theirs: shogi(&["g", "s", "r", "b", "n", "l"], 0, 4),
                ends: hands,
            },
        ),
        family("minishogi middle games", "minishogi", 40, 3, Source::Random(10, 60)),
        family("xiangqi middle games", "xiangqi", 30, 5, Source::Random(20, 140)),
        family(
            "xiangqi open boards",
            "xiangqi",
            50,
            5,
            Source::Placed {
                ranks: 10,
                files: 9,
                ours: Pieces {
                    royal: "K",
                    home: OWN_PALACE,
                    pieces: &["R", "R", "C", "N", "C"],
                    least: 2,
                    more: 3,
                },
                theirs: Pieces { royal: "k", home: PALACE, pieces: &["r", "c", "n", "p"], least: 0, more: 4 },
                ends: &[" w - - 0 1"],
            },
        ),
        family("makruk middle games", "makruk", 20, 5, Source::Random(20, 140)),
        family(
            "chess many heavy pieces",
            "chess",
            40,
            3,
            placed(chess(heavy, 4, 3, ""), chess(defenders, 3, 6, "k")),
        ),
    ]
}

fn main() {
    // Cargo adds `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let plies = words.first().map_or(25, |word| word.parse().expect("a number of plies"));
    let limit: f64 = words.get(1).map_or(60.0, |word| word.parse().expect("a number of seconds"));
    let wanted = words.get(2).map_or("", String::as_str);
    let mut all = Vec::new();
    let mut digest = 0xCBF2_9CE4_8422_2325;
    for (n, family) in families().iter().enumerate().filter(|(_, family)| family.name.contains(wanted)) {
        let rules = CompiledRules::new(ashta_rules::load(family.game).expect("the library is sound"));
        let mut seed = 1 + n as u64;
        let solved: Vec<Solved> = (0..family.n)
            .map(|_| {
                let game = position(&rules, &family.source, &mut seed);
                solve(&game, family, plies, limit)
            })
            .collect();
        tell(family.name, &solved);
        all.extend(solved);
    }
    for solved in &all {
        let answer = solved.answer.as_bytes();
        digest =
            answer.iter().fold(digest, |hash: u64, b| (hash ^ u64::from(*b)).wrapping_mul(0x100_0000_01B3));
    }
    tell("all", &all);
    println!("digest of the answers (the limit counts as one): {digest:016x}");
    all.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    for solved in all.iter().take(12) {
        println!("{:9.3} s  {:10} nodes  {} {}", solved.seconds, solved.n_nodes, solved.answer, solved.text);
    }
}

struct Solved {
    text: String,
    /// The mate with its keys, `none`, or `limit`.
    answer: String,
    is_never: bool,
    seconds: f64,
    n_nodes: u64,
}

fn solve(game: &Game, family: &Family, plies: u16, limit: f64) -> Solved {
    let text = format!("{} {}", family.game, game.text());
    let naive = (1..=family.naive_plies.min(plies)).step_by(2).find(|n| naive_mate(&mut game.clone(), *n));
    let stop = Arc::new(AtomicBool::new(false));
    let done = Arc::new(AtomicBool::new(false));
    let timer = std::thread::spawn({
        let (stop, done, thread) = (stop.clone(), done.clone(), processor_clock());
        move || {
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(50));
                if thread.seconds() > limit {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
    let clock = processor_clock();
    let answer = solve_tsume(game, plies, Futile::Count, &stop);
    let seconds = clock.seconds();
    done.store(true, Ordering::Relaxed);
    timer.thread().unpark();
    timer.join().expect("the timer ends");
    let (mate, is_never, answer, n_nodes) = match answer {
        Ok((TsumeAnswer::Mate(mate), n)) => {
            (Some(mate.plies), false, format!("mate in {} {:?}", mate.plies, mate.keys), n)
        }
        Ok((answer, n)) => (None, answer == TsumeAnswer::Never, "none".to_string(), n),
        Err(_) => return Solved { text, answer: "limit".into(), is_never: false, seconds, n_nodes: 0 },
    };
    assert_eq!(mate.filter(|mate| *mate <= family.naive_plies), naive, "{text}");
    Solved { text, answer, is_never, seconds, n_nodes }
}

/// The processor time of this thread from now on, from Linux; elsewhere the time of day.
struct ProcessorClock {
    path: String,
    start: Duration,
    wall: Instant,
}

fn processor_clock() -> ProcessorClock {
    let link =
        std::fs::read_link("/proc/thread-self").map(|link| format!("/proc/{}/schedstat", link.display()));
    let mut clock =
        ProcessorClock { path: link.unwrap_or_default(), start: Duration::ZERO, wall: Instant::now() };
    clock.start = clock.read().unwrap_or_default();
    clock
}

impl ProcessorClock {
    fn read(&self) -> Option<Duration> {
        let text = std::fs::read_to_string(&self.path).ok()?;
        text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    }

    fn seconds(&self) -> f64 {
        self.read().map_or(self.wall.elapsed(), |now| now.saturating_sub(self.start)).as_secs_f64()
    }
}

/// Full width: no table, no order.
fn naive_mate(game: &mut Game, plies: u16) -> bool {
    plies > 0
        && game.legal_moves().into_iter().any(|mv| {
            game.play_unchecked(mv);
            let mated = game.is_in_check()
                && game.legal_moves().into_iter().all(|reply| {
                    game.play_unchecked(reply);
                    let mated = plies > 2 && naive_mate(game, plies - 2);
                    game.take_back();
                    mated
                });
            game.take_back();
            mated
        })
}

fn random(seed: &mut u64, n: usize) -> usize {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 33) as usize % n
}

/// A position in which the side to move has a check.
fn position(rules: &CompiledRules, source: &Source, seed: &mut u64) -> Game {
    loop {
        let game = match source {
            Source::Random(least, more) => {
                let n = least + random(seed, *more);
                random_game(rules, n, seed)
            }
            Source::Placed { ranks, files, ours, theirs, ends } => {
                let board = placed(*ranks, *files, [ours, theirs], seed);
                open_problem(rules, &(board + ends[random(seed, ends.len())])).ok()
            }
        };
        let Some(mut game) = game else { continue };
        let has_check = game.legal_moves().into_iter().any(|mv| {
            game.play_unchecked(mv);
            let is_check = game.is_in_check();
            game.take_back();
            is_check
        });
        if has_check {
            return game;
        }
    }
}

fn random_game(rules: &CompiledRules, n: usize, seed: &mut u64) -> Option<Game> {
    let mut game = Game::start(rules);
    for _ in 0..n {
        let moves = game.legal_moves();
        if moves.is_empty() || game.outcome().is_some() {
            return None;
        }
        game.play_unchecked(moves[random(seed, moves.len())]);
    }
    Game::from_setup(rules, &game.setup()).ok()
}

fn placed(ranks: usize, files: usize, sides: [&Pieces; 2], seed: &mut u64) -> String {
    let mut board = vec![vec!["1"; files]; ranks];
    for pieces in sides {
        let [top, left, bottom, right] = pieces.home;
        if !pieces.royal.is_empty() {
            board[top + random(seed, bottom - top)][left + random(seed, right - left)] = pieces.royal;
        }
        for _ in 0..pieces.least + random(seed, pieces.more) {
            let cell = &mut board[random(seed, ranks)][random(seed, files)];
            if *cell == "1" {
                *cell = pieces.pieces[random(seed, pieces.pieces.len())];
            }
        }
    }
    let shorter =
        |text: String| (2..=9).rev().fold(text, |text, n| text.replace(&"1".repeat(n), &n.to_string()));
    let ranks: Vec<String> = board.iter().map(|rank| shorter(rank.concat())).collect();
    ranks.join("/")
}

fn tell(name: &str, solved: &[Solved]) {
    let mut seconds: Vec<f64> = solved.iter().map(|solved| solved.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let at = |part: f64| seconds[((seconds.len() - 1) as f64 * part) as usize];
    let over = |bar: f64| seconds.iter().filter(|seconds| **seconds > bar).count();
    let count = |answer: &str| solved.iter().filter(|solved| solved.answer.starts_with(answer)).count();
    println!(
        "{name}: {} positions, {} mates, {} without ({} of any length), {} at the limit; median {:.4} s, 90% {:.4}, \
         99% {:.3}, longest {:.3}, total {:.1}; over 0.1 s {}, 1 s {}, 5 s {}",
        solved.len(),
        count("mate"),
        count("none"),
        solved.iter().filter(|solved| solved.is_never).count(),
        count("limit"),
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0),
        seconds.iter().sum::<f64>(),
        over(0.1),
        over(1.0),
        over(5.0)
    );
}
