//! The state that all requests share: data folder, games, caches, job queue, and the pool of threads for CPU-bound work.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ashta_messages::message;
use ashta_position::CompiledRules;
use tokio::sync::{Semaphore, oneshot};

use crate::api_error::ApiError;
use crate::collection_cache::CollectionCache;
use crate::data_folder::DataFolder;
use crate::jobs::JobQueue;
use crate::library::Library;
use crate::study_cache::StudyCache;

/// The state that all requests share.
#[derive(Debug)]
pub struct AppState {
    pub folder: DataFolder,
    pub library: Library,
    /// The executable that jobs run: this one.
    pub program: PathBuf,
    pub jobs: JobQueue,
    pub collection_cache: CollectionCache,
    pub study: StudyCache,
    cpu_permits: Arc<Semaphore>,
}

impl AppState {
    /// Opens the data folder; CPU-bound requests are limited to the number of processors.
    pub fn open(folder: DataFolder, program: PathBuf) -> io::Result<AppState> {
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (jobs, collection_cache) = (JobQueue::open(&folder.jobs())?, CollectionCache::new(n_threads));
        let (study, cpu_permits) = (StudyCache::default(), Arc::new(Semaphore::new(n_threads)));
        let library = Library::new(folder.clone());
        Ok(AppState { folder, library, program, jobs, collection_cache, study, cpu_permits })
    }

    /// The rules of `NAME+change+change`.
    pub fn rules(&self, game: &str) -> Result<CompiledRules, ApiError> {
        self.library.rules(game)
    }

    /// Runs CPU-bound work on a blocking thread when a permit is free. The flag is set when the client disconnects.
    pub async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let busy = |_| ApiError::internal(message!("web.shutting-down"));
        let permit = self.cpu_permits.clone().acquire_owned().await.map_err(busy)?;
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_guard = StopWhenDropped(stop.clone());
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even where the client is gone.
            let _permit = permit;
            work(&stop)
        });
        done.await.map_err(|_| ApiError::panicked())
    }

    /// The same with a time limit; waiting for a permit does not count.
    pub async fn compute_within<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let (begin, begun) = oneshot::channel();
        let computing = self.compute(move |stop| {
            // Fails only where the client is gone.
            _ = begin.send(());
            work(stop)
        });
        let timeout = async {
            // Where the work never begins, `computing` has the error.
            if begun.await.is_err() {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(limit).await;
        };
        tokio::select! {
            done = computing => done,
            () = timeout => {
                let what = message!("web.timeout", n = limit.as_secs());
                Err(ApiError::bad_request(what).hint(message!("web.timeout.hint")))
            }
        }
    }
}

/// Runs I/O-bound work on a blocking thread, without a permit.
pub async fn spawn_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(ApiError::panicked()))
}

/// Sets a stop flag when a request's future is dropped: the client disconnected.
#[derive(Debug)]
pub struct StopWhenDropped(pub Arc<AtomicBool>);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
