//! The interactive session of a game of two sides.
//!
//! In: lines. Out: pages, or plain lines. Never: an illegal move, a lost game: `quit` prints the command that resumes it.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use ashta_messages::message;
use ashta_play::{Clock, Player, PlayerPlan, Random, UnfitPlayer};
use ashta_position::{CompiledRules, Game, Move, with_line};
use ashta_records::{Annotations, GameRecord, GameResult, tag};
use ashta_rules::Side;
use ashta_search::Values;
use ashta_study::opening::{Journal, choose};

use super::adviser::Adviser;
use super::clocks::{ClockPlan, Clocks};
use super::command::{SessionCommand, help};
use super::input::Input;
use super::moves;
use super::page::{Page, bar, how_to, last_move_squares};
use crate::cli_error::CliError;
use crate::draw::{self, BoardView, Style, side_name};

pub enum PlayerSeat {
    Human,
    Program { plan: PlayerPlan, player: Box<Player> },
}

impl PlayerSeat {
    pub fn program(
        plan: PlayerPlan,
        rules: &CompiledRules,
        values: Option<&Values>,
    ) -> Result<PlayerSeat, UnfitPlayer> {
        let mut player = Player::new(&plan, rules.rules(), values)?;
        let start = Instant::now();
        player.set_clock(Clock(Arc::new(move || start.elapsed())));
        Ok(PlayerSeat::Program { plan, player: Box::new(player) })
    }

