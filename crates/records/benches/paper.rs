//! Our index beside the paper's own, built faithfully on the same collection, in one run.
//!
//! `cargo bench -p ashta-records --bench paper -- COLLECTION` takes a collection that `ashta records import` made; without
//! one a small random collection is made. Words after it: `ours`, only our side runs, on every core; `ours castles 39`,
//! one shape alone; `ours 39999`, shapes of the first games; `each`, every shape with the lists that it meets, the worst
//! against the paper's best way first.
//!
//! The paper's index: for every piece state a list of (game, first ply, last ply + 1), plain or as variable-length codes
//! of the game's difference, the first ply and the length. Search intersects the lists of all states of the query,
//! pairwise from the shortest list up or all at once, and steps by merging or by binary search.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

#[path = "paper/index.rs"]
mod index;
#[path = "paper/sets.rs"]
mod sets;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use ashta_position::CompiledRules;
use ashta_records::index::postings::StateList;
use ashta_records::segment::{Section, Segment};
use ashta_records::{Collection, Manifest, Query};
use index::{Lists, PaperIndex};
use sets::{Asked, QuerySet};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let temporary = tempfile::tempdir().expect("a folder");
    let folder = match args.first() {
        Some(path) => Path::new(path).to_path_buf(),
        None => sets::random_collection(temporary.path()),
    };
    let game = Manifest::read(&folder).expect("a collection").game;
    let rules = CompiledRules::new(ashta_rules::load(&game).expect("a game of the library"));
    let began = Instant::now();
    let collection = Collection::open(&folder, &rules).expect("opened");
    let n_plies = collection.n_positions() - collection.n_games();
    println!(
        "{} games, {} positions, {} segments, opened in {:.2} ms",
        collection.n_games(),
        collection.n_positions(),
        collection.manifest().segments.len(),
        began.elapsed().as_secs_f64() * 1e3
    );
    let word = args.get(1).map_or("", String::as_str);
    if word == "ours" {
        return profile(&collection, &args[2..]);
    }
    let paper = PaperIndex::build(&collection);
    // Core against core: the paper's ways have one, though ours share the work among all.
    let one_core = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    one_core.install(|| match word {
        "each" => each(&collection, &paper),
        _ => {
            sizes(&collection, &paper, n_plies);
            let mut summary = Summary::default();
            for set in sets::all(&collection) {
                measure(&collection, &paper, &set, &mut summary);
            }
            summary.tell();
        }
    });
}

/// Our partial searches alone, again and again.
fn profile(collection: &Collection, which: &[String]) {
    let among = which.first().and_then(|word| word.parse().ok()).unwrap_or(usize::MAX);
    let n_games = collection.n_games().min(among);
    let set = if which.first().is_some_and(|word| word == "tesuji") {
        sets::partial(collection, sets::TESUJI)
    } else {
        sets::partial_of(collection, sets::CASTLES, n_games)
    };
    if let Some(number) = which.get(1).and_then(|word| word.parse::<usize>().ok()) {
        let asked = &set.asked[number - 1];
        let (seconds, n_games) = quickest(5000, || ask(collection, &asked.query));
        return println!("{:9.5} ms {n_games:7} games", seconds * 1e3);
    }
    let mut times: Vec<(f64, usize, usize, usize)> = Vec::new();
    let mut by_clock: Vec<f64> = Vec::new();
    for (n, asked) in set.asked.iter().enumerate() {
        let (seconds, n_games) = quickest(20, || ask(collection, &asked.query));
        let clock = |_| {
            let began = Instant::now();
            black_box(ask(collection, &asked.query));
            began.elapsed().as_secs_f64() * 1e3
        };
        by_clock.push((0..20).map(clock).fold(f64::INFINITY, f64::min));
        times.push((seconds * 1e3, n_games, asked.states.len(), n));
    }
    times.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (ms, n_games, n_states, n) in times.iter().step_by(7) {
        println!("{ms:9.4} ms {n_games:7} games {n_states:3} states, query {}", n + 1);
    }
    let mean = times.iter().map(|(ms, ..)| ms).sum::<f64>() / times.len() as f64;
    by_clock.sort_by(f64::total_cmp);
    println!(
        "by the clock: median {:.4} ms, slowest {:.4?}",
        by_clock[by_clock.len() / 2],
        &by_clock[by_clock.len() - 5..]
    );
    println!("mean {mean:.4} ms, median {:.4} ms, slowest {:.4} ms", times[times.len() / 2].0, times[0].0);
}

/// How often all shapes are asked for: other programs on the machine disturb for seconds at a time.
const ROUNDS: usize = 3;

