//! `ashta completions`: scripts with which shells complete our commands.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::cli_error::{CliError, Status};

/// Write a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/completions.txt"))]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub fn run(args: &CompletionsArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    // Written to memory first: the generator panics when its output is closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ashta", &mut script);
    out.write_all(&script)?;
    Ok(Status::Done)
}
