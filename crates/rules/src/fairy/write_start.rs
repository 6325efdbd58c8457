//! The start of a game in the letters of its section.
//!
//! In: the start. Out: the value of `startFen`. Never: other positions.

use std::fmt::Write as _;

use super::writer::Writer;
use crate::grid::Side;
use crate::rule_parts::{Hand, KindId};

/// The start in the letters of the section.
pub fn start_fen(writer: &Writer) -> String {
    let (rules, grid) = (writer.rules, writer.rules.grid);
    let setup = &rules.start;
    let text = |side: Side, kind: KindId| {
        let text = writer.pieces.texts[kind.index()].clone();
        if side == Side::FIRST { text } else { text.to_ascii_lowercase() }
    };
    let mut ranks = Vec::new();
    for rank in (0..grid.ranks()).rev() {
        let mut line = String::new();
        let mut empty = 0;
        let end = |line: &mut String, empty: &mut u32| {
            if *empty > 0 {
                _ = write!(line, "{empty}");
            }
            *empty = 0;
        };
        for file in 0..grid.files() {
            let square = grid.at(i16::from(file), i16::from(rank));
            match square.map(|square| setup.board[square.index()]) {
                Some(None) => empty += 1,
                found => {
                    end(&mut line, &mut empty);
                    let piece = found.flatten().map(|(side, kind)| text(side, kind));
                    line += &piece.unwrap_or_else(|| "*".to_string());
                }
            }
        }
        end(&mut line, &mut empty);
        ranks.push(line);
    }
    let mut hands = String::new();
    for (side, hand) in setup.hands.iter().enumerate() {
        for kind in rules.kind_ids() {
            hands += &text(Side(side as u8), kind).repeat(usize::from(hand[kind.index()]));
        }
    }
    let hands = if rules.hand == Hand::None { String::new() } else { format!("[{hands}]") };
    let turn = if setup.turn == 0 { 'w' } else { 'b' };
    let mut rights = setup.castling_letters(rules);
    rights += &first_move_files(writer);
    let rights = if rights.is_empty() { "-" } else { &rights };
    let checks = rules.ends.checks.map_or_else(String::new, |n| format!(" {n}+{n}"));
    format!("{}{hands} {turn} {rights} -{checks} 0 1", ranks.join("/"))
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
