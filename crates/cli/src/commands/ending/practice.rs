//! The interactive practice of an ending.

use std::io::{BufRead, Write};

use ashta_messages::message;
use ashta_play::Random;
use ashta_position::Game;
use ashta_position::notation::write_san;
use ashta_rules::Side;
use ashta_study::ending::{EndingMaterial, Endings, Judgement, Practice, draw_won};

use super::{EndingArgs, length, worth_words};
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::draw;
use crate::game_arguments::read_move;

pub fn run(
    args: &EndingArgs,
    endings: &Endings,
    material: &EndingMaterial,
    position: Option<Game>,
    out: &mut dyn Write,
) -> Result<Status, CliError> {
    let seed = args.seed.unwrap_or_else(crate::commands::random_seed);
    let mut random = Random::of_game(seed, 0, 0);
    let mut practice = match position {
        Some(game) => from_position(endings, game)?,
        None => drawn(endings, material, &mut random)?,
    };
    let style = args.style.style(endings.rules().rules());
    let mut session = PracticeSession { practice: &mut practice, random, style };
    writeln!(out, "You are to win. A move, `hint`, `board`, `position` or `quit`. Seed {seed}.\n")?;
    session.draw(out)?;
    session.print_distance(out)?;
    session.play(out)
}

/// A random won position.
fn drawn<'e>(
    endings: &'e Endings,
    material: &EndingMaterial,
    random: &mut Random,
) -> Result<Practice<'e>, CliError> {
    let mut sides = [Side::FIRST, Side::SECOND].into_iter();
    let game = sides.find_map(|side| draw_won(endings, material, side, random));
    game.and_then(|game| Practice::new(endings, game)).ok_or_else(|| {
        let material = material.name(endings.rules().rules());
        ErrorMessage::new(message!("cli.ending-no-win", material)).into()
    })
}

/// The position that was asked for, if the side to move wins it.
fn from_position(endings: &Endings, game: Game) -> Result<Practice<'_>, CliError> {
    let side = draw::side_name(game.turn(), game.rules()).to_string();
    let value = endings.probe(&game).map(|worth| format!("{side} {}", worth_words(worth)));
    Practice::new(endings, game).ok_or_else(|| {
        let what = match value {
            None => message!("cli.practice-no-win"),
            Some(value) => message!("cli.practice-value", value),
        };
        ErrorMessage::new(what).hint(message!("cli.practice-no-win.hint")).into()
    })
}

struct PracticeSession<'a, 'e> {
    practice: &'a mut Practice<'e>,
    random: Random,
    style: draw::Style,
}

impl PracticeSession<'_, '_> {
    fn draw(&self, out: &mut dyn Write) -> Result<(), CliError> {
        for line in draw::position(self.practice.game(), self.style) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn print_distance(&self, out: &mut dyn Write) -> Result<(), CliError> {
        if let Some(plies) = self.practice.distance() {
            writeln!(out, "Won in {}.", length(plies))?;
        }
        Ok(())
    }

    fn play(&mut self, out: &mut dyn Write) -> Result<Status, CliError> {
        let input = std::io::stdin().lock();
        write!(out, "> ")?;
        out.flush()?;
        for line in input.lines() {
            match line?.trim() {
                "" => {}
                "quit" | "q" => break,
                "?" | "help" => {
                    writeln!(out, "a move such as Kb2 or a1b2, `hint`, `board`, `position`, `quit`")?
                }
                "hint" | "h" => self.hint(out)?,
                "board" | "b" => self.draw(out)?,
                "position" => writeln!(out, "{}", self.practice.game().text())?,
                typed => {
                    self.one_move(typed, out)?;
                    if self.practice.game().outcome().is_some() {
                        return self.finish(out);
                    }
                    if self.practice.distance().is_none() {
                        writeln!(out, "The win is gone. Score 0.")?;
                        return Ok(Status::No);
                    }
                }
            }
            write!(out, "> ")?;
            out.flush()?;
        }
        writeln!(out, "Not finished.")?;
        Ok(Status::No)
    }

    fn hint(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let game = self.practice.game();
        let best: Vec<String> = self.practice.best_moves().iter().map(|mv| write_san(game, *mv)).collect();
        writeln!(out, "{}", draw::list(&best, "or"))?;
        Ok(())
    }

    fn one_move(&mut self, typed: &str, out: &mut dyn Write) -> Result<(), CliError> {
        let mv = match read_move(self.practice.game(), typed) {
            Ok(mv) => mv,
            Err(error) => {
                writeln!(out, "{error}")?;
                return Ok(());
            }
        };
        let best = self.practice.best_moves();
        let better = best.first().map(|mv| write_san(self.practice.game(), *mv)).unwrap_or_default();
        match self.practice.play(mv) {
            Ok(Judgement::Best) => writeln!(out, "best")?,
            Ok(Judgement::Slower(plies)) => writeln!(out, "?! {} slower than {better}", length(plies))?,
            Ok(Judgement::LostTheWin) => writeln!(out, "?? {better} wins, this does not")?,
            Err(error) => writeln!(out, "{error}")?,
        }
        let before = self.practice.game().clone();
        if self.practice.distance().is_some()
            && let Some(reply) = self.practice.reply(&mut self.random)
        {
            writeln!(
                out,
                "{} plays {}",
                draw::side_name(before.turn(), before.rules()),
                write_san(&before, reply)
            )?;
            self.draw(out)?;
            self.print_distance(out)?;
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut dyn Write) -> Result<Status, CliError> {
        let game = self.practice.game();
        if let Some(outcome) = game.outcome() {
            writeln!(out, "{}.", outcome.words(game.rules()))?;
        }
        let count =
            |wanted: fn(&Judgement) -> bool| self.practice.judged().iter().filter(|j| wanted(j)).count();
        let slower = count(|judgement| matches!(judgement, Judgement::Slower(_)));
        writeln!(
            out,
            "{} moves, {} of them the best, {slower} slower. Score {} of 100.",
            self.practice.judged().len(),
            count(|judgement| *judgement == Judgement::Best),
            self.practice.score()
        )?;
        Ok(if self.practice.is_won() { Status::Done } else { Status::No })
    }
}
