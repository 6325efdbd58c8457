//! CSA (Computer Shogi Association), versions 1 to 3.
//!
//! In: the text of one game. Out: a record. Never: a game rejected for its comments.
//!
//! The format has no variations. Ours follow the end of the game as comments that other programs skip: `'変化：3手`, then
//! the statements of the line, each after an apostrophe.

use std::borrow::Cow;

use ashta_messages::{Message, message};
use ashta_position::CompiledRules;
use ashta_position::notation::MoveTextError;
use ashta_position::notation::japanese::{read_digits, square_at};
use ashta_rules::{Rules, Setup, Side};

use super::glyphs::read_clock;
use super::japanese_start::kind_of_csa;
use super::kif::parse_move_number;
use super::kif_headers::{is_known, tag_of};
use super::tag_names::plain_name;
use super::usi::End;
use super::{MoveReader, RawGame, RecordBuilder, RecordError};
use crate::record::{GameResult, begin_from, tag};
use crate::termination::Termination;

/// Header fields (`$EVENT`) and their tags.
pub const INFORMATION: [(&str, &str); 5] = [
    ("EVENT", tag::EVENT),
    ("SITE", tag::SITE),
    ("START_TIME", tag::DATE),
    ("OPENING", tag::OPENING),
    // Ours, where the end of the game does not say it.
    ("TERMINATION", tag::TERMINATION),
];

pub fn parse(
    raw: &RawGame,
    rules: &CompiledRules,
    reader: &mut MoveReader,
) -> Result<RecordBuilder, RecordError> {
    let builder = RecordBuilder::from_start(rules);
    let mut csa = Csa { builder, setup: None, has_begun: false, is_over: false, variation: Beside::Nothing };
    for (n, line) in raw.text.lines().enumerate() {
        let at = raw.line + n;
        let mut rest = Some(line.trim_end());
        while let Some(statements) = rest.take() {
            if let Some(comment) = statements.strip_prefix('\'') {
                csa.take_comment(comment, at, reader)?;
                break;
            }
            if csa.take_head(statements) {
                break;
            }
            let (statement, after) = first_statement(statements);
            csa.take(statement.trim_end(), at, rules, reader)?;
            rest = after;
        }
    }
    csa.begin(rules, raw.line)?;
    Ok(csa.builder)
}

/// The first statement of a line, and the rest. Names and events may contain commas; all other statements may follow
/// one, and times may follow a space.
fn first_statement(statements: &str) -> (&str, Option<&str>) {
    let separators: &[char] = match statements.chars().next() {
        Some('N' | '$') => &[],
        Some('+' | '-' | '%') => &[',', ' '],
        Some(_) | None => &[','],
    };
    match statements.split_once(separators) {
        Some((statement, after)) => (statement, Some(after.trim_start())),
        None => (statements, None),
    }
}

struct Csa {
    builder: RecordBuilder,
    /// The first position, as far as it was given.
    setup: Option<Setup>,
    has_begun: bool,
    /// The game has ended; comments may follow.
    is_over: bool,
    variation: Beside,
}

/// How comments are parsed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    Nothing,
    /// As statements of a variation.
    Line,
    /// As text: the variation cannot be parsed any further.
    Text,
}

impl Csa {
    fn take(
        &mut self,
        statement: &str,
        line: usize,
        rules: &CompiledRules,
        reader: &mut MoveReader,
    ) -> Result<(), RecordError> {
        let tags = &mut self.builder.record.tags;
        let Some(first) = statement.chars().next().filter(|_| !self.is_over) else { return Ok(()) };
        match first {
            'N' if statement.starts_with("N+") => tags.set(tag::PLAYERS[0], statement[2..].trim()),
            'N' if statement.starts_with("N-") => tags.set(tag::PLAYERS[1], statement[2..].trim()),
            '$' => {
                let (name, value) = statement[1..].split_once(':').unwrap_or((&statement[1..], ""));
                let known = INFORMATION.iter().find(|(theirs, _)| *theirs == name);
                let ours = known.map_or_else(|| plain_name(name.trim()), |(_, ours)| Cow::Borrowed(*ours));
                tags.set(&ours, value.trim());
            }
            'P' => {
                let setup = self.setup.get_or_insert_with(|| Setup::empty(rules.rules()));
                read_position(setup, rules.rules(), statement)
                    .map_err(|what| RecordError::new(line, what))?;
            }
            '+' | '-' if statement.len() == 1 => {
                let setup = self.setup.get_or_insert_with(|| rules.rules().start().clone());
                setup.turn = u8::from(first == '-');
                self.begin(rules, line)?;
            }
            '+' | '-' => {
                self.begin(rules, line)?;
                self.take_move(statement, line, reader)?;
            }
            '%' => {
                self.begin(rules, line)?;
                self.end(&statement[1..], line)?;
                self.is_over = true;
            }
            // Servers repeat the result in their own words, engines add their output.
            '#' if self.has_begun => {
                if let Some(end) = End::of_word(&statement[1..]) {
                    end.settle(&mut self.builder);
                    self.is_over = true;
                }
            }
            'T' => self.set_time(&statement[1..]),
            'V' | '#' | '*' => {}
            _ if self.has_begun && End::of_word(statement).is_some() => {
                self.end(statement, line)?;
                self.is_over = true;
            }
            _ => {
                let shown: String = statement.chars().take(20).collect();
                return Err(RecordError::new(line, message!("records.csa-line", shown)));
            }
        }
        Ok(())
    }

