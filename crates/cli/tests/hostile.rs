//! Names that somebody else chose, kills and full disks: what reaches the terminal, the table program and the folder.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// An empty folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder
}

fn ashta(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ashta"));
    command.args(args).current_dir(folder).output().expect("the command runs")
}

/// Clears the screen, sets the title, turns the direction of writing, and more.
const ORDERS: &str = "A\u{1b}[2J\u{1b}]0;x\u{7}\u{9b}31mB\u{202e}C\u{2066}D\u{8}\u{7f}E";

fn is_order(c: char) -> bool {
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && c != '\n' && c != '\t')
}

/// A folder with the collection `games`, whose one game has this as the name of a player, an event and a comment.
fn with_name(test: &str, name: &str) -> PathBuf {
    let folder = folder(test);
    let record = serde_json::json!({
        "header": { "先手": name, "棋戦": name },
        "moves": [
            {},
            { "move": { "from": { "x": 7, "y": 7 }, "to": { "x": 7, "y": 6 }, "color": 0, "piece": "FU" }, "comments": [name] },
        ],
    });
    fs::write(folder.join("one.jkf"), record.to_string()).expect("written");
    let imported = ashta(&folder, &["records", "import", "games", "one.jkf"]);
    assert!(imported.status.success(), "{}", String::from_utf8_lossy(&imported.stderr));
    folder
}

#[test]
fn names_give_a_terminal_no_orders() {
    let folder = with_name("orders", ORDERS);
    let file = format!("{ORDERS}.pgn").replace('/', "");
    fs::write(folder.join(&file), "1. e5 *\n").expect("written");
    for args in [
        &["records", "list", "games"][..],
        &["records", "show", "games", "1"],
        &["records", "players", "games"],
        &["find", "games", "position start"],
        &["explore", "games"],
        &["records", "survey", "games"],
        &["records", "import", "other", &file],
        &["records", "list", ORDERS],
        &["find", "games", ORDERS],
        &["show", ORDERS],
        &["check", ORDERS],
        &[ORDERS],
    ] {
        let Output { stdout, stderr, .. } = ashta(&folder, args);
        let said = String::from_utf8(stdout).expect("text") + &String::from_utf8(stderr).expect("text");
        assert!(!said.contains(is_order), "{args:?}: {said:?}");
        // A table has its lines to keep: a space stands for what would end them.
        let names_it = said.contains("A\u{fffd}[2J") || said.contains("A [2J");
        let is_named = args.contains(&"list") || args.contains(&"players");
        assert!(names_it || !is_named, "{args:?} says no more whose it is: {said:?}");
    }
    // Data is what it was: whoever reads it is no terminal.
    let list = ashta(&folder, &["records", "list", "games", "--json"]).stdout;
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    // Control characters are no text of a record; what turns writing is, in some languages.
    let kept = ORDERS.replace(char::is_control, " ");
    assert!(list.to_string().contains(&serde_json::json!(kept).to_string()), "{list}");
    let written = ashta(&folder, &["records", "export", "games", "--format", "jkf"]).stdout;
    let written: serde_json::Value = serde_json::from_slice(&written).expect("JSON");
    assert!(written.to_string().contains(&serde_json::json!(kept).to_string()), "{written}");
}

#[test]
fn a_game_file_with_orders_in_its_names_is_refused() {
    let folder = folder("game");
    let text = "extends = \"chess\"\nname = \"\\u001b[2J\"\n";
    fs::write(folder.join("evil.toml"), text).expect("written");
    let output = ashta(&folder, &["check", "evil.toml"]);
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("control characters are not allowed in a game file, found U+001B"), "{said}");
}

#[test]
fn no_name_is_a_formula_in_csv() {
    for name in ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "＝1+1"] {
        let folder = with_name("formula", name);
        let written = String::from_utf8(ashta(&folder, &["records", "players", "games", "--csv"]).stdout);
        let written = written.expect("text");
        assert!(written.lines().any(|line| line.starts_with(&format!("'{name},"))), "{written}");
    }
    let folder = with_name("number", "-3");
    let written = ashta(&folder, &["records", "players", "games", "--csv"]).stdout;
    assert!(
        String::from_utf8_lossy(&written).lines().any(|line| line.starts_with("-3,1,")),
        "a number stays one"
    );
}

