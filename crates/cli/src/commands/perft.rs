//! `ashta perft`: counting sequences of moves, by which move generators are held to each other.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use ashta_position::Game;
use ashta_position::notation::write_coordinates;
use clap::Args;
use serde::Serialize;

use super::{grouped, speed, write_json};
use crate::choice::PositionArgs;
use crate::failure::{Failure, Status, say};

/// Count the sequences of legal moves of a length
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/perft.txt"))]
pub struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// How many plies
    #[arg(value_parser = plies)]
    depth: u32,
    /// Say how many follow each first move
    #[arg(long, short)]
    divide: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Nobody waits for more.
const MOST_PLIES: u32 = 60;

fn plies(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|plies| *plies <= MOST_PLIES);
    number.ok_or_else(|| format!("a number of plies from 0 to {MOST_PLIES} is wanted"))
}

/// A count, for programs.
#[derive(Serialize)]
struct Perft {
    game: String,
    position: String,
    depth: u32,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<RootMove>>,
}

#[derive(Serialize)]
struct RootMove {
    #[serde(rename = "move")]
    mv: String,
    nodes: u64,
}

pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<Status, Failure> {
    let game = args.position.open()?;
    let start = Instant::now();
    let roots = divide(&game, args.depth);
    let nodes = if args.depth == 0 { 1 } else { roots.iter().map(|root| root.nodes).sum() };
    let elapsed = start.elapsed();
    if args.json {
        let (game_id, position) = (game.rules().id().to_string(), game.text());
        let divide = args.divide.then_some(roots);
        write_json(out, &Perft { game: game_id, position, depth: args.depth, nodes, divide })?;
    } else if args.divide {
        for root in &roots {
            writeln!(out, "{}: {}", root.mv, root.nodes)?;
        }
        writeln!(out, "total: {nodes}")?;
    } else {
        writeln!(out, "{nodes}")?;
    }
    out.flush()?;
    say(&speed(nodes, elapsed));
    Ok(Status::Done)
}

/// What follows each first move, in alphabetical order; nothing at depth 0.
fn divide(game: &Game, depth: u32) -> Vec<RootMove> {
    let Some(below) = depth.checked_sub(1) else { return Vec::new() };
    let mut game = game.clone();
    let moves = game.legal_moves();
    let mut progress = Progress::new(moves.len());
    let mut roots = Vec::with_capacity(moves.len());
    for mv in moves {
        let text = write_coordinates(&game, mv);
        progress.show(&text);
        game.play_unchecked(mv);
        let nodes = game.perft(below);
        game.take_back();
        progress.count(nodes);
        roots.push(RootMove { mv: text, nodes });
    }
    roots.sort_by(|a, b| a.mv.cmp(&b.mv));
    roots
}

/// A line on the error output, when a person looks and it takes long.
struct Progress {
    start: Instant,
    n_moves: usize,
    n_done: usize,
    nodes: u64,
    to_person: bool,
    shown: bool,
}

const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    fn new(n_moves: usize) -> Progress {
        let to_person = stderr().is_terminal();
        Progress { start: Instant::now(), n_moves, n_done: 0, nodes: 0, to_person, shown: false }
    }

    fn show(&mut self, mv: &str) {
        if self.to_person && self.start.elapsed() >= PATIENCE {
            self.shown = true;
            let (n, of, nodes) = (self.n_done + 1, self.n_moves, grouped(self.nodes));
            _ = write!(stderr(), "\r\x1b[Kmove {n} of {of}: {mv}, {nodes} so far");
        }
    }

    fn count(&mut self, nodes: u64) {
        self.n_done += 1;
        self.nodes += nodes;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown {
            _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
