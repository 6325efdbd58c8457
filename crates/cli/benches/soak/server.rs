//! The server that is soaked: started, asked, killed, started again at the same address.
//!
//! In: requests. Out: answers that came whole, or why none did. Never: a kill taken for an error, or an error for a kill.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::told::Told;

/// How long an answer may take. Sixty-four ask two processors.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often a request is asked again that was answered "not now".
const MOST_BUSY: usize = 10;

/// Why there is no answer.
#[derive(Debug)]
pub enum Failure {
    /// The server was killed meanwhile.
    Killed,
    /// It answered something else.
    Refused(u16, String),
    /// The connection broke, and nobody killed the server.
    Broken(String),
}

pub type Asked<T> = Result<T, Failure>;

struct Life {
    child: Child,
    /// Kept open: whoever writes to a closed pipe fails.
    _said: BufReader<ChildStdout>,
}

pub struct Server {
    program: PathBuf,
    pub folder: PathBuf,
    life: Mutex<Option<Life>>,
    /// Even while the server is there; one more when it is killed, and when it is there again.
    epoch: AtomicU64,
    address: OnceLock<String>,
    token: OnceLock<String>,
    pub told: Told,
}

impl Server {
    pub fn start(program: PathBuf) -> Server {
        let folder = std::env::temp_dir().join(format!("ashta-soak-{}", std::process::id()));
        let server = Server {
            program,
            folder,
            life: Mutex::new(None),
            epoch: AtomicU64::new(1),
            address: OnceLock::new(),
            token: OnceLock::new(),
            told: Told::default(),
        };
        server.begin();
        server
    }

