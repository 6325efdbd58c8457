//! What all forms of KIF write alike: marks of sides, digits of any width, the square of the last move.
//!
//! In: text, a game. Out: text in ASCII's digits and brackets. Never: moves.

use ashta_rules::Square;

use crate::game::Game;

const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
pub(super) const SIDE_MARKS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

pub(super) fn last_to(game: &Game) -> Option<Square> {
    game.moves().last().and_then(|mv| mv.to())
}

/// The text with digits, brackets and spaces as ASCII has them.
pub(super) fn plain_text(text: &str) -> String {
    let plain = |c: char| match c {
        '　' => ' ',
        '（' => '(',
        '）' => ')',
        '０' => '0',
        _ => FILES
            .iter()
            .position(|file| *file == c)
            .and_then(|n| char::from_digit(n as u32 + 1, 10))
            .unwrap_or(c),
    };
    text.chars().map(plain).collect()
}
