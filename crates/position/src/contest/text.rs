//! Contests and turns as text.
//!
//! A contest is `BOARD SIDE TURNS ROLL FATE`: the board and the side to move as in every game, the number of turns taken, the
//! dice (`2-5`, or `-` before the throw), and what became of royal pieces: `g<r1` (green's is held by red and was taken
//! once), `g*1` (it is to be put back), `g1` (it is back), `r^` (red commands its partner's pieces for good), `r+5` (red has five
//! points), `r?` (red is asked about an exchange), `g!` (green wants it); `-` for nothing.
//!
//! A turn is its moves with `+` between them, `a1c3+c3a5`; `-` is a pass, `K@d4` puts a royal piece back, `a7a8=R` promotes by
//! choice.

use std::fmt::Write as _;
use std::sync::Arc;

use ashta_messages::{Message, Tell, message};
use ashta_rules::{KindId, Rules, Setup, SetupError, Side, Square};

use super::compiled::ContestWord;
use super::{Contest, Roll, Turn, TurnState};
use crate::dispatch::Tables;
use crate::moves::{Action, Move};

/// Why a text is not a contest.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum ContestTextError {
    /// The board or the side to move.
    #[code(transparent)]
    Board(#[from] SetupError),
    /// Another field.
    #[code("position.contest-field")]
    Field {
        /// What was written.
        text: String,
        /// What could be there.
        wanted: Message,
    },
    /// The side to move is beaten.
    #[code("position.contest-beaten")]
    Beaten {
        /// Which.
        side: Message,
    },
    /// A royal piece is where the marks say that it is not.
    #[code("position.contest-standing")]
    Standing {
        /// Whose.
        side: Message,
    },
    /// The game is no contest.
    #[code("position.not-a-contest")]
    NoContest {
        /// The game.
        game: String,
    },
}

/// Why a text is not a legal turn.
#[derive(Clone, PartialEq, Eq, Debug, Tell)]
#[code("position.illegal-turn")]
pub struct TurnTextError {
    /// What was written.
    pub text: String,
}

impl<W: ContestWord> Contest<W> {
    /// Reads a contest.
    pub fn read(tables: Arc<Tables<W>>, text: &str) -> Result<Contest<W>, ContestTextError> {
        let game = tables.rules.id().to_string();
        let mut words = text.split_whitespace();
        let (board, side) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let mut setup = Setup::read(format!("{board} {side}").trim(), &tables.rules)?;
        let [turns, roll, marks] = [words.next(), words.next(), words.next()];
        setup.ply = read_count(turns)?;
        let mut turn_state = TurnState::new();
        if let Some(marks) = marks.filter(|marks| *marks != "-") {
            for mark in marks.split(',') {
                read_mark(mark, &tables.rules, &mut turn_state).ok_or_else(|| ContestTextError::Field {
                    text: shortened(mark),
                    wanted: message!("position.contest-mark"),
                })?;
            }
        }
        let mut contest =
            Contest::of_setup(tables, &setup, turn_state).ok_or(ContestTextError::NoContest { game })?;
        contest.turn_state.roll = read_roll(roll, &contest)?;
        if let Some(side) = contest.held_and_standing() {
            return Err(ContestTextError::Standing { side: contest.rules().side_message(side) });
        }
        if contest.turn_state.asked.is_some() && contest.exchangers().is_none() {
            let wanted = message!("position.contest-exchange");
            return Err(ContestTextError::Field { text: shortened(marks.unwrap_or_default()), wanted });
        }
        if !contest.is_living(contest.turn()) {
            let side = contest.rules().side_message(contest.turn());
            return Err(ContestTextError::Beaten { side });
        }
        Ok(contest)
    }

    /// A side whose royal piece is held or about to come back, as the marks say, and stands on the board.
    fn held_and_standing(&self) -> Option<Side> {
        let is_away =
            |side: &Side| self.turn_state.holder(*side).is_some() || self.turn_state.is_returning(*side);
        self.contest_tables().sides().filter(is_away).find(|side| self.royals(*side).any())
    }

    /// The contest as text.
    pub fn text(&self) -> String {
        let rules = self.rules();
        let mut setup = Setup::empty(rules);
        for square in rules.grid().squares() {
            setup.board[square.index()] = self.piece(square);
        }
        let board = setup.write(rules);
        let board = board.split_whitespace().next().unwrap_or_default().split('[').next().unwrap_or_default();
        let side = rules.sides()[self.turn().index()].letter;
        let roll = self.turn_state.roll.map_or("-".to_string(), |roll| roll.to_string());
        format!("{board} {side} {} {roll} {}", self.n_turns(), self.marks())
    }