/// Every shape: how much quicker we are than the paper's best way on plain lists and than its compressed lists.
fn each(collection: &Collection, paper: &PaperIndex) {
    let mut told: Vec<(f64, String)> = Vec::new();
    for set in [sets::partial(collection, sets::CASTLES), sets::partial(collection, sets::TESUJI)] {
        let mut least = vec![(f64::INFINITY, [f64::INFINITY; WAYS.len()]); set.asked.len()];
        for _ in 0..ROUNDS {
            for (asked, (ours, ways)) in set.asked.iter().zip(&mut least) {
                *ours = ours.min(quickest(5, || ask(collection, &asked.query)).0);
                for (least, (_, way)) in ways.iter_mut().zip(WAYS) {
                    *least = least.min(quickest(2, || paper.search(&asked.states, way)).0);
                }
            }
        }
        for (n, (asked, (ours, ways))) in set.asked.iter().zip(&least).enumerate() {
            let best = ways[2..].iter().copied().fold(f64::INFINITY, f64::min);
            let line = format!(
                "{:6.2} {:6.1} {:9.4} ms {:7} games, {} {}, lists {}",
                best / ours,
                ways[0].min(ways[1]) / ours,
                ours * 1e3,
                ask(collection, &asked.query),
                set.name.split(':').next().unwrap_or_default(),
                n + 1,
                lists_of(collection, &asked.states),
            );
            told.push((best / ours, line));
        }
    }
    told.sort_by(|a, b| a.0.total_cmp(&b.0));
    told.iter().for_each(|(_, line)| println!("{line}"));
}

/// The games of each list, the shortest first; those with many intervals more than games have a plus.
fn lists_of(collection: &Collection, states: &[u32]) -> String {
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    for state in states {
        let lists = collection.segments().filter_map(|(_, segment)| segment.list(*state).expect("read"));
        let add =
            |(pairs, all): (usize, usize), list: StateList| (pairs + list.n_pairs(), all + list.n_postings());
        sizes.push(lists.fold((0, 0), add));
    }
    sizes.sort_unstable();
    let tell =
        |(pairs, all): &(usize, usize)| format!("{pairs}{}", if all * 10 > pairs * 11 { "+" } else { "" });
    sizes.iter().map(tell).collect::<Vec<_>>().join(" ")
}

fn sizes(collection: &Collection, paper: &PaperIndex, n_plies: usize) {
    let bytes_of = |sections: &[Section]| -> usize {
        let lengths = |segment: &Segment| -> usize {
            sections.iter().map(|section| segment.file().section_length(*section)).sum()
        };
        collection.segments().map(|(_, segment)| lengths(segment)).sum()
    };
    let tell = |what: &str, bytes: usize| {
        let (a_game, a_ply) = (bytes as f64 / collection.n_games() as f64, bytes as f64 / n_plies as f64);
        println!("{what:34} {bytes:12} bytes {a_game:9.1} a game {a_ply:7.3} a ply");
    };
    tell("paper, plain", paper.n_postings() * 8);
    tell("paper, compressed", paper.n_compressed_bytes());
    const POSTINGS: [Section; 2] = [Section::Postings, Section::States];
    const EXACT: [Section; 5] = [
        Section::Exact,
        Section::ExactDirectory,
        Section::ExactEntries,
        Section::ExactGroups,
        Section::ExactHeap,
    ];
    const TABLE: [Section; 2] = [Section::Bases, Section::Results];
    tell("ours, postings", bytes_of(&POSTINGS));
    tell("ours, exact positions", bytes_of(&EXACT));
    tell("ours, game table", bytes_of(&TABLE));
    tell("ours, all that the index needs", bytes_of(&POSTINGS) + bytes_of(&EXACT) + bytes_of(&TABLE));
}

