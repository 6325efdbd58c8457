//! Study over the API: what is answered, and what hostile or mistaken requests are told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use ashta_web::{Access, ConnectionLimits, ServerConfig, serve};
use serde_json::{Value, json};

/// A server over a folder that goes away.
struct Lab {
    address: SocketAddr,
    folder: tempfile::TempDir,
}

fn start() -> Lab {
    let folder = tempfile::tempdir().expect("a folder");
    let (told, ready) = channel();
    let plan = ServerConfig {
        listen: "127.0.0.1:0".parse().expect("an address"),
        access: Access::Open,
        data: folder.path().to_path_buf(),
        page: None,
        program: PathBuf::from("ashta"),
        limits: ConnectionLimits::default(),
    };
    std::thread::spawn(move || {
        serve(plan, move |serving| told.send(serving.address).expect("somebody waits"))
    });
    Lab { address: ready.recv_timeout(Duration::from_secs(10)).expect("it listens"), folder }
}

impl Lab {
    fn open(&self, method: &str, path: &str, body: &[u8]) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let head = format!(
            "{method} /api/{path} HTTP/1.0\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        stream.write_all(body).expect("it reads");
        BufReader::new(stream)
    }

    fn raw(&self, method: &str, path: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
        let mut bytes = Vec::new();
        self.open(method, path, body).read_to_end(&mut bytes).expect("an answer");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]).to_string();
        let status = head[9..12].parse().expect("a status");
        (status, head, bytes[end + 4..].to_vec())
    }

    fn ask(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, _, bytes) = self.raw("POST", path, body.to_string().as_bytes());
        (status, serde_json::from_slice(&bytes).unwrap_or_else(|_| json!(String::from_utf8_lossy(&bytes))))
    }

    fn good(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.ask(path, &body);
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }

    fn get(&self, path: &str) -> Value {
        serde_json::from_slice(&self.raw("GET", path, b"").2).unwrap_or_default()
    }

    /// The events of watched work.
    fn events(&self, path: &str, body: &Value) -> Vec<Value> {
        let lines = self.open("POST", path, body.to_string().as_bytes()).lines();
        let read = |line: String| serde_json::from_str(line.strip_prefix("data: ")?).ok();
        lines.map_while(Result::ok).filter_map(read).collect()
    }
}

const MATE: &str = "8/8/7k/7p/8/4K1R1/2R5/8 w - - 0 1";

#[test]
fn a_problem_is_solved_and_tried() {
    let lab = start();
    let told =
        lab.good("problems/solve", json!({"game": "chess", "position": MATE, "mate": 2, "tries": true}));
    assert_eq!(told["mate"]["mate_in"], 2);
    assert_eq!(told["mate"]["keys"][0]["coordinates"], "c2h2");
    assert_eq!(told["lines"][0], "mate in 2 moves, one key, no shorter mate");
    assert!(told["mate"]["tries"][0]["replies"][0].is_string());
    let tried = |text: &str| json!({"game": "chess", "position": MATE, "mate": 2, "move": text});
    let right = lab.good("problems/try", tried("Rh2"));
    assert_eq!((right["verdict"].as_str(), right["left"].as_u64()), (Some("right"), Some(1)));
    let wrong = lab.good("problems/try", tried("c2c5"));
    assert_eq!(wrong["verdict"], "refuted");
    assert!(wrong["reply"].is_string());
}

#[test]
fn whoever_mates_needs_no_king() {
    let lab = start();
    let position = "7k1/4B4/6+P2/9/9/9/9/9/9 b Rrb4g4s4n4l17p 1";
    let told = lab.good("problems/solve", json!({"game": "shogi", "position": position, "tsume": true}));
    let moves = &told["tsume"]["line"];
    assert_eq!(moves, &json!(["R*2c", "2a3a", "2c2b+"]));
    let after = |moves: Value| json!({"game": "shogi", "position": position, "moves": moves});
    assert_eq!(lab.good("problems/position", after(json!([moves[0]])))["outcome"], Value::Null);
    let end = &lab.good("problems/position", after(moves.clone()))["outcome"];
    assert_eq!((end["winner"].as_u64(), end["reason"].as_str()), (Some(0), Some("checkmate")));
    let wanted = json!({"game": "shogi", "position": position, "tsume": true, "plies": 3, "move": "R*9i"});
    assert_eq!(lab.good("problems/try", wanted)["verdict"], "no-check");
}

