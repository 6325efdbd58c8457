//! Another program at the board.
//!
//! In: a game from its start. Out: the program's move, or what was wrong with it. Never: an illegal move.

use std::time::Duration;

use ashta_position::notation::{read_coordinates, write_coordinates};
use ashta_position::{CompiledRules, Game, Move};

use super::plan::{ForeignLimit, ForeignPlan, Tongue};
use super::process::{Process, Silence};
use crate::protocol::{Protocol, foreign_names, usual_game, xboard_notation};

/// Time to answer a greeting.
pub(super) const GREETING: Duration = Duration::from_secs(10);
/// Time beyond what a move was given: others may compute on this machine, and some programs count in seconds.
const GRACE: Duration = Duration::from_secs(10);
/// Silence after which a program that answers no `ping` has said what it had to say.
const SETTLING: Duration = Duration::from_millis(50);
/// How long a move may take that is limited otherwise than by time.
const LONGEST: Duration = Duration::from_secs(120);
/// Moves of one session of XBoard's clock.
const SESSION: u64 = 40;

/// Why another program has no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ForeignError {
    /// It cannot be started.
    #[error("{0}")]
    Start(String),
    /// It offers a choice of games, and this one is not among them.
    #[error("`{program}` does not offer {game}; it offers {offered}")]
    NoSuchGame {
        /// Which.
        program: String,
        /// As we call it.
        game: String,
        /// As it calls them.
        offered: String,
    },
    /// It said nothing in time.
    #[error("`{program}` did not answer in time")]
    Late {
        /// Which.
        program: String,
    },
    /// It has ended.
    #[error("`{program}` has ended without a move")]
    Gone {
        /// Which.
        program: String,
    },
    /// It gives the game up.
    #[error("`{program}` has resigned")]
    Resigned {
        /// Which.
        program: String,
    },
    /// It says that the game is drawn, by rules of its own.
    #[error("`{program}` claims a draw: {text}")]
    ClaimsDraw {
        /// Which.
        program: String,
        /// As it wrote it.
        text: String,
    },
    /// It does not accept a move that is legal here: its rules or its start are others.
    #[error("`{program}` refuses a legal move: {text}")]
    Refused {
        /// Which.
        program: String,
        /// As it said it.
        text: String,
    },
    /// Its move is not legal.
    #[error("`{program}` played `{text}`, which is not legal in {position}")]
    Illegal {
        /// Which.
        program: String,
        /// As it wrote it.
        text: String,
        /// Where.
        position: String,
    },
}

/// Another program that plays one game after another.
#[derive(Debug)]
pub struct ForeignPlayer {
    pub(super) plan: ForeignPlan,
    pub(super) rules: CompiledRules,
    pub(super) process: Option<Process>,
    /// Moves that it knows of.
    n_known: usize,
    /// What is left of its session's clock, in milliseconds, and its moves.
    clock: (u64, u64),
    /// Whether it answers `ping`.
    pub(super) pings: bool,
    /// What it calls the game, if it offers a list (XBoard's protocol only).
    pub(super) variant: Option<String>,
}

impl ForeignPlayer {
    /// Starts the program, to see that it can be.
    pub fn new(plan: &ForeignPlan, rules: &CompiledRules) -> Result<ForeignPlayer, ForeignError> {
        let (plan, rules) = (plan.clone(), rules.clone());
        let mut player = ForeignPlayer {
            plan,
            rules,
            process: None,
            n_known: 0,
            clock: (0, 0),
            pings: false,
            variant: None,
        };
        player.start()?;
        Ok(player)
    }

    pub(super) fn program(&self) -> String {
        self.plan.command.first().cloned().unwrap_or_default()
    }

    fn fault(&mut self, silence: Silence) -> ForeignError {
        // Whoever was silent once is started anew for the next game.
        self.process = None;
        match silence {
            Silence::Late => ForeignError::Late { program: self.program() },
            Silence::Gone => ForeignError::Gone { program: self.program() },
        }
    }

    pub(super) fn say(&mut self, line: &str) {
        if let Some(process) = &mut self.process {
            process.say(line);
        }
    }

    /// Waits for a line that begins so; the rest of it.
    pub(super) fn await_word(&mut self, word: &str, within: Duration) -> Result<String, ForeignError> {
        self.await_line(within, |line| {
            let rest = line.strip_prefix(word)?;
            (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim().to_string())
        })
    }

