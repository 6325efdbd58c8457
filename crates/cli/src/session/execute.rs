//! Execution of session commands.

use std::io::Write;
use std::path::Path;

use ashta_messages::{Message, Tell, message};
use ashta_play::PlayerPlan;
use ashta_position::Game;
use ashta_records::notation::glyph_text;
use ashta_records::{Annotations, GameResult};
use ashta_rules::Side;
use ashta_study::opening::BookMove;

use super::command::SessionCommand;
use super::game_session::{GameSession, PlayerSeat};
use super::moves;
use super::record_file;
use crate::cli_error::CliError;
use crate::draw::{self, side_name};

/// A comment in the list of moves.
fn comment_text(comment: &str) -> String {
    let words: Vec<&str> = comment.split_whitespace().collect();
    if words.is_empty() { String::new() } else { format!("({}) ", words.join(" ")) }
}

impl GameSession<'_> {
    pub(super) fn note(&mut self, note: &Message) {
        self.notes.push(note.to_string());
    }

    pub(super) fn execute(
        &mut self,
        command: SessionCommand,
        rest: &str,
        out: &mut dyn Write,
    ) -> Result<(), CliError> {
        self.notes.clear();
        match command {
            SessionCommand::Help => self.show_help(out)?,
            SessionCommand::List => self.show_lines(&moves::listed(&self.game, rest), out)?,
            SessionCommand::Board => self.show_board(out)?,
            SessionCommand::Score => {
                let lines = self.move_list_lines();
                self.show_lines(&lines, out)?;
            }
            SessionCommand::Undo => self.undo(),
            SessionCommand::Hint => self.hint(),
            SessionCommand::Book => self.show_book(),
            SessionCommand::Go => self.go(),
            SessionCommand::Eval => self.config.shows_evaluation ^= true,
            SessionCommand::Swap => self.swap(),
            SessionCommand::Level => self.set_level(rest),
            SessionCommand::Flip => self.flipped ^= true,
            SessionCommand::Comment => self.comment(rest),
            SessionCommand::Save => self.save(rest),
            SessionCommand::Load => self.load(rest),
            SessionCommand::Position => self.notes.push(self.game.text()),
            SessionCommand::SetUp => self.set_up(rest),
            SessionCommand::New => self.start_from(self.config.start.clone()),
            SessionCommand::OfferDraw => self.offer_draw(),
            SessionCommand::Resign => self.resign(),
            SessionCommand::Quit => {}
        }
        Ok(())
    }

    fn show_board(&mut self, out: &mut dyn Write) -> Result<(), CliError> {
        if self.config.mode == super::Mode::Plain {
            let view = draw::BoardView { flipped: self.flipped, ..draw::BoardView::plain(self.config.style) };
            let mut lines = draw::position_with(&self.game, &view);
            lines.extend(self.config.clock.map(|_| self.clocks.line(self.game.rules())));
            self.show_lines(&lines, out)?;
        }
        Ok(())
    }

    fn move_list_lines(&self) -> Vec<String> {
        let words = moves::move_list(&self.config.start, &self.game.moves());
        let mut text = comment_text(self.annotations.comment(0));
        for (n, (side, word)) in words.iter().enumerate() {
            let number = match (*side, n) {
                (Side::FIRST, _) => format!("{}. ", n.div_ceil(2) + 1),
                (_, 0) => "1. ... ".to_string(),
                _ => String::new(),
            };
            let note = self.annotations.at(n + 1);
            let glyphs: String =
                note.iter().flat_map(|note| &note.glyphs).map(|glyph| glyph_text(*glyph)).collect();
            text += &format!("{number}{word}{glyphs} {}", comment_text(self.annotations.comment(n + 1)));
        }
        if text.is_empty() {
            vec![message!("cli.nothing-played").to_string()]
        } else {
            draw::wrap(&text, draw::PAGE_WIDTH)
        }
    }

    /// Takes back to the last human move.
    fn undo(&mut self) {
        self.ended_early = None;
        let moves = self.game.moves();
        let is_human = |n: usize| {
            let first = self.config.start.turn().index();
            matches!(self.config.seats[(first + n) % 2], PlayerSeat::Human)
        };
        let Some(at) = (0..moves.len()).rev().find(|n| is_human(*n)) else {
            return self.note(&message!("cli.nothing-to-undo"));
        };
        while self.game.moves().len() > at {
            self.game.take_back();
        }
        self.annotations.cut(at);
        self.note(&message!("cli.taken-back"));
    }

    fn hint(&mut self) {
        let best = self.adviser.advise(&self.game).best;
        self.note(&match best {
            Some(mv) => message!("cli.try", mv = moves::both_ways(&self.game, mv)),
            None => message!("cli.no-move"),
        });
    }

    fn show_book(&mut self) {
        let Some(journal) = &self.config.book else {
            return self.note(&message!("cli.no-opening-book"));
        };
        let node = journal.book().node(&self.game).filter(|node| !node.moves.is_empty());
        let Some(node) = node else { return self.note(&message!("cli.not-in-book")) };
        let comment_text = [&node.name, &node.comment];
        self.notes.extend(comment_text.into_iter().flatten().cloned());
        let word = |known: &BookMove| match known.stats.n {
            0 => moves::written(&self.game, known.mv),
            n => format!("{} ({n})", moves::written(&self.game, known.mv)),
        };
        let words: Vec<String> = node.moves.iter().map(word).collect();
        self.notes
            .extend(draw::wrap(&message!("cli.book-moves", moves = words).to_string(), draw::PAGE_WIDTH));
    }

    fn go(&mut self) {
        match self.adviser.advise(&self.game).best.filter(|_| !self.is_over()) {
            Some(mv) => {
                self.note(&message!("cli.played-for-you", mv = moves::both_ways(&self.game, mv)));
                self.play(mv);
            }
            None => self.note(&message!("cli.no-move")),
        }
    }

    fn swap(&mut self) {
        self.config.seats.swap(0, 1);
        self.flipped ^= true;
    }

    fn set_level(&mut self, rest: &str) {
        let plan = format!("level:{rest}").parse::<PlayerPlan>();
        let seat = self.config.seats.iter_mut().find(|seat| matches!(seat, PlayerSeat::Program { .. }));
        match (plan, seat) {
            (Ok(plan), Some(seat)) => {
                match PlayerSeat::program(plan, &self.config.rules, self.config.values.as_ref()) {
                    Ok(player) => {
                        *seat = player;
                        self.note(&message!("cli.level-set", level = rest));
                    }
                    Err(error) => self.notes.push(error.to_string()),
                }
            }
            (Err(_), _) => self.note(&message!("cli.not-a-level")),
            (_, None) => self.note(&message!("cli.no-program-plays")),
        }
    }

    fn comment(&mut self, rest: &str) {
        let n_moves = self.game.moves().len();
        self.annotations.set_comment(n_moves, rest);
        self.note(&if rest.is_empty() {
            message!("cli.comment-removed")
        } else {
            message!("cli.comment-saved")
        });
    }

    fn save(&mut self, rest: &str) {
        let saved = if rest.is_empty() {
            Err(message!("cli.save-where"))
        } else {
            record_file::save(Path::new(rest), &self.record(), &self.config.rules)
        };
        self.note(&saved.map_or_else(|why| why, |()| message!("cli.saved", path = rest)));
    }

    fn load(&mut self, rest: &str) {
        let rules = &self.config.rules;
        let loaded = record_file::load(Path::new(rest), rules)
            .and_then(|record| Ok((record.begin(rules).map_err(|error| error.message())?, record)));
        match loaded {
            Ok((start, record)) => {
                self.start_from(start);
                record.moves.iter().for_each(|mv| self.game.play_unchecked(*mv));
                self.annotations = record.annotations;
                self.note(&message!("cli.loaded", n = record.moves.len(), path = rest));
            }
            Err(why) => self.note(&why),
        }
    }

    fn set_up(&mut self, rest: &str) {
        match Game::from_text(&self.config.rules, rest) {
            Ok(game) => self.start_from(game),
            Err(error) => self.note(&message!("cli.set-up-failed", error)),
        }
    }

    /// A new game from a position.
    fn start_from(&mut self, start: Game) {
        (self.game, self.config.start) = (start.clone(), start);
        self.annotations = Annotations::default();
        self.ended_early = None;
        self.restart_clocks();
    }

    fn offer_draw(&mut self) {
        if self.is_over() {
            return self.note(&message!("cli.over"));
        }
        let other = &self.config.seats[1 - self.game.turn().index()];
        // The program declines when it is better.
        let agrees = matches!(other, PlayerSeat::Human) || !self.adviser.mover_is_worse(&self.game);
        if agrees {
            self.ended_early = Some((GameResult::Draw, message!("cli.draw-agreed").to_string()))
        } else {
            self.note(&message!("cli.draw-declined"))
        }
    }

    fn resign(&mut self) {
        if self.is_over() {
            return self.note(&message!("cli.over"));
        }
        let winner = Side(1 - self.game.turn().0);
        let rules = self.game.rules();
        let (winner_name, loser) = (side_name(winner, rules), side_name(self.game.turn(), rules));
        let words = message!("cli.won-by-resignation", winner = winner_name, loser);
        self.ended_early = Some((GameResult::Won(winner), words.to_string()));
    }
}
