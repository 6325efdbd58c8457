//! Arguments of a command, built from the names in a request and validated.
//!
//! In: names, numbers and short values of a request. Out: arguments. Never: one that could be an option, a path or a program.

use ashta_lab::matches::value_table_names;
use ashta_messages::{Message, message};
use ashta_rules::{game_names, nearest};

use super::queue::JobQueue;
use crate::api_error::ApiError;
use crate::data_folder::Name;
use crate::library::Library;
use crate::players::read_player;

/// Most games, players or lambdas of one job.
const MAX_NAMES: usize = 200;

pub fn push_option(arguments: &mut Vec<String>, name: &str, value: Option<impl ToString>) {
    // Joined by =, a value that begins with a dash is no option of its own.
    arguments.extend(value.map(|value| format!("--{name}={}", value.to_string())));
}

pub fn check_count<'a, T>(all: &'a [T], field: &str) -> Result<&'a [T], ApiError> {
    if all.len() <= MAX_NAMES {
        Ok(all)
    } else {
        Err(ApiError::bad_request(message!("web.too-many", n = all.len(), field, max = MAX_NAMES)))
    }
}

/// Games as arguments: those of the data folder are files in the command's working directory.
pub fn read_games(games: &[String], library: &Library) -> Result<Vec<String>, ApiError> {
    if games.is_empty() {
        return Err(ApiError::bad_request(message!("web.no-games")).hint(message!("web.no-games.hint")));
    }
    check_count(games, "games")?.iter().map(|game| game_argument(game, library)).collect()
}

pub fn game_argument(game: &str, library: &Library) -> Result<String, ApiError> {
    library.rules(game)?;
    let (name, changes) = game.split_once('+').map_or((game, None), |(name, changes)| (name, Some(changes)));
    Ok(match (game_names().contains(&name), changes) {
        (true, _) => game.to_string(),
        (false, None) => format!("./{name}.toml"),
        (false, Some(changes)) => format!("./{name}.toml+{changes}"),
    })
}

/// The inverse: the name of a game from its argument.
pub fn game_name(game: &str) -> String {
    game.trim_start_matches("./").replacen(".toml", "", 1)
}

/// A player, a table of values, or both with `@` between them.
pub fn competitor_argument(text: &str, library: &Library) -> Result<String, ApiError> {
    let table = |name: &str| {
        if value_table_names().contains(&name) {
            Ok(name.to_string())
        } else {
            values_argument(name, library)
        }
    };
    match text.split_once('@') {
        Some((player, name)) => Ok(format!("{}@{}", read_player(player)?, table(name)?)),
        None => match table(text) {
            Ok(name) => Ok(name),
            Err(_) => Ok(read_player(text)?.to_string()),
        },
    }
}

/// A table of values in the data folder, as a path relative to the games.
pub fn values_argument(name: &str, library: &Library) -> Result<String, ApiError> {
    let name = Name::read(name)?;
    if library.folder.values_file(&name).is_file() {
        Ok(format!("../values/{name}.values"))
    } else {
        Err(ApiError::not_found(message!("web.no-values", name)))
    }
}

/// A table of values, or what a job has learned: `job:12` has one for each of its games.
pub fn learned_values_argument(name: &str, library: &Library, queue: &JobQueue) -> Result<String, ApiError> {
    let Some(id) = name.strip_prefix("job:") else { return values_argument(name, library) };
    let nothing = || {
        ApiError::bad_request(message!("web.job-not-learned", id)).hint(message!("web.job-not-learned.hint"))
    };
    let id = id.parse().map_err(|_| nothing())?;
    if queue.get(id)?.job.borrow().is_learning { Ok(format!("../jobs/{id}")) } else { Err(nothing()) }
}

pub fn check_name<'a>(name: &'a str, all: &[&str], what: Message) -> Result<&'a str, ApiError> {
    if all.contains(&name) {
        return Ok(name);
    }
    let api_error = ApiError::not_found(message!("web.no-such", what, name = truncated(name)));
    Err(match nearest(name, all.iter().copied()) {
        Some(near) => api_error.hint(message!("web.did-you-mean", near)),
        None => api_error.hint(message!("web.available", all)),
    })
}

/// A short value that the command parses; it cannot be a path.
pub fn check_plain(text: &str) -> Result<&str, ApiError> {
    let is_plain = text.chars().count() <= 60 && !text.contains(['/', '\\', '\0', '\n']);
    if is_plain { Ok(text) } else { Err(ApiError::bad_request(message!("web.invalid-value"))) }
}

/// Truncated for an error message.
pub fn truncated(text: &str) -> String {
    text.chars().take(60).collect()
}
