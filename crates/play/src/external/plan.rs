//! External engines as text: `uci:stockfish`, `xboard:fairymax,100ms`, `uci:fairy-stockfish,nodes=500,Threads=1`.
//!
//! In: text. Out: command line, protocol, limit and options. Never: a process.

use std::fmt;

use crate::engine_limit::EngineLimit;

/// The protocol of an external engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineProtocol {
    /// Universal Chess Interface.
    Uci,
    /// Universal Shogi Interface.
    Usi,
    /// Chess Engine Communication Protocol.
    Xboard,
    /// GNU Shogi without XBoard mode: moves alone, answered by `1. ... 8c8d`.
    Gnu,
}

const PROTOCOLS: [(&str, EngineProtocol); 4] = [
    ("uci", EngineProtocol::Uci),
    ("usi", EngineProtocol::Usi),
    ("xboard", EngineProtocol::Xboard),
    ("gnu", EngineProtocol::Gnu),
];

/// An external engine that is not yet started.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ExternalEnginePlan {
    pub protocol: EngineProtocol,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Per move; node limits need UCI or USI.
    pub limit: EngineLimit,
    /// Name and value, sent in this order.
    pub options: Vec<(String, String)>,
}

/// Time per move where the text gives no limit.
const DEFAULT_MS: u64 = 100;

impl ExternalEnginePlan {
    /// Reads `PROTOCOL:COMMAND`, then limits and options after commas.
    pub fn read(text: &str) -> Option<ExternalEnginePlan> {
        let (name, rest) = text.split_once(':')?;
        let (_, protocol) = PROTOCOLS.iter().find(|(protocol, _)| *protocol == name)?;
        let mut parts = rest.split(',').map(str::trim);
        let command: Vec<String> = parts.next()?.split_whitespace().map(str::to_string).collect();
        if command.is_empty() {
            return None;
        }
        let mut plan = ExternalEnginePlan {
            protocol: *protocol,
            command,
            limit: EngineLimit::Ms(DEFAULT_MS),
            options: Vec::new(),
        };
        for part in parts {
            match read_limit(part) {
                Some(limit) => plan.limit = limit,
                None => {
                    let (name, value) = part.split_once('=').filter(|(name, _)| !name.is_empty())?;
                    plan.options.push((name.to_string(), value.to_string()));
                }
            }
        }
        let counts_nodes = matches!(protocol, EngineProtocol::Uci | EngineProtocol::Usi);
        (counts_nodes || !matches!(plan.limit, EngineLimit::Nodes(_))).then_some(plan)
    }
}

fn read_limit(part: &str) -> Option<EngineLimit> {
    if let Some(ms) = part.strip_suffix("ms") {
        return ms.parse().ok().filter(|ms| (1..=3_600_000).contains(ms)).map(EngineLimit::Ms);
    }
    match part.split_once('=')? {
        ("nodes", nodes) => nodes.parse().ok().filter(|nodes| *nodes > 0).map(EngineLimit::Nodes),
        ("depth", plies) => plies.parse().ok().filter(|plies| *plies > 0).map(EngineLimit::Depth),
        _ => None,
    }
}

impl fmt::Display for ExternalEnginePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name =
            PROTOCOLS.iter().find(|(_, protocol)| *protocol == self.protocol).map_or("", |(name, _)| name);
        write!(f, "{name}:{}", self.command.join(" "))?;
        match self.limit {
            EngineLimit::Ms(DEFAULT_MS) => {}
            EngineLimit::Ms(ms) => write!(f, ",{ms}ms")?,
            EngineLimit::Nodes(nodes) => write!(f, ",nodes={nodes}")?,
            EngineLimit::Depth(plies) => write!(f, ",depth={plies}")?,
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
            let plan = ExternalEnginePlan::read(text).expect(text);
            assert_eq!(plan.to_string(), text);
        }
        for wrong in
            ["uci:", "uci: ,5ms", "cci:x", "uci:x,0ms", "uci:x,what", "xboard:x,nodes=5", "stockfish"]
        {
            assert_eq!(ExternalEnginePlan::read(wrong), None, "{wrong}");
        }
    }
}
