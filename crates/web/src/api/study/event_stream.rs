//! Work that somebody watches: events of progress, then the answer. Who leaves stops the work.
//!
//! In: work that writes down how far it is. Out: server-sent events, each a JSON object with `event`: `progress`, `part`,
//! `done` with the answer in `answer`, or `refused` with why. Never: work that goes on for nobody.

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

/// How often progress is told.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);
/// Parts that wait to be sent; work waits when nobody takes them.
const MAX_WAITING: usize = 64;

/// How far work is, as it says itself.
#[derive(Clone, Debug)]
pub struct ProgressReporter {
    now: Arc<Mutex<Value>>,
    parts: Sender<Value>,
}

impl ProgressReporter {
    /// Writes down how far it is; only the last of these is sent, a few times a second.
    pub fn progress(&self, now: Value) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = now;
    }

    /// Sends a part of the answer; waits while the one who watches is slow.
    pub fn part(&self, part: impl Serialize) {
        let part = serde_json::to_value(part).unwrap_or_default();
        // If nobody takes it any more, the work is told to stop anyway.
        _ = self.parts.blocking_send(json!({ "event": "part", "part": part }));
    }
}

/// Does work on a thread and tells how far it is.
pub fn stream_events<T: Serialize + Send + 'static>(
    state: Arc<AppState>,
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
            Err(api_error) => json!({ "event": "refused", "refusal": api_error.body() }),
        };
        _ = sender.send(last).await;
    });
    Sse::new(EventStream { receiver, task })
}

/// Waits for the work; meanwhile sends how far it is.
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

/// Events as they come; dropped when the connection ends, and the work with it.
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
