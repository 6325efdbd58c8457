//! Solves a table of mates by checks that other programs and old books agree on.
//!
//! `cargo run --release -p ashta-study --example oracle_mates -- FOLDER [SECONDS]` reads `chu-tsume.tsv` of a folder. Rows that
//! state the shortest mate and its keys are compared exactly. Of the others the mate of the given length is looked for
//! within so many seconds (5); a disproof of it is a difference.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
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
        let answer = solve(&rules, row, Duration::from_secs(seconds))?;
        let ms = row_start.elapsed().as_millis();
        match answer {
            None => println!("{}: {} plies not solved in {ms} ms", row.id, row.plies),
            Some(Ok((plies, n_nodes))) => {
                println!("{}: {plies} of {} plies, {n_nodes} positions, {ms} ms", row.id, row.plies);
                n_solved += 1;
                n_exact += usize::from(row.shortest.is_some());
            }
            Some(Err(difference)) => {
                println!("{}: DIFFERS: {difference}\n    {}", row.id, row.sfen);
                n_wrong += 1;
            }
        }
    }
    let elapsed = start.elapsed().as_secs_f64();
    println!(
        "{n_solved} of {} rows solved in {elapsed:.0} s, {n_exact} with all keys; {n_wrong} differ",
        rows.len()
    );
    if n_wrong > 0 { Err("some rows differ".into()) } else { Ok(()) }
}

fn rows(path: &Path) -> Result<Vec<Row>, Failure> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    text.lines().skip(1).map(row).collect()
}

fn row(line: &str) -> Result<Row, Failure> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [id, sfen, plies, _line, _proof, shortest] = cells[..] else { return Err(line.into()) };
    let shortest = match shortest.split_once(": ") {
        None => None,
        Some((plies, keys)) => Some((plies.parse()?, keys.split_whitespace().map(str::to_string).collect())),
    };
    Ok(Row { id: id.to_string(), sfen: sfen.to_string(), plies: plies.parse()?, shortest })
}

/// The length and the number of positions, or how the answer differs; `None` if the time did not suffice.
#[expect(clippy::type_complexity, reason = "it is used once")]
fn solve(
    rules: &CompiledRules,
    row: &Row,
    limit: Duration,
) -> Result<Option<Result<(u16, u64), String>>, Failure> {
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
    let Ok((answer, n_nodes)) = answer else { return Ok(None) };
    let TsumeAnswer::Mate(mate) = answer else { return Ok(Some(Err("no mate".to_string()))) };
    let keys: Vec<String> = mate.keys.iter().map(|mv| write_coordinates(&game, *mv)).collect();
    Ok(Some(match &row.shortest {
        Some((plies, wanted)) if (mate.plies, &sorted(&keys)) != (*plies, &sorted(wanted)) => {
            Err(format!("{} plies by {keys:?}, expected {plies} by {wanted:?}", mate.plies))
        }
        Some(_) | None => Ok((mate.plies, n_nodes)),
    }))
}

fn sorted(texts: &[String]) -> Vec<String> {
    let mut texts = texts.to_vec();
    texts.sort_unstable();
    texts
}
