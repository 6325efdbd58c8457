//! Requests that change nothing that somebody would miss.

use crate::dice::Dice;
use crate::server::{Asked, Server};

const SQUARES: [&str; 6] = ["e4", "d4", "f3", "c5", "e5", "g6"];
const MATE: &str = "8/8/8/8/k2K2p1/8/3Q4/3N4 w - - 0 1";
const ENDING: &str = "8/8/8/4k3/8/8/4K3/R7 w - - 0 1";

/// Method, address and body. `$n` is a number, `$s` a square, `$k` one of the things that others change.
const REQUESTS: &[(&str, &str, &str)] = &[
    ("GET", "/", ""),
    ("GET", "/app.js", ""),
    ("GET", "/api/games", ""),
    ("GET", "/api/games/chess", ""),
    ("GET", "/api/games/shogi?lang=ja", ""),
    ("GET", "/api/lineage", ""),
    ("GET", "/api/catalogue", ""),
    ("GET", "/api/players?game=chess", ""),
    ("GET", "/api/values", ""),
    ("GET", "/api/queries", ""),
    ("GET", "/api/books", ""),
    ("GET", "/api/collections", ""),
    ("GET", "/api/jobs", ""),
    ("GET", "/api/problems/examples", ""),
    ("GET", "/api/endings/chess", ""),
    ("GET", "/api/collections/sample-chess", ""),
    ("GET", "/api/collections/sample-chess/survey", ""),
    ("GET", "/api/collections/sample-chess/export?format=csv&query=$s%3DP", ""),
    ("GET", "/api/collections/sample-chess/games/$n", ""),
    ("GET", "/api/collections/sample-chess/games/$n/file?format=pgn", ""),
    ("GET", "/api/collections/sample-chess/games/$n/plies/3", ""),
    ("POST", "/api/collections/sample-chess/find", r#"{"query":"$s=P or $s=p","limit":20}"#),
    ("POST", "/api/collections/sample-chess/find", r#"{"query":"anywhere($s=P)","limit":5,"soon":true}"#),
    ("POST", "/api/collections/sample-chess/explore", r#"{"moves":[]}"#),
    ("POST", "/api/collections/sample-chess/players", "{}"),
    ("POST", "/api/collections/sample-chess/export", r#"{"format":"pgn","query":"$s=N"}"#),
    ("POST", "/api/games/check", r#"{"text":"extends = \"chess\"\nname = \"Soak $n\"\n"}"#),
    ("POST", "/api/position", r#"{"game":"shogi","moves":["7g7f","3c3d","8h2b+"]}"#),
    ("POST", "/api/why", r#"{"game":"chess","from":"e2","to":"e5"}"#),
    ("POST", "/api/contest", r#"{"game":"four-handed","player":"P0","seed":$n}"#),
    ("POST", "/api/reply", r#"{"game":"chess","moves":["e2e4"],"player":"level:2","seed":$n}"#),
    ("POST", "/api/hint", r#"{"game":"chess","moves":["e2e4","e7e5"],"nodes":3000}"#),
    ("POST", "/api/evaluate", r#"{"game":"chess","moves":["d2d4"],"nodes":3000}"#),
    ("POST", "/api/explain", r#"{"game":"chess","moves":["e2e4"],"move":"e7e5","level":1}"#),
    ("POST", "/api/perft", r#"{"game":"chess","depth":3}"#),
    ("POST", "/api/score", r#"{"game":"chess","moves":["e2e4"],"format":"pgn"}"#),
    ("POST", "/api/score/read", r#"{"game":"chess","format":"pgn","text":"1. e4 e5 (1... c5) 2. Nf3 *"}"#),
    ("POST", "/api/problems/position", r#"{"game":"chess","position":"$mate"}"#),
    ("POST", "/api/problems/solve", r#"{"game":"chess","position":"$mate","mate":2}"#),
    ("POST", "/api/problems/try", r#"{"game":"chess","position":"$mate","mate":2,"move":"d2c1"}"#),
    ("POST", "/api/endings/probe", r#"{"game":"chess","position":"$ending"}"#),
    ("POST", "/api/endings/table", r#"{"game":"chess","material":"KRK"}"#),
    ("POST", "/api/endings/practice", r#"{"game":"chess","material":"KRK","seed":$n}"#),
];

/// The same for requests that are answered with events.
const WATCHED: &[(&str, &str, &str)] = &[
    ("POST", "/api/problems/solve/events", r#"{"game":"chess","position":"$mate","mate":2}"#),
    ("POST", "/api/problems/file/events", r#"{"game":"chess","mate":2,"text":"$mate\n"}"#),
    ("POST", "/api/endings/table/events", r#"{"game":"chess","material":"KQK"}"#),
];

/// Requests whose sender does not wait; each would be much work.
const ABANDONED: &[(&str, &str, &str)] = &[
    ("POST", "/api/hint", r#"{"game":"chess","nodes":100000000}"#),
    ("POST", "/api/perft", r#"{"game":"chess","depth":6}"#),
    ("PUT", "/api/collections/cut-short/import?file=a.pgn", "1. e4 e5 *\n\n1. d4 d5 *\n\n"),
];

fn filled(text: &str, dice: &mut Dice) -> String {
    text.replace("$n", &(1 + dice.below(100)).to_string())
        .replace("$s", SQUARES[dice.below(SQUARES.len())])
        .replace("$mate", MATE)
        .replace("$ending", ENDING)
}

/// Asks one of them.
pub fn read(server: &Server, dice: &mut Dice) -> Asked<()> {
    let n = dice.below(REQUESTS.len() + WATCHED.len() + ABANDONED.len());
    if let Some((method, path, body)) = REQUESTS.get(n) {
        let (path, body) = (filled(path, dice), filled(body, dice));
        return server.ask(method, &path, body).map(|_| ());
    }
    let n = n - REQUESTS.len();
    if let Some((method, path, body)) = WATCHED.get(n) {
        let is_last = |line: &str| line.contains("\"event\":\"done\"");
        return server.watch(method, path, &filled(body, dice), is_last);
    }
    let (method, path, body) = ABANDONED[n - WATCHED.len()];
    server.abandon(method, path, body.as_bytes())
}
