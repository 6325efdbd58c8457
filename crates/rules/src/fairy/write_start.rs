//! The start of a game in the letters of its section.
//!
//! In: the start. Out: the value of `startFen`. Never: other positions.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::grid::Side;
use crate::rule_parts::{Hand, KindId};

/// The start in the letters of the section.
pub fn start_fen(writer: &Writer) -> String {
    let rules = writer.rules;
    let setup = &rules.start;
    let mut hands = String::new();
    for (side, hand) in setup.hands.iter().enumerate() {
        for kind in rules.kind_ids() {
            hands += &piece_text(writer, Side(side as u8), kind).repeat(usize::from(hand[kind.index()]));
        }
    }
    let hands = if rules.hand == Hand::None { String::new() } else { format!("[{hands}]") };
    let turn = if setup.turn == 0 { 'w' } else { 'b' };
    let mut rights = setup.castling_letters(rules);
    rights += &first_move_files(writer);
    let rights = if rights.is_empty() { "-" } else { &rights };
    let checks = rules.ends.checks.map_or_else(String::new, |n| format!(" {n}+{n}"));
    format!("{}{hands} {turn} {rights} -{checks} 0 1", board_text(writer))
}

fn piece_text(writer: &Writer, side: Side, kind: KindId) -> String {
    let text = &writer.pieces.texts[kind.index()];
    if side == Side::FIRST { text.clone() } else { text.to_ascii_lowercase() }
}

fn board_text(writer: &Writer) -> String {
    let (grid, board) = (writer.rules.grid, &writer.rules.start.board);
    let mut ranks = Vec::new();
    for rank in (0..grid.ranks()).rev() {
        let mut line = String::new();
        let mut empty = 0;
        for file in 0..grid.files() {
            let square = grid.at(i16::from(file), i16::from(rank));
            let written = match square.map(|square| board[square.index()]) {
                Some(None) => {
                    empty += 1;
                    continue;
                }
                Some(Some((side, kind))) => piece_text(writer, side, kind),
                None => "*".to_string(),
            };
            write_empty(&mut line, &mut empty);
            line += &written;
        }
        write_empty(&mut line, &mut empty);
        ranks.push(line);
    }
    ranks.join("/")
}

fn write_empty(line: &mut String, n: &mut u32) {
    if *n > 0 {
        _ = write!(line, "{n}");
    }
    *n = 0;
}

/// The files of pieces that may still make their first leap, which a start lists with the castling rights.
fn first_move_files(writer: &Writer) -> String {
    let (rules, mut files) = (writer.rules, String::new());
    for (side, base) in [(Side::FIRST, b'A'), (Side::SECOND, b'a')] {
        for square in &rules.first_move_squares {
            if rules.start.board[square.index()].is_some_and(|(owner, _)| owner == side) {
                files.push(char::from(base + rules.grid.file(*square)));
            }
        }
    }
    files
}
