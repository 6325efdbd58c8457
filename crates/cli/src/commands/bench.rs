//! `ashta bench`: a signature of the move generator, and how fast it is.
//!
//! The counts never change unless rules or generator do; a change that alters the total says so.

use std::io::Write;
use std::time::{Duration, Instant};

use ashta_position::{CompiledRules, Game};
use clap::Args;

use super::speed;
use crate::choice::read_rules;
use crate::draw;
use crate::failure::{Failure, Message, Status, say};

/// Count a fixed list of positions: the total is a signature of the move generator
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/bench.txt"))]
pub struct BenchArgs {}

/// A game, a depth and a position on each line.
const POSITIONS: &str = include_str!("../bench-positions.txt");

/// Columns for the name of a game and for a count.
const GAME_COLUMNS: usize = 14;
const COUNT_COLUMNS: usize = 12;

pub fn run(_: &BenchArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    let (mut total, mut elapsed) = (0, Duration::ZERO);
    for line in POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (game, depth, position) = read_line(line)?;
        let start = Instant::now();
        let nodes = game.perft(depth);
        elapsed += start.elapsed();
        total += nodes;
        let (name, count) =
            (draw::left(game.rules().id(), GAME_COLUMNS), draw::right(&nodes.to_string(), COUNT_COLUMNS));
        writeln!(out, "{name}  {depth}  {count}  {position}")?;
        out.flush()?;
    }
    let count = draw::right(&total.to_string(), COUNT_COLUMNS);
    writeln!(out, "{}  -  {count}", draw::left("total", GAME_COLUMNS))?;
    out.flush()?;
    say(&speed(total, elapsed));
    Ok(Status::Done)
}

fn read_line(line: &str) -> Result<(Game, u32, &str), Failure> {
    let wrong =
        || Message::new(format!("`{line}` of the list of positions is not a game, a depth and a position"));
    let mut fields = line.splitn(3, ' ');
    let (Some(game), Some(depth), Some(position)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(wrong().into());
    };
    let rules = CompiledRules::new(read_rules(game)?);
    let depth = depth.parse().map_err(|_| wrong())?;
    let game = Game::from_text(&rules, position).map_err(|error| Message::new(format!("{line}: {error}")))?;
    Ok((game, depth, position))
}
