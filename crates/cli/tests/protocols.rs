//! Complete games through clients that were not written here: python-chess over UCI and XBoard, cshogi over USI, XBoard
//! itself. `cargo xtask test` installs them into `target/clients`; where that cannot be done, a notice says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn client(script: &str, package: &str) {
    let python = root().join("target/clients/bin/python");
    let has = Command::new(&python).args(["-c", &format!("import {package}")]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        eprintln!("NOTICE: {package} is not installed in target/clients; `cargo xtask test` installs it");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(script);
    let output = Command::new(&python).arg(script).arg(env!("CARGO_BIN_EXE_ashta")).output();
    let Output { status, stdout, stderr } = output.expect("python can be started");
    let (said, complained) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{said}\n{complained}");
    eprintln!("{said}");
}

#[test]
fn python_chess_plays_whole_games_over_uci_and_xboard() {
    client("chess_client.py", "chess");
}

#[test]
fn cshogi_plays_a_whole_game_over_usi() {
    client("shogi_client.py", "cshogi");
}

/// XBoard with two of our engines and no screen of its own: it needs Xvfb, and saves the game when it is over.
#[test]
fn xboard_plays_a_whole_game() {
    let is_there =
        |name: &str| ["/usr/bin", "/usr/games"].iter().any(|folder| Path::new(folder).join(name).exists());
    if !is_there("xboard") || !is_there("xvfb-run") {
        return eprintln!(
            "NOTICE: xboard or xvfb-run is not installed: `apt-get install xboard xvfb` on Debian"
        );
    }
    let folder = std::env::temp_dir().join(format!("ashta-xboard-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the game");
    let (record, engine) = (folder.join("game.pgn"), format!("{} xboard", env!("CARGO_BIN_EXE_ashta")));
    let mut child = Command::new("xvfb-run")
        .args([
            "-a",
            "/usr/games/xboard",
            "-fcp",
            &engine,
            "-scp",
            &engine,
            "-mg",
            "1",
            "-depth",
            "3",
            "-xexit",
        ])
        .args(["-saveGameFile", &record.display().to_string(), "-noGUI"])
        .env("HOME", &folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("xvfb-run can be started");
    let begun = Instant::now();
    // It ends by itself, and its screen with it.
    while matches!(child.try_wait(), Ok(None)) && begun.elapsed() < Duration::from_secs(90) {
        std::thread::sleep(Duration::from_millis(100));
    }
    drop(child.kill());
    drop(child.wait());
    let text = std::fs::read_to_string(&record).unwrap_or_default();
    drop(std::fs::remove_dir_all(&folder));
    assert!(text.contains("[Result \""), "no game was saved: {text}");
    assert!(!text.to_lowercase().contains("illegal") && !text.contains("forfeit"), "{text}");
}