    fn name(&self) -> String {
        match self {
            PlayerSeat::Human => "you".to_string(),
            PlayerSeat::Program { plan, .. } => plan.to_string(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A page redrawn in place.
    Page,
    /// Line after line, for scripts and screen readers.
    Plain,
}

pub struct SessionConfig {
    pub game_name: String,
    pub rules: CompiledRules,
    pub start: Game,
    pub seats: [PlayerSeat; 2],
    pub clock: Option<ClockPlan>,
    pub seed: u64,
    pub mode: Mode,
    pub style: Style,
    pub shows_evaluation: bool,
    /// Piece values that replace the game's own.
    pub values: Option<Values>,
    /// Opening book of the program.
    pub book: Option<Journal>,
}

pub struct GameSession<'a> {
    pub(super) config: SessionConfig,
    pub(super) game: Game,
    pub(super) adviser: Adviser,
    random: Random,
    pub(super) clocks: Clocks,
    turn_began: Instant,
    pub(super) annotations: Annotations,
    /// Result by agreement, resignation or time.
    pub(super) ended_early: Option<(GameResult, String)>,
    pub(super) flipped: bool,
    pub(super) notes: Vec<String>,
    /// Plies at the last printed evaluation and clocks.
    n_moves_reported: usize,
    input: Input<'a>,
}

impl<'a> GameSession<'a> {
    pub fn new(config: SessionConfig, input: Input<'a>) -> GameSession<'a> {
        let flipped = matches!(config.seats, [PlayerSeat::Program { .. }, PlayerSeat::Human]);
        GameSession {
            game: config.start.clone(),
            adviser: Adviser::new(config.rules.rules(), config.values.clone()),
            random: Random::of_game(config.seed, 0, 0),
            clocks: Clocks::new(config.clock),
            turn_began: Instant::now(),
            annotations: Annotations::default(),
            ended_early: None,
            flipped,
            notes: Vec::new(),
            n_moves_reported: 0,
            input,
            config,
        }
    }

    /// Plays until `quit`; without a human until the game is over.
    pub fn run(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        if self.config.mode == Mode::Plain {
            self.lines(&draw::position(&self.game, self.config.style), out)?;
            self.lines(&[how_to(&self.game)], out)?;
            if self.config.clock.is_some() {
                self.lines(&[self.clocks.line(self.game.rules())], out)?;
            }
        }
        let is_watched = self.config.seats.iter().all(|seat| !matches!(seat, PlayerSeat::Human));
        loop {
            self.check_time();
            if self.is_over() {
                self.show_result(out)?;
                if is_watched {
                    return Ok(());
                }
            } else if self.play_program_move(out)? {
                continue;
            }
            match self.ask(out)? {
                None => return self.leave(out),
                Some(line) if line.is_empty() => {}
                Some(line) => match SessionCommand::read(&line) {
                    Some((SessionCommand::Quit, _)) => return self.leave(out),
                    Some((command, rest)) => self.execute(command, rest, out)?,
                    None => self.play_typed_move(&line),
                },
            }
            self.flush_notes(out)?;
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.ended_early.is_some() || self.game.outcome().is_some()
    }

    fn check_time(&mut self) {
        let side = self.game.turn();
        if !self.is_over() && self.clocks.is_over(side.index(), self.turn_began.elapsed()) {
            let winner = Side(1 - side.0);
            let rules = self.game.rules();
            let (winner_name, loser) = (side_name(winner, rules), side_name(side, rules));
            let words = message!("cli.won-on-time", winner = winner_name, loser);
            self.ended_early = Some((GameResult::Won(winner), words.to_string()));
        }
    }

    /// Plays the program's move, if it is to move.
    fn play_program_move(&mut self, out: &mut dyn Write) -> Result<bool, CliError> {
        let side = self.game.turn();
        if matches!(self.config.seats[side.index()], PlayerSeat::Human) {
            return Ok(false);
        }
        if self.config.mode == Mode::Page {
            let thinking = message!("cli.thinking", side = side_name(side, self.game.rules()));
            self.notes.push(thinking.to_string());
            self.draw_page(out)?;
            self.notes.pop();
        }
        let mv = self.choose_program_move(side);
        let words = moves::both_ways(&self.game, mv);
        let plays = message!("cli.plays", side = side_name(side, self.game.rules()), mv = words);
        self.notes = vec![plays.to_string()];
        self.play(mv);
        self.flush_notes(out)?;
        Ok(true)
    }

    /// A book move, or the player's choice.
    fn choose_program_move(&mut self, side: Side) -> Move {
        let node = self.config.book.as_ref().and_then(|journal| journal.book().node(&self.game));
        if let Some(node) = node.filter(|node| !node.moves.is_empty()) {
            return choose(&node.moves, &mut self.random);
        }
        let PlayerSeat::Program { player, .. } = &mut self.config.seats[side.index()] else {
            return Move::PASS;
        };
        let (legal, random) = (self.game.legal_moves(), &mut self.random);
        with_line!(self.game.line(), line => {
            player.choose_on_line(line, &mut line.position().clone(), &legal, random)
        })
    }

    /// Plays a legal move and presses the clock.
    pub(super) fn play(&mut self, mv: Move) {
        let side = self.game.turn();
        self.clocks.press(side.index(), self.turn_began.elapsed());
        self.turn_began = Instant::now();
        self.game.play_unchecked(mv);
    }

    fn play_typed_move(&mut self, line: &str) {
        self.notes.clear();
        if self.is_over() {
            return self.note(&message!("cli.over-commands"));
        }
        match moves::read(&self.game, line) {
            Ok(mv) => self.play(mv),
            Err(why) => self.note(&why),
        }
    }

    fn ask(&mut self, out: &mut dyn Write) -> Result<Option<String>, CliError> {
        if self.config.mode == Mode::Page {
            self.draw_page(out)?;
        }
        let prompt =
            if self.is_over() { "over> ".to_string() } else { format!("{}> ", draw::status(&self.game)) };
        let game = &self.game;
        let words = || SessionCommand::names().map(str::to_string).chain(moves::typed(game)).collect();
        self.input.line(&prompt, words, out)
    }

    /// Plain lines are written as they come; a page shows the last notes.
    fn flush_notes(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        if self.config.mode == Mode::Plain {
            let mut notes = std::mem::take(&mut self.notes);
            let n_moves = self.game.moves().len();
            if self.config.shows_evaluation && n_moves != self.n_moves_reported && !self.is_over() {
                let evaluation = self.adviser.evaluation(&self.game);
                notes.extend(evaluation.map(|(men, words)| format!("{} {words}", bar(men))));
            }
            if self.config.clock.is_some() && n_moves != self.n_moves_reported {
                notes.push(self.clocks.line(self.game.rules()));
            }
            self.n_moves_reported = n_moves;
            self.lines(&notes, out)?;
        }
        Ok(())
    }

    fn lines(&self, lines: &[String], out: &mut dyn Write) -> Result<(), CliError> {
        for line in lines {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        Ok(())
    }

    pub(super) fn draw_page(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let evaluation = if self.config.shows_evaluation && !self.is_over() {
            self.adviser.evaluation(&self.game)
        } else {
            None
        };
        let [first, second] = &self.config.seats;
        let page = Page {
            game: &self.game,
            view: BoardView {
                style: self.config.style,
                flipped: self.flipped,
                marked: last_move_squares(&self.game),
            },
            names: [first.name(), second.name()],
            clocks: &self.clocks,
            score: &moves::move_list(&self.config.start, &self.game.moves()),
            evaluation,
            notes: &self.notes,
        };
        write!(out, "\x1b[H\x1b[2J")?;
        self.lines(&page.lines(), out)
    }

    fn show_result(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let words = match (&self.ended_early, self.game.outcome()) {
            (Some((_, words)), _) => words.clone(),
            (None, Some(outcome)) => outcome.words(self.game.rules()).to_string(),
            (None, None) => return Ok(()),
        };
        if self.notes.last() != Some(&words) {
            self.notes.push(words);
        }
        match self.config.mode {
            Mode::Page => self.draw_page(out),
            Mode::Plain => self.flush_notes(out),
        }
    }

    fn leave(&self, out: &mut dyn Write) -> Result<(), CliError> {
        if self.game.moves().is_empty() || self.is_over() {
            return Ok(());
        }
        writeln!(
            out,
            "\nTo go on: ashta play {} --position \"{}\"",
            self.config.game_name,
            self.game.text()
        )?;
        Ok(())
    }

    /// The clocks begin again.
    pub(super) fn restart_clocks(&mut self) {
        self.clocks = Clocks::new(self.config.clock);
        self.turn_began = Instant::now();
    }

    /// The game as a record.
    pub(super) fn record(&self) -> GameRecord {
        let mut record = GameRecord { moves: self.game.moves(), ..GameRecord::default() };
        record.set_start(&self.config.start);
        record.annotations = self.annotations.clone();
        record.tags.set(tag::EVENT, "ashta play");
        for (name, seat) in tag::PLAYERS.iter().zip(&self.config.seats) {
            record.tags.set(name, seat.name());
        }
        record.result = match (&self.ended_early, self.game.outcome()) {
            (Some((result, _)), _) => *result,
            (None, Some(outcome)) => outcome.winner.map_or(GameResult::Draw, GameResult::Won),
            (None, None) => GameResult::Unknown,
        };
        record
    }

    pub(super) fn show_help(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        self.show_lines(&help(), out)
    }

    /// Shows lines; in page mode on a page of their own until Enter is pressed.
    pub(super) fn show_lines(&mut self, lines: &[String], out: &mut dyn Write) -> Result<(), CliError> {
        match self.config.mode {
            Mode::Plain => self.lines(lines, out),
            Mode::Page => {
                write!(out, "\x1b[H\x1b[2J")?;
                self.lines(lines, out)?;
                self.input.line("press Enter", Vec::new, out).map(|_| ())
            }
        }
    }
}
