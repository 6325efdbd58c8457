//! The connected clients: their number, what they have reserved, which one has been idle longest.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ashta_messages::message;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::ConnectionLimits;
use crate::api_error::ApiError;

/// How long a new client waits for the slot of an evicted one.
const EVICTION_WAIT: Duration = Duration::from_secs(2);
/// How long a request waits for a reservation, and how often it looks for a stuck one to evict.
const MAX_WAIT: Duration = Duration::from_secs(10);
const RETRY_INTERVAL: Duration = Duration::from_millis(50);
/// A request is stuck after this time without a byte.
const STUCK_AFTER: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct Clients {
    connected: Mutex<BTreeMap<u64, Arc<Client>>>,
    next: AtomicU64,
    begin: Instant,
    slots: Arc<Semaphore>,
    body_kilobytes: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
}

/// A limited resource of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reservation {
    /// Memory for a body.
    Kilobytes(u32),
    /// A file that is received.
    Upload,
}

/// One client.
#[derive(Debug)]
pub struct Client {
    all: Arc<Clients>,
    number: u64,
    /// When it last sent or read a byte, in milliseconds since the server started.
    active_ms: AtomicU64,
    /// Whether its request passed the guard.
    is_admitted: AtomicBool,
    /// Whether its request has been received completely.
    is_body_received: AtomicBool,
    is_evicted: AtomicBool,
    eviction: Notify,
    held: Mutex<Vec<(Reservation, OwnedSemaphorePermit)>>,
}

/// A connection slot; freed on drop.
#[derive(Debug)]
pub struct ConnectionSlot {
    pub client: Arc<Client>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.client.all.connected().remove(&self.client.number);
    }
}

impl Clients {
    pub fn new(limits: ConnectionLimits) -> Arc<Clients> {
        Arc::new(Clients {
            connected: Mutex::default(),
            next: AtomicU64::new(0),
            begin: Instant::now(),
            slots: Arc::new(Semaphore::new(limits.connections)),
            body_kilobytes: Arc::new(Semaphore::new(limits.body_kilobytes)),
            uploads: Arc::new(Semaphore::new(limits.uploads)),
        })
    }

    fn connected(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Client>>> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ms(&self) -> u64 {
        self.begin.elapsed().as_millis() as u64
    }

    /// A slot for a new connection; evicts an idle client if necessary. `None` if all are being answered.
    pub async fn admit(self: &Arc<Clients>) -> Option<ConnectionSlot> {
        let permit = match self.slots.clone().try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                if !self.evict_silent(|_| true) {
                    return None;
                }
                timeout(EVICTION_WAIT, self.slots.clone().acquire_owned()).await.ok()?.ok()?
            }
        };
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let client = Arc::new(Client {
            all: self.clone(),
            number,
            active_ms: AtomicU64::new(self.now_ms()),
            is_admitted: AtomicBool::new(false),
            is_body_received: AtomicBool::new(false),
            is_evicted: AtomicBool::new(false),
            eviction: Notify::new(),
            held: Mutex::default(),
        });
        self.connected().insert(number, client.clone());
        Some(ConnectionSlot { client, _permit: permit })
    }

    /// Evicts the client that has been idle longest, of those that match and that the server waits for;
    /// returns whether there was one.
    pub fn evict_silent(&self, matches: impl Fn(&Client) -> bool) -> bool {
        let connected = self.connected();
        let waiting = connected
            .values()
            .filter(|client| !client.is_answering() && !client.is_being_evicted() && matches(client));
        let silent = waiting.min_by_key(|client| client.active_ms.load(Ordering::Relaxed));
        silent.is_some_and(|client| {
            client.is_evicted.store(true, Ordering::Relaxed);
            client.eviction.notify_one();
            true
        })
    }
}

impl Client {
    /// Records activity.
    pub fn touch(&self) {
        self.active_ms.store(self.all.now_ms(), Ordering::Relaxed);
    }

    pub fn mark_admitted(&self) {
        self.is_admitted.store(true, Ordering::Relaxed);
    }

    pub fn mark_body_received(&self) {
        self.is_body_received.store(true, Ordering::Relaxed);
    }

    /// The request was answered or aborted.
    pub fn finish_request(&self) {
        self.is_admitted.store(false, Ordering::Relaxed);
        self.is_body_received.store(false, Ordering::Relaxed);
        self.held().clear();
        self.touch();
    }

    /// Completes when it is evicted.
    pub async fn evicted(&self) {
        self.eviction.notified().await;
    }

    /// Whether the server is working on its request; such a client is never evicted.
    fn is_answering(&self) -> bool {
        self.is_admitted.load(Ordering::Relaxed) && self.is_body_received.load(Ordering::Relaxed)
    }

    fn is_silent_for(&self, time: Duration) -> bool {
        let silent_ms = self.all.now_ms().saturating_sub(self.active_ms.load(Ordering::Relaxed));
        silent_ms >= time.as_millis() as u64
    }

    fn is_being_evicted(&self) -> bool {
        self.is_evicted.load(Ordering::Relaxed)
    }

    fn held(&self) -> MutexGuard<'_, Vec<(Reservation, OwnedSemaphorePermit)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves a resource until the request is answered. Under contention, stuck requests are evicted.
    pub async fn reserve(&self, reservation: Reservation) -> Result<(), ApiError> {
        let (of, n) = match reservation {
            Reservation::Kilobytes(n) => (&self.all.body_kilobytes, n),
            Reservation::Upload => (&self.all.uploads, 1),
        };
        let is_same_sort = |held: &Reservation| {
            matches!(held, Reservation::Upload) == matches!(reservation, Reservation::Upload)
        };
        let is_stuck = |client: &Client| {
            client.is_silent_for(STUCK_AFTER) && client.held().iter().any(|(held, _)| is_same_sort(held))
        };
        let mut permit = of.clone().try_acquire_many_owned(n).ok();
        let begin = Instant::now();
        while permit.is_none() && begin.elapsed() < MAX_WAIT {
            self.all.evict_silent(is_stuck);
            let freed = timeout(RETRY_INTERVAL, of.clone().acquire_many_owned(n)).await;
            permit = freed.ok().and_then(Result::ok);
        }
        let busy =
            || ApiError::unavailable(message!("web.too-many-large-requests")).hint(message!("web.retry"));
        let permit = permit.ok_or_else(busy)?;
        // Nothing was read from it while it waited here: that was not its fault.
        self.touch();
        self.held().push((reservation, permit));
        Ok(())
    }
}