/// Seconds that our threads were at work: other programs take turns with us, and their turns are not our cost; what is done
/// on another core is.
#[cfg(unix)]
fn seconds_at_work() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(not(unix))]
fn seconds_at_work() -> f64 {
    static BEGAN: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

/// Runs shorter than this are measured several at a time.
const SHORTEST: f64 = 0.0002;

/// The quickest of a few runs: what the work costs when nothing else disturbs it.
fn quickest<T>(n: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let mut timed = |n_times: usize| {
        let began = seconds_at_work();
        for _ in 1..n_times {
            black_box(work());
        }
        let result = black_box(work());
        ((seconds_at_work() - began) / n_times as f64, result)
    };
    let (mut least, mut result) = timed(1);
    let n_times = (SHORTEST / least.max(1e-9)).ceil().clamp(1.0, 1000.0) as usize;
    for _ in 0..n {
        let (seconds, again) = timed(n_times);
        (least, result) = (least.min(seconds), again);
    }
    (least, result)
}

/// The ways of the paper: which lists, which order, which steps.
const WAYS: [(&str, index::Way); 6] = [
    (
        "compressed pairwise merge",
        index::Way { lists: Lists::Compressed, order: index::Order::Pairwise, step: index::Step::Merge },
    ),
    (
        "compressed at-once merge",
        index::Way { lists: Lists::Compressed, order: index::Order::AllAtOnce, step: index::Step::Merge },
    ),
    (
        "plain pairwise merge",
        index::Way { lists: Lists::Plain, order: index::Order::Pairwise, step: index::Step::Merge },
    ),
    (
        "plain pairwise binary",
        index::Way { lists: Lists::Plain, order: index::Order::Pairwise, step: index::Step::Binary },
    ),
    (
        "plain at-once merge",
        index::Way { lists: Lists::Plain, order: index::Order::AllAtOnce, step: index::Step::Merge },
    ),
    (
        "plain at-once binary",
        index::Way { lists: Lists::Plain, order: index::Order::AllAtOnce, step: index::Step::Binary },
    ),
];

#[derive(Default)]
struct Summary {
    log_ratios: Vec<f64>,
    worst: Option<(f64, String)>,
    slowest_found: f64,
    slowest_empty: f64,
    slowest_exact: f64,
    slowest_explorer: f64,
}

fn measure(collection: &Collection, paper: &PaperIndex, set: &QuerySet, summary: &mut Summary) {
    let mut totals = vec![0.0; WAYS.len()];
    let (mut ours_total, mut n_empty, mut n_games_total) = (0.0, 0, 0);
    let (mut empty_ours, mut empty_paper) = (0.0, 0.0);
    let mut log_ratio = 0.0;
    for (number, asked) in set.asked.iter().enumerate() {
        let (ours, n_games) = quickest(5, || ask(collection, &asked.query));
        let mut of_paper = Vec::new();
        for (n, (_, way)) in WAYS.iter().enumerate() {
            let (seconds, found) = quickest(2, || paper.search(&asked.states, *way));
            totals[n] += seconds;
            of_paper.push(seconds);
            check(asked, n_games, index::n_games(&found));
        }
        let baseline = of_paper[0].min(of_paper[1]);
        log_ratio += (baseline / ours).ln();
        summary.note(set.name, number, ours, &of_paper, baseline, n_games);
        ours_total += ours;
        n_games_total += n_games;
        if n_games == 0 {
            n_empty += 1;
            empty_ours += ours;
            empty_paper += of_paper[0];
        }
        if asked.is_exact {
            let (seconds, _) =
                quickest(3, || collection.explore(&asked.query).expect("explored").moves.len());
            summary.slowest_explorer = summary.slowest_explorer.max(seconds);
        }
    }
    let n = set.asked.len() as f64;
    println!(
        "\n{}: {} queries, {:.1} states and {:.1} games found on average, {n_empty} find nothing",
        set.name,
        set.asked.len(),
        set.asked.iter().map(|asked| asked.states.len()).sum::<usize>() as f64 / n,
        n_games_total as f64 / n
    );
    for ((name, _), total) in WAYS.iter().zip(&totals) {
        println!("  paper, {name:28} {:10.4} ms", total / n * 1e3);
    }
    println!("  ours, count and first page of 50   {:10.4} ms", ours_total / n * 1e3);
    println!(
        "  geometric mean of (paper's compressed lists with merging / ours): {:.1}",
        (log_ratio / n).exp()
    );
    if n_empty > 0 {
        let of = f64::from(n_empty) / 1e3;
        println!(
            "  those that find nothing: ours {:.4} ms, paper {:.4} ms",
            empty_ours / of,
            empty_paper / of
        );
    }
}

/// Count and first page.
fn ask(collection: &Collection, query: &Query) -> usize {
    let answer = collection.find(query).expect("answered");
    black_box(answer.n_positions());
    black_box(answer.page(0, 50).expect("a page"));
    answer.n_games()
}

/// Both find the same; for whole positions the paper's lists do not know whose turn it is, and may find more.
fn check(asked: &Asked, ours: usize, papers: usize) {
    if asked.is_exact {
        assert!(ours <= papers, "{ours} games, the paper's index has {papers}")
    } else {
        assert_eq!(ours, papers, "{:?}", asked.query)
    }
}

impl Summary {
    fn note(&mut self, set: &str, number: usize, ours: f64, of_paper: &[f64], baseline: f64, n_games: usize) {
        self.log_ratios.push((baseline / ours).ln());
        let best_of_four = of_paper[2..].iter().copied().fold(f64::INFINITY, f64::min);
        let ratio = best_of_four / ours;
        if self.worst.as_ref().is_none_or(|(least, _)| ratio < *least) {
            self.worst = Some((ratio, format!("{set} {}, {n_games} games", number + 1)));
        }
        match n_games {
            0 => self.slowest_empty = self.slowest_empty.max(ours),
            _ => self.slowest_found = self.slowest_found.max(ours),
        }
        if set == sets::OPENING || set == sets::FREQUENT {
            self.slowest_exact = self.slowest_exact.max(ours);
        }
    }

    fn tell(&self) {
        let mean = self.log_ratios.iter().sum::<f64>() / self.log_ratios.len().max(1) as f64;
        println!(
            "\nall sets: geometric mean of (paper's compressed lists with merging / ours): {:.1}",
            mean.exp()
        );
        if let Some((ratio, which)) = &self.worst {
            println!(
                "worst query against the best of the paper's four ways on plain lists: {ratio:.2} ({which})"
            );
        }
        println!("slowest exact search, count and page: {:.4} ms", self.slowest_exact * 1e3);
        println!("slowest explorer: {:.4} ms", self.slowest_explorer * 1e3);
        println!(
            "slowest search that finds something {:.4} ms, that finds nothing {:.4} ms",
            self.slowest_found * 1e3,
            self.slowest_empty * 1e3
        );
    }
}
