//! Jobs that are begun, watched, stopped, gone on with, finished and forgotten.

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::ledger::if_there;
use crate::server::{Asked, Server};

/// Jobs that are done and kept; the oldest is forgotten beyond.
const MOST_DONE: usize = 3;
/// Games of a job that nobody waits for, and how often it is looked at while it runs before it is stopped.
const ENDLESS: u64 = 100_000_000;
const MOST_LOOKS: usize = 5;

/// The jobs of a ledger.
#[derive(Default, Debug)]
pub struct Jobs {
    n_begun: u64,
    /// The seed of one that was asked for, and not acknowledged.
    asked: Option<u64>,
    current: Option<Current>,
    done: Vec<Done>,
}

#[derive(Debug)]
struct Current {
    id: u64,
    is_endless: bool,
    /// How often it was seen to run, and to be stopped.
    n_looks: usize,
    n_stops: usize,
}

impl Current {
    fn of(job: &Value) -> Option<Current> {
        let is_endless = job["request"]["n_games"] == ENDLESS;
        job["id"].as_u64().map(|id| Current { id, is_endless, n_looks: 0, n_stops: 0 })
    }
}

/// A job that was seen to be done, and its report.
#[derive(Debug)]
struct Done {
    id: u64,
    report: Vec<u8>,
}

fn request(n: u64, seed: u64) -> Value {
    let mut request = match n % 5 {
        1 => json!({ "kind": "analyze", "games": ["minishogi"], "players": ["P0"], "n_games": 50 }),
        0 => json!({ "kind": "analyze", "games": ["minishogi"], "players": ["P1"], "n_games": ENDLESS }),
        2 => json!({ "kind": "match", "games": ["minishogi"], "players": ["P1", "P0"], "n_pairs": 5 }),
        3 => json!({ "kind": "evolve", "name": "heian-to-shogi", "player": "P0", "n_games": 2 }),
        _ => json!({ "kind": "learn", "games": ["minishogi"], "n_games": 20, "n_runs": 1, "depth": 1 }),
    };
    (request["seed"], request["threads"]) = (json!(seed), json!(1));
    request
}

impl Jobs {
    /// Does the next thing.
    pub fn act(&mut self, server: &Server, number: usize, dice: &mut Dice) -> Asked<()> {
        let Some(current) = &mut self.current else { return self.begin(server, number) };
        let path = format!("/api/jobs/{}", current.id);
        let state = match dice.below(3) {
            0 => {
                server.watch("GET", &format!("{path}/events"), "", |_| true)?;
                return server.watch("GET", "/api/jobs/events", "", |_| true);
            }
            _ => server.get(&path)?,
        };
        match state["state"].as_str().unwrap_or_default() {
            "done" => self.finish(server),
            "waiting" => Ok(()),
            "running" => {
                current.n_looks += 1;
                match current.is_endless && current.n_looks > MOST_LOOKS {
                    true => server.post(&format!("{path}/stop"), &json!({})).map(|_| ()),
                    false => Ok(()),
                }
            }
            "stopped" if current.n_stops == 0 => {
                (current.n_stops, current.n_looks) = (1, 0);
                server.post(&format!("{path}/resume"), &json!({})).map(|_| ())
            }
            "stopped" => {
                self.current = None;
                server.delete(&path)
            }
            _ => {
                server.told.error("a job failed", state.to_string());
                self.current = None;
                Ok(())
            }
        }
    }

    fn begin(&mut self, server: &Server, number: usize) -> Asked<()> {
        self.n_begun += 1;
        let seed = number as u64 * 1_000_000 + self.n_begun;
        self.asked = Some(seed);
        let job = server.post("/api/jobs", &request(self.n_begun, seed))?;
        self.asked = None;
        self.current = Current::of(&job);
        Ok(())
    }