#[test]
fn a_captured_royal_piece_is_mated_before() {
    let lab = start();
    let position = "12/2k9/3e8/12/1G10/N2p8/12/12/12/12/12/12 b - 1";
    let problem = |more: Value| {
        let mut problem = json!({"game": "chu-shogi", "position": position});
        more.as_object().expect("an object").iter().for_each(|(name, value)| problem[name] = value.clone());
        problem
    };
    let told = lab.good("problems/solve", problem(json!({"mate": 2})));
    assert_eq!(
        (told["mate"]["mate_in"].as_u64(), &told["mate"]["keys"][0]["move"]),
        (Some(2), &json!("Ln-11d"))
    );
    let line = lab.good("problems/solve", problem(json!({"tsume": true})))["tsume"]["line"].clone();
    assert_eq!(line.as_array().map(Vec::len), Some(3));
    let after =
        |moves: Value| lab.good("problems/position", problem(json!({"moves": moves})))["outcome"].clone();
    assert_eq!(after(json!([line[0]])), Value::Null);
    assert_eq!(after(json!([line[0], line[1]])), Value::Null);
    let end = after(line.clone());
    assert_eq!((end["winner"].as_u64(), end["reason"].as_str()), (Some(0), Some("checkmate")));
    let right = lab.good("problems/try", problem(json!({"mate": 2, "move": "12f11d"})));
    assert_eq!((right["verdict"].as_str(), right["left"].as_u64()), (Some("right"), Some(1)));
    let wrong = lab.good("problems/try", problem(json!({"mate": 2, "move": "12f10d"})));
    assert_eq!(wrong["verdict"], "refuted");
}

#[test]
fn a_file_is_told_part_by_part() {
    let lab = start();
    let text = format!("{} dm 2; bm Rh2; id \"a\";\nnonsense\n[not a tag\n", MATE.trim_end_matches(" 0 1"));
    let events = lab.events("problems/file/events", &json!({"game": "chess", "text": text}));
    let parts: Vec<&Value> = events.iter().filter(|event| event["event"] == "part").collect();
    assert_eq!(parts[0]["part"]["agrees"], true);
    assert_eq!(parts[1]["part"]["line"], 2);
    let last = events.last().expect("an end");
    assert_eq!((last["event"].as_str(), last["answer"]["unreadable"].as_u64()), (Some("done"), Some(2)));
    let pgn = format!("[Event \"one\"]\n[FEN \"{MATE}\"]\n\n*\n");
    let events = lab.events("problems/file/events", &json!({"game": "chess", "text": pgn, "mate": 2}));
    let part = events.iter().find(|event| event["event"] == "part").expect("a part");
    assert_eq!(part["part"]["id"], "one");
}

#[test]
fn who_leaves_stops_the_work() {
    let lab = start();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let long = json!({"game": "chess", "position": start, "mate": 30}).to_string();
    for _ in 0..4 {
        let mut reader = lab.open("POST", "problems/solve/events", long.as_bytes());
        let mut line = String::new();
        while !line.starts_with("data: ") {
            line.clear();
            assert!(reader.read_line(&mut line).expect("events") > 0);
        }
        // Dropped here: as many as there are processors would else keep everybody waiting.
    }
    let begin = Instant::now();
    lab.good("problems/solve", json!({"game": "chess", "position": MATE, "mate": 2}));
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}

#[test]
fn an_ending_is_made_asked_and_practised() {
    let lab = start();
    let events = lab.events("endings/table/events", &json!({"game": "chess", "material": "KRK"}));
    let table = &events.last().expect("an end")["answer"];
    assert_eq!(table["sides"][0]["longest_win_plies"], 31);
    let list = lab.get("endings/chess");
    let endings = list["endings"].as_array().expect("a list");
    assert_eq!(endings.iter().filter(|ending| ending["ready"] == true).count(), 1);
    let won = lab.good("endings/practice", json!({"game": "chess", "material": "KRK", "seed": 7}));
    let probed = lab.good("endings/probe", json!({"game": "chess", "position": won["position"]}));
    assert_eq!(probed["worth"], json!({"result": "win", "plies": won["plies"]}));
    assert_eq!(lab.get("endings/shogi")["none"], "captured pieces can be dropped");
}

