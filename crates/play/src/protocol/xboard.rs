//! Commands, moves and positions of XBoard's Chess Engine Communication Protocol (CECP), version 2.
//!
//! In: a line. Out: a command; an unknown line is a command too. Never: whether it can be executed.

use ashta_position::{Action, Game, Move};
use ashta_rules::{Rules, Square};

/// A line from the GUI.
#[derive(Clone, PartialEq, Debug)]
pub enum XboardCommand {
    Protover,
    New,
    Variant(String),
    SetBoard(String),
    /// `usermove`, or a move alone.
    UserMove(String),
    Force,
    Go,
    PlayOther,
    /// `level`, `st`, `sd`, `time`, `otim`.
    Time(XboardTime),
    /// `?`.
    MoveNow,
    Undo,
    /// Takes back two plies.
    Remove,
    Result,
    Ping(String),
    Post,
    NoPost,
    Analyze,
    /// Ends analysis.
    Exit,
    Hint,
    /// Megabytes.
    Memory(usize),
    Cores(usize),
    /// `option NAME=VALUE`.
    Option(String, String),
    Quit,
    /// A known command without effect.
    Nothing,
    Unknown,
}

/// A command that sets time or depth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum XboardTime {
    /// Moves per period (0: the whole game), base and increment in milliseconds.
    Level(u32, u64, u64),
    /// Milliseconds.
    PerMove(u64),
    Depth(u64),
    /// Milliseconds left on the engine's clock.
    Left(u64),
}

const NEED_NO_ANSWER: &[&str] = &[
    "xboard", "accepted", "rejected", "random", "hard", "easy", "computer", "name", "rating", "ics", "otim",
    "draw", "bk", "white", "black", "nps", "egtpath", "pause", "resume", ".",
];

impl XboardCommand {
    pub fn read(line: &str) -> XboardCommand {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        let number = || rest.parse::<u64>().ok();
        let or_unknown = |command: Option<XboardCommand>| command.unwrap_or(XboardCommand::Unknown);
        match word {
            "protover" => XboardCommand::Protover,
            "new" => XboardCommand::New,
            "variant" => XboardCommand::Variant(rest.to_string()),
            "setboard" => XboardCommand::SetBoard(rest.to_string()),
            "usermove" => XboardCommand::UserMove(rest.to_string()),
            "force" => XboardCommand::Force,
            "go" => XboardCommand::Go,
            "playother" => XboardCommand::PlayOther,
            "level" => or_unknown(read_level(rest)),
            "st" => or_unknown(read_seconds(rest).map(|ms| XboardCommand::Time(XboardTime::PerMove(ms)))),
            "sd" => or_unknown(number().map(|plies| XboardCommand::Time(XboardTime::Depth(plies)))),
            "time" => {
                // Centiseconds; negative if the clock has run out.
                let centiseconds = rest.parse::<i64>().ok().map(|left| left.max(0) as u64);
                let left = centiseconds.map(|left| left.saturating_mul(10));
                or_unknown(left.map(|ms| XboardCommand::Time(XboardTime::Left(ms))))
            }
            "?" => XboardCommand::MoveNow,
            "undo" => XboardCommand::Undo,
            "remove" => XboardCommand::Remove,
            "result" => XboardCommand::Result,
            "ping" => XboardCommand::Ping(rest.chars().take(40).collect()),
            "post" => XboardCommand::Post,
            "nopost" => XboardCommand::NoPost,
            "analyze" => XboardCommand::Analyze,
            "exit" => XboardCommand::Exit,
            "hint" => XboardCommand::Hint,
            "memory" => or_unknown(number().map(|n| XboardCommand::Memory(n as usize))),
            "cores" => or_unknown(number().map(|n| XboardCommand::Cores(n as usize))),
            "option" => {
                let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
                XboardCommand::Option(name.trim().to_string(), value.trim().to_string())
            }
            "quit" => XboardCommand::Quit,
            "" => XboardCommand::Nothing,
            word if NEED_NO_ANSWER.contains(&word) => XboardCommand::Nothing,
            word if rest.is_empty() && looks_like_move(word) => XboardCommand::UserMove(word.to_string()),
            _ => XboardCommand::Unknown,
        }
    }
}

