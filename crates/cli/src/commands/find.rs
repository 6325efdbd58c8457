//! `ashta find`: positions of a collection, by position, shape and words.

use std::io::Write;
use std::path::PathBuf;

use ashta_messages::message;
use ashta_records::Query;
use ashta_web::records_json::{FoundCounts, HitLine};
use clap::Args;
use serde::Serialize;

use super::records::{hit_line, hit_table, open_collection, query_run_error, read_typed_query};
use crate::cli_error::{CliError, ErrorMessage, Status, print_note};
use crate::game_arguments::PositionArgs;
use crate::output::{grouped, write_json, write_lines};

/// Find positions in a collection: exact ones, partial ones, shapes, sequences, with conditions on games
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/find.txt"))]
pub struct FindArgs {
    /// The collection's folder
    collection: PathBuf,
    /// Query, such as '2h=K 3h=S player="name"'
    query: Option<String>,
    /// Exactly this position, as FEN or SFEN
    #[arg(long, short, value_name = "FEN")]
    position: Option<String>,
    /// Exactly the position after these moves
    #[arg(long, short, value_name = "MOVES")]
    moves: Option<String>,
    /// Results to list
    #[arg(long, short = 'n', default_value_t = 50)]
    limit: usize,
    /// Results to skip
    #[arg(long, default_value_t = 0)]
    skip: usize,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// Write every result as CSV: game, first ply, last ply
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// What was found, for programs.
#[derive(Serialize)]
struct FoundJson {
    #[serde(flatten)]
    counts: FoundCounts,
    hits: Vec<HitLine>,
}

pub fn run(args: &FindArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    if args.query.is_none() && args.position.is_none() && args.moves.is_none() {
        return Err(ErrorMessage::new(message!("cli.no-query")).hint(message!("cli.no-query.hint")).into());
    }
    let collection = open_collection(&args.collection)?;
    let mut parts = Vec::new();
    if args.position.is_some() || args.moves.is_some() {
        let game = collection.manifest().game.clone();
        let position = PositionArgs { game, position: args.position.clone(), moves: args.moves.clone() };
        parts.push(Query::position(&position.open_in(collection.rules())?));
    }
    if args.query.is_some() {
        parts.push(read_typed_query(args.query.as_deref(), collection.rules(), "QUERY")?);
    }
    let query = if parts.len() == 1 { parts.remove(0) } else { Query::All(parts) };
    let answer = collection.find(&query).map_err(query_run_error)?;
    let (n_games, n_positions) = (answer.n_games(), answer.n_positions());
    let status = if n_games == 0 { Status::No } else { Status::Done };
    if args.csv {
        writeln!(out, "game,first_ply,last_ply")?;
        for (first, _, run) in answer.intervals() {
            writeln!(out, "{},{},{}", first + run.game as usize + 1, run.from, run.to - 1)?;
        }
        return Ok(status);
    }
    let hits = answer.page(args.skip, args.limit)?;
    let hits: Vec<HitLine> = hits.iter().map(|hit| hit_line(&collection, hit)).collect::<Result<_, _>>()?;
    let rules = collection.rules().rules();
    if args.json {
        let json = FoundJson { counts: FoundCounts::of(&query, &answer, rules), hits };
        return write_json(out, &json).map(|_| status);
    }
    writeln!(out, "{} positions in {} games", grouped(n_positions as u64), grouped(n_games as u64))?;
    if !hits.is_empty() {
        write_lines(out, &hit_table(&hits, rules))?;
    }
    let n_left = answer.n_intervals().saturating_sub(args.skip + hits.len());
    if n_left > 0 && !hits.is_empty() {
        out.flush()?;
        print_note(&message!("cli.more-results", n = grouped(n_left as u64), skip = args.skip + hits.len()));
    }
    Ok(status)
}
