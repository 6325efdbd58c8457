//! A soak: 64 clients over every kind of request, jobs begun and stopped, the server killed again and again. No error but the
//! kills, nothing lost that was acknowledged, memory level, nothing left behind.
//!
//! `cargo bench -p ashta --bench soak --profile release -- 3600 100`: seconds and kills; a third word is another `ashta`.

mod dice;
mod jobs;
mod ledger;
mod leftovers;
mod memory;
mod reads;
mod server;
mod told;
mod writes;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dice::Dice;
use ledger::Ledger;
use memory::Memory;
use server::{Asked, Failure, Server};

const N_CLIENTS: usize = 64;
/// Ledgers; those who share one write one after another.
const N_LEDGERS: usize = 8;
/// A life in which all caches are full long before its end.
const LONG_LIFE: Duration = Duration::from_secs(300);
/// A person looks at what came.
const LOOKING: Duration = Duration::from_millis(200);

/// How long, how many kills, of what.
struct Plan {
    seconds: f64,
    n_kills: usize,
    program: PathBuf,
}

impl Plan {
    fn read() -> Plan {
        // Cargo adds `--bench`.
        let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
        let number =
            |n: usize, usual: usize| words.get(n).map_or(usual, |word| word.parse().expect("a number"));
        let program = words.get(2).map_or_else(|| env!("CARGO_BIN_EXE_ashta").into(), PathBuf::from);
        Plan { seconds: number(0, 3600) as f64, n_kills: number(1, 100), program }
    }

    /// The last life is a long one: a sixth of the time, ten minutes of an hour.
    fn last_life(&self) -> Duration {
        Duration::from_secs_f64(self.seconds / 6.0)
    }

    /// Time between two kills.
    fn life(&self) -> Duration {
        (Duration::from_secs_f64(self.seconds) - self.last_life()) / self.n_kills.max(1) as u32
    }
}

/// What all clients share.
struct Soak {
    server: Server,
    ledgers: Vec<Mutex<Ledger>>,
    /// Held by who carries jobs out again.
    exchange: Mutex<()>,
    is_over: AtomicBool,
}

fn main() {
    let plan = Plan::read();
    let soak = Soak {
        server: Server::start(plan.program.clone()),
        ledgers: (0..N_LEDGERS).map(|number| Mutex::new(Ledger::new(number))).collect(),
        exchange: Mutex::new(()),
        is_over: AtomicBool::new(false),
    };
    soak.server.told.describe(&soak.server.get("/api/openapi.json").expect("a description"));
    wait_for_samples(&soak.server);
    let mut memory = Memory::default();
    thread::scope(|scope| {
        for client in 0..N_CLIENTS {
            let soak = &soak;
            scope.spawn(move || soak.live(client));
        }
        soak.kill_again_and_again(&plan, &mut memory);
        soak.is_over.store(true, Ordering::Relaxed);
    });
    soak.server.restart();
    for ledger in &soak.ledgers {
        let verified = ledger.lock().expect("no panic").verify(&soak.server);
        soak.count("last look", verified);
    }
    leftovers::check(&soak.server);
    soak.server.told.check_every_operation();
    memory.check_lives(&soak.server.told);
    if plan.last_life() >= LONG_LIFE {
        memory.check_last_life(&soak.server.told);
    }
    soak.server.told.print();
    memory.print();
    let n_errors = soak.server.told.n_errors();
    assert_eq!(n_errors, 0, "{n_errors} errors");
    println!("no error, nothing lost");
}

impl Soak {
    /// Kills the server and measures its memory meanwhile.
    fn kill_again_and_again(&self, plan: &Plan, memory: &mut Memory) {
        let (life, mut dice) = (plan.life(), Dice::new(N_CLIENTS));
        for n in 0..plan.n_kills {
            let begin = Instant::now();
            // Every life is measured at the same age, and ends at another one.
            let (age, end) = (life.mul_f64(0.5), life.mul_f64(0.6 + dice.below(81) as f64 / 100.0));
            thread::sleep(age.saturating_sub(begin.elapsed()));
            memory.lives.push(self.server.memory());
            thread::sleep(end.saturating_sub(begin.elapsed()));
            memory.restarts.push(self.server.restart());
            println!(
                "kill {}, {:.0} MB, {} errors",
                n + 1,
                self.server.memory(),
                self.server.told.n_errors()
            );
        }
        let (begin, last_life) = (Instant::now(), plan.last_life());
        while begin.elapsed() < last_life {
            thread::sleep(last_life / 60);
            memory.last_life.push(self.server.memory());
        }
    }

    /// One client: asks for one thing after another.
    fn live(&self, client: usize) {
        let mut dice = Dice::new(client);
        while !self.is_over.load(Ordering::Relaxed) {
            let (what, done) = self.act(client, &mut dice);
            self.count(what, done);
            thread::sleep(LOOKING);
        }
    }

    fn act(&self, client: usize, dice: &mut Dice) -> (&'static str, Asked<()>) {
        let server = &self.server;
        // Whoever finds the ledger in use reads something instead.
        let ledger = self.ledgers[client % N_LEDGERS].try_lock();
        match (dice.below(10), ledger) {
            (0..=2, Ok(mut ledger)) => {
                let verified = ledger.verify_once(server);
                let written = verified.and_then(|()| writes::write(server, &mut ledger, dice));
                ("write", written)
            }
            (3, Ok(mut ledger)) => {
                let number = ledger.number;
                ("job", ledger.verify_once(server).and_then(|()| ledger.jobs.act(server, number, dice)))
            }
            (4, Ok(ledger)) if dice.below(20) == 0 => match self.exchange.try_lock() {
                Ok(_held) => ("exchange of jobs", ledger.jobs.exchange(server)),
                Err(_) => ("read", reads::read(server, dice)),
            },
            (_, ledger) => {
                drop(ledger);
                ("read", reads::read(server, dice))
            }
        }
    }

    fn count(&self, what: &str, done: Asked<()>) {
        match done {
            Ok(()) => {}
            Err(Failure::Killed) => self.server.told.was_killed(),
            Err(Failure::Refused(status, told)) => {
                // Numbers and names differ; the sentence is the kind.
                let kind: String = told.chars().filter(|c| !c.is_ascii_digit()).take(60).collect();
                self.server.told.error(format!("{what}: {status} {kind}"), told);
            }
            Err(Failure::Broken(why)) => self.server.told.error(format!("{what}: broken"), why),
        }
    }
}

fn wait_for_samples(server: &Server) {
    for _ in 0..600 {
        let listed = server.get("/api/collections").unwrap_or_default();
        let ready = |line: &serde_json::Value| line["playing"].is_null() && line["games"] != 0;
        if listed.as_array().is_some_and(|lines| lines.len() >= 2 && lines.iter().all(ready)) {
            return;
        }
        thread::sleep(Duration::from_millis(500));
    }
    panic!("the sample collections are not there after five minutes");
}
