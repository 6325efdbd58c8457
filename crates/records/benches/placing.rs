//! Counts while pieces are placed on a board, by the clock: `cargo bench -p ashta-records --bench placing -- COLLECTION`.
//!
//! COLLECTION is one of shogi that `ashta records import` made. Each board grows by a piece or a mark at a time and is
//! asked for after each, as it is, mirrored, with the sides exchanged too, and anywhere on the board; for all games and,
//! as the browser asks first, for those that can be looked at soon. The slowest is told: it is what a person may have to
//! wait for. Queries after COLLECTION are asked instead, one by one, with the CPU time of all threads too; those that begin
//! with `=` are asked as they are and in no other form.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

use std::hint::black_box;
use std::path::Path;
use std::process::exit;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use ashta_position::CompiledRules;
use ashta_records::{Collection, Manifest, Query, QueryResult, QueryRunError, TimeBudget, read_query};

const TURNS: usize = 5;
/// When somebody who waits has enough.
const SOON: Duration = Duration::from_millis(25);
/// Hits of a page, as the browser asks for them.
const PAGE: usize = 20;

/// Boards, in the order in which somebody would draw them.
const BOARDS: [&[&str]; 5] = [
    // A castle.
    &["2h=K", "3h=S", "4i=G", "5h=G", "1g=P", "2g=P", "3g=P", "4g=P"],
    // An opening.
    &["7f=P", "3d=p", "2f=P", "8d=p", "2e=P", "8e=p", "turn=first"],
    // A dangling pawn before an open file.
    &["2d=P", "2c=empty", "2b=empty", "3b=g|s", "hand(P)>=1"],
    // Marks first.
    &["5e=empty", "5f=empty", "4e=any", "6e=first", "2h=R|+R", "3c!=any"],
    // Pieces seldom seen, then marks.
    &["5b=+R", "4a=k", "5a=empty", "3a=any", "4b!=any"],
];

type Form = (&'static str, fn(&str) -> String);

const FORMS: [Form; 4] = [
    ("as it is", |text| text.to_string()),
    ("mirrored", |text| format!("mirrored({text})")),
    ("exchanged and mirrored", |text| format!("swapped(mirrored({text}))")),
    ("anywhere", |text| format!("anywhere({text})")),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let Some((folder, asked)) = args.split_first() else {
        println!("no collection was given: nothing is measured");
        exit(0);
    };
    let game = Manifest::read(Path::new(folder)).expect("a collection").game;
    let rules = CompiledRules::new(ashta_rules::load(&game).expect("a game of the library"));
    let collection = Collection::open(Path::new(folder), &rules).expect("opened");
    println!("{} games, {} positions", collection.n_games(), collection.n_positions());
    if !asked.is_empty() {
        for text in asked {
            match text.strip_prefix('=') {
                Some(text) => tell(&collection, text),
                None => FORMS.iter().for_each(|(_, form)| tell(&collection, &form(text))),
            }
        }
        return;
    }
    println!("{:<32} {:>9} {:>9} {:>9}  the slowest", "milliseconds", "median", "90%", "most");
    for (name, form) in FORMS {
        let grown = BOARDS.iter().flat_map(|board| (1..=board.len()).map(|n| board[..n].join(" ")));
        let queries: Vec<String> = grown.map(|text| form(&text)).collect();
        summary(name, &queries, |text| {
            least_time(&collection, text, |query| collection.find(query)).by_clock
        });
        summary(&format!("{name}, soon"), &queries, |text| soon(&collection, text).by_clock);
    }
}

fn summary(name: &str, queries: &[String], time: impl Fn(&str) -> f64) {
    let mut times: Vec<(f64, &String)> = queries.iter().map(|text| (time(text), text)).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].0;
    let slowest = times[times.len() - 1].1;
    println!("{name:<32} {:>9.1} {:>9.1} {:>9.1}  {slowest}", at(0.5), at(0.9), at(1.0));
}

fn tell(collection: &Collection, text: &str) {
    let all = least_time(collection, text, |query| collection.find(query));
    let soon = soon(collection, text);
    println!(
        "{:9.3} ms, CPU {:9.3} ms {:9} positions {:7} games; {:7.3} ms {:7} of {:7}  {text}",
        all.by_clock, all.at_work, all.n_positions, all.n_games, soon.by_clock, soon.n_games, soon.n_searched
    );
}

fn soon(collection: &Collection, text: &str) -> Measured {
    least_time(collection, text, |query| {
        let began = Instant::now();
        let is_over = || began.elapsed() > SOON;
        collection.find_first(query, &TimeBudget::until(&is_over), &AtomicBool::new(false))
    })
}

/// What a query found, and the least times of some turns in milliseconds.
struct Measured {
    by_clock: f64,
    /// CPU time of all threads.
    at_work: f64,
    n_positions: usize,
    n_games: usize,
    n_searched: usize,
}

fn least_time<'c>(
    collection: &'c Collection,
    text: &str,
    find: impl Fn(&Query) -> Result<QueryResult<'c>, QueryRunError>,
) -> Measured {
    let (by_clock, at_work) = (f64::INFINITY, f64::INFINITY);
    let mut measured = Measured { by_clock, at_work, n_positions: 0, n_games: 0, n_searched: 0 };
    for _ in 0..TURNS {
        let (began, worked) = (Instant::now(), seconds_at_work());
        let query = read_query(text, collection.rules().rules()).expect("a query");
        let answer = find(&query).expect("an answer");
        black_box((answer.n_intervals(), answer.page(0, PAGE).expect("a page")));
        measured.n_positions = answer.n_positions();
        (measured.n_games, measured.n_searched) = (answer.n_games(), answer.n_searched());
        measured.by_clock = measured.by_clock.min(began.elapsed().as_secs_f64() * 1e3);
        measured.at_work = measured.at_work.min((seconds_at_work() - worked) * 1e3);
    }
    measured
}

#[cfg(unix)]
fn seconds_at_work() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

#[cfg(not(unix))]
fn seconds_at_work() -> f64 {
    0.0
}
