//! The games that ship with the program.
//!
//! In: names such as `shatranj+double-step`. Out: rules. Never: files outside the program.

use std::sync::Arc;

use include_dir::{Dir, include_dir};

use crate::definition::{Definition, Lookup};
use crate::problem::{Place, Problem, Problems, Source, did_you_mean};
use crate::rules::Rules;

static GAMES: Dir = include_dir!("$CARGO_MANIFEST_DIR/../../games");

/// The names of all games in the library, in alphabetical order.
pub fn game_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = GAMES
        .files()
        .filter(|file| file.path().extension().is_some_and(|ending| ending == "toml"))
        .filter_map(|file| file.path().file_stem()?.to_str())
        .collect();
    names.sort_unstable();
    names
}

/// The text of a game file of the library.
pub fn game_source(name: &str) -> Option<Arc<Source>> {
    let file_name = format!("{name}.toml");
    let text = GAMES.get_file(&file_name)?.contents_utf8()?.to_string();
    Some(Arc::new(Source { name: format!("games/{file_name}"), text }))
}

/// A game of the library with changes: `shogi`, `shatranj+double-step+queen-and-bishop`.
pub fn load(spec: &str) -> Result<Rules, Problems> {
    let mut parts = spec.split('+');
    let name = parts.next().unwrap_or("");
    let changes: Vec<&str> = parts.collect();
    let Some(source) = game_source(name) else {
        let typed = Arc::new(Source { name: "game".into(), text: spec.to_string() });
        let hint = did_you_mean(name, game_names()).unwrap_or_else(|| {
            "`ashta games` lists the games; a path such as ./my-game.toml works too".into()
        });
        let problem = Problem::new(Place::start_of(typed), format!("no game is named `{name}`")).hint(hint);
        return Err(Problems(vec![problem]));
    };
    Rules::check(read(name, &source, &changes)?)
}

/// A game from a file's text, with changes; ancestors come from the library.
pub fn load_text(file_name: &str, text: &str, changes: &[&str]) -> Result<Rules, Problems> {
    let source = Arc::new(Source { name: file_name.to_string(), text: text.to_string() });
    Rules::check(read(stem(file_name), &source, changes)?)
}

/// A game from a file's text that is sound as it is and with each of its changes alone; or every problem of these.
pub fn check_text(file_name: &str, text: &str) -> Result<Rules, Problems> {
    let source = Arc::new(Source { name: file_name.to_string(), text: text.to_string() });
    let definition = read(stem(file_name), &source, &[])?;
    let changes = definition.changes.clone();
    let base = Rules::check(definition);
    let mut found = base.as_ref().err().map_or_else(Vec::new, |problems| problems.0.clone());
    for change in &changes {
        let checked = read(stem(file_name), &source, &[&change.name]).and_then(Rules::check);
        for problem in checked.err().map_or_else(Vec::new, |problems| problems.0) {
            // Most problems of the base, and of changes that others include, come up again.
            let is_told =
                |other: &Problem| other.place == problem.place && other.what.ends_with(&problem.what);
            if !found.iter().any(is_told) {
                let what = format!("with the change `{}`: {}", change.name, problem.what);
                found.push(Problem { what, ..problem });
            }
        }
    }
    // What the author wrote comes before what it clashes with in an ancestor.
    found.sort_by_key(|problem| (problem.place.source.name != file_name, problem.place.offset));
    if found.is_empty() { base } else { Err(Problems(found)) }
}

fn read(id: &str, source: &Arc<Source>, changes: &[&str]) -> Result<Definition, Problems> {
    let lookup = Lookup { names: &game_names(), find: &game_source };
    Definition::read(id, source.clone(), changes, lookup)
}

fn stem(file_name: &str) -> &str {
    std::path::Path::new(file_name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("game")
}
