//! PGN parser: tags, moves, comments, glyphs and variations.
//!
//! In: the text of one game. Out: a record. Never: a game rejected for its variations; what cannot be parsed is kept as
//! a comment.

use std::borrow::Cow;

use ashta_messages::message;
use ashta_position::CompiledRules;

use super::glyphs::glyph_of;
use super::pgn_lexer::{PgnLexer, Token, read_result};
use super::record_builder::Taken;
use super::tag_names::{plain_name, portable_name};
use super::{MoveReader, RawGame, RecordBuilder, RecordError};
use crate::record::{GameResult, begin_from_text, tag};

/// Tags whose PGN names differ from ours.
const NAMES: [(&str, &str); 6] = [
    ("White", tag::PLAYERS[0]),
    ("Black", tag::PLAYERS[1]),
    ("WhiteElo", tag::RATINGS[0]),
    ("BlackElo", tag::RATINGS[1]),
    // The first is the one that is written.
    ("Date", tag::DATE),
    ("UTCDate", tag::DATE),
];

/// The PGN name of a tag.
pub fn name_in_pgn(name: &str) -> &str {
    NAMES.iter().find(|(_, ours)| *ours == name).map_or(name, |(theirs, _)| theirs)
}

/// The name of a tag as it is written in PGN.
pub fn written_name(name: &str) -> Cow<'_, str> {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '#' | '=' | ':');
    let is_taken =
        |name: &str| NAMES.iter().any(|(theirs, _)| *theirs == name) || DERIVED_TAGS.contains(&name);
    match name_in_pgn(name) {
        theirs if theirs != name => Cow::Borrowed(theirs),
        name if name == tag::DATE => Cow::Borrowed(name),
        name => portable_name(name, |name| {
            name.starts_with(char::is_alphanumeric) && name.chars().all(is_letter) && !is_taken(name)
        }),
    }
}

/// Tags that repeat other parts of the record.
const DERIVED_TAGS: [&str; 5] = ["Result", "FEN", "SetUp", "Variant", "PlyCount"];

/// Names for the game of the collection itself, or for chess from other starts.
const OWN_VARIANTS: [&str; 4] = ["", "standard", "from position", "normal"];

pub fn parse(
    raw: &RawGame,
    rules: &CompiledRules,
    reader: &mut MoveReader,
) -> Result<RecordBuilder, RecordError> {
    let mut builder = RecordBuilder::from_start(rules);
    let mut text = PgnLexer::new(&raw.text, raw.line);
    let mut fen = None;
    while let Some((name, value, line)) = text.tag()? {
        match name {
            "FEN" => fen = Some((value, line)),
            "Variant" => check_variant(&value, rules, line)?,
            "Result" => builder.record.result = read_result(&value).unwrap_or_default(),
            _ if DERIVED_TAGS.contains(&name) => {}
            _ => {
                let known = NAMES.iter().find(|(theirs, _)| *theirs == name);
                let ours = known.map_or_else(|| plain_name(name), |(_, ours)| Cow::Borrowed(*ours));
                builder.record.tags.set(&ours, value);
            }
        }
    }
    if let Some((fen, line)) = fen {
        let game = begin_from_text(rules, &fen)
            .map_err(|error| RecordError::new(line, message!("records.fen-tag", error)))?;
        builder.set_start(game);
    }
    Moves { builder, reader, is_over: false }.read(&mut text)
}

fn check_variant(value: &str, rules: &CompiledRules, line: usize) -> Result<(), RecordError> {
    let plain = value.trim().to_lowercase();
    let rules = rules.rules();
    let is_own = plain == rules.id().to_lowercase()
        || plain == rules.name().to_lowercase()
        || rules.pgn_variants().iter().any(|name| plain == name.to_lowercase())
        || OWN_VARIANTS.contains(&plain.as_str());
    if is_own {
        Ok(())
    } else {
        Err(RecordError::new(line, message!("records.other-game", value, game = rules.name())))
    }
}

/// The movetext parser.
struct Moves<'r> {
    builder: RecordBuilder,
    reader: &'r mut MoveReader,
    /// The result was read: only comments may follow.
    is_over: bool,
}

impl Moves<'_> {
    fn read(mut self, text: &mut PgnLexer) -> Result<RecordBuilder, RecordError> {
        loop {
            let token = match text.token() {
                // Whatever follows the result is not part of the game.
                Err(_) if self.is_over => None,
                token => token?,
            };
            let Some((token, line)) = token else { break };
            match token {
                Token::Comment(words) => self.builder.add_comment(words),
                Token::CommentLine(words) => self.builder.add_comment_line(words),
                Token::Word(_) | Token::Glyph(_) | Token::Open | Token::Close if self.is_over => {}
                Token::Word(word) => self.word(word, line, text)?,
                Token::Glyph(sign) => self.glyph(sign),
                Token::Open => self.open(text)?,
                Token::Close => self.builder.close(),
            }
        }
        if self.builder.in_variation() {
            Err(RecordError::new(text.line(), message!("records.open-variation")))
        } else {
            Ok(self.builder)
        }
    }

    fn word(&mut self, word: &str, line: usize, text: &mut PgnLexer) -> Result<(), RecordError> {
        if let Some(result) = read_result(word) {
            if self.builder.in_variation() {
                self.builder.keep(word);
            } else {
                self.is_over = true;
                if result != GameResult::Unknown {
                    self.builder.record.result = result;
                }
            }
            return Ok(());
        }
        match self.builder.take_move(line, word, |game| self.reader.san(game, word))? {
            Taken::Played => {
                if let Some(at) = word.find(['!', '?']) {
                    self.glyph(&word[at..]);
                }
                Ok(())
            }
            Taken::Kept => Ok(()),
            Taken::Unreadable => {
                let rest = text.rest_of_variation()?;
                self.builder.keep(&format!("{word}{rest}"));
                Ok(())
            }
        }
    }

    fn glyph(&mut self, sign: &str) {
        let after_check = || glyph_of(sign.trim_end_matches(['+', '#']));
        match glyph_of(sign).or_else(after_check) {
            Some(glyph) => self.builder.add_glyph(glyph),
            // Dots remain from move numbers, brackets from nested comments.
            None if sign.chars().all(|c| matches!(c, '.' | '…' | '}' | '+' | '#')) => {}
            None => self.builder.keep(sign),
        }
    }

    /// A variation replaces the move before it; if its number says that it continues, it continues.
    fn open(&mut self, text: &mut PgnLexer) -> Result<(), RecordError> {
        let ply = self.builder.ply();
        let goes_on = text.first_move().is_some_and(|(number, move_text)| {
            self.number_of_next() == Some(number) && self.reader.san(&self.builder.game, move_text).is_ok()
        });
        let from = if goes_on { Some(ply) } else { ply.checked_sub(1) };
        match from.filter(|from| self.builder.can_open(*from)) {
            Some(from) => self.builder.open(from),
            None => {
                let inside = text.rest_of_variation()?;
                self.builder.keep(&format!("({inside})"));
                text.pass_bracket();
            }
        }
        Ok(())
    }

    /// The number of the next move, and whether it is the second side's.
    fn number_of_next(&self) -> Option<(usize, bool)> {
        let (game, n_sides) = (&self.builder.game, self.builder.game.rules().sides().len());
        let ply = game.setup().ply as usize;
        (n_sides == 2).then_some((ply / 2 + 1, ply % 2 == 1))
    }
}
