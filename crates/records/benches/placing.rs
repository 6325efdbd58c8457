//! Counts while pieces are placed on a board, by the clock: `cargo bench -p ashta-records --bench placing -- COLLECTION`.
//!
//! COLLECTION is one of shogi that `ashta records import` made. Each board grows by a piece or a mark at a time and is
//! asked for after each, as it is, mirrored, with the sides exchanged too, and anywhere on the board; for all games and,
//! as the browser asks first, for those that can be looked at soon. The slowest is told: it is what a person may have to
//! wait for. Queries after COLLECTION are asked instead, one by one.

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
            FORMS.iter().for_each(|(_, form)| tell(&collection, &form(text)));
        }
        return;
    }
    println!("{:<32} {:>9} {:>9} {:>9}  the slowest", "milliseconds", "median", "90%", "most");
    for (name, form) in FORMS {
        let grown = BOARDS.iter().flat_map(|board| (1..=board.len()).map(|n| board[..n].join(" ")));
        let queries: Vec<String> = grown.map(|text| form(&text)).collect();
        summary(name, &queries, |text| least_time(&collection, text, |query| collection.find(query)).0);
        summary(&format!("{name}, soon"), &queries, |text| soon(&collection, text).0);
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
    let (all, n_games, _) = least_time(collection, text, |query| collection.find(query));
    let (soon, n_soon, n_searched) = soon(collection, text);
    println!("{all:9.3} ms {n_games:7} games; {soon:7.3} ms {n_soon:7} of {n_searched:7}  {text}");
}

fn soon(collection: &Collection, text: &str) -> (f64, usize, usize) {
    least_time(collection, text, |query| {
        let began = Instant::now();
        let is_over = || began.elapsed() > SOON;
        collection.find_first(query, &TimeBudget::until(&is_over), &AtomicBool::new(false))
    })
}

/// The least time of some turns, in milliseconds, the games found and those looked at.
fn least_time<'c>(
    collection: &'c Collection,
    text: &str,
    find: impl Fn(&Query) -> Result<QueryResult<'c>, QueryRunError>,
) -> (f64, usize, usize) {
    let (mut least, mut found) = (f64::INFINITY, (0, 0));
    for _ in 0..TURNS {
        let began = Instant::now();
        let query = read_query(text, collection.rules().rules()).expect("a query");
        let answer = find(&query).expect("an answer");
        black_box((answer.n_positions(), answer.n_intervals(), answer.page(0, PAGE).expect("a page")));
        found = (answer.n_games(), answer.n_searched());
        least = least.min(began.elapsed().as_secs_f64() * 1e3);
    }
    (least, found.0, found.1)
}
