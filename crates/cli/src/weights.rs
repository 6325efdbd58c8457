//! Weight files of a learning run.
//!
//! In: a path, a game. Out: the text of the weights for that game. Never: what the text means.

use std::path::{Path, PathBuf};

use ashta_lab::digest_text;
use ashta_messages::message;
use ashta_rules::Rules;

use crate::cli_error::ErrorMessage;
use crate::game_arguments::read_text_file;

/// The weights of a game: the file itself, or the one of a folder of `ashta learn` that is of the game.
pub fn read_weights(path: &Path, rules: &Rules) -> Result<String, ErrorMessage> {
    if !path.is_dir() {
        return read_text_file(path);
    }
    let none = || {
        let what = message!("cli.no-weights", folder = path, game = rules.id().to_string());
        ErrorMessage::new(what).hint(message!("cli.no-weights.hint"))
    };
    read_text_file(&weights_in(path, rules).ok_or_else(none)?)
}

/// The first file of a folder that was learned from exactly this game, else from the same one with other changes.
pub fn weights_in(folder: &Path, rules: &Rules) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "values")).collect();
    files.sort();
    let digest = format!("({})", digest_text(rules));
    let id = rules.id().to_string();
    let base = id.split('+').next().unwrap_or_default();
    let origins: Vec<String> = files.iter().map(|file| origin(file).unwrap_or_default()).collect();
    let is_of_game = |origin: &&String| origin.split(['+', ' ']).next() == Some(base);
    let exact = origins.iter().position(|origin| origin.contains(&digest));
    let at = exact.or_else(|| origins.iter().position(|origin| is_of_game(&origin)))?;
    files.into_iter().nth(at)
}

/// What the first line of a weight file says it was learned from: the game and the digest of its rules.
fn origin(file: &Path) -> Option<String> {
    let text = read_text_file(file).ok()?;
    let told = text.lines().next()?.strip_prefix(HEADER)?;
    Some(told.split(',').next()?.to_string())
}

/// How every weight file begins.
pub const HEADER: &str = "# What pieces are worth in ";

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, name: &str, game: &str) {
        let rules = ashta_rules::load(game).expect("the library is sound");
        let text = format!("{HEADER}{game} ({}), learned from 1 games\npawn = 1\n", digest_text(&rules));
        std::fs::write(folder.join(name), text).expect("a temporary folder can be written");
    }

    #[test]
    fn a_folder_gives_each_game_its_own_file() {
        let folder = std::env::temp_dir().join(format!("ashta-weights-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("there is room for a folder");
        write(&folder, "heian+drops-lambda0.8-run1.values", "heian-drops+paper-004");
        write(&folder, "heian-lambda0.8-run1.values", "heian-shogi+paper-004");
        for (game, file) in [
            ("heian-shogi+paper-004", Some("heian-lambda0.8-run1.values")),
            ("heian-drops+paper-004", Some("heian+drops-lambda0.8-run1.values")),
            ("heian-shogi", Some("heian-lambda0.8-run1.values")),
            ("shogi", None),
        ] {
            let rules = ashta_rules::load(game).expect("the library is sound");
            assert_eq!(weights_in(&folder, &rules), file.map(|file| folder.join(file)), "{game}");
        }
        std::fs::remove_dir_all(&folder).expect("it was made here");
    }
}
