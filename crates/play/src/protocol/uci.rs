//! Commands of UCI and of its dialect USI.
//!
//! In: a line. Out: a command; an unknown line is a command too. Never: whether it can be executed.

use super::usi::{Dialect, MateLimit};

/// A line from the GUI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UciCommand {
    /// `uci`, `usi`.
    Hello,
    /// `isready`.
    IsReady,
    /// `ucinewgame`, `usinewgame`.
    NewGame,
    /// `setoption name N value V`.
    SetOption {
        name: String,
        /// Empty if there is none.
        value: String,
    },
    Position {
        start: StartPosition,
        moves: Vec<String>,
    },
    Go(Box<GoParams>),
    /// `stop`, `ponderhit`.
    Stop,
    Quit,
    /// `d`: show the position.
    Show,
    /// `gameover`, `debug` and an empty line.
    Nothing,
    Unknown,
}

/// The start of `position`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartPosition {
    Startpos,
    /// FEN or SFEN.
    Text(String),
}

/// Parameters of `go`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoParams {
    /// `searchmoves`; empty: all.
    pub moves: Vec<String>,
    pub depth: Option<u64>,
    pub nodes: Option<u64>,
    /// `movetime`.
    pub move_ms: Option<u64>,
    pub clocks: Clocks,
    pub mate: Option<MateLimit>,
    pub is_infinite: bool,
}

/// Clocks in milliseconds; white is the side whose letter is w.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clocks {
    /// `wtime`.
    pub white: Option<u64>,
    /// `btime`.
    pub black: Option<u64>,
    /// `winc`.
    pub white_increment: u64,
    /// `binc`.
    pub black_increment: u64,
    /// `byoyomi`: per move once the main time has run out.
    pub byoyomi: u64,
    /// `movestogo`.
    pub moves_to_go: Option<u32>,
}

impl UciCommand {
    pub fn read(line: &str, dialect: Dialect) -> UciCommand {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [word] if *word == dialect.hello() => UciCommand::Hello,
            ["isready"] => UciCommand::IsReady,
            [word] if *word == dialect.new_game() => UciCommand::NewGame,
            ["setoption", rest @ ..] => read_option(rest),
            ["position", rest @ ..] => read_position(rest),
            ["go", rest @ ..] => UciCommand::Go(Box::new(read_go(rest, dialect))),
            ["stop" | "ponderhit"] => UciCommand::Stop,
            ["quit"] => UciCommand::Quit,
            ["d"] => UciCommand::Show,
            [] | ["gameover" | "debug" | "register", ..] => UciCommand::Nothing,
            _ => UciCommand::Unknown,
        }
    }
}

/// Names and values may contain spaces.
fn read_option(words: &[&str]) -> UciCommand {
    let ["name", rest @ ..] = words else { return UciCommand::Unknown };
    let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
    let value = rest.get(at + 1..).unwrap_or_default();
    UciCommand::SetOption { name: rest[..at].join(" "), value: value.join(" ") }
}

fn read_position(words: &[&str]) -> UciCommand {
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.get(at + 1..).unwrap_or_default().iter().map(|word| (*word).to_string()).collect();
    let start = match &words[..at] {
        ["startpos"] => StartPosition::Startpos,
        ["fen" | "sfen", text @ ..] if !text.is_empty() => StartPosition::Text(text.join(" ")),
        _ => return UciCommand::Unknown,
    };
    UciCommand::Position { start, moves }
}

/// Parameters of `go`; an unknown word, or one whose number does not parse, is skipped.
fn read_go(words: &[&str], dialect: Dialect) -> GoParams {
    let mut go = GoParams::default();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        if *word == "searchmoves" {
            let n_moves = after.iter().take_while(|word| !GO_KEYWORDS.contains(word)).count();
            go.moves = after[..n_moves].iter().map(|word| (*word).to_string()).collect();
            rest = &after[n_moves..];
            continue;
        }
        match (*word, dialect, after.first()) {
            ("infinite", ..) => go.is_infinite = true,
            ("mate", Dialect::Usi, Some(&"infinite")) => {
                go.mate = Some(MateLimit::Unlimited);
                rest = &after[1..];
            }
            // Clocks that have run out may be negative.
            (name, _, Some(number)) => {
                if let Ok(number) = number.parse::<i64>() {
                    set_number(&mut go, name, number.max(0) as u64, dialect);
                    rest = &after[1..];
                }
            }
            _ => {}
        }
    }
    go
}

const GO_KEYWORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "byoyomi",
];

fn set_number(go: &mut GoParams, name: &str, number: u64, dialect: Dialect) {
    match name {
        "depth" => go.depth = Some(number),
        "nodes" => go.nodes = Some(number),
        "movetime" => go.move_ms = Some(number),
        "wtime" => go.clocks.white = Some(number),
        "btime" => go.clocks.black = Some(number),
        "winc" => go.clocks.white_increment = number,
        "binc" => go.clocks.black_increment = number,
        "byoyomi" => go.clocks.byoyomi = number,
        "movestogo" => go.clocks.moves_to_go = Some(number.min(1000) as u32),
        "mate" => go.mate = Some(dialect.mate_limit(number)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_meant() {
        let go = |go: GoParams| UciCommand::Go(Box::new(go));
        let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        for (line, expected) in [
            ("  uci ", UciCommand::Hello),
            ("go depth 3", go(GoParams { depth: Some(3), ..GoParams::default() })),
            ("go depth x nodes 7", go(GoParams { nodes: Some(7), ..GoParams::default() })),
            (
                "go searchmoves e2e4 d2d4 wtime -5",
                go(GoParams {
                    moves: words("e2e4 d2d4"),
                    clocks: Clocks { white: Some(0), ..Clocks::default() },
                    ..GoParams::default()
                }),
            ),
            ("go mate 3", go(GoParams { mate: Some(MateLimit::Moves(3)), ..GoParams::default() })),
            (
                "setoption name UCI_LimitStrength value true",
                UciCommand::SetOption { name: "UCI_LimitStrength".into(), value: "true".into() },
            ),
            (
                "setoption name Clear Hash",
                UciCommand::SetOption { name: "Clear Hash".into(), value: String::new() },
            ),
            (
                "position fen 8/8 w - - 0 1 moves a1a2",
                UciCommand::Position {
                    start: StartPosition::Text("8/8 w - - 0 1".into()),
                    moves: words("a1a2"),
                },
            ),
            ("position", UciCommand::Unknown),
            ("usi", UciCommand::Unknown),
            ("", UciCommand::Nothing),
            ("joho debug on", UciCommand::Unknown),
        ] {
            assert_eq!(UciCommand::read(line, Dialect::Uci), expected, "{line}");
        }
        let mate = GoParams { mate: Some(MateLimit::Unlimited), ..GoParams::default() };
        assert_eq!(UciCommand::read("go mate infinite", Dialect::Usi), go(mate));
    }
}
