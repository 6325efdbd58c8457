//! `ashta variant`: games between our game files and the variants.ini of Fairy-Stockfish, movements between two dialects.

use std::io::Write;
use std::path::{Path, PathBuf};

use ashta_messages::{Tell, message};
use ashta_rules::{
    BetzaError, Dialect, Movement, Problem, read_betza, read_variant, read_xboard_betza, write_betza,
    write_variant,
};
use clap::{Args, Subcommand};

use crate::cli_error::{ArgumentSpan, CliError, ErrorMessage, Status, print_notice};
use crate::game_arguments::{read_game_file, read_rules};

/// Exchange games with Fairy-Stockfish, and movements with XBoard
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/variant.txt"))]
pub struct VariantArgs {
    #[command(subcommand)]
    command: VariantCommand,
}

#[derive(Subcommand, Debug)]
enum VariantCommand {
    /// Write a section of a variants.ini as a game file
    Read {
        /// A variants.ini
        file: PathBuf,
        /// The name of a section, if there are several
        section: Option<String>,
    },
    /// Write a game as a section of a variants.ini
    Write {
        /// A name from `ashta games` or a path to a game file, with `+change`s
        game: String,
    },
    /// Write movements in our dialect of Betza's notation and in XBoard's
    Betza {
        /// Movements, such as KNADcaKmabK
        moves: String,
        /// Read them as XBoard and Fairy-Stockfish do
        #[arg(long)]
        xboard: bool,
    },
}

pub fn run(args: &VariantArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    match &args.command {
        VariantCommand::Read { file, section } => read(file, section.as_deref(), out),
        VariantCommand::Write { game } => write(game, out),
        VariantCommand::Betza { moves, xboard } => betza(moves, *xboard, out),
    }
}

fn read(file: &Path, section: Option<&str>, out: &mut dyn Write) -> Result<Status, CliError> {
    let text = read_game_file(file)?;
    let game = read_variant(&file.display().to_string(), &text, section).map_err(CliError::Problems)?;
    // What is wrong with the game is told before somebody saves it.
    game.check().map_err(CliError::Problems)?;
    out.write_all(game.text.as_bytes())?;
    out.flush()?;
    write_notes(&game.notes);
    Ok(Status::Done)
}

/// Keys that were left out, with their lines.
pub fn write_notes<'a>(notes: impl IntoIterator<Item = &'a Problem>) {
    for note in notes {
        let (line, column) = note.place.line_and_column();
        let file = &note.place.source.name;
        print_notice(&message!("cli.variant-note", file, line, column, what = note.what));
    }
}

fn write(game: &str, out: &mut dyn Write) -> Result<Status, CliError> {
    let rules = read_rules(game)?;
    let text = write_variant(&rules).map_err(|error| {
        ErrorMessage::new(message!("cli.variant-unwritten", game, error = error.message()))
            .hint(message!("cli.variant-unwritten.hint"))
    })?;
    out.write_all(text.as_bytes())?;
    Ok(Status::Done)
}

fn betza(text: &str, is_xboard: bool, out: &mut dyn Write) -> Result<Status, CliError> {
    let read: Result<Vec<Movement>, BetzaError> =
        if is_xboard { read_xboard_betza(text) } else { read_betza(text) };
    let movements = read.map_err(|error| {
        let place = ArgumentSpan { option: "MOVES", text: text.to_string(), offset: error.offset };
        ErrorMessage::new(error.what).at(place).hint(message!("rules.betza-help"))
    })?;
    for (label, dialect) in
        [(message!("cli.betza-ours"), Dialect::Ours), (message!("cli.betza-xboard"), Dialect::Xboard)]
    {
        match write_betza(&movements, dialect) {
            Ok(text) => writeln!(out, "{label}: {text}")?,
            Err(what) => writeln!(out, "{label}: ({what})")?,
        }
    }
    Ok(Status::Done)
}
