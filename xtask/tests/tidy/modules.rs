//! Modules know only those before them: no cycle between the modules of a folder, at any depth.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{expect_none, files, read, root, shown};

/// Edges between the modules of one folder: who names whom.
type Graph = BTreeMap<String, BTreeSet<String>>;

/// Folders that still have a cycle.
const TIED: [&str; 2] = ["crates/position/src/contest", "crates/rules/src/words"];

#[test]
fn modules_have_no_cycles() {
    let mut wrong = Vec::new();
    for manifest in super::member_manifests() {
        let source = manifest.with_file_name("src");
        for folder in files(&source, ".rs").iter().filter_map(|file| file.parent()).collect::<BTreeSet<_>>() {
            let cycle = cycle_in(&graph_of(folder, &source));
            if TIED.contains(&shown(folder).as_str()) {
                assert!(cycle.is_some(), "{} has no cycle any more: take it off the list", shown(folder));
                continue;
            }
            wrong.extend(cycle.map(|cycle| format!("{}: {}", shown(folder), cycle.join(" -> "))));
        }
    }
    expect_none(&wrong);
}

/// The module of a folder that a file belongs to: the first part of its path.
fn module_of(file: &Path, folder: &Path) -> String {
    let inside = file.strip_prefix(folder).unwrap_or(file);
    let first = inside.iter().next().unwrap_or_default().to_string_lossy();
    first.trim_end_matches(".rs").to_string()
}

/// Who names whom among the modules of a folder. The folder's own `mod.rs` may name all of them, and they it.
fn graph_of(folder: &Path, source: &Path) -> Graph {
    let sources = files(folder, ".rs");
    let modules: BTreeSet<String> = sources.iter().map(|file| module_of(file, folder)).collect();
    let parents = folder.strip_prefix(source).into_iter().flat_map(|path| path.iter());
    let from_crate: String = std::iter::once("crate::".to_string())
        .chain(parents.map(|part| format!("{}::", part.to_string_lossy())))
        .collect();
    let mut graph = Graph::new();
    for file in &sources {
        let module = module_of(file, folder);
        if ["lib", "main", "mod"].contains(&module.as_str()) {
            continue;
        }
        let text = read(file);
        // Unit tests may use whatever they test with.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let depth = file.strip_prefix(folder).map_or(0, |inside| inside.iter().count());
        let above = if file.ends_with("mod.rs") { depth - 1 } else { depth };
        let named = paths_of(code, &from_crate).into_iter().chain(paths_of(code, &"super::".repeat(above)));
        let others = named.filter(|name| modules.contains(name) && *name != module);
        graph.entry(module.clone()).or_default().extend(others);
    }
    graph
}

/// First names behind a prefix, in `use` lists too: `crate::a::B`, `crate::{a, b::C}`.
fn paths_of(code: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let is_part = code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let rest = &code[at + prefix.len()..];
        if is_part || rest.starts_with("super::") {
            continue;
        }
        match rest.strip_prefix('{') {
            Some(list) => found.extend(list_names(list)),
            None => found.push(name_at(rest)),
        }
    }
    found
}

fn name_at(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first name of each item of a braced list, up to its closing brace.
fn list_names(list: &str) -> Vec<String> {
    let (mut depth, mut names, mut item) = (1, Vec::new(), String::new());
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(name_at(std::mem::take(&mut item).trim())),
            c if depth == 1 => item.push(c),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names.push(name_at(item.trim()));
    names
}

/// A way from a module back to itself.
fn cycle_in(graph: &Graph) -> Option<Vec<String>> {
    graph.keys().find_map(|start| {
        let mut seen = BTreeSet::new();
        let mut way = vec![start.clone()];
        leads_to(graph, start, start, &mut seen, &mut way).then_some(way)
    })
}

fn leads_to(
    graph: &Graph,
    from: &str,
    goal: &str,
    seen: &mut BTreeSet<String>,
    way: &mut Vec<String>,
) -> bool {
    for next in graph.get(from).into_iter().flatten() {
        way.push(next.clone());
        if next == goal || seen.insert(next.clone()) && leads_to(graph, next, goal, seen, way) {
            return true;
        }
        way.pop();
    }
    false
}

#[test]
fn a_cycle_is_found() {
    let edges = [("a", vec!["b"]), ("b", vec!["c"]), ("c", vec!["b"])];
    let graph: Graph = edges
        .into_iter()
        .map(|(from, to)| (from.to_string(), to.into_iter().map(str::to_string).collect()))
        .collect();
    assert_eq!(cycle_in(&graph), Some(vec!["b".into(), "c".into(), "b".into()]));
    let names = paths_of("use crate::{a, b::{C, d}, e::F};\nlet x = crate::g::h();", "crate::");
    assert_eq!(names, ["a", "b", "e", "g"]);
    assert!(root().join("Cargo.toml").is_file());
}
