//! Players as text: `P0`, `P3`, `P'2`, `A2(5)`, `depth:4`, `engine:100ms`, `level:3`, `uci:stockfish`; for contests
//! `P3(first)`, `expect:2`.
//!
//! In: text. Out: a `PlayerPlan`, or an error with the nearest name. Never: a search.

use std::fmt;
use std::str::FromStr;

use ashta_messages::Tell;
use ashta_position::Legs;
use ashta_rules::nearest;
use ashta_search::MobilityCount;

use crate::engine_limit::EngineLimit;
use crate::external::ExternalEnginePlan;
use crate::level::Level;

/// The definition of a player.
///
/// ```
/// use ashta_play::PlayerPlan;
///
/// let plan: PlayerPlan = "P3".parse().unwrap();
/// assert_eq!(plan.to_string(), "P3");
/// assert!("P9000".parse::<PlayerPlan>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PlayerPlan {
    /// P0 and A1: a uniformly random legal move.
    Random,
    /// P_i: forced wins within i plies, no forced losses, else any move (Takeshita et al., 2001; 001, definition 1).
    SemiRandom {
        depth: u8,
        /// In a contest: how much of a turn is searched.
        legs: Legs,
    },
    /// Expectimax, in a contest; the player's own turn counts.
    Expectimax { turns: u8 },
    /// P'_i: a move of the highest minimax value in material (001, definition 2).
    MaterialMinimax { depth: u8, leaf: Leaf, count: MobilityCount },
    /// A2(d): mates by consecutive checks within d plies, else any move (Sasaki, about 2004; 004).
    MateSearch { plies: u8 },
    /// A3(d): mates by checks within 5 plies, else alpha-beta of depth d with quiescence (004).
    Learned { depth: u8 },
    /// Exact alpha-beta to a fixed depth, with quiescence.
    Depth { plies: u8 },
    /// Exact alpha-beta by iterative deepening up to a number of nodes.
    Nodes { limit: u64 },
    /// The engine at full strength.
    Engine(EngineLimit),
    /// The engine at a level.
    Level(Level),
    /// The player of Baba, *Chess Program* (about 1981; 003): plain minimax on named features.
    Baba { plies: u8 },
    /// An external engine.
    External(ExternalEnginePlan),
}

/// Where P'_i evaluates material: the papers leave it open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// After i plies.
    AtDepth,
    /// After i + 1 plies: P'_0 then searches its own move, P'_1 the reply.
    OneFurther,
}

/// Text that names no player.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("play.unknown-player")]
pub struct PlayerError {
    pub text: String,
    pub nearest: Option<String>,
}

/// Greatest depth of P_i and P'_i, which grow exponentially.
const MAX_DEPTH: u8 = 12;
/// Greatest depth of Baba's player (003), which does not prune.
const MAX_BABA: u8 = 5;
/// Greatest depth of alpha-beta and mate searches.
const MAX_PLIES: u8 = 60;
/// Greatest depth of expectimax: each turn multiplies its time by hundreds.
const MAX_TURNS: u8 = 6;

/// One example of each player, for help and for "did you mean".
pub const EXAMPLES: &[&str] = &[
    "P0",
    "P1",
    "P2",
    "P3",
    "P4",
    "P'0",
    "P'1",
    "P'2",
    "P'3",
    "A1",
    "A2(3)",
    "A3(3)",
    "depth:4",
    "nodes:1000",
    "engine:100ms",
    "engine:nodes=5000",
    "engine:depth=6",
    "level:3",
    "baba:3",
    "uci:stockfish",
    "usi:fairy-stockfish,nodes=500",
    "xboard:fairymax,100ms",
    "gnu:gnushogi",
    "P2(first)",
    "expect:2",
];

