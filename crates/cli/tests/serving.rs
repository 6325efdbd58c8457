//! The server from outside: where it answers, whom it refuses, and that it is there once.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

/// A server with a folder that goes away.
struct Server {
    child: Child,
    folder: std::path::PathBuf,
    said: String,
}

impl Server {
    fn start(name: &str, arguments: &[&str]) -> Server {
        let folder = std::env::temp_dir().join(format!("ashta-serving-{name}-{}", std::process::id()));
        // Sample games would take the processor from the tests.
        std::fs::create_dir_all(folder.join("ashtapada")).expect("a folder");
        std::fs::write(folder.join("ashtapada/samples-made"), "").expect("written");
        Server::start_in(folder, arguments)
    }

    fn start_in(folder: std::path::PathBuf, arguments: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
            .args(arguments)
            .env("XDG_DATA_HOME", &folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        let mut said = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut said).expect("a line");
        Server { child, folder, said }
    }

    fn address(&self) -> &str {
        let (_, url) = self.said.split_once("http://").expect("an address");
        url.split('/').next().expect("a host").trim()
    }

    /// What is answered to a request with these headers.
    fn ask(&self, request: &str, headers: &[&str], body: &str) -> String {
        let mut stream =
            TcpStream::connect(self.address().replace("0.0.0.0", "127.0.0.1")).expect("it listens");
        let mut head =
            format!("{request} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    fn ask_as_us(&self, request: &str) -> String {
        self.ask(request, &[&format!("host: {}", self.address())], "")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn the_program_alone_serves_the_page_and_says_where() {
    let server = Server::start("alone", &[]);
    assert!(server.said.starts_with("Ashtapada is at http://127.0.0.1:"), "{}", server.said);
    let page = server.ask_as_us("GET /");
    assert_eq!(status(&page), "200");
    assert!(page.contains("<title>Ashtapada</title>"));
    let again = Server::start_in(server.folder.clone(), &[]);
    assert!(
        again.said.starts_with(&format!("Ashtapada is open already at http://{}", server.address())),
        "{}",
        again.said
    );
    // Both have the folder; the first takes it away.
    std::mem::forget(again);
}

#[test]
fn other_sites_and_names_are_refused() {
    let server = Server::start("others", &["serve", "--listen", "127.0.0.1:0"]);
    let host = format!("host: {}", server.address());
    let port = server.address().rsplit(':').next().expect("a port").to_string();
    assert_eq!(status(&server.ask("GET /api/games", &[&host], "")), "200");
    for headers in [
        vec![format!("host: evil.example:{port}")],
        vec![host.clone(), "origin: http://evil.example".into()],
        vec![host.clone(), "origin: null".into()],
        vec![host.clone(), "sec-fetch-site: cross-site".into()],
    ] {
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        let answer = server.ask("GET /api/games", &headers, "");
        assert_eq!(status(&answer), "403", "{headers:?}: {answer}");
        assert!(answer.contains("\"error\""), "{answer}");
    }
    // A form of another page can send text, but not JSON.
    let posted = server.ask(
        "POST /api/jobs",
        &[&host, "content-type: text/plain"],
        "{\"kind\":\"analyze\",\"games\":[\"chess\"]}",
    );
    assert_eq!(status(&posted), "400", "{posted}");
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let server = Server::start("paths", &["serve", "--listen", "127.0.0.1:0"]);
    for path in [
        "/../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/api/games/..%2f..%2fetc%2fpasswd",
        "/api/values/..%2f..%2fx",
        "/api/jobs/1/files/..%2fjob.json",
        "/api/collections/..%2f..",
        "/style.css/..%2f..%2fin-use",
    ] {
        let answer = server.ask_as_us(&format!("GET {path}"));
        let is_page = answer.contains("<title>Ashtapada</title>");
        assert!(is_page || ["400", "404", "405"].contains(&status(&answer)), "{path}: {answer}");
    }
    let job = r#"{"kind":"analyze","games":["../../etc/passwd"]}"#;
    let host = format!("host: {}", server.address());
    let answer = server.ask("POST /api/jobs", &[&host, "content-type: application/json"], job);
    assert!(status(&answer).starts_with('4'), "{answer}");
}

#[test]
fn too_much_is_refused() {
    let server = Server::start("much", &["serve", "--listen", "127.0.0.1:0"]);
    let host = format!("host: {}", server.address());
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let head = format!(
        "POST /api/position HTTP/1.1\r\n{host}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 900000000\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    let mut answer = String::new();
    drop(stream.read_to_string(&mut answer));
    assert!(status(&answer).starts_with('4'), "{answer}");
}

/// Resident memory of the server, in kilobytes.
#[cfg(target_os = "linux")]
fn memory_kb(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line of it");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

#[cfg(target_os = "linux")]
#[test]
fn idle_connections_cost_little() {
    const N_CONNECTIONS: usize = 300;
    let server = Server::start("idle", &["serve", "--listen", "127.0.0.1:0"]);
    server.ask_as_us("GET /api/games");
    let before = memory_kb(&server);
    let connections: Vec<TcpStream> =
        (0..N_CONNECTIONS).map(|_| TcpStream::connect(server.address()).expect("it listens")).collect();
    // Answered after all of these were accepted.
    assert_eq!(status(&server.ask_as_us("GET /api/games")), "200");
    let each = memory_kb(&server).saturating_sub(before) / N_CONNECTIONS;
    assert!(each < 200, "{each} kB for each connection");
    drop(connections);
}

#[test]
fn other_machines_are_asked_for_a_token() {
    let server = Server::start("token", &["serve", "--listen", "0.0.0.0:0", "--token", "secret"]);
    assert!(server.said.contains("/?token=secret"), "{}", server.said);
    let port = server.address().rsplit(':').next().expect("a port").to_string();
    let host = format!("host: 192.168.1.2:{port}");
    assert_eq!(status(&server.ask("GET /api/games", &[&host], "")), "403");
    assert_eq!(status(&server.ask("GET /", &[&host], "")), "403");
    assert_eq!(status(&server.ask("GET /api/games", &[&host, "authorization: Bearer secret"], "")), "200");
    let taken = server.ask("GET /?token=secret", &[&host], "");
    assert_eq!(status(&taken), "303", "{taken}");
    assert!(taken.contains("ashta-token=secret; HttpOnly; SameSite=Strict"), "{taken}");
    assert_eq!(status(&server.ask("GET /", &[&host, "cookie: ashta-token=secret"], "")), "200");
    assert!(!server.said.contains("0.0.0.0"), "nobody can go there: {}", server.said);
    let asked = server.ask("GET /", &[&host, "accept: text/html"], "");
    assert_eq!(status(&asked), "403");
    assert!(asked.contains("name=\"token\"") && asked.contains("form-action 'self'"), "{asked}");
    assert!(!server.ask("GET /api/games", &[&host, "accept: text/html"], "").contains("<form"));
}
