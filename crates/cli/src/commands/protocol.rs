//! `ashta uci`, `ashta usi`, `ashta xboard`: the engine, spoken to by another program.

use std::io::{BufReader, Write, stdin};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use ashta_messages::message;
use ashta_play::protocol::{Host, Protocol, default_game, game_of_variant, serve};
use clap::Args;

use crate::cli_error::{CliError, Status};
use crate::game_arguments::{read_rules, read_text_file, require_two_sides};

/// The engine for chess programs: speaks UCI on standard input and output
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/uci.txt"))]
pub struct UciArgs {
    /// Initial game [default: chess]; the option UCI_Variant changes it
    #[arg(value_name = "GAME")]
    game: Option<String>,
}

/// The engine for shogi programs: speaks USI on standard input and output
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/uci.txt"))]
pub struct UsiArgs {
    /// Initial game [default: shogi]; the option USI_Variant changes it
    #[arg(value_name = "GAME")]
    game: Option<String>,
}

/// The engine for XBoard and WinBoard: speaks CECP, version 2, on standard input and output
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/uci.txt"))]
pub struct XboardArgs {
    /// Initial game [default: chess]; `variant` changes it
    #[arg(value_name = "GAME")]
    game: Option<String>,
}

pub fn uci(args: &UciArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    run(Protocol::Uci, args.game.as_deref(), out)
}

pub fn usi(args: &UsiArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    run(Protocol::Usi, args.game.as_deref(), out)
}

pub fn xboard(args: &XboardArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    run(Protocol::Xboard, args.game.as_deref(), out)
}

fn run(protocol: Protocol, game: Option<&str>, out: &mut dyn Write) -> Result<Status, CliError> {
    let game = game.unwrap_or_else(|| default_game(protocol));
    let rules = read_rules(game_of_variant(game))?;
    require_two_sides(&rules, game).map_err(|error| error.hint(message!("cli.engine-games.hint")))?;
    let start = Instant::now();
    let host = Host {
        clock: Arc::new(move || start.elapsed()),
        read_file: Arc::new(|path| {
            read_text_file(Path::new(path)).map_err(|message| message.what().to_string())
        }),
        rules,
        game: game_of_variant(game).to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
    };
    // Lines are read by a detached thread: it may block for ever.
    serve(protocol, BufReader::new(stdin()), out, &host)?;
    Ok(Status::Done)
}
