//! Variant names of GUIs and engines.
//!
//! In: a variant name. Out: the library's name of the game, and back. Never: rules.

use ashta_rules::{game_names, load};

use super::Protocol;

/// Variant name, library name.
const ALIASES: &[(&str, &str)] = &[
    ("normal", "chess"),
    ("torishogi", "tori-shogi"),
    ("shoshogi", "sho-shogi"),
    ("washogi", "wa-shogi"),
    ("5x5+5_shogi", "minishogi"),
    ("chu", "chu-shogi"),
    ("dai", "dai-shogi"),
];

/// The library's name of a variant.
pub fn game_of_variant(name: &str) -> &str {
    let alias = ALIASES.iter().find(|(variant, _)| *variant == name);
    alias.map_or(name, |(_, game)| *game)
}

/// Variant names of a game, the likeliest first.
pub fn variant_aliases(game: &str) -> Vec<&str> {
    let aliases = ALIASES.iter().filter(|(_, name)| *name == game).map(|(variant, _)| *variant);
    std::iter::once(game).chain(aliases).collect()
}

/// Variant names of all games of two sides, sorted.
pub fn variant_names() -> Vec<&'static str> {
    let is_for_two = |name: &&str| load(name).is_ok_and(|rules| rules.is_two_sided());
    let games: Vec<&str> = game_names().into_iter().filter(is_for_two).collect();
    let aliases = ALIASES.iter().filter(|(_, name)| games.contains(name));
    let mut names: Vec<&str> = aliases.map(|(variant, _)| *variant).chain(games.iter().copied()).collect();
    names.sort_unstable();
    names
}

/// The game of a protocol's sessions that name none.
pub fn default_game(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Uci | Protocol::Xboard => "chess",
        Protocol::Usi => "shogi",
    }
}
