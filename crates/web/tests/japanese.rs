//! The words of the page: names of games, changes, experiments and ends of games, as files and catalogues have them.

use std::fs;
use std::path::{Path, PathBuf};

use ashta_lab::learn::learning_names;
use ashta_lab::matches::match_names;
use ashta_lab::{Evolution, Measure, evolution_names, experiment_names};
use ashta_messages::{Language, Tell, ToArg};
use ashta_position::Reason;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn files(place: &Path, ending: &str) -> Vec<PathBuf> {
    if !place.is_dir() {
        return vec![place.to_path_buf()];
    }
    let entries = fs::read_dir(place).expect("a folder that can be listed");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = paths.flat_map(|path| files(&path, ending)).collect();
    found.retain(|path| path.to_string_lossy().ends_with(ending));
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What the files of games and evolutions say of themselves and of their changes, in English.
fn said_by_files() -> Vec<String> {
    let root = crates().join("..");
    let texts = ["games", "evolutions"].map(|folder| files(&root.join(folder), ".toml")).concat();
    let line = |line: &str| {
        let (key, value) = line.split_once(" = ")?;
        let is_told = ["about", "title", "base_name"].contains(&key.trim());
        serde_json::from_str::<String>(value.trim_end_matches(',')).ok().filter(|_| is_told)
    };
    let sentences = |path: PathBuf| {
        let text = read(&path);
        let is_game = path.parent().is_some_and(|folder| folder.ends_with("games"));
        // A game's own sentence stands under its name.
        let changes = text.lines().skip_while(move |line| is_game && !line.starts_with('['));
        changes.filter_map(line).collect::<Vec<String>>()
    };
    texts.into_iter().flat_map(sentences).collect()
}

/// The page tells an end by its code, as the catalogues do.
#[test]
fn the_page_knows_every_reason_that_games_end() {
    let words = read(&crates().join("web/page/words/play.js"));
    for (reason, language) in Reason::ALL.into_iter().flat_map(|reason| Language::ALL.map(|l| (reason, l))) {
        let entry = format!("\"play.reason.{}\": {:?}", reason.code(), reason.message().text(language));
        assert!(words.contains(&entry), "page/words/play.js lacks {entry}");
    }
}

#[test]
fn every_game_and_change_is_told_in_japanese() {
    let words = read(&crates().join("web/page/words/library.js"));
    let names = ashta_rules::game_names()
        .into_iter()
        .flat_map(|name| [format!("library.{name}"), format!("library.{name}.about")]);
    let experiments = [experiment_names(), learning_names(), match_names(), evolution_names()].concat();
    let measures = Measure::ALL.map(Measure::symbol);
    let titles = experiments.iter().chain(&measures).map(|name| format!("names.{name}"));
    let is_game = |text: &str| ashta_rules::game_names().into_iter().any(|name| name == text);
    let sentences =
        said_by_files().into_iter().filter(|text| !is_game(text)).map(|text| format!("says.{text}"));
    let missing: Vec<String> =
        names.chain(titles).chain(sentences).filter(|key| !words.contains(&format!("{key:?}: "))).collect();
    assert!(missing.is_empty(), "put these into page/words/library.js:\n{}", missing.join("\n"));
}

/// A report and the page around it call a thing by one name: experiments, evolutions, changes.
#[test]
fn reports_and_the_page_say_the_same() {
    let page = read(&crates().join("web/page/words/library.js"));
    let experiment = |name| Some((format!("names.{name}"), ashta_lab::published_experiment(name)?.title));
    let evolutions = evolution_names().into_iter().flat_map(|name| {
        let source = ashta_lab::evolution_source(name).expect(name);
        let Evolution { title, changes, .. } = Evolution::read(source).expect(name);
        let texts = changes.into_iter().map(|change| change.about).chain([title]);
        texts.map(|text| (format!("says.{}", text.english()), text)).collect::<Vec<_>>()
    });
    for (key, text) in experiment_names().into_iter().filter_map(experiment).chain(evolutions) {
        let japanese = text.to_arg().text(Language::Japanese);
        let (_, rest) = page.split_once(&format!("{key:?}: ")).unwrap_or_else(|| panic!("{key} is missing"));
        assert!(rest.starts_with(&format!("{japanese:?}")), "{key}: {japanese} in reports only");
    }
}
