//! `ashta games`: the library.

use std::io::Write;

use ashta_rules::{Rules, game_names, load};
use clap::Args;
use serde::Serialize;

use crate::cli_error::{CliError, Status};
use crate::draw;
use crate::output::{write_json, write_lines};

/// List the games
#[derive(Args, Debug)]
#[command(after_help = include_str!("../help/games.txt"))]
pub struct GamesArgs {
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A game in the list, for programs.
#[derive(Serialize)]
pub struct GameRow {
    id: String,
    name: String,
    about: String,
    files: u8,
    ranks: u8,
    sides: usize,
    descends: Option<String>,
    digest: String,
    changes: Vec<ChangeRow>,
}

#[derive(Serialize)]
struct ChangeRow {
    name: String,
    about: String,
}

impl GameRow {
    /// The row of a game.
    pub fn of(rules: &Rules) -> GameRow {
        let changes = rules.changes().iter();
        GameRow {
            id: rules.id().to_string(),
            name: rules.name().to_string(),
            about: rules.about().to_string(),
            files: rules.grid().files(),
            ranks: rules.grid().ranks(),
            sides: rules.sides().len(),
            descends: rules.descends().map(str::to_string),
            digest: format!("{:016x}", rules.digest()),
            changes: changes.map(|c| ChangeRow { name: c.name.clone(), about: c.about.clone() }).collect(),
        }
    }
}

/// Every game of the library.
pub fn library() -> Result<Vec<Rules>, CliError> {
    game_names().into_iter().map(|name| load(name).map_err(CliError::Problems)).collect()
}

pub fn run(args: &GamesArgs, out: &mut dyn Write) -> Result<Status, CliError> {
    let games = library()?;
    if args.json {
        return write_json(out, &games.iter().map(GameRow::of).collect::<Vec<_>>());
    }
    write_lines(out, &table(&games))?;
    Ok(Status::Done)
}

fn table(games: &[Rules]) -> Vec<String> {
    let heading = ["game", "board", "changes", "about"].map(str::to_string);
    let rows = games.iter().map(|rules| {
        [rules.id().to_string(), size(rules), rules.changes().len().to_string(), rules.about().to_string()]
    });
    let rows: Vec<[String; 4]> = std::iter::once(heading).chain(rows).collect();
    let columns = |n: usize| rows.iter().map(|row| draw::width(&row[n])).max().unwrap_or(0);
    let widths: [usize; 3] = [columns(0), columns(1), columns(2)];
    rows.iter()
        .map(|[game, board, changes, about]| {
            let game = draw::left(game, widths[0]);
            let board = draw::right(board, widths[1]);
            let changes = draw::right(changes, widths[2]);
            format!("{game}  {board}  {changes}  {about}")
        })
        .collect()
}

/// `9x10`: files and ranks.
pub fn size(rules: &Rules) -> String {
    format!("{}x{}", rules.grid().files(), rules.grid().ranks())
}
