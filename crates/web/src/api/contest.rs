//! Contests: throws, turns and answers, one after another.

use std::sync::Arc;

use ashta_position::{
    Answer as Wish, CompiledRules, Contest, ContestTextError, Roll, Stage, Tables, Turn, Word,
};

use super::contest_standing::standing_of_contest;
use super::position::Place;
use super::standing::{Standing, WrittenMove};
use crate::failure::Refusal;

/// A contest and the turn that was taken last.
pub struct Played<W> {
    pub contest: Contest<W>,
    pub last: Option<Turn>,
    pub line: Vec<WrittenMove>,
}

/// Where a contest stands after throws, turns and answers.
pub fn contest_standing_at(rules: &CompiledRules, place: &Place) -> Result<Standing, Refusal> {
    match rules {
        CompiledRules::W64(tables) => Ok(Played::at(tables, place)?.standing()),
        CompiledRules::W128(tables) => Ok(Played::at(tables, place)?.standing()),
        CompiledRules::W256(tables) => Ok(Played::at(tables, place)?.standing()),
    }
}

impl<W: Word> Played<W> {
    /// The contest of a place, with everything done that it says.
    pub fn at(tables: &Arc<Tables<W>>, place: &Place) -> Result<Played<W>, Refusal> {
        let game = tables.rules.id().to_string();
        let opened = match place.position.as_deref().filter(|text| !text.trim().is_empty()) {
            None => Contest::start(tables.clone()).ok_or(ContestTextError::NoContest { game }),
            Some(text) => Contest::read(tables.clone(), text),
        };
        let contest = opened.map_err(|error| {
            Refusal::wrong(error.to_string())
                .hint("a contest is written as BOARD SIDE TURNS ROLL MARKS, as its standing tells it")
        })?;
        let mut played = Played { contest, last: None, line: Vec::new() };
        for (at, text) in place.moves.iter().enumerate() {
            played.act(text.trim()).map_err(|refusal| match place.moves.len() {
                1 => refusal,
                _ => refusal.at(at),
            })?;
        }
        Ok(played)
    }

    /// Does one thing: a throw, a turn or an answer, whichever is awaited.
    pub fn act(&mut self, text: &str) -> Result<(), Refusal> {
        if let Some(outcome) = self.contest.outcome() {
            let what = outcome.words(self.contest.rules());
            return Err(Refusal::wrong(format!("`{}` comes after the end: {what}", shortened(text))));
        }
        match self.contest.stage() {
            Stage::Throw => self.throw(text)?,
            Stage::Turn => {
                let turn = self.contest.read_turn(text).map_err(|error| Refusal::wrong(error.to_string()))?;
                self.take(turn);
                return Ok(());
            }
            Stage::Exchange(_) => {
                let wish = match text {
                    "exchange" => Wish::Exchange,
                    "keep" => Wish::Keep,
                    _ => {
                        return Err(Refusal::wrong("a side is asked about an exchange")
                            .hint("answer `exchange` or `keep`"));
                    }
                };
                self.contest.answer(wish);
            }
        }
        self.write(text.to_string());
        Ok(())
    }

    /// Takes a legal turn.
    pub fn take(&mut self, turn: Turn) {
        self.write(self.contest.turn_text(turn));
        self.contest.play_unchecked(turn);
        self.last = Some(turn);
    }

    fn throw(&mut self, text: &str) -> Result<(), Refusal> {
        let rolls = self.contest.rules().contest().map_or_else(Vec::new, Roll::all);
        match rolls.into_iter().find(|roll| roll.to_string() == text) {
            Some(roll) => _ = self.contest.throw(roll),
            None => {
                let what = format!(
                    "`{}` is no throw of this game's dice, and they are to be thrown",
                    shortened(text)
                );
                return Err(Refusal::wrong(what).hint("a throw is written as `2-5`"));
            }
        }
        Ok(())
    }

    fn write(&mut self, text: String) {
        let ply = self.line.len() as u32 + 1;
        self.line.push(WrittenMove { san: text.clone(), local: text.clone(), text, ply });
    }

    /// Where it stands.
    pub fn standing(self) -> Standing {
        standing_of_contest(&self.contest, self.last, self.line)
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(20).collect()
}