    pub(super) fn await_line(
        &mut self,
        within: Duration,
        wanted: impl Fn(&str) -> Option<String>,
    ) -> Result<String, ForeignError> {
        // A program that talks on without answering is late too; lines come at most so often.
        for _ in 0..1_000_000 {
            let heard = match &mut self.process {
                Some(process) => process.hear(within),
                None => Err(Silence::Gone),
            };
            match heard {
                Ok(text) if text.starts_with("Illegal move") => {
                    self.process = None;
                    return Err(ForeignError::Refused { program: self.program(), text });
                }
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                }
                Err(silence) => return Err(self.fault(silence)),
            }
        }
        Err(self.fault(Silence::Late))
    }

    pub(super) fn game_id(&self) -> &str {
        self.rules.rules().id()
    }

    /// A new game from its start.
    pub fn begin_game(&mut self) -> Result<(), ForeignError> {
        if self.process.is_none() {
            self.start()?;
        }
        self.n_known = 0;
        match self.plan.tongue {
            Tongue::Uci | Tongue::Usi => {
                self.say(if self.plan.tongue == Tongue::Uci { "ucinewgame" } else { "usinewgame" });
                self.say("isready");
                self.await_word("readyok", GREETING)?;
            }
            Tongue::Xboard | Tongue::Gnu => {
                self.begin_by_clock();
                // What was said of the game before is not to be taken for an answer in this one.
                if self.pings {
                    self.say("ping 1");
                    self.await_word("pong", GREETING)?;
                } else {
                    while self.process.as_mut().is_some_and(|process| process.hear(SETTLING).is_ok()) {}
                }
            }
        }
        Ok(())
    }

    fn begin_by_clock(&mut self) {
        let ms = match self.plan.limit {
            ForeignLimit::Ms(ms) => ms,
            ForeignLimit::Nodes(_) | ForeignLimit::Depth(_) => 60_000,
        };
        self.say("new");
        // Programs that offer no list know their protocol's usual game, or the name that XBoard has.
        let xboards_name = foreign_names(self.game_id()).last().copied().unwrap_or_default();
        let variant = self.variant.clone().unwrap_or_else(|| xboards_name.to_string());
        if self.plan.tongue == Tongue::Xboard
            && foreign_names(usual_game(Protocol::Xboard)).iter().all(|name| *name != variant)
        {
            self.say(&format!("variant {variant}"));
        }
        self.say("force");
        for (name, value) in self.plan.options.clone() {
            self.say(&format!("option {name}={value}"));
        }
        let seconds = (ms * SESSION).div_ceil(1000).max(1);
        self.say(&format!("level {SESSION} {}:{:02} 0", seconds / 60, seconds % 60));
        if let ForeignLimit::Depth(plies) = self.plan.limit {
            self.say(&format!("sd {plies}"));
        }
        self.clock = (ms * SESSION, 0);
    }

    /// The program's move; `elapsed` tells the time since any moment.
    pub fn choose(&mut self, game: &Game, elapsed: &dyn Fn() -> Duration) -> Result<Move, ForeignError> {
        let before = elapsed();
        let text = match self.plan.tongue {
            Tongue::Uci | Tongue::Usi => self.choose_universally(game)?,
            Tongue::Xboard | Tongue::Gnu => self.choose_by_clock(game)?,
        };
        self.run_clock(elapsed().saturating_sub(before));
        let mv = match self.plan.tongue {
            Tongue::Xboard => xboard_notation::read_move(game, &text),
            Tongue::Uci | Tongue::Usi | Tongue::Gnu => read_coordinates(game, &text).ok(),
        };
        let Some(mv) = mv else {
            let program = self.program();
            if text.starts_with("1/2") {
                return Err(ForeignError::ClaimsDraw { program, text });
            }
            if text.starts_with("resign") {
                return Err(ForeignError::Resigned { program });
            }
            self.process = None;
            return Err(ForeignError::Illegal { program: self.program(), text, position: game.text() });
        };
        self.n_known = game.moves().len() + 1;
        Ok(mv)
    }

    fn run_clock(&mut self, used: Duration) {
        let (left, n_moves) = self.clock;
        let left = left.saturating_sub(used.as_millis() as u64);
        self.clock = (left, n_moves + 1);
        if (n_moves + 1).is_multiple_of(SESSION)
            && let ForeignLimit::Ms(ms) = self.plan.limit
        {
            self.clock.0 = left + ms * SESSION;
        }
    }

    fn patience(&self) -> Duration {
        match self.plan.limit {
            ForeignLimit::Ms(ms) => Duration::from_millis(ms) + GRACE,
            ForeignLimit::Nodes(_) | ForeignLimit::Depth(_) => LONGEST,
        }
    }

    fn choose_universally(&mut self, game: &Game) -> Result<String, ForeignError> {
        let (start, moves) = told(&self.rules, game, self.plan.tongue);
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let start = match (start, self.plan.tongue) {
            (None, _) => "startpos".to_string(),
            (Some(text), Tongue::Usi) => format!("sfen {text}"),
            (Some(text), _) => format!("fen {text}"),
        };
        self.say(&format!("position {start}{moves}"));
        self.say(&match (self.plan.limit, self.plan.tongue) {
            (ForeignLimit::Ms(ms), Tongue::Usi) => format!("go btime 0 wtime 0 byoyomi {ms}"),
            (ForeignLimit::Ms(ms), _) => format!("go movetime {ms}"),
            (ForeignLimit::Nodes(nodes), _) => format!("go nodes {nodes}"),
            (ForeignLimit::Depth(plies), _) => format!("go depth {plies}"),
        });
        let answer = self.await_word("bestmove", self.patience())?;
        Ok(answer.split_whitespace().next().unwrap_or_default().to_string())
    }

    fn choose_by_clock(&mut self, game: &Game) -> Result<String, ForeignError> {
        let moves = game.moves();
        let mut so_far = Game::start(&self.rules);
        for (n, mv) in moves.iter().enumerate() {
            if n >= self.n_known {
                self.tell_move(&so_far, *mv)?;
            }
            so_far.play_unchecked(*mv);
        }
        let (left, _) = self.clock;
        self.say(&format!("time {}", left / 10));
        match self.plan.tongue {
            Tongue::Xboard => {
                self.say(&format!("otim {}", left / 10));
                self.say("go");
                let text = self.await_line(self.patience(), |line| {
                    let claims = ["1-0", "0-1", "1/2", "resign"].iter().any(|word| line.starts_with(word));
                    let mv = line.strip_prefix("move ").map(|mv| mv.trim().to_string());
                    mv.or_else(|| claims.then(|| line.to_string()))
                })?;
                self.say("force");
                Ok(text)
            }
            Tongue::Gnu | Tongue::Uci | Tongue::Usi => {
                self.say("go");
                let text = self.await_line(self.patience(), gnu_move)?;
                self.say("force");
                Ok(text)
            }
        }
    }

    fn tell_move(&mut self, game: &Game, mv: Move) -> Result<(), ForeignError> {
        match self.plan.tongue {
            Tongue::Xboard => {
                self.say(&xboard_notation::write_move(game, mv));
                Ok(())
            }
            Tongue::Gnu | Tongue::Uci | Tongue::Usi => {
                let text = write_coordinates(game, mv);
                self.say(&text);
                // It repeats the move before it hears more.
                self.await_line(GREETING, |line| line.contains(&text).then(String::new))?;
                Ok(())
            }
        }
    }
}

