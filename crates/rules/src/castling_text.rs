//! Castling rights as positions write them.
//!
//! In: letters, pieces on squares. Out: rights, letters. Never: whether somebody may castle now.
//!
//! Where castlings start from any file, `K` is the one with the outermost partner on that side of the royal piece (X-FEN), and
//! any other is the letter of the partner's file (Shredder-FEN): `HAha`.

use crate::grid::{Side, Square};
use crate::rule_parts::{Castling, CastlingStarts};
use crate::rules::Rules;
use crate::setup::Setup;

impl Setup {
    /// The number of the right that a letter stands for here.
    pub(crate) fn castling_right(&self, letter: char, rules: &Rules) -> Option<u8> {
        match rules.castling_starts {
            CastlingStarts::Fixed => {
                let by_letter = rules.castlings.iter().find(|c| c.letter == letter);
                // Other programs name any castling by the partner's file.
                let by_file = || rules.castlings.iter().find(|c| file_letter(c, rules) == letter);
                by_letter.or_else(by_file).map(|c| c.right)
            }
            CastlingStarts::AnyFile { .. } => {
                let by_letter = || self.outermost(letter, rules).map(|c| c.right);
                let by_file =
                    |c: &&Castling| file_letter(c, rules) == letter && rules.stand_to_castle(c, self);
                by_letter().or_else(|| rules.castlings.iter().find(by_file).map(|c| c.right))
            }
        }
    }

    /// The number of the right to a first move that other programs write as the file of the piece, in capitals for the first side.
    pub(crate) fn first_move_right(&self, letter: char, rules: &Rules) -> Option<usize> {
        let is_named = |square: &Square| {
            let found = rules.start.board.get(square.index()).copied().flatten();
            found.is_some_and(|(side, _)| letter_of_file(side, *square, rules) == letter)
                && self.board.get(square.index()).copied().flatten() == found
        };
        let at = rules.first_move_squares.iter().position(is_named)?;
        Some(rules.n_castling_rights() + at)
    }

    /// Of the castlings with a letter whose pieces stand here, that with the outermost partner.
    fn outermost<'r>(&self, letter: char, rules: &'r Rules) -> Option<&'r Castling> {
        let file = |square| rules.grid.file(square);
        let distance = |c: &&Castling| file(c.partner.0).abs_diff(file(c.royal.0));
        let standing =
            rules.castlings.iter().filter(|c| c.letter == letter && rules.stand_to_castle(c, self));
        standing.max_by_key(distance)
    }

    /// The letters of the castling rights, those of the first side first.
    pub(crate) fn castling_letters(&self, rules: &Rules) -> String {
        let has = |c: &&Castling| self.rights >> c.right & 1 == 1;
        match rules.castling_starts {
            CastlingStarts::Fixed => rules.castlings.iter().filter(has).map(|c| c.letter).collect(),
            CastlingStarts::AnyFile { .. } => {
                rules.side_ids().flat_map(|side| self.letters_of_files(side, rules)).collect()
            }
        }
    }

    fn letters_of_files(&self, side: Side, rules: &Rules) -> Vec<char> {
        let has = |c: &&Castling| self.rights >> c.right & 1 == 1;
        let is_left = |c: &&Castling| rules.stand_to_castle(c, self) && c.side == side;
        let mut left: Vec<&Castling> = rules.castlings.iter().filter(is_left).filter(has).collect();
        // From right to left: `KQ`.
        left.sort_by_key(|c| std::cmp::Reverse(c.partner.0));
        let letter = |c: &Castling| match self.outermost(c.letter, rules) {
            Some(outermost) if outermost.right == c.right => c.letter,
            Some(_) | None => file_letter(c, rules),
        };
        left.into_iter().map(letter).collect()
    }
}

/// `H` for the first side, `h` for the second.
fn file_letter(castling: &Castling, rules: &Rules) -> char {
    letter_of_file(castling.side, castling.partner.0, rules)
}

fn letter_of_file(side: Side, square: Square, rules: &Rules) -> char {
    let base = if side == Side::FIRST { b'A' } else { b'a' };
    (base + rules.grid.file(square)) as char
}
