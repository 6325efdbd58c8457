//! Lines of UCI and USI, which are dialects of one language, as typed messages.
//!
//! In: a line. Out: a message; what means nothing is a message too. Never: whether it can be done.

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Universal Chess Interface.
    Uci,
    /// Universal Shogi Interface.
    Usi,
}

/// What a line says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`, `usi`.
    Hello,
    /// `isready`.
    IsReady,
    /// `ucinewgame`, `usinewgame`.
    NewGame,
    /// `setoption name N value V`.
    SetOption {
        /// As written.
        name: String,
        /// Empty if none was.
        value: String,
    },
    /// `position`.
    Position {
        /// Where it begins.
        start: Start,
        /// The moves after it.
        moves: Vec<String>,
    },
    /// `go`.
    Go(Box<GoWords>),
    /// `stop`, `ponderhit`.
    Stop,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Show,
    /// `gameover`, `debug` and an empty line: nothing to do.
    Nothing,
    /// Anything else.
    Unknown,
}

/// Where a position begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// At the game's start.
    Startpos,
    /// At a FEN or SFEN.
    Text(String),
}

/// What `go` asks for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct GoWords {
    /// Only these moves.
    pub moves: Vec<String>,
    /// Plies.
    pub depth: Option<u64>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Milliseconds for this move.
    pub move_ms: Option<u64>,
    /// Clocks of the side whose letter is w, and of the other.
    pub clocks: Clocks,
    /// A win to be proved.
    pub mate: Option<MateWish>,
    /// Until `stop`.
    pub is_infinite: bool,
}

/// Milliseconds on clocks.
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
    /// `byoyomi`: for every move once the clock has run out.
    pub byoyomi: u64,
    /// `movestogo`.
    pub moves_to_go: Option<u32>,
}

/// What `go mate` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateWish {
    /// Within so many moves (UCI).
    Moves(u64),
    /// Within so many milliseconds of thinking (USI).
    Milliseconds(u64),
    /// However long it takes (USI).
    Unlimited,
}

impl Command {
    /// Reads a line.
    pub fn read(line: &str, dialect: Dialect) -> Command {
        let words: Vec<&str> = line.split_whitespace().collect();
        match (words.as_slice(), dialect) {
            (["uci"], Dialect::Uci) | (["usi"], Dialect::Usi) => Command::Hello,
            (["isready"], _) => Command::IsReady,
            (["ucinewgame"], Dialect::Uci) | (["usinewgame"], Dialect::Usi) => Command::NewGame,
            (["setoption", rest @ ..], _) => read_option(rest),
            (["position", rest @ ..], _) => read_position(rest),
            (["go", rest @ ..], _) => Command::Go(Box::new(read_go(rest, dialect))),
            (["stop" | "ponderhit"], _) => Command::Stop,
            (["quit"], _) => Command::Quit,
            (["d"], _) => Command::Show,
            ([] | ["gameover" | "debug" | "register", ..], _) => Command::Nothing,
            _ => Command::Unknown,
        }
    }
}

/// Names and values may have spaces in them.
fn read_option(words: &[&str]) -> Command {
    let ["name", rest @ ..] = words else { return Command::Unknown };
    let at = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
    let value = rest.get(at + 1..).unwrap_or_default();
    Command::SetOption { name: rest[..at].join(" "), value: value.join(" ") }
}

fn read_position(words: &[&str]) -> Command {
    let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.get(at + 1..).unwrap_or_default().iter().map(|word| (*word).to_string()).collect();
    let start = match &words[..at] {
        ["startpos"] => Start::Startpos,
        ["fen" | "sfen", text @ ..] if !text.is_empty() => Start::Text(text.join(" ")),
        _ => return Command::Unknown,
    };
    Command::Position { start, moves }
}

/// Words of `go`; a word that is not known, or whose number is none, is passed over.
fn read_go(words: &[&str], dialect: Dialect) -> GoWords {
    let mut go = GoWords::default();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        if *word == "searchmoves" {
            let n_moves = after.iter().take_while(|word| !GO_WORDS.contains(word)).count();
            go.moves = after[..n_moves].iter().map(|word| (*word).to_string()).collect();
            rest = &after[n_moves..];
            continue;
        }
        match (*word, dialect, after.first()) {
            ("infinite", ..) => go.is_infinite = true,
            ("mate", Dialect::Usi, Some(&"infinite")) => {
                go.mate = Some(MateWish::Unlimited);
                rest = &after[1..];
            }
            // A clock may have run over: less than nothing is nothing.
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

const GO_WORDS: &[&str] = &[
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

fn set_number(go: &mut GoWords, name: &str, number: u64, dialect: Dialect) {
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
        "mate" => {
            go.mate = Some(match dialect {
                Dialect::Uci => MateWish::Moves(number),
                Dialect::Usi => MateWish::Milliseconds(number),
            });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_meant() {
        let go = |go: GoWords| Command::Go(Box::new(go));
        let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        for (line, expected) in [
            ("  uci ", Command::Hello),
            ("go depth 3", go(GoWords { depth: Some(3), ..GoWords::default() })),
            ("go depth x nodes 7", go(GoWords { nodes: Some(7), ..GoWords::default() })),
            (
                "go searchmoves e2e4 d2d4 wtime -5",
                go(GoWords {
                    moves: words("e2e4 d2d4"),
                    clocks: Clocks { white: Some(0), ..Clocks::default() },
                    ..GoWords::default()
                }),
            ),
            ("go mate 3", go(GoWords { mate: Some(MateWish::Moves(3)), ..GoWords::default() })),
            (
                "setoption name UCI_LimitStrength value true",
                Command::SetOption { name: "UCI_LimitStrength".into(), value: "true".into() },
            ),
            (
                "setoption name Clear Hash",
                Command::SetOption { name: "Clear Hash".into(), value: String::new() },
            ),
            (
                "position fen 8/8 w - - 0 1 moves a1a2",
                Command::Position { start: Start::Text("8/8 w - - 0 1".into()), moves: words("a1a2") },
            ),
            ("position", Command::Unknown),
            ("usi", Command::Unknown),
            ("", Command::Nothing),
            ("joho debug on", Command::Unknown),
        ] {
            assert_eq!(Command::read(line, Dialect::Uci), expected, "{line}");
        }
        let mate = GoWords { mate: Some(MateWish::Unlimited), ..GoWords::default() };
        assert_eq!(Command::read("go mate infinite", Dialect::Usi), go(mate));
    }
}
