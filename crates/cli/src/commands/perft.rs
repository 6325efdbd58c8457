//! `ashta perft`: counts sequences of legal moves, to compare move generators.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use ashta_messages::message;
use ashta_position::notation::write_coordinates;
use ashta_position::{CompiledRules, Game, Move, with_tables};
use clap::Args;
use serde::Serialize;

use crate::cli_error::{CliError, Status, print_notice};
use crate::contest;
use crate::game_arguments::{GameOrContest, PositionArgs};
use crate::output::{grouped, speed, write_json};

/// Count the sequences of legal moves of a given length
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/perft.txt"))]
pub struct PerftArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Depth in plies
    #[arg(value_parser = plies)]
    depth: u32,
    /// Count the sequences of each first move
    #[arg(long, short)]
    divide: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Nobody waits for more.
const MAX_PLIES: u32 = 60;

fn plies(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|plies| *plies <= MAX_PLIES);
    number.ok_or_else(|| message!("cli.expected-plies", max = MAX_PLIES).to_string())
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

/// Sequences of throws and turns.
fn run_contest(args: &PerftArgs, rules: &CompiledRules, out: &mut dyn Write) -> Result<Status, CliError> {
    let start = Instant::now();
    let position = args.position.position.as_deref();
    let (position, nodes) = with_tables!(rules, tables => contest::count(tables, position, args.depth))?;
    if args.json {
        let game = rules.rules().id().to_string();
        return write_json(out, &Perft { game, position, depth: args.depth, nodes, divide: None });
    }
    writeln!(out, "{nodes}")?;
    out.flush()?;
    print_notice(&speed(nodes, start.elapsed()));
    Ok(Status::Done)
}

pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let game = match args.position.open_any()? {
        GameOrContest::Game(game) => *game,
        GameOrContest::Contest(rules) => return run_contest(args, &rules, out),
    };
    let start = Instant::now();
    let mut roots = Vec::new();
    divide(&game, args.depth, &mut |root| {
        if args.divide && !args.json {
            writeln!(out, "{}: {}", root.mv, root.nodes)?;
            out.flush()?;
        }
        roots.push(root);
        Ok(())
    })?;
    let nodes = if args.depth == 0 { 1 } else { roots.iter().map(|root| root.nodes).sum() };
    let elapsed = start.elapsed();
    if args.json {
        let (game_id, position) = (game.rules().id().to_string(), game.text());
        let divide = args.divide.then_some(roots);
        write_json(out, &Perft { game: game_id, position, depth: args.depth, nodes, divide })?;
    } else {
        writeln!(out, "{}{nodes}", if args.divide { "total: " } else { "" })?;
    }
    out.flush()?;
    print_notice(&speed(nodes, elapsed));
    Ok(Status::Done)
}

/// Divide: prints the count below each root move, in alphabetical order; nothing at depth 0.
fn divide(
    game: &Game,
    depth: u32,
    tell: &mut dyn FnMut(RootMove) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let Some(below) = depth.checked_sub(1) else { return Ok(()) };
    let mut game = game.clone();
    let mut moves: Vec<(String, Move)> =
        game.legal_moves().into_iter().map(|mv| (write_coordinates(&game, mv), mv)).collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    let mut progress = PerftProgress::new(moves.len());
    for (text, mv) in moves {
        game.play_unchecked(mv);
        let nodes = count(&mut game, below, &text, &mut progress);
        game.take_back();
        progress.n_done += 1;
        progress.clear();
        tell(RootMove { mv: text, nodes })?;
    }
    Ok(())
}

/// Counts reply by reply, so that progress is seen within a long first move too.
fn count(game: &mut Game, depth: u32, root: &str, progress: &mut PerftProgress) -> u64 {
    let mut nodes = 0;
    let replies = if depth < 2 { Vec::new() } else { game.legal_moves() };
    if replies.is_empty() {
        nodes = game.perft(depth);
        progress.add(nodes, root);
    }
    for reply in replies {
        game.play_unchecked(reply);
        let n = game.perft(depth - 1);
        game.take_back();
        nodes += n;
        progress.add(n, root);
    }
    nodes
}

/// A progress line on stderr, if that is a terminal.
struct PerftProgress {
    start: Instant,
    shown: Option<Instant>,
    n_moves: usize,
    n_done: usize,
    nodes: u64,
    to_person: bool,
}

/// Delay before the line appears, and between updates.
const SHOW_AFTER: Duration = Duration::from_secs(1);
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

impl PerftProgress {
    fn new(n_moves: usize) -> PerftProgress {
        let to_person = stderr().is_terminal();
        PerftProgress { start: Instant::now(), shown: None, n_moves, n_done: 0, nodes: 0, to_person }
    }

    fn add(&mut self, nodes: u64, root: &str) {
        self.nodes += nodes;
        let is_due = self.shown.is_none_or(|shown| shown.elapsed() >= REDRAW_INTERVAL);
        if self.to_person && is_due && self.start.elapsed() >= SHOW_AFTER {
            self.shown = Some(Instant::now());
            _ = write!(stderr(), "\r\x1b[K{}", self.line(root));
        }
    }

    fn line(&self, root: &str) -> String {
        let (n, of, nodes) = (self.n_done + 1, self.n_moves, grouped(self.nodes));
        format!("move {n} of {of}: {root}, {nodes} so far")
    }

    /// Makes room for what is written next.
    fn clear(&mut self) {
        if self.shown.take().is_some() {
            _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_names_the_first_move_and_counts() {
        let mut progress = PerftProgress { to_person: false, ..PerftProgress::new(20) };
        progress.n_done = 2;
        progress.add(1_234_567, "b1c3");
        assert_eq!(progress.line("b1c3"), "move 3 of 20: b1c3, 1,234,567 so far");
    }
}
