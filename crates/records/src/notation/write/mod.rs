//! Record writers: PGN and USI for every game; CSA, KIF, KI2 and JKF for games with shogi pieces.
//!
//! In: a record and its rules. Out: text that our parsers read back, with all annotations. Never: part of a record.

mod csa;
mod jkf;
mod kif;
mod pgn;

use std::fmt::Write as _;

use ashta_messages::Tell;
use ashta_position::notation::{UnfitGame, write_coordinates};
use ashta_position::{CompiledRules, Game, Move, PositionTextError};
use ashta_rules::{KindId, Setup, Side};

use super::Format;
use super::usi::{ENDS, End};
use crate::annotations::{NotatedLine, write_line};
use crate::record::{GameRecord, GameResult, tag};
use crate::termination::Termination;

#[derive(Clone, PartialEq, Eq, Debug, Tell)]
pub enum WriteError {
    #[code(transparent)]
    Unfit(#[from] UnfitGame),
    #[code(transparent)]
    Start(#[from] PositionTextError),
    #[code("records.read-only-format")]
    ReadOnly(&'static str),
}

pub fn write_record(
    format: Format,
    record: &GameRecord,
    rules: &CompiledRules,
    out: &mut String,
) -> Result<(), WriteError> {
    let game = record.begin(rules)?;
    match format {
        Format::Pgn => pgn::write(record, game, out),
        Format::Usi => write_usi(record, game, out),
        Format::Csa => csa::write(record, game, out)?,
        Format::Kif => kif::write_kif(record, game, out)?,
        Format::Ki2 => kif::write_ki2(record, game, out)?,
        Format::Jkf => jkf::write(record, game, out)?,
        Format::Table => return Err(WriteError::ReadOnly(format.name())),
    }
    Ok(())
}

/// Plays the record and writes its moves and variations; the game ends where the record does.
fn notated<'r, T>(
    record: &'r GameRecord,
    game: &mut Game,
    mut write: impl FnMut(&Game, Move) -> Result<T, UnfitGame>,
) -> Result<NotatedLine<'r, T>, UnfitGame> {
    write_line(game, &record.moves, &record.annotations, &mut write)
}

/// Emits the variations of a line, the last first, each followed by those nested in it: in KIF a variation belongs to
/// the nearest line before it that began earlier. The number is the ply at which it begins.
fn each_variation_backwards<T>(
    line: &NotatedLine<T>,
    from: usize,
    give: &mut dyn FnMut(&NotatedLine<T>, usize),
) {
    let instead = line.moves.iter().enumerate().rev().map(|(n, mv)| (n, &mv.instead));
    for (n, lines) in std::iter::once((line.moves.len(), &line.onward)).chain(instead) {
        for variation in lines {
            give(variation, from + n);
            each_variation_backwards(variation, from + n, give);
        }
    }
}

/// USI has nothing but moves.
fn write_usi(record: &GameRecord, mut game: Game, out: &mut String) {
    let start = match &record.start {
        None => "startpos".to_string(),
        Some(text) => format!("sfen {text}"),
    };
    let mut words = Vec::with_capacity(record.moves.len());
    for mv in &record.moves {
        words.push(write_coordinates(&game, *mv));
        game.play_unchecked(*mv);
    }
    words.extend(end_word(record, &game, |word| {
        word.is_ascii() && word.chars().all(|c| c.is_lowercase() || c == '_')
    }));
    let moves = if words.is_empty() { String::new() } else { format!(" moves {}", words.join(" ")) };
    _ = writeln!(out, "position {start}{moves}");
}

/// The termination word of a notation, the one with the reason if there is one.
fn end_word(record: &GameRecord, end: &Game, is_ours: impl Fn(&str) -> bool) -> Option<String> {
    let turn = end.turn();
    let result_of = |end: End| match end {
        End::MoverLost(_) if turn.0 < 2 => GameResult::Won(Side(1 - turn.0)),
        End::MoverLost(_) => GameResult::Unknown,
        End::MoverWon(_) => GameResult::Won(turn),
        End::Drawn(_) => GameResult::Draw,
        End::Open(_) => GameResult::Unknown,
    };
    let fitting = || ENDS.iter().filter(|(word, end)| is_ours(word) && result_of(*end) == record.result);
    let why = record.tags.get(tag::TERMINATION).and_then(Termination::from_text);
    let exact = fitting().find(|(_, end)| Some(end.why()) == why);
    let any = exact.or_else(|| fitting().next().filter(|_| record.result != GameResult::Unknown));
    any.map(|(word, _)| word.to_string())
}

/// Kinds in a hand and how many, the strongest first.
fn held_kinds(setup: &Setup, side: usize) -> Vec<(KindId, usize)> {
    let hand = setup.hands.get(side).map_or(&[][..], Vec::as_slice);
    hand.iter()
        .enumerate()
        .rev()
        .filter(|(_, count)| **count > 0)
        .map(|(kind, count)| (KindId(kind as u8), usize::from(*count)))
        .collect()
}