#[test]
fn a_book_is_kept_edit_by_edit() {
    let lab = start();
    let edit = |body: Value| lab.good("books/mine/edit", body);
    lab.good("books", json!({"name": "mine", "game": "chess"}));
    edit(json!({"action": "add", "line": "1.e4 e5 2.Nf3"}));
    edit(json!({"action": "name", "line": "e4 e5", "text": "Open\n| game"}));
    edit(json!({"action": "mark", "line": "e4", "text": "!"}));
    let other = edit(json!({"action": "add", "line": "Nf3 e5 e4"}));
    assert_eq!(other["also"].as_array().map(Vec::len), Some(1), "the lines meet");
    let page = edit(json!({"action": "undo"}));
    assert_eq!((page["n_moves"].as_u64(), page["n_redo"].as_u64()), (Some(3), Some(1)));
    let file = lab.folder.path().join("books/mine.book");
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.contains("mark e2e4 | !\n") && text.ends_with("undo\n"), "{text}");
    let (_, head, pgn) = lab.raw("GET", "books/mine/export?format=pgn", b"");
    assert!(head.contains("filename*=UTF-8''mine.pgn"), "{head}");
    let pgn = String::from_utf8_lossy(&pgn);
    assert!(pgn.contains("1. e4 $1 e5"), "{pgn}");
    // What a kill left of an edit is no edit, and the next one takes its place.
    std::fs::write(&file, format!("{text}add e2e4 c7")).expect("a disk");
    assert_eq!(edit(json!({"action": "add", "line": "d4"}))["n_moves"], 4);
    assert!(!std::fs::read_to_string(&file).expect("a file").contains("c7"));
}

#[test]
fn many_write_one_book_and_nothing_is_lost() {
    let lab = start();
    lab.good("books", json!({"name": "shared", "game": "chess"}));
    std::thread::scope(|scope| {
        for file in "abcdefgh".chars() {
            for rank in [3, 4] {
                let (lab, line) = (&lab, format!("{file}{rank}"));
                scope.spawn(move || lab.good("books/shared/edit", json!({"action": "add", "line": line})));
            }
        }
    });
    assert_eq!(lab.get("books/shared")["n_moves"], 16);
}

#[test]
fn practice_asks_and_remembers() {
    let lab = start();
    lab.good("books", json!({"name": "drill", "game": "chess"}));
    lab.good("books/drill/edit", json!({"action": "add", "line": "e4 e5 Nf3"}));
    let asked = lab.good("books/drill/practice", json!({"side": 0, "seed": 3}));
    assert_eq!((asked["asked"].as_bool(), asked["score"]["due"].as_u64()), (Some(true), Some(2)));
    let answer = |body: Value| lab.good("books/drill/practice/answer", body);
    let wrong = answer(json!({"side": 0, "move": "d4", "first": true}));
    assert_eq!((wrong["right"].as_bool(), wrong["moves"].as_array().map(Vec::len)), (Some(false), Some(0)));
    let right = answer(json!({"side": 0, "line": "e4 e5", "move": "g1f3", "first": true}));
    assert_eq!((right["right"].as_bool(), right["hours"].as_u64()), (Some(true), Some(4)));
    let asked = lab.good("books/drill/practice", json!({"side": 0, "line": "e4", "seed": 3}));
    assert_eq!((asked["played"].clone(), asked["score"]["due"].as_u64()), (json!(["e7e5"]), Some(1)));
}

#[test]
fn a_book_grows_from_a_file() {
    let lab = start();
    lab.good("books", json!({"name": "grown", "game": "chess"}));
    let pgn = b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n";
    let (status, _, told) = lab.raw("POST", "books/grown/import?file=two.pgn", pgn);
    let told: Value = serde_json::from_slice(&told).expect("JSON");
    assert_eq!((status, told["games"].as_u64()), (200, Some(2)), "{told}");
    let first = &lab.get("books/grown")["moves"][0];
    assert_eq!((first["games"].as_u64(), first["first_wins"].as_u64()), (Some(2), Some(1)));
}

fn problem(more: Value) -> Value {
    let mut body = json!({"game": "chess", "position": MATE});
    body.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    body
}

/// Each request is refused with a status and a sentence that has these words.
fn check_refused(lab: &Lab, cases: &[(&str, Value, u16, &str)]) {
    for (path, body, status, said) in cases {
        let (got, answer) = lab.ask(path, body);
        let told = answer["error"].as_str().unwrap_or_default();
        assert_eq!(got, *status, "{path}: {answer}");
        assert!(told.contains(said) && !told.is_empty(), "{path}: {told} (expected {said})");
    }
}

