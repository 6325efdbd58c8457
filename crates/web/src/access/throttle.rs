//! Throttles wrong tokens: each delays the next attempt, from any client.
//!
//! Attempts in that time are serialised, so that parallel connections try no more tokens. At other times nothing waits:
//! any number of right tokens is accepted at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Delay after a wrong token.
const PENALTY: Duration = Duration::from_millis(250);
/// Waiting attempts; more are rejected at once.
const MAX_WAITING: usize = 40;

#[derive(Debug, Default)]
pub struct Throttle {
    /// When the next attempt is allowed.
    next: Mutex<Option<Instant>>,
    /// Held by the first waiting attempt.
    line: tokio::sync::Mutex<()>,
    n_waiting: AtomicUsize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyAttempts;

/// Counts a waiting attempt.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Throttle {
    /// Checks a token when it is its turn.
    pub async fn check(&self, is_right: impl Fn() -> bool) -> Result<bool, TooManyAttempts> {
        // No attempt overtakes those that wait.
        if self.n_waiting.load(Ordering::Relaxed) == 0
            && let Ok(is_right) = self.look(&is_right)
        {
            return Ok(is_right);
        }
        let n_before = self.n_waiting.fetch_add(1, Ordering::Relaxed);
        let _waiting = Waiting(&self.n_waiting);
        if n_before >= MAX_WAITING {
            return Err(TooManyAttempts);
        }
        let _first = self.line.lock().await;
        loop {
            match self.look(&is_right) {
                Ok(is_right) => return Ok(is_right),
                Err(next) => sleep_until(next).await,
            }
        }
    }

    /// Checks a token, or returns when that is allowed.
    fn look(&self, is_right: impl Fn() -> bool) -> Result<bool, Instant> {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if let Some(at) = next.filter(|at| now < *at) {
            return Err(at);
        }
        let is_right = is_right();
        *next = (!is_right).then(|| now + PENALTY);
        Ok(is_right)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn wrong_tokens_are_slowed_and_right_ones_are_not() {
        let throttle = Throttle::default();
        let begin = Instant::now();
        for _ in 0..100 {
            assert_eq!(throttle.check(|| true).await, Ok(true));
        }
        assert_eq!(begin.elapsed(), Duration::ZERO);
        for _ in 0..100 {
            assert_eq!(throttle.check(|| false).await, Ok(false));
        }
        assert!(begin.elapsed() >= PENALTY * 99, "{:?}", begin.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn asking_at_once_tries_no_more_of_them() {
        let throttle = Arc::new(Throttle::default());
        assert_eq!(throttle.check(|| false).await, Ok(false));
        let begin = Instant::now();
        let mut asking = JoinSet::new();
        for _ in 0..MAX_WAITING + 10 {
            let throttle = throttle.clone();
            asking.spawn(async move { throttle.check(|| false).await });
        }
        let answers = asking.join_all().await;
        assert_eq!(answers.iter().filter(|answer| **answer == Err(TooManyAttempts)).count(), 10);
        assert!(begin.elapsed() >= PENALTY * (MAX_WAITING as u32 - 1), "{:?}", begin.elapsed());
        assert_eq!(throttle.check(|| true).await, Ok(true), "and whoever has the token comes in after them");
    }

    /// All at once on several threads: nobody has shown a wrong one, so nobody is sent away.
    #[tokio::test(flavor = "multi_thread", worker_threads = 8)]
    async fn any_number_of_right_tokens_is_let_in() {
        let throttle = Arc::new(Throttle::default());
        let mut asking = JoinSet::new();
        for _ in 0..20 * MAX_WAITING {
            let throttle = throttle.clone();
            asking.spawn(async move {
                let takes_a_moment = || {
                    std::thread::sleep(Duration::from_micros(200));
                    true
                };
                throttle.check(takes_a_moment).await
            });
        }
        assert!(asking.join_all().await.into_iter().all(|checked| checked == Ok(true)));
    }
}
