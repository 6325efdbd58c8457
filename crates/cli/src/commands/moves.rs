//! `ashta moves`: what may be played.

use std::io::Write;

use ashta_messages::message;
use ashta_position::notation::{UnfitGame, write_coordinates, write_csa, write_kif, write_san};
use ashta_position::{Action, Game, Move, with_tables};
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::cli_error::{CliError, ErrorMessage, Status, print_note};
use crate::contest;
use crate::game_arguments::{GameOrContest, PositionArgs};
use crate::output::{write_json, write_lines};

/// List the legal moves, one per line
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/moves.txt"))]
pub struct MovesArgs {
    #[command(flatten)]
    position: PositionArgs,
    /// Notation of moves
    #[arg(long, short, value_enum, default_value_t = Notation::Coordinates)]
    notation: Notation,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// How moves are written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum Notation {
    /// From and to squares, as in UCI and USI
    Coordinates,
    /// Standard algebraic notation
    San,
    /// CSA, for games with shogi pieces
    Csa,
    /// KIF, for games with shogi pieces
    Kif,
}

impl Notation {
    fn write(self, game: &Game, mv: Move) -> Result<String, UnfitGame> {
        match self {
            Notation::Coordinates => Ok(write_coordinates(game, mv)),
            Notation::San => Ok(write_san(game, mv)),
            Notation::Csa => write_csa(game, mv),
            Notation::Kif => write_kif(game, mv),
        }
    }
}

/// The legal moves, for programs.
#[derive(Serialize)]
struct ListedMoves {
    game: String,
    position: String,
    outcome: Option<String>,
    moves: Vec<ListedMove>,
}

#[derive(Serialize)]
struct ListedMove {
    text: String,
    coordinates: String,
    action: &'static str,
    from: Option<String>,
    to: Option<String>,
    /// What moves or is dropped.
    kind: Option<String>,
    becomes: Option<String>,
}

pub fn run(args: &MovesArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let game = match args.position.open_any()? {
        GameOrContest::Game(game) => *game,
        GameOrContest::Contest(rules) => {
            let position = args.position.position.as_deref();
            let listed = with_tables!(&rules, tables => contest::list(tables, position))?;
            if args.json {
                return write_json(out, &listed);
            }
            write_lines(out, &listed.lines())?;
            return Ok(Status::Done);
        }
    };
    let rules = game.rules();
    let written = game.legal_moves().into_iter().map(|mv| Ok((args.notation.write(&game, mv)?, mv)));
    let mut moves: Vec<(String, Move)> = written.collect::<Result<_, UnfitGame>>().map_err(unfit)?;
    // The order of generation is an implementation detail.
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    let outcome = game.outcome().map(|outcome| outcome.words(rules).to_string());
    if args.json {
        let moves = moves.into_iter().map(|(text, mv)| listed(&game, text, mv)).collect();
        let game_id = rules.id().to_string();
        return write_json(out, &ListedMoves { game: game_id, position: game.text(), outcome, moves });
    }
    for (text, _) in &moves {
        writeln!(out, "{text}")?;
    }
    if let Some(outcome) = outcome {
        out.flush()?;
        print_note(&message!("cli.game-is-over", outcome));
    }
    Ok(Status::Done)
}

fn unfit(error: UnfitGame) -> ErrorMessage {
    ErrorMessage::new(error).hint(message!("cli.notation.hint"))
}

fn listed(game: &Game, text: String, mv: Move) -> ListedMove {
    let rules = game.rules();
    let kind_name = |kind| rules.kind(kind).name.clone();
    let mover = mv.from().and_then(|from| game.piece(from)).map(|(_, kind)| kind);
    let (action, kind, becomes) = match mv.action() {
        Action::Go { becomes, .. } => ("go", mover, becomes),
        Action::Drop { kind, .. } => ("drop", Some(kind), None),
        Action::Castle { .. } => ("castle", mover, None),
        Action::EnPassant { .. } => ("en-passant", mover, None),
        Action::TwoLegs { .. } => ("two-legs", mover, None),
        Action::Pass => ("pass", None, None),
    };
    ListedMove {
        text,
        coordinates: write_coordinates(game, mv),
        action,
        from: mv.from().map(|square| rules.grid().name(square).to_string()),
        to: mv.to().map(|square| rules.grid().name(square).to_string()),
        kind: kind.map(kind_name),
        becomes: becomes.map(kind_name),
    }
}
