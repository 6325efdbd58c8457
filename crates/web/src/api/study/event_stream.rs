//! Long requests as server-sent events: progress, then the answer. A disconnect stops the work.
//!
//! In: work that writes down how far it is. Out: server-sent events, each a JSON object with `event`: `progress`, `part`,
//! `done` with the answer in `answer`, or `refused` with the error. Never: work without a client.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::response::sse::{Event, Sse};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio_stream::Stream;

use crate::api_error::ApiError;
use crate::app_state::AppState;
use crate::request_language::RequestLanguage;

const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// Parts in the channel; the work blocks when it is full.
const MAX_WAITING: usize = 64;

/// Progress of the work.
#[derive(Clone, Debug)]
pub struct ProgressReporter {
    now: Arc<Mutex<Value>>,
    parts: Sender<Value>,
}

impl ProgressReporter {
    /// Sets the progress; the latest is sent a few times a second.
    pub fn progress(&self, now: Value) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Sends a part of the answer; blocks while the client is slow.
    pub fn part(&self, part: impl Serialize) {
        let part = serde_json::to_value(part).unwrap_or_default();
        // Fails only when the client is gone; the stop flag is set then.
        _ = self.parts.blocking_send(json!({ "event": "part", "part": part }));
    }
}

/// Runs work on a blocking thread and streams its progress.
pub fn stream_events<T: Serialize + Send + 'static>(
    state: Arc<AppState>,
    RequestLanguage(language): RequestLanguage,
    work: impl FnOnce(&ProgressReporter, &AtomicBool) -> Result<T, ApiError> + Send + 'static,
) -> Sse<EventStream> {
    let (sender, receiver) = channel(MAX_WAITING);
    let reporter = ProgressReporter { now: Arc::default(), parts: sender.clone() };
    let task = tokio::spawn(async move {
        let thinking = {
            let reporter = reporter.clone();
            state.compute(move |stop| work(&reporter, stop))
        };
        let answer = report_while(thinking, &reporter).await;
        let last = match answer.and_then(|answer| answer) {
            Ok(answer) => {
                json!({ "event": "done", "answer": serde_json::to_value(answer).unwrap_or_default() })
            }
            Err(api_error) => json!({ "event": "refused", "refusal": api_error.body(language) }),
        };
        _ = sender.send(last).await;
    });
    Sse::new(EventStream { receiver, task })
}

/// Waits for the work and sends its progress meanwhile.
async fn report_while<T>(thinking: impl Future<Output = T>, reporter: &ProgressReporter) -> T {
    let mut thinking = std::pin::pin!(thinking);
    let begin = Instant::now();
    let mut ticks = tokio::time::interval(PROGRESS_INTERVAL);
    loop {
        tokio::select! {
            answer = &mut thinking => return answer,
            _ = ticks.tick() => {
                let now = reporter.now.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let elapsed_ms = begin.elapsed().as_millis() as u64;
                let event = json!({ "event": "progress", "elapsed_ms": elapsed_ms, "progress": now });
                _ = reporter.parts.try_send(event);
            }
        }
    }
}

/// The stream of events; dropping it aborts the work.
#[derive(Debug)]
pub struct EventStream {
    receiver: Receiver<Value>,
    task: JoinHandle<()>,
}

impl Stream for EventStream {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.receiver.poll_recv(context);
        next.map(|value| value.map(|value| Ok(Event::default().data(value.to_string()))))
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.task.abort();
    }
}
