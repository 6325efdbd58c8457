//! The commands of a session; parser, help and completion are made from one table.

use crate::draw;
use ashta_messages::message;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionCommand {
    Help,
    List,
    Undo,
    Hint,
    Eval,
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

struct CommandEntry {
    command: SessionCommand,
    /// The first is the one that help shows.
    names: &'static [&'static str],
    /// Its argument, for the help.
    takes: &'static str,
    does: &'static str,
}

const fn entry(
    command: SessionCommand,
    names: &'static [&'static str],
    takes: &'static str,
    does: &'static str,
) -> CommandEntry {
    CommandEntry { command, names, takes, does }
}

const COMMANDS: [CommandEntry; 21] = [
    entry(SessionCommand::Help, &["?", "help"], "", "this page"),
    entry(SessionCommand::List, &["list", "l"], "[e2]", "the legal moves; of one piece, or to one square"),
    entry(SessionCommand::Undo, &["undo", "back", "u"], "", "take your last move back"),
    entry(SessionCommand::Hint, &["hint"], "", "what the program would play for you"),
    entry(SessionCommand::Eval, &["eval"], "", "show how the game stands after every move, or no longer"),
    entry(SessionCommand::Book, &["book"], "", "what the book of --book has here"),
    entry(SessionCommand::Go, &["go"], "", "let the program play this move for you"),
    entry(SessionCommand::Swap, &["swap"], "", "change sides with the program"),
    entry(SessionCommand::Level, &["level"], "7", "the program's level from now on, 1 to 10"),
    entry(SessionCommand::Flip, &["flip"], "", "look from the other side"),
    entry(SessionCommand::Board, &["board"], "", "draw the board again"),
    entry(SessionCommand::Score, &["score", "tt"], "", "all moves so far, with comments"),
    entry(
        SessionCommand::Comment,
        &["comment", "tm"],
        "TEXT",
        "say something about the last move; it is saved with the score",
    ),
    entry(SessionCommand::Save, &["save"], "FILE", "save the score: .pgn, .kif, .csa, .usi"),
    entry(SessionCommand::Load, &["load"], "FILE", "go on from a saved game"),
    entry(SessionCommand::Position, &["position"], "", "write the position"),
    entry(SessionCommand::SetUp, &["setup"], "FEN", "set up a position and play on from it"),
    entry(SessionCommand::New, &["new"], "", "begin again"),
    entry(SessionCommand::OfferDraw, &["draw"], "", "offer a draw"),
    entry(SessionCommand::Resign, &["resign"], "", "give the game up"),
    entry(SessionCommand::Quit, &["quit", "exit"], "", "leave; what to type to go on is written"),
];

impl SessionCommand {
    /// Splits a line into command and argument, if it begins with a command.
    pub fn read(line: &str) -> Option<(SessionCommand, &str)> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let word = word.to_ascii_lowercase();
        let entry = COMMANDS.iter().find(|entry| entry.names.contains(&word.as_str()))?;
        Some((entry.command, rest.trim()))
    }

    /// Names for completion.
    pub fn names() -> impl Iterator<Item = &'static str> {
        COMMANDS.iter().map(|entry| entry.names[0]).filter(|name| name.len() > 1)
    }
}

pub fn help() -> Vec<String> {
    let mut lines = draw::wrap(&message!("cli.how-to-move").to_string(), draw::PAGE_WIDTH);
    let typed = |entry: &CommandEntry| format!("{} {}", entry.names[0], entry.takes).trim_end().to_string();
    let columns = COMMANDS.iter().map(|entry| typed(entry).len()).max().unwrap_or(0);
    lines.extend(COMMANDS.iter().map(|entry| format!("  {:<columns$}  {}", typed(entry), entry.does)));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_read_and_belongs_to_one_wish() {
        for entry in &COMMANDS {
            for name in entry.names {
                assert_eq!(
                    SessionCommand::read(&format!("{name} a b")),
                    Some((entry.command, "a b")),
                    "{name}"
                );
            }
        }
        assert_eq!(SessionCommand::read("LEVEL 3"), Some((SessionCommand::Level, "3")));
        assert_eq!(SessionCommand::read("e4"), None);
    }

    #[test]
    fn help_fits_on_a_screen() {
        assert!(help().len() <= 23 && help().iter().all(|line| draw::width(line) <= draw::PAGE_WIDTH));
    }
}
