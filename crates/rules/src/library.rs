//! The games that ship with the program.
//!
//! In: names such as `shatranj+double-step`. Out: rules. Never: files outside the program.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use ashta_messages::{Message, message};
use include_dir::{Dir, include_dir};

use crate::definition::{Definition, Lookup, Written};
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

/// The game of the library that PGN calls so in its tag `Variant`, whatever the case of the letters.
pub fn game_of_pgn_variant(variant: &str) -> Option<&'static str> {
    static NAMES: OnceLock<HashMap<String, &'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let of_game = |game: &'static str| {
            let variants = load(game).map(|rules| rules.pgn_variants().to_vec()).unwrap_or_default();
            variants.into_iter().map(move |variant| (variant.to_lowercase(), game))
        };
        game_names().into_iter().flat_map(of_game).collect()
    });
    names.get(&variant.to_lowercase()).copied()
}

/// The text of a game file of the library.
pub fn game_source(name: &str) -> Option<Arc<Source>> {
    let file_name = format!("{name}.toml");
    let text = GAMES.get_file(&file_name)?.contents_utf8()?.to_string();
    Some(Arc::new(Source { name: format!("games/{file_name}"), text }))
}

/// A game of the library with changes: `shogi`, `shatranj+double-step+queen-and-bishop`.
///
/// ```
/// let chess = ashta_rules::load("chess").unwrap();
/// assert_eq!(chess.name(), "Chess");
/// assert_eq!(chess.grid().n_squares(), 64);
/// // A change is switched on with its name.
/// let changed = ashta_rules::load("shatranj+double-step").unwrap();
/// assert_ne!(changed.digest(), ashta_rules::load("shatranj").unwrap().digest());
/// ```
pub fn load(spec: &str) -> Result<Rules, Problems> {
    let mut parts = spec.split('+');
    let name = parts.next().unwrap_or("");
    let changes: Vec<&str> = parts.collect();
    let Some(source) = game_source(name) else {
        let typed = Arc::new(Source { name: "game".into(), text: spec.to_string() });
        let near = did_you_mean(name, game_names());
        let hint = near.unwrap_or_else(|| message!("rules.no-game.hint"));
        let problem = Problem::new(Place::start_of(typed), message!("rules.no-game", name)).hint(hint);
        return Err(Problems(vec![problem]));
    };
    Rules::check(read(name, &source, &changes)?)
}

/// A game from a file's text, with changes; ancestors come from the library.
///
/// ```
/// let text = r#"
/// extends = "chess"
/// name = "Chess without castling"
/// about = "Kings never castle."
/// castling = "none"
/// [board]
/// start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"
/// "#;
/// let rules = ashta_rules::load_text("my-chess.toml", text, &[]).unwrap();
/// assert!(rules.castlings().is_empty());
/// ```
pub fn load_text(file_name: &str, text: &str, changes: &[&str]) -> Result<Rules, Problems> {
    let source = Arc::new(Source { name: file_name.to_string(), text: text.to_string() });
    Rules::check(read(stem(file_name), &source, changes)?)
}

/// Problems that are looked at before the rest of the changes is left unchecked: a wrong base has its own again with each.
const MOST_PROBLEMS: usize = 20_000;

/// A game from a file's text that is sound as it is and with each of its changes alone; or every problem of these.
///
/// ```
/// // Every problem of a file is reported, with its line and column.
/// let problems = ashta_rules::check_text("my-game.toml", "name = 3\nborad = {}\n").unwrap_err();
/// assert!(problems.0.len() > 1);
/// ```
pub fn check_text(file_name: &str, text: &str) -> Result<Rules, Problems> {
    let source = Arc::new(Source { name: file_name.to_string(), text: text.to_string() });
    check_source(stem(file_name), &source)
}

/// The same of a source under a name.
pub(crate) fn check_source(id: &str, source: &Arc<Source>) -> Result<Rules, Problems> {
    let written = written(id, source)?;
    let base = Rules::check(written.with(&[]));
    let mut found = Found::default();
    base.as_ref()
        .err()
        .iter()
        .flat_map(|problems| &problems.0)
        .for_each(|problem| found.add(problem.clone(), None));
    for change in written.changes() {
        let checked = Rules::check(written.with(&[&change.name]));
        for problem in checked.err().map_or_else(Vec::new, |problems| problems.0) {
            found.add(problem, Some(&change.name));
        }
        if found.n_seen > MOST_PROBLEMS {
            let what = message!("rules.too-many-problems");
            found.add(Problem::new(Place::start_of(source.clone()), what), None);
            break;
        }
    }
    let mut found = found.problems;
    // What the author wrote comes before what it clashes with in an ancestor.
    found.sort_by_key(|problem| (problem.place.source.name != source.name, problem.place.offset));
    if found.is_empty() { base } else { Err(Problems(found)) }
}

/// Problems of a game and of its changes, each once.
#[derive(Default)]
struct Found {
    problems: Vec<Problem>,
    /// What is wrong with each, without the change that it came up with.
    whats: Vec<Message>,
    /// By offset of their places.
    places: HashMap<usize, Vec<usize>>,
    n_seen: usize,
}

impl Found {
    /// Adds a problem, unless it is one of the base, or of a change that others include, that comes up again.
    fn add(&mut self, problem: Problem, change: Option<&str>) {
        self.n_seen += 1;
        let near = self.places.entry(problem.place.offset).or_default();
        let is_told = |other: &usize| {
            self.problems[*other].place == problem.place && self.whats[*other] == problem.what
        };
        if change.is_some() && near.iter().any(is_told) {
            return;
        }
        near.push(self.problems.len());
        self.whats.push(problem.what.clone());
        let what = match change {
            Some(change) => message!("rules.with-change", change, what = problem.what),
            None => problem.what,
        };
        self.problems.push(Problem { what, ..problem });
    }
}

/// The rules of a source under a name.
pub(crate) fn load_source(id: &str, source: &Arc<Source>) -> Result<Rules, Problems> {
    Rules::check(read(id, source, &[])?)
}

fn written(id: &str, source: &Arc<Source>) -> Result<Written, Problems> {
    let lookup = Lookup { names: &game_names(), find: &game_source };
    Written::read(id, source.clone(), lookup)
}

fn read(id: &str, source: &Arc<Source>, changes: &[&str]) -> Result<Definition, Problems> {
    Ok(written(id, source)?.with(changes))
}

fn stem(file_name: &str) -> &str {
    std::path::Path::new(file_name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("game")
}
