//! The first words with another program, in its own language.
//!
//! In: a program that is not yet running. Out: one that waits for a game. Never: a game.

use std::cell::Cell;
use std::time::Duration;

use super::plan::Tongue;
use super::player::{ForeignError, ForeignPlayer, GREETING};
use super::process::Process;

impl ForeignPlayer {
    pub(super) fn start(&mut self) -> Result<(), ForeignError> {
        self.run()?;
        match self.plan.tongue {
            Tongue::Uci => self.greet_universally("uci", "uciok", "UCI_Variant"),
            Tongue::Usi => self.greet_universally("usi", "usiok", "USI_Variant"),
            Tongue::Xboard => self.greet_xboard(),
            Tongue::Gnu => Ok(()),
        }
    }

    fn run(&mut self) -> Result<(), ForeignError> {
        self.process = Some(Process::start(&self.plan.command).map_err(ForeignError::Start)?);
        Ok(())
    }

    fn greet_universally(&mut self, hello: &str, ok: &str, variant: &str) -> Result<(), ForeignError> {
        self.say(hello);
        let (name, offers) = (format!("option name {variant} "), Cell::new(false));
        self.await_line(GREETING, |line| {
            offers.set(offers.get() || line.starts_with(&name));
            (line == ok).then(String::new)
        })?;
        if offers.get() {
            let game = self.game_name();
            self.say(&format!("setoption name {variant} value {game}"));
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
        let pings = Cell::new(false);
        let greeted = self.await_line(Duration::from_secs(2), |line| {
            pings.set(pings.get() || line.contains("ping=1"));
            line.contains("done=1").then(String::new)
        });
        self.pings = pings.get();
        match greeted {
            Err(ForeignError::Late { .. }) => {
                self.run()?;
                self.say("xboard");
                Ok(())
            }
            greeted => greeted.map(drop),
        }
    }
}
