//! Whatever the server refuses, it says in English; the page has it in Japanese. Here the two are held together: no sentence of
//! the page that the program does not say, and none that the program says and the page does not know.

mod said;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ashta_lab::learn::learning_names;
use ashta_lab::matches::match_names;
use ashta_lab::{Measure, evolution_names, experiment_names};
use ashta_messages::{Language, Tell};
use ashta_position::Reason;
use said::{is_sentence, texts, with_gaps};

/// Where the sentences of refusals are written: files and folders.
const TELLING: &[&str] = &[
    "lab/src/evolution.rs",
    "lab/src/journal.rs",
    "lab/src/learn/plan.rs",
    "lab/src/learn/rate.rs",
    "lab/src/matches/competitor.rs",
    "lab/src/matches/plan.rs",
    "lab/src/matches/score.rs",
    "lab/src/plan.rs",
];

/// Errors that the page never shows: of other programs as players, which it does not start, and of the insides of journals.
const SILENT: &[&str] = &["lab/src/effects.rs", "lab/src/byte_reader.rs"];

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

/// The English of the page's tables: `["english", "日本語"],` on a line of its own.
fn known() -> BTreeSet<String> {
    let folder = crates().join("web/page/words/told");
    let tables = files(&folder, ".js").into_iter().map(|path| read(&path)).collect::<String>();
    let english = |line: &str| {
        let pair: [String; 2] = serde_json::from_str(line.trim().strip_suffix(',')?).ok()?;
        Some(pair[0].clone())
    };
    tables.lines().filter_map(english).collect()
}

/// What the program may say, with the file that says it.
fn told() -> Vec<(String, PathBuf)> {
    let sources = TELLING.iter().flat_map(|place| files(&crates().join(place), ".rs"));
    sources.flat_map(|path| texts(&read(&path)).into_iter().map(move |text| (text, path.clone()))).collect()
}

#[test]
fn every_refusal_has_a_japanese_sentence() {
    let (known, words) = (known(), read(&crates().join("web/page/words/told.js")));
    let is_known = |text: &str| known.contains(&with_gaps(text)) || words.contains(&format!("{text:?}:"));
    let unknown: BTreeSet<String> = told()
        .into_iter()
        .filter(|(text, _)| is_sentence(text) && !is_known(text))
        .map(|(text, path)| format!("{text:?} ({})", path.display()))
        .collect();
    assert!(
        unknown.is_empty(),
        "put these into page/words/told in Japanese:\n{}",
        unknown.into_iter().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn every_japanese_sentence_is_one_that_is_said() {
    let said: BTreeSet<String> = told().into_iter().map(|(text, _)| with_gaps(&text)).collect();
    // Some are written in two steps: what happened, and then why.
    let is_said = |text: &str| said.contains(text) || said.contains(text.trim_end_matches("{}"));
    let strange: Vec<String> = known().into_iter().filter(|text| !is_said(text)).collect();
    assert!(strange.is_empty(), "nobody says these any more:\n{}", strange.join("\n"));
}

#[test]
fn every_error_is_told_or_known_to_be_silent() {
    let is_listed =
        |path: &Path| TELLING.iter().chain(SILENT).any(|place| path.starts_with(crates().join(place)));
    let below = ["rules", "position", "search", "play", "lab"];
    let sources = below.iter().flat_map(|name| files(&crates().join(name).join("src"), ".rs"));
    let strange: Vec<PathBuf> =
        sources.filter(|path| !is_listed(path) && read(path).contains("#[error(")).collect();
    assert!(strange.is_empty(), "is this told in the page? {strange:?}");
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

/// A report and the page around it call a thing by one name: experiments, evolutions, changes, ends of games.
#[test]
fn reports_and_the_page_say_the_same() {
    let pages =
        ["library.js", "told.js"].map(|file| read(&crates().join("web/page/words").join(file))).concat();
    let phrases = read(&crates().join("lab/src/report/japanese.phrases"));
    let titles = experiment_names()
        .into_iter()
        .filter_map(|name| Some((name, ashta_lab::published_experiment(name)?.title)))
        .collect::<Vec<_>>();
    let keys = |english: &str| {
        let title =
            titles.iter().find(|(_, title)| title == english).map(|(name, _)| format!("names.{name}"));
        [Some(format!("says.{english}")), Some(english.to_string()).filter(|text| is_sentence(text)), title]
    };
    for (english, japanese) in phrases.lines().filter_map(|line| line.split_once(" ⇒ ")) {
        for key in keys(english).into_iter().flatten() {
            let Some((_, rest)) = pages.split_once(&format!("{key:?}: ")) else { continue };
            assert!(rest.starts_with(&format!("{japanese:?}")), "{english}: {japanese} in reports only");
        }
    }
}
