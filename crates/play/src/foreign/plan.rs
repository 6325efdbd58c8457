//! Other programs as text: `uci:stockfish`, `xboard:fairymax,100ms`, `uci:fairy-stockfish,nodes=500,Threads=1`.
//!
//! In: text. Out: which program, how it is spoken to, how long it thinks. Never: a process.

use std::fmt;

/// The language that another program speaks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tongue {
    /// Universal Chess Interface.
    Uci,
    /// Universal Shogi Interface.
    Usi,
    /// Chess Engine Communication Protocol.
    Xboard,
    /// What GNU's shogi program spoke before: moves alone, answered by `1. ... 8c8d`.
    Gnu,
}

const TONGUES: [(&str, Tongue); 4] =
    [("uci", Tongue::Uci), ("usi", Tongue::Usi), ("xboard", Tongue::Xboard), ("gnu", Tongue::Gnu)];

/// How much another program may think of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ForeignLimit {
    /// Milliseconds.
    Ms(u64),
    /// Positions; of UCI and USI alone.
    Nodes(u64),
    /// Plies.
    Depth(u8),
}

/// Another program, before it is started.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ForeignPlan {
    /// How it is spoken to.
    pub tongue: Tongue,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How much it may think.
    pub limit: ForeignLimit,
    /// Options to be set, in order.
    pub options: Vec<(String, String)>,
}

/// What a program is given if nothing is said.
const USUAL_MS: u64 = 100;

impl ForeignPlan {
    /// Reads `TONGUE:COMMAND`, then limits and options after commas.
    pub fn read(text: &str) -> Option<ForeignPlan> {
        let (name, rest) = text.split_once(':')?;
        let (_, tongue) = TONGUES.iter().find(|(tongue, _)| *tongue == name)?;
        let mut parts = rest.split(',').map(str::trim);
        let command: Vec<String> = parts.next()?.split_whitespace().map(str::to_string).collect();
        if command.is_empty() {
            return None;
        }
        let mut plan =
            ForeignPlan { tongue: *tongue, command, limit: ForeignLimit::Ms(USUAL_MS), options: Vec::new() };
        for part in parts {
            match read_limit(part) {
                Some(limit) => plan.limit = limit,
                None => {
                    let (name, value) = part.split_once('=').filter(|(name, _)| !name.is_empty())?;
                    plan.options.push((name.to_string(), value.to_string()));
                }
            }
        }
        let counts_nodes = matches!(tongue, Tongue::Uci | Tongue::Usi);
        (counts_nodes || !matches!(plan.limit, ForeignLimit::Nodes(_))).then_some(plan)
    }
}

fn read_limit(part: &str) -> Option<ForeignLimit> {
    if let Some(ms) = part.strip_suffix("ms") {
        return ms.parse().ok().filter(|ms| (1..=3_600_000).contains(ms)).map(ForeignLimit::Ms);
    }
    match part.split_once('=')? {
        ("nodes", nodes) => nodes.parse().ok().filter(|nodes| *nodes > 0).map(ForeignLimit::Nodes),
        ("depth", plies) => plies.parse().ok().filter(|plies| *plies > 0).map(ForeignLimit::Depth),
        _ => None,
    }
}

impl fmt::Display for ForeignPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = TONGUES.iter().find(|(_, tongue)| *tongue == self.tongue).map_or("", |(name, _)| name);
        write!(f, "{name}:{}", self.command.join(" "))?;
        match self.limit {
            ForeignLimit::Ms(USUAL_MS) => {}
            ForeignLimit::Ms(ms) => write!(f, ",{ms}ms")?,
            ForeignLimit::Nodes(nodes) => write!(f, ",nodes={nodes}")?,
            ForeignLimit::Depth(plies) => write!(f, ",depth={plies}")?,
        }
        self.options.iter().try_for_each(|(name, value)| write!(f, ",{name}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "uci:stockfish",
            "uci:stockfish,50ms",
            "usi:fairy-stockfish,nodes=500,Threads=1",
            "xboard:fairymax -x,depth=3",
            "gnu:gnushogi",
        ] {
            let plan = ForeignPlan::read(text).expect(text);
            assert_eq!(plan.to_string(), text);
        }
        for wrong in
            ["uci:", "uci: ,5ms", "cci:x", "uci:x,0ms", "uci:x,what", "xboard:x,nodes=5", "stockfish"]
        {
            assert_eq!(ForeignPlan::read(wrong), None, "{wrong}");
        }
    }
}
