//! Solves a table of mates by checks that other programs and old books agree on.
//!
//! `cargo run --release -p ashta-study --example oracle_mates -- FOLDER [SECONDS]` reads `chu-tsume.tsv` of a folder. Rows that
//! state the shortest mate and its keys are compared exactly. Of the others a mate is looked for within so many seconds (5).
//! The defence of their lines need not be the longest, so it may be longer; none at all is a difference if another program has
//! proved one.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "an example is a program of its own"
)]

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ashta_position::CompiledRules;
use ashta_position::notation::write_coordinates;
use ashta_study::problem::{Futile, TsumeAnswer, open_problem, solve_tsume};

type Failure = Box<dyn Error>;

/// A row: its id, position, the length of its line, and the shortest mate with all keys if they are known.
struct Row {
    id: String,
    sfen: String,
    plies: u16,
    /// Whether another program has proved a mate.
    is_proved: bool,
    shortest: Option<(u16, Vec<String>)>,
}

fn main() -> Result<(), Failure> {
    let folder = std::env::args().nth(1).ok_or("no folder given")?;
    let seconds: u64 = std::env::args().nth(2).map_or(Ok(5), |text| text.parse())?;
    let rules = CompiledRules::new(ashta_rules::load("chu-shogi").map_err(|problems| problems.to_string())?);
    let rows = rows(&Path::new(&folder).join("chu-tsume.tsv"))?;
    let (mut n_solved, mut n_exact, mut n_wrong) = (0, 0, 0);
    let start = Instant::now();
    for row in &rows {
        let row_start = Instant::now();
        let told = match solve(&rules, row, Duration::from_secs(seconds))? {
            Answer::Mate { plies, n_nodes } => {
                n_solved += 1;
                n_exact += usize::from(row.shortest.is_some());
                format!("{plies} of {} plies, {n_nodes} positions", row.plies)
            }
            Answer::NotInTime => format!("{} plies not solved", row.plies),
            Answer::NoMate if !row.is_proved => {
                format!("no mate; nobody has proved that of {} plies", row.plies)
            }
            Answer::NoMate => {
                n_wrong += 1;
                "DIFFERS: no mate".to_string()
            }
            Answer::Differs(difference) => {
                n_wrong += 1;
                format!("DIFFERS: {difference}")
            }
        };
        println!("{}: {told}, {} ms", row.id, row_start.elapsed().as_millis());
    }
    let elapsed = start.elapsed().as_secs_f64();
    println!("{n_solved} of {} rows solved in {elapsed:.0} s, {n_exact} compared with all keys", rows.len());
    println!("{n_wrong} rows differ");
    if n_wrong > 0 { Err("some rows differ".into()) } else { Ok(()) }
}

fn rows(path: &Path) -> Result<Vec<Row>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines().skip(1).map(row).collect()
}

fn row(line: &str) -> Result<Row, Failure> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [id, sfen, plies, _line, proof, shortest] = cells[..] else { return Err(line.into()) };
    let shortest = match shortest.split_once(": ") {
        None => None,
        Some((plies, keys)) => Some((plies.parse()?, keys.split_whitespace().map(str::to_string).collect())),
    };
    let is_proved = proof == "proved";
    Ok(Row { id: id.to_string(), sfen: sfen.to_string(), plies: plies.parse()?, is_proved, shortest })
}

enum Answer {
    Mate { plies: u16, n_nodes: u64 },
    NoMate,
    NotInTime,
    Differs(String),
}

fn solve(rules: &CompiledRules, row: &Row, limit: Duration) -> Result<Answer, Failure> {
    let game = open_problem(rules, &row.sfen)?;
    let stop = Arc::new(AtomicBool::new(false));
    let (done, waits) = channel::<()>();
    let timer = {
        let stop = stop.clone();
        std::thread::spawn(move || {
            if waits.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        })
    };
    let mut answer = solve_tsume(&game, row.plies, Futile::Count, &stop);
    if matches!(answer, Ok((TsumeAnswer::NotWithin(_), _))) {
        // The defence of an old line need not be the longest.
        answer = solve_tsume(&game, 3 * row.plies, Futile::Count, &stop);
    }
    drop(done);
    timer.join().map_err(|_| "the timer failed")?;
    let Ok((answer, n_nodes)) = answer else { return Ok(Answer::NotInTime) };
    let TsumeAnswer::Mate(mate) = answer else { return Ok(Answer::NoMate) };
    let keys: Vec<String> = mate.keys.iter().map(|mv| write_coordinates(&game, *mv)).collect();
    Ok(match &row.shortest {
        Some((plies, wanted)) if (mate.plies, &sorted(&keys)) != (*plies, &sorted(wanted)) => {
            Answer::Differs(format!("{} plies by {keys:?}, expected {plies} by {wanted:?}", mate.plies))
        }
        Some(_) | None => Answer::Mate { plies: mate.plies, n_nodes },
    })
}

fn sorted(texts: &[String]) -> Vec<String> {
    let mut texts = texts.to_vec();
    texts.sort_unstable();
    texts
}
