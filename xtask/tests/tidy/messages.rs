//! Catalogues of messages: every code has a sentence in each language, and somebody says it.
//!
//! The compiler checks the codes that Rust names; what it cannot see is a sentence that nobody names.

use std::collections::BTreeSet;
use std::path::Path;

use super::{expect_none, files, read, root, shown};

/// Only the tests of `crates/messages` use it.
const EXAMPLES: &str = "example.";

fn codes(catalogue: &Path) -> BTreeSet<String> {
    let text = read(catalogue);
    let lines = text.lines().filter(|line| !line.starts_with(['#', ' ']));
    lines.filter_map(|line| Some(line.split_once(" = ")?.0.trim().to_string())).collect()
}

#[test]
fn every_message_is_in_both_languages() {
    let messages = root().join("messages");
    let mut wrong = Vec::new();
    for english in files(&messages.join("en"), ".txt") {
        let japanese = messages.join("ja").join(english.file_name().unwrap_or_default());
        let (en, ja) = (codes(&english), codes(&japanese));
        wrong.extend(en.difference(&ja).map(|code| format!("{} has no `{code}`", shown(&japanese))));
        wrong.extend(ja.difference(&en).map(|code| format!("{} has no `{code}`", shown(&english))));
    }
    expect_none(&wrong);
}

#[test]
fn every_message_is_used() {
    let sources: String = files(&root().join("crates"), ".rs").iter().map(|file| read(file)).collect();
    let is_named = |code: &str| sources.contains(&format!("\"{code}\""));
    let is_used = |code: &String| {
        // `CODE.hint` belongs to `CODE`, unless it is named itself.
        code.starts_with(EXAMPLES) || is_named(code) || code.strip_suffix(".hint").is_some_and(is_named)
    };
    let catalogues = files(&root().join("messages/en"), ".txt");
    let all = catalogues.iter().flat_map(|catalogue| codes(catalogue));
    expect_none(
        &all.filter(|code| !is_used(code)).map(|code| format!("`{code}` is never used")).collect::<Vec<_>>(),
    );
}
