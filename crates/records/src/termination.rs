//! Why a recorded game is over.
//!
//! In: a word of a notation or the text of a tag. Out: a reason. Never: who won.

use ashta_messages::Tell;
use ashta_position::Reason;

/// By the rules, or by what players and arbiters do. The tag [`TERMINATION`](crate::tag::TERMINATION) has it in English.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Tell)]
pub enum Termination {
    #[code(transparent)]
    Rules(Reason),
    #[code("records.end-resigned")]
    Resigned,
    #[code("records.end-time")]
    Time,
    #[code("records.end-illegal-move")]
    IllegalMove,
    /// Of either side, whoever is to move.
    #[code("records.end-illegal-action")]
    IllegalAction,
    #[code("records.end-forfeit")]
    Forfeit,
    #[code("records.end-declared")]
    Declared,
    #[code("records.end-agreed")]
    Agreed,
    /// A draw: neither side has the points to win an impasse.
    #[code("records.end-drawn-impasse")]
    DrawnImpasse,
    #[code("records.end-interrupted")]
    Interrupted,
    #[code("records.end-sealed")]
    Sealed,
    /// A problem without a solution.
    #[code("records.end-no-mate")]
    NoMate,
}

impl Termination {
    const BY_PLAYERS: [Termination; 11] = [
        Termination::Resigned,
        Termination::Time,
        Termination::IllegalMove,
        Termination::IllegalAction,
        Termination::Forfeit,
        Termination::Declared,
        Termination::Agreed,
        Termination::DrawnImpasse,
        Termination::Interrupted,
        Termination::Sealed,
        Termination::NoMate,
    ];

    /// From the text of the tag.
    pub fn from_text(text: &str) -> Option<Termination> {
        let by_rules = Reason::ALL.into_iter().map(Termination::Rules);
        let current = Termination::BY_PLAYERS.into_iter().chain(by_rules).find(|end| end.to_string() == text);
        let earlier = || EARLIER_TEXTS.iter().find(|(earlier, _)| *earlier == text);
        current.or_else(|| Some(Termination::Rules(earlier()?.1)))
    }
}

/// Texts of version 0.1.0, which collections and kept games still have.
const EARLIER_TEXTS: [(&str, Reason); 8] = [
    ("longest length", Reason::PlyCap),
    ("the longest length was reached", Reason::PlyCap),
    ("no legal move", Reason::Stalemate),
    ("the royal piece was captured", Reason::RoyalCaptured),
    ("both kings are bare", Reason::BothBare),
    ("too long without progress", Reason::Quiet),
    ("nobody has the material to win", Reason::Insufficient),
    ("impasse, won by points", Reason::Impasse),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back_and_earlier_ones_too() {
        for end in Termination::BY_PLAYERS.into_iter().chain(Reason::ALL.map(Termination::Rules)) {
            assert_eq!(Termination::from_text(&end.to_string()), Some(end));
        }
        for (text, reason) in EARLIER_TEXTS {
            assert_eq!(Termination::from_text(text), Some(Termination::Rules(reason)), "{text}");
        }
        assert_eq!(Termination::from_text("by magic"), None);
    }
}
