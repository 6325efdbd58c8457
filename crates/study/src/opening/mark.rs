//! Move marks: `!`, `?` and their combinations.

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
    /// In the order of their NAG numbers, from 1.
    pub const ALL: [Mark; 6] =
        [Mark::Good, Mark::Mistake, Mark::Brilliant, Mark::Blunder, Mark::Interesting, Mark::Doubtful];

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

    pub fn read(text: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.symbol() == text)
    }

    /// The NAG number: `$1` for `!`.
    pub fn pgn_number(self) -> usize {
        Mark::ALL.iter().position(|mark| *mark == self).map_or(0, |place| place + 1)
    }
}
