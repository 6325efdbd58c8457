//! Searches of collections: on blocking threads, limited in number and time.
//!
//! In: the name of a collection, the work. Out: its result. Never: more searches at once than processors, nor a long one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::api_error::ApiError;
use crate::app_state::{AppState, StopWhenDropped};
use crate::collection_cache::OpenCollection;
use crate::data_folder::Name;
use ashta_messages::message;

const MAX_TIME: Duration = Duration::from_secs(10);

impl AppState {
    /// A collection as it is on disk now.
    pub fn collection(&self, name: &Name) -> Result<Arc<OpenCollection>, ApiError> {
        self.collection_cache.get(&self.library, name)
    }

    /// Runs a query; one for shapes anywhere on the board waits for others of its kind.
    pub async fn search_for<T: Send + 'static>(
        self: &Arc<AppState>,
        name: &str,
        query: &str,
        work: impl FnOnce(&OpenCollection, &AtomicBool) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        if !query.contains("anywhere") {
            return self.search(name, work).await;
        }
        let closing = |_| ApiError::internal(message!("web.shutting-down"));
        let free = self.collection_cache.shape_searchers.clone().acquire_owned();
        let busy = |_| {
            let api_error = ApiError::conflict(message!("web.too-many-searches"));
            api_error.hint(message!("web.retry"))
        };
        let permit = tokio::time::timeout(MAX_TIME, free).await.map_err(busy)?.map_err(closing)?;
        let work = move |opened: &OpenCollection, stop: &AtomicBool| {
            let _permit = permit;
            work(opened, stop)
        };
        self.search(name, work).await
    }

    /// Runs a search on a blocking thread when a permit is free; stopped after the time limit or on disconnect.
    pub async fn search<T: Send + 'static>(
        self: &Arc<AppState>,
        name: &str,
        work: impl FnOnce(&OpenCollection, &AtomicBool) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let name = Name::read(name)?;
        let closing = |_| ApiError::internal(message!("web.shutting-down"));
        let permit = self.collection_cache.searchers.clone().acquire_owned().await.map_err(closing)?;
        let stop = Arc::new(AtomicBool::new(false));
        let _stop_guard = StopWhenDropped(stop.clone());
        let state = self.clone();
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work ends, even where the client is gone.
            let _permit = permit;
            work(&*state.collection(&name)?, &stop)
        });
        match tokio::time::timeout(MAX_TIME, done).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(ApiError::panicked()),
            Err(_) => {
                let what = message!("web.search-timeout", n = MAX_TIME.as_secs());
                Err(ApiError::bad_request(what).hint(message!("web.search-timeout.hint")))
            }
        }
    }
}
