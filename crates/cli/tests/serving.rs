//! The server from outside: where it answers, whom it refuses, and that it is there once.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

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
        Server::start_with(folder, arguments, &[])
    }

    fn start_with(folder: std::path::PathBuf, arguments: &[&str], environment: &[(&str, &str)]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
            .args(arguments)
            .env("XDG_DATA_HOME", &folder)
            .env_remove("ASHTA_TOKEN")
            .envs(environment.iter().copied())
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

    /// The end of the address that was printed.
    fn token(&self) -> &str {
        self.said.split_once("?token=").map_or("", |(_, token)| token.trim())
    }

    /// The header that a script sends.
    fn bearer(&self) -> String {
        format!("authorization: Bearer {}", self.token())
    }

    /// What is answered to a request with these headers.
    fn ask(&self, request: &str, headers: &[&str], body: &str) -> String {
        self.ask_with(request, headers, body.as_bytes())
    }

    /// The same with a file.
    fn ask_with(&self, request: &str, headers: &[&str], body: &[u8]) -> String {
        let mut stream =
            TcpStream::connect(self.address().replace("0.0.0.0", "127.0.0.1")).expect("it listens");
        let mut head =
            format!("{request} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        headers.iter().for_each(|header| head += &format!("{header}\r\n"));
        stream.write_all(&[head.as_bytes(), b"\r\n", body].concat()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }

    fn ask_as_us(&self, request: &str) -> String {
        self.ask(request, &[&format!("host: {}", self.address()), &self.bearer()], "")
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
    let opened = format!("Ashtapada is open already at http://{}/?token=", server.address());
    assert!(again.said.starts_with(&opened), "{}", again.said);
    assert_eq!(again.token(), server.token());
    // Both have the folder; the first takes it away.
    std::mem::forget(again);
}

#[test]
fn other_sites_and_names_are_refused() {
    let server = Server::start("others", &["serve", "--listen", "127.0.0.1:0"]);
    let host = format!("host: {}", server.address());
    let port = server.address().rsplit(':').next().expect("a port").to_string();
    let bearer = server.bearer();
    assert_eq!(status(&server.ask("GET /api/games", &[&host, &bearer], "")), "200");
    for headers in [
        vec![format!("host: evil.example:{port}")],
        vec![host.clone(), "origin: http://evil.example".into()],
        vec![host.clone(), "origin: null".into()],
        vec![host.clone(), "sec-fetch-site: cross-site".into()],
    ] {
        let mut headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        headers.push(&bearer);
        let answer = server.ask("GET /api/games", &headers, "");
        assert_eq!(status(&answer), "403", "{headers:?}: {answer}");
        assert!(answer.contains("\"error\""), "{answer}");
    }
    // A form of another page can send text, but not JSON.
    let posted = server.ask(
        "POST /api/jobs",
        &[&host, &bearer, "content-type: text/plain"],
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
    let answer =
        server.ask("POST /api/jobs", &[&host, &server.bearer(), "content-type: application/json"], job);
    assert!(status(&answer).starts_with('4'), "{answer}");
}

#[test]
fn too_much_is_refused() {
    let server = Server::start("much", &["serve", "--listen", "127.0.0.1:0"]);
    let host = format!("host: {}", server.address());
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let head = format!(
        "POST /api/position HTTP/1.1\r\n{host}\r\n{}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 900000000\r\n\r\n",
        server.bearer()
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

/// Bytes of a bomb, unpacked: eight times what a small packed file may hold.
#[cfg(target_os = "linux")]
const BOMB: usize = 512 << 20;

/// A small file that unpacks to so much.
#[cfg(target_os = "linux")]
fn bomb<W: Write>(text: &[u8], mut packer: W) -> W {
    let block = text.repeat((1 << 20) / text.len());
    for _ in 0..BOMB / block.len() {
        packer.write_all(&block).expect("packed");
    }
    packer
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_unpacks_to_too_much_is_refused() {
    let server = Server::start("bombs", &["serve", "--listen", "127.0.0.1:0"]);
    let host = format!("host: {}", server.address());
    let send = |name: &str, body: &[u8]| {
        let request = format!("PUT /api/collections/bombs/import?file={name}");
        server.ask_with(&request, &[&host, &server.bearer()], body)
    };
    let zstd = |text: &[u8]| {
        let packer = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
        bomb(text, packer).finish().expect("packed")
    };
    let gzip = |text: &[u8]| {
        let packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        bomb(text, packer).finish().expect("packed")
    };
    let mut long = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    long.window_log(28).expect("a window");
    long.write_all(b"1. e4 e5 *\n").expect("packed");
    let long = long.finish().expect("packed");
    server.ask_as_us("GET /api/games");
    let before = memory_kb(&server);
    for (name, file) in [("a.pgn.zst", zstd(b"x")), ("a.pgn.gz", gzip(b"x")), ("long.pgn.zst", long)] {
        assert!(file.len() < BOMB / 100, "{} bytes", file.len());
        let answer = send(name, &file);
        assert_eq!(status(&answer), "413", "{name}: {answer}");
        assert!(
            answer.contains("\"error\":\"the file decompresses to more than the upload limit"),
            "{answer}"
        );
        assert!(answer.contains("\"hint\":\"send it uncompressed or in parts"), "{answer}");
        let grown = memory_kb(&server).saturating_sub(before);
        assert!(grown < 150_000, "{name}: {grown} kB more");
    }
    assert_eq!(status(&server.ask_as_us("GET /api/collections/bombs")), "404", "nothing is left of them");
    let small = "1. e4 e5 *\n\n".repeat(3);
    let packed = zstd::encode_all(small.as_bytes(), 1).expect("packed");
    let answer = send("c.pgn.zst", &packed);
    assert!(status(&answer) == "200" && answer.contains("\"added\":1"), "{answer}");
}

/// `cargo xtask test` installs Schemathesis; where that cannot be done, a notice says so.
#[test]
fn schemathesis_asks_every_operation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = root.join("../../target/clients/bin/python");
    let has = Command::new(&python).args(["-c", "import schemathesis"]).stderr(Stdio::null()).status();
    if !has.is_ok_and(|status| status.success()) {
        return eprintln!(
            "NOTICE: schemathesis is not installed in target/clients; `cargo xtask test` installs it"
        );
    }
    let server = Server::start("schema", &["serve", "--listen", "127.0.0.1:0"]);
    let url = format!("http://{}", server.address());
    let script = root.join("tests/clients/api_client.py");
    let output = Command::new(&python).arg(script).args([&url, server.token()]).output();
    let Output { status, stdout, stderr } = output.expect("python can be started");
    let (said, complained) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{said}\n{complained}");
    eprintln!("{said}");
}

const TOKEN: &str = "0123456789abcdef";

#[test]
fn other_machines_are_asked_for_a_token() {
    let folder = std::env::temp_dir().join(format!("ashta-serving-token-{}", std::process::id()));
    let arguments = ["serve", "--listen", "0.0.0.0:0"];
    let server = Server::start_with(folder, &arguments, &[("ASHTA_TOKEN", TOKEN)]);
    assert_eq!(server.token(), TOKEN, "{}", server.said);
    assert!(!server.said.contains("0.0.0.0"), "nobody can go there: {}", server.said);
    let port = server.address().rsplit(':').next().expect("a port").to_string();
    let host = format!("host: 192.168.1.2:{port}");
    assert_eq!(status(&server.ask("GET /api/games", &[&host], "")), "401");
    assert_eq!(status(&server.ask("GET /api/games", &[&host, &server.bearer()], "")), "200");
    assert!(!server.folder.join("ashtapada/token").exists(), "a token that was given is not kept");
}

/// The cookie that an answer gives.
fn cookie(answer: &str) -> String {
    let (_, cookie) = answer.split_once("set-cookie: ").unwrap_or_else(|| panic!("no cookie: {answer}"));
    format!("cookie: {}", cookie.split(';').next().unwrap_or_default())
}

#[test]
fn this_machine_is_asked_for_the_token_and_the_browser_is_remembered() {
    let mut server = Server::start("asked", &["serve", "--listen", "127.0.0.1:0"]);
    let host = format!("host: {}", server.address());
    for (request, headers) in [
        ("GET /api/games", vec![]),
        ("GET /", vec![]),
        ("DELETE /api/collections/sample-chess", vec![]),
        ("GET /api/games", vec!["authorization: Bearer 0123456789abcdef0123456789abcdef"]),
        ("GET /api/games", vec!["authorization: Bearer "]),
        ("GET /?token=0123456789abcdef", vec![]),
        ("GET /api/games?token=TOKEN", vec![]),
        ("POST /?token=TOKEN", vec![]),
    ] {
        let headers = [vec![host.as_str()], headers].concat();
        let answer = server.ask(&request.replace("TOKEN", server.token()), &headers, "");
        assert_eq!(status(&answer), "401", "{request} {headers:?}: {answer}");
        assert!(!answer.contains("set-cookie"), "{answer}");
    }
    let taken = server.ask(&format!("GET /?token={}", server.token()), &[&host], "");
    assert_eq!(status(&taken), "200", "{taken}");
    assert!(taken.contains("; HttpOnly; SameSite=Strict; Path=/"), "{taken}");
    let cookie = cookie(&taken);
    assert!(!cookie.contains(server.token()), "the cookie is not the token");
    assert_eq!(status(&server.ask("GET /api/games", &[&host, &cookie], "")), "200");
    // A page that is open goes on when the server is started again at its address.
    let (address, token) = (server.address().to_string(), server.token().to_string());
    server.child.kill().expect("killed");
    server.child.wait().expect("ended");
    let again = Server::start_in(server.folder.clone(), &["serve", "--listen", &address]);
    assert_eq!(again.token(), token, "the address that was printed stays good");
    assert_eq!(status(&again.ask("GET /api/games", &[&host, &cookie], "")), "200");
    assert_eq!(status(&again.ask("GET /api/games", &[&host, &format!("{cookie}0")], "")), "401");
}

#[test]
fn a_person_without_the_token_is_led_to_it() {
    let server = Server::start("led", &["serve", "--listen", "127.0.0.1:0"]);
    let host = format!("host: {}", server.address());
    let asked = server.ask("GET /", &[&host, "accept: text/html"], "");
    assert_eq!(status(&asked), "401");
    assert!(asked.contains("name=\"token\"") && asked.contains("form-action 'self'"), "{asked}");
    assert!(asked.contains("Open the address that <code>ashta</code> printed"), "{asked}");
    let wrong = server.ask("GET /?token=wrong", &[&host, "accept: text/html"], "");
    assert!(wrong.contains("That is not the token"), "{wrong}");
    // A page whose session is gone can still load what says so.
    assert_eq!(status(&server.ask("GET /app.js", &[&host], "")), "200");
    assert_eq!(status(&server.ask("GET /index.html", &[&host], "")), "401");
    let script = server.ask("GET /api/games", &[&host, "accept: text/html"], "");
    assert!(script.contains("\"error\":\"a token is required\""), "{script}");
    // A browser that follows a link of another site keeps the cookie back: it is led on by a step of our own.
    let from_elsewhere = [host.as_str(), "accept: text/html", "sec-fetch-site: cross-site"];
    let led = server.ask("GET /", &from_elsewhere, "");
    assert!(status(&led) == "303" && led.contains("location: /?enter"), "{led}");
    let entered = server.ask("GET /?enter", &from_elsewhere, "");
    assert!(status(&entered) == "200" && entered.contains("location.replace"), "{entered}");
}

/// The headers that fence the page in.
const FENCE: [&str; 4] =
    ["content-security-policy: ", "x-content-type-options: ", "x-frame-options: ", "referrer-policy: "];

#[test]
fn refusals_have_the_headers_of_answers() {
    let server = Server::start("headers", &["serve", "--listen", "127.0.0.1:0"]);
    let (host, bearer) = (format!("host: {}", server.address()), server.bearer());
    for (request, headers, wanted) in [
        ("GET /", [host.as_str(), &bearer], "200"),
        ("GET /", [&host, "accept: text/html"], "401"),
        ("GET /api/games", [&host, "accept: */*"], "401"),
        ("GET /?token=wrong", [&host, "accept: */*"], "401"),
        ("GET /api/games", ["host: evil.example", &bearer], "403"),
        ("GET /api/games", [&host, "origin: http://evil.example"], "403"),
        ("GET /api/nothing", [&host, &bearer], "404"),
        ("GET /nothing.js", [&host, &bearer], "404"),
        ("POST /api/position", [&host, &bearer], "400"),
        ("PATCH /api/position", [&host, &bearer], "405"),
        ("GET /api/games/own/%ff", [&host, &bearer], "405"),
    ] {
        let answer = server.ask(request, &headers, "");
        assert_eq!(status(&answer), wanted, "{request} {headers:?}: {answer}");
        for name in FENCE {
            assert!(answer.contains(name), "{request} {headers:?} has no {name}: {answer}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_other_user_can_read_the_token() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start("secret", &["serve", "--listen", "127.0.0.1:0"]);
    let data = server.folder.join("ashtapada");
    let kept = std::fs::read_to_string(data.join("token")).expect("kept");
    assert_eq!(kept.trim(), server.token());
    server.ask(&format!("GET /?token={}", server.token()), &[&format!("host: {}", server.address())], "");
    for name in ["token", "sessions.json"] {
        let mode = std::fs::metadata(data.join(name)).expect("there").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}");
    }
    let command = std::fs::read(format!("/proc/{}/cmdline", server.child.id())).expect("it runs");
    assert!(!String::from_utf8_lossy(&command).contains(server.token()), "in the list of processes");
    let sessions = std::fs::read_to_string(data.join("sessions.json")).expect("kept");
    assert!(!sessions.contains(server.token()), "{sessions}");
}

#[test]
fn the_token_can_be_switched_off_and_comes_from_a_file() {
    let server = Server::start("off", &["serve", "--listen", "127.0.0.1:0", "--no-token"]);
    assert!(!server.said.contains("token"), "{}", server.said);
    let host = format!("host: {}", server.address());
    assert_eq!(status(&server.ask("GET /api/games", &[&host], "")), "200");
    let file = server.folder.join("my-token");
    std::fs::write(&file, format!("{TOKEN}\n")).expect("written");
    let file = file.display().to_string();
    let other = Server::start("file", &["serve", "--listen", "127.0.0.1:0", "--token-file", &file]);
    assert_eq!(other.token(), TOKEN);
}
