//! Requests that change something, which is remembered when it was acknowledged.

use serde_json::json;

use crate::dice::Dice;
use crate::ledger::{LINES, Ledger, edit, if_there};
use crate::server::{Asked, Failure, Server};

/// Games of a collection, and edits of a book, after which it is compared and thrown away: memory is to stay level.
const MOST_WRITES: usize = 60;
/// Games that are imported, after the players' names.
const GAMES: [&str; 3] =
    ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0", "1. d4 d5 2. c4 e6 3. Nc3 Nf6 0-1", "1. c4 e5 2. g3 Nf6 1/2-1/2"];

/// Writes something of the ledger.
pub fn write(server: &Server, ledger: &mut Ledger, dice: &mut Dice) -> Asked<()> {
    match dice.below(8) {
        0 => own_game(server, ledger, dice),
        1 => query(server, ledger, dice),
        2 => values(server, ledger, dice),
        3 | 4 => import(server, ledger),
        5 => tend(server, ledger, dice),
        6 => book(server, ledger, dice),
        _ => use_book(server, ledger, dice),
    }
}

fn own_game(server: &Server, ledger: &mut Ledger, dice: &mut Dice) -> Asked<()> {
    let path = format!("/api/games/own/{}", ledger.name);
    if dice.below(4) == 0 && ledger.own_game.known().is_some() {
        return ledger.own_game.write(None, || server.delete(&path));
    }
    let title = format!("Soak {}", ledger.next());
    let body = json!({ "text": format!("extends = \"chess\"\nname = \"{title}\"\n") });
    ledger.own_game.write(Some(title.clone()), || server.put(&path, &body))?;
    // What was kept is what is told from now on.
    let sheet = server.get(&format!("/api/games/{}", ledger.name))?;
    if sheet["name"] != title.as_str() {
        server.told.error("stale: own game", format!("{}, not {title}", sheet["name"]));
    }
    Ok(())
}

fn query(server: &Server, ledger: &mut Ledger, dice: &mut Dice) -> Asked<()> {
    let path = format!("/api/queries/{}", ledger.name);
    if dice.below(4) == 0 && ledger.query.known().is_some() {
        return ledger.query.write(None, || server.delete(&path));
    }
    let text = format!("e4=P ply>={}", ledger.next());
    let body = json!({ "game": "chess", "text": text });
    ledger.query.write(Some(text), || server.put(&path, &body)).map(|_| ())
}

fn values(server: &Server, ledger: &mut Ledger, dice: &mut Dice) -> Asked<()> {
    let path = format!("/api/values/{}", ledger.name);
    if dice.below(4) == 0 && ledger.values.known().is_some() {
        return ledger.values.write(None, || server.delete(&path));
    }
    let text = format!("pawn = 1\nqueen = {}\n", ledger.next());
    let body = json!({ "text": text });
    ledger.values.write(Some(text), || server.put(&path, &body)).map(|_| ())
}

fn import(server: &Server, ledger: &mut Ledger) -> Asked<()> {
    let n = ledger.next();
    let player = format!("Player {}-{n}", ledger.number);
    let moves = GAMES[n % GAMES.len()];
    let result = moves.rsplit(' ').next().unwrap_or("*");
    let pgn = format!("[White \"{player}\"]\n[Black \"Nobody\"]\n[Result \"{result}\"]\n\n{moves}\n");
    let path = format!("/api/collections/{}/import?file=a.pgn", ledger.name);
    let answer = server.ask("PUT", &path, pgn)?;
    let told = String::from_utf8_lossy(&answer).into_owned();
    match told.contains("\"added\":1") {
        true => _ = ledger.imported.insert(player),
        false => server.told.error("not imported", told),
    }
    Ok(())
}

fn tend(server: &Server, ledger: &mut Ledger, dice: &mut Dice) -> Asked<()> {
    let path = format!("/api/collections/{}", ledger.name);
    if ledger.imported.is_empty() {
        // It may be there: a kill comes between what is done and what is said.
        return match server.post("/api/collections", &json!({ "name": ledger.name, "game": "chess" })) {
            Err(Failure::Refused(409, _)) => Ok(()),
            other => other.map(|_| ()),
        };
    }
    match dice.below(4) {
        0 if ledger.imported.len() > MOST_WRITES => {
            ledger.verify_imported(server)?;
            ledger.imported.clear();
            if_there(server.delete(&path)).map(|_| ())
        }
        0 | 1 => server.post(&format!("{path}/check"), &json!({})).map(|_| ()),
        2 => server.post(&format!("{path}/merge"), &json!({})).map(|_| ()),
        _ => server.watch("GET", &format!("{path}/import/events"), "", |_| true),
    }
}

/// Says something of a line, takes it back, says it again.
fn book(server: &Server, ledger: &mut Ledger, dice: &mut Dice) -> Asked<()> {
    let path = format!("/api/books/{}", ledger.name);
    if ledger.book.is_none() {
        if_there(server.delete(&path))?;
        server.post("/api/books", &json!({ "name": ledger.name, "game": "chess" }))?;
        for line in LINES {
            server.post(&format!("{path}/edit"), &json!({ "action": "add", "line": line }))?;
        }
        ledger.book = Some(Ledger::new_book());
    }
    let (n, which) = (ledger.next(), dice.below(LINES.len()));
    let kept = &mut ledger.book.as_mut().expect("there")[which];
    let edit_path = format!("{path}/edit");
    let send = |change| server.post(&edit_path, &change);
    let line = LINES[which];
    kept.write(Some(format!("said {n}")), || {
        send(edit("comment", line, &format!("said {n}")))?;
        send(json!({ "action": "undo" }))?;
        send(json!({ "action": "redo" }))
    })?;
    if n % MOST_WRITES == 0 {
        ledger.book = None;
        server.delete(&path)?;
    }
    Ok(())
}

/// Everything else that a book is for. A line that comes and goes is not remembered: cut off, the book is begun anew.
fn use_book(server: &Server, ledger: &mut Ledger, dice: &mut Dice) -> Asked<()> {
    let path = format!("/api/books/{}", ledger.name);
    let Some(book) = ledger.book.take() else { return Ok(()) };
    let edits = [
        json!({ "action": "add", "line": "d2d4 d7d5 c2c4" }),
        edit("name", "d2d4 d7d5", "Closed"),
        edit("mark", "d2d4 d7d5 c2c4", "!"),
        edit("correct", "d2d4 d7d5 c2c4", "g1f3"),
        json!({ "action": "remove", "line": "d2d4 d7d5 g1f3" }),
    ];
    for edit in edits {
        server.post(&format!("{path}/edit"), &edit)?;
    }
    ledger.book = Some(book);
    match dice.below(7) {
        0 => server
            .post(&format!("{path}/grow"), &json!({ "collection": "sample-chess", "plies": 3 }))
            .map(|_| ()),
        1 => server.ask("POST", &format!("{path}/import?file=a.pgn"), "1. e4 e5 2. Nf3 *\n").map(|_| ()),
        2 => server.ask("GET", &format!("{path}/export?format=pgn"), "").map(|_| ()),
        3 => server.get(&format!("{path}/sources")).map(|_| ()),
        4 => server.get(&path).map(|_| ()),
        5 => {
            server.post(&format!("{path}/practice"), &json!({ "side": 0, "seed": dice.below(9) })).map(|_| ())
        }
        _ => {
            let answer = json!({ "side": 0, "line": "", "move": "e2e4", "first": true });
            server.post(&format!("{path}/practice/answer"), &answer).map(|_| ())
        }
    }
}
