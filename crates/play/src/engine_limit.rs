//! How long an engine searches, for our own and for external engines.

/// The limit of an engine's search, per move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineLimit {
    /// Milliseconds; needs a clock.
    Ms(u64),
    Nodes(u64),
    Depth(u8),
}
