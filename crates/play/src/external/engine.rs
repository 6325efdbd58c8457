//! An external engine as a player.
//!
//! In: a game from its start. Out: the engine's move, or an error. Never: an illegal move.

use std::time::Duration;

use ashta_messages::{Message, Tell};
use ashta_position::notation::{read_coordinates, write_coordinates};
use ashta_position::{CompiledRules, Game, Move};
use ashta_rules::Side;

use super::plan::{EngineProtocol, ExternalEnginePlan};
use super::process::{Process, ReadError};
use crate::engine_limit::EngineLimit;
use crate::protocol::{Protocol, default_game, variant_aliases, xboard_notation};

/// Timeout of `uciok`, `readyok`, `pong` and the like.
pub(super) const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// Added to the time of a move: the machine may be busy, and some engines count in seconds.
const MOVE_TIME_GRACE: Duration = Duration::from_secs(10);
/// Output of an engine without `ping` is taken to have ended after this silence.
const DRAIN_TIMEOUT: Duration = Duration::from_millis(50);
/// Timeout of a move that is limited by nodes or depth.
const UNTIMED_MOVE_TIMEOUT: Duration = Duration::from_secs(120);
/// Moves of one time-control period (XBoard's `level`).
const MOVES_PER_PERIOD: u64 = 40;

/// Why an external engine gave no move.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum ExternalEngineError {
    #[code(transparent)]
    Start(Message),
    /// The engine lists its variants, and this game is not among them.
    #[code("play.engine-no-such-game")]
    NoSuchGame {
        program: String,
        game: String,
        /// The engine's own names.
        offered: Vec<String>,
    },
    #[code("play.engine-timeout")]
    Timeout { program: String },
    #[code("play.engine-exited")]
    Exited { program: String },
    #[code("play.engine-resigned")]
    Resigned { program: String },
    /// By the engine's own rules.
    #[code("play.engine-claims-draw")]
    ClaimsDraw { program: String, text: String },
    /// The engine rejects a legal move: its rules or its start position differ.
    #[code("play.engine-refused")]
    Refused { program: String, text: String },
    #[code("play.engine-illegal")]
    Illegal { program: String, text: String, position: String },
}

/// A running engine that plays one game after another.
#[derive(Debug)]
pub struct ExternalEngine {
    pub(super) plan: ExternalEnginePlan,
    pub(super) rules: CompiledRules,
    pub(super) process: Option<Process>,
    n_moves_sent: usize,
    /// Milliseconds left in the time-control period, and moves played.
    clock: (u64, u64),
    pub(super) supports_ping: bool,
    /// Before a move of ours: `usermove ` if the engine asks for it (XBoard only).
    pub(super) move_prefix: &'static str,
    /// The engine's name for the game, if it lists its variants (XBoard only).
    pub(super) variant: Option<String>,
}

impl ExternalEngine {
    /// Starts the process and completes the handshake.
    pub fn new(
        plan: &ExternalEnginePlan,
        rules: &CompiledRules,
    ) -> Result<ExternalEngine, ExternalEngineError> {
        let (plan, rules) = (plan.clone(), rules.clone());
        let mut player = ExternalEngine {
            plan,
            rules,
            process: None,
            n_moves_sent: 0,
            clock: (0, 0),
            supports_ping: false,
            move_prefix: "",
            variant: None,
        };
        player.start()?;
        Ok(player)
    }

    pub(super) fn program(&self) -> String {
        self.plan.command.first().cloned().unwrap_or_default()
    }

    fn read_failure(&mut self, error: ReadError) -> ExternalEngineError {
        // The next game starts a new process.
        self.process = None;
        match error {
            ReadError::Timeout => ExternalEngineError::Timeout { program: self.program() },
            ReadError::Exited => ExternalEngineError::Exited { program: self.program() },
        }
    }

    pub(super) fn send(&mut self, line: &str) {
        if let Some(process) = &mut self.process {
            process.send(line);
        }
    }

