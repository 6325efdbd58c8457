//! Why a move, as JSON: `ashta explain --json` writes it, the API answers with it.
//!
//! In: a position, the points of Baba, what the engine found. Out: types that are written as JSON. Never: an address, a clock.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ashta_position::{AnyLine, Game, Move, Position};
use ashta_search::baba::{Baba, PART_NAMES, Parts};
use ashta_search::engine::{Score, SearchInfo};
use ashta_search::{SearchWord, StopFlag};
use serde::Serialize;
use utoipa::ToSchema;

use crate::written_move::WrittenMove;

/// A move with its points.
#[derive(Serialize, ToSchema, Debug)]
pub struct ExplainedMove {
    /// As it is written.
    #[serde(flatten)]
    pub written: WrittenMove,
    /// Of the move alone, by name.
    pub parts: Vec<PartBody>,
    /// Their sum.
    pub own: i32,
    /// With the answers that were looked at.
    pub total: i32,
}

/// Points with a name: GAIN, CONCENTRATION, ATTACK, DEFENCE, STRUCTURE, POSITION.
#[derive(Serialize, ToSchema, Debug)]
pub struct PartBody {
    pub name: &'static str,
    /// How many.
    pub points: i32,
}

/// Moves with their points, best first, and the engine's words.
#[derive(Serialize, ToSchema, Debug)]
pub struct Explanation {
    /// Best first.
    pub moves: Vec<ExplainedMove>,
    /// Plies that the points were added up over.
    pub level: u8,
    /// What the engine thinks: of the move that was asked about, or of the position.
    pub engine: EvaluationBody,
}

impl Explanation {
    /// Moves of a game with their points, and what the engine found.
    pub fn new(game: &Game, level: u8, points: Vec<MovePoints>, info: &SearchInfo) -> Explanation {
        let ply = game.setup().ply + 1;
        let explained = |(mv, parts, total): MovePoints| ExplainedMove {
            written: WrittenMove::of(game, mv, ply),
            parts: named(&parts),
            own: parts.total(),
            total,
        };
        let mut moves: Vec<ExplainedMove> = points.into_iter().map(explained).collect();
        moves.sort_by_key(|explained| std::cmp::Reverse(explained.total));
        Explanation { moves, level, engine: EvaluationBody::of(game, info) }
    }
}

/// A move, its own points, and those over several plies.
pub type MovePoints = (Move, Parts, i32);

fn named(parts: &Parts) -> Vec<PartBody> {
    PART_NAMES.iter().zip(parts.numbers()).map(|(name, points)| PartBody { name, points }).collect()
}

/// The points of every move, or of one; `None` as soon as `may_go_on` is false.
pub fn points_of_moves(
    game: &Game,
    level: u8,
    only: Option<Move>,
    stop: &Arc<AtomicBool>,
    may_go_on: &dyn Fn() -> bool,
) -> Option<Vec<MovePoints>> {
    let moves: Vec<Move> =
        game.legal_moves().into_iter().filter(|mv| only.is_none_or(|only| only == *mv)).collect();
    let mut baba = Baba::new(game.rules());
    baba.set_stop(StopFlag::new(stop.clone()));
    match game.line() {
        AnyLine::W64(line) => points(&mut baba, line.position(), &moves, level, may_go_on),
        AnyLine::W128(line) => points(&mut baba, line.position(), &moves, level, may_go_on),
        AnyLine::W256(line) => points(&mut baba, line.position(), &moves, level, may_go_on),
    }
}

fn points<W: SearchWord>(
    baba: &mut Baba,
    position: &Position<W>,
    moves: &[Move],
    level: u8,
    may_go_on: &dyn Fn() -> bool,
) -> Option<Vec<MovePoints>> {
    let mut position = position.clone();
    let points_of = |mv: &Move| {
        may_go_on().then(|| {
            let parts = baba.points().of_move(&mut position, *mv);
            (*mv, parts, baba.points_of(&mut position, *mv, level, 1))
        })
    };
    moves.iter().map(points_of).collect()
}

/// What the engine thinks of a position.
#[derive(Serialize, ToSchema, Debug)]
pub struct EvaluationBody {
    /// Score.
    pub score: ScoreBody,
    /// Plies that were looked ahead.
    pub depth: u8,
    /// Positions that were looked at.
    pub nodes: u64,
    /// What is expected.
    pub line: Vec<WrittenMove>,
}

impl EvaluationBody {
    pub fn of(game: &Game, info: &SearchInfo) -> EvaluationBody {
        EvaluationBody {
            score: ScoreBody::of(game, info.score()),
            depth: info.depth,
            nodes: info.n_nodes,
            line: written_line(game, info),
        }
    }
}

/// An engine's score.
#[derive(Clone, Serialize, ToSchema, Debug)]
pub struct ScoreBody {
    /// Advantage of the first side in pawns; 99 or -99 for a forced win.
    pub pawns: f64,
    /// Who wins by force.
    pub winner: Option<u8>,
    /// After how many plies.
    pub plies: Option<u32>,
    /// The same in English.
    pub words: String,
}

impl ScoreBody {
    /// Converts a score of the side to move to the first side's.
    pub fn of(game: &Game, score: Score) -> ScoreBody {
        let turn = game.turn().0;
        let sign = if turn == 0 { 1.0 } else { -1.0 };
        let won = |side: u8, plies: u32| {
            let name = &game.rules().sides()[usize::from(side)].name;
            let pawns = if side == 0 { 99.0 } else { -99.0 };
            let words = match plies.div_ceil(2) {
                1 => format!("{name} wins in 1 move"),
                n => format!("{name} wins in {n} moves"),
            };
            ScoreBody { pawns, winner: Some(side), plies: Some(plies), words }
        };
        match score {
            Score::Centipawns(points) => {
                let pawns = sign * f64::from(points) / 100.0;
                ScoreBody { pawns, winner: None, plies: None, words: format!("{pawns:+.2}") }
            }
            Score::WinIn(plies) => won(turn, plies),
            Score::LossIn(plies) => won(1 - turn.min(1), plies),
        }
    }
}

/// The best line as it is written.
pub fn written_line(game: &Game, info: &SearchInfo) -> Vec<WrittenMove> {
    let mut after = game.clone();
    let before = game.setup().ply;
    let moves = info.lines.first().map(|line| line.moves.as_slice()).unwrap_or_default();
    let mut written = Vec::with_capacity(moves.len());
    for (at, mv) in moves.iter().enumerate() {
        written.push(WrittenMove::of(&after, *mv, before + at as u32 + 1));
        after.play_unchecked(*mv);
    }
    written
}
