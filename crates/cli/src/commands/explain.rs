//! `ashta explain`: why a move, in the named points of Baba, *Chess Program* (about 1981; 003), and in the engine's words.

use ashta_search::SearchWord;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ashta_messages::message;
use ashta_position::notation::{read_coordinates, read_san, write_coordinates};
use ashta_position::{AnyLine, Game, Move, Position};
use ashta_search::baba::{Baba, PART_NAMES, Parts};
use ashta_search::engine::{Engine, EngineOptions, Limits, Score, SearchControl};
use clap::Args;
use serde::Serialize;

use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::game_arguments::{PositionArgs, require_two_sides};
use crate::output::{write_json, write_lines};

/// Explain moves by the points of Baba, Chess Program, about 1981 (GAIN, CONCENTRATION, ATTACK, DEFENCE, STRUCTURE, POSITION)
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/explain.txt"))]
pub struct ExplainArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Only this move, as coordinates or SAN
    #[arg(long = "move", value_name = "MOVE")]
    mv: Option<String>,
    /// Plies over which points are added up
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=4))]
    level: u8,
    /// Number of moves to show
    #[arg(long, value_name = "N", default_value_t = 8)]
    top: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A move with its points.
#[derive(Serialize)]
struct Explained {
    #[serde(rename = "move")]
    text: String,
    /// Of the move alone, by name.
    parts: serde_json::Map<String, serde_json::Value>,
    own: i32,
    /// With the answers that were looked at.
    total: i32,
}

#[derive(Serialize)]
struct Explanation {
    game: String,
    position: String,
    level: u8,
    moves: Vec<Explained>,
    engine: EngineWords,
}

/// What the engine thinks of the position.
#[derive(Serialize)]
struct EngineWords {
    best: String,
    score: String,
    depth: u8,
    line: Vec<String>,
}

/// Positions that the engine looks at: about a tenth of a second, and the same on every machine.
const ENGINE_NODES: u64 = 50_000;

pub fn run(args: &ExplainArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let game = args.position.open()?;
    require_two_sides(game.rules(), &args.position.game)?;
    if let Some(outcome) = game.outcome() {
        let what = message!("cli.game-is-over", outcome = outcome.words(game.rules()));
        return Err(ErrorMessage::new(what).hint(message!("cli.explain-over.hint")).into());
    }
    let only = args.mv.as_deref().map(|text| wanted(&game, text)).transpose()?;
    let mut moves = explain(&game, args.level, only);
    moves.sort_by_key(|explained| std::cmp::Reverse(explained.total));
    moves.truncate(args.top.max(1));
    let explanation = Explanation {
        game: args.position.game.clone(),
        position: game.text(),
        level: args.level,
        moves,
        engine: engine_words(&game, only),
    };
    if args.json {
        write_json(out, &explanation)
    } else {
        write_lines(out, &lines(&explanation))?;
        Ok(Status::Done)
    }
}

fn wanted(game: &Game, text: &str) -> Result<Move, CliError> {
    let read = read_coordinates(game, text).or_else(|first| read_san(game, text).map_err(|_| first));
    read.map_err(|error| ErrorMessage::new(error).hint(message!("cli.legal-moves.hint")).into())
}

fn explain(game: &Game, level: u8, only: Option<Move>) -> Vec<Explained> {
    let mut baba = Baba::new(game.rules());
    let moves: Vec<Move> =
        game.legal_moves().into_iter().filter(|mv| only.is_none_or(|o| o == *mv)).collect();
    let mut game_now = game.clone();
    let points: Vec<(Parts, i32)> = match game_now.line_mut() {
        AnyLine::W64(line) => points(&mut baba, line.position(), &moves, level),
        AnyLine::W128(line) => points(&mut baba, line.position(), &moves, level),
        AnyLine::W256(line) => points(&mut baba, line.position(), &moves, level),
    };
    let explained = |(mv, (parts, total)): (&Move, (Parts, i32))| {
        let named = PART_NAMES.iter().zip(parts.numbers());
        Explained {
            text: write_coordinates(game, *mv),
            parts: named.map(|(name, points)| ((*name).to_string(), points.into())).collect(),
            own: parts.total(),
            total,
        }
    };
    moves.iter().zip(points).map(explained).collect()
}

fn points<W: SearchWord>(
    baba: &mut Baba,
    position: &Position<W>,
    moves: &[Move],
    level: u8,
) -> Vec<(Parts, i32)> {
    let mut position = position.clone();
    let mut of = |mv: &Move| {
        let parts = baba.points().of_move(&mut position, *mv);
        (parts, baba.points_of(&mut position, *mv, level, 1))
    };
    moves.iter().map(&mut of).collect()
}

fn engine_words(game: &Game, only: Option<Move>) -> EngineWords {
    let mut engine = Engine::new(game.rules(), EngineOptions::default());
    let limits = Limits { nodes: Some(ENGINE_NODES), moves: only.into_iter().collect(), ..Limits::default() };
    let (stop, elapsed) = (AtomicBool::new(false), || Duration::ZERO);
    let found = engine.search_game(game, &limits, SearchControl { elapsed: &elapsed, stop: &stop }, |_| {});
    let mut after = game.clone();
    let mut line = Vec::new();
    for mv in found.lines.first().map(|line| line.moves.as_slice()).unwrap_or_default() {
        line.push(write_coordinates(&after, *mv));
        after.play_unchecked(*mv);
    }
    let moves = |n: u32| format!("{n} move{}", if n == 1 { "" } else { "s" });
    let score = match found.score() {
        Score::Centipawns(points) => format!("{:+.2}", f64::from(points) / 100.0),
        Score::WinIn(plies) => format!("wins in {}", moves(plies.div_ceil(2))),
        Score::LossIn(plies) => format!("loses in {}", moves(plies / 2)),
    };
    EngineWords { best: line.first().cloned().unwrap_or_default(), score, depth: found.depth, line }
}

fn lines(explanation: &Explanation) -> Vec<String> {
    let widest = explanation.moves.iter().map(|explained| explained.text.len()).max().unwrap_or(0);
    let mut lines = vec![format!(
        "{}, points of Baba, Chess Program (about 1981; 003), over {} plies",
        explanation.position, explanation.level
    )];
    for Explained { text, parts, own, total } in &explanation.moves {
        let named: Vec<String> = parts
            .iter()
            .filter(|(_, points)| **points != 0)
            .map(|(name, points)| format!("{name} {:+}", points.as_i64().unwrap_or(0)))
            .collect();
        let named = if named.is_empty() { "nothing".to_string() } else { named.join(", ") };
        lines.push(format!("  {text:widest$}  {total:+6}  (itself {own:+}: {named})"));
    }
    let EngineWords { best, score, depth, line } = &explanation.engine;
    lines.push(format!("engine: {best}, {score} at depth {depth}: {}", line.join(" ")));
    lines
}
