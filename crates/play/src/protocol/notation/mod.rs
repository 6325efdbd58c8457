//! What other programs call the games.
//!
//! In: a name. Out: the library's name for it. Never: rules.

use ashta_rules::{game_names, load};

use super::Protocol;

/// Names that other programs have for games of the library: theirs, ours.
const ALIASES: &[(&str, &str)] = &[
    ("normal", "chess"),
    ("torishogi", "tori-shogi"),
    ("shoshogi", "sho-shogi"),
    ("washogi", "wa-shogi"),
    ("5x5+5_shogi", "minishogi"),
];

/// The library's name of a game.
pub fn game_of(name: &str) -> &str {
    let alias = ALIASES.iter().find(|(theirs, _)| *theirs == name);
    alias.map_or(name, |(_, ours)| *ours)
}

/// What other programs may call a game of the library, the likeliest name first.
pub fn foreign_names(game: &str) -> Vec<&str> {
    let aliases = ALIASES.iter().filter(|(_, ours)| *ours == game).map(|(theirs, _)| *theirs);
    std::iter::once(game).chain(aliases).collect()
}

/// Every game of two sides, as other programs may call for it.
pub fn variant_names() -> Vec<&'static str> {
    let is_for_two =
        |name: &&str| load(name).is_ok_and(|rules| rules.sides().len() == 2 && rules.contest().is_none());
    let ours: Vec<&str> = game_names().into_iter().filter(is_for_two).collect();
    let theirs = ALIASES.iter().filter(|(_, name)| ours.contains(name));
    let mut names: Vec<&str> = theirs.map(|(theirs, _)| *theirs).chain(ours.iter().copied()).collect();
    names.sort_unstable();
    names
}

/// The game that programs of a protocol expect if they name none.
pub fn usual_game(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Uci | Protocol::Xboard => "chess",
        Protocol::Usi => "shogi",
    }
}
