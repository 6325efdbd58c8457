//! The format of the Computer Shogi Association, versions 1 to 3.
//!
//! In: the text of one game. Out: a record. Never: comments, times.

use ashta_position::notation::japanese::{read_digits, square_at};
use ashta_position::{CompiledRules, Game};
use ashta_rules::{Rules, Setup, Side};

use super::japanese_start::kind_of_csa;
use super::usi::End;
use super::{MoveReader, Playing, RawGame, RecordError};
use crate::record::{GameResult, tag};

/// What follows a dollar sign, and what it says.
const INFORMATION: [(&str, &str); 4] =
    [("EVENT", tag::EVENT), ("SITE", tag::SITE), ("START_TIME", tag::DATE), ("OPENING", tag::OPENING)];

pub fn parse(raw: &RawGame, rules: &CompiledRules, reader: &mut MoveReader) -> Result<Playing, RecordError> {
    let mut csa = Csa { playing: Playing::from_start(rules), setup: None, has_begun: false };
    for (n, line) in raw.text.lines().enumerate() {
        let at = raw.line + n;
        if let Some(comment) = line.strip_prefix('\'') {
            csa.note_rating(comment);
            continue;
        }
        // Names and events may have commas; everything else may stand behind one.
        let statements: Vec<&str> = match line.starts_with(['N', '$']) {
            true => vec![line],
            false => line.split(',').collect(),
        };
        for statement in statements {
            if csa.take(statement.trim_end(), at, rules, reader)? == Flow::Over {
                return Ok(csa.playing);
            }
        }
    }
    csa.begin(rules, raw.line)?;
    Ok(csa.playing)
}

#[derive(PartialEq, Eq)]
enum Flow {
    GoesOn,
    Over,
}

struct Csa {
    playing: Playing,
    /// The first position, as far as it was told.
    setup: Option<Setup>,
    has_begun: bool,
}

impl Csa {
    fn take(
        &mut self,
        statement: &str,
        line: usize,
        rules: &CompiledRules,
        reader: &mut MoveReader,
    ) -> Result<Flow, RecordError> {
        let tags = &mut self.playing.record.tags;
        let Some(first) = statement.chars().next() else { return Ok(Flow::GoesOn) };
        match first {
            'N' if statement.starts_with("N+") => tags.set(tag::PLAYERS[0], statement[2..].trim()),
            'N' if statement.starts_with("N-") => tags.set(tag::PLAYERS[1], statement[2..].trim()),
            '$' => {
                let (name, value) = statement[1..].split_once(':').unwrap_or((&statement[1..], ""));
                let known = INFORMATION.iter().find(|(theirs, _)| *theirs == name);
                known.iter().for_each(|(_, ours)| tags.set(ours, value.trim()));
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
                let read = reader.csa(&self.playing.game, statement);
                let mv = read.map_err(|error| self.playing.at_move(line, error))?;
                self.playing.play(line, mv)?;
            }
            '%' => {
                self.begin(rules, line)?;
                self.end(&statement[1..], line)?;
                return Ok(Flow::Over);
            }
            // Servers write how a game ended once more in words of their own, engines what they thought.
            '#' if self.has_begun => {
                if let Some(end) = End::of_word(&statement[1..]) {
                    end.settle(&mut self.playing);
                    return Ok(Flow::Over);
                }
            }
            'T' | 'V' | '#' | '*' | '\'' => {}
            _ => {
                let shown: String = statement.chars().take(20).collect();
                return Err(RecordError::new(line, format!("`{shown}` is nothing that CSA has")));
            }
        }
        Ok(Flow::GoesOn)
    }

    /// Sets the first position up, once it is told.
    fn begin(&mut self, rules: &CompiledRules, line: usize) -> Result<(), RecordError> {
        if let Some(setup) = self.setup.take().filter(|_| !self.has_begun) {
            let mut setup = setup;
            setup.rights = rules.rules().start().rights;
            let game = Game::from_setup(rules, &setup)
                .map_err(|error| RecordError::new(line, format!("its first position: {error}")))?;
            self.playing.set_start(game);
        }
        self.has_begun = true;
        Ok(())
    }

    fn end(&mut self, word: &str, line: usize) -> Result<(), RecordError> {
        // The side that the sign names has done what is not allowed; the turn does not matter.
        if let Some(sign) = word.strip_suffix("ILLEGAL_ACTION") {
            let winner = if sign == "+" { Side::SECOND } else { Side::FIRST };
            self.playing.record.result = GameResult::Won(winner);
            self.playing.record.tags.set(tag::TERMINATION, "illegal action");
            return Ok(());
        }
        match End::of_word(word) {
            Some(end) => {
                end.settle(&mut self.playing);
                Ok(())
            }
            None => Err(self.playing.at_move(line, format!("`%{word}` is no end that CSA has"))),
        }
    }

    /// `'black_rate:name:1234.5`, as servers write it.
    fn note_rating(&mut self, comment: &str) {
        let sides = [("black_rate:", 0), ("white_rate:", 1)];
        for (name, side) in sides {
            if let Some((_, rating)) = comment.strip_prefix(name).and_then(|rest| rest.rsplit_once(':')) {
                self.playing.record.tags.set(tag::RATINGS[side], rating.trim());
            }
        }
    }
}

/// `PI82HI22KA`, `P1-KY-KE...`, `P+00KI`, `P-00AL`.
fn read_position(setup: &mut Setup, rules: &Rules, statement: &str) -> Result<(), String> {
    let shown: String = statement.chars().take(30).collect();
    let wrong = || format!("`{shown}` does not say where pieces stand");
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
        ('0', '0', "AL") => hold_the_rest(setup, rules, side),
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

/// Puts into a hand every piece of the start that stands nowhere and that nobody holds, royal pieces excepted.
fn hold_the_rest(setup: &mut Setup, rules: &Rules, side: Side) {
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
