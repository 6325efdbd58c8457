//! Endgame tables: how long they take on one core, and that their longest wins are the known ones.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a benchmark measures time and prints"
)]

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use ashta_position::CompiledRules;
use ashta_study::ending::{EndingMaterial, Endings};

/// Game, ending, plies of its longest win.
const KNOWN: [(&str, &str, u16); 9] = [
    ("chess", "KQK", 19),
    ("chess", "KRK", 31),
    ("chess", "KPK", 55),
    ("chess", "KBBK", 37),
    ("chess", "KBNK", 65),
    // Baring wins unless answered by baring at once; counted to the bared side's last move.
    ("shatranj", "KRKN", 54),
    ("shatranj", "KRKQ", 40),
    ("shatranj", "KRKB", 32),
    ("makruk", "KRKN", 79),
];

fn main() {
    for (game, name, plies) in KNOWN {
        let rules = CompiledRules::new(ashta_rules::load(game).expect("the library is sound"));
        let mut endings = Endings::new(&rules, None);
        let material = EndingMaterial::read(name, rules.rules()).expect("an ending");
        let start = Instant::now();
        let table = endings.prepare(&material, &mut |_| {}, &AtomicBool::new(false)).expect("a table");
        let elapsed = start.elapsed().as_secs_f64();
        let longest = table.longest(0, 1).map(|(plies, _)| plies);
        println!("{game} {name}: longest win {longest:?} plies, {elapsed:.2} s with all that it leads to");
        assert_eq!(longest, Some(plies), "{game} {name}");
        assert!(elapsed < 60.0, "{game} {name} took {elapsed} s");
    }
}
