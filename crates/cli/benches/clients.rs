//! Many at once: 64 clients search, play and watch a job for five minutes; no error, and memory stays where it was.
//!
//! `cargo bench -p ashta --bench clients`; a number after `--` is another number of seconds.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const N_CLIENTS: usize = 64;
const SECONDS: u64 = 300;
/// What the resident memory may grow by between the first fifth and the end, for caches that fill late.
const MOST_GROWTH: f64 = 1.10;

/// What a client does; each does one of these again and again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Habit {
    Search,
    Explore,
    Place,
    Play,
    Watch,
}

const HABITS: [Habit; 5] = [Habit::Search, Habit::Explore, Habit::Place, Habit::Play, Habit::Watch];

struct Server {
    child: Child,
    address: String,
    token: String,
    folder: std::path::PathBuf,
}

impl Server {
    fn start() -> Server {
        let folder = std::env::temp_dir().join(format!("ashta-clients-{}", std::process::id()));
        let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
            .args(["serve", "--listen", "127.0.0.1:0", "--no-browser", "--data"])
            .arg(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut said = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut said).expect("a line");
        let url = said.split("http://").nth(1).expect("an address").trim();
        let (address, token) = url.split_once("/?token=").expect("a token");
        Server { child, address: address.to_string(), token: token.to_string(), folder }
    }

    /// Resident memory, in MB.
    fn memory(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<f64>().map_or(f64::NAN, |kilobytes| kilobytes / 1000.0)
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Result<String, String> {
        let mut stream = self.send(method, path, body)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).map_err(|error| error.to_string())?;
        match answer.starts_with("HTTP/1.1 200") {
            true => Ok(answer),
            false => Err(answer.chars().take(300).collect()),
        }
    }

    fn send(&self, method: &str, path: &str, body: &str) -> Result<TcpStream, String> {
        let mut stream = TcpStream::connect(&self.address).map_err(|error| error.to_string())?;
        _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
        let head = format!(
            "{method} /api/{path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            self.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).map_err(|error| error.to_string())?;
        Ok(stream)
    }

    /// Reads some events of a job.
    fn watch(&self, job: &str) -> Result<(), String> {
        let stream = self.send("GET", &format!("jobs/{job}/events"), "")?;
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        match lines.filter(|line| line.starts_with("data:")).take(3).count() {
            0 => Err("no event came".to_string()),
            _ => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
        drop(fs::remove_dir_all(&self.folder));
    }
}

fn act(server: &Server, habit: Habit, n: usize) -> Result<(), String> {
    let square = ["e4", "d4", "f3", "c5", "e5", "g6"][n % 6];
    match habit {
        Habit::Search => {
            let body = format!("{{\"query\":\"{square}=P or {square}=p\",\"offset\":0,\"limit\":20}}");
            server.ask("POST", "collections/sample-chess/find", &body).map(|_| ())
        }
        Habit::Explore => {
            server.ask("POST", "collections/sample-chess/explore", "{\"moves\":[]}").map(|_| ())
        }
        Habit::Place => {
            let body = "{\"game\":\"shogi\",\"moves\":[\"7g7f\",\"3c3d\",\"8h2b+\"]}";
            server.ask("POST", "position", body).map(|_| ())
        }
        Habit::Play => {
            let body =
                format!("{{\"game\":\"chess\",\"moves\":[\"e2e4\"],\"player\":\"level:2\",\"seed\":{n}}}");
            server.ask("POST", "reply", &body).map(|_| ())
        }
        Habit::Watch => server.watch("1"),
    }
}

fn main() {
    let seconds = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(SECONDS);
    let server = Server::start();
    wait_for_samples(&server);
    let job = "{\"kind\":\"analyze\",\"games\":[\"shogi\"],\"players\":[\"P1\"],\"n_games\":100000000,\"threads\":1}";
    server.ask("POST", "jobs", job).expect("a job begins");
    let (is_over, begun) = (AtomicBool::new(false), Instant::now());
    let done: Mutex<BTreeMap<Habit, Vec<Duration>>> = Mutex::default();
    let errors: Mutex<Vec<String>> = Mutex::default();
    let mut memory = Vec::new();
    thread::scope(|scope| {
        for client in 0..N_CLIENTS {
            let (server, is_over, done, errors) = (&server, &is_over, &done, &errors);
            scope.spawn(move || {
                let habit = HABITS[client % HABITS.len()];
                for n in client.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let asked = Instant::now();
                    match act(server, habit, n) {
                        Ok(()) => {
                            done.lock().expect("no panic").entry(habit).or_default().push(asked.elapsed())
                        }
                        Err(error) => errors.lock().expect("no panic").push(format!("{habit:?}: {error}")),
                    }
                    // A person looks at what came.
                    thread::sleep(Duration::from_millis(100));
                }
            });
        }
        while begun.elapsed().as_secs() < seconds {
            thread::sleep(Duration::from_secs((seconds / 30).max(1)));
            memory.push(server.memory());
        }
        is_over.store(true, Ordering::Relaxed);
    });
    tell(&done.into_inner().expect("no panic"), &memory);
    let errors = errors.into_inner().expect("no panic");
    assert!(errors.is_empty(), "{} errors, the first: {}", errors.len(), errors[0]);
    let (early, late) = (memory[memory.len() / 5], *memory.last().expect("measured"));
    assert!(late <= early * MOST_GROWTH, "memory grew from {early:.0} to {late:.0} MB");
}

fn wait_for_samples(server: &Server) {
    let body = "{\"query\":\"position start\",\"offset\":0,\"limit\":1}";
    for _ in 0..600 {
        if server.ask("POST", "collections/sample-chess/find", body).is_ok() {
            return;
        }
        thread::sleep(Duration::from_millis(500));
    }
    panic!("the sample collection is not there after five minutes");
}

fn tell(done: &BTreeMap<Habit, Vec<Duration>>, memory: &[f64]) {
    for (habit, times) in done {
        let mut times = times.clone();
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
        println!("{habit:?}: {} answers, median {:.1} ms, 99% {:.1} ms", times.len(), at(0.5), at(0.99));
    }
    let shown: Vec<String> = memory.iter().map(|megabytes| format!("{megabytes:.0}")).collect();
    println!("resident memory, MB: {}", shown.join(" "));
}
