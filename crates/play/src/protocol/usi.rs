//! The Universal Shogi Interface, a dialect of UCI: everything in which the two differ.
//!
//! In: a dialect. Out: its keywords, its answers, its way to read `go mate` and to write scores. Never: what they share,
//! which is in `uci` (commands) and `uci_session`.

use ashta_search::engine::Score;

use super::score::{uci_score, usi_score};

/// UCI or USI.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Universal Chess Interface.
    Uci,
    /// Universal Shogi Interface.
    Usi,
}

/// The argument of `go mate`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateLimit {
    /// A mate in at most so many moves (UCI).
    Moves(u64),
    /// Any mate that is found in time (USI).
    Milliseconds(u64),
    /// `infinite` (USI).
    Unlimited,
}

impl Dialect {
    /// The first command of a GUI.
    pub fn hello(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Usi => "usi",
        }
    }

    /// The answer that ends the list of options.
    pub fn hello_ok(self) -> &'static str {
        match self {
            Dialect::Uci => "uciok",
            Dialect::Usi => "usiok",
        }
    }

    pub fn new_game(self) -> &'static str {
        match self {
            Dialect::Uci => "ucinewgame",
            Dialect::Usi => "usinewgame",
        }
    }

    /// Prefix of option names, as in `UCI_Variant`.
    pub fn option_prefix(self) -> &'static str {
        match self {
            Dialect::Uci => "UCI",
            Dialect::Usi => "USI",
        }
    }

    /// The option for the size of the transposition table.
    pub fn hash_option(self) -> &'static str {
        match self {
            Dialect::Uci => "Hash",
            Dialect::Usi => "USI_Hash",
        }
    }

    /// The argument of `bestmove` where there is no legal move.
    pub fn no_move(self) -> &'static str {
        match self {
            Dialect::Uci => "0000",
            Dialect::Usi => "resign",
        }
    }

    /// The number of `go mate`: moves in UCI, milliseconds in USI.
    pub fn mate_limit(self, number: u64) -> MateLimit {
        match self {
            Dialect::Uci => MateLimit::Moves(number),
            Dialect::Usi => MateLimit::Milliseconds(number),
        }
    }

    pub fn score(self, score: Score) -> String {
        match self {
            Dialect::Uci => uci_score(score),
            Dialect::Usi => usi_score(score),
        }
    }
}
