//! Every game of the library, with each of its changes, is free of problems.

use ashta_rules::{Setup, game_names, load};

#[test]
fn every_game_and_every_change_checks() {
    for name in game_names() {
        let rules = load(name).unwrap_or_else(|problems| panic!("{name}:\n{problems}"));
        for change in rules.changes() {
            let spec = format!("{name}+{}", change.name);
            load(&spec).unwrap_or_else(|problems| panic!("{spec}:\n{problems}"));
            assert!(!change.about.is_empty(), "{spec} says nothing about itself");
        }
    }
}

#[test]
fn start_positions_read_back() {
    for name in game_names() {
        let rules = load(name).unwrap_or_else(|problems| panic!("{name}:\n{problems}"));
        let text = rules.start().write(&rules);
        let again = Setup::read(&text, &rules).unwrap_or_else(|error| panic!("{name}: {text}: {error}"));
        assert_eq!(&again, rules.start(), "{name}: {text}");
    }
}
