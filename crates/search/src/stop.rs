//! A flag that breaks a search off.
//!
//! In: a flag that another thread may set. Out: whether to go on. What a search returns after it was broken off means
//! nothing, and neither does what it remembers: whoever sets the flag throws the searcher away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that breaks a search off; without one a search goes on to its end.
#[derive(Clone, Default, Debug)]
pub struct StopFlag(Option<Arc<AtomicBool>>);

impl StopFlag {
    /// Set when this flag is.
    pub fn new(flag: Arc<AtomicBool>) -> StopFlag {
        StopFlag(Some(flag))
    }

    /// The flag itself, if there is one.
    pub fn flag(&self) -> Option<&AtomicBool> {
        self.0.as_deref()
    }

    /// Whether nobody waits for the result any more.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
