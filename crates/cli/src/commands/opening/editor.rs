//! The interactive book editor: moves step forward and are added when new, `back` steps back.

use std::io::{BufRead, Write};

use ashta_messages::message;
use ashta_position::notation::write_san;
use ashta_position::{Game, Move};
use ashta_study::opening::{Edit, Journal};

use super::journal_error;
use crate::cli_error::{CliError, ErrorMessage, Status};
use crate::draw;
use crate::game_arguments::read_move;

const HELP: &str = "  e4             go on with a move; one that is new is added to the book
  back           step back one move
  start          back to the start
  correct Nf3    step back and put another move in the place of the last
  remove         take the last move out of the book, and step back
  name TEXT      name this position; comment TEXT says something of it
  undo, redo     take the last edit back, make it again
  board          draw the board
  quit           leave; everything is kept already
";

pub fn run(journal: &mut Journal, out: &mut dyn Write) -> Result<Status, CliError> {
    let mut editor = BookEditor { journal, line: Vec::new() };
    writeln!(out, "Type a move, `back`, `?` for help, `quit` to leave.")?;
    editor.show_line(out)?;
    for typed in std::io::stdin().lock().lines() {
        let typed = typed?;
        let (word, rest) = typed.trim().split_once(' ').unwrap_or((typed.trim(), ""));
        if matches!(word, "quit" | "q") {
            break;
        }
        if editor.journal.refresh().map_err(journal_error)? {
            writeln!(out, "the book was changed elsewhere; this is what it has now")?;
        }
        if let Err(what) = editor.execute(word, rest.trim(), out)? {
            writeln!(out, "{what}")?;
        }
        editor.show_line(out)?;
    }
    Ok(Status::Done)
}

struct BookEditor<'j> {
    journal: &'j mut Journal,
    line: Vec<Move>,
}

impl BookEditor<'_> {
    fn game(&self) -> Result<Game, CliError> {
        Ok(self.journal.book().after(&self.line).map_err(ErrorMessage::new)?)
    }

    fn edit(&mut self, edit: Edit) -> Result<(), String> {
        self.journal.edit(edit).map_err(|error| error.to_string())
    }

    /// Executes a command; the inner error is shown to the user.
    fn execute(
        &mut self,
        word: &str,
        rest: &str,
        out: &mut dyn Write,
    ) -> Result<Result<(), String>, CliError> {
        let line = self.line.clone();
        Ok(match word {
            "" => Ok(()),
            "?" | "help" => {
                write!(out, "{HELP}")?;
                Ok(())
            }
            "back" => self.line.pop().map(|_| ()).ok_or("this is the start".to_string()),
            "start" => {
                self.line.clear();
                Ok(())
            }
            "board" => {
                let game = self.game()?;
                for line in draw::board(&game, draw::Style::of(game.rules())) {
                    writeln!(out, "{line}")?;
                }
                Ok(())
            }
            "undo" => self.journal.undo().map_err(|error| error.to_string()),
            "redo" => self.journal.redo().map_err(|error| error.to_string()),
            "name" => self.edit(Edit::Name(line, rest.to_string())),
            "comment" => self.edit(Edit::Comment(line, rest.to_string())),
            "remove" => {
                self.edit(Edit::Remove(line)).map(|()| self.line.truncate(self.line.len().saturating_sub(1)))
            }
            "correct" => self.correct(rest)?,
            typed => match read_move(&self.game()?, typed) {
                Err(error) => Err(error.to_string()),
                Ok(mv) => self.play(mv)?,
            },
        })
    }

    fn play(&mut self, mv: Move) -> Result<Result<(), String>, CliError> {
        let game = self.game()?;
        let known = self.journal.book().node(&game).is_some_and(|node| node.moves.iter().any(|m| m.mv == mv));
        self.line.push(mv);
        if known { Ok(Ok(())) } else { Ok(self.edit(Edit::Add(self.line.clone()))) }
    }

    fn correct(&mut self, by: &str) -> Result<Result<(), String>, CliError> {
        let mut before = self.line.clone();
        if before.pop().is_none() {
            return Ok(Err(message!("cli.book-start").to_string()));
        }
        let game = self.journal.book().after(&before).map_err(ErrorMessage::new)?;
        Ok(match read_move(&game, by) {
            Err(error) => Err(error.to_string()),
            Ok(mv) => self.edit(Edit::Correct(self.line.clone(), mv)).map(|()| {
                before.push(mv);
                self.line = before;
            }),
        })
    }

    /// The line so far and the book's moves.
    fn show_line(&self, out: &mut dyn Write) -> Result<(), CliError> {
        let mut game = self.journal.book().root();
        let mut words = Vec::new();
        for mv in &self.line {
            words.push(write_san(&game, *mv));
            game.play_unchecked(*mv);
        }
        let node = self.journal.book().node(&game);
        let moves: Vec<String> = node
            .map(|node| node.moves.iter().map(|known| write_san(&game, known.mv)).collect())
            .unwrap_or_default();
        let said =
            node.and_then(|node| node.name.clone()).map_or(String::new(), |name| format!("  [{name}]"));
        let at = if words.is_empty() { "start".to_string() } else { words.join(" ") };
        let next = if moves.is_empty() { "nothing yet".to_string() } else { moves.join(", ") };
        write!(out, "{at}{said}\n  next: {next}\n> ")?;
        out.flush()?;
        Ok(())
    }
}
