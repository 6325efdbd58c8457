//! Requests that nobody waits for any more: the work ends, whatever it was.
//!
//! One test alone, as it looks at the time that the whole process takes.

#[expect(dead_code, reason = "the tests of `main.rs` use the rest")]
mod asking;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use asking::Laboratory;
use serde_json::{Value, json};

/// Ticks of processor time that this process has taken, a hundredth of a second each.
fn ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let (_, fields) = stat.rsplit_once(") ").expect("a name in brackets");
    let fields: Vec<u64> = fields.split(' ').skip(11).take(2).map(|n| n.parse().expect("a number")).collect();
    fields.iter().sum()
}

fn wait(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
    }
}

/// Whether it takes any time; others on the machine may leave it little.
fn is_at_work() -> bool {
    let before = ticks();
    std::thread::sleep(Duration::from_millis(300));
    ticks() - before >= 2
}

fn send(lab: &Laboratory, path: &str, body: &Value) -> TcpStream {
    let mut stream = TcpStream::connect(lab.address).expect("it listens");
    let body = body.to_string();
    let head = format!(
        "POST /api/{path} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        lab.address,
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    stream
}

/// Both sides have all their men in hand: hundreds of moves at every ply, and every depth takes long.
const HANDS: &str = "4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1";

#[cfg(target_os = "linux")]
#[test]
fn whoever_leaves_ends_the_work() {
    let lab = Laboratory::open();
    let reply = |player: &str| json!({ "game": "shogi", "position": HANDS, "player": player });
    let contest = |player: &str| json!({ "game": "four-handed", "moves": ["2-5"], "player": player });
    let longest = json!({ "game": "shogi", "position": HANDS, "depth": 12 });
    let explained = json!({ "game": "shogi", "position": HANDS, "level": 4 });
    let mate = json!({ "game": "shogi", "position": HANDS, "mate": 9 });
    let asked = [
        ("reply", reply("P5")),
        ("reply", reply("P'4")),
        ("reply", reply("A3(5)")),
        ("reply", reply("depth:6")),
        ("reply", reply("nodes:2000000")),
        ("reply", reply("baba:3")),
        ("reply", reply("engine:60000ms")),
        ("contest", contest("P5")),
        ("contest", contest("expect:2")),
        ("perft", longest),
        ("explain", explained),
        ("problems/solve", mate.clone()),
        ("problems/solve/events", mate),
        ("endings/table", json!({ "game": "chess", "material": "KQRK" })),
    ];
    for (path, body) in asked {
        wait(&format!("something else goes on before {path} {body}"), || !is_at_work());
        let mut streams: Vec<TcpStream> = (0..8).map(|_| send(&lab, path, &body)).collect();
        // It has begun by then; one that refuses would have answered, and would not show anything.
        streams[0].set_read_timeout(Some(Duration::from_millis(300))).expect("a timeout");
        let mut answer = [0; 600];
        let n = streams[0].read(&mut answer).unwrap_or(0);
        let answer = String::from_utf8_lossy(&answer[..n]);
        assert!(n == 0 || answer.starts_with("HTTP/1.1 200"), "{path} {body}: {answer}");
        drop(streams);
        wait(&format!("{path} {body} goes on for nobody"), || !is_at_work());
    }
    assert_eq!(lab.granted("reply", &reply("P0"))["depth"], Value::Null, "and there is room for others");
}
