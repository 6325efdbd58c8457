//! A file of problems: each solved, compared with what the file says, and written before the next.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ashta_messages::{Arg, Language, ToArg, message};
use ashta_position::CompiledRules;
use ashta_study::problem::{BatchError, BatchPlan, ProblemText, read_problems, solve_problem};
use ashta_web::study_json::{self, SolvedJson};
use indicatif::{ProgressBar, ProgressStyle};

use super::SolveArgs;
use crate::cli_error::{CliError, ErrorMessage, Status, print_notice, print_stderr};
use crate::game_arguments::read_text_file;
use crate::output::grouped;

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
) -> Result<Status, CliError> {
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
                bar.suspend(|| print_notice(&message!("cli.solve-unreadable", file, why = why.to_string())));
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
) -> Result<(SolvedJson, Duration), String> {
    let plan = BatchPlan { mate: args.mate, by_checks: args.tsume, plies: args.plies, futile: args.futile() };
    let start = Instant::now();
    let solved = solve_problem(rules, problem, plan, stop).map_err(|error| match error {
        BatchError::NoLength => format!("{error}; `--mate N` says it"),
        BatchError::Position(_) | BatchError::Key(_) | BatchError::Stopped(_) => error.to_string(),
    })?;
    let elapsed = start.elapsed();
    Ok((study_json::solved(problem, &solved, elapsed), elapsed))
}

impl Tally {
    fn add(&mut self, solved: &SolvedJson, elapsed: Duration) {
        match solved.length {
            Some(_) => self.n_solved += 1,
            None => self.n_without += 1,
        }
        self.n_unlike += usize::from(solved.agrees == Some(false));
        self.nodes += solved.nodes;
        self.times.push(elapsed);
    }
}

fn write_one(args: &SolveArgs, solved: &SolvedJson, out: &mut dyn Write) -> Result<(), CliError> {
    if args.json {
        serde_json::to_writer(&mut *out, solved).map_err(|error| CliError::Output(error.into()))?;
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

fn finish(args: &SolveArgs, tally: &mut Tally, stop: &AtomicBool) -> Result<Status, CliError> {
    let total = tally.times.len();
    let counts = [
        (tally.n_without, message!("cli.unsolved", n = tally.n_without)),
        (tally.n_unlike, message!("cli.solved-otherwise", n = tally.n_unlike)),
        (tally.n_unreadable, message!("cli.unreadable-problems", n = tally.n_unreadable)),
    ];
    let others = counts.iter().filter(|(count, _)| *count > 0).map(|(_, told)| told.to_arg());
    let solved = message!("cli.solved", n = grouped(tally.n_solved as u64)).to_arg();
    let all = Arg::List([solved].into_iter().chain(others).collect());
    print_stderr(&all.text(Language::English));
    if args.stats && total > 0 {
        tally.times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let logs: f64 = tally.times.iter().map(|time| ms(*time).max(1e-6).ln()).sum();
        let [median, mean] =
            [ms(tally.times[total / 2]), (logs / total as f64).exp()].map(|ms| format!("{ms:.3}"));
        let longest = format!("{:.1}", ms(tally.times[total - 1]));
        print_notice(&message!("cli.solving-times", median, mean, longest, n = grouped(tally.nodes)));
    }
    if stop.load(Ordering::Relaxed) {
        return Err(ErrorMessage::new(message!("cli.solve-batch-stopped", n = total)).into());
    }
    Ok(match (tally.n_unreadable, tally.n_unlike + tally.n_without) {
        (0, 0) => Status::Done,
        (0, _) => Status::No,
        _ => Status::Partial,
    })
}