fn wait(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "waited too long: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(target_os = "linux")]
#[test]
fn a_kill_leaves_nothing_behind() {
    let folder = folder("killed");
    let run = folder.join("run");
    // So many games that much room is tried for them: most kills come meanwhile.
    for _ in 0..5 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ashta"))
            .args(["analyze", "chess", "--player", "P0", "--games", "100000000", "--folder", "run"])
            .current_dir(&folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command runs");
        wait("the folder is there", || run.exists());
        child.kill().expect("killed");
        child.wait().expect("ended");
        let left = files(&run);
        assert!(left.iter().all(|name| ["journal", "plan.json"].contains(&name.as_str())), "{left:?}");
    }
    fs::remove_dir_all(&run).expect("removed");
    // What a kill left half-written is removed by whoever writes there next: no process has this number.
    fs::create_dir_all(&run).expect("a folder");
    fs::write(run.join("report.json.4294967295-0.half"), "{").expect("written");
    let output =
        ashta(&folder, &["analyze", "minishogi", "--player", "P0", "--games", "2", "--folder", "run"]);
    assert!(output.status.success());
    assert!(!files(&run).iter().any(|name| name.ends_with(".half")), "{:?}", files(&run));
}

/// A server whose folder is a disk of its own; ended with the test.
struct Server(Child, String);

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Server {
    /// Starts one on a disk of so many megabytes; none where this process may not mount one.
    fn on_small_disk(folder: &Path, megabytes: usize) -> Option<Server> {
        let mounted = format!(
            "mount -t tmpfs -o size={megabytes}m none data || exit 77; touch data/samples-made; exec \"$0\" \"$@\""
        );
        fs::create_dir_all(folder.join("data")).expect("a folder");
        let mut child = Command::new("unshare")
            .args([
                "-m",
                "sh",
                "-c",
                &mounted,
                env!("CARGO_BIN_EXE_ashta"),
                "serve",
                "--listen",
                "127.0.0.1:0",
            ])
            .args(["--no-browser", "--no-token", "--data", "data"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut said = String::new();
        BufReader::new(child.stdout.take()?).read_line(&mut said).ok()?;
        let address = said.split_once("http://")?.1.trim().trim_end_matches('/').to_string();
        Some(Server(child, address))
    }

    fn ask(&self, request: &str, body: &[u8]) -> String {
        let mut stream = TcpStream::connect(&self.1).expect("it listens");
        let head = format!(
            "{request} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.1,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        _ = stream.write_all(body);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_in_the_page() {
    let folder = folder("full");
    let Some(server) = Server::on_small_disk(&folder, 2) else {
        eprintln!("notice: no small disk can be mounted here; a full one was not tried");
        return;
    };
    let kept = server
        .ask("PUT /api/games/own/mine", b"{\"text\":\"extends = \\\"chess\\\"\\nname = \\\"Mine\\\"\\n\"}");
    assert!(kept.starts_with("HTTP/1.1 200"), "{kept}");
    let large = "[Event \"x\"]\n\n1. e4 e5 *\n\n".repeat(200_000);
    let full = server.ask("PUT /api/collections/large/import?file=a.pgn", large.as_bytes());
    assert!(full.starts_with("HTTP/1.1 507"), "{full}");
    assert!(full.contains("\"error\":\"the disk of the data folder is full\""), "{full}");
    // The file that did not fit is gone, so there is room again.
    let again = server.ask("PUT /api/collections/small/import?file=a.pgn", b"1. e4 e5 *\n");
    assert!(again.starts_with("HTTP/1.1 200") && again.contains("\"added\":1"), "{again}");
    assert!(server.ask("GET /api/games/mine", b"").starts_with("HTTP/1.1 200"));
}
