//! Named changes of a game, switched on one after another.
//!
//! In: the changes that a game offers, names. Out: the table with them laid upon it; problems, where two contradict. Never:
//! what the keys mean.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ashta_messages::message;

use crate::node::{ChangeName, Entry, Node, Value};
use crate::problem::{Place, Problem, did_you_mean};

/// The changes that a game offers.
pub struct Offered {
    node: Option<Node>,
    pub names: Arc<[ChangeName]>,
    /// Where each stands among the entries.
    places: HashMap<String, usize>,
}

impl Offered {
    /// The changes in a table.
    pub fn new(node: Option<Node>) -> Offered {
        let names = node.as_ref().map(change_names).unwrap_or_default().into();
        let entries = node.as_ref().map_or(&[][..], Node::entries);
        let places = entries.iter().enumerate().map(|(place, entry)| (entry.key.clone(), place)).collect();
        Offered { node, names, places }
    }

    fn get(&self, name: &str) -> Option<&Node> {
        let place = *self.places.get(name)?;
        self.node.as_ref().and_then(|node| node.entries().get(place)).map(|entry| &entry.node)
    }
}

fn change_names(changes: &Node) -> Vec<ChangeName> {
    let text = |node: &Node, key| match node.get(key).map(|n| &n.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let name = |entry: &Entry| ChangeName {
        name: entry.key.clone(),
        about: text(&entry.node, "about").unwrap_or_default(),
        witness: text(&entry.node, "witness"),
    };
    changes.entries().iter().map(name).collect()
}

/// The changes switched on so far, and which keys they set.
pub struct Applied<'o> {
    offered: &'o Offered,
    pub problems: Vec<Problem>,
    done: HashSet<String>,
    /// By path of a key: the first change that sets it, and to what.
    leaves: HashMap<String, (String, String)>,
    /// By path of a table: the first change that sets a key in it.
    tables: HashMap<String, String>,
}

/// Changes that include changes that include changes: a chain of them is followed no further.
const MAX_INCLUDED: usize = 64;

/// Names of changes that are listed, and compared with one that is not known.
const LISTED: usize = 20;
const COMPARED: usize = 300;

impl<'o> Applied<'o> {
    pub fn new(offered: &'o Offered) -> Applied<'o> {
        let (problems, done) = (Vec::new(), HashSet::new());
        Applied { offered, problems, done, leaves: HashMap::new(), tables: HashMap::new() }
    }

    pub fn switch_on(&mut self, name: &str, from: &Place, depth: usize, root: &mut Node) {
        if self.done.contains(name) {
            return;
        }
        let offered = self.offered;
        let Some(change) = offered.get(name) else { return self.report_unknown(name, from) };
        if depth > MAX_INCLUDED {
            let what = message!("rules.include-depth", most = MAX_INCLUDED);
            self.problems.push(Problem::new(from.clone(), what));
            return;
        }
        self.done.insert(name.to_string());
        let mut change = change.clone();
        if !matches!(change.value, Value::Table(_)) {
            let what = message!("rules.change-type", found = change.value.type_name());
            let hint = message!("rules.write-change", name);
            self.problems.push(Problem::new(change.place, what).hint(hint));
            return;
        }
        change.take("about");
        change.take("witness");
        if let Some(include) = change.take("include") {
            for (included, place) in self.included(&include) {
                self.switch_on(included, place, depth + 1, root);
            }
        }
        self.check_conflicts(name, &change);
        root.overlay(change);
    }

    fn report_unknown(&mut self, name: &str, from: &Place) {
        let known: Vec<&str> = self.offered.names.iter().map(|change| change.name.as_str()).collect();
        let what = message!("rules.no-change", name);
        let near = did_you_mean(name, known.iter().copied().take(COMPARED));
        let hint = near.unwrap_or_else(|| match known.len() {
            0 => message!("rules.offers-nothing"),
            n if n > LISTED => message!("rules.offers-more", names = known[..LISTED], n = n - LISTED),
            _ => message!("rules.offers", names = known),
        });
        self.problems.push(Problem::new(from.clone(), what).hint(hint));
    }

    /// The names that a change includes, each with its place.
    fn included<'n>(&mut self, include: &'n Node) -> Vec<(&'n str, &'n Place)> {
        let Value::List(nodes) = &include.value else {
            let what = message!("rules.include-type", found = include.value.type_name());
            let hint = message!("rules.write-include");
            self.problems.push(Problem::new(include.place.clone(), what).hint(hint));
            return Vec::new();
        };
        let mut names = Vec::new();
        for node in nodes {
            match &node.value {
                Value::Text(text) => names.push((text.as_str(), &node.place)),
                _ => {
                    let what = message!("rules.include-names");
                    self.problems.push(Problem::new(node.place.clone(), what));
                }
            }
        }
        names
    }

