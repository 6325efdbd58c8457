//! Shapes in a collection of chess beside Scid, in one run: `cargo bench -p ashta-records --bench scid -- COLLECTION PGN`.
//!
//! COLLECTION was made by `ashta records import` from the file PGN alone. Scid (Debian's `scid`, with `xvfb`) takes the same
//! file into a base of its own, and is asked for the same hundred shapes of few pieces; both must find as many games. Both
//! are timed by the clock: ours with a count of positions and a page of fifty, the quickest of a few runs; Scid's, which
//! take seconds each, once.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

#[expect(dead_code, reason = "the shapes alone are asked for here; the rest is the paper's")]
#[path = "paper/sets.rs"]
mod sets;

use std::fmt::Write;
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, exit};
use std::time::Instant;

use ashta_position::CompiledRules;
use ashta_records::index::states::State;
use ashta_records::{Collection, Manifest, Query};
use ashta_rules::piece_text;
use sets::Asked;

const TURNS: usize = 20;

/// Asks of any number of pieces, anywhere in a game, so that the shape alone decides.
const ASK: &str = "
proc ask {patterns} {
    set options {}
    foreach piece {wq bq wr br wb bb wn bn wp bp wm bm} { lappend options -$piece {0 32} }
    foreach pattern $patterns { lappend options -patt $pattern }
    set began [clock microseconds]
    catch {sc_search material {*}$options -flip 0 -filter 2 -range {1 9999} -length 1 -bishops All -diff {-40 40}}
    set spent [expr {[clock microseconds] - $began}]
    puts \"asked $spent [lindex [sc_filter sizes [sc_base current] dbfilter] 0]\"
}
proc ::progressCallBack {args} {}
";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let [folder, pgn] = args.as_slice() else {
        eprintln!("error: a collection of chess and the PGN file that it was made from are wanted");
        exit(2);
    };
    let game = Manifest::read(Path::new(folder)).expect("a collection").game;
    let rules = CompiledRules::new(ashta_rules::load(&game).expect("a game of the library"));
    let collection = Collection::open(Path::new(folder), &rules).expect("opened");
    let shapes = sets::partial(&collection, sets::CASTLES).asked;
    let scids = ask_scid(&collection, &shapes, pgn);
    let mut ratios: Vec<(f64, String)> = Vec::new();
    for (n, (asked, (scid_ms, scid_found))) in shapes.iter().zip(&scids).enumerate() {
        let (ms, found) = ask(&collection, &asked.query);
        assert_eq!(found, *scid_found, "games with shape {}: {:?}", n + 1, asked.query);
        ratios.push((scid_ms / ms, format!("{ms:8.4} ms, Scid {scid_ms:8.1} ms, {found:7} games")));
    }
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (ratio, line) in ratios.iter().take(5).chain(ratios.iter().skip(5).step_by(19)) {
        println!("{ratio:9.0} times: {line}");
    }
    let mean = ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / ratios.len() as f64;
    println!("{} shapes, the same games in all; geometric mean {:.0} times", ratios.len(), mean.exp());
}

/// Count, and first page, by the clock.
fn ask(collection: &Collection, query: &Query) -> (f64, usize) {
    let turn = |_| {
        let began = Instant::now();
        let answer = collection.find(query).expect("answered");
        black_box(answer.n_positions());
        black_box(answer.page(0, 50).expect("a page"));
        (began.elapsed().as_secs_f64() * 1e3, answer.n_games())
    };
    (0..TURNS).map(turn).min_by(|a, b| a.0.total_cmp(&b.0)).expect("several turns")
}

/// Milliseconds and games of each shape, as Scid finds them.
fn ask_scid(collection: &Collection, shapes: &[Asked], pgn: &str) -> Vec<(f64, usize)> {
    let folder = tempfile::tempdir().expect("a folder");
    let base = folder.path().join("base");
    let mut script = String::from(ASK);
    let add = "sc_base create SCID4 {BASE}\nsc_base import [sc_base current] {PGN}\n";
    script.push_str(&add.replace("BASE", &base.to_string_lossy()).replace("PGN", pgn));
    for asked in shapes {
        writeln!(script, "ask {{{}}}", patterns(collection, &asked.states)).expect("a string grows");
    }
    script.push_str("exit\n");
    let file = folder.path().join("ask.tcl");
    std::fs::write(&file, script).expect("written");
    let output = Command::new("xvfb-run").args(["-a", "tkscid"]).arg(&file).output();
    let output = output.expect("Scid and Xvfb are installed: `apt-get install scid xvfb`");
    let told = String::from_utf8_lossy(&output.stdout);
    let answers: Vec<(f64, usize)> = told.lines().filter_map(read_answer).collect();
    assert_eq!(answers.len(), shapes.len(), "{}", String::from_utf8_lossy(&output.stderr));
    answers
}

fn read_answer(line: &str) -> Option<(f64, usize)> {
    let (microseconds, n_games) = line.strip_prefix("asked ")?.split_once(' ')?;
    Some((microseconds.parse::<f64>().ok()? / 1e3, n_games.parse().ok()?))
}

/// States as Scid has them: whether it is wanted, colour and piece, file, rank.
fn patterns(collection: &Collection, states: &[u32]) -> String {
    let rules = collection.rules().rules();
    let mut out = String::new();
    for state in states {
        let Some(State::On { side, kind, square }) = collection.space().state(*state) else {
            panic!("chess has no hands")
        };
        let colour = ['w', 'b'][usize::from(side.0)];
        let piece = piece_text(side, kind, rules).to_lowercase();
        let name = rules.grid().name(square).to_string();
        let (file, rank) = name.split_at(1);
        write!(out, "{{1 {colour}{piece} {file} {rank}}} ").expect("a string grows");
    }
    out
}