    fn take_move(&mut self, text: &str, line: usize, reader: &mut MoveReader) -> Result<(), RecordError> {
        let is_first = self.builder.game.turn() == Side::FIRST;
        let is_own = text.starts_with('+') == is_first;
        let text = promoted(text);
        let taken = self.builder.take_move(line, &text, |game| match reader.csa(game, &text) {
            // Two moves in a row are no illegal move of the side to move.
            Err(MoveTextError::Illegal { text }) if !is_own => {
                Err(MoveTextError::Unreadable { text, why: message!("records.other-sides-move") })
            }
            read => read,
        });
        taken.map(|_| ())
    }

    fn set_time(&mut self, seconds: &str) {
        if let Some(spent_ms) = read_clock(seconds.trim()) {
            self.builder.set_time(spent_ms);
        }
    }

    /// Some programs write KIF headers into the file. Returns whether this is one.
    fn take_head(&mut self, line: &str) -> bool {
        let Some((name, value)) = line.split_once('：') else { return false };
        match tag_of(name).filter(|_| is_known(name)) {
            Some(tag) => {
                self.builder.record.tags.set(&tag, value.trim());
                true
            }
            None => false,
        }
    }

    /// After an apostrophe: ratings of servers, statements of a variation, comments.
    fn take_comment(
        &mut self,
        comment: &str,
        line: usize,
        reader: &mut MoveReader,
    ) -> Result<(), RecordError> {
        if comment.starts_with("CSA encoding=") || self.note_rating(comment) {
            return Ok(());
        }
        if let Some(rest) = comment.strip_prefix("変化：").filter(|_| self.has_begun) {
            let from = parse_move_number(rest).and_then(|number| number.checked_sub(1));
            self.variation =
                if from.is_some_and(|from| self.builder.branch(from)) { Beside::Line } else { Beside::Text };
            if self.variation == Beside::Text {
                self.builder.keep(comment);
            }
            return Ok(());
        }
        match (comment.strip_prefix('*'), self.variation) {
            (_, Beside::Text) => self.builder.keep(comment),
            (Some(words), Beside::Nothing | Beside::Line) => self.builder.add_comment_line(words),
            (None, Beside::Nothing) => self.builder.add_comment_line(comment),
            (None, Beside::Line) => self.take_beside(comment, line, reader)?,
        }
        Ok(())
    }

    /// A statement of a variation.
    fn take_beside(
        &mut self,
        statement: &str,
        line: usize,
        reader: &mut MoveReader,
    ) -> Result<(), RecordError> {
        if let Some(seconds) = statement.strip_prefix('T') {
            self.set_time(seconds);
            return Ok(());
        }
        match reader.csa(&self.builder.game, statement) {
            Ok(mv) => self.builder.play(line, mv),
            Err(_) => {
                self.variation = Beside::Text;
                self.builder.keep(statement);
                Ok(())
            }
        }
    }

    /// Sets up the first position, once it is complete.
    fn begin(&mut self, rules: &CompiledRules, line: usize) -> Result<(), RecordError> {
        if let Some(setup) = self.setup.take().filter(|_| !self.has_begun) {
            let mut setup = setup;
            setup.rights = rules.rules().start().rights;
            let game = begin_from(rules, &setup)
                .map_err(|error| RecordError::new(line, message!("records.first-position", error)))?;
            self.builder.set_start(game);
        }
        self.has_begun = true;
        Ok(())
    }

    fn end(&mut self, word: &str, line: usize) -> Result<(), RecordError> {
        // The side of the sign has made an illegal action, whoever is to move.
        if let Some(sign) = word.strip_suffix("ILLEGAL_ACTION") {
            let winner = if sign == "+" { Side::SECOND } else { Side::FIRST };
            self.builder.record.result = GameResult::Won(winner);
            self.builder.record.tags.set(tag::TERMINATION, Termination::IllegalAction.to_string());
            return Ok(());
        }
        match End::of_word(word) {
            Some(end) => {
                end.settle(&mut self.builder);
                Ok(())
            }
            None => Err(self.builder.at_move(line, message!("records.csa-end", word))),
        }
    }