/// `40 5 0`, `0 2:30 1.5`: moves, minutes or minutes and seconds, seconds.
fn read_level(text: &str) -> Option<XboardCommand> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [moves, base, increment] = words.as_slice() else { return None };
    let base_ms = match base.split_once(':') {
        None => base.parse::<u64>().ok()?.checked_mul(60_000)?,
        Some((minutes, seconds)) => {
            let minutes = minutes.parse::<u64>().ok()?.checked_mul(60_000)?;
            minutes.checked_add(seconds.parse::<u64>().ok()?.checked_mul(1000)?)?
        }
    };
    let level = XboardTime::Level(moves.parse().ok()?, base_ms, read_seconds(increment)?);
    Some(XboardCommand::Time(level))
}

fn read_seconds(text: &str) -> Option<u64> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..1e9).contains(seconds))?;
    Some((seconds * 1000.0) as u64)
}

fn looks_like_move(word: &str) -> bool {
    let has_digit = word.bytes().any(|byte| byte.is_ascii_digit());
    let longest = if word.contains(',') { 16 } else { 8 };
    has_digit && word.len() <= longest && word.is_ascii() || word.starts_with("O-O") || word == "@@@@"
}

/// A move in coordinates: files are letters and ranks numbers on every board, seen from the first side.
pub fn write_move(game: &Game, mv: Move) -> String {
    let rules = game.rules();
    let name = |square: Square| square_name(rules, square);
    match mv.action() {
        Action::Pass => "@@@@".to_string(),
        Action::Drop { kind, to } => format!("{}@{}", rules.kind(kind).letter, name(to)),
        Action::Castle { from, to } | Action::EnPassant { from, to, .. } => {
            format!("{}{}", name(from), name(to))
        }
        // Legs are joined by a comma, as HaChu and XBoard write them.
        Action::TwoLegs { from, middle, to } => {
            let middle = name(middle);
            format!("{}{middle},{middle}{}", name(from), name(to))
        }
        Action::Go { from, to, becomes } => {
            let ending = becomes.map(|kind| {
                let (letter, mover) = (&rules.kind(kind).letter, game.piece(from));
                let is_plus = mover.is_some_and(|(_, old)| *letter == format!("+{}", rules.kind(old).letter));
                match is_plus {
                    true => "+".to_string(),
                    false => rules.kind(kind).move_letter().to_ascii_lowercase(),
                }
            });
            format!("{}{}{}", name(from), name(to), ending.unwrap_or_default())
        }
    }
}

fn square_name(rules: &Rules, square: Square) -> String {
    let grid = rules.grid();
    format!("{}{}", char::from(b'a' + grid.file(square)), grid.rank(square) + 1)
}

/// A legal move in coordinates or SAN; a trailing `=` declines promotion.
pub fn read_move(game: &Game, text: &str) -> Option<Move> {
    let text = text.strip_suffix('=').unwrap_or(text);
    let legal = game.legal_moves();
    let exact = legal.iter().find(|mv| write_move(game, **mv).eq_ignore_ascii_case(text));
    exact
        .copied()
        .or_else(|| read_legs(game, text))
        .or_else(|| ashta_position::notation::read_san(game, text).ok())
}

/// `f6e5,e5d4`: two legs, also over an empty square, where they equal a direct move or a pass.
fn read_legs(game: &Game, text: &str) -> Option<Move> {
    let (first, second) = text.split_once(',')?;
    let rules = game.rules();
    let squares = |leg: &str| {
        let mut names = rules.grid().squares().map(|square| (square, square_name(rules, square)));
        let (from, rest) = names.find_map(|(square, name)| {
            let rest = leg.strip_prefix(name.as_str())?;
            (!rest.starts_with(|next: char| next.is_ascii_digit())).then_some((square, rest))
        })?;
        let to = rules.grid().squares().find(|square| square_name(rules, *square) == rest)?;
        Some((from, to))
    };
    let ((from, middle), (start, to)) = (squares(first)?, squares(second)?);
    if start != middle {
        return None;
    }
    let name = |square| rules.grid().name(square);
    let text = format!("{}{}{}", name(from), name(middle), name(to));
    ashta_position::notation::read_coordinates(game, &text).ok()
}

