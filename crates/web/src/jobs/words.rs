//! Words of a command, each made from what a request names and checked on the way.
//!
//! In: names, numbers and short values of a request. Out: arguments. Never: a word that could be an option, a path or a program.

use ashta_lab::matches::value_table_names;
use ashta_rules::{game_names, nearest};

use crate::data_folder::Name;
use crate::failure::Refusal;
use crate::laboratory::Laboratory;
use crate::players::read_player;

/// Most games, players or lambdas of one job.
const MOST_NAMES: usize = 200;

pub fn option(arguments: &mut Vec<String>, name: &str, value: Option<impl ToString>) {
    // Joined by =, a value that begins with a dash is no option of its own.
    arguments.extend(value.map(|value| format!("--{name}={}", value.to_string())));
}

pub fn few<'a, T>(all: &'a [T], what: &str) -> Result<&'a [T], Refusal> {
    match all.len() <= MOST_NAMES {
        true => Ok(all),
        false => {
            Err(Refusal::wrong(format!("{} {what}s are too many: {MOST_NAMES} can be asked for", all.len())))
        }
    }
}

/// Games as the command knows them: those that were written here are files of the folder that it runs in.
pub fn read_games(games: &[String], laboratory: &Laboratory) -> Result<Vec<String>, Refusal> {
    if games.is_empty() {
        return Err(Refusal::wrong("no game is named").hint("name one or more in `games`"));
    }
    few(games, "game")?.iter().map(|game| game_word(game, laboratory)).collect()
}

/// A game as a word of a command.
pub fn game_word(game: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    laboratory.rules(game)?;
    let (name, changes) = game.split_once('+').map_or((game, None), |(name, changes)| (name, Some(changes)));
    Ok(match (game_names().contains(&name), changes) {
        (true, _) => game.to_string(),
        (false, None) => format!("./{name}.toml"),
        (false, Some(changes)) => format!("./{name}.toml+{changes}"),
    })
}

/// A game that was written here is a file to a command, and a name to everybody else.
pub fn own_name(game: &str) -> String {
    game.trim_start_matches("./").replacen(".toml", "", 1)
}

/// A player, a table of values, or both with `@` between them.
pub fn competitor(text: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    let table = |name: &str| match value_table_names().contains(&name) {
        true => Ok(name.to_string()),
        false => values_file(name, laboratory),
    };
    match text.split_once('@') {
        Some((player, name)) => Ok(format!("{}@{}", read_player(player)?, table(name)?)),
        None => match table(text) {
            Ok(name) => Ok(name),
            Err(_) => Ok(read_player(text)?.to_string()),
        },
    }
}

/// A table of values that is kept here, as a path from the games.
pub fn values_file(name: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    let name = Name::read(name)?;
    match laboratory.folder.values_file(&name).is_file() {
        true => Ok(format!("../values/{name}.values")),
        false => Err(Refusal::missing(format!("no table of values is named `{name}`"))),
    }
}

/// A table of values, or what a job has learned: `job:12` has one for each of its games.
pub fn learned_values(name: &str, laboratory: &Laboratory) -> Result<String, Refusal> {
    let Some(id) = name.strip_prefix("job:") else { return values_file(name, laboratory) };
    let nothing =
        || Refusal::wrong(format!("job {id} has learned nothing")).hint("a job of learning that is done has");
    let id = id.parse().map_err(|_| nothing())?;
    match laboratory.jobs.get(id)?.job.borrow().is_learning {
        true => Ok(format!("../jobs/{id}")),
        false => Err(nothing()),
    }
}

pub fn known<'a>(name: &'a str, all: &[&str], what: &str) -> Result<&'a str, Refusal> {
    if all.contains(&name) {
        return Ok(name);
    }
    let refusal = Refusal::missing(format!("no {what} is named `{}`", shortened(name)));
    Err(match nearest(name, all.iter().copied()) {
        Some(near) => refusal.hint(format!("did you mean `{near}`?")),
        None => refusal.hint(format!("there are {}", all.join(", "))),
    })
}

/// A short word that the command itself reads; it cannot be a path.
pub fn plain(text: &str) -> Result<&str, Refusal> {
    let is_plain = text.chars().count() <= 60 && !text.contains(['/', '\\', '\0', '\n']);
    match is_plain {
        true => Ok(text),
        false => Err(Refusal::wrong("a value is too long, or has a character that no value has")),
    }
}

/// A text that somebody sent, as short as a sentence bears.
pub fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}