    fn check_conflicts(&mut self, name: &str, change: &Node) {
        let mut leaves = Vec::new();
        change.leaves("", &mut leaves);
        for (path, node) in leaves {
            let mut text = String::new();
            node.canonical(&mut text);
            if let Some(other) = self.contradicted(&path, &text) {
                let what = message!("rules.contradiction", first = other, second = name, path);
                self.problems
                    .push(Problem::new(node.place.clone(), what).hint(message!("rules.switch-on-one")));
            }
            for table in tables_of(&path) {
                if !self.tables.contains_key(table) {
                    self.tables.insert(table.to_string(), name.to_string());
                }
            }
            self.leaves.entry(path).or_insert((name.to_string(), text));
        }
    }

    /// The change that sets a key otherwise, or replaces or removes the table that it is in, or sets a key within it.
    fn contradicted(&self, path: &str, text: &str) -> Option<&str> {
        let same = self.leaves.get(path).filter(|(_, set)| set != text).map(|(other, _)| other);
        let around = || tables_of(path).find_map(|table| self.leaves.get(table)).map(|(other, _)| other);
        same.or_else(around).or_else(|| self.tables.get(path)).map(String::as_str)
    }
}

/// The paths of the tables that a key is in.
fn tables_of(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('.').map(|(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::Arc;

    use crate::definition::{Lookup, Written};
    use crate::library::{check_text, game_source};
    use crate::problem::Source;

    fn many(n: usize, keys: impl Fn(usize) -> String) -> String {
        let head = "name = \"X\"\nabout = \"x.\"\nextends = \"chess\"\n";
        let change = |n| format!("[changes.c{n}]\nabout = \"change {n}\"\n{}\n", keys(n));
        head.to_string() + &(0..n).map(change).collect::<String>()
    }

    /// However many changes are tried, the texts are read once.
    #[test]
    fn a_file_is_read_once_for_all_its_changes() {
        let text = many(2_000, |n| format!("ends.plies = {}", n + 10));
        let n_found = Cell::new(0);
        let find = |name: &str| {
            n_found.set(n_found.get() + 1);
            game_source(name)
        };
        let lookup = Lookup { names: &["chess"], find: &find };
        let source = Arc::new(Source { name: "x.toml".into(), text });
        let written = Written::read("x", source, lookup).expect("it is sound");
        assert!(written.changes().len() >= 2_000);
        for change in written.changes() {
            assert!(written.with(&[&change.name]).problems.is_empty());
        }
        assert_eq!(n_found.get(), 1);
    }

    #[test]
    fn chains_of_changes_have_an_end() {
        let chain = many(500, |n| format!("include = [\"c{}\"]", n + 1));
        let problems = check_text("x.toml", &chain).expect_err("too long").0;
        assert!(
            problems.iter().any(|problem| problem
                .what
                .to_string()
                .ends_with("`include` spans more than 64 generations"))
        );
    }

    #[test]
    fn problems_that_come_up_with_every_change_have_an_end() {
        let wrong = many(2_000, |n| format!("ends.plies = \"x{n}\""))
            + "[pieces.rook]\n"
            + &(0..200).map(|n| format!("k{n} = 1\n")).collect::<String>();
        let problems = check_text("x.toml", &wrong).expect_err("it is wrong").0;
        assert!(problems.iter().any(|problem| problem.what.code() == "rules.too-many-problems"));
    }

    #[test]
    fn contradictions_are_found_in_every_shape() {
        let text = many(0, |_| String::new())
            + "[changes.a]\nabout = \"a\"\nends.plies = 10\n[changes.b]\nabout = \"b\"\ninclude = [\"a\"]\nends.plies = 11\n\
               [changes.c]\nabout = \"c\"\ninclude = [\"a\"]\nends = \"none\"\n[changes.d]\nabout = \"d\"\nends = \"none\"\n\
               [changes.e]\nabout = \"e\"\ninclude = [\"d\"]\nends.plies = 12\n[changes.f]\nabout = \"f\"\ninclude = [\"a\"]\nends.plies = 10\n";
        let problems = check_text("x.toml", &text).expect_err("they contradict").0;
        let told = |with: &str, what: &str| {
            problems.iter().any(|p| p.what.to_string() == format!("with the change `{with}`: {what}"))
        };
        assert!(told("b", "changes `a` and `b` contradict each other: both set ends.plies"));
        assert!(told("c", "changes `a` and `c` contradict each other: both set ends"));
        assert!(told("e", "changes `d` and `e` contradict each other: both set ends.plies"));
        assert!(!problems.iter().any(|problem| problem.what.to_string().contains("`f`")));
    }
}