    /// Waits for a line that begins with a word; returns the rest of it.
    pub(super) fn wait_for_keyword(
        &mut self,
        word: &str,
        within: Duration,
    ) -> Result<String, ExternalEngineError> {
        self.wait_for_line(within, |line| {
            let rest = line.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim().to_string())
        })
    }

    pub(super) fn wait_for_line(
        &mut self,
        within: Duration,
        wanted: impl Fn(&str) -> Option<String>,
    ) -> Result<String, ExternalEngineError> {
        // Bounds the lines as well as the time: an engine may print for ever without answering.
        for _ in 0..1_000_000 {
            let line = match &mut self.process {
                Some(process) => process.read_line(within),
                None => Err(ReadError::Exited),
            };
            match line {
                Ok(text) if text.starts_with("Illegal move") => {
                    self.process = None;
                    return Err(ExternalEngineError::Refused { program: self.program(), text });
                }
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                }
                Err(error) => return Err(self.read_failure(error)),
            }
        }
        Err(self.read_failure(ReadError::Timeout))
    }

    pub(super) fn game_id(&self) -> &str {
        self.rules.rules().id()
    }

    pub fn begin_game(&mut self) -> Result<(), ExternalEngineError> {
        if self.process.is_none() {
            self.start()?;
        }
        self.n_moves_sent = 0;
        match self.plan.protocol {
            EngineProtocol::Uci | EngineProtocol::Usi => {
                self.send(if self.plan.protocol == EngineProtocol::Uci {
                    "ucinewgame"
                } else {
                    "usinewgame"
                });
                self.send("isready");
                self.wait_for_keyword("readyok", HANDSHAKE_TIMEOUT)?;
            }
            EngineProtocol::Xboard | EngineProtocol::Gnu => {
                self.begin_game_xboard();
                // Drain output of the previous game, so that it is not taken for an answer in this one.
                if self.supports_ping {
                    self.send("ping 1");
                    self.wait_for_keyword("pong", HANDSHAKE_TIMEOUT)?;
                } else {
                    while self
                        .process
                        .as_mut()
                        .is_some_and(|process| process.read_line(DRAIN_TIMEOUT).is_ok())
                    {}
                }
            }
        }
        Ok(())
    }

    fn begin_game_xboard(&mut self) {
        let ms = match self.plan.limit {
            EngineLimit::Ms(ms) => ms,
            EngineLimit::Nodes(_) | EngineLimit::Depth(_) => 60_000,
        };
        self.send("new");
        // Engines that list no variants know the protocol's default game, or XBoard's name.
        let xboard_name = variant_aliases(self.game_id()).last().copied().unwrap_or_default();
        let variant = self.variant.clone().unwrap_or_else(|| xboard_name.to_string());
        if self.plan.protocol == EngineProtocol::Xboard
            && variant_aliases(default_game(Protocol::Xboard)).iter().all(|name| *name != variant)
        {
            self.send(&format!("variant {variant}"));
        }
        self.send("force");
        for (name, value) in self.plan.options.clone() {
            self.send(&format!("option {name}={value}"));
        }
        let seconds = (ms * MOVES_PER_PERIOD).div_ceil(1000).max(1);
        self.send(&format!("level {MOVES_PER_PERIOD} {}:{:02} 0", seconds / 60, seconds % 60));
        if let EngineLimit::Depth(plies) = self.plan.limit {
            self.send(&format!("sd {plies}"));
        }
        self.clock = (ms * MOVES_PER_PERIOD, 0);
    }

    /// The engine's move; `elapsed` is a monotonic clock.
    pub fn choose(
        &mut self,
        game: &Game,
        elapsed: &dyn Fn() -> Duration,
    ) -> Result<Move, ExternalEngineError> {
        let before = elapsed();
        let text = match self.plan.protocol {
            EngineProtocol::Uci | EngineProtocol::Usi => self.choose_uci(game)?,
            EngineProtocol::Xboard | EngineProtocol::Gnu => self.choose_xboard(game)?,
        };
        self.update_clock(elapsed().saturating_sub(before));
        let mv = match self.plan.protocol {
            EngineProtocol::Xboard => xboard_notation::read_move(game, &text),
            EngineProtocol::Uci | EngineProtocol::Usi | EngineProtocol::Gnu => {
                read_coordinates(game, &text).ok()
            }
        };
        let Some(mv) = mv else {
            let program = self.program();
            if text.starts_with("1/2") {
                return Err(ExternalEngineError::ClaimsDraw { program, text });
            }
            // Some say it by the result: that the other side has won.
            let lost = if game.turn() == Side::FIRST { "0-1" } else { "1-0" };
            if text.starts_with("resign") || text.starts_with(lost) {
                return Err(ExternalEngineError::Resigned { program });
            }
            self.process = None;
            return Err(ExternalEngineError::Illegal {
                program: self.program(),
                text,
                position: game.text(),
            });
        };
        self.n_moves_sent = game.moves().len() + 1;
        Ok(mv)
    }

    fn update_clock(&mut self, used: Duration) {
        let (left, n_moves) = self.clock;
        let left = left.saturating_sub(used.as_millis() as u64);
        self.clock = (left, n_moves + 1);
        if (n_moves + 1).is_multiple_of(MOVES_PER_PERIOD)
            && let EngineLimit::Ms(ms) = self.plan.limit
        {
            self.clock.0 = left + ms * MOVES_PER_PERIOD;
        }
    }

    fn move_timeout(&self) -> Duration {
        match self.plan.limit {
            EngineLimit::Ms(ms) => Duration::from_millis(ms) + MOVE_TIME_GRACE,
            EngineLimit::Nodes(_) | EngineLimit::Depth(_) => UNTIMED_MOVE_TIMEOUT,
        }
    }

    fn choose_uci(&mut self, game: &Game) -> Result<String, ExternalEngineError> {
        let (start, moves) = start_and_moves(&self.rules, game, self.plan.protocol);
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let start = match (start, self.plan.protocol) {
            (None, _) => "startpos".to_string(),
            (Some(text), EngineProtocol::Usi) => format!("sfen {text}"),
            (Some(text), _) => format!("fen {text}"),
        };
        self.send(&format!("position {start}{moves}"));
        self.send(&match (self.plan.limit, self.plan.protocol) {
            (EngineLimit::Ms(ms), EngineProtocol::Usi) => format!("go btime 0 wtime 0 byoyomi {ms}"),
            (EngineLimit::Ms(ms), _) => format!("go movetime {ms}"),
            (EngineLimit::Nodes(nodes), _) => format!("go nodes {nodes}"),
            (EngineLimit::Depth(plies), _) => format!("go depth {plies}"),
        });
        let answer = self.wait_for_keyword("bestmove", self.move_timeout())?;
        Ok(answer.split_whitespace().next().unwrap_or_default().to_string())
    }

    fn choose_xboard(&mut self, game: &Game) -> Result<String, ExternalEngineError> {
        let moves = game.moves();
        let mut so_far = Game::start(&self.rules);
        for (n, mv) in moves.iter().enumerate() {
            if n >= self.n_moves_sent {
                self.send_move(&so_far, *mv)?;
            }
            so_far.play_unchecked(*mv);
        }
        let (left, _) = self.clock;
        self.send(&format!("time {}", left / 10));
        match self.plan.protocol {
            EngineProtocol::Xboard => {
                self.send(&format!("otim {}", left / 10));
                self.send("go");
                let read = |line: &str| {
                    let claims = ["1-0", "0-1", "1/2", "resign"].iter().any(|word| line.starts_with(word));
                    let mv = line.strip_prefix("move ").map(|mv| mv.trim().to_string());
                    mv.or_else(|| claims.then(|| line.to_string()))
                };
                let mut text = self.wait_for_line(self.move_timeout(), read)?;
                if xboard_notation::is_first_leg(&text) {
                    text += &self.wait_for_line(self.move_timeout(), read)?;
                }
                self.send("force");
                Ok(text)
            }
            EngineProtocol::Gnu | EngineProtocol::Uci | EngineProtocol::Usi => {
                self.send("go");
                let text = self.wait_for_line(self.move_timeout(), gnu_move)?;
                self.send("force");
                Ok(text)
            }
        }
    }

    fn send_move(&mut self, game: &Game, mv: Move) -> Result<(), ExternalEngineError> {
        match self.plan.protocol {
            EngineProtocol::Xboard => {
                self.send(&format!("{}{}", self.move_prefix, xboard_notation::write_move(game, mv)));
                Ok(())
            }
            EngineProtocol::Gnu | EngineProtocol::Uci | EngineProtocol::Usi => {
                let text = write_coordinates(game, mv);
                self.send(&text);
                // The engine echoes the move before it reads more.
                self.wait_for_line(HANDSHAKE_TIMEOUT, |line| line.contains(&text).then(String::new))?;
                Ok(())
            }
        }
    }
}

