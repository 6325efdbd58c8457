//! Connections that keep the server waiting: how many it has, how long each may take, and that others do not notice.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::asking::Laboratory;
use ashta_web::ConnectionLimits;

/// Long enough that it never passes here; only a failing test waits for it.
const LONG: Duration = Duration::from_secs(60);

fn limits() -> ConnectionLimits {
    ConnectionLimits { connections: 8, head: LONG, silence: LONG, ..ConnectionLimits::default() }
}

fn connect(lab: &Laboratory, sent: &str) -> TcpStream {
    let mut stream = TcpStream::connect(lab.address).expect("it listens");
    stream.set_read_timeout(Some(LONG)).expect("a timeout");
    let sent = sent.replace("HOST", &format!("host: {}", lab.address));
    stream.write_all(sent.as_bytes()).expect("it reads");
    stream
}

/// Whether the server closed it, with nothing said or after an answer.
fn is_closed(stream: &mut TcpStream) -> bool {
    // What was sent and not read makes the system reset the connection.
    stream.read_to_end(&mut Vec::new()).map_or(true, |_| true)
}

fn is_open(stream: &mut TcpStream) -> bool {
    stream.set_nonblocking(true).expect("it can be set");
    let read = stream.read(&mut [0; 1]);
    stream.set_nonblocking(false).expect("it can be set");
    read.is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock)
}

const HALF_HEAD: &str = "GET /api/games HTTP/1.1\r\nHOST\r\n";
const HALF_BODY: &str =
    "POST /api/position HTTP/1.1\r\nHOST\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{";
const LARGE_HALF_BODY: &str = "POST /api/position HTTP/1.1\r\nHOST\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{";
const HALF_FILE: &str =
    "PUT /api/collections/half/import?file=a.pgn HTTP/1.1\r\nHOST\r\ncontent-length: 99\r\n\r\n[Event";

#[test]
fn the_longest_silent_connection_makes_room_for_a_new_one() {
    for sent in ["", HALF_HEAD, HALF_BODY] {
        let lab = Laboratory::with_limits(limits());
        let mut streams: Vec<TcpStream> = (0..20).map(|_| connect(&lab, sent)).collect();
        assert_eq!(lab.get("games").status, 200, "somebody else is answered, {sent:?}");
        for stream in &mut streams[..12] {
            assert!(is_closed(stream), "the first go first, {sent:?}");
        }
        assert!(streams[19..].iter_mut().all(is_open), "the last one stays, {sent:?}");
    }
}

#[test]
fn a_request_that_is_answered_is_never_given_up() {
    let lab = Laboratory::with_limits(limits());
    let mut watching = connect(&lab, "GET /api/jobs/events HTTP/1.1\r\nHOST\r\n\r\n");
    watching.read_exact(&mut [0; 12]).expect("its answer begins");
    let others: Vec<TcpStream> = (0..40).map(|_| connect(&lab, "")).collect();
    assert_eq!(lab.get("games").status, 200);
    drop(others);
    let begun = lab.post("jobs", &serde_json::json!({ "kind": "bench" }));
    assert_eq!(begun.status, 200, "{}", begun.body);
    let mut told = Vec::new();
    while !String::from_utf8_lossy(&told).contains("\"kind\":\"bench\"") {
        let mut bytes = [0; 4096];
        let n = watching.read(&mut bytes).expect("it still hears of jobs");
        assert!(n > 0, "the connection was closed");
        told.extend_from_slice(&bytes[..n]);
    }
}

#[test]
fn where_all_are_answered_a_new_one_is_told_so() {
    let lab = Laboratory::with_limits(ConnectionLimits { connections: 2, ..limits() });
    let watch = "GET /api/jobs/events HTTP/1.1\r\nHOST\r\n\r\n";
    let mut watching: Vec<TcpStream> = (0..2).map(|_| connect(&lab, watch)).collect();
    watching.iter_mut().for_each(|stream| stream.read_exact(&mut [0; 12]).expect("its answer begins"));
    let answer = lab.get("games");
    assert_eq!((answer.status, &answer.body["error"]), (503, &"too many concurrent requests".into()));
}

#[test]
fn heads_and_answers_have_their_time() {
    let short = Duration::from_millis(300);
    let lab = Laboratory::with_limits(ConnectionLimits { head: short, silence: short, ..limits() });
    for sent in ["", HALF_HEAD, "GET /api/games/chess HTTP/1.1\r\nHOST\r\n\r\n"] {
        assert!(is_closed(&mut connect(&lab, sent)), "{sent:?}");
    }
    // Somebody who asks a lot and reads nothing: the system's buffers fill, then the connection ends.
    let mut stream = connect(&lab, "");
    let request = format!("GET /api/games/shogi HTTP/1.1\r\nhost: {}\r\n\r\n", lab.address);
    let begin = Instant::now();
    while stream.write_all(request.as_bytes()).is_ok() {
        assert!(begin.elapsed() < LONG, "it waits for ever for somebody who does not read");
    }
}

#[test]
fn bodies_that_do_not_come_give_their_memory_up() {
    let lab = Laboratory::with_limits(ConnectionLimits { body_kilobytes: 2000, connections: 64, ..limits() });
    let streams: Vec<TcpStream> = (0..10).map(|_| connect(&lab, LARGE_HALF_BODY)).collect();
    let padding = " ".repeat(500_000);
    let body = format!("{{\"game\":\"chess\",\"moves\":[]{padding}}}");
    let answer = lab.send("POST", "position", "application/json", body.as_bytes());
    assert_eq!(answer.status, 200, "{}", answer.body);
    drop(streams);
}

#[test]
fn files_that_do_not_come_keep_no_import_waiting() {
    let lab = Laboratory::with_limits(ConnectionLimits { uploads: 2, connections: 64, ..limits() });
    let streams: Vec<TcpStream> = (0..6).map(|_| connect(&lab, HALF_FILE)).collect();
    let answer = lab.send("PUT", "collections/whole/import?file=a.pgn", "text/plain", b"1. e4 e5 *\n");
    assert_eq!((answer.status, &answer.body["added"]), (200, &1.into()), "{}", answer.body);
    drop(streams);
}
