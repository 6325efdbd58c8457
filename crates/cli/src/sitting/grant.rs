//! What is done for each wish.

use std::io::Write;
use std::path::Path;

use ashta_play::PlayerPlan;
use ashta_position::Game;
use ashta_records::notation::glyph_text;
use ashta_records::{Annotations, GameResult};
use ashta_rules::Side;
use ashta_study::opening::BookMove;

use super::moves;
use super::score;
use super::session::{Seat, Sitting};
use super::wishes::Wish;
use crate::draw::{self, side_name};
use crate::failure::Failure;

/// A comment within the score.
fn said(comment: &str) -> String {
    let words: Vec<&str> = comment.split_whitespace().collect();
    if words.is_empty() { String::new() } else { format!("({}) ", words.join(" ")) }
}

impl Sitting<'_> {
    /// Does what is wished.
    pub(super) fn grant(&mut self, wish: Wish, rest: &str, out: &mut dyn Write) -> Result<(), Failure> {
        self.notes.clear();
        match wish {
            Wish::Help => self.show_help(out)?,
            Wish::List => self.show_apart(&moves::listed(&self.game, rest), out)?,
            Wish::Board => self.show_board(out)?,
            Wish::Score => {
                let lines = self.score_lines();
                self.show_apart(&lines, out)?;
            }
            Wish::Undo => self.undo(),
            Wish::Hint => self.hint(),
            Wish::Book => self.show_book(),
            Wish::Go => self.go(),
            Wish::Judge => self.setting.judges ^= true,
            Wish::Swap => self.swap(),
            Wish::Level => self.set_level(rest),
            Wish::Flip => self.flipped ^= true,
            Wish::Comment => self.comment(rest),
            Wish::Save => self.save(rest),
            Wish::Load => self.load(rest),
            Wish::Position => self.notes.push(self.game.text()),
            Wish::SetUp => self.set_up(rest),
            Wish::New => self.begin_from(self.setting.start.clone()),
            Wish::OfferDraw => self.offer_draw(),
            Wish::Resign => self.resign(),
            Wish::Quit => {}
        }
        Ok(())
    }

    fn show_board(&mut self, out: &mut dyn Write) -> Result<(), Failure> {
        if self.setting.mode == super::Mode::Plain {
            let look =
                draw::BoardLook { flipped: self.flipped, ..draw::BoardLook::plain(self.setting.style) };
            let mut lines = draw::position_with(&self.game, &look);
            lines.extend(self.setting.clock.map(|_| self.clocks.line(self.game.rules())));
            self.show_apart(&lines, out)?;
        }
        Ok(())
    }

    fn score_lines(&self) -> Vec<String> {
        let words = moves::score(&self.setting.start, &self.game.moves());
        let mut text = said(self.annotations.comment(0));
        for (n, (side, word)) in words.iter().enumerate() {
            let number = match (*side, n) {
                (Side::FIRST, _) => format!("{}. ", n.div_ceil(2) + 1),
                (_, 0) => "1. ... ".to_string(),
                _ => String::new(),
            };
            let note = self.annotations.at(n + 1);
            let glyphs: String =
                note.iter().flat_map(|note| &note.glyphs).map(|glyph| glyph_text(*glyph)).collect();
            text += &format!("{number}{word}{glyphs} {}", said(self.annotations.comment(n + 1)));
        }
        if text.is_empty() {
            vec!["nothing has been played".into()]
        } else {
            draw::wrap(&text, draw::PAGE_WIDTH)
        }
    }

    /// Back to the last move of a person.
    fn undo(&mut self) {
        self.broken_off = None;
        let moves = self.game.moves();
        let is_human = |n: usize| {
            let first = self.setting.start.turn().index();
            matches!(self.setting.seats[(first + n) % 2], Seat::Human)
        };
        let Some(at) = (0..moves.len()).rev().find(|n| is_human(*n)) else {
            return self.notes.push("there is nothing of yours to take back".into());
        };
        while self.game.moves().len() > at {
            self.game.take_back();
        }
        self.annotations.cut(at);
        self.notes.push("taken back".into());
    }

    fn hint(&mut self) {
        let best = self.adviser.advise(&self.game).best;
        self.notes.push(match best {
            Some(mv) => format!("try {}", moves::both_ways(&self.game, mv)),
            None => "there is no move".into(),
        });
    }

    fn show_book(&mut self) {
        let Some(journal) = &self.setting.book else {
            return self.notes.push("there is no book: `--book FILE` opens one".into());
        };
        let node = journal.book().node(&self.game).filter(|node| !node.moves.is_empty());
        let Some(node) = node else { return self.notes.push("the book has nothing here".into()) };
        let said = [&node.name, &node.comment];
        self.notes.extend(said.into_iter().flatten().cloned());
        let word = |known: &BookMove| match known.tally.n {
            0 => moves::written(&self.game, known.mv),
            n => format!("{} ({n})", moves::written(&self.game, known.mv)),
        };
        let words: Vec<String> = node.moves.iter().map(word).collect();
        self.notes.extend(draw::wrap(&format!("book: {}", words.join(", ")), draw::PAGE_WIDTH));
    }

    fn go(&mut self) {
        match self.adviser.advise(&self.game).best.filter(|_| !self.is_over()) {
            Some(mv) => {
                self.notes.push(format!("for you: {}", moves::both_ways(&self.game, mv)));
                self.play(mv);
            }
            None => self.notes.push("there is no move".into()),
        }
    }

    fn swap(&mut self) {
        self.setting.seats.swap(0, 1);
        self.flipped ^= true;
    }

    fn set_level(&mut self, rest: &str) {
        let plan = format!("level:{rest}").parse::<PlayerPlan>();
        let seat = self.setting.seats.iter_mut().find(|seat| matches!(seat, Seat::Program { .. }));
        match (plan, seat) {
            (Ok(plan), Some(seat)) => {
                *seat = Seat::program(plan, &self.setting.rules, self.setting.values.as_ref());
                self.notes.push(format!("the program plays at level {rest}"));
            }
            (Err(_), _) => self.notes.push("levels are numbers from 1 to 10: level 7".into()),
            (_, None) => self.notes.push("nobody here is a program".into()),
        }
    }

    fn comment(&mut self, rest: &str) {
        let n_moves = self.game.moves().len();
        self.annotations.say_only(n_moves, rest);
        self.notes.push(if rest.is_empty() { "no comment" } else { "noted" }.into());
    }

    fn save(&mut self, rest: &str) {
        let saved = match rest.is_empty() {
            true => Err("name a file: save game.pgn".into()),
            false => score::save(Path::new(rest), &self.record(), &self.setting.rules),
        };
        self.notes.push(saved.map_or_else(|why| why, |()| format!("saved in {rest}")));
    }

    fn load(&mut self, rest: &str) {
        let rules = &self.setting.rules;
        let loaded = score::load(Path::new(rest), rules)
            .and_then(|record| Ok((record.begin(rules).map_err(|error| error.to_string())?, record)));
        match loaded {
            Ok((start, record)) => {
                self.begin_from(start);
                record.moves.iter().for_each(|mv| self.game.play_unchecked(*mv));
                self.annotations = record.annotations;
                self.notes.push(format!("{} moves of {rest}", record.moves.len()));
            }
            Err(why) => self.notes.push(why),
        }
    }

    fn set_up(&mut self, rest: &str) {
        match Game::from_text(&self.setting.rules, rest) {
            Ok(game) => self.begin_from(game),
            Err(error) => self.notes.push(format!("{error}; `position` shows how one is written")),
        }
    }

    /// A new game from a position.
    fn begin_from(&mut self, start: Game) {
        (self.game, self.setting.start) = (start.clone(), start);
        self.annotations = Annotations::default();
        self.broken_off = None;
        self.restart_clocks();
    }

    fn offer_draw(&mut self) {
        if self.is_over() {
            return self.notes.push("the game is over".into());
        }
        let other = &self.setting.seats[1 - self.game.turn().index()];
        // Who is better does not agree.
        let agrees = matches!(other, Seat::Human) || !self.adviser.mover_is_worse(&self.game);
        match agrees {
            true => self.broken_off = Some((GameResult::Draw, "a draw, agreed".into())),
            false => self.notes.push("the draw is refused".into()),
        }
    }

    fn resign(&mut self) {
        if self.is_over() {
            return self.notes.push("the game is over".into());
        }
        let winner = Side(1 - self.game.turn().0);
        let rules = self.game.rules();
        let words =
            format!("{} wins: {} resigns", side_name(winner, rules), side_name(self.game.turn(), rules));
        self.broken_off = Some((GameResult::Won(winner), words));
    }
}
