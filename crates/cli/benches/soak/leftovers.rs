//! What kills may have left behind: files that were being written, folders of nothing, processes of jobs.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::Server;

/// How often, every 100 ms, processes are looked for: those of a server that was killed end by themselves.
const LOOKS: usize = 300;

/// Looks for everything; what is found is an error.
pub fn check(server: &Server) {
    check_files(server);
    check_folders(server);
    check_segments(server);
    check_processes(server);
}

fn check_files(server: &Server) {
    for path in server.files() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_half = name.ends_with(".half") || name.ends_with(".tmp") || name.starts_with("room-");
        // A job that goes on now may be writing.
        if is_half && path.exists() || path.parent().is_some_and(|folder| folder.ends_with("uploads")) {
            server.told.error("left behind: file", path.display().to_string());
        }
    }
}

/// Every folder of jobs and collections is one that is listed.
fn check_folders(server: &Server) {
    for (folder, path, key) in [("jobs", "/api/jobs", "id"), ("collections", "/api/collections", "name")] {
        let listed = server.get(path).unwrap_or_default();
        let text = |one: &Value| one[key].to_string().trim_matches('"').to_string();
        let known: Vec<String> = listed.as_array().into_iter().flatten().map(text).collect();
        for entry in fs::read_dir(server.folder.join(folder)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if !known.contains(&name) {
                server.told.error(format!("left behind: folder of {folder}"), name);
            }
        }
    }
}

/// A collection has the files that its manifest names, and every byte of them is good.
fn check_segments(server: &Server) {
    let collections = server.get("/api/collections").unwrap_or_default();
    for line in collections.as_array().into_iter().flatten() {
        let name = line["name"].as_str().unwrap_or_default();
        let folder = server.folder.join("collections").join(name);
        let is_segment =
            |path: &&PathBuf| path.starts_with(&folder) && path.extension() == Some("seg".as_ref());
        let n_segments = server.files().iter().filter(is_segment).count();
        match server.post(&format!("/api/collections/{name}/check"), &json!({})) {
            Ok(tended) if tended["files"] == n_segments => {}
            other => server.told.error("left behind: segment", format!("{name}: {n_segments}, {other:?}")),
        }
    }
}

/// Every process that works in the data folder is the server's own.
fn check_processes(server: &Server) {
    for n in 0.. {
        match other_process(server) {
            None => return,
            Some(other) if n == LOOKS => return server.told.error("left behind: process", other),
            Some(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
}

fn other_process(server: &Server) -> Option<String> {
    let ours = server.process().to_string();
    let data = server.folder.display().to_string();
    fs::read_dir("/proc").ok()?.flatten().map(|entry| entry.path()).find_map(|process| {
        let command = fs::read(process.join("cmdline")).ok()?;
        let command = String::from_utf8_lossy(&command).replace('\0', " ");
        let is_ours = process.ends_with(&ours) || parent(&process)? == ours;
        (command.contains(&data) && !is_ours).then_some(command)
    })
}

fn parent(process: &Path) -> Option<String> {
    let status = fs::read_to_string(process.join("status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"))?;
    Some(line.trim().to_string())
}
