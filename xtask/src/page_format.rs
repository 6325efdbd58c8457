//! `cargo xtask format-page`: the page's sources as Prettier writes them; `cargo xtask test` checks the same.
//!
//! In: `crates/web/page`, `.prettierrc.toml`. Out: whether they are formatted. Never: a step that the page needs to be served.

use std::path::Path;
use std::process::Command;

/// What `page_format.py` returns where Prettier or Node cannot be had.
const UNAVAILABLE: i32 = 3;

#[derive(Clone, Copy)]
pub enum Task {
    Check,
    Write,
}

/// Whether the sources are formatted now; nothing, and a notice, where Prettier cannot be had.
pub fn run(task: Task) -> Option<bool> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let clients = root.join("target/clients");
    let task = match task {
        Task::Check => "check",
        Task::Write => "write",
    };
    let mut command = Command::new(clients.join("bin/python"));
    command.arg(root.join("xtask/page_format.py")).arg(task).arg(&clients);
    match command.status().map(|status| status.code()) {
        Ok(Some(UNAVAILABLE)) | Err(_) => {
            eprintln!("  NOTICE: Prettier cannot be installed here: the format of the page is left out");
            None
        }
        Ok(code) => Some(code == Some(0)),
    }
}
