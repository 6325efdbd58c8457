//! What all requests share: the data folder, rules that were compiled before, a limit on how many think at once.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ashta_position::CompiledRules;
use ashta_rules::{Rules, game_names, load, load_text, nearest};
use tokio::sync::{Semaphore, oneshot};

use crate::data_folder::{DataFolder, Name};
use crate::failure::Refusal;
use crate::jobs::Keeper;
use crate::shelf::Shelf;
use crate::study_shelf::StudyShelf;

/// Games with changes that are kept compiled; the cache is emptied when it is full.
const MOST_RULES: usize = 256;

/// What all requests share.
#[derive(Debug)]
pub struct Laboratory {
    /// Where everything is kept.
    pub folder: DataFolder,
    /// The program that jobs are run with.
    pub program: PathBuf,
    /// Long work.
    pub jobs: Keeper,
    /// Collections of records that are open.
    pub shelf: Shelf,
    /// Endings and books that are open.
    pub study: StudyShelf,
    rules: Mutex<HashMap<String, CompiledRules>>,
    thinkers: Arc<Semaphore>,
}

impl Laboratory {
    /// Opens the laboratory over its folder; as many requests think at once as there are processors.
    pub fn open(folder: DataFolder, program: PathBuf) -> io::Result<Laboratory> {
        let n_thinkers = std::thread::available_parallelism().map_or(1, usize::from);
        let (jobs, shelf) = (Keeper::open(&folder.jobs())?, Shelf::new(n_thinkers));
        let (study, thinkers) = (StudyShelf::default(), Arc::new(Semaphore::new(n_thinkers)));
        Ok(Laboratory { folder, program, jobs, shelf, study, rules: Mutex::default(), thinkers })
    }

    /// The rules of `NAME+change+change`, from the library or of a game that was written here.
    pub fn rules(&self, game: &str) -> Result<CompiledRules, Refusal> {
        let mut known = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = known.get(game) {
            return Ok(rules.clone());
        }
        let rules = CompiledRules::new(self.read_rules(game)?);
        if known.len() >= MOST_RULES {
            known.clear();
        }
        known.insert(game.to_string(), rules.clone());
        Ok(rules)
    }

    /// Forgets compiled rules: a game file was written anew.
    pub fn forget_rules(&self) {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn read_rules(&self, game: &str) -> Result<Rules, Refusal> {
        let mut parts = game.split('+');
        let name = parts.next().unwrap_or_default();
        let changes: Vec<&str> = parts.collect();
        if game_names().contains(&name) {
            return Ok(load(game)?);
        }
        let own = Name::read(name).map_err(|error| Refusal::missing(error.to_string()))?;
        match std::fs::read_to_string(self.own_game(&own)) {
            Ok(text) => Ok(load_text(&format!("{own}.toml"), &text, &changes)?),
            Err(_) => {
                let refusal = Refusal::missing(format!("no game is named `{own}`"));
                Err(match nearest(own.as_str(), game_names()) {
                    Some(near) => refusal.hint(format!("did you mean `{near}`?")),
                    None => refusal,
                })
            }
        }
    }

    /// The file of a game that was written here.
    pub fn own_game(&self, name: &Name) -> PathBuf {
        self.folder.games().join(format!("{name}.toml"))
    }

    /// Does work that takes time on a thread of its own, when one is free. The flag is set when nobody waits any more.
    pub async fn think<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let busy = |_| Refusal::unable("the laboratory is closing");
        let permit = self.thinkers.clone().acquire_owned().await.map_err(busy)?;
        let stop = Arc::new(AtomicBool::new(false));
        let _left = StopWhenDropped(stop.clone());
        let done = tokio::task::spawn_blocking(move || {
            // The thread is taken until the work has ended, whoever waits for it.
            let _thinking = permit;
            work(&stop)
        });
        done.await.map_err(|_| {
            Refusal::unable("this request met a mistake of the program")
                .hint("other requests go on; please report what you asked for")
        })
    }

    /// The same, broken off and refused if it takes longer, the time that it waits for a thread not counted.
    pub async fn think_within<T: Send + 'static>(
        &self,
        longest: Duration,
        work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (begin, begun) = oneshot::channel();
        let thinking = self.think(move |stop| {
            // Who left does not ask when it began.
            _ = begin.send(());
            work(stop)
        });
        let over = async {
            // Where it never begins, the answer says why.
            if begun.await.is_err() {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(longest).await;
        };
        tokio::select! {
            done = thinking => done,
            () = over => {
                let what = format!("this takes longer than {} seconds and was stopped", longest.as_secs());
                Err(Refusal::wrong(what).hint("choose a player that looks less far ahead"))
            }
        }
    }
}

/// Does work that waits for the disk, not for a processor: nobody queues for it.
pub async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| {
        Err(Refusal::unable("this request met a mistake of the program")
            .hint("other requests go on; please report what you asked for"))
    })
}

/// Sets the flag of work whose request has ended: the page was closed, the connection lost.
#[derive(Debug)]
pub struct StopWhenDropped(pub Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
