//! `ashta records players`: who played, how often on each side, and how it went.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use ashta_lab::Table;
use ashta_lab::report::{Column, TableCell, csv, terminal};
use ashta_messages::message;
use ashta_records::{Player, PlayerScore};
use ashta_rules::SideRules;
use ashta_web::records_json::{PlayersBody, RecordedPlayer};
use clap::Args;

use super::open::{open_collection, query_run_error, read_typed_query};
use crate::cli_error::{CliError, Status, print_note};
use crate::experiments::terminal_width;
use crate::output::{grouped, write_json};

/// List the players of a collection, with their games and results on each side
#[derive(Args, Debug)]
#[command(after_help = include_str!("../../help/records-players.txt"))]
pub struct PlayersArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Query that selects the games, such as 'date>=2015 opening=C6'
    query: Option<String>,
    /// Players to list
    #[arg(long, short = 'n', default_value_t = 50)]
    limit: usize,
    /// Players to skip
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub fn run(args: &PlayersArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let collection = open_collection(&args.collection)?;
    let query = read_typed_query(args.query.as_deref(), collection.rules(), "QUERY")?;
    let players = collection.players(&query, &AtomicBool::new(false)).map_err(query_run_error)?;
    let listed: Vec<&Player> = players.iter().skip(args.skip).take(args.limit).collect();
    let status = if players.is_empty() { Status::No } else { Status::Done };
    if args.json {
        let listed = listed.into_iter().map(RecordedPlayer::of).collect();
        return write_json(out, &PlayersBody { players: players.len(), listed }).map(|_| status);
    }
    let table = table_of(&listed, collection.rules().rules().sides());
    if args.csv {
        write!(out, "{}", csv(&table))?;
        return Ok(status);
    }
    let plural = if players.len() == 1 { "" } else { "s" };
    writeln!(out, "{} player{plural}", grouped(players.len() as u64))?;
    if !listed.is_empty() {
        writeln!(out, "{}", terminal(&table, terminal_width()).trim_end())?;
    }
    let n_left = players.len().saturating_sub(args.skip + listed.len());
    if n_left > 0 && !listed.is_empty() {
        out.flush()?;
        let (n, skip) = (grouped(n_left as u64), args.skip + listed.len());
        print_note(&message!("cli.more-results", n, skip));
    }
    Ok(status)
}

fn table_of(players: &[&Player], sides: &[SideRules]) -> Table {
    let mut columns = vec![Column::words("player")];
    let of_scores = |of: &str| {
        let named = |what: &str| if of.is_empty() { what.to_string() } else { format!("{of} {what}") };
        [Column::numbers(named("games")), Column::numbers(named("score")).percent()]
    };
    columns.extend(of_scores(""));
    columns.extend(sides.iter().flat_map(|side| of_scores(&side.name)));
    columns.extend(["first year", "last year", "best rating"].map(Column::numbers));
    let rows = players.iter().map(|player| {
        let mut row = vec![TableCell::words(player.name)];
        row.extend(cells_of(&player.score()));
        row.extend(player.by_side.iter().flat_map(cells_of));
        let (first, last) = player.years.unzip();
        let known = |number: Option<u16>| {
            number.map_or_else(TableCell::default, |n| TableCell::count(usize::from(n)))
        };
        row.extend([first, last, player.best_rating].map(known));
        row
    });
    let rows = rows.collect();
    Table { columns, rows }
}

fn cells_of(score: &PlayerScore) -> [TableCell; 2] {
    let share = score.share().map_or_else(TableCell::default, |share| TableCell::number(share * 100.0, 1));
    [TableCell::count(score.n_games), share]
}
