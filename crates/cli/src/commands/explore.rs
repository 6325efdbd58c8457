//! `ashta explore`: what was played from a position, and how it went.

use std::io::Write;
use std::path::PathBuf;

use ashta_lab::report::csv_text;
use ashta_records::{NextMove, Query};
use ashta_rules::Rules;
use ashta_web::records_json::{NextLine, WrittenMove};
use clap::Args;
use serde::Serialize;

use super::records::{open_collection, players_text, query_run_error, read_typed_query};
use crate::cli_error::{CliError, Status};
use crate::draw;
use crate::game_arguments::PositionArgs;
use crate::output::{grouped, write_json, write_lines};

/// List the moves that were played from a position, with counts and results
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/explore.txt"))]
pub struct ExploreArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Query that selects the games, such as 'rating>=2400'
    query: Option<String>,
    /// From this position, as FEN or SFEN [default: the start]
    #[arg(long, short, value_name = "FEN")]
    position: Option<String>,
    /// After these moves
    #[arg(long, short, value_name = "MOVES")]
    moves: Option<String>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

#[derive(Serialize)]
struct ExploredJson {
    position: String,
    positions: u64,
    games: u64,
    moves: Vec<NextLine>,
}

pub fn run(args: &ExploreArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let collection = open_collection(&args.collection)?;
    let name = collection.manifest().game.clone();
    let position = PositionArgs { game: name, position: args.position.clone(), moves: args.moves.clone() };
    let game = position.open_in(collection.rules())?;
    let mut query = Query::position(&game);
    if args.query.is_some() {
        let only = read_typed_query(args.query.as_deref(), collection.rules(), "QUERY")?;
        query = Query::All(vec![query, Query::Game(Box::new(only))]);
    }
    let explored = collection.explore(&query).map_err(query_run_error)?;
    let (ply, n_sides) = (game.setup().ply + 1, game.rules().sides().len());
    let next = |next: &NextMove| {
        let written = next.mv.map(|mv| WrittenMove::of(&game, mv, ply));
        NextLine::of(next, written, explored.n_positions, n_sides)
    };
    let moves: Vec<NextLine> = explored.moves.iter().map(next).collect();
    let status = if moves.is_empty() { Status::No } else { Status::Done };
    let json = ExploredJson {
        position: game.text(),
        positions: explored.n_positions,
        games: explored.n_games,
        moves,
    };
    if args.json {
        return write_json(out, &json).map(|_| status);
    }
    if args.csv {
        write_csv(&json, game.rules(), out)?
    } else {
        print_report(&json, game.rules(), out)?
    }
    Ok(status)
}

fn write_csv(explored: &ExploredJson, rules: &Rules, out: &mut dyn Write) -> Result<(), CliError> {
    let wins: Vec<String> =
        rules.sides().iter().map(|side| csv_text(&format!("{}_wins", side.name.to_lowercase()))).collect();
    writeln!(out, "move,count,share,{},draws,unknown", wins.join(","))?;
    for next in &explored.moves {
        let wins: Vec<String> = next.wins.iter().map(u64::to_string).collect();
        let text = csv_text(next.mv.as_ref().map_or("", |mv| players_text(mv, rules)));
        let (count, share, draws, unknown) = (next.count, next.share, next.draws, next.unknown);
        writeln!(out, "{text},{count},{share:.6},{},{draws},{unknown}", wins.join(","))?;
    }
    Ok(())
}

fn print_report(explored: &ExploredJson, rules: &Rules, out: &mut dyn Write) -> Result<(), CliError> {
    writeln!(out, "{} times in {} games", grouped(explored.positions), grouped(explored.games))?;
    if explored.moves.is_empty() {
        return Ok(());
    }
    let mut rows = vec![vec!["move".to_string(), "count".into(), "share".into()]];
    rows[0].extend(rules.sides().iter().map(|side| format!("{} wins", side.name)));
    rows[0].extend(["draws".to_string(), "games".into()]);
    for next in &explored.moves {
        let known = (next.count - next.unknown).max(1) as f64;
        let percent = |n: u64| {
            if next.count == next.unknown {
                "?".to_string()
            } else {
                format!("{:.1}%", n as f64 * 100.0 / known)
            }
        };
        let mut row = vec![
            next.mv.as_ref().map_or("(end)", |mv| players_text(mv, rules)).to_string(),
            grouped(next.count),
            format!("{:.1}%", next.share * 100.0),
        ];
        row.extend(next.wins.iter().map(|n| percent(*n)));
        row.push(percent(next.draws));
        let games: Vec<String> = next.games.iter().map(usize::to_string).collect();
        row.push(games.join(" "));
        rows.push(row);
    }
    let n_columns = rows[0].len();
    let widths: Vec<usize> =
        (0..n_columns).map(|n| rows.iter().map(|row| draw::width(&row[n])).max().unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths).enumerate().map(|(n, (cell, width))| match n {
            0 => draw::left(cell, width + 2),
            n if n + 1 == n_columns => cell.clone(),
            _ => draw::right(cell, *width) + "  ",
        });
        cells.collect::<String>().trim_end().to_string()
    });
    write_lines(out, &lines.collect::<Vec<_>>())
}
