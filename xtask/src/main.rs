//! The project's own commands.
//!
//! In: `cargo xtask test`. Out: every check, one after another, whatever fails, and a summary. Never: a dependency, or a
//! check that only runs here or only on the server.

mod oracles;
mod page_format;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A check: what it is for, and the command.
struct Step {
    title: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// What to do when it fails.
    hint: &'static str,
}

const STEPS: &[Step] = &[
    Step {
        title: "format",
        arguments: &["fmt", "--all", "--check"],
        environment: &[],
        hint: "`cargo fmt` formats everything",
    },
    Step {
        title: "lints",
        arguments: &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"],
        environment: &[],
        hint: "every warning is an error here; the message above says what to change",
    },
    Step {
        title: "tests",
        arguments: &["test", "--workspace", "--no-fail-fast"],
        environment: &[],
        hint: "run the failing test alone with `cargo test --package PACKAGE NAME`",
    },
    Step {
        title: "documents",
        arguments: &["doc", "--workspace", "--no-deps"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
        hint: "a link or a code block in a `///` comment is wrong",
    },
];

const PAGE_FORMAT: &str = "format of the page";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["format-page"] => format_page(),
        ["oracles"] => oracles::compare(None, &[]),
        ["oracles", n_positions, ref games @ ..] => oracles::compare(Some(n_positions), games),
        _ => {
            eprintln!(
                "error: unknown command\n\nhint: `cargo xtask test` formats, lints, tests and documents; \
                 `cargo xtask format-page` formats the page's sources; \
                 `cargo xtask oracles [POSITIONS [GAME ...]]` compares with other programs"
            );
            ExitCode::from(2)
        }
    }
}

fn test() -> ExitCode {
    print_compiler();
    eprintln!("xtask: programs that tests ask");
    install_programs();
    install_font();
    install_clients();
    let fails = |step: &&Step| {
        eprintln!("xtask: {}: cargo {}", step.title, step.arguments.join(" "));
        !run_cargo(step)
    };
    let mut failed: Vec<(&str, &str)> =
        STEPS.iter().filter(fails).map(|step| (step.title, step.hint)).collect();
    eprintln!("xtask: {PAGE_FORMAT}: Prettier");
    if page_format::run(page_format::Task::Check) == Some(false) {
        failed.push((PAGE_FORMAT, "`cargo xtask format-page` formats every source of the page"));
    }
    for (title, hint) in &failed {
        eprintln!("error: {title} failed\n\nhint: {hint}\n");
    }
    let n_checks = STEPS.len() + 1;
    match failed.len() {
        0 => {
            eprintln!("xtask: all {n_checks} checks passed");
            ExitCode::SUCCESS
        }
        n => {
            eprintln!("xtask: {n} of {n_checks} checks failed");
            ExitCode::FAILURE
        }
    }
}

fn format_page() -> ExitCode {
    install_clients();
    if page_format::run(page_format::Task::Write) == Some(true) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// The oldest supported Rust is the one that these checks run on: a newer one says nothing about it.
fn print_compiler() {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let printed = Command::new(rustc).arg("--version").output();
    let version = printed.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    match version {
        Ok(version) if version.starts_with(&format!("rustc {oldest}.")) => {
            eprintln!("xtask: {version}, the oldest supported Rust")
        }
        Ok(version) => {
            eprintln!("xtask: {version}; NOTICE: the oldest supported Rust, {oldest}, is not tested")
        }
        Err(error) => eprintln!("xtask: NOTICE: rustc cannot be started: {error}"),
    }
}

fn run_cargo(step: &Step) -> bool {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::new(cargo);
    command.args(step.arguments).envs(step.environment.iter().copied()).current_dir(root);
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            eprintln!("error: cargo could not be started: {error}");
            false
        }
    }
}

