//! The handshake with an external engine, in its own protocol.
//!
//! In: an engine that is not yet running. Out: one that is ready for a game, its variant set. Never: a game.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::engine::{ExternalEngine, ExternalEngineError, HANDSHAKE_TIMEOUT};
use super::plan::EngineProtocol;
use super::process::Process;
use crate::protocol::variant_aliases;

/// The memory that XBoard engines may use.
const XBOARD_MEMORY_MB: u32 = 64;

/// Options by which UCI and USI engines choose a variant; some engines offer UCI's over USI.
const VARIANT_OPTIONS: [&str; 2] = ["UCI_Variant", "USI_Variant"];

impl ExternalEngine {
    pub(super) fn start(&mut self) -> Result<(), ExternalEngineError> {
        self.run()?;
        match self.plan.protocol {
            EngineProtocol::Uci => self.handshake_uci("uci", "uciok"),
            EngineProtocol::Usi => self.handshake_uci("usi", "usiok"),
            EngineProtocol::Xboard => self.handshake_xboard(),
            EngineProtocol::Gnu => Ok(()),
        }
    }

    fn run(&mut self) -> Result<(), ExternalEngineError> {
        self.process = Some(Process::start(&self.plan.command).map_err(ExternalEngineError::Start)?);
        Ok(())
    }

    fn handshake_uci(&mut self, hello: &str, ok: &str) -> Result<(), ExternalEngineError> {
        self.send(hello);
        let offer = RefCell::new(None);
        self.wait_for_line(HANDSHAKE_TIMEOUT, |line| {
            if let Some(found) = variant_option(line) {
                *offer.borrow_mut() = Some(found);
            }
            (line == ok).then(String::new)
        })?;
        if let Some((option, variants)) = offer.into_inner()
            && !self.plan.options.iter().any(|(name, _)| *name == option)
        {
            let variant = self.variant_among(&variants)?;
            self.send(&format!("setoption name {option} value {variant}"));
        }
        for (name, value) in self.plan.options.clone() {
            self.send(&format!("setoption name {name} value {value}"));
        }
        self.send("isready");
        self.wait_for_keyword("readyok", HANDSHAKE_TIMEOUT)?;
        Ok(())
    }

    fn handshake_xboard(&mut self) -> Result<(), ExternalEngineError> {
        self.send("xboard");
        self.send("protover 2");
        // Engines of protocol version 1 send no features: a timeout means that there are none.
        let (ping, memory, usermove) = (Cell::new(false), Cell::new(false), Cell::new(false));
        let offer = RefCell::new(None);
        let handshake = self.wait_for_line(Duration::from_secs(2), |line| {
            ping.set(ping.get() || line.contains("ping=1"));
            memory.set(memory.get() || line.contains("memory=1"));
            usermove.set(usermove.get() || line.contains("usermove=1"));
            if let Some(variants) = variants_feature(line) {
                *offer.borrow_mut() = Some(variants);
            }
            line.contains("done=1").then(String::new)
        });
        self.supports_ping = ping.get();
        self.move_prefix = if usermove.get() { "usermove " } else { "" };
        // Who offers this waits for it: HaChu crashes in its first search without.
        if memory.get() {
            self.send(&format!("memory {XBOARD_MEMORY_MB}"));
        }
        if let Some(variants) = offer.into_inner() {
            self.variant = Some(self.variant_among(&variants)?);
        }
        match handshake {
            Err(ExternalEngineError::Timeout { .. }) => {
                self.run()?;
                self.send("xboard");
                Ok(())
            }
            handshake => handshake.map(drop),
        }
    }

    /// The engine's name for our game, out of the variants that it offers.
    fn variant_among(&self, offered: &[String]) -> Result<String, ExternalEngineError> {
        let game = self.game_id();
        let name = variant_aliases(game).into_iter().find(|name| offered.iter().any(|other| other == name));
        name.map(str::to_string).ok_or_else(|| ExternalEngineError::NoSuchGame {
            program: self.program(),
            game: game.to_string(),
            offered: offered.to_vec(),
        })
    }
}

/// `option name UCI_Variant type combo default chess var chess var shogi`: the option and its values.
fn variant_option(line: &str) -> Option<(String, Vec<String>)> {
    let rest = line.strip_prefix("option name ")?;
    let (name, rest) = rest.split_once(' ')?;
    let values = rest.split(" var ").skip(1).map(|value| value.trim().to_string());
    VARIANT_OPTIONS.contains(&name).then(|| (name.to_string(), values.collect()))
}

/// `feature ping=1 variants="normal,shogi" done=1`: the variants.
fn variants_feature(line: &str) -> Option<Vec<String>> {
    let list = line.strip_prefix("feature ")?.split_once("variants=\"")?.1.split('"').next()?;
    Some(list.split(',').map(|name| name.trim().to_string()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offered_variants_are_read() {
        let (name, variants) =
            variant_option("option name UCI_Variant type combo default chess var chess var minishogi")
                .expect("an offer");
        assert_eq!((name.as_str(), variants), ("UCI_Variant", vec!["chess".into(), "minishogi".to_string()]));
        assert_eq!(variant_option("option name Hash type spin default 16"), None);
        let variants = variants_feature("feature ping=1 variants=\"normal,5x5+5_shogi\" done=1");
        assert_eq!(variants, Some(vec!["normal".into(), "5x5+5_shogi".into()]));
        assert_eq!(variants_feature("feature ping=1"), None);
    }
}
