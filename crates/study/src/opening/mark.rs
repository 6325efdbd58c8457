//! What people put behind a move: `!`, `?`.

/// What somebody thinks of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `!`
    Good,
    /// `?`
    Mistake,
    /// `!!`
    Brilliant,
    /// `??`
    Blunder,
    /// `!?`
    Interesting,
    /// `?!`
    Doubtful,
}

impl Mark {
    /// All, in the order of the numbers that PGN has for them, from 1.
    pub const ALL: [Mark; 6] =
        [Mark::Good, Mark::Mistake, Mark::Brilliant, Mark::Blunder, Mark::Interesting, Mark::Doubtful];

    /// As it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Mark::Good => "!",
            Mark::Mistake => "?",
            Mark::Brilliant => "!!",
            Mark::Blunder => "??",
            Mark::Interesting => "!?",
            Mark::Doubtful => "?!",
        }
    }

    /// Reads one.
    pub fn read(text: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.symbol() == text)
    }

    /// `$1` for `!`, as PGN numbers them.
    pub fn pgn_number(self) -> usize {
        Mark::ALL.iter().position(|mark| *mark == self).map_or(0, |place| place + 1)
    }
}