    fn marks(&self) -> String {
        let (rules, turn_state) = (self.rules(), &self.turn_state);
        let mut marks = Vec::new();
        for (at, side) in rules.sides().iter().enumerate() {
            let letter = side.letter;
            let n = turn_state.n_taken[at];
            match turn_state.holders[at] {
                Some(holder) => {
                    marks.push(format!("{letter}<{}{n}", rules.sides()[holder.index() & 3].letter))
                }
                None if turn_state.is_returning(Side(at as u8)) => marks.push(format!("{letter}*{n}")),
                None if n > 0 => marks.push(format!("{letter}{n}")),
                None => {}
            }
            if turn_state.commanding >> at & 1 == 1 {
                marks.push(format!("{letter}^"));
            }
            if self.contest_rules().goal == ashta_rules::Goal::Points && turn_state.points[at] > 0 {
                marks.push(format!("{letter}+{}", turn_state.points[at]));
            }
            if turn_state.asked == Some(Side(at as u8)) {
                marks.push(format!("{letter}?"));
            }
            if turn_state.agreed >> at & 1 == 1 {
                marks.push(format!("{letter}!"));
            }
        }
        if marks.is_empty() { "-".to_string() } else { marks.join(",") }
    }

    /// A turn as text.
    pub fn turn_text(&self, turn: Turn) -> String {
        let mut out = leg_text(turn.first, self.rules());
        if turn.second != Move::PASS {
            _ = write!(out, "+{}", leg_text(turn.second, self.rules()));
        }
        out
    }

    /// Reads a legal turn; moves may also be divided by spaces or commas, and `pass` is a pass.
    pub fn read_turn(&self, text: &str) -> Result<Turn, TurnTextError> {
        let words: Vec<&str> = text.split([' ', ',', '+']).filter(|word| !word.is_empty()).collect();
        let wanted = match words.as_slice() {
            ["pass"] => "-".to_string(),
            words => words.join("+"),
        };
        let mut turns = self.legal_turns().into_iter();
        turns
            .find(|turn| self.turn_text(*turn).eq_ignore_ascii_case(&wanted))
            .ok_or_else(|| TurnTextError { text: shortened(text.trim()) })
    }
}

fn leg_text(mv: Move, rules: &Rules) -> String {
    let name = |square: Square| rules.grid().name(square).to_string();
    let letter = |kind: KindId| &rules.kind(kind).letter;
    match mv.action() {
        Action::Go { from, to, becomes: None } => format!("{}{}", name(from), name(to)),
        Action::Go { from, to, becomes: Some(kind) } => {
            format!("{}{}={}", name(from), name(to), letter(kind))
        }
        Action::Drop { kind, to } => format!("{}@{}", letter(kind), name(to)),
        Action::Castle { .. } | Action::EnPassant { .. } | Action::TwoLegs { .. } | Action::Pass => {
            "-".to_string()
        }
    }
}

fn read_count(text: Option<&str>) -> Result<u32, ContestTextError> {
    let Some(text) = text else { return Ok(0) };
    let number = text.parse().ok().filter(|n| *n <= 1_000_000 && text.bytes().all(|b| b.is_ascii_digit()));
    number.ok_or_else(|| ContestTextError::Field {
        text: shortened(text),
        wanted: message!("position.contest-turns"),
    })
}

fn read_roll<W: ContestWord>(
    text: Option<&str>,
    contest: &Contest<W>,
) -> Result<Option<Roll>, ContestTextError> {
    let Some(text) = text.filter(|text| *text != "-") else { return Ok(None) };
    let found = contest.contest_rules();
    let found = Roll::all(found).into_iter().find(|roll| roll.to_string() == text);
    found.map(Some).ok_or_else(|| ContestTextError::Field {
        text: shortened(text),
        wanted: message!("position.contest-roll"),
    })
}

fn read_mark(mark: &str, rules: &Rules, turn_state: &mut TurnState) -> Option<()> {
    let side = |letter: char| rules.sides().iter().position(|side| side.letter == letter);
    let mut letters = mark.chars();
    let at = side(letters.next()?)?;
    let rest = letters.as_str();
    let times = |text: &str| text.parse::<u8>().ok().filter(|n| (1..=99).contains(n));
    match rest.chars().next()? {
        '<' => {
            let mut rest = rest.chars().skip(1);
            let holder = side(rest.next()?)?;
            turn_state.n_taken[at] = times(&rest.collect::<String>())?;
            turn_state.holders[at] = Some(Side(holder as u8));
        }
        '*' => {
            turn_state.n_taken[at] = times(&rest[1..])?;
            turn_state.returning |= 1 << at;
        }
        '^' if rest.len() == 1 => turn_state.commanding |= 1 << at,
        '?' if rest.len() == 1 => turn_state.asked = Some(Side(at as u8)),
        '!' if rest.len() == 1 => turn_state.agreed |= 1 << at,
        '+' => turn_state.points[at] = rest[1..].parse().ok()?,
        _ => turn_state.n_taken[at] = times(rest)?,
    }
    Some(())
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
