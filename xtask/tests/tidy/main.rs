//! What keeps the repository tidy: arrows between crates and modules, links and file maps in documents, evidence beside games,
//! lengths of files, one word for one thing, and no game's name in code.

mod instructions;
mod messages;
mod modules;
mod names;
mod page;
mod rust_version;

use std::fs;
use std::path::{Path, PathBuf};

/// Files longer than this hold two ideas.
const MAX_LINES: usize = 800;

/// Crates in order: each may use those before it and no other.
const ORDER: &[&str] = &[
    "messages-macros",
    "messages",
    "rules",
    "position",
    "records",
    "search",
    "play",
    "lab",
    "study",
    "web",
    "cli",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file below a folder whose name has this ending, without what is built or hidden.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a folder can be listed to its end").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn expect_none(wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn game_names() -> Vec<String> {
    let name = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    files(&root().join("games"), ".toml").iter().filter_map(name).collect()
}

/// The crates of this workspace that a manifest depends on, development included.
fn used_crates(manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut used = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line.trim();
        } else if section.ends_with("dependencies]") {
            let name = line.split(['=', '.']).next().unwrap_or_default().trim();
            used.extend(name.strip_prefix("ashta-").map(str::to_string));
        }
    }
    used
}

/// The manifests of the workspace's crates. Deeper ones are no members: the peers of a benchmark.
fn member_manifests() -> Vec<PathBuf> {
    let crates = root().join("crates");
    let is_member = |manifest: &PathBuf| manifest.ancestors().nth(2) == Some(crates.as_path());
    files(&crates, "Cargo.toml").into_iter().filter(is_member).collect()
}

#[test]
fn arrows_between_crates_point_one_way() {
    let mut wrong = Vec::new();
    let manifests = member_manifests();
    for manifest in &manifests {
        let folder =
            manifest.parent().and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
        let Some(place) = ORDER.iter().position(|name| *name == folder) else {
            wrong.push(format!(
                "crates/{folder} has no place in ORDER of xtask/tests/tidy/main.rs and in ARCHITECTURE.md"
            ));
            continue;
        };
        for used in used_crates(&read(manifest)) {
            if !ORDER[..place].contains(&used.as_str()) {
                wrong.push(format!("{folder} may not use {used}: the arrow points the other way"));
            }
        }
    }
    assert!(!manifests.is_empty(), "no crates were found");
    expect_none(&wrong);
}

/// The targets of `[text](target)` outside of code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        in_code ^= line.trim_start().starts_with("```");
        let prose: String = line.split('`').step_by(2).collect();
        if !in_code {
            let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            found.extend(
                targets.map(|(target, _)| target.split_whitespace().next().unwrap_or("").to_string()),
            );
        }
    }
    found
}

#[test]
fn links_in_documents_lead_somewhere() {
    let mut wrong = Vec::new();
    for document in files(&root(), ".md") {
        let folder = document.parent().unwrap_or(Path::new("."));
        for link in links(&read(&document)) {
            let target = link.split('#').next().unwrap_or_default();
            let is_elsewhere = target.contains("://") || target.starts_with("mailto:") || target.is_empty();
            if !is_elsewhere && !folder.join(target).exists() {
                wrong.push(format!("{}: there is no {target}", shown(&document)));
            }
        }
    }
    expect_none(&wrong);
}

/// Paths in code spans of ARCHITECTURE.md's file maps: `engine/tree.rs`, `crates/web/page`, `games/`.
fn mapped_paths(text: &str) -> Vec<String> {
    let spans = text.split('`').skip(1).step_by(2);
    let is_path = |span: &&str| {
        let plain = span.chars().all(|c| c.is_alphanumeric() || "/._-".contains(c));
        plain && (span.ends_with(".rs") || span.ends_with(".js") || span.contains('/'))
    };
    spans.filter(is_path).map(|span| span.trim_end_matches('/').to_string()).collect()
}

#[test]
fn file_maps_name_files_that_are_there() {
    let text = read(&root().join("ARCHITECTURE.md"));
    let all: Vec<String> = ["crates", "xtask", "fuzz"]
        .iter()
        .filter(|folder| root().join(folder).is_dir())
        .flat_map(|folder| {
            [".rs", ".js", ".toml", ".html", ".css"].map(|ending| files(&root().join(folder), ending))
        })
        .flatten()
        .map(|path| shown(&path))
        .collect();
    let is_there = |path: &String| {
        root().join(path).exists()
            || all
                .iter()
                .any(|file| file.ends_with(&format!("/{path}")) || file.contains(&format!("/{path}/")))
    };
    let missing = mapped_paths(&text).into_iter().filter(|path| !is_there(path));
    expect_none(&missing.map(|path| format!("ARCHITECTURE.md: there is no {path}")).collect::<Vec<_>>());
}

#[test]
fn every_game_has_its_evidence() {
    let names = game_names();
    assert!(!names.is_empty(), "no games were found");
    let mut wrong = Vec::new();
    for (name, ending) in names.iter().flat_map(|name| [(name, "perft"), (name, "playthrough")]) {
        if !root().join(format!("games/{name}.{ending}")).is_file() {
            wrong.push(format!("games/{name}.{ending} is missing; CONTRIBUTING.md says how to write it"));
        }
    }
    for path in [".perft", ".playthrough"].iter().flat_map(|ending| files(&root().join("games"), ending)) {
        if !path.with_extension("toml").is_file() {
            wrong.push(format!("{} belongs to no game", shown(&path)));
        }
    }
    expect_none(&wrong);
}

#[test]
fn files_hold_one_idea() {
    let lengths = files(&root(), ".rs").into_iter().map(|path| (read(&path).lines().count(), path));
    let long = lengths.filter(|(n_lines, _)| *n_lines > MAX_LINES);
    let wrong: Vec<String> =
        long.map(|(n, path)| format!("{} has {n} lines, more than {MAX_LINES}", shown(&path))).collect();
    expect_none(&wrong);
}

/// Whether a file may speak of games by name: tests, benches and fuzz targets do, and notation and protocol variants, where names belong to formats; and the
/// dictionary of pieces, for one of them is called as its game is.
fn may_name_games(path: &Path) -> bool {
    let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    ["tests", "benches", "examples", "notation", "fuzz", "fairy", "variants.rs"]
        .iter()
        .any(|folder| parts.iter().any(|part| part == folder))
        || path.file_stem().is_some_and(|stem| stem == "tests" || stem == "japanese_names")
}

/// The string literals of a line of code, roughly: comments are left out, escapes are not read.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    let code = if line.trim_start().starts_with("//") { "" } else { line };
    code.split('"').skip(1).step_by(2)
}

#[test]
fn no_game_is_named_in_code() {
    let names = game_names();
    let mut wrong = Vec::new();
    for path in files(&root(), ".rs").iter().filter(|path| !may_name_games(path)) {
        let text = read(path);
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (n, line) in code.lines().enumerate() {
            let named = literals(line)
                .find(|text| names.iter().any(|name| text.split('+').next() == Some(name.as_str())));
            wrong
                .extend(named.map(|name| {
                    format!("{}:{}: \"{name}\": a rule is data of its game", shown(path), n + 1)
                }));
        }
    }
    expect_none(&wrong);
}
