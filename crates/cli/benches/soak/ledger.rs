//! What the server has acknowledged, and whether it still has it.
//!
//! In: writes before they are sent, and that they were answered. Out: what is missing. Never: a write that a kill cut off taken
//! for one that was acknowledged; it may be there or not.

use std::collections::BTreeSet;
use std::fmt::Debug;

use serde_json::{Value, json};

use crate::jobs::Jobs;
use crate::server::{Asked, Failure, Server};

/// Something that is replaced: what it may be now.
#[derive(Debug)]
pub struct Kept<T> {
    may_be: Vec<Option<T>>,
}

impl<T: Clone + PartialEq + Debug> Kept<T> {
    fn nothing() -> Kept<T> {
        Kept { may_be: vec![None] }
    }

    /// Writes something new; both may be there until it is acknowledged.
    pub fn write<A>(&mut self, new: Option<T>, send: impl FnOnce() -> Asked<A>) -> Asked<A> {
        self.may_be.push(new.clone());
        let answer = send()?;
        self.may_be = vec![new];
        Ok(answer)
    }

    /// What it is now, if that is known.
    pub fn known(&self) -> Option<&T> {
        match self.may_be.as_slice() {
            [one] => one.as_ref(),
            _ => None,
        }
    }

    fn verify(&mut self, server: &Server, what: &str, found: Option<T>) {
        if !self.may_be.contains(&found) {
            server.told.error(format!("lost: {what}"), format!("{found:?}, not {:?}", self.may_be));
        }
        server.told.verified(1);
        self.may_be = vec![found];
    }
}

/// Lines of a book of which something is said.
pub const LINES: [&str; 4] = ["e2e4", "e2e4 e7e5", "e2e4 c7c5", "e2e4 e7e5 g1f3"];

/// The things of some clients, which write one after another.
#[derive(Debug)]
pub struct Ledger {
    pub name: String,
    pub number: usize,
    /// Counts what was written, so that no two are alike.
    pub n_written: usize,
    /// When it was last compared with what is there.
    verified_at: u64,
    pub own_game: Kept<String>,
    pub query: Kept<String>,
    pub values: Kept<String>,
    /// Names of players whose games were imported.
    pub imported: BTreeSet<String>,
    /// What is said of each line of the book; nothing is known of a book that is not there.
    pub book: Option<Vec<Kept<String>>>,
    pub jobs: Jobs,
}

impl Ledger {
    pub fn new(number: usize) -> Ledger {
        Ledger {
            name: format!("soak-{number}"),
            number,
            n_written: 0,
            verified_at: 0,
            own_game: Kept::nothing(),
            query: Kept::nothing(),
            values: Kept::nothing(),
            imported: BTreeSet::new(),
            book: None,
            jobs: Jobs::default(),
        }
    }

    /// A number that no other write of this ledger has.
    pub fn next(&mut self) -> usize {
        self.n_written += 1;
        self.n_written
    }

    /// Nothing is said of any line.
    pub fn new_book() -> Vec<Kept<String>> {
        LINES.iter().map(|_| Kept::nothing()).collect()
    }

    /// Compares it with what is there, once in every life of the server.
    pub fn verify_once(&mut self, server: &Server) -> Asked<()> {
        let epoch = server.epoch();
        if self.verified_at != epoch {
            self.verify(server)?;
            self.verified_at = epoch;
        }
        Ok(())
    }

    /// Compares it with what is there.
    pub fn verify(&mut self, server: &Server) -> Asked<()> {
        let name = self.name.clone();
        let text = |answer: Value, key: &str| answer[key].as_str().map(String::from);
        let sheet = if_there(server.get(&format!("/api/games/{name}")))?;
        self.own_game.verify(server, "own game", sheet.and_then(|sheet| text(sheet, "name")));
        let table = if_there(server.get(&format!("/api/values/{name}")))?;
        self.values.verify(server, "values", table.and_then(|table| text(table, "text")));
        let queries = server.get("/api/queries")?;
        let named = |query: &&Value| query["name"] == name.as_str();
        let query = queries.as_array().into_iter().flatten().find(named).cloned();
        self.query.verify(server, "query", query.and_then(|query| text(query, "text")));
        self.verify_book(server)?;
        self.verify_imported(server)?;
        self.jobs.verify(server)
    }

    fn verify_book(&mut self, server: &Server) -> Asked<()> {
        for (line, kept) in LINES.iter().zip(self.book.iter_mut().flatten()) {
            let path = format!("/api/books/{}?line={}", self.name, line.replace(' ', "%20"));
            let page = server.get(&path)?;
            kept.verify(server, "comment of a book", page["comment"].as_str().map(String::from));
        }
        Ok(())
    }

    /// Every game that was acknowledged is there once.
    pub fn verify_imported(&self, server: &Server) -> Asked<()> {
        if self.imported.is_empty() {
            return Ok(());
        }
        let path = format!("/api/collections/{}/export?format=pgn", self.name);
        let text = String::from_utf8_lossy(&server.ask("GET", &path, "")?).into_owned();
        let lines = text.lines().filter_map(|line| line.strip_prefix("[White \""));
        let mut found: Vec<&str> = lines.filter_map(|line| line.strip_suffix("\"]")).collect();
        found.sort_unstable();
        if let Some(two) = found.windows(2).find(|two| two[0] == two[1]) {
            server.told.error("doubled: imported game", two[0]);
        }
        for name in self.imported.iter().filter(|name| found.binary_search(&name.as_str()).is_err()) {
            server.told.error("lost: imported game", name);
        }
        server.told.verified(self.imported.len());
        Ok(())
    }
}

/// The answer, or nothing if there is no such thing.
pub fn if_there<T>(asked: Asked<T>) -> Asked<Option<T>> {
    match asked {
        Ok(answer) => Ok(Some(answer)),
        Err(Failure::Refused(404, _)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// What a client writes next.
pub fn edit(action: &str, line: &str, text: &str) -> Value {
    match action {
        "correct" => json!({ "action": action, "line": line, "by": text }),
        _ => json!({ "action": action, "line": line, "text": text }),
    }
}
