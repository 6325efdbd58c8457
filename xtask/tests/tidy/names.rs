//! One thing, one word: the words that `language.md` retired do not come back, and a type name stands for one thing in a crate.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::{expect_none, files, member_manifests, read, root, shown};

/// Identifiers and phrases that the field has other words for: what to look for, where, what to write.
///
/// A word is looked for as a whole word, also within `snake_case` and `CamelCase` names where it begins with a capital.
const RETIRED: &[(&str, &str, &str)] = include!("retired_words.rs");

#[test]
fn retired_words_are_not_used() {
    let mut wrong = Vec::new();
    let sources: Vec<PathBuf> = files(&root().join("crates"), ".rs").into_iter().chain(documents()).collect();
    for path in sources {
        let (name, text) = (shown(&path), read(&path));
        for (n, line) in text.lines().enumerate() {
            for (word, place, instead) in RETIRED.iter().filter(|(_, place, _)| name.starts_with(place)) {
                if has_word(line, word) {
                    wrong.push(format!("{name}:{}: `{word}`: write {instead} ({place})", n + 1));
                }
            }
        }
    }
    expect_none(&wrong);
}

fn documents() -> Vec<PathBuf> {
    let mut found = files(&root().join("docs"), ".md");
    found.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    found
}

/// Whether a line has a word by itself: nothing that belongs to a name stands on either side.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !joins(before) && !joins(after)
    })
}

#[test]
fn a_type_name_stands_for_one_thing_in_a_crate() {
    let mut wrong = Vec::new();
    for manifest in member_manifests() {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in files(&manifest.with_file_name("src"), ".rs") {
            for name in type_names(&read(&path)) {
                places.entry(name).or_default().push(shown(&path));
            }
        }
        let twice = places.into_iter().filter(|(_, files)| files.len() > 1);
        wrong.extend(twice.map(|(name, files)| format!("`{name}` is defined in {}", files.join(" and "))));
    }
    expect_none(&wrong);
}

/// Names of the types that a file defines at its top level or in its modules, not in functions or implementations.
fn type_names(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let definition = |line: &str| {
        let line = line.strip_prefix("pub(crate) ").or(line.strip_prefix("pub(super) ")).unwrap_or(line);
        let line = line.strip_prefix("pub ").unwrap_or(line);
        let words = ["struct ", "enum ", "trait ", "type ", "union "];
        let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
        Some(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>())
    };
    code.lines().filter_map(definition).collect()
}

#[test]
fn words_are_found_by_themselves_alone() {
    assert!(has_word("let height = 3;", "height"));
    assert!(has_word("/// The height.", "height"));
    assert!(!has_word("let heights = 3; let my_height = 4;", "height"));
    assert_eq!(type_names("pub struct A {\n}\n    enum Inner {}\npub(crate) type B = u8;"), ["A", "B"]);
}