impl FromStr for PlayerPlan {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<PlayerPlan, PlayerError> {
        let trimmed = text.trim();
        let straight = trimmed.replace(['’', '′', '‘'], "'");
        read(&straight).ok_or_else(|| PlayerError {
            text: trimmed.chars().take(40).collect(),
            nearest: suggestion(&straight),
        })
    }
}

/// The nearest name or, as names are short, the same text with another first letter.
fn suggestion(text: &str) -> Option<String> {
    let alike = nearest(text, EXAMPLES.iter().copied()).map(str::to_string);
    alike.or_else(|| {
        let rest: String = text.chars().skip(1).collect();
        let candidates = ["P", "A"].map(|letter| format!("{letter}{rest}"));
        candidates.into_iter().find(|candidate| read(candidate).is_some())
    })
}

fn read(text: &str) -> Option<PlayerPlan> {
    if let Some(plies) = text.strip_prefix("depth:") {
        return number(plies, MAX_PLIES).filter(|plies| *plies > 0).map(|plies| PlayerPlan::Depth { plies });
    }
    if let Some(turns) = text.strip_prefix("expect:") {
        let turns = number(turns, MAX_TURNS).filter(|turns| *turns > 0);
        return turns.map(|turns| PlayerPlan::Expectimax { turns });
    }
    if let Some(limit) = text.strip_prefix("nodes:") {
        let limit = limit.parse().ok().filter(|limit| (1..=1_000_000_000_000).contains(limit))?;
        return Some(PlayerPlan::Nodes { limit });
    }
    if let Some(limit) = text.strip_prefix("engine:") {
        return read_engine(limit).map(PlayerPlan::Engine);
    }
    if let Some(level) = text.strip_prefix("level:") {
        return number(level, 10).and_then(Level::new).map(PlayerPlan::Level);
    }
    if let Some(plies) = text.strip_prefix("baba:") {
        return number(plies, MAX_BABA).filter(|plies| *plies > 0).map(|plies| PlayerPlan::Baba { plies });
    }
    if let Some(external) = ExternalEnginePlan::read(text) {
        return Some(PlayerPlan::External(external));
    }
    let (name, options) = match text.split_once('(') {
        Some((name, rest)) => (name, rest.strip_suffix(')')?.split(',').map(str::trim).collect()),
        None => (text, Vec::new()),
    };
    match (name, options.as_slice()) {
        ("A1", []) => Some(PlayerPlan::Random),
        ("A2", [plies]) => number(plies, MAX_PLIES).map(|plies| PlayerPlan::MateSearch { plies }),
        ("A3", [depth]) => number(depth, MAX_DEPTH).map(|depth| PlayerPlan::Learned { depth }),
        _ => read_graded(name, &options),
    }
}

fn read_engine(limit: &str) -> Option<EngineLimit> {
    if let Some(ms) = limit.strip_suffix("ms") {
        return ms.parse().ok().filter(|ms| (1..=3_600_000).contains(ms)).map(EngineLimit::Ms);
    }
    match limit.split_once('=')? {
        ("nodes", nodes) => nodes.parse().ok().filter(|nodes| *nodes > 0).map(EngineLimit::Nodes),
        ("depth", plies) => number(plies, MAX_PLIES).filter(|plies| *plies > 0).map(EngineLimit::Depth),
        _ => None,
    }
}

fn read_graded(name: &str, options: &[&str]) -> Option<PlayerPlan> {
    let rest = name.strip_prefix('P')?;
    let Some(depth) = rest.strip_prefix('\'') else {
        let depth = number(rest, MAX_DEPTH)?;
        return match (depth, options) {
            (0, []) => Some(PlayerPlan::Random),
            (_, []) => Some(PlayerPlan::SemiRandom { depth, legs: Legs::Whole }),
            (1.., ["first"]) => Some(PlayerPlan::SemiRandom { depth, legs: Legs::First }),
            (_, _) => None,
        };
    };
    let (depth, mut leaf, mut count) = (number(depth, MAX_DEPTH)?, Leaf::AtDepth, MobilityCount::Moves);
    for option in options {
        match *option {
            "next" => leaf = Leaf::OneFurther,
            "captures" => count = MobilityCount::MovesAndCaptures,
            "promoted" => count = MobilityCount::Promoted,
            _ => return None,
        }
    }
    Some(PlayerPlan::MaterialMinimax { depth, leaf, count })
}