/// `1. ... 8c8d 3210`: dots mark the engine's own move.
fn gnu_move(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [number, "...", mv, ..] if number.ends_with('.') => Some((*mv).to_string()),
        _ => None,
    }
}

/// Arguments of `position`: the start position (`None`: `startpos`) and the moves.
fn start_and_moves(
    rules: &CompiledRules,
    game: &Game,
    protocol: EngineProtocol,
) -> (Option<String>, Vec<String>) {
    let moves = game.moves();
    let mut before = game.clone();
    while before.take_back().is_some() {}
    // `startpos` depends on the engine's variant: only USI engines agree on it.
    let is_start = before.key() == Game::start(rules).key() && protocol == EngineProtocol::Usi;
    let start = (!is_start).then(|| before.text());
    let mut texts = Vec::new();
    for mv in moves {
        texts.push(write_coordinates(&before, mv));
        before.play_unchecked(mv);
    }
    (start, texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_move_is_found_among_other_lines() {
        assert_eq!(gnu_move("1. ... 8b4b 3210").as_deref(), Some("8b4b"));
        assert_eq!(gnu_move("1. 7g7f 4000"), None);
        assert_eq!(gnu_move("stage = 4"), None);
    }

    fn scripted(script: &str) -> (CompiledRules, Result<ExternalEngine, ExternalEngineError>) {
        let rules = CompiledRules::new(ashta_rules::load("chess").expect("it is there"));
        let command = vec!["/bin/sh".to_string(), "-c".to_string(), script.to_string()];
        let plan = ExternalEnginePlan {
            protocol: EngineProtocol::Uci,
            command,
            limit: EngineLimit::Ms(10),
            options: Vec::new(),
        };
        let player = ExternalEngine::new(&plan, &rules);
        (rules, player)
    }

    const GREETS: &str = "read a; echo uciok; read b; echo readyok; read c; read d; echo readyok; ";

    #[test]
    fn what_another_program_does_wrong_is_told() {
        let (rules, player) = scripted(&format!("{GREETS} read e; read f; echo bestmove e2e5; read g"));
        let mut player = player.expect("it greets");
        player.begin_game().expect("it is ready");
        let error = player.choose(&Game::start(&rules), &Duration::default).expect_err("it cheats");
        assert!(error.to_string().contains("played `e2e5`, which is not legal"), "{error}");

        // Only the other side's win is a way to resign.
        for (said, is_resigning) in [("0-1", true), ("1-0", false)] {
            let (rules, player) = scripted(&format!("{GREETS} read e; read f; echo bestmove {said}; read g"));
            let mut player = player.expect("it greets");
            player.begin_game().expect("it is ready");
            let error = player.choose(&Game::start(&rules), &Duration::default).expect_err("it ends");
            assert_eq!(matches!(error, ExternalEngineError::Resigned { .. }), is_resigning, "{error}");
        }

        let (rules, player) = scripted(&format!("{GREETS} read e; exit 3"));
        let mut player = player.expect("it greets");
        player.begin_game().expect("it is ready");
        let error = player.choose(&Game::start(&rules), &Duration::default).expect_err("it dies");
        assert_eq!(error, ExternalEngineError::Exited { program: "/bin/sh".into() });
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let rules = CompiledRules::new(ashta_rules::load("chess").expect("it is there"));
        let plan = ExternalEnginePlan::read("uci:no-such-engine").expect("it is a plan");
        let error = ExternalEngine::new(&plan, &rules).expect_err("it is not there");
        assert!(error.to_string().starts_with("cannot start `no-such-engine`"), "{error}");
    }
}