#[test]
fn what_is_no_problem_is_told() {
    let solve = "problems/solve";
    let long = json!({"game": "chess", "position": "8/".repeat(9000), "mate": 2});
    check_refused(
        &start(),
        &[
            (solve, problem(json!({})), 400, "no length of mate given"),
            (solve, problem(json!({"mate": 0})), 400, "`mate` is 0; it must be from 1 to 200"),
            (solve, problem(json!({"mate": 2, "tsume": true})), 400, "`mate` and `tsume` exclude each other"),
            (solve, problem(json!({"tsume": true, "plies": 1000})), 400, "`plies` is 1000"),
            (solve, json!({"game": "chess", "position": "x", "mate": 2}), 400, "`x`"),
            (solve, long, 400, "the position has more than 4096 bytes"),
            (
                solve,
                json!({"game": "four-handed", "position": "x", "mate": 2}),
                400,
                "is not a game of two sides",
            ),
            (
                solve,
                json!({"game": "chesss", "position": "x", "mate": 2}),
                404,
                "there is no game named `chesss`",
            ),
            ("problems/try", problem(json!({"mate": 2, "move": "Zz9"})), 400, "Zz9"),
            (
                "problems/file/events",
                json!({"game": "chess", "text": "\n#\n"}),
                400,
                "the file contains no problems",
            ),
        ],
    );
}

#[test]
fn what_is_no_ending_is_told() {
    let table = "endings/table";
    check_refused(
        &start(),
        &[
            (
                table,
                json!({"game": "chess", "material": "KXK"}),
                400,
                "Chess has no piece with the letter `X`",
            ),
            (table, json!({"game": "chess", "material": "KQQQK"}), 400, "`KQQQK` has 5 pieces"),
            (table, json!({"game": "shogi", "material": "KRK"}), 400, "captured pieces can be dropped"),
            (
                "endings/probe",
                json!({"game": "chess"}),
                400,
                "the position has 32 pieces; tablebases have at most 4",
            ),
            (
                "endings/practice",
                json!({"game": "chess", "material": "KNK"}),
                409,
                "no position of KNK is won",
            ),
        ],
    );
}

#[test]
fn what_is_no_book_is_told() {
    let lab = start();
    lab.good("books", json!({"name": "taken", "game": "chess"}));
    let edit = "books/taken/edit";
    let add = |line: String| json!({"action": "add", "line": line});
    let nested = format!("[Event \"a\"]\n\n1. e4 {}", "(".repeat(500));
    check_refused(
        &lab,
        &[
            ("books", json!({"name": "../x", "game": "chess"}), 400, "`../x` is not a valid name"),
            (
                "books",
                json!({"name": "taken", "game": "chess"}),
                409,
                "there is already a book named `taken`",
            ),
            ("books", json!({"name": "b", "game": "chess", "position": "8/8 w"}), 400, ""),
            ("books/nobody/edit", json!({"action": "undo"}), 404, "there is no book named `nobody`"),
            (edit, json!({"action": "undo"}), 409, "there is nothing to undo"),
            (edit, add("e5".into()), 400, "move 1: "),
            (edit, add("e4 ".repeat(9000)), 400, "the line has more than 8192 bytes"),
            (
                edit,
                json!({"action": "remove", "line": "e4"}),
                400,
                "the line leaves the book at move 1, e2e4",
            ),
            (edit, json!({"action": "mark", "line": "", "text": "!"}), 400, "the line has no moves"),
            (edit, json!({"action": "mark", "line": "e4", "text": "good"}), 400, "`good` is not a mark"),
            (edit, json!({"action": "dance"}), 400, "invalid request"),
            (
                edit,
                json!({"action": "name", "line": "", "text": "x".repeat(5000)}),
                400,
                "the text has more than 4000 characters",
            ),
            ("books/taken/grow", json!({"collection": "none"}), 404, "there is no collection named `none`"),
            ("books/taken/grow", json!({"collection": "none", "plies": 0}), 400, "`plies` is 0"),
            ("books/taken/practice", json!({"side": 2}), 400, "`side` is 2; it must be 0 or 1"),
            (
                "books/taken/practice/answer",
                json!({"side": 0, "move": "e4"}),
                409,
                "the book has no move here",
            ),
            ("books/taken/import?file=a.pgn", json!(nested), 400, "cannot import `a.pgn`: "),
            ("books/taken/import?file=a.bin", json!("no book"), 400, "cannot import `a.bin`: "),
        ],
    );
    assert_eq!(lab.raw("GET", "books/taken/export?format=exe", b"").0, 400);
    assert_eq!(lab.raw("DELETE", "books/nobody", b"").0, 404);
    assert_eq!(lab.get("books").as_array().map(Vec::len), Some(1), "nothing else was made");
}
