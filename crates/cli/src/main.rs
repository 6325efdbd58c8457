//! `ashta`: the command. Shows, plays, measures, learns, searches and studies chess-like games, and serves the page.
//!
//! In: arguments. Out: words, exit status, progress. Never: rules of games, which live in `games/`.

mod cli_error;
mod commands;
mod contest;
mod draw;
mod experiments;
mod game_arguments;
mod output;
mod sanitize;
mod session;
mod supervision;
mod weights;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::CommandFactory;

use cli_error::{CliError, Status};
use commands::Cli;

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let result = match Cli::read_and_run(&mut out) {
        Ok(result) => result,
        Err(asked) if !asked.use_stderr() => {
            write!(out, "{}", asked.render()).map(|()| Status::Done).map_err(CliError::from)
        }
        Err(error) => {
            cli_error::print_stderr(&cli_error::usage(&error, &Cli::command()));
            return ExitCode::from(2);
        }
    };
    if let Err(CliError::Message(message)) = &result {
        supervision::write_failure(message.what());
    }
    cli_error::finish(result.and_then(|status| {
        out.flush()?;
        Ok(status)
    }))
}
