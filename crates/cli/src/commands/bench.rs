//! `ashta bench`: a signature of the move generator, and how fast it is.
//!
//! The counts never change unless rules or generator do; a change that alters the total says so.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use ashta_lab::report::csv_text;
use ashta_messages::message;
use ashta_position::{CompiledRules, Game};
use ashta_records::write_atomic;
use ashta_web::{CountProgress, JobProgress};
use clap::Args;
use indicatif::ProgressBar;

use crate::cli_error::{CliError, ErrorMessage, Status, print_notice};
use crate::draw;
use crate::experiments::cancel_on_interrupt;
use crate::game_arguments::read_rules;
use crate::output::speed;
use crate::supervision::ProgressWriter;

/// Count a fixed list of positions: the total is a signature of the move generator
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/bench.txt"))]
pub struct BenchArgs {
    /// Also write the counts to bench.csv in this folder
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// A game, a depth and a position on each line.
const POSITIONS: &str = include_str!("../bench-positions.txt");

/// Columns for the name of a game and for a count.
const GAME_COLUMNS: usize = 14;
const COUNT_COLUMNS: usize = 12;

pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let lines: Vec<&str> =
        POSITIONS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let cancel = cancel_on_interrupt();
    let (bar, mut progress_writer) = (ProgressBar::hidden(), ProgressWriter::new());
    bar.set_length(lines.len() as u64);
    let mut counts: Vec<CountProgress> = Vec::new();
    for line in lines {
        if cancel.load(Ordering::Relaxed) {
            return Ok(Status::Partial);
        }
        let count = count_line(line)?;
        let (name, n_nodes) =
            (draw::left(&count.game, GAME_COLUMNS), draw::right(&count.n_nodes.to_string(), COUNT_COLUMNS));
        writeln!(out, "{name}  {}  {n_nodes}  {}", count.depth, count.position)?;
        out.flush()?;
        counts.push(count);
        bar.inc(1);
        let (done, of) = (bar.position(), bar.length());
        progress_writer.write(&bar, || JobProgress {
            done,
            of,
            counts: counts.clone(),
            ..JobProgress::default()
        });
    }
    let total = counts.iter().map(|count| count.n_nodes).sum();
    let elapsed_ms: f64 = counts.iter().map(|count| count.elapsed_ms).sum();
    let shown = draw::right(&u64::to_string(&total), COUNT_COLUMNS);
    writeln!(out, "{}  -  {shown}", draw::left("total", GAME_COLUMNS))?;
    out.flush()?;
    args.folder.as_deref().map_or(Ok(()), |folder| keep(folder, &counts))?;
    print_notice(&speed(total, Duration::from_secs_f64(elapsed_ms / 1000.0)));
    Ok(Status::Done)
}

fn count_line(line: &str) -> Result<CountProgress, CliError> {
    let (game, depth, position) = read_line(line)?;
    let start = Instant::now();
    let n_nodes = game.perft(depth);
    let elapsed_ms = start.elapsed().as_secs_f64() * 1000.0;
    let (game, position) = (game.rules().id().to_string(), position.to_string());
    Ok(CountProgress { game, depth, position, n_nodes, elapsed_ms })
}

fn keep(folder: &Path, counts: &[CountProgress]) -> Result<(), CliError> {
    let mut text = "game,depth,nodes,milliseconds,position\n".to_string();
    for CountProgress { game, depth, position, n_nodes, elapsed_ms } in counts {
        let (game, position) = (csv_text(game), csv_text(position));
        text += &format!("{game},{depth},{n_nodes},{elapsed_ms:.3},{position}\n");
    }
    let path = folder.join("bench.csv");
    let written = std::fs::create_dir_all(folder).and_then(|()| write_atomic(&path, text));
    written.map_err(|error| ErrorMessage::unwritable(&path, &error).into())
}

fn read_line(line: &str) -> Result<(Game, u32, &str), CliError> {
    let wrong = || ErrorMessage::new(message!("cli.bench-line", line));
    let mut fields = line.splitn(3, ' ');
    let (Some(game), Some(depth), Some(position)) = (fields.next(), fields.next(), fields.next()) else {
        return Err(wrong().into());
    };
    let rules = CompiledRules::new(read_rules(game)?);
    let depth = depth.parse().map_err(|_| wrong())?;
    let game = Game::from_text(&rules, position)
        .map_err(|error| ErrorMessage::new(message!("cli.bench-position", line, error)))?;
    Ok((game, depth, position))
}