/// `1. ... 8c8d 3210`: the program's own move, which has dots before it.
fn gnu_move(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        [number, "...", mv, ..] if number.ends_with('.') => Some((*mv).to_string()),
        _ => None,
    }
}

/// Where a game began, if not at its start, and its moves.
fn told(rules: &CompiledRules, game: &Game, tongue: Tongue) -> (Option<String>, Vec<String>) {
    let moves = game.moves();
    let mut before = game.clone();
    while before.take_back().is_some() {}
    // Programs differ in where games start: only shogi's is the same for all who speak USI.
    let is_start = before.key() == Game::start(rules).key() && tongue == Tongue::Usi;
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

    fn scripted(script: &str) -> (CompiledRules, Result<ForeignPlayer, ForeignError>) {
        let rules = CompiledRules::new(ashta_rules::load("chess").expect("it is there"));
        let command = vec!["/bin/sh".to_string(), "-c".to_string(), script.to_string()];
        let plan =
            ForeignPlan { tongue: Tongue::Uci, command, limit: ForeignLimit::Ms(10), options: Vec::new() };
        let player = ForeignPlayer::new(&plan, &rules);
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

        let (rules, player) = scripted(&format!("{GREETS} read e; exit 3"));
        let mut player = player.expect("it greets");
        player.begin_game().expect("it is ready");
        let error = player.choose(&Game::start(&rules), &Duration::default).expect_err("it dies");
        assert_eq!(error, ForeignError::Gone { program: "/bin/sh".into() });
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let rules = CompiledRules::new(ashta_rules::load("chess").expect("it is there"));
        let plan = ForeignPlan::read("uci:no-such-engine").expect("it is a plan");
        let error = ForeignPlayer::new(&plan, &rules).expect_err("it is not there");
        assert!(error.to_string().starts_with("cannot start `no-such-engine`"), "{error}");
    }
}
