//! What people do in the browser, done in Chromium: one file in `tests/browser` for each part of the page.
//! `cargo xtask test` installs Chromium and Playwright; where that cannot be done, a notice says so.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where Debian installs it; `laboratory.py` takes the first.
const CHROMIUMS: [&str; 2] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/// All files at once: they share servers and run on every processor. `tests/browser/FILE.py` runs one alone.
#[test]
fn what_people_do_in_the_browser() {
    let python = root().join("target/clients/bin/python");
    let has = Command::new(&python).args(["-c", "import playwright"]).stderr(Stdio::null()).status();
    let has_chromium = CHROMIUMS.iter().any(|path| Path::new(path).exists());
    if !has.is_ok_and(|status| status.success()) || !has_chromium {
        eprintln!("NOTICE: Chromium or Playwright is not installed; `cargo xtask test` installs them");
        return;
    }
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/all.py");
    let output = Command::new(&python).arg(all).arg(env!("CARGO_BIN_EXE_ashta")).output();
    let Output { status, stdout, stderr } = output.expect("python can be started");
    let (said, complained) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{said}\n{complained}");
    eprintln!("{said}");
}
