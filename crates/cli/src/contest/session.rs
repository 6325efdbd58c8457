//! The interactive session of a contest.

use ashta_search::SearchWord;
use std::io::{BufRead, Write};

use ashta_messages::message;
use ashta_play::{ContestPlayer, PlayerPlan, Random};
use ashta_position::{Answer, Contest, Mark, Stage, Turn};
use ashta_rules::{Asked, Freed, Side};

use super::board::{ContestStyle, contest_board, status};
use super::yes_no::YesNo;
use crate::cli_error::CliError;
use crate::draw::side_name;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeatPlan {
    Human,
    Player(PlayerPlan),
}

pub struct ContestSession<'a, W> {
    contest: Contest<W>,
    seats: Vec<Option<ContestPlayer<W>>>,
    adviser: ContestPlayer<W>,
    random: Random,
    style: ContestStyle,
    input: &'a mut dyn BufRead,
    /// Turns and answers, without throws.
    history: Vec<HistoryEntry>,
    last: Option<Turn>,
}

/// A turn or an answer that can be taken back.
struct HistoryEntry {
    /// The state before it, after the throw.
    before: Mark,
    by_person: bool,
    /// `None` for an answer.
    turn: Option<Turn>,
}

enum TurnInput {
    Take(Turn),
    Undo,
    Leave,
}

/// Most turns that are listed at once.
const MAX_LISTED: usize = 60;

const HELP: &str = "  a1c3          move a piece; a1c3+b1c3 moves two, a1c3+c3a5 one twice (on a double)
  -  or pass    move nothing
  12            take turn number 12 of the list
  l             list the legal turns; l b1 lists those that move from b1 or to it
  hint          what the program would do
  undo          take your last turn back
  board         draw the board again
  position      write the position, for --position
  quit          leave
";