fn number(text: &str, most: u8) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && *number <= most)
}

impl fmt::Display for PlayerPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerPlan::Random => write!(f, "P0"),
            PlayerPlan::SemiRandom { depth, legs: Legs::Whole } => write!(f, "P{depth}"),
            PlayerPlan::SemiRandom { depth, legs: Legs::First } => write!(f, "P{depth}(first)"),
            PlayerPlan::Expectimax { turns } => write!(f, "expect:{turns}"),
            PlayerPlan::MaterialMinimax { depth, leaf, count } => {
                let leaf = match leaf {
                    Leaf::AtDepth => None,
                    Leaf::OneFurther => Some("next"),
                };
                let count = match count {
                    MobilityCount::Moves => None,
                    MobilityCount::MovesAndCaptures => Some("captures"),
                    MobilityCount::Promoted => Some("promoted"),
                };
                let options: Vec<&str> = leaf.into_iter().chain(count).collect();
                write!(f, "P'{depth}")?;
                if options.is_empty() { Ok(()) } else { write!(f, "({})", options.join(",")) }
            }
            PlayerPlan::MateSearch { plies } => write!(f, "A2({plies})"),
            PlayerPlan::Learned { depth } => write!(f, "A3({depth})"),
            PlayerPlan::Depth { plies } => write!(f, "depth:{plies}"),
            PlayerPlan::Nodes { limit } => write!(f, "nodes:{limit}"),
            PlayerPlan::Engine(EngineLimit::Ms(ms)) => write!(f, "engine:{ms}ms"),
            PlayerPlan::Engine(EngineLimit::Nodes(nodes)) => write!(f, "engine:nodes={nodes}"),
            PlayerPlan::Engine(EngineLimit::Depth(plies)) => write!(f, "engine:depth={plies}"),
            PlayerPlan::Level(level) => write!(f, "level:{}", level.number()),
            PlayerPlan::Baba { plies } => write!(f, "baba:{plies}"),
            PlayerPlan::External(external) => write!(f, "{external}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "P0",
            "P1",
            "P12",
            "P'0",
            "P'3",
            "P'2(next)",
            "P'2(next,captures)",
            "P'1(promoted)",
            "A2(7)",
            "A3(5)",
        ]
        .iter()
        .chain(EXAMPLES)
        {
            let plan: PlayerPlan = text.parse().expect(text);
            let again = plan.to_string();
            assert_eq!(again.parse(), Ok(plan), "{text}");
            let shortened = ["A1", "xboard:fairymax,100ms"];
            assert!(again == **text || shortened.contains(text), "{text} {again}");
        }
        assert_eq!("P’3".parse(), "P'3".parse::<PlayerPlan>());
    }

    #[test]
    fn what_names_no_player_is_refused() {
        let wrong = [
            "",
            "P",
            "P13",
            "P-1",
            "P+1",
            "Q3",
            "P3(next)",
            "P'2(nxt)",
            "A2",
            "A3()",
            "depth:0",
            "nodes:x",
            "P'",
            "P0(first)",
            "P2(last)",
            "expect:0",
            "expect:7",
            "engine:0ms",
            "engine:",
            "level:0",
            "level:11",
            "uci:",
        ];
        for text in wrong {
            let error = text.parse::<PlayerPlan>().expect_err(text);
            assert_eq!(error.to_string(), format!("unknown player `{text}`"));
        }
        assert_eq!("Q3".parse::<PlayerPlan>().expect_err("Q3").nearest.as_deref(), Some("P3"));
    }
}
