//! What a book has after a line: a table of moves and a tree below.

use std::io::Write;
use std::path::PathBuf;

use ashta_position::Game;
use ashta_position::notation::{write_coordinates, write_san};
use ashta_records::{GameResult, Query};
use ashta_rules::Side;
use ashta_study::opening::{Book, Journal, Mark, MoveStats, Visited};
use ashta_web::study_json::{BookMoveJson, BookNodeJson};
use clap::Args;

use super::read_line;
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::commands::records::{open_collection, query_run_error};
use crate::draw;
use crate::output::{grouped, write_json};

#[derive(Args, Debug)]
pub struct BookShowArgs {
    /// The moves from the start
    #[arg(default_value = "")]
    line: String,
    /// Plies to show
    #[arg(long, default_value_t = 4)]
    depth: usize,
    /// Count moves in this collection instead of the imported games
    #[arg(long, value_name = "COLLECTION")]
    from: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &BookShowArgs, journal: &Journal, out: &mut dyn Write) -> Result<Status, CliError> {
    let book = journal.book();
    let line = read_line(book, &args.line)?;
    let game = book.after(&line).map_err(ErrorMessage::new)?;
    let node = book.node(&game).cloned().unwrap_or_default();
    let counted = counts(args, &game)?;
    let mut moves = Vec::new();
    for known in &node.moves {
        let mut after = game.clone();
        after.play_unchecked(known.mv);
        let tally = match &counted {
            Some(counted) => {
                counted.iter().find(|(mv, _)| *mv == known.mv).map(|(_, tally)| *tally).unwrap_or_default()
            }
            None => known.stats,
        };
        moves.push(BookMoveJson {
            text: write_san(&game, known.mv),
            coordinates: write_coordinates(&game, known.mv),
            mark: known.mark.map(Mark::symbol),
            games: tally.n,
            first_wins: tally.first,
            draws: tally.draws,
            second_wins: tally.second,
            name: book.node(&after).and_then(|node| node.name.clone()),
        });
    }
    let shown = BookNodeJson { position: game.text(), name: node.name, comment: node.comment, moves };
    let status = if shown.moves.is_empty() { Status::No } else { Status::Done };
    if args.json {
        return write_json(out, &shown).map(|_| status);
    }
    for text in [&shown.name, &shown.comment].into_iter().flatten() {
        writeln!(out, "{text}")?;
    }
    table(&shown, game.rules().sides().iter().map(|side| side.name.as_str()).collect(), out)?;
    if args.depth > 1 && !shown.moves.is_empty() {
        writeln!(out)?;
        tree(book, &game, line.len(), args.depth, out)?;
    }
    Ok(status)
}

/// Counts of a collection for every move from here.
fn counts(
    args: &BookShowArgs,
    game: &Game,
) -> Result<Option<Vec<(ashta_position::Move, MoveStats)>>, CliError> {
    let Some(folder) = &args.from else { return Ok(None) };
    let collection = open_collection(folder)?;
    let explored = collection.explore(&Query::position(game)).map_err(query_run_error)?;
    let tally = |next: &ashta_records::NextMove| MoveStats {
        n: next.n,
        first: next.with(GameResult::Won(Side::FIRST)),
        draws: next.with(GameResult::Draw),
        second: next.with(GameResult::Won(Side::SECOND)),
    };
    Ok(Some(explored.moves.iter().filter_map(|next| Some((next.mv?, tally(next)))).collect()))
}

fn table(shown: &BookNodeJson, sides: Vec<&str>, out: &mut dyn Write) -> Result<(), CliError> {
    if shown.moves.is_empty() {
        writeln!(out, "the book ends here")?;
        return Ok(());
    }
    for known in &shown.moves {
        let decided = known.first_wins + known.draws + known.second_wins;
        let percent = |n: u64| format!("{:.0}%", n as f64 * 100.0 / decided.max(1) as f64);
        let games = match (known.games, decided) {
            (0, _) => String::new(),
            (n, 0) => grouped(n),
            (n, _) => format!(
                "{}  {} {}, draws {}, {} {}",
                grouped(n),
                sides.first().unwrap_or(&""),
                percent(known.first_wins),
                percent(known.draws),
                sides.get(1).unwrap_or(&""),
                percent(known.second_wins)
            ),
        };
        let name = known.name.as_deref().unwrap_or_default();
        writeln!(
            out,
            "{}",
            format!("{}{}{name}", draw::left(&known.text, 9), draw::left(&games, 42)).trim_end()
        )?;
    }
    Ok(())
}

/// Most lines of a tree.
const MAX_LINES: usize = 200;

fn tree(book: &Book, game: &Game, ply: usize, depth: usize, out: &mut dyn Write) -> Result<(), CliError> {
    let mut lines = Vec::new();
    book.walk(game, &mut |Visited { depth: below, before, known, after, met }| {
        if below >= depth || lines.len() > MAX_LINES {
            return;
        }
        let number = (ply + below) / 2 + 1;
        let dots = if (ply + below).is_multiple_of(2) { "." } else { "..." };
        let name = book
            .node_of(after)
            .and_then(|node| node.name.as_ref())
            .map_or(String::new(), |n| format!("  {n}"));
        let met = if met { "  (as above)" } else { "" };
        lines.push(format!("{}{number}{dots}{}{name}{met}", "  ".repeat(below), write_san(before, known.mv)));
    });
    let n_more = lines.len().saturating_sub(MAX_LINES);
    for line in lines.iter().take(MAX_LINES) {
        writeln!(out, "{line}")?;
    }
    if n_more > 0 {
        writeln!(out, "...")?;
    }
    Ok(())
}
