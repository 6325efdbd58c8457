//! Every game has one random game kept as text, `games/NAME.playthrough`: moves, counts, positions, keys and result.
//!
//! Moves, keys and positions are part of what later versions must still understand; a change of any of them shows here.
//! `UPDATE_PLAYTHROUGHS=1` writes the files anew.

use crate::contest_playthrough;
use crate::walk;
use std::fmt::Write as _;
use std::fs;

use crate::walk::SplitMix64;
use ashta_position::Game;
use ashta_rules::game_names;

const SEED: u64 = 1;
const MAX_PLIES: u32 = 200;

/// The player sorts the legal moves by their text and plays the one at `SplitMix64::next() % n`.
fn playthrough(name: &str) -> String {
    let rules = walk::compile(name);
    let mut game = Game::start(&rules);
    let mut random = SplitMix64(SEED);
    let mut out = format!(
        "# {}: one random game. UPDATE_PLAYTHROUGHS=1 cargo test -p ashta-position playthroughs\n",
        rules.rules().name()
    );
    out += "# ply, move, number of legal moves it was chosen from, key of the position after it\n";
    _ = writeln!(out, "game {name}\nseed {SEED}\nposition {}\nkey {:016x}", game.text(), game.key());
    let mut ply = 0;
    while ply < MAX_PLIES && game.outcome().is_none() {
        let moves = walk::moves_by_text(&game);
        let (text, mv) = &moves[random.below(moves.len())];
        game.play(*mv).unwrap_or_else(|error| panic!("{name}: {} {text}: {error}", game.text()));
        ply += 1;
        _ = writeln!(out, "{ply:>3} {text:<6} {:>3} {:016x}", moves.len(), game.key());
        if ply % 10 == 0 {
            _ = writeln!(out, "position {}", game.text());
        }
    }
    if ply % 10 != 0 {
        _ = writeln!(out, "position {}", game.text());
    }
    let outcome =
        game.outcome().map_or("none yet".to_string(), |outcome| outcome.words(rules.rules()).to_string());
    _ = writeln!(out, "outcome {outcome}");
    out
}

#[test]
fn every_game_plays_as_it_did() {
    let update = std::env::var_os("UPDATE_PLAYTHROUGHS").is_some();
    let mut changed = Vec::new();
    for name in game_names() {
        let path = walk::games_folder().join(format!("{name}.playthrough"));
        let found = match walk::is_contest(name) {
            true => contest_playthrough::playthrough(name, SEED),
            false => playthrough(name),
        };
        if update {
            fs::write(&path, &found).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        let kept = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
        if kept != found {
            let differs = |(_, (a, b)): &(usize, (&str, &str))| a != b;
            let first = (1..).zip(kept.lines().zip(found.lines())).find(differs);
            changed.push(match first {
                Some((n, (old, new))) => format!("games/{name}.playthrough:{n}\n  was {old}\n  now {new}"),
                None => format!("games/{name}.playthrough: missing, or of another length"),
            });
        }
    }
    assert!(changed.is_empty(), "\n{}\nif this is meant: UPDATE_PLAYTHROUGHS=1", changed.join("\n"));
}
