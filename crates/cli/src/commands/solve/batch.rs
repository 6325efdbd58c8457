//! A file of problems: each solved, compared with what the file says, and written before the next.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ashta_position::notation::{write_coordinates, write_san};
use ashta_position::{CompiledRules, Game, Move};
use ashta_study::problem::{Detail, ProblemText, TsumeAnswer, read_problems, solve_mate, solve_tsume};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::{SolveArgs, open};
use crate::choice::{read_move, read_text_file};
use crate::commands::grouped;
use crate::failure::{Failure, Message, Status, say};

/// What became of one problem.
#[derive(Serialize)]
struct Solved {
    line: usize,
    id: Option<String>,
    position: String,
    /// Moves of the side to move, or plies of a mate by checks.
    length: Option<u16>,
    unit: &'static str,
    keys: Vec<String>,
    coordinates: Vec<String>,
    /// Whether that is what the file says; nothing if it says nothing.
    agrees: Option<bool>,
    nodes: u64,
    ms: f64,
}

#[derive(Default)]
struct Tally {
    n_solved: usize,
    n_unlike: usize,
    n_without: usize,
    n_unreadable: usize,
    nodes: u64,
    times: Vec<Duration>,
}

pub fn run(
    args: &SolveArgs,
    rules: &CompiledRules,
    file: &Path,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> Result<Status, Failure> {
    let text = read_text_file(file)?;
    let problems = read_problems(&text);
    let bar = progress_bar(problems.len());
    let mut tally = Tally::default();
    for problem in problems {
        let solved = problem.map_err(|error| error.to_string()).and_then(|problem| {
            solve(args, rules, &problem, stop)
                .map_err(|why| (problem.line, why))
                .map_err(|(line, why)| format!("line {line}: {why}"))
        });
        if stop.load(Ordering::Relaxed) {
            break;
        }
        bar.inc(1);
        match solved {
            Err(why) => {
                tally.n_unreadable += 1;
                bar.suspend(|| say(&format!("{}: {why}", file.display())));
            }
            Ok((solved, elapsed)) => {
                tally.add(&solved, elapsed);
                bar.suspend(|| write_one(args, &solved, out))?;
            }
        }
    }
    bar.finish_and_clear();
    finish(args, &mut tally, stop)
}

fn progress_bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} problems, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Solves one, or says why it cannot be read.
fn solve(
    args: &SolveArgs,
    rules: &CompiledRules,
    problem: &ProblemText,
    stop: &AtomicBool,
) -> Result<(Solved, Duration), String> {
    let game = open(rules, &problem.position).map_err(|error| error.to_string())?;
    let by_checks = args.tsume || (args.mate.is_none() && problem.moves.is_none() && problem.plies.is_some());
    let start = Instant::now();
    let (length, keys, nodes) = if by_checks {
        let (answer, nodes) =
            solve_tsume(&game, args.plies, args.futile(), stop).map_err(|e| e.to_string())?;
        match answer {
            TsumeAnswer::Mate(mate) => (Some(mate.plies), mate.keys, nodes),
            TsumeAnswer::NotWithin(_) | TsumeAnswer::Never => (None, Vec::new(), nodes),
        }
    } else {
        let Some(moves) = args.mate.or(problem.moves) else {
            return Err("how long the mate may be is not said (`dm` in EPD); `--mate N` says it".into());
        };
        let solution = solve_mate(&game, moves, Detail::Keys, stop).map_err(|e| e.to_string())?;
        (solution.moves, solution.keys.iter().map(|key| key.mv).collect(), solution.n_nodes)
    };
    let elapsed = start.elapsed();
    let said = if by_checks { problem.plies } else { problem.moves };
    let agrees = agreement(&game, problem, said, length, &keys)?;
    let solved = Solved {
        line: problem.line,
        id: problem.id.clone(),
        position: problem.position.clone(),
        length,
        unit: if by_checks { "plies" } else { "moves" },
        keys: keys.iter().map(|mv| write_san(&game, *mv)).collect(),
        coordinates: keys.iter().map(|mv| write_coordinates(&game, *mv)).collect(),
        agrees,
        nodes,
        ms: elapsed.as_secs_f64() * 1e3,
    };
    Ok((solved, elapsed))
}

fn agreement(
    game: &Game,
    problem: &ProblemText,
    said: Option<u16>,
    length: Option<u16>,
    keys: &[Move],
) -> Result<Option<bool>, String> {
    if said.is_none() && problem.keys.is_empty() {
        return Ok(None);
    }
    let mut wanted = Vec::new();
    for text in &problem.keys {
        wanted.push(read_move(game, text).map_err(|error| format!("its key: {error}"))?);
    }
    let (mut wanted, mut keys) = (wanted, keys.to_vec());
    wanted.sort_unstable();
    keys.sort_unstable();
    let same_keys = problem.keys.is_empty() || wanted == keys;
    Ok(Some(same_keys && said.is_none_or(|said| Some(said) == length)))
}

impl Tally {
    fn add(&mut self, solved: &Solved, elapsed: Duration) {
        match solved.length {
            Some(_) => self.n_solved += 1,
            None => self.n_without += 1,
        }
        self.n_unlike += usize::from(solved.agrees == Some(false));
        self.nodes += solved.nodes;
        self.times.push(elapsed);
    }
}

fn write_one(args: &SolveArgs, solved: &Solved, out: &mut dyn Write) -> Result<(), Failure> {
    if args.json {
        serde_json::to_writer(&mut *out, solved).map_err(|error| Failure::Output(error.into()))?;
        writeln!(out)?;
    } else {
        let name = solved.id.clone().unwrap_or_else(|| format!("line {}", solved.line));
        let found = match solved.length {
            Some(n) => format!("mate in {n} {}: {}", solved.unit, solved.keys.join(" ")),
            None => "no mate".to_string(),
        };
        let unlike = if solved.agrees == Some(false) { "   not as the file says" } else { "" };
        writeln!(out, "{name}  {found}{unlike}")?;
    }
    out.flush()?;
    Ok(())
}

fn finish(args: &SolveArgs, tally: &mut Tally, stop: &AtomicBool) -> Result<Status, Failure> {
    let total = tally.times.len();
    let mut words = format!("{} problems solved", grouped(tally.n_solved as u64));
    for (count, what) in [
        (tally.n_without, "without a mate"),
        (tally.n_unlike, "not as the file says"),
        (tally.n_unreadable, "not readable"),
    ] {
        if count > 0 {
            words.push_str(&format!(", {count} {what}"));
        }
    }
    say(&words);
    if args.stats && total > 0 {
        tally.times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let logs: f64 = tally.times.iter().map(|time| ms(*time).max(1e-6).ln()).sum();
        say(&format!(
            "median {:.3} ms, geometric mean {:.3} ms, longest {:.1} ms, {} positions",
            ms(tally.times[total / 2]),
            (logs / total as f64).exp(),
            ms(tally.times[total - 1]),
            grouped(tally.nodes)
        ));
    }
    if stop.load(Ordering::Relaxed) {
        return Err(Message::new(format!("stopped after {total} problems")).into());
    }
    Ok(match (tally.n_unreadable, tally.n_unlike + tally.n_without) {
        (0, 0) => Status::Done,
        (0, _) => Status::No,
        _ => Status::InPart,
    })
}