/// The first leg of a move whose second follows on a line of its own: `f6e5,`.
pub fn is_first_leg(text: &str) -> bool {
    text.ends_with(',')
}

/// Converts XBoard's FEN, in which the side that moves first is always w, to the game's own side letters.
pub fn read_position(rules: &Rules, text: &str) -> String {
    let [first, second] = [0, 1].map(|side| rules.sides().get(side).map_or('w', |side| side.letter));
    if first == 'w' {
        return text.to_string();
    }
    let mut fields: Vec<String> = text.split_whitespace().map(str::to_string).collect();
    if let Some(turn) = fields.get_mut(1) {
        *turn = if turn == "w" { first } else { second }.to_string();
    }
    // The counters that follow are not ours.
    fields.truncate(2);
    fields.join(" ").replace("[-]", "[]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ashta_position::CompiledRules;

    #[test]
    fn lines_are_read_as_they_are_meant() {
        let time = XboardCommand::Time;
        for (line, expected) in [
            ("level 40 5 0", time(XboardTime::Level(40, 300_000, 0))),
            ("level 0 2:30 1.5", time(XboardTime::Level(0, 150_000, 1500))),
            ("level 0 x 1", XboardCommand::Unknown),
            ("st 0.1", time(XboardTime::PerMove(100))),
            ("st -1", XboardCommand::Unknown),
            ("time 9223372036854775807", time(XboardTime::Left(u64::MAX))),
            ("time -20", time(XboardTime::Left(0))),
            ("e2e4", XboardCommand::UserMove("e2e4".into())),
            ("ping 7", XboardCommand::Ping("7".into())),
            ("otim 100", XboardCommand::Nothing),
            ("option Level=3", XboardCommand::Option("Level".into(), "3".into())),
            ("nonsense here", XboardCommand::Unknown),
        ] {
            assert_eq!(XboardCommand::read(line), expected, "{line}");
        }
    }

    #[test]
    fn moves_of_two_legs_are_written_and_read() {
        let rules = CompiledRules::new(ashta_rules::load("chu-shogi").expect("it is there"));
        let text = "5gk5/12/12/7p4/5pp5/5N6/12/12/12/12/12/4GK6 b - 1";
        let game = Game::from_text(&rules, text).expect("a position");
        for mv in game.legal_moves() {
            assert_eq!(read_move(&game, &write_move(&game, mv)), Some(mv));
        }
        let native = |text: &str| {
            read_move(&game, text).map(|mv| ashta_position::notation::write_coordinates(&game, mv))
        };
        for (line, expected) in [
            ("f7g8,g8h9", Some("7f6e5d")),
            ("f7g8,g8f7", Some("7f6e7f")),
            // Over an empty square: a leap, and a pass.
            ("f7e6,e6d5", Some("7f9h")),
            ("f7e6,e6f7", native("@@@@").as_deref()),
            ("f7g8,h9g8", None),
            ("f7g8,", None),
        ] {
            assert_eq!(native(line).as_deref(), expected, "{line}");
        }
        assert!(native("@@@@").is_some());
        let line = XboardCommand::read("a10b11,b11c12");
        assert_eq!(line, XboardCommand::UserMove("a10b11,b11c12".into()));
    }

    #[test]
    fn moves_of_every_game_are_written_and_read_again() {
        for name in ["chess", "shogi", "xiangqi", "sittuyin"] {
            let rules = CompiledRules::new(ashta_rules::load(name).expect(name));
            let game = Game::start(&rules);
            for mv in game.legal_moves() {
                assert_eq!(read_move(&game, &write_move(&game, mv)), Some(mv), "{name}");
            }
        }
        let rules = CompiledRules::new(ashta_rules::load("shogi").expect("it is there"));
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1";
        let text = read_position(rules.rules(), start);
        let game = Game::from_text(&rules, &text).expect("a start");
        assert_eq!(game.turn(), ashta_rules::Side::FIRST);
        assert!(read_move(&game, "c3c4").is_some());
    }
}
