//! Every target is compiled on the stable toolchain, and survives its seeds and some hundred mutations of them.

use ashta_fuzz::{Reading, RunPlan, TARGETS, run_target, target};

/// Mutations of each target; those that start an engine or a laboratory have fewer.
const N_INPUTS: u64 = 400;
const N_SLOW_INPUTS: u64 = 100;

#[test]
fn every_reader_of_bytes_has_a_target() {
    for name in [
        "game-file",
        "variants-ini",
        "xboard-betza",
        "position",
        "moves",
        "pgn",
        "kif",
        "ki2",
        "csa",
        "jkf",
        "usi",
        "polyglot",
        "weights",
        "plan",
        "evolution",
        "journal",
        "segment",
        "manifest",
        "book",
        "ending-table",
        "query",
        "uci-line",
        "usi-line",
        "xboard-line",
        "uci-session",
        "usi-session",
        "xboard-session",
        "json-body",
    ] {
        assert!(target(name).is_some(), "{name}");
    }
}

#[test]
fn every_target_survives_its_seeds_and_mutations_of_them() {
    let mut wrong = Vec::new();
    for target in TARGETS {
        let is_slow = target.name.ends_with("session") || target.name == "json-body";
        let n_inputs = if is_slow { N_SLOW_INPUTS } else { N_INPUTS };
        let report = run_target(target, &RunPlan { n_inputs, seed: 1, n_threads: 2, folder: None });
        let findings = report.findings.iter().filter(|finding| finding.place != "slow");
        wrong.extend(findings.map(|finding| {
            format!("{}: input {}: {}: {}", target.name, finding.input, finding.place, finding.what)
        }));
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn seeds_are_mostly_accepted() {
    let mut wrong = Vec::new();
    for target in TARGETS {
        let seeds = (target.seeds)();
        let n_accepted = seeds.iter().filter(|seed| (target.run)(seed) == Reading::Accepted).count();
        if n_accepted * 3 < seeds.len() {
            wrong.push(format!("{}: {n_accepted} of {} seeds are accepted", target.name, seeds.len()));
        }
        if seeds.iter().any(|seed| seed.len() > target.max_bytes) {
            wrong.push(format!("{}: a seed is cut", target.name));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