    /// `'black_rate:name:1234.5`, as servers write it. Returns whether it is that.
    fn note_rating(&mut self, comment: &str) -> bool {
        let sides = [("black_rate:", 0), ("white_rate:", 1)];
        for (name, side) in sides {
            if let Some((_, rating)) = comment.strip_prefix(name).and_then(|rest| rest.rsplit_once(':')) {
                self.builder.record.tags.set(tag::RATINGS[side], rating.trim());
                return true;
            }
        }
        false
    }
}

/// Names of pieces and of their promotions.
const PROMOTED: [(&str, &str); 6] =
    [("FU", "TO"), ("KY", "NY"), ("KE", "NK"), ("GI", "NG"), ("KA", "UM"), ("HI", "RY")];

/// Some programs write `+8822KA+` for `+8822UM`.
fn promoted(text: &str) -> Cow<'_, str> {
    let found = text.get(1..).and_then(|rest| rest.strip_suffix('+')).and_then(|_| {
        let plain = text.trim_end_matches('+');
        PROMOTED.iter().find_map(|(name, promoted)| Some(format!("{}{promoted}", plain.strip_suffix(name)?)))
    });
    found.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// `PI82HI22KA`, `P1-KY-KE...`, `P+00KI`, `P-00AL`.
fn read_position(setup: &mut Setup, rules: &Rules, statement: &str) -> Result<(), Message> {
    let shown: String = statement.chars().take(30).collect();
    let wrong = || message!("records.csa-pieces", shown);
    let chars: Vec<char> = statement.chars().collect();
    match chars.get(1) {
        Some('I') => {
            *setup = rules.start().clone();
            for piece in chars[2..].chunks(4) {
                let [file, rank, ..] = piece else { return Err(wrong()) };
                let square = read_digits(rules.grid(), *file, *rank).ok_or_else(wrong)?;
                setup.board[square.0 as usize] = None;
            }
        }
        Some(rank) if rank.is_ascii_digit() => {
            let rank = rank.to_digit(10).unwrap_or(0) as u8;
            for (n, piece) in chars[2..].chunks(3).enumerate().take(usize::from(rules.grid().files())) {
                let square =
                    square_at(rules.grid(), rules.grid().files() - n as u8, rank).ok_or_else(wrong)?;
                let name: String = piece.iter().skip(1).collect();
                setup.board[square.0 as usize] = match piece[0] {
                    '+' => Some((Side::FIRST, kind_of_csa(rules, &name).ok_or_else(wrong)?)),
                    '-' => Some((Side::SECOND, kind_of_csa(rules, &name).ok_or_else(wrong)?)),
                    _ => None,
                };
            }
        }
        Some(sign @ ('+' | '-')) => {
            let side = if *sign == '+' { Side::FIRST } else { Side::SECOND };
            for piece in chars[2..].chunks(4) {
                put_piece(setup, rules, side, piece).ok_or_else(wrong)?;
            }
        }
        _ => return Err(wrong()),
    }
    Ok(())
}

fn put_piece(setup: &mut Setup, rules: &Rules, side: Side, piece: &[char]) -> Option<()> {
    let [file, rank, ..] = piece else { return None };
    let name: String = piece.iter().skip(2).collect();
    match (*file, *rank, name.as_str()) {
        ('0', '0', "AL") => fill_hand_with_rest(setup, rules, side),
        ('0', '0', name) => {
            let kind = kind_of_csa(rules, name)?;
            let held = setup.hands.get_mut(side.index())?.get_mut(kind.index())?;
            *held = held.saturating_add(1);
        }
        (file, rank, name) => {
            let square = read_digits(rules.grid(), file, rank)?;
            setup.board[square.0 as usize] = Some((side, kind_of_csa(rules, name)?));
        }
    }
    Some(())
}

/// Puts every piece of the start that is neither on the board nor in a hand into this hand, except royal pieces.
fn fill_hand_with_rest(setup: &mut Setup, rules: &Rules, side: Side) {
    let plain = |kind: ashta_rules::KindId| rules.kind(kind).demoted;
    for kind in rules.kind_ids().filter(|kind| rules.kind(*kind).drop.is_some()) {
        let on = |board: &[Option<(Side, ashta_rules::KindId)>]| {
            board.iter().flatten().filter(|(_, other)| plain(*other) == kind).count()
        };
        let held: usize = setup.hands.iter().map(|hand| usize::from(hand[kind.index()])).sum();
        let left = on(&rules.start().board).saturating_sub(on(&setup.board) + held);
        setup.hands[side.index()][kind.index()] += left as u8;
    }
}
