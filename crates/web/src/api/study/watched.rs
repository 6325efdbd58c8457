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

use crate::failure::Refusal;
use crate::laboratory::Laboratory;

/// How often progress is told.
const EVERY: Duration = Duration::from_millis(200);
/// Parts that wait to be sent; work waits when nobody takes them.
const MOST_WAITING: usize = 64;

/// How far work is, as it says itself.
#[derive(Clone, Debug)]
pub struct Told {
    now: Arc<Mutex<Value>>,
    parts: Sender<Value>,
}

impl Told {
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
pub fn watched<T: Serialize + Send + 'static>(
    laboratory: Arc<Laboratory>,
    work: impl FnOnce(&Told, &AtomicBool) -> Result<T, Refusal> + Send + 'static,
) -> Sse<Watched> {
    let (sender, receiver) = channel(MOST_WAITING);
    let told = Told { now: Arc::default(), parts: sender.clone() };
    let task = tokio::spawn(async move {
        let thinking = {
            let told = told.clone();
            laboratory.think(move |stop| work(&told, stop))
        };
        let answer = tell_while(thinking, &told).await;
        let last = match answer.and_then(|answer| answer) {
            Ok(answer) => {
                json!({ "event": "done", "answer": serde_json::to_value(answer).unwrap_or_default() })
            }
            Err(refusal) => json!({ "event": "refused", "refusal": refusal.body() }),
        };
        _ = sender.send(last).await;
    });
    Sse::new(Watched { receiver, task })
}

/// Waits for the work; meanwhile sends how far it is.
async fn tell_while<T>(thinking: impl Future<Output = T>, told: &Told) -> T {
    let mut thinking = std::pin::pin!(thinking);
    let begin = Instant::now();
    let mut ticks = tokio::time::interval(EVERY);
    loop {
        tokio::select! {
            answer = &mut thinking => return answer,
            _ = ticks.tick() => {
                let now = told.now.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let elapsed_ms = begin.elapsed().as_millis() as u64;
                let event = json!({ "event": "progress", "elapsed_ms": elapsed_ms, "progress": now });
                _ = told.parts.try_send(event);
            }
        }
    }
}

/// Events as they come; dropped when the connection ends, and the work with it.
#[derive(Debug)]
pub struct Watched {
    receiver: Receiver<Value>,
    task: JoinHandle<()>,
}

impl Stream for Watched {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.receiver.poll_recv(context);
        next.map(|value| value.map(|value| Ok(Event::default().data(value.to_string()))))
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.task.abort();
    }
}
