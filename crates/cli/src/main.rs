//! `ashta`: chess-like games from files, shown, counted and checked in a terminal.
//!
//! In: arguments. Out: words, exit status, progress. Never: rules of games, which live in `games/`.

mod choice;
mod commands;
mod contest;
mod draw;
mod failure;
mod laboratory;
mod screen;
mod sitting;
mod supervision;
mod weights;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::CommandFactory;

use commands::Cli;
use failure::{Failure, Status};

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let result = match Cli::read_and_run(&mut out) {
        Ok(result) => result,
        Err(asked) if !asked.use_stderr() => {
            write!(out, "{}", asked.render()).map(|()| Status::Done).map_err(Failure::from)
        }
        Err(error) => {
            failure::say(&failure::usage(&error, &Cli::command()));
            return ExitCode::from(2);
        }
    };
    failure::finish(result.and_then(|status| {
        out.flush()?;
        Ok(status)
    }))
}
