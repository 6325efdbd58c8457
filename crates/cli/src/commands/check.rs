//! `ashta check`: what is wrong with game files, or what they say.

use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_messages::{Message, message};
use ashta_position::{CompiledRules, Game};
use ashta_rules::{GameFile, Problem, Rules, check_text, read_variant, variant_names};
use clap::Args;
use serde::Serialize;

use super::show;
use super::variant::write_notes;
use crate::cli_error::{CliError, ErrorMessage, Status, print_notice, print_stderr};
use crate::game_arguments::{StyleArgs, read_game_file};
use crate::output::write_json;

/// Check game files: report every problem with its place, or show the game
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/check.txt"))]
pub struct CheckArgs {
    /// Game files, and variants.ini files of Fairy-Stockfish
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
    /// Why nothing can be said about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<String>,
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

pub fn run(args: &CheckArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let mut checked = Vec::new();
    for (n, path) in args.files.iter().enumerate() {
        let gap = if n > 0 { "\n" } else { "" };
        checked.push(match read_game_file(path) {
            Ok(text) if path.extension().is_some_and(|ending| ending == "ini") => {
                check_variants(&path.display().to_string(), &text, gap, args, out)?
            }
            Ok(text) => check(&path.display().to_string(), &text, gap, args, out)?,
            Err(message) => {
                out.flush()?;
                print_stderr(&format!("{gap}{message}"));
                unreadable(path, &message)
            }
        });
    }
    if args.json {
        write_json(out, &checked)?;
    }
    Ok(status(&checked))
}

/// Checks one file and shows what was found, unless it is for programs: they get all files at once.
fn check(
    name: &str,
    text: &str,
    gap: &str,
    args: &CheckArgs,
    out: &mut dyn Write,
) -> Result<CheckedFile, CliError> {
    let result = check_text(name, text);
    match &result {
        _ if args.json => {}
        Ok(rules) => {
            write!(out, "{gap}")?;
            show_start(rules, name, args, out)?;
            out.flush()?;
            print_notice(&count(0, name));
        }
        Err(problems) => {
            out.flush()?;
            print_stderr(&format!("{gap}{problems}\n\n{}", count(problems.0.len(), name)));
        }
    }
    let problems = result.err().map_or_else(Vec::new, |problems| problems.0);
    Ok(CheckedFile {
        file: name.to_string(),
        unreadable: None,
        problems: problems.iter().map(found).collect(),
    })
}

fn show_start(rules: &Rules, called: &str, args: &CheckArgs, out: &mut dyn Write) -> Result<(), CliError> {
    let game = Game::start(&CompiledRules::new(rules.clone()));
    show::write_all(&game, called, args.style.style(rules), out)
}

/// Checks every section of a variants.ini, and shows the game if there is but one.
fn check_variants(
    name: &str,
    text: &str,
    gap: &str,
    args: &CheckArgs,
    out: &mut dyn Write,
) -> Result<CheckedFile, CliError> {
    let sections = variant_names(text);
    let mut problems: Vec<Problem> = Vec::new();
    // A file without any is told so.
    let named = sections.iter().map(|section| Some(section.as_str()));
    let wanted: Vec<Option<&str>> = if sections.is_empty() { vec![None] } else { named.collect() };
    for (n, section) in wanted.into_iter().enumerate() {
        let gap = if n > 0 { "\n" } else { gap };
        let called = section.map_or_else(|| name.to_string(), |section| format!("{name}:{section}"));
        let read = read_variant(name, text, section);
        let rules = read.as_ref().map_err(Clone::clone).and_then(GameFile::check);
        match &rules {
            _ if args.json => {}
            Ok(rules) => {
                if sections.len() == 1 {
                    write!(out, "{gap}")?;
                    show_start(rules, &called, args, out)?;
                }
                out.flush()?;
                write_notes(read.iter().flat_map(|game| &game.notes));
                print_notice(&count(0, &called));
            }
            Err(problems) => {
                out.flush()?;
                print_stderr(&format!("{gap}{problems}\n\n{}", count(problems.0.len(), &called)));
            }
        }
        problems.extend(rules.err().map_or_else(Vec::new, |problems| problems.0));
    }
    Ok(CheckedFile {
        file: name.to_string(),
        unreadable: None,
        problems: problems.iter().map(found).collect(),
    })
}

fn unreadable(path: &Path, message: &ErrorMessage) -> CheckedFile {
    CheckedFile {
        file: path.display().to_string(),
        unreadable: Some(message.what().to_string()),
        problems: Vec::new(),
    }
}

fn status(checked: &[CheckedFile]) -> Status {
    if checked.iter().any(|file| file.unreadable.is_some()) {
        Status::Partial
    } else if checked.iter().any(|file| !file.problems.is_empty()) {
        Status::No
    } else {
        Status::Done
    }
}

fn count(n: usize, file: &str) -> Message {
    match n {
        0 => message!("cli.no-problems", file),
        n => message!("cli.problems", n, file),
    }
}

fn found(problem: &Problem) -> FoundProblem {
    let (line, column) = problem.place.line_and_column();
    FoundProblem {
        file: problem.place.source.name.clone(),
        line,
        column,
        what: problem.what.to_string(),
        hint: problem.hint.as_ref().map(ToString::to_string),
    }
}
