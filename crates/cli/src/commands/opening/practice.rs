//! Practice of a book's moves.

use std::io::{BufRead, Write};

use ashta_play::Random;
use ashta_position::notation::write_san;
use ashta_rules::Side;
use ashta_study::opening::{Book, Drill};
use clap::Args;

use super::SideChoice;
use crate::cli_error::{CliError, Status};
use crate::draw;
use crate::game_arguments::{StyleArgs, read_move};

#[derive(Args, Debug)]
pub struct PracticeArgs {
    /// Side whose moves you practise
    #[arg(long, value_enum, default_value_t = SideChoice::First)]
    side: SideChoice,
    /// Seed of the other side's choices [default: random]
    #[arg(long)]
    seed: Option<u64>,
    /// Number of lines
    #[arg(long, default_value_t = 1)]
    lines: u32,
    #[command(flatten)]
    style: StyleArgs,
}

pub fn run(args: &PracticeArgs, book: &Book, out: &mut dyn Write) -> Result<Status, CliError> {
    let side = match args.side {
        SideChoice::First => Side::FIRST,
        SideChoice::Second => Side::SECOND,
    };
    let seed = args.seed.unwrap_or_else(crate::commands::random_seed);
    let mut random = Random::of_game(seed, 1, 0);
    let mut input = std::io::stdin().lock().lines();
    let (mut right, mut asked) = (0, 0);
    writeln!(out, "The book's next move? `tell` tells it, `quit` leaves. Seed {seed}.")?;
    for _ in 0..args.lines {
        let mut drill = Drill::new(book, side);
        let left = ask(args, &mut drill, &mut random, &mut input, out)?;
        let (line_right, line_asked) = drill.score();
        (right, asked) = (right + line_right, asked + line_asked);
        if left {
            break;
        }
    }
    writeln!(out, "{right} of {asked} right at the first try.")?;
    Ok(if right == asked { Status::Done } else { Status::No })
}

/// Asks one line; returns true on `quit`.
fn ask(
    args: &PracticeArgs,
    drill: &mut Drill<'_>,
    random: &mut Random,
    input: &mut dyn Iterator<Item = std::io::Result<String>>,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    loop {
        let mut game = drill.game().clone();
        let mut played = Vec::new();
        let more = drill.advance(random, &mut played);
        for mv in played {
            writeln!(out, "{} plays {}", draw::side_name(game.turn(), game.rules()), write_san(&game, mv))?;
            game.play_unchecked(mv);
        }
        if !more {
            writeln!(out, "The line ends here.")?;
            return Ok(false);
        }
        for line in draw::board(&game, args.style.style(game.rules())) {
            writeln!(out, "{line}")?;
        }
        if question(drill, input, out)? {
            return Ok(true);
        }
    }
}

/// Asks until the book's move is given; returns true on `quit`.
fn question(
    drill: &mut Drill<'_>,
    input: &mut dyn Iterator<Item = std::io::Result<String>>,
    out: &mut dyn Write,
) -> Result<bool, CliError> {
    loop {
        write!(out, "> ")?;
        out.flush()?;
        let Some(line) = input.next().transpose()? else { return Ok(true) };
        let game = drill.game().clone();
        match line.trim() {
            "quit" | "q" => return Ok(true),
            "" => {}
            "tell" | "?" => {
                if let Some(mv) = drill.reveal() {
                    writeln!(out, "{}", write_san(&game, mv))?;
                }
                return Ok(false);
            }
            typed => match read_move(&game, typed) {
                Err(error) => writeln!(out, "{error}")?,
                Ok(mv) if drill.answer(mv) => {
                    writeln!(out, "right")?;
                    return Ok(false);
                }
                Ok(_) => writeln!(out, "not in the book; try again, or `tell`")?,
            },
        }
    }
}
