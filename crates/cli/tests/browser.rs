//! What people do in the browser, done in Chromium: one file in `tests/browser` for each part of the page.
//! `cargo xtask test` installs Chromium and Playwright; where that cannot be done, a notice says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn browse(script: &str) {
    let python = root().join("target/clients/bin/python");
    let has = Command::new(&python).args(["-c", "import playwright"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) || !Path::new("/usr/bin/chromium").exists() {
        eprintln!("NOTICE: Chromium or Playwright is not installed; `cargo xtask test` installs them");
        return;
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser").join(script);
    let output = Command::new(&python).arg(script).arg(env!("CARGO_BIN_EXE_ashta")).output();
    let Output { status, stdout, stderr } = output.expect("python can be started");
    let (said, complained) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{said}\n{complained}");
    eprintln!("{said}");
}

#[test]
fn access() {
    browse("access.py");
}

#[test]
fn the_board() {
    browse("board.py");
}

#[test]
fn games() {
    browse("games.py");
}

#[test]
fn measuring_and_learning() {
    browse("jobs.py");
}

#[test]
fn play() {
    browse("play.py");
}

#[test]
fn records() {
    browse("records.py");
}

#[test]
fn the_shell() {
    browse("shell.py");
}

#[test]
fn study() {
    browse("study.py");
}