impl<'a, W: SearchWord> ContestSession<'a, W> {
    pub fn new(
        contest: Contest<W>,
        seats: Vec<Option<ContestPlayer<W>>>,
        adviser: ContestPlayer<W>,
        random: Random,
        style: ContestStyle,
        input: &'a mut dyn BufRead,
    ) -> ContestSession<'a, W> {
        let history = Vec::new();
        ContestSession { contest, seats, adviser, random, style, input, history, last: None }
    }

    /// Plays until the end or `quit`.
    pub fn run(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        writeln!(out, "Type a turn such as a1c3, `l` for the list, `?` for help, `quit` to leave.\n")?;
        self.draw(out)?;
        while self.contest.outcome().is_none() {
            match self.contest.stage() {
                Stage::Exchange(side) => {
                    if !self.settle_exchange(side, out)? {
                        return self.leave(out);
                    }
                }
                Stage::Throw => self.throw(out)?,
                Stage::Turn => {
                    if !self.take_turn(out)? {
                        return self.leave(out);
                    }
                }
            }
        }
        self.draw(out)
    }

    fn leave(&self, out: &mut dyn Write) -> Result<(), CliError> {
        writeln!(out, "\nTo go on: --position \"{}\"", self.contest.text())?;
        Ok(())
    }

    fn draw(&self, out: &mut dyn Write) -> Result<(), CliError> {
        for line in contest_board(&self.contest, self.last, self.style) {
            writeln!(out, "{line}")?;
        }
        for line in status(&self.contest, self.style) {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        Ok(())
    }

    fn painted_name(&self, side: Side) -> String {
        let rules = self.contest.rules();
        self.style.paint(side_name(side, rules), side, rules)
    }

    fn throw(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        let rolls = self.contest.rolls();
        let roll = rolls[self.random.below(rolls.len() as u32) as usize];
        self.contest.throw(roll);
        writeln!(out, "\n{} throws {roll}", self.painted_name(self.contest.turn()))?;
        Ok(())
    }

    /// Returns false on `quit`.
    fn take_turn(&mut self, out: &mut dyn Write) -> Result<bool, CliError> {
        let side = self.contest.turn();
        let all = self.contest.legal_turns();
        let is_human = self.seats[side.index()].is_none();
        let turn = match &mut self.seats[side.index()] {
            Some(player) => player.choose(&mut self.contest, &all, &mut self.random),
            None => match self.ask(&all, out)? {
                TurnInput::Take(turn) => turn,
                TurnInput::Undo => return Ok(true),
                TurnInput::Leave => return Ok(false),
            },
        };
        let text = self.contest.turn_text(turn);
        let text = if text == "-" { "passes".to_string() } else { format!("plays {text}") };
        if !is_human {
            writeln!(out, "{} {text}", self.painted_name(side))?;
        }
        let before = self.contest.play_unchecked(turn);
        // `undo` skips forced passes.
        let by_person = is_human && all != [Turn::PASS];
        self.history.push(HistoryEntry { before, by_person, turn: Some(turn) });
        self.last = Some(turn);
        Ok(true)
    }

    /// Asks until a legal turn is typed.
    fn ask(&mut self, all: &[Turn], out: &mut dyn Write) -> Result<TurnInput, CliError> {
        self.draw(out)?;
        if let [only] = all
            && *only == Turn::PASS
        {
            writeln!(out, "nothing of yours can move: you pass")?;
            return Ok(TurnInput::Take(Turn::PASS));
        }
        loop {
            write!(out, "{} legal turns> ", all.len())?;
            out.flush()?;
            let Some(line) = self.read_line()? else { return Ok(TurnInput::Leave) };
            let line = line.trim();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "" => {}
                "?" | "help" => write!(out, "{HELP}")?,
                "q" | "quit" | "exit" => return Ok(TurnInput::Leave),
                "l" | "list" => self.list(all, rest.trim(), out)?,
                "board" => self.draw(out)?,
                "position" => writeln!(out, "{}", self.contest.text())?,
                "hint" => self.hint(all, out)?,
                "undo" if self.undo() => return Ok(TurnInput::Undo),
                "undo" => writeln!(out, "{}", message!("cli.nothing-to-undo"))?,
                _ => match self.read_turn(all, line) {
                    Some(turn) => return Ok(TurnInput::Take(turn)),
                    None => writeln!(out, "{}; `l` lists them, `?` helps", self.explain_illegal(line))?,
                },
            }
        }
    }

    fn read_turn(&self, all: &[Turn], line: &str) -> Option<Turn> {
        let by_number = line.parse::<usize>().ok().and_then(|n| all.get(n.checked_sub(1)?)).copied();
        by_number.or_else(|| self.contest.read_turn(line).ok())
    }

    fn explain_illegal(&self, line: &str) -> String {
        let said = match self.contest.why_illegal(line) {
            Some(why) => {
                message!("cli.contest-illegal-why", text = line, why = why.words(self.contest.rules()))
            }
            None => message!("cli.contest-illegal", text = line),
        };
        said.to_string()
    }

    fn read_line(&mut self) -> Result<Option<String>, CliError> {
        let mut line = String::new();
        let n = self.input.read_line(&mut line)?;
        Ok((n > 0).then_some(line))
    }

    fn list(&self, all: &[Turn], filter: &str, out: &mut dyn Write) -> Result<(), CliError> {
        let wanted: Vec<(usize, String)> = (1..)
            .zip(all)
            .map(|(n, turn)| (n, self.contest.turn_text(*turn)))
            .filter(|(_, text)| text.contains(filter))
            .collect();
        let widest = wanted.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
        for row in wanted[..wanted.len().min(MAX_LISTED)].chunks(4) {
            let cells: Vec<String> = row.iter().map(|(n, text)| format!("{n:>4} {text:<widest$}")).collect();
            writeln!(out, "{}", cells.join("  ").trim_end())?;
        }
        if wanted.len() > MAX_LISTED {
            writeln!(out, "and {} more; `l b1` lists those of b1", wanted.len() - MAX_LISTED)?;
        }
        Ok(())
    }

    fn hint(&mut self, all: &[Turn], out: &mut dyn Write) -> Result<(), CliError> {
        let best = self.adviser.best_turns(&mut self.contest, all).first().copied().unwrap_or(Turn::PASS);
        writeln!(out, "try {}", self.contest.turn_text(best))?;
        Ok(())
    }

    /// Takes back to the last human turn or answer.
    fn undo(&mut self) -> bool {
        let Some(at) = self.history.iter().rposition(|done| done.by_person) else { return false };
        if let Some(done) = self.history.drain(at..).next() {
            self.contest.take_back(done.before);
        }
        self.last = self.history.iter().rev().find_map(|done| done.turn);
        true
    }

    /// Returns false on `quit`.
    fn settle_exchange(&mut self, side: Side, out: &mut dyn Write) -> Result<bool, CliError> {
        let by_person = self.seats[side.index()].is_none();
        let answer = match &self.seats[side.index()] {
            Some(player) => player.answer(&mut self.contest, side, &mut self.random),
            None => match self.ask_about_exchange(side, out)? {
                Some(answer) => answer,
                None => return Ok(false),
            },
        };
        let words = match answer {
            Answer::Exchange => "wants the royal pieces exchanged",
            Answer::Keep => "does not want an exchange",
        };
        writeln!(out, "{} {words}", self.painted_name(side))?;
        let before = self.contest.answer(answer);
        self.history.push(HistoryEntry { before, by_person, turn: None });
        Ok(true)
    }

    /// Asks until the answer is yes or no; `None` on `quit`.
    fn ask_about_exchange(&mut self, side: Side, out: &mut dyn Write) -> Result<Option<Answer>, CliError> {
        let rules = self.contest.rules().contest();
        let is_once = rules.is_some_and(|rules| rules.captives.freed == Freed::ByExchange(Asked::Once));
        let side = self.painted_name(side);
        let question = match is_once {
            true => message!("cli.ask-exchange-once", side),
            false => message!("cli.ask-exchange", side),
        };
        loop {
            write!(out, "{question} ")?;
            out.flush()?;
            let Some(line) = self.read_line()? else { return Ok(None) };
            match (YesNo::read(&line), line.trim().to_lowercase().as_str()) {
                (Some(YesNo::Yes), _) => return Ok(Some(Answer::Exchange)),
                (Some(YesNo::No), _) => return Ok(Some(Answer::Keep)),
                (None, "q" | "quit" | "exit") => return Ok(None),
                (None, "board") => self.draw(out)?,
                (None, _) => writeln!(out, "answer yes or no")?,
            }
        }
    }
}