/// Programs of Debian that tests ask, and what is left out without them: they still pass, with a notice.
const PROGRAMS: [(&str, &str); 4] = [
    ("fairy-stockfish", "the comparison with it"),
    ("xboard", "a game through it"),
    ("xvfb-run", "a game through XBoard, which wants a screen"),
    ("chromium-headless-shell", "everything that people do in a browser"),
];

/// Fairy-Stockfish is the tests' independent oracle; XBoard is a client that was not written here.
fn install_programs() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        std::env::split_paths(&path).chain(["/usr/games".into(), "/usr/local/bin".into()]).collect();
    for (program, left_out) in PROGRAMS {
        if folders.iter().any(|folder| folder.join(program).is_file()) {
            eprintln!("  {program} is installed");
            continue;
        }
        let package = if program == "xvfb-run" { "xvfb" } else { program };
        match apt_get_install(package) {
            Ok(()) => eprintln!("  {program} has been installed"),
            Err(why) => {
                eprintln!("  NOTICE: {program} is missing and cannot be installed here: {why}");
                eprintln!("  NOTICE: {left_out} is left out; `apt-get install {package}` on Debian");
            }
        }
    }
}

/// Pictures of pages in Japanese, and of shogi pieces, want characters.
const FONT: &str = "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc";
const FONT_PACKAGE: &str = "fonts-noto-cjk";

fn install_font() {
    if Path::new(FONT).exists() {
        return eprintln!("  {FONT_PACKAGE} is installed");
    }
    match apt_get_install(FONT_PACKAGE) {
        Ok(()) => eprintln!("  {FONT_PACKAGE} has been installed"),
        Err(why) => {
            eprintln!("  NOTICE: {FONT_PACKAGE} cannot be installed here: {why}; pictures may lack kanji")
        }
    }
}

/// Programs from PyPI that speak to our engine and read our books: `crates/cli/tests/protocols.rs`, `crates/study/tests`.
/// Playwright drives the browser: `crates/cli/tests/browser.rs`; Schemathesis asks the API: `crates/cli/tests/serving.rs`.
const CLIENTS: [&str; 4] = ["chess==1.11.2", "cshogi==1.1.0", "playwright==1.65.0", "schemathesis==4.32.5"];

/// Clients live in a folder of their own, which costs a few seconds once. Without them the tests pass, with a notice.
fn install_clients() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/clients");
    let python = folder.join("bin/python");
    let has_all =
        Command::new(&python).args(["-c", "import chess, cshogi, playwright, schemathesis"]).output();
    if has_all.is_ok_and(|output| output.status.success()) {
        return eprintln!("  python-chess, cshogi, playwright and schemathesis are installed");
    }
    let run = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    let make = || run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
    // Debian has the module in a package of its own.
    let made = make() || (apt_get_install("python3-venv").is_ok() && make());
    for client in CLIENTS {
        let installed = made && run(Command::new(&python).args(["-m", "pip", "install", "--quiet", client]));
        match installed {
            true => eprintln!("  {client} has been installed"),
            false => eprintln!("  NOTICE: {client} cannot be installed here: its games are left out"),
        }
    }
}

fn apt_get_install(package: &str) -> Result<(), String> {
    if !Path::new("/usr/bin/apt-get").exists() {
        return Err("this is not a Debian-like system".into());
    }
    let user = Command::new("id").arg("-u").output().map_err(|error| format!("`id` failed: {error}"))?;
    if user.stdout.trim_ascii() != b"0" {
        return Err("only root may install packages".into());
    }
    let install = || apt_get(&["install", "--yes", "--no-install-recommends", package]);
    // A fresh machine may not have the lists of packages yet.
    install().or_else(|_| apt_get(&["update"]).and_then(|()| install()))
}

fn apt_get(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new("apt-get");
    command.arg("--quiet").args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    let output = command.output().map_err(|error| format!("apt-get failed: {error}"))?;
    let last_line =
        || String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("no message").to_string();
    if output.status.success() { Ok(()) } else { Err(format!("apt-get {}: {}", arguments[0], last_line())) }
}