    /// Takes what the job has found, and forgets the oldest.
    fn finish(&mut self, server: &Server) -> Asked<()> {
        let Some(Current { id, .. }) = self.current else { return Ok(()) };
        let files = server.get(&format!("/api/jobs/{id}/files"))?;
        let has = |name: &str| files.as_array().into_iter().flatten().any(|file| file["name"] == name);
        if !has("report.json") || !has("report.html") {
            server.told.error("a job is done without its report", files.to_string());
        }
        server.ask("GET", &format!("/api/jobs/{id}/files/report.html"), "")?;
        let report = server.ask("GET", &format!("/api/jobs/{id}/files/report.json"), "")?;
        self.current = None;
        self.done.push(Done { id, report });
        if self.done.len() > MOST_DONE {
            let Done { id, .. } = self.done.remove(0);
            server.delete(&format!("/api/jobs/{id}"))?;
        }
        Ok(())
    }

    /// Jobs that were done are, with the same report; one that was asked for may have begun.
    pub fn verify(&mut self, server: &Server) -> Asked<()> {
        if let Some(seed) = self.asked {
            let jobs = server.get("/api/jobs")?;
            let ours = |job: &&Value| job["request"]["seed"] == seed;
            self.current = jobs.as_array().into_iter().flatten().find(ours).and_then(Current::of);
            self.asked = None;
        }
        if let Some(Current { id, .. }) = self.current
            && if_there(server.get(&format!("/api/jobs/{id}")))?.is_none()
        {
            server.told.error("lost: job", id.to_string());
            self.current = None;
        }
        for Done { id, report } in &self.done {
            let state = if_there(server.get(&format!("/api/jobs/{id}")))?.map(|job| job["state"].clone());
            let path = format!("/api/jobs/{id}/files/report.json");
            let found = if_there(server.ask("GET", &path, ""))?;
            if state != Some(json!("done")) || found.as_ref() != Some(report) {
                server.told.error("lost: finished job", format!("job {id} is {state:?}"));
            }
            server.told.verified(1);
        }
        Ok(())
    }

    /// Carries out again what was done, brings its journal in as a part, and merges it; one client at a time does so.
    pub fn exchange(&self, server: &Server) -> Asked<()> {
        if !forget_exchanged(server)? {
            return Ok(());
        }
        let analysis = |done: &&Done| {
            serde_json::from_slice::<Value>(&done.report)
                .is_ok_and(|report| report["plan"]["kind"] == "analysis")
        };
        let Some(Done { id, report }) = self.done.iter().find(analysis) else { return Ok(()) };
        let report: Value = serde_json::from_slice(report).unwrap_or_default();
        server.post("/api/jobs", &json!({ "kind": "rerun", "plan": report["plan"], "threads": 1 }))?;
        server.get(&format!("/api/jobs/{id}/games/0/0"))?;
        let journal = server.ask("GET", &format!("/api/jobs/{id}/files/journal"), "")?;
        let part: Value =
            serde_json::from_slice(&server.ask("POST", "/api/jobs/parts", journal)?).unwrap_or_default();
        server.post("/api/jobs", &json!({ "kind": "merge", "jobs": [part["id"]] })).map(|_| ())
    }
}

/// Forgets what was carried out again, brought in or merged, when all of it is done; whether it is.
fn forget_exchanged(server: &Server) -> Asked<bool> {
    let jobs = server.get("/api/jobs")?;
    let is_exchanged =
        |job: &&Value| ["rerun", "part", "merge"].into_iter().any(|kind| job["request"]["kind"] == kind);
    let exchanged: Vec<&Value> = jobs.as_array().into_iter().flatten().filter(is_exchanged).collect();
    if exchanged.iter().any(|job| ["waiting", "running"].into_iter().any(|state| job["state"] == state)) {
        return Ok(false);
    }
    for job in exchanged {
        if job["state"] == "failed" {
            server.told.error("a job failed", job.to_string());
        }
        server.delete(&format!("/api/jobs/{}", job["id"]))?;
    }
    Ok(true)
}