    /// Starts the process and waits until it says where it answers.
    fn begin(&self) {
        let listen = self.address.get().map_or("127.0.0.1:0", String::as_str);
        let mut child = Command::new(&self.program)
            .args(["serve", "--listen", listen, "--no-browser", "--data"])
            .arg(&self.folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut said = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        said.read_line(&mut line).expect("a line");
        let url = line.split("http://").nth(1).unwrap_or_else(|| panic!("no address: {line:?}")).trim();
        let (address, token) = url.split_once("/?token=").expect("a token");
        self.address.get_or_init(|| address.to_string());
        assert_eq!(self.token.get_or_init(|| token.to_string()), token, "the token stays");
        *self.life.lock().expect("no panic") = Some(Life { child, _said: said });
        self.epoch.fetch_add(1, Ordering::SeqCst);
    }

    /// Ends the process as a power cut would.
    pub fn kill(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        let mut life = self.life.lock().expect("no panic").take().expect("it runs");
        life.child.kill().expect("it can be killed");
        life.child.wait().expect("it ends");
    }

    /// Kills it and starts it again; how long that took.
    pub fn restart(&self) -> Duration {
        self.kill();
        let begin = Instant::now();
        self.begin();
        begin.elapsed()
    }

    pub fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Waits until the server is there; which life it is.
    fn alive(&self) -> u64 {
        loop {
            match self.epoch() {
                epoch if epoch % 2 == 0 => return epoch,
                _ => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.life.lock().expect("no panic").as_ref().map_or(0, |life| life.child.id())
    }

    /// Resident memory, in MB.
    pub fn memory(&self) -> f64 {
        let id = self.process();
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<f64>().map_or(f64::NAN, |kilobytes| kilobytes / 1000.0)
    }

    /// The answer to a request, whole.
    pub fn ask(&self, method: &str, path: &str, body: impl AsRef<[u8]>) -> Asked<Vec<u8>> {
        let begin = Instant::now();
        for _ in 0..MOST_BUSY {
            let (head, rest) = self.exchange(|server| {
                let mut answer = Vec::new();
                server.send(method, path, body.as_ref())?.read_to_end(&mut answer)?;
                parted(answer).ok_or_else(|| std::io::Error::other("the answer is not whole"))
            })?;
            match status(&head) {
                200 => {
                    self.told.answered(method, path, begin.elapsed());
                    return Ok(rest);
                }
                503 => {
                    self.told.was_busy();
                    thread::sleep(Duration::from_secs(1));
                }
                status => {
                    let told = String::from_utf8_lossy(&rest).chars().take(300).collect();
                    return Err(Failure::Refused(status, told));
                }
            }
        }
        Err(Failure::Refused(503, format!("{MOST_BUSY} times in a row")))
    }

    pub fn get(&self, path: &str) -> Asked<Value> {
        json(&self.ask("GET", path, "")?)
    }

    pub fn post(&self, path: &str, body: &Value) -> Asked<Value> {
        json(&self.ask("POST", path, body.to_string())?)
    }

    pub fn put(&self, path: &str, body: &Value) -> Asked<Value> {
        json(&self.ask("PUT", path, body.to_string())?)
    }

    pub fn delete(&self, path: &str) -> Asked<()> {
        self.ask("DELETE", path, "").map(|_| ())
    }

    /// Reads events until one is the last that is wanted, then hangs up.
    pub fn watch(&self, method: &str, path: &str, body: &str, is_last: fn(&str) -> bool) -> Asked<()> {
        let begin = Instant::now();
        let seen = self.exchange(|server| {
            let mut seen = String::new();
            for line in BufReader::new(server.send(method, path, body.as_bytes())?).lines() {
                let line = line?;
                if line.starts_with("data:") && is_last(&line) {
                    return Ok(None);
                }
                seen += &line;
            }
            match status(&seen) {
                0 | 200 => Err(std::io::Error::other(format!("the events ended: {seen}"))),
                _ => Ok(Some(seen)),
            }
        })?;
        match seen {
            None => {
                self.told.answered(method, path, begin.elapsed());
                Ok(())
            }
            Some(seen) => Err(Failure::Refused(status(&seen), seen.chars().take(300).collect())),
        }
    }

    /// Sends a request, or the first part of one, and leaves.
    pub fn abandon(&self, method: &str, path: &str, body: &[u8]) -> Asked<()> {
        self.exchange(|server| {
            let mut stream = server.connect()?;
            let head = server.head(method, path, body.len() + 1000);
            stream.write_all(head.as_bytes())?;
            stream.write_all(body)
        })
    }

    /// Speaks with the server; what fails while it is killed is no error.
    fn exchange<T>(&self, speak: impl Fn(&Server) -> std::io::Result<T>) -> Asked<T> {
        let epoch = self.alive();
        speak(self).map_err(|error| {
            // Whoever kills says so before.
            match self.epoch() == epoch {
                true => Failure::Broken(error.to_string()),
                false => Failure::Killed,
            }
        })
    }

    fn connect(&self) -> std::io::Result<TcpStream> {
        let stream = TcpStream::connect(self.address.get().expect("it was started"))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    fn head(&self, method: &str, path: &str, length: usize) -> String {
        let (address, token) = (self.address.get().expect("started"), self.token.get().expect("started"));
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        )
    }

    fn send(&self, method: &str, path: &str, body: &[u8]) -> std::io::Result<TcpStream> {
        let mut stream = self.connect()?;
        stream.write_all(self.head(method, path, body.len()).as_bytes())?;
        stream.write_all(body)?;
        Ok(stream)
    }

    /// Every file below the data folder.
    pub fn files(&self) -> Vec<PathBuf> {
        fn below(folder: &Path, all: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.path() {
                    path if path.is_dir() => below(&path, all),
                    path => all.push(path),
                }
            }
        }
        let mut all = Vec::new();
        below(&self.folder, &mut all);
        all
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut life) = self.life.lock().ok().and_then(|mut life| life.take()) {
            drop(life.child.kill());
            drop(life.child.wait());
        }
        drop(fs::remove_dir_all(&self.folder));
    }
}

fn json(bytes: &[u8]) -> Asked<Value> {
    serde_json::from_slice(bytes).map_err(|error| Failure::Broken(format!("no JSON: {error}")))
}

fn status(head: &str) -> u16 {
    head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

/// Head and body of an answer; nothing if it was cut short.
fn parted(answer: Vec<u8>) -> Option<(String, Vec<u8>)> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let body = &answer[end + 4..];
    let length =
        head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next()?.parse::<usize>().ok());
    let body = match length {
        Some(length) if body.len() == length => body.to_vec(),
        None if head.contains("transfer-encoding: chunked") => joined(body)?,
        _ => return None,
    };
    Some((head, body))
}

/// The chunks of a body, put together.
fn joined(mut chunks: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|two| two == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).ok()?, 16).ok()?;
        chunks = &chunks[end + 2..];
        if length == 0 {
            return Some(body);
        }
        body.extend(chunks.get(..length)?);
        chunks = chunks.get(length + 2..)?;
    }
}
