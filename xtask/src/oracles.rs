//! `cargo xtask oracles [POSITIONS [GAME ...]]`: our rules against other programs' on random positions.
//!
//! In: how many positions of each game, and which games. Out: what `oracles.py` finds. Never: part of `cargo xtask test`: it takes an hour.

use std::path::Path;
use std::process::{Command, ExitCode};

/// Independent implementations from PyPI.
const ORACLES: [&str; 3] = ["chess==1.11.2", "cshogi==1.1.0", "pyffish==0.0.90"];
const DEFAULT_N_POSITIONS: &str = "100000";

/// Compares the games named, or every game that another program knows.
pub fn compare(n_positions: Option<&str>, games: &[&str]) -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folder = root.join("target/clients");
    let python = folder.join("bin/python");
    let succeeds = |command: &mut Command| command.status().is_ok_and(|status| status.success());
    let mut make_environment = Command::new("python3");
    make_environment.args(["-m", "venv"]).arg(&folder);
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet"]).args(ORACLES);
    let mut build = Command::new("cargo");
    build
        .args(["build", "--release", "-p", "ashta-position", "--example", "random_positions"])
        .current_dir(&root);
    let mut ask = Command::new(&python);
    ask.arg(root.join("xtask/oracles.py")).arg(root.join("target/release/examples/random_positions"));
    ask.arg(n_positions.unwrap_or(DEFAULT_N_POSITIONS)).args(games);
    for mut step in [make_environment, install, build, ask] {
        if !succeeds(&mut step) {
            eprintln!("error: {step:?} failed");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
