//! The handshake with another program, in its own protocol.
//!
//! In: a program that is not yet running. Out: one that waits for a game, its variant set. Never: a game.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use super::plan::Tongue;
use super::player::{ForeignError, ForeignPlayer, GREETING};
use super::process::Process;
use crate::protocol::foreign_names;

/// The options by which programs of UCI and USI choose a game. Some offer UCI's over USI.
const VARIANT_OPTIONS: [&str; 2] = ["UCI_Variant", "USI_Variant"];

impl ForeignPlayer {
    pub(super) fn start(&mut self) -> Result<(), ForeignError> {
        self.run()?;
        match self.plan.tongue {
            Tongue::Uci => self.greet_universally("uci", "uciok"),
            Tongue::Usi => self.greet_universally("usi", "usiok"),
            Tongue::Xboard => self.greet_xboard(),
            Tongue::Gnu => Ok(()),
        }
    }

    fn run(&mut self) -> Result<(), ForeignError> {
        self.process = Some(Process::start(&self.plan.command).map_err(ForeignError::Start)?);
        Ok(())
    }

    fn greet_universally(&mut self, hello: &str, ok: &str) -> Result<(), ForeignError> {
        self.say(hello);
        let offer = RefCell::new(None);
        self.await_line(GREETING, |line| {
            if let Some(found) = variant_option(line) {
                *offer.borrow_mut() = Some(found);
            }
            (line == ok).then(String::new)
        })?;
        if let Some((option, variants)) = offer.into_inner()
            && !self.plan.options.iter().any(|(name, _)| *name == option)
        {
            let variant = self.variant_among(&variants)?;
            self.say(&format!("setoption name {option} value {variant}"));
        }
        for (name, value) in self.plan.options.clone() {
            self.say(&format!("setoption name {name} value {value}"));
        }
        self.say("isready");
        self.await_word("readyok", GREETING)?;
        Ok(())
    }

    fn greet_xboard(&mut self) -> Result<(), ForeignError> {
        self.say("xboard");
        self.say("protover 2");
        // Programs of the first version say nothing: who is not done soon has nothing to say.
        let (pings, offer) = (Cell::new(false), RefCell::new(None));
        let greeted = self.await_line(Duration::from_secs(2), |line| {
            pings.set(pings.get() || line.contains("ping=1"));
            if let Some(variants) = variants_feature(line) {
                *offer.borrow_mut() = Some(variants);
            }
            line.contains("done=1").then(String::new)
        });
        self.pings = pings.get();
        if let Some(variants) = offer.into_inner() {
            self.variant = Some(self.variant_among(&variants)?);
        }
        match greeted {
            Err(ForeignError::Late { .. }) => {
                self.run()?;
                self.say("xboard");
                Ok(())
            }
            greeted => greeted.map(drop),
        }
    }

    /// The name that the program has for our game, out of those that it offers.
    fn variant_among(&self, offered: &[String]) -> Result<String, ForeignError> {
        let game = self.game_id();
        let name = foreign_names(game).into_iter().find(|name| offered.iter().any(|other| other == name));
        name.map(str::to_string).ok_or_else(|| ForeignError::NoSuchGame {
            program: self.program(),
            game: game.to_string(),
            offered: offered.join(", "),
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
