//! `ashta show`: a game and where it stands.

use std::io::Write;

use ashta_position::{Game, with_tables};
use ashta_rules::{Rules, Side, piece_text};
use clap::Args;
use serde::Serialize;

use super::games::GameRow;
use crate::cli_error::{CliError, Status};
use crate::contest;
use crate::draw::{self, Style};
use crate::game_arguments::{GameOrContest, PositionArgs, StyleArgs, without_changes};
use crate::output::{write_json, write_lines};

/// Show a game's board and its rules in brief
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/show.txt"))]
pub struct ShowArgs {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    style: StyleArgs,
    /// Also draw the moves of every piece
    #[arg(long)]
    pieces: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A position, for programs.
#[derive(Serialize)]
struct Shown {
    game: GameRow,
    position: String,
    turn: String,
    in_check: bool,
    n_legal_moves: usize,
    outcome: Option<ShownOutcome>,
    board: Vec<ShownPiece>,
    hands: Vec<ShownHand>,
}

#[derive(Serialize)]
struct ShownOutcome {
    winner: Option<String>,
    reason: &'static str,
    words: String,
}

#[derive(Serialize)]
struct ShownPiece {
    square: String,
    side: String,
    kind: String,
    letter: String,
}

#[derive(Serialize)]
struct ShownHand {
    side: String,
    kind: String,
    letter: String,
    count: u8,
}

pub fn run(args: &ShowArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let opened = args.position.open_any()?;
    let position = args.position.position.as_deref();
    if args.json {
        return match &opened {
            GameOrContest::Game(game) => write_json(out, &shown(game)),
            GameOrContest::Contest(rules) => {
                write_json(out, &with_tables!(rules, tables => contest::list(tables, position))?)
            }
        };
    }
    let rules = match &opened {
        GameOrContest::Game(game) => game.rules(),
        GameOrContest::Contest(rules) => rules.rules(),
    };
    let style = args.style.style(rules);
    let is_start = position.is_none() && args.position.moves.is_none();
    if is_start {
        write_lines(out, &title(rules))?;
        writeln!(out)?;
    }
    match &opened {
        GameOrContest::Game(game) => {
            write_lines(out, &draw::position(game, style))?;
            writeln!(out, "{}", game.text())?;
        }
        GameOrContest::Contest(rules) => {
            with_tables!(rules, tables => contest::show(tables, position, out))?;
        }
    }
    if args.pieces {
        writeln!(out)?;
        write_lines(out, &draw::piece_moves(rules, style))?;
    }
    if is_start {
        write_lines(out, &rules_and_changes(rules, without_changes(&args.position.game)))?;
    }
    Ok(Status::Done)
}

/// Everything about a game: its board, every piece's moves, its rules. `called` is what to type for it.
pub fn write_all(game: &Game, called: &str, style: Style, out: &mut dyn Write) -> Result<(), CliError> {
    write_lines(out, &title(game.rules()))?;
    writeln!(out)?;
    write_lines(out, &draw::position(game, style))?;
    writeln!(out, "{}\n", game.text())?;
    write_lines(out, &draw::piece_moves(game.rules(), style))?;
    write_lines(out, &rules_and_changes(game.rules(), called))
}

fn title(rules: &Rules) -> Vec<String> {
    let changes = rules.id().split('+').skip(1);
    let mut lines = vec![std::iter::once(rules.name()).chain(changes).collect::<Vec<_>>().join(" + ")];
    lines.extend(draw::wrap(rules.about(), draw::PAGE_WIDTH));
    lines
}

fn rules_and_changes(rules: &Rules, called: &str) -> Vec<String> {
    let mut lines = vec![String::new(), "Rules".to_string()];
    lines.extend(draw::rules_in_words(rules));
    if !rules.changes().is_empty() {
        lines.push(String::new());
        let first = &rules.changes()[0].name;
        lines.push(format!("Changes, switched on with +NAME, such as {called}+{first}"));
        let changes = rules.changes().iter().map(|change| (change.name.as_str(), change.about.clone()));
        lines.extend(draw::with_headings(changes, "  "));
    }
    lines
}

fn shown(game: &Game) -> Shown {
    let rules = game.rules();
    let name = |side: Side| draw::side_name(side, rules).to_string();
    let board = rules.grid().squares().filter_map(|square| {
        let (side, kind) = game.piece(square)?;
        Some(ShownPiece {
            square: rules.grid().name(square).to_string(),
            side: name(side),
            kind: rules.kind(kind).name.clone(),
            letter: piece_text(side, kind, rules),
        })
    });
    let sides = (0..rules.sides().len() as u8).map(Side);
    let held = sides.flat_map(|side| rules.kind_ids().map(move |kind| (side, kind)));
    let hands = held.filter(|(side, kind)| game.in_hand(*side, *kind) > 0).map(|(side, kind)| ShownHand {
        side: name(side),
        kind: rules.kind(kind).name.clone(),
        letter: piece_text(side, kind, rules),
        count: game.in_hand(side, kind),
    });
    let outcome = game.outcome().map(|outcome| ShownOutcome {
        winner: outcome.winner.map(name),
        reason: outcome.reason.code(),
        words: outcome.words(rules).to_string(),
    });
    Shown {
        game: GameRow::of(rules),
        position: game.text(),
        turn: name(game.turn()),
        in_check: game.is_in_check(),
        n_legal_moves: game.legal_moves().len(),
        outcome,
        board: board.collect(),
        hands: hands.collect(),
    }
}
