//! `ashta-fuzz all --inputs N`, `ashta-fuzz TARGET [--inputs N] [--seed S]`, `ashta-fuzz TARGET --file F`.
//!
//! In: arguments. Out: a table of counts and findings; status 1 if there is a finding. Never: a network, a clock in an input.

use std::path::PathBuf;
use std::process::ExitCode;

use ashta_fuzz::{Reading, RunPlan, TARGETS, Target, TargetReport, replay, run_target, target};

const USAGE: &str = "usage: ashta-fuzz all|TARGET [--inputs N] [--seed S] [--threads T]\n       \
                     ashta-fuzz TARGET --file FILE\n       ashta-fuzz list";
/// Where the inputs of findings are stored.
const FOLDER: &str = "target/fuzz";

struct Asked {
    targets: Vec<&'static Target>,
    n_inputs: u64,
    seed: u64,
    n_threads: usize,
    file: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments == ["list"] {
        TARGETS.iter().for_each(|target| println!("{:16} {}", target.name, target.reads));
        return ExitCode::SUCCESS;
    }
    match read_arguments(&arguments) {
        Err(what) => {
            eprintln!("error: {what}\n\n{USAGE}");
            ExitCode::from(2)
        }
        Ok(asked) => match &asked.file {
            Some(file) => run_file(asked.targets[0], file),
            None => run_all(&asked),
        },
    }
}

fn read_arguments(arguments: &[String]) -> Result<Asked, String> {
    let (name, options) = arguments.split_first().ok_or("no target given")?;
    let targets = match name.as_str() {
        "all" => TARGETS.iter().collect(),
        name => vec![target(name).ok_or_else(|| format!("no target is named `{name}`; `list` lists them"))?],
    };
    let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut asked = Asked { targets, n_inputs: 100_000, seed: 1, n_threads, file: None };
    for pair in options.chunks(2) {
        let [option, value] = pair else { return Err(format!("{} needs a value", pair[0])) };
        let number = || value.parse::<u64>().map_err(|_| format!("{option}: `{value}` is not a number"));
        match option.as_str() {
            "--inputs" => asked.n_inputs = number()?,
            "--seed" => asked.seed = number()?,
            "--threads" => asked.n_threads = number()?.clamp(1, 256) as usize,
            "--file" => asked.file = Some(value.into()),
            _ => return Err(format!("unknown option `{option}`")),
        }
    }
    Ok(asked)
}

fn run_file(target: &Target, file: &std::path::Path) -> ExitCode {
    match replay(target, file) {
        Ok(Reading::Accepted) => println!("accepted"),
        Ok(Reading::Refused) => println!("refused"),
        Err(error) => {
            eprintln!("error: cannot read {}: {error}", file.display());
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn run_all(asked: &Asked) -> ExitCode {
    let all: u64 = asked.targets.iter().map(|target| u64::from(target.share)).sum();
    let mut reports = Vec::new();
    for target in &asked.targets {
        let n_inputs = (asked.n_inputs * u64::from(target.share)).div_ceil(all);
        let (seed, n_threads, folder) = (asked.seed, asked.n_threads, Some(FOLDER.into()));
        let report = run_target(target, &RunPlan { n_inputs, seed, n_threads, folder });
        let seconds = report.elapsed.as_secs_f64();
        eprintln!("{}: {n_inputs} inputs in {seconds:.1} s, {:.0}/s", target.name, n_inputs as f64 / seconds);
        for finding in &report.findings {
            eprintln!("  {} ({} inputs): {}", finding.place, finding.count, finding.what);
            eprintln!("  again: {} --file {FOLDER}/{}-{}.bin", target.name, target.name, finding.input);
        }
        reports.push((target.name, report));
    }
    print_table(&reports);
    match reports.iter().all(|(_, report)| report.findings.is_empty()) {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn print_table(reports: &[(&str, TargetReport)]) {
    println!("| target | inputs | accepted | refused | findings | slowest, ms |");
    println!("|---|---:|---:|---:|---:|---:|");
    let mut sums = [0; 4];
    for (name, report) in reports {
        let n_panics: u64 = report.findings.iter().filter(|f| f.place != "slow").map(|f| f.count).sum();
        let n_inputs = report.n_accepted + report.n_refused + n_panics;
        let row = [n_inputs, report.n_accepted, report.n_refused, report.findings.len() as u64];
        sums.iter_mut().zip(row).for_each(|(sum, n)| *sum += n);
        let slowest_ms = report.slowest.1.as_secs_f64() * 1000.0;
        println!("| {name} | {} | {} | {} | {} | {slowest_ms:.1} |", row[0], row[1], row[2], row[3]);
    }
    println!("| together | {} | {} | {} | {} | |", sums[0], sums[1], sums[2], sums[3]);
}
