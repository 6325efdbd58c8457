//! `ashta check`: what is wrong with game files, or what they say.

use std::io::Write;
use std::path::PathBuf;

use ashta_position::{CompiledRules, Game};
use ashta_rules::{Problem, Rules, load_text};
use clap::Args;
use serde::Serialize;

use super::{show, write_json};
use crate::choice::{StyleArgs, read_game_file};
use crate::failure::{Failure, Status, say};

/// Check game files: every problem with its place, or the game as it will be played
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/check.txt"))]
pub struct CheckArgs {
    /// Game files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    style: StyleArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A file, for programs.
#[derive(Serialize)]
struct CheckedFile {
    file: String,
    problems: Vec<FoundProblem>,
}

#[derive(Serialize)]
struct FoundProblem {
    /// Where it is: not always the file asked about, for a game may extend another.
    file: String,
    line: usize,
    column: usize,
    what: String,
    hint: Option<String>,
}

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    let mut checked = Vec::new();
    for (n, path) in args.files.iter().enumerate() {
        let text = read_game_file(path)?;
        let name = path.display().to_string();
        let result = check(&name, &text);
        match &result {
            _ if args.json => {}
            Ok(rules) => {
                if n > 0 {
                    writeln!(out)?;
                }
                let game = Game::start(&CompiledRules::new(rules.clone()));
                show::write_all(&game, &name, args.style.style(rules), out)?;
                out.flush()?;
                say(&count(0, &name));
            }
            Err(problems) => {
                out.flush()?;
                problems.iter().for_each(|problem| say(&format!("{problem}\n")));
                say(&count(problems.len(), &name));
            }
        }
        let problems = result.err().unwrap_or_default();
        checked.push(CheckedFile { file: name, problems: problems.iter().map(found).collect() });
    }
    if args.json {
        write_json(out, &checked)?;
    }
    match checked.iter().all(|file| file.problems.is_empty()) {
        true => Ok(Status::Done),
        false => Ok(Status::No),
    }
}

fn count(n: usize, name: &str) -> String {
    match n {
        0 => format!("no problems in {name}"),
        1 => format!("1 problem in {name}"),
        n => format!("{n} problems in {name}"),
    }
}

/// The rules, if the game is sound as it is and with each of its changes alone.
fn check(name: &str, text: &str) -> Result<Rules, Vec<Problem>> {
    let rules = load_text(name, text, &[]).map_err(|problems| in_order(problems.0))?;
    let mut found: Vec<Problem> = Vec::new();
    for change in rules.changes() {
        let problems = load_text(name, text, &[&change.name]).err().map(|problems| problems.0);
        for mut problem in problems.unwrap_or_default() {
            problem.what = format!("with the change `{}`: {}", change.name, problem.what);
            if !found.iter().any(|other| other.place == problem.place) {
                found.push(problem);
            }
        }
    }
    if found.is_empty() { Ok(rules) } else { Err(found) }
}

fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    problems.sort_by_key(|problem| problem.place.line_and_column());
    problems
}

fn found(problem: &Problem) -> FoundProblem {
    let (line, column) = problem.place.line_and_column();
    FoundProblem {
        file: problem.place.source.name.clone(),
        line,
        column,
        what: problem.what.clone(),
        hint: problem.hint.clone(),
    }
}
