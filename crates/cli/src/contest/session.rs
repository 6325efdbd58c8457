//! One contest at the terminal, line by line.

use std::io::{BufRead, Write};

use ashta_play::{ContestPlayer, PlayerPlan, Random};
use ashta_position::{Answer, Contest, Mark, Stage, Turn, Turns, Word};
use ashta_rules::Side;

use super::screen::{Screen, contest_board, status};
use crate::draw::side_name;
use crate::failure::Failure;

/// Who sits at a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seat {
    /// Somebody who types.
    Human,
    /// A player of the program.
    Player(PlayerPlan),
}

/// A contest and what is remembered of it.
pub struct Session<'a, W> {
    contest: Contest<W>,
    turns: Turns<W>,
    seats: Vec<Option<ContestPlayer<W>>>,
    adviser: ContestPlayer<W>,
    random: Random,
    screen: Screen,
    input: &'a mut dyn BufRead,
    /// Marks before each turn, with the throw already made, whether a person took it, and the turn.
    history: Vec<(Mark, bool, Turn)>,
    last: Option<Turn>,
}

/// What a person wants.
enum Wish {
    Take(Turn),
    Leave,
}

/// Most turns that are listed at once.
const LISTED: usize = 60;

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

impl<'a, W: Word> Session<'a, W> {
    /// Everybody sits down.
    pub fn new(
        contest: Contest<W>,
        seats: Vec<Option<ContestPlayer<W>>>,
        adviser: ContestPlayer<W>,
        random: Random,
        screen: Screen,
        input: &'a mut dyn BufRead,
    ) -> Session<'a, W> {
        let turns = Turns::new(&contest);
        let history = Vec::new();
        Session { contest, turns, seats, adviser, random, screen, input, history, last: None }
    }

    /// Plays until the end, or until somebody leaves.
    pub fn run(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
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

    fn leave(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "\nTo go on: --position \"{}\"", self.contest.text())?;
        Ok(())
    }

    fn draw(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for line in contest_board(&self.contest, self.last, self.screen) {
            writeln!(out, "{line}")?;
        }
        for line in status(&self.contest, self.screen) {
            writeln!(out, "{line}")?;
        }
        out.flush()?;
        Ok(())
    }

    fn named(&self, side: Side) -> String {
        let rules = self.contest.rules();
        self.screen.paint(side_name(side, rules), side, rules)
    }

    fn throw(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        let roll = self.turns.roll(self.random.below(self.turns.n_rolls()));
        self.contest.throw(roll);
        writeln!(out, "\n{} throws {roll}", self.named(self.contest.turn()))?;
        Ok(())
    }

    fn legal(&mut self) -> Vec<Turn> {
        let mut list = Vec::new();
        self.turns.look(&self.contest);
        self.turns.list(&self.contest, self.contest.fate().roll(), &mut list);
        list
    }

    /// Whether the contest goes on.
    fn take_turn(&mut self, out: &mut dyn Write) -> Result<bool, Failure> {
        let side = self.contest.turn();
        let all = self.legal();
        let is_human = self.seats[side.index()].is_none();
        let turn = match &mut self.seats[side.index()] {
            Some(player) => player.choose(&mut self.contest, &all, &mut self.random),
            None => match self.ask(&all, out)? {
                Wish::Take(turn) => turn,
                Wish::Leave => return Ok(false),
            },
        };
        let text = self.contest.turn_text(turn);
        let text = if text == "-" { "passes".to_string() } else { format!("plays {text}") };
        if !is_human {
            writeln!(out, "{} {text}", self.named(side))?;
        }
        let mark = self.contest.play_unchecked(turn);
        self.history.push((mark, is_human, turn));
        self.last = Some(turn);
        Ok(true)
    }

    /// Asks until a legal turn is typed.
    fn ask(&mut self, all: &[Turn], out: &mut dyn Write) -> Result<Wish, Failure> {
        self.draw(out)?;
        if let [only] = all
            && *only == Turn::PASS
        {
            writeln!(out, "nothing of yours can move: you pass")?;
            return Ok(Wish::Take(Turn::PASS));
        }
        loop {
            write!(out, "{} legal turns> ", all.len())?;
            out.flush()?;
            let Some(line) = self.read_line()? else { return Ok(Wish::Leave) };
            let line = line.trim();
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "" => {}
                "?" | "help" => write!(out, "{HELP}")?,
                "q" | "quit" | "exit" => return Ok(Wish::Leave),
                "l" | "list" => self.list(all, rest.trim(), out)?,
                "board" => self.draw(out)?,
                "position" => writeln!(out, "{}", self.contest.text())?,
                "hint" => self.hint(all, out)?,
                "undo" => {
                    if self.undo() {
                        return self.ask_again(out);
                    }
                    writeln!(out, "there is nothing of yours to take back")?;
                }
                _ => match self.read_turn(all, line) {
                    Some(turn) => return Ok(Wish::Take(turn)),
                    None => writeln!(out, "`{line}` is not a legal turn here; `l` lists them, `?` helps")?,
                },
            }
        }
    }

    fn ask_again(&mut self, out: &mut dyn Write) -> Result<Wish, Failure> {
        let all = self.legal();
        self.ask(&all, out)
    }

    fn read_turn(&self, all: &[Turn], line: &str) -> Option<Turn> {
        let by_number = line.parse::<usize>().ok().and_then(|n| all.get(n.checked_sub(1)?)).copied();
        by_number.or_else(|| self.contest.read_turn(line).ok())
    }

    fn read_line(&mut self) -> Result<Option<String>, Failure> {
        let mut line = String::new();
        let n = self.input.read_line(&mut line)?;
        Ok((n > 0).then_some(line))
    }

    fn list(&self, all: &[Turn], filter: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let wanted: Vec<(usize, String)> = (1..)
            .zip(all)
            .map(|(n, turn)| (n, self.contest.turn_text(*turn)))
            .filter(|(_, text)| text.contains(filter))
            .collect();
        let widest = wanted.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
        for row in wanted[..wanted.len().min(LISTED)].chunks(4) {
            let cells: Vec<String> = row.iter().map(|(n, text)| format!("{n:>4} {text:<widest$}")).collect();
            writeln!(out, "{}", cells.join("  ").trim_end())?;
        }
        if wanted.len() > LISTED {
            writeln!(out, "and {} more; `l b1` lists those of b1", wanted.len() - LISTED)?;
        }
        Ok(())
    }

    fn hint(&mut self, all: &[Turn], out: &mut dyn Write) -> Result<(), Failure> {
        let best = self.adviser.best_turns(&mut self.contest, all).first().copied().unwrap_or(Turn::PASS);
        writeln!(out, "try {}", self.contest.turn_text(best))?;
        Ok(())
    }

    /// Back to the last turn that a person took.
    fn undo(&mut self) -> bool {
        let Some(at) = self.history.iter().rposition(|(_, is_human, _)| *is_human) else { return false };
        if let Some((mark, ..)) = self.history.drain(at..).next() {
            self.contest.take_back(mark);
        }
        self.last = self.history.last().map(|(.., turn)| *turn);
        true
    }

    fn settle_exchange(&mut self, side: Side, out: &mut dyn Write) -> Result<bool, Failure> {
        let answer = match &self.seats[side.index()] {
            Some(player) => player.answer(&mut self.contest, side, &mut self.random),
            None => {
                write!(out, "{}, exchange captured royal pieces? [y/n] ", self.named(side))?;
                out.flush()?;
                let Some(line) = self.read_line()? else { return Ok(false) };
                if line.trim().eq_ignore_ascii_case("y") { Answer::Exchange } else { Answer::Keep }
            }
        };
        let words = match answer {
            Answer::Exchange => "wants the royal pieces exchanged",
            Answer::Keep => "does not want an exchange",
        };
        writeln!(out, "{} {words}", self.named(side))?;
        self.contest.answer(answer);
        Ok(true)
    }
}
