//! What a person at the board may type, each name once: parser, help and completion are made from one list.

use crate::draw;

/// What is wanted, apart from a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    Help,
    List,
    Undo,
    Hint,
    Judge,
    Book,
    Go,
    Swap,
    Level,
    Flip,
    Board,
    Score,
    Comment,
    Save,
    Load,
    Position,
    SetUp,
    New,
    OfferDraw,
    Resign,
    Quit,
}

/// A wish as it is typed.
struct Entry {
    wish: Wish,
    /// The first is the one that help shows.
    names: &'static [&'static str],
    /// What follows the name.
    takes: &'static str,
    does: &'static str,
}

const fn entry(wish: Wish, names: &'static [&'static str], takes: &'static str, does: &'static str) -> Entry {
    Entry { wish, names, takes, does }
}

const WISHES: [Entry; 21] = [
    entry(Wish::Help, &["?", "help"], "", "this page"),
    entry(Wish::List, &["list", "l"], "[e2]", "the legal moves; of one piece, or to one square"),
    entry(Wish::Undo, &["undo", "back", "u"], "", "take your last move back"),
    entry(Wish::Hint, &["hint"], "", "what the program would play for you"),
    entry(Wish::Judge, &["eval"], "", "show how the game stands after every move, or no longer"),
    entry(Wish::Book, &["book"], "", "what the book of --book has here"),
    entry(Wish::Go, &["go"], "", "let the program play this move for you"),
    entry(Wish::Swap, &["swap"], "", "change sides with the program"),
    entry(Wish::Level, &["level"], "7", "the program's level from now on, 1 to 10"),
    entry(Wish::Flip, &["flip"], "", "look from the other side"),
    entry(Wish::Board, &["board"], "", "draw the board again"),
    entry(Wish::Score, &["score", "tt"], "", "all moves so far, with comments"),
    entry(
        Wish::Comment,
        &["comment", "tm"],
        "TEXT",
        "say something about the last move; it is saved with the score",
    ),
    entry(Wish::Save, &["save"], "FILE", "save the score: .pgn, .kif, .csa, .usi"),
    entry(Wish::Load, &["load"], "FILE", "go on from a saved game"),
    entry(Wish::Position, &["position"], "", "write the position"),
    entry(Wish::SetUp, &["setup"], "FEN", "set up a position and play on from it"),
    entry(Wish::New, &["new"], "", "begin again"),
    entry(Wish::OfferDraw, &["draw"], "", "offer a draw"),
    entry(Wish::Resign, &["resign"], "", "give the game up"),
    entry(Wish::Quit, &["quit", "exit"], "", "leave; what to type to go on is written"),
];

impl Wish {
    /// A line as a wish and what follows it, if it begins with one.
    pub fn read(line: &str) -> Option<(Wish, &str)> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = word.to_ascii_lowercase();
        let entry = WISHES.iter().find(|entry| entry.names.contains(&word.as_str()))?;
        Some((entry.wish, rest.trim()))
    }

    /// Every name that is worth completing.
    pub fn names() -> impl Iterator<Item = &'static str> {
        WISHES.iter().map(|entry| entry.names[0]).filter(|name| name.len() > 1)
    }
}

/// The page of help.
pub fn help() -> Vec<String> {
    let moves = "A move is typed as e2e4, e4, Nf3, O-O or k; 7g7f, P*5e, ７六歩; or as its number in `list`.";
    let mut lines = draw::wrap(&format!("{moves} Tab completes it."), draw::PAGE_WIDTH);
    let typed = |entry: &Entry| format!("{} {}", entry.names[0], entry.takes).trim_end().to_string();
    let columns = WISHES.iter().map(|entry| typed(entry).len()).max().unwrap_or(0);
    lines.extend(WISHES.iter().map(|entry| format!("  {:<columns$}  {}", typed(entry), entry.does)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_and_belongs_to_one_wish() {
        for entry in &WISHES {
            for name in entry.names {
                assert_eq!(Wish::read(&format!("{name} a b")), Some((entry.wish, "a b")), "{name}");
            }
        }
        assert_eq!(Wish::read("LEVEL 3"), Some((Wish::Level, "3")));
        assert_eq!(Wish::read("e4"), None);
    }

    #[test]
    fn help_fits_on_a_screen() {
        assert!(help().len() <= 23 && help().iter().all(|line| draw::width(line) <= draw::PAGE_WIDTH));
    }
}
