//! The oldest supported Rust: stated in `Cargo.toml`, and the same in every document.

use super::{expect_none, files, member_manifests, read, root, shown};

/// What documents say: "Rust 1.95 or newer".
const BEFORE: &str = "Rust ";
const AFTER: &str = " or newer";

fn stated(text: &str) -> Vec<&str> {
    let ends = text.match_indices(AFTER).map(|(at, _)| &text[..at]);
    ends.filter_map(|before| before.rsplit_once(BEFORE)).map(|(_, version)| version).collect()
}

#[test]
fn versions_are_found_in_text() {
    assert_eq!(stated("Rust 1.9 or newer, on Rust 2 or newer"), ["1.9", "2"]);
    assert!(stated("Rust 1.9, or a newer one").is_empty());
}

#[test]
fn documents_state_the_oldest_supported_rust() {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let mut wrong = Vec::new();
    for document in files(&root(), ".md") {
        let text = read(&document);
        let versions = stated(&text);
        if versions.is_empty() && document == root().join("README.md") {
            wrong.push(format!("README.md does not say `{BEFORE}{oldest}{AFTER}`"));
        }
        let others = versions.into_iter().filter(|version| *version != oldest);
        wrong.extend(
            others
                .map(|version| format!("{}: Rust {version}, but Cargo.toml has {oldest}", shown(&document))),
        );
    }
    expect_none(&wrong);
}

#[test]
fn every_crate_has_the_workspaces_rust_version() {
    let manifests = member_manifests()
        .into_iter()
        .chain(["fuzz", "xtask"].map(|name| root().join(name).join("Cargo.toml")));
    let wrong: Vec<String> = manifests
        .filter(|manifest| !read(manifest).contains("rust-version.workspace = true"))
        .map(|manifest| format!("{} lacks `rust-version.workspace = true`", shown(&manifest)))
        .collect();
    expect_none(&wrong);
}
