//! `ashta explain`: why a move, in the named points of Baba, *Chess Program* (about 1981; 003), and in the engine's words.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use ashta_messages::message;
use ashta_position::notation::{read_coordinates, read_san};
use ashta_position::{Game, Move};
use ashta_search::engine::{Engine, EngineOptions, Limits, Score, SearchControl, SearchInfo};
use ashta_web::explain_json::{ExplainedMove, Explanation, points_of_moves};
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

/// What is explained, and how.
#[derive(Serialize)]
struct ExplainedPosition {
    game: String,
    position: String,
    #[serde(flatten)]
    explanation: Explanation,
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
    let stop = Arc::new(AtomicBool::new(false));
    let points = points_of_moves(&game, args.level, only, &stop, &|| true).unwrap_or_default();
    let info = engine_info(&game, only, &stop);
    let mut explanation = Explanation::new(&game, args.level, points, &info);
    explanation.moves.truncate(args.top.max(1));
    let explained =
        ExplainedPosition { game: args.position.game.clone(), position: game.text(), explanation };
    if args.json {
        write_json(out, &explained)
    } else {
        write_lines(out, &lines(&explained, info.score()))?;
        Ok(Status::Done)
    }
}

fn wanted(game: &Game, text: &str) -> Result<Move, CliError> {
    let read = read_coordinates(game, text).or_else(|first| read_san(game, text).map_err(|_| first));
    read.map_err(|error| ErrorMessage::new(error).hint(message!("cli.legal-moves.hint")).into())
}

fn engine_info(game: &Game, only: Option<Move>, stop: &AtomicBool) -> SearchInfo {
    let mut engine = Engine::new(game.rules(), EngineOptions::default());
    let limits = Limits { nodes: Some(ENGINE_NODES), moves: only.into_iter().collect(), ..Limits::default() };
    let elapsed = || Duration::ZERO;
    engine.search_game(game, &limits, SearchControl { elapsed: &elapsed, stop }, |_| {})
}

/// For the side to move.
fn score_text(score: Score) -> String {
    let moves = |n: u32| format!("{n} move{}", if n == 1 { "" } else { "s" });
    match score {
        Score::Centipawns(points) => format!("{:+.2}", f64::from(points) / 100.0),
        Score::WinIn(plies) => format!("wins in {}", moves(plies.div_ceil(2))),
        Score::LossIn(plies) => format!("loses in {}", moves(plies / 2)),
    }
}

fn lines(explained: &ExplainedPosition, score: Score) -> Vec<String> {
    let Explanation { moves, level, engine } = &explained.explanation;
    let widest = moves.iter().map(|explained| explained.written.text.len()).max().unwrap_or(0);
    let mut lines = vec![format!(
        "{}, points of Baba, Chess Program (about 1981; 003), over {level} plies",
        explained.position
    )];
    for ExplainedMove { written, parts, own, total } in moves {
        let given = parts.iter().filter(|part| part.points != 0);
        let named: Vec<String> = given.map(|part| format!("{} {:+}", part.name, part.points)).collect();
        let named = if named.is_empty() { "nothing".to_string() } else { named.join(", ") };
        lines.push(format!("  {:widest$}  {total:+6}  (itself {own:+}: {named})", written.text));
    }
    let line: Vec<&str> = engine.line.iter().map(|mv| mv.text.as_str()).collect();
    let best = line.first().copied().unwrap_or_default();
    let (score, depth) = (score_text(score), engine.depth);
    lines.push(format!("engine: {best}, {score} at depth {depth}: {}", line.join(" ")));
    lines
}
